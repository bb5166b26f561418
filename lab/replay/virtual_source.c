#include "lab/replay/virtual_source.h"
#include "base/mem.h"
#include "crawler/knowledge/outages.h"
#include "fetch/answer.h"
#include "fetch/fetch.h"
#include "fetch/robots_cache.h"
#include "frontier/heap.h"

#include <assert.h>
#include <stdlib.h>

/* What a flight is for. */
enum errand {
	UNREQUESTED, /* the page gets its event without a request */
	NAME,        /* the host's name is being resolved */
	ROBOTS,      /* robots.txt is being fetched */
	ROBOTS_ALSO, /* the page waits for a robots.txt that is being fetched for another page */
	PAGE
};

struct flight {
	uint32_t id;
	enum errand errand;
	enum outcome outcome;
	enum page_state state;
	uint16_t status;
	int64_t started;
	int64_t retry_after; /* ms from its end */
	int64_t host_pause;  /* the host is not to be asked before; 0: says nothing */
	uint64_t bytes;
};

/* What is known of a host. The standings of robots.txt are drawn in fetch/worker.c. */
struct known_host {
	int64_t retry_time, expires; /* as in struct origin */
	int64_t robots_started;      /* ASKED */
	int64_t robots_end;          /* ASKED */
	uint8_t standing;            /* enum origin_standing */
	uint8_t failures;
	uint8_t is_named;
	uint8_t has_rules;  /* its robots.txt came at least once */
	uint8_t has_failed; /* the last request for its robots.txt was answered, with 503 */
};

struct virtual_source {
	struct source source; /* the first field, so that self() can cast a source to its virtual_source */
	struct virtual_source_settings set;
	struct virtual_web web;
	struct outages *outages;
	struct known_host *host;
	uint8_t *tries, *answers;  /* by page; no more than FAULT_MAX_PASSING answers are counted */
	struct answer answer;      /* scratch */
	struct changing_look look; /* of a web that changes: at the page that ended last, or is being requested */
	struct seen_rows seen;     /* of a web that changes */

	struct flight *flight; /* set.parallel slots */
	uint32_t *idle;        /* the n_idle slots that are free */
	uint32_t n_idle;
	struct heap queue;  /* of slots, by (time, order of submission) */
	uint32_t submitted; /* the seq of the next event */
	int64_t now;
	struct result event; /* the event that reap() has returned last */
};

static struct virtual_source *self(struct source *s)
{
	return (struct virtual_source *)s;
}

static uint32_t host_of(const struct virtual_source *s, uint32_t id)
{
	return graph_world_host(&s->set.world, id);
}

static void world(struct source *source, struct frontier_world *w)
{
	graph_world_tell(&self(source)->set.world, w);
}

static struct endpoint endpoint_of(const struct virtual_source *s, uint32_t host)
{
	return (struct endpoint){.host = host,
		.address = s->host[host].is_named ? virtual_web_address(&s->web, host) : 0,
		.port = 80};
}

static size_t room(struct source *source)
{
	const struct virtual_source *s = self(source);

	return outages_room(s->outages, s->n_idle, s->set.parallel - s->n_idle, s->now);
}

static int64_t now(struct source *source)
{
	return self(source)->now;
}

/* --- submitting */

static void wait_for(struct virtual_source *s, const struct flight *f, int64_t until)
{
	const uint32_t slot = s->idle[--s->n_idle];

	/* events of the same time are returned in the order of submission; the numbers are reassigned before they overflow */
	if (!s->queue.n || s->submitted == UINT32_MAX) {
		heap_number(&s->queue, (struct heap_indexes){NULL, 0});
		s->submitted = (uint32_t)s->queue.n;
	}
	s->flight[slot] = *f;
	heap_push(&s->queue, entry_make((double)until, s->submitted++, slot), (struct heap_indexes){NULL, 0});
}

/* Lets a page get its event now, without a request. */
static void end_without_request(struct virtual_source *s, struct flight f, enum outcome outcome, enum page_state state)
{
	f.errand = UNREQUESTED;
	f.outcome = outcome;
	f.state = state;
	wait_for(s, &f, s->now);
}

static uint8_t state_in_graph(const struct virtual_source *s, uint32_t id)
{
	return s->set.world.state ? s->set.world.state[id] : PAGE_UNSEEN;
}

/* Returns the fault of the next answer of a page, and counts the answer. */
static enum fault fault_of(struct virtual_source *s, uint32_t id)
{
	const unsigned answers = s->answers[id];

