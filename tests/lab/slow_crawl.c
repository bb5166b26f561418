#include "tests/lab/slow_crawl.h"
#include "tests/lab/slow_crawl_state.h"
#include "fetch/robots_cache.h"

#include <assert.h>
#include <string.h>

static struct slow_host *host_of(struct slow *s, uint32_t id)
{
	return &s->host[s->set->host[id]];
}

static struct pace *address_of(struct slow *s, struct slow_host *h)
{
	return h->address ? &s->address[h->address] : &h->own;
}

static struct endpoint endpoint_of(struct slow *s, uint32_t id)
{
	return (struct endpoint){.host = s->set->host[id],
		.address = host_of(s, id)->is_named ? virtual_web_address(&s->web, s->set->host[id]) : 0,
		.port = 80};
}

/* --- taking */

static int64_t time_of(const struct slow *s, const struct pace *p)
{
	return p->in_flight < s->set->per_host ? p->next : INT64_MAX;
}

/* When a queued page may be taken. */
static int64_t ready_at(struct slow *s, uint32_t id)
{
	struct slow_host *h = host_of(s, id);
	int64_t at = s->page[id].not_before;
	const int64_t host = time_of(s, &h->pace), address = time_of(s, address_of(s, h));

	at = host > at ? host : at;
	return address > at ? address : at;
}

static int is_better(const struct slow *s, uint32_t a, uint32_t b)
{
	if (s->page[a].key != s->page[b].key)
		return s->page[a].key > s->page[b].key;
	return s->page[a].seq < s->page[b].seq;
}

/* The page to take now, or SLOW_PAGES; *soonest is the earliest time at which one may be taken. */
static uint32_t best(struct slow *s, int64_t *soonest)
{
	uint32_t found = SLOW_PAGES;

	*soonest = INT64_MAX;
	for (uint32_t id = 0; id < s->set->g->nodes; id++) {
		if (!s->page[id].is_queued)
			continue;
		const int64_t at = ready_at(s, id);
		if (at < *soonest)
			*soonest = at;
		if (at <= s->now && (found == SLOW_PAGES || is_better(s, id, found)))
			found = id;
	}
	return found;
}

static void begin_pace(struct pace *p, int64_t now, int64_t delay)
{
	p->in_flight++;
	p->was_next = p->next;
	if (delay > 0 && now + delay > p->next)
		p->next = now + delay;
}

static void fly(struct slow *s, uint32_t id, int errand, int64_t time)
{
	struct slow_flight *f = &s->flight[id];

	f->is_out = 1;
	f->errand = errand;
	f->time = time;
	f->order = s->submitted++;
	s->flying++;
}

static void turn(struct slow *s, uint32_t id, enum outcome outcome, enum page_state state)
{
	s->flight[id].told.outcome = outcome;
	s->flight[id].told.state = state;
	fly(s, id, TURNED, s->now);
}

static int64_t growing(int tries)
{
	return tries < 12 && ((int64_t)1000 << tries) < 3600000 ? (int64_t)1000 << tries : 3600000;
}

/* How a request ends that may be tried again. */
static void try_again(struct slow *s, uint32_t id, enum outcome outcome, int64_t delay)
{
	struct slow_flight *f = &s->flight[id];

	f->told.outcome = outcome;
	f->told.state = PAGE_FAILED;
	if (s->page[id].tries + 1 < (int)s->set->tries) {
		f->told.state = PAGE_QUEUED;
		f->retry_after = delay;
	}
}

/* The fault of the next answer. */
static enum fault next_fault(const struct fault_settings *faults, struct slow_page *p, uint32_t id)
{
	const enum fault fault = fault_answer(faults, id);

	if (fault < FAULT_TRANSIENT_500 || fault > FAULT_TRANSIENT_DROP)
		return fault;
	/* which pages have two faulty answers is asked of the first simulator, by its answer to the second request */
	const int most = fault_now(faults, id, 1) == FAULT_NONE ? 1 : 2;
	if (p->broken == most)
		return FAULT_NONE;
	p->broken++;
	return fault == FAULT_TRANSIENT_500 ? FAULT_500 : fault == FAULT_TRANSIENT_DROP ? FAULT_DROP : FAULT_TRUNCATE;
}

/* The web at a time. */
static const struct graph *web_at(const struct slow *s, int64_t ms)
{
	const struct slow_settings *set = s->set;
	size_t i = 0;

	if (!set->month)
		return set->g;
	while (i + 1 < set->n_months && ms >= (int64_t)(i + 1) * set->month_ms)
		i++;
	return &set->month[i];
}

/* A page that has no links, and that none leads to, is not there. */
static int is_there(const struct graph *g, uint32_t id)
{
	for (uint64_t a = 0; a < g->arcs; a++)
		if (g->target[a] == id)
			return 1;
	return graph_outdegree(g, id) > 0;
}

static void ask_page(struct slow *s, uint32_t id)
{
	const struct fault_settings *faults = &s->set->web->faults;
	const uint32_t host = s->set->host[id];
	struct slow_flight *f = &s->flight[id];
	struct slow_page *p = &s->page[id];

	if (!virtual_web_answers(&s->web, host, s->now) && s->set->web->is_busy) {
		f->told.status = 503;
		f->pause = faults->retry_after * 1000;
		try_again(s, id, OUTCOME_STATUS, f->pause);
		fly(s, id, PAGE, s->now + virtual_web_ms(&s->web, host, 0));
		return;
	}
	if (!virtual_web_answers(&s->web, host, s->now)) {
		try_again(s, id, OUTCOME_CONNECT, growing(p->tries));
		fly(s, id, PAGE, s->now + virtual_web_ms(&s->web, host, 0));
		return;
	}
	const int stands = !s->set->month || is_there(web_at(s, s->now), id);
	const enum fault fault = stands ? next_fault(faults, p, id) : FAULT_404;
	int64_t ms = virtual_web_ms(&s->web, host, 0);
	f->told.status = 200;
	f->told.outcome = OUTCOME_CRAWLED;
	f->told.state = PAGE_CRAWLED;
	if (fault == FAULT_404) {
		f->told.status = 404;
		f->told.outcome = OUTCOME_STATUS;
		f->told.state = PAGE_FAILED;
	} else if (fault == FAULT_500) {
		f->told.status = 500;
		try_again(s, id, OUTCOME_STATUS, growing(p->tries));
	} else if (fault == FAULT_BUSY) {
		f->told.status = 503;
		f->pause = growing(p->tries);
		try_again(s, id, OUTCOME_STATUS, f->pause);
	} else if (fault == FAULT_503 && !p->has_refused) {
		p->has_refused = 1;
		f->told.status = 503;
		try_again(s, id, OUTCOME_STATUS, faults->retry_after * 1000);
		f->pause = faults->retry_after * 1000;
	} else if (fault == FAULT_DROP) {
		f->told.status = 0;
		try_again(s, id, OUTCOME_BROKEN, growing(p->tries));
	} else if (fault == FAULT_REDIRECT && !p->has_redirected) {
		p->has_redirected = 1;
		f->told.status = 302;
		f->told.outcome = OUTCOME_REDIRECTED;
		f->told.state = PAGE_QUEUED;
	} else if (fault == FAULT_TRUNCATE) {
		ms = virtual_web_ms(&s->web, host, virtual_web_bytes(&s->web, id) / 2);
		try_again(s, id, OUTCOME_BROKEN, growing(p->tries));
	} else {
		ms = virtual_web_ms(&s->web, host, virtual_web_bytes(&s->web, id));
	}
	if (stands && fault_extra(faults, id, FAULT_SLOW))
		ms += faults->slow_ms;
	if (s->set->timeout_ms && ms > s->set->timeout_ms) {
		ms = s->set->timeout_ms;
		f->told.status = 0;
		f->pause = 0;
		try_again(s, id, OUTCOME_TIMEOUT, growing(p->tries));
	}
	fly(s, id, PAGE, s->now + ms);
}

static void ask(struct slow *s, uint32_t id)
{
	const uint32_t host = s->set->host[id];
	struct slow_host *h = &s->host[host];
	struct slow_flight *f = &s->flight[id];
	int64_t until;

	*f = (struct slow_flight){.told = {.id = id, .started = s->now}};
	if ((h->robots == KNOWN || h->robots == GIVEN_UP) && s->now >= h->expires) {
		h->robots = NEW;
		h->failures = 0;
	}
	if (h->robots == LATER && s->now >= h->retry_time)
		h->robots = NEW;
	const enum outage_leave leave = outages_backs_off(s->outages, endpoint_of(s, id), id, s->now, &until);
	if (leave != OUTAGE_ASK) {
		if (leave == OUTAGE_HOST_WAITS)
			f->pause = until;
		else
			f->retry_after = until - s->now;
		turn(s, id, OUTCOME_BACK_OFF, PAGE_QUEUED);
	} else if (!h->is_named) {
		fly(s, id, NAME, s->now + virtual_web_ms(&s->web, host, 0));
	} else if (h->robots == NEW) {
		h->robots = ASKED;
		h->started = s->now;
		h->end = s->now + virtual_web_ms(&s->web, host, 0);
		f->told.status = virtual_web_answers(&s->web, host, s->now) ? 200 : s->set->web->is_busy ? 503 : 0;
		fly(s, id, ROBOTS, h->end);
	} else if (h->robots == ASKED) {
		f->told.started = h->started;
		fly(s, id, ROBOTS_ALSO, h->end);
	} else if (h->robots == LATER) {
		f->pause = h->retry_time;
		f->retry_after = h->retry_time - s->now;
		turn(s, id, h->has_failed ? OUTCOME_ROBOTS_WAIT : OUTCOME_ROBOTS_CONNECT, PAGE_QUEUED);
	} else if (h->robots == GIVEN_UP && h->has_failed) {
		turn(s, id, OUTCOME_ROBOTS_UNAVAILABLE, PAGE_REFUSED);
	} else if (h->robots == GIVEN_UP) {
		turn(s, id, OUTCOME_CONNECT, PAGE_FAILED);
	} else if (virtual_web_disallows(&s->web, id)) {
		turn(s, id, OUTCOME_ROBOTS, PAGE_REFUSED);
	} else {
		ask_page(s, id);
	}
}