	if (state_in_graph(s, id) == PAGE_FAILED)
		return FAULT_404;
	const enum fault fault = fault_now(&s->set.web->faults, id, answers);
	if (answers < FAULT_MAX_PASSING)
		s->answers[id]++;
	return fault == FAULT_REDIRECT && answers ? FAULT_NONE : fault;
}

/* Judges an answer with this fault, or an error, by the rules of a live crawl. */
static void judge(struct virtual_source *s, struct flight *f, enum fault fault, enum outcome error)
{
	struct answer *a = &s->answer;

	a->status = f->status;
	a->has_headers = f->status != 0;
	a->has_location = f->status == 302;
	a->retry_after = f->status == 503 && fault != FAULT_BUSY ? s->set.web->faults.retry_after * 1000 : -1;
	const unsigned tries = s->tries[f->id];
	const struct verdict v = answer_judge(a, error, TRANSIENT, tries, s->set.tries);
	f->outcome = v.outcome;
	f->state = v.state == PAGE_REDIRECTED ? PAGE_QUEUED : v.state;
	f->retry_after = v.retry_after;
	f->host_pause = answer_blames_host(f->status) ? answer_delay(a, tries) : 0;
}

/* Looks at a page of a web that changes as it is when its request begins. */
static void look_at(struct virtual_source *s, const struct flight *f)
{
	changing_see(s->set.changing, f->id, (s->set.clock_ms + f->started) / 1000, &s->look);
}

/* Says whether the page exists when it is requested. */
static int is_there(struct virtual_source *s, const struct flight *f)
{
	if (!s->set.changing)
		return 1;
	look_at(s, f);
	return s->look.is_there;
}

static void request_page(struct virtual_source *s, struct flight f, uint32_t host)
{
	const struct fault_settings *faults = &s->set.web->faults;
	enum outcome error = OUTCOME_NONE;

	f.errand = PAGE;
	if (!virtual_web_answers(&s->web, host, s->now)) {
		f.status = s->set.web->is_busy ? 503 : 0;
		judge(s, &f, FAULT_NONE, s->set.web->is_busy ? OUTCOME_NONE : OUTCOME_CONNECT);
		wait_for(s, &f, s->now + virtual_web_ms(&s->web, host, 0));
		return;
	}
	const int stands = is_there(s, &f);
	const enum fault fault = stands ? fault_of(s, f.id) : FAULT_404;
	f.status = fault_status(fault);
	if (f.status == 200)
		f.bytes = virtual_web_bytes(&s->web, f.id);
	if (f.status == 200 && fault == FAULT_TRUNCATE) {
		error = OUTCOME_BROKEN;
		f.bytes /= 2;
	}
	int64_t ms = virtual_web_ms(&s->web, host, f.bytes);
	if (stands && fault_extra(faults, f.id, FAULT_SLOW))
		ms += faults->slow_ms;
	if (s->set.timeout_ms && ms > s->set.timeout_ms) {
		ms = s->set.timeout_ms;
		error = OUTCOME_TIMEOUT;
		f.status = 0;
		f.bytes = 0;
	}
	judge(s, &f, fault, error);
	wait_for(s, &f, s->now + ms);
}

/* Returns the outcome of a page that is put back because robots.txt is not known yet. */
static enum outcome robots_outcome(const struct known_host *h)
{
	const int is_had = h->standing != ORIGIN_LATER && h->standing != ORIGIN_GIVEN_UP;

	return is_had || h->has_failed ? OUTCOME_ROBOTS_WAIT : OUTCOME_ROBOTS_CONNECT;
}

static void begin_with_robots(struct virtual_source *s, struct flight f, uint32_t host)
{
	struct known_host *h = &s->host[host];

	switch ((enum origin_standing)h->standing) {
	case ORIGIN_UNKNOWN:
		h->standing = ORIGIN_ASKED;
		h->robots_started = s->now;
		h->robots_end = s->now + virtual_web_ms(&s->web, host, 0);
		f.errand = ROBOTS;
		f.status = virtual_web_answers(&s->web, host, s->now) ? 200 : s->set.web->is_busy ? 503 : 0;
		wait_for(s, &f, h->robots_end);
		break;
	case ORIGIN_ASKED:
		f.errand = ROBOTS_ALSO;
		f.started = h->robots_started;
		wait_for(s, &f, h->robots_end);
		break;
	case ORIGIN_LATER:
		f.retry_after = h->retry_time - s->now;
		f.host_pause = h->retry_time;
		end_without_request(s, f, robots_outcome(h), PAGE_QUEUED);
		break;
	case ORIGIN_GIVEN_UP:
		if (h->has_failed)
			end_without_request(s, f, OUTCOME_ROBOTS_UNAVAILABLE, PAGE_REFUSED);
		else
			end_without_request(s, f, OUTCOME_CONNECT, PAGE_FAILED);
		break;
	case ORIGIN_KNOWN:
		if (virtual_web_disallows(&s->web, f.id) || state_in_graph(s, f.id) == PAGE_REFUSED)
			end_without_request(s, f, OUTCOME_ROBOTS, PAGE_REFUSED);
		else
			request_page(s, f, host);
		break;
	}
}