static void take(struct slow *s, uint32_t id)
{
	struct slow_host *h = host_of(s, id);

	s->page[id].is_queued = 0;
	begin_pace(&h->pace, s->now, h->delay);
	begin_pace(address_of(s, h), s->now, s->set->delay_ms);
	ask(s, id);
}

/* --- the end of a flight */

static void rest(struct pace *p, int64_t until)
{
	p->next = until > p->next ? until : p->next;
	p->was_next = until > p->was_next ? until : p->was_next;
}

static int64_t rest_after(const struct slow *s, int64_t took)
{
	const double slow = s->set->slow_factor * (double)took;
	const double longest = s->set->delay_ms > 60000 ? (double)s->set->delay_ms : 60000;

	if (s->set->delay_ms <= 0 || slow <= (double)s->set->delay_ms)
		return s->set->delay_ms;
	return (int64_t)(slow < longest ? slow : longest);
}

static void land(struct slow *s, const struct slow_flight *f, int is_asked)
{
	struct slow_host *h = host_of(s, f->told.id);
	struct pace *address = address_of(s, h);
	const int64_t ms = f->told.ended - f->told.started;
	const int hung = !f->told.status && f->told.outcome == OUTCOME_TIMEOUT;

	h->pace.in_flight--;
	address->in_flight--;
	if (h->has_rules) {
		const int64_t asked = virtual_web_crawl_delay(&s->web, s->set->host[f->told.id]);
		const int64_t delay = asked < 60000 ? asked : 60000;
		h->delay = delay > s->set->delay_ms ? delay : s->set->delay_ms;
	}
	if (f->pause)
		rest(&h->pace, f->pause);
	if (is_asked) {
		const int64_t least = rest_after(s, hung ? 0 : ms), own = rest_after(s, ms);
		rest(&h->pace, s->now + (h->delay > own ? h->delay : own));
		rest(address, s->now + least);
	} else {
		if (!h->pace.in_flight)
			h->pace.next = h->pace.was_next;
		if (!address->in_flight)
			address->next = address->was_next;
	}
	if (f->errand == NAME && !h->address) {
		h->address = virtual_web_address(&s->web, s->set->host[f->told.id]);
		address->in_flight -= h->pace.in_flight;
		s->address[h->address].in_flight += h->pace.in_flight;
	}
}

static void find_links(struct slow *s, uint32_t u)
{
	const struct graph *g = web_at(s, s->flight[u].told.started);
	const uint32_t *row = graph_row(g, u);

	for (uint32_t i = 0; i < graph_outdegree(g, u); i++) {
		struct slow_page *p = &s->page[row[i]];
		if (!p->is_seen) {
			p->is_seen = p->is_queued = 1;
			p->not_before = INT64_MIN;
			p->seq = s->next_seq++;
		}
		if (p->is_queued && s->set->by_backlinks)
			p->key++;
	}
}

static void end_robots(struct slow *s, struct slow_host *h, struct slow_flight *f)
{
	if (f->errand == ROBOTS)
		h->has_failed = f->told.status == 503;
	if (f->errand == ROBOTS && f->told.status == 200) {
		h->robots = KNOWN;
		h->has_rules = 1;
		h->failures = 0;
		h->expires = s->now + ROBOTS_LIVE_MS;
	} else if (f->errand == ROBOTS) {
		h->retry_time = s->now + growing(h->failures++);
		h->robots = h->failures >= (int)s->set->tries ? GIVEN_UP : LATER;
		h->expires = s->now + ROBOTS_SILENT_MS;
	}
	f->told.state = PAGE_QUEUED;
	f->told.outcome = h->robots == KNOWN || h->has_failed ? OUTCOME_ROBOTS_WAIT : OUTCOME_ROBOTS_CONNECT;
	if (h->robots == LATER) {
		f->pause = h->retry_time;
		f->retry_after = h->retry_time - s->now;
	}
}