/* Updates the standing of a host's robots.txt after its time has expired. */
static void age(struct known_host *h, int64_t now)
{
	if ((h->standing == ORIGIN_KNOWN || h->standing == ORIGIN_GIVEN_UP) && now >= h->expires) {
		h->standing = ORIGIN_UNKNOWN;
		h->failures = 0;
	} else if (h->standing == ORIGIN_LATER && now >= h->retry_time) {
		h->standing = ORIGIN_UNKNOWN;
	}
}

static void submit(struct source *source, const uint32_t *ids, size_t n)
{
	struct virtual_source *s = self(source);

	assert(n <= s->n_idle);
	for (size_t i = 0; i < n; i++) {
		struct flight f = {.id = ids[i], .started = s->now};
		const uint32_t host = host_of(s, f.id);
		int64_t until;
		age(&s->host[host], s->now);
		const enum outage_leave leave = outages_backs_off(s->outages, endpoint_of(s, host), f.id, s->now, &until);
		if (leave != OUTAGE_ASK) {
			if (leave == OUTAGE_HOST_WAITS)
				f.host_pause = until;
			else
				f.retry_after = until - s->now;
			end_without_request(s, f, OUTCOME_BACK_OFF, PAGE_QUEUED);
		} else if (!s->host[host].is_named) {
			f.errand = NAME;
			wait_for(s, &f, s->now + virtual_web_ms(&s->web, host, 0));
		} else {
			begin_with_robots(s, f, host);
		}
	}
}

/* --- the events */

/* Handles the end of a request for robots.txt. */
static void end_robots(struct virtual_source *s, struct known_host *h, unsigned status)
{
	s->answer.has_headers = 0;
	h->has_failed = status == 503;
	if (status == 200) {
		h->standing = ORIGIN_KNOWN;
		h->has_rules = 1;
		h->failures = 0;
		h->expires = s->now + ROBOTS_LIVE_MS;
		return;
	}
	h->retry_time = s->now + answer_delay(&s->answer, h->failures++);
	h->standing = h->failures >= s->set.tries ? ORIGIN_GIVEN_UP : ORIGIN_LATER;
	h->expires = s->now + ROBOTS_SILENT_MS;
}

static void wait_for_robots(const struct known_host *h, struct flight *f, int64_t now)
{
	f->outcome = robots_outcome(h);
	f->state = PAGE_QUEUED;
	if (h->standing == ORIGIN_LATER) {
		f->host_pause = h->retry_time;
		f->retry_after = h->retry_time - now;
	}
}

/* Returns the Crawl-delay of a host as a live crawl keeps it, in ms; -1: its rules have none, or are not known. */
static int64_t crawl_delay(const struct virtual_source *s, uint32_t host)
{
	const int64_t ms = s->host[host].has_rules ? virtual_web_crawl_delay(&s->web, host) : -1;

	return ms < ROBOTS_MAX_DELAY_MS ? ms : ROBOTS_MAX_DELAY_MS;
}

/* Counts a try of a page. After a redirect the count begins again, since the target is another page in a live crawl. */
static void count_try(struct virtual_source *s, const struct result *e)
{
	uint8_t *tries = &s->tries[e->id];

	if (e->state != PAGE_QUEUED || e->outcome == OUTCOME_REDIRECTED)
		*tries = 0;
	else if (outcome_has(e->outcome, TRAIT_TRY) && *tries < FETCH_MAX_TRIES)
		++*tries;
}

/* Gives the event the links of its page, which the source keeps if the web changes. */
static void give_links(struct virtual_source *s, const struct flight *f)
{
	struct result *e = &s->event;

	if (!s->set.changing) {
		graph_world_links(&s->set.world, e);
		return;
	}
	look_at(s, f);
	seen_rows_add(&s->seen, f->id, s->look.links, s->look.n);
	e->n = seen_rows_of(&s->seen, f->id, &e->links);
}