static void judge_host(struct slow *s, struct slow_flight *f)
{
	const int is_request = f->errand == PAGE || f->errand == ROBOTS;
	struct result r = {.id = f->told.id,
		.outcome = f->told.outcome,
		.state = f->told.state,
		.status = (uint16_t)f->told.status,
		.started = f->told.started,
		.ended = s->now,
		.not_before = s->now + f->retry_after,
		.host_pause = f->pause};

	outages_judge(s->outages, endpoint_of(s, f->told.id),
		!is_request                 ? OUTAGE_OF_EARLIER
			: f->errand == PAGE ? OUTAGE_OF_PAGE
					    : OUTAGE_OF_ROBOTS,
		&r);
	f->told.outcome = r.outcome;
	f->told.state = r.state;
	f->retry_after = r.not_before - s->now;
	f->pause = r.host_pause;
}

static void end(struct slow *s, uint32_t id)
{
	struct slow_flight *f = &s->flight[id];
	struct slow_host *h = host_of(s, id);
	struct slow_page *p = &s->page[id];

	f->is_out = 0;
	s->flying--;
	f->told.ended = s->now;
	if (f->errand == NAME) {
		h->is_named = 1;
		f->told.outcome = OUTCOME_ADDRESS;
		f->told.state = PAGE_QUEUED;
	} else if (f->errand == ROBOTS || f->errand == ROBOTS_ALSO) {
		end_robots(s, h, f);
	} else if (f->told.status == 503) {
		f->pause += s->now;
	}
	judge_host(s, f);
	if (f->told.state != PAGE_QUEUED || f->told.outcome == OUTCOME_REDIRECTED)
		p->tries = 0;
	else if (outcome_has(f->told.outcome, TRAIT_TRY))
		p->tries++;
	const int asked =
		f->told.outcome != OUTCOME_ADDRESS && f->told.outcome != OUTCOME_BACK_OFF && f->told.state != PAGE_REFUSED;
	land(s, f, asked);
	if (f->told.state == PAGE_QUEUED) {
		p->is_queued = 1;
		p->not_before = s->now + f->retry_after;
	} else if (f->told.state == PAGE_CRAWLED) {
		find_links(s, id);
	}
}

/* The flight whose event comes first, or SLOW_PAGES. */
static uint32_t first_flight(const struct slow *s)
{
	uint32_t first = SLOW_PAGES;

	for (uint32_t id = 0; id < s->set->g->nodes; id++) {
		const struct slow_flight *f = &s->flight[id], *best = &s->flight[first % SLOW_PAGES];
		if (f->is_out && (first == SLOW_PAGES || f->time < best->time || (f->time == best->time && f->order < best->order)))
			first = id;
	}
	return first;
}

static uint32_t room(const struct slow *s)
{
	return (uint32_t)outages_room(s->outages, s->set->parallel - s->flying, s->flying, s->now);
}

size_t slow_crawl(const struct slow_settings *set, struct told *told)
{
	static struct slow state;
	struct slow *s = &state;
	int64_t soonest;
	uint32_t id;
	size_t n = 0;

	memset(s, 0, sizeof *s);
	s->set = set;
	virtual_web_init(&s->web, set->web, set->hosts);
	s->outages = outages_new(set->give_up_ms);
	outages_keep_quiet(s->outages);
	for (uint32_t h = 0; h < set->hosts; h++) {
		s->host[h].delay = set->delay_ms;
		s->host[h].pace.next = s->host[h].own.next = INT64_MIN;
		s->address[h + 1].next = INT64_MIN;
		s->host[h].pace.was_next = s->host[h].own.was_next = s->address[h + 1].was_next = INT64_MIN;
	}
	for (size_t i = 0; i < set->n_seeds; i++)
		s->page[set->seeds[i]] =
			(struct slow_page){.is_queued = 1, .is_seen = 1, .seq = s->next_seq++, .not_before = INT64_MIN};
	for (;;) {
		while (room(s) && (id = best(s, &soonest)) < SLOW_PAGES)
			take(s, id);
		(void)best(s, &soonest);
		id = first_flight(s);
		if (id == SLOW_PAGES && (soonest >= FRONTIER_FOR_GOOD || outages_over(s->outages)))
			break;
		if (!room(s))
			soonest = id == SLOW_PAGES ? outages_next_probe(s->outages) : INT64_MAX;
		if (id < SLOW_PAGES && s->flight[id].time <= soonest) {
			s->now = s->flight[id].time > s->now ? s->flight[id].time : s->now;
			end(s, id);
			assert(n < SLOW_EVENTS);
			told[n++] = s->flight[id].told;
		} else {
			s->now = soonest;
		}
	}
	virtual_web_release(&s->web);
	outages_free(s->outages);
	return n;
}