static void end_flight(struct virtual_source *s, struct flight *f)
{
	const uint32_t host = host_of(s, f->id);
	struct known_host *h = &s->host[host];
	struct result *e = &s->event;

	if (f->errand == NAME) {
		f->outcome = OUTCOME_ADDRESS;
		f->state = PAGE_QUEUED;
		h->is_named = 1;
	} else if (f->errand == ROBOTS || f->errand == ROBOTS_ALSO) {
		if (f->errand == ROBOTS)
			end_robots(s, h, f->status);
		wait_for_robots(h, f, s->now);
	} else if (f->status == 503) {
		f->host_pause += s->now;
	}
	*e = (struct result){.id = f->id,
		.outcome = f->outcome,
		.state = f->state,
		.status = f->status,
		.target = UINT32_MAX,
		.not_before = s->now + f->retry_after,
		.started = f->started,
		.ended = s->now,
		.host_delay = crawl_delay(s, host),
		.host_pause = f->host_pause,
		.address = f->errand == NAME ? virtual_web_address(&s->web, host) : 0,
		.bytes = f->bytes};
	outages_judge(s->outages, endpoint_of(s, host),
		f->errand == PAGE             ? OUTAGE_OF_PAGE
			: f->errand == ROBOTS ? OUTAGE_OF_ROBOTS
					      : OUTAGE_OF_EARLIER,
		e);
	count_try(s, e);
	if (e->state == PAGE_CRAWLED)
		give_links(s, f);
}

/* Returns the next event: only one at a time, since each event may change which page is taken next. */
static int reap(struct source *source, const struct result **events, int64_t until, struct err_note *why)
{
	struct virtual_source *s = self(source);
	const int64_t probe = outages_next_probe(s->outages);

	(void)why;
	if (!s->queue.n && probe < until && probe > s->now)
		until = probe;
	if (!s->queue.n || entry_key(&s->queue.at[0]) > (double)until) {
		s->now = until > s->now ? until : s->now;
		return 0;
	}
	const struct entry first = heap_remove(&s->queue, 0, (struct heap_indexes){NULL, 0});
	if (entry_key(&first) > (double)s->now)
		s->now = (int64_t)entry_key(&first);
	end_flight(s, &s->flight[first.id]);
	s->idle[s->n_idle++] = first.id;
	*events = &s->event;
	return 1;
}

static void release(struct source *s)
{
	(void)s;
}

static void prefetch(struct source *source, const uint32_t *ids, size_t n)
{
	graph_world_prefetch(&self(source)->set.world, ids, n);
}

static int is_over(struct source *source)
{
	return outages_over(self(source)->outages);
}

static uint64_t silent_hosts(const struct source *source)
{
	return outages_silent(((const struct virtual_source *)source)->outages);
}

static void close_source(struct source *source)
{
	AUTO_FREE struct virtual_source *s = self(source);

	virtual_web_release(&s->web);
	changing_look_release(&s->look);
	seen_rows_release(&s->seen);
	outages_free(s->outages);
	heap_release(&s->queue);
	free(s->host);
	free(s->tries);
	free(s->answers);
	free(s->flight);
	free(s->idle);
}

static const struct source_ops ops = {
	.name = "virtual",
	.world = world,
	.room = room,
	.submit = submit,
	.reap = reap,
	.release = release,
	.now = now,
	.prefetch = prefetch,
	.is_over = is_over,
	.silent_hosts = silent_hosts,
	.close = close_source,
};

struct source *virtual_source_new(const struct virtual_source_settings *set)
{
	struct virtual_source *s = mem_zero(1, sizeof *s);
	const uint32_t nodes = set->world.g->nodes;

	assert(set->hosts >= 1 && set->parallel >= 1);
	assert(set->tries >= 1 && set->tries <= FETCH_MAX_TRIES);
	s->source.ops = &ops;
	s->set = *set;
	virtual_web_init(&s->web, set->web, set->hosts);
	s->outages = outages_new(set->give_up_ms);
	outages_keep_quiet(s->outages);
	s->host = mem_zero(set->hosts, sizeof *s->host);
	if (set->changing) {
		seen_rows_init(&s->seen, nodes);
		s->set.world.seen = &s->seen;
	}
	s->tries = mem_zero(nodes, 1);
	s->answers = mem_zero(nodes, 1);
	s->flight = mem_new(set->parallel, sizeof *s->flight);
	s->idle = mem_new(set->parallel, sizeof *s->idle);
	while (s->n_idle < set->parallel) {
		s->idle[s->n_idle] = set->parallel - 1 - s->n_idle;
		s->n_idle++;
	}
	return &s->source;
}
