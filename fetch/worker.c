#include "fetch/worker.h"
#include "base/clock.h"
#include "base/mem.h"
#include "fetch/archive.h"
#include "fetch/guard.h"
#include "fetch/page_command.h"
#include "fetch/proxies.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IDLE_CONNECTIONS 64 /* kept open, beside as many as there are transfers */
/* a thread looks at its inbox and its orders at least so often: a wake-up may be lost */
#define LONGEST_POLL_MS 1000
#define MEMORY_LOOK_MS  20
#define TURN_MS         100 /* that a thread may take for its work, beside its waiting, until it reads again */

static void wake(void *multi)
{
	curl_multi_wakeup(multi);
}

/* --- handing over */

static void hand_over(struct worker *w, const struct fetch_page *head)
{
	runner_pass(w->options->set.runner, page_build_take(&w->build, head), w->options->set.scorer, w->outbox);
}

/* Puts a page with the fields of `head` and the job's id into the outbox, and frees the job. */
static void worker_give_back(struct worker *w, struct job *job, struct fetch_page head)
{
	head.result.id = job->id;
	free(job);
	hand_over(w, &head);
}

/* Returns the fields of a page that comes back now, with this outcome and without a request. */
static struct fetch_page worker_no_request(enum outcome outcome)
{
	const int64_t now = clock_ms();

	return (struct fetch_page){
		.result = {.outcome = outcome,
			.state = outcome_state(outcome),
			.target = UINT32_MAX,
			.not_before = now,
			.started = now,
			.ended = now,
			.host_delay = -1},
	};
}

/* --- transfers */

static struct transfer *idle_transfer(struct worker *w)
{
	if (w->transfers.n_idle)
		return w->transfers.idle[--w->transfers.n_idle];
	struct transfer *t = transfer_new(w->options);
	t->windows = page_cell_windows(w->reader.cell);
	sockets_watch(&w->sockets, t->easy);
	return t;
}

/* Returns a transfer for a URL at a spot, which is not started yet. The function takes over the memory of *url, which is
 * undefined afterwards. */
static struct transfer *worker_new_transfer(struct worker *w, struct origin *o, struct url *url, const struct spot *spot)
{
	struct transfer *t = idle_transfer(w);
	const struct url swap = t->url;

	t->url = *url;
	*url = swap;
	t->origin = o;
	t->at = spot->at;
	t->port = spot->port;
	o->users++;
	return t;
}

/* Starts the request of a transfer. */
static void worker_start(struct worker *w, struct transfer *t)
{
	transfers_start(&w->transfers, t, w->multi, t->origin->plain ? TRANSFER_PLAIN : TRANSFER_PACKED,
		t->job ? &t->job->since : NULL);
}

/* Makes a transfer that has ended idle, for reuse. */
static void worker_done_with(struct worker *w, struct transfer *t)
{
	t->origin->users--;
	transfers_keep(&w->transfers, t);
}

/* --- waiting for names and for robots.txt */

static void append(struct job ***end, struct job *job)
{
	job->next = NULL;
	**end = job;
	*end = &job->next;
}

/* Makes a list of jobs ready, so that each begins again with worker_locate(). */
static void worker_begin_anew(struct worker *w, struct job *jobs)
{
	while (jobs) {
		struct job *next = jobs->next;
		append(&w->ready_end, jobs);
		jobs = next;
	}
}

/* Locates the target of a request for a job (fetch/names.c). HERE: *spot is the target. WAITS: the function has taken the
 * job, which waits for the name. ELSEWHERE: the function has given the job back with the address to be granted.
 * NOWHERE: spot->error says why, and the caller still has the job. */
static enum located worker_locate(struct worker *w, const struct url *u, struct job *job, struct spot *spot)
{
	const enum located where = locate(w->names, w->options, u, &job->granted, spot);

	if (where == LOCATE_WAITS) {
		append(&spot->name->waiting_end, job);
	} else if (where == LOCATE_ELSEWHERE) {
		struct fetch_page head = worker_no_request(OUTCOME_ADDRESS);
		head.address = spot->at;
		worker_give_back(w, job, head);
	}
	return where;
}

/* Gives back a job for which locate() said LOCATE_NOWHERE, with its error. */
static void worker_give_back_lost(struct worker *w, struct origin *o, struct job *job, enum outcome error)
{
	struct fetch_page head = worker_no_request(error);

	if (outcome_is_local(error)) {
		const struct verdict v = origin_judge_trouble(o, error, head.result.ended);
		head.result.state = v.state;
		head.result.not_before = head.result.host_pause = head.result.ended + v.retry_after;
	}
	worker_give_back(w, job, head);
}

/* Takes all answers of the resolver, and makes the jobs that waited for them ready. */
static void worker_take_answers(struct worker *w)
{
	struct name *name;

	while ((name = names_answer(w->names, clock_ms()))) {
		worker_begin_anew(w, name->waiting);
		name->waiting = NULL;
		name->waiting_end = &name->waiting;
	}
}

/* Gives back, with `outcome`, all jobs that have waited for a name since the time `before` (ms) or longer. */
static void worker_give_back_waiting(struct worker *w, int64_t before, enum outcome outcome)
{
	struct name *name;

	while ((name = names_overdue(w->names, before))) {
		struct job *job = name->waiting, *next;
		name->waiting = NULL;
		name->waiting_end = &name->waiting;
		for (; job; job = next) {
			next = job->next;
			struct fetch_page head = worker_no_request(outcome);
			head.result.state = PAGE_QUEUED;
			if (outcome == OUTCOME_DNS_LATER)
				head.result.not_before = head.result.host_pause = head.result.ended + NAMES_AGAIN_MS;
			worker_give_back(w, job, head);
		}
	}
}

/* Gives back the pages that wait for a robots.txt, in the order in which they came. */
static void worker_release_waiting(struct worker *w, struct origin *o, struct fetch_page head)
{
	struct job *job = o->waiting;

	o->waiting = NULL;
	o->waiting_end = &o->waiting;
	while (job) {
		struct job *next = job->next;
		worker_give_back(w, job, head);
		head.result.bytes = 0;
		head.robots = NULL;
		head.no_request = 1;
		head.result.outcome = head.result.outcome == OUTCOME_SITEMAPS ? OUTCOME_ROBOTS_WAIT : head.result.outcome;
		job = next;
	}
}

/* Asks the guard about a URL before anything is requested. Returns the reason of its refusal, or OUTCOME_NONE. */
static enum outcome worker_judge_url(const struct worker *w, const struct url *u)
{
	const struct guard *guard = w->options->set.guard;
	const int proxied = proxies_for(w->options->proxies, u) != NULL;

	return guard ? guard_judge_url(guard, u, proxied ? GUARD_PROXIED : GUARD_DIRECT) : OUTCOME_NONE;
}

/* Returns the fields of a page that come from its transfer: status, times, bytes, Crawl-delay. */
static struct fetch_page worker_head_of(const struct transfer *t)
{
	return (struct fetch_page){
		.result = {.status = t->answer.status,
			.target = UINT32_MAX,
			.not_before = t->ended,
			.started = t->started,
			.ended = t->ended,
			.host_delay = t->origin->host_delay,
			.bytes = transfer_bytes(t)},
	};
}

/* How a request for robots.txt ended. */
enum robots_fetch_end {
	ROBOTS_FETCH_ENDED,
	ROBOTS_FETCH_UNCONNECTED /* there was no connection, and the host has another address */
};

/* --- robots.txt
 *
 * Fetches the robots.txt of an origin: makes the request, follows its redirects, and tells the pages that wait for it how it
 * ended.
 *
 *     robots_fetch_ask(w, origin, job);                  UNKNOWN -> ASKED; the job waits
 *     robots_fetch_done(w, transfer, result, end);       ASKED -> KNOWN, UNKNOWN, LATER or GIVEN_UP
 *
 * The standings of an origin (enum origin_standing):
 *
 *     UNKNOWN -- robots_fetch_ask() --> ASKED
 *     ASKED   -- 2xx; 4xx other than 429; a redirect that leads nowhere --> KNOWN
 *     ASKED   -- a redirect, whose target becomes `next` --> UNKNOWN, with hops + 1
 *     ASKED   -- 429, 5xx, no answer --> LATER, or GIVEN_UP after `tries` such failures in a row
 *     LATER   -- at retry_time --> UNKNOWN
 *     KNOWN, GIVEN_UP  -- at `expires` (a day; ten minutes after a status that is not the host's fault, else 10 s) --> UNKNOWN
 *
 * Each transition out of ASKED puts all waiting pages back, with the status and times of the request, so that the request
 * counts for the politeness of their host. The frontier takes them again, and the first one that comes makes the next
 * request. */

#define ROBOTS_REDIRECTS 5

/* Says whether the robots.txt of a URL's host is ignored: by the settings of the host, or else by those of the crawl. */
static int robots_fetch_is_ignored(const struct worker *w, const struct url *u)
{
	const struct fetch_settings *set = &w->options->set;
	struct host_setting own;

	host_settings_for_url(set->host_settings, u, &own);
	return own.no_robots >= 0 ? own.no_robots : set->no_robots;
}

/* Remembers where a redirect leads, to be asked for when the host may be asked again: 1, or 0 where
 * it leads nowhere. */
static int follow(struct worker *w, struct transfer *t)
{
	const struct buf *to = &t->answer.location;
	struct origin *o = t->origin;

	if (!t->answer.has_location || o->hops == ROBOTS_REDIRECTS)
		return 0;
	if (url_parse(&w->url, to->at, to->used, &t->url) != URL_OK || worker_judge_url(w, &w->url))
		return 0;
	free(o->next);
	o->next = mem_text(w->url.text.at);
	if (!o->hops)
		o->home = t->at;
	o->hops++;
	o->standing = ORIGIN_UNKNOWN;
	return 1;
}

/* Puts the sitemaps that a robots.txt names on the page that comes back next. */
static void add_sitemaps(struct worker *w, const struct transfer *t)
{
	const struct robots *rules = t->origin->rules;
	const char *text;

	for (size_t i = 0; i < ROBOTS_MAX_SITEMAPS && (text = robots_sitemap(rules, i)); i++)
		if (url_parse(&w->url, text, strlen(text), &t->url) == URL_OK)
			page_build_add(&w->build, &w->url, LINK_SITEMAP, "");
}

/* Handles a failed request for robots.txt. A failure of this machine (outcome_is_local()) makes the origin LATER and is not
 * counted, for ORIGIN_TROUBLE_MS; any other failure is counted. `status` is 0 if no server answered. */
static void unavailable(struct worker *w, struct origin *o, enum outcome error, unsigned status, enum permanence permanence,
	int64_t delay, int64_t now)
{
	const int is_local = outcome_is_local(error);
	int64_t wait = is_local ? origin_trouble(o, now) : -1;

	if (is_local && wait < 0 && !outcome_may_leave(error, PAGE_FAILED))
		wait = ORIGIN_TROUBLE_PAUSE;
	if (wait >= 0)
		origin_wait(o, error, wait, now);
	else
		/* where a redirect led says nothing of the page's own host */
		robots_cache_failed(o, o->hops && !status && !is_local ? OUTCOME_ROBOTS_ELSEWHERE : error, (uint16_t)status,
			is_local || permanence == PERMANENT ? 0 : (unsigned)w->options->set.tries, delay, now);
}

/* Returns the outcome with which a page is put back while the robots.txt of its origin is not known: OUTCOME_ROBOTS_WAIT;
 * or, if no redirect was followed and the last request failed without an answer, OUTCOME_ROBOTS_DNS, OUTCOME_ROBOTS_CONNECT
 * or OUTCOME_ROBOTS_TIMEOUT. */
static enum outcome robots_fetch_waits(const struct origin *o)
{
	if (o->standing == ORIGIN_KNOWN || o->standing == ORIGIN_UNKNOWN || o->status || o->hops)
		return OUTCOME_ROBOTS_WAIT; /* where a redirect led says nothing of the page's host */
	switch (o->error) {
	case OUTCOME_DNS:
		return OUTCOME_ROBOTS_DNS;
	case OUTCOME_CONNECT:
		return OUTCOME_ROBOTS_CONNECT;
	case OUTCOME_TIMEOUT:
		return OUTCOME_ROBOTS_TIMEOUT;
	default:
		return OUTCOME_ROBOTS_WAIT;
	}
}

/* Gives back the pages that wait for an origin's robots.txt, with the outcome in `head`. */
static void hand_back(struct worker *w, struct origin *o, struct fetch_page head)
{
	const int led_on = o->standing == ORIGIN_UNKNOWN; /* its redirect is still to be followed */

	head.result.outcome = w->build.n ? OUTCOME_SITEMAPS : robots_fetch_waits(o);
	if (o->standing == ORIGIN_LATER)
		head.result.not_before = head.result.host_pause = o->retry_time;
	if (!led_on && o->hops)
		head.address = o->home;
	if (!led_on) {
		free(o->next);
		o->next = NULL;
		o->hops = 0;
	}
	head.result.state = PAGE_QUEUED;
	head.result.host_delay = o->host_delay;
	worker_release_waiting(w, o, head);
}

/* Handles an origin whose robots.txt cannot be requested, since no address of its host may be asked. If robots.txt was not
 * redirected, the job ends with the error; else the request for robots.txt counts as failed for good. */
static void lost(struct worker *w, struct origin *o, struct job *job, enum outcome error)
{
	const int64_t now = clock_ms();

	if (!o->hops) { /* the page is on the same host */
		worker_give_back_lost(w, o, job, error);
		return;
	}
	append(&o->waiting_end, job);
	unavailable(w, o, error, 0, PERMANENT, 0, now);
	hand_back(w, o, worker_no_request(OUTCOME_NONE));
}

/* Requests the robots.txt of an origin that is UNKNOWN, for a job whose page needs it. The URL is /robots.txt of w->url's origin,
 * without user and password, or origin->next. The function takes over the job, which then is in one of these states: it waits for
 * robots.txt; it waits for its host's name; it was put back with the address that is to be granted; or it has ended with the reason
 * why the host cannot be asked. */
static void robots_fetch_ask(struct worker *w, struct origin *o, struct job *job)
{
	struct url u = URL_EMPTY;
	struct spot spot = {.error = OUTCOME_DNS};
	const enum located where = origin_robots_url(o, &w->url, &u) ? LOCATE_NOWHERE : worker_locate(w, &u, job, &spot);

	if (where == LOCATE_HERE) {
		struct transfer *t = worker_new_transfer(w, o, &u, &spot);
		t->purpose = TRANSFER_ROBOTS;
		t->job = NULL;
		o->standing = ORIGIN_ASKED;
		append(&o->waiting_end, job);
		worker_start(w, t);
	} else if (where == LOCATE_NOWHERE) {
		lost(w, o, job, spot.error);
	}
	url_release(&u);
}

/* Makes the origin UNKNOWN and starts its waiting jobs again, so that robots.txt is requested at the host's next address. */
static void fall_back(struct worker *w, struct origin *o)
{
	struct job *waiting = o->waiting;

	o->standing = ORIGIN_UNKNOWN;
	o->waiting = NULL;
	o->waiting_end = &o->waiting;
	worker_begin_anew(w, waiting);
}

/* Handles the end of a transfer of a robots.txt. If `end` is UNCONNECTED, the waiting jobs begin again, with the next
 * address; else the origin's standing changes as drawn above. */
static void robots_fetch_done(struct worker *w, struct transfer *t, CURLcode result, enum robots_fetch_end end)
{
	struct origin *o = t->origin;
	enum permanence permanence;
	enum outcome error = transfer_error(t, result, &permanence);
	const unsigned status = t->answer.has_headers ? t->answer.status : 0;

	if (end == ROBOTS_FETCH_UNCONNECTED) {
		fall_back(w, o);
		worker_done_with(w, t);
		return;
	}
	if (transfer_needs_plain(t, result))
		o->plain = 1;
	if (!error && (error = transfer_unpack(t)))
		permanence = PERMANENT;
	if (!outcome_is_local(error))
		o->trouble_since = 0;
	archive_put(t, error, NULL, NULL);
	if (status >= 200 && status < 300 && !error) {
		robots_cache_rules(w->origins, o, t->body.at ? t->body.at : "", t->body.used, t->ended);
		if (w->options->set.kinds & 1u << LINK_SITEMAP)
			add_sitemaps(w, t);
	} else if (status < 300 || status >= 500 || status == 429) {
		error = status >= 300 ? OUTCOME_ROBOTS_UNAVAILABLE : error ? error : OUTCOME_BROKEN;
		unavailable(w, o, error, t->answer.status, permanence, answer_delay(&t->answer, o->failures), t->ended);
	} else if (status >= 400 || !follow(w, t)) {
		robots_cache_no_rules(w->origins, o, t->ended);
	}
	struct fetch_page head = worker_head_of(t);
	if (o->standing == ORIGIN_KNOWN) {
		const int has_rules = status >= 200 && status < 300 && t->body.used;
		head.robots = has_rules ? t->body.at : "";
		head.robots_n = !has_rules ? 0 : t->body.used < ROBOTS_MAX_BYTES ? t->body.used : ROBOTS_MAX_BYTES;
	}
	hand_back(w, o, head);
	worker_done_with(w, t);
}

/* --- jobs */

/* Fetches the page at w->url. */
static void ask_for_page(struct worker *w, struct origin *o, struct job *job)
{
	struct spot spot;

	switch (worker_locate(w, &w->url, job, &spot)) {
	case LOCATE_HERE:
		break;
	case LOCATE_NOWHERE:
		worker_give_back_lost(w, o, job, spot.error);
		return;
	default:
		return;
	}
	struct transfer *t = worker_new_transfer(w, o, &w->url, &spot);
	t->purpose = TRANSFER_PAGE;
	t->job = job;
	worker_start(w, t);
}

static void give_back_given_up(struct worker *w, struct origin *o, struct job *job)
{
	struct fetch_page head = worker_no_request(o->error);

	head.no_request = 1;
	head.result.status = o->status;
	worker_give_back(w, job, head);
}

/* Begins a job by the standing of its origin's robots.txt: requests robots.txt, parks the job until it is there, gives the page
 * back, or requests the page. */
static void begin_with_robots(struct worker *w, struct origin *o, struct job *job)
{
	struct fetch_page head;

	switch (o->standing) {
	case ORIGIN_UNKNOWN:
		robots_fetch_ask(w, o, job);
		break;
	case ORIGIN_ASKED:
		append(&o->waiting_end, job);
		break;
	case ORIGIN_LATER:
		head = worker_no_request(robots_fetch_waits(o));
		head.no_request = 1;
		head.result.status = o->status;
		head.result.not_before = head.result.host_pause = o->retry_time;
		worker_give_back(w, job, head);
		break;
	case ORIGIN_GIVEN_UP:
		give_back_given_up(w, o, job);
		break;
	case ORIGIN_KNOWN:
		if (origin_allows(o, &w->url)) {
			ask_for_page(w, o, job);
		} else {
			head = worker_no_request(OUTCOME_ROBOTS);
			head.result.host_delay = o->host_delay;
			worker_give_back(w, job, head);
		}
		break;
	}
}

/* Handles a job of fetchers_know_robots(): uses the robots.txt of an earlier sitting, unless this sitting has requested it
 * already. */
static void know_robots(struct worker *w, const struct job *job)
{
	if (url_parse(&w->url, job->url, job->n, NULL) != URL_OK)
		return;
	const int64_t now = clock_ms();
	struct origin *o = robots_cache_find(w->origins, &w->url, now);
	if (o->standing == ORIGIN_UNKNOWN && !o->hops && !o->failures)
		robots_cache_rules(w->origins, o, job->robots, job->robots_n, now - ROBOTS_LIVE_MS + job->robots_ms);
}

/* Says whether no request may be made now: by order, or because the lease of the agent has ended. */
static int is_barred(const struct worker *w)
{
	const _Atomic int64_t *lease_end = w->options->set.lease_end;

	return atomic_load(w->orders) != WORKER_GO_ON || (lease_end && clock_boot_ms() >= atomic_load(lease_end));
}

/* Begins a job: gives the page back if nothing may be requested now, or if the guard refuses its URL. */
static void begin(struct worker *w, struct job *job)
{
	enum outcome closed;

	if (job->robots) {
		know_robots(w, job);
		free(job);
		return;
	}
	if (is_barred(w)) {
		worker_give_back(w, job, worker_no_request(OUTCOME_ABORTED));
		return;
	}
	/* parsed, not only split: a store may come from elsewhere, and the guard must see a canonical host */
	if (url_parse(&w->url, job->url, job->n, NULL) != URL_OK) {
		worker_give_back(w, job, worker_no_request(OUTCOME_DNS));
		return;
	}
	if ((closed = worker_judge_url(w, &w->url)) != OUTCOME_NONE) {
		worker_give_back(w, job, worker_no_request(closed));
		return;
	}
	struct origin *o = robots_cache_find(w->origins, &w->url, clock_ms());
	if (robots_fetch_is_ignored(w, &w->url))
		ask_for_page(w, o, job);
	else
		begin_with_robots(w, o, job);
}

/* --- the end of a transfer */

/* Hands over the page of a transfer that has ended. */
static void conclude(struct worker *w, struct transfer *t, const struct fetch_page *head)
{
	free(t->job);
	worker_done_with(w, t);
	hand_over(w, head);
}

/* A page that is with the renderer. */
struct rendering_page {
	struct rendering rendering; /* first */
	struct transfer *transfer;
	struct fetch_page head;
};

/* Passes a page that needs a browser to the renderer. */
static void render(struct worker *w, struct transfer *t, const struct fetch_page *head)
{
	struct rendering_page *p = mem_zero(1, sizeof *p);
	struct rendering *r = &p->rendering;
	size_t n;
	const char *host = url_authority(&t->url, &n);

	p->transfer = t;
	p->head = *head;
	*r = (struct rendering){.url = t->url.text.at,
		.body = t->body.at,
		.n = t->body.used,
		.back = &w->rendered,
		.wake = wake,
		.wake_ctx = w->multi};
	r->most = w->options->set.max_unpacked;
	snprintf(r->host, sizeof r->host, "%.*s", (int)n, host);
	if (t->route)
		snprintf(r->address, sizeof r->address, "%s", t->route->data + strlen("::"));
	w->n_rendering++;
	renderer_put(w->options->set.renderer, r);
}

/* Keeps a page whose transfer has ended, to be read with those that end in the same turn. */
static void read_later(struct worker *w, struct transfer *t, const struct fetch_page *head, enum outcome error, int is_back)
{
	w->unread = mem_grow(w->unread, &w->unread_room, w->n_unread + 1, sizeof *w->unread);
	w->unread[w->n_unread++] = (struct page_unread){.transfer = t,
		.head = *head,
		.topic = t->job->is_any_topic ? NULL : w->options->set.topic,
		.error = error,
		.is_back = is_back};
}

/* Archives a page that has been read, and hands it over; or passes it to the renderer. */
static void conclude_read(void *worker, struct page_unread *u)
{
	struct worker *w = worker;
	struct fetch_page *head = &u->head;

	if (head->result.is_shell && w->options->set.renderer && !u->is_back) {
		page_build_reset(&w->build);
		render(w, u->transfer, head);
		return;
	}
	if (!u->is_back)
		archive_put(u->transfer, u->error, NULL, &head->result.archived);
	if (head->result.state == PAGE_CRAWLED)
		head->result.usage |= origin_usage(u->transfer->origin, &u->transfer->url);
	conclude(w, u->transfer, head);
}

static void read_pages(struct worker *w)
{
	page_jail_read(&w->reader, w->unread, w->n_unread);
	w->n_unread = 0;
}

/* Takes back a page from the renderer, to be read as it was rendered, or, if the command has failed, as it was sent. */
static void finish_rendered(struct worker *w, struct rendering_page *p)
{
	struct transfer *t = p->transfer;
	struct fetch_page *head = &p->head;
	const int64_t now = clock_ms(), pause = head->result.not_before - head->result.ended;
	const int is_rendered = p->rendering.end == PAGE_COMMAND_ENDED;

	w->n_rendering--;
	head->result.ended = now;
	head->result.not_before = now + pause;
	if (p->rendering.end == PAGE_COMMAND_ABORTED) {
		head->result.outcome = OUTCOME_ABORTED;
		head->result.state = PAGE_QUEUED;
		head->result.is_shell = 0;
	} else {
		archive_put(t, OUTCOME_NONE, is_rendered ? &p->rendering.html : NULL, &head->result.archived);
	}
	if (is_rendered) {
		transfer_take_body(t, &p->rendering.html);
		head->result.bytes += t->body.used;
		t->answer.has_type = 1;
		strcpy(t->answer.type, "text/html; charset=utf-8");
		head->result.is_rendered = 1;
	}
	read_later(w, t, head, OUTCOME_NONE, 1);
	buf_release(&p->rendering.html);
	free(p);
}

/* Ends the transfer of a page, and judges the answer. */
static void finish_page(struct worker *w, struct transfer *t, CURLcode result)
{
	struct fetch_page head = worker_head_of(t);
	struct job *job = t->job;
	enum permanence permanence;
	enum outcome error = transfer_error(t, result, &permanence);

	if (transfer_needs_plain(t, result))
		t->origin->plain = 1;
	if (!error && (error = transfer_unpack(t)))
		permanence = PERMANENT;
	struct verdict v = answer_judge(&t->answer, error, permanence, job->tries, (unsigned)w->options->set.tries);
	if (outcome_is_local(error))
		v = origin_judge_trouble(t->origin, error, t->ended);
	else
		t->origin->trouble_since = 0;
	/* a 304 means `unchanged` only if the request was conditional */
	if (head.result.status == 304 && t->answer.has_headers && (job->since.modified || job->since.etag_length))
		v = (struct verdict){OUTCOME_CRAWLED, PAGE_CRAWLED, 0};
	head.result.id = job->id;
	head.result.state = v.state;
	head.result.outcome = v.outcome;
	head.result.not_before += v.retry_after;
	if (t->answer.has_headers && answer_blames_host(head.result.status))
		head.result.host_pause = t->ended + answer_delay(&t->answer, job->tries);
	if (outcome_is_local(error))
		head.result.host_pause = head.result.not_before;
	read_later(w, t, &head, error, 0);
}

/* Says whether the transfer could not connect to its host, and the host has another address to try; sets t->at to that address. */
static int falls_back(struct worker *w, struct transfer *t, CURLcode result)
{
	enum permanence permanence;

	return transfer_was_unconnected(t, transfer_error(t, result, &permanence)) &&
		locate_other(w->names, w->options, &t->url, &t->at);
}

static void finish(struct worker *w, struct transfer *t, CURLcode result)
{
	transfers_stop(&w->transfers, t, w->multi);
	const int again = falls_back(w, t, result);
	if (t->purpose == TRANSFER_ROBOTS) {
		robots_fetch_done(w, t, result, again ? ROBOTS_FETCH_UNCONNECTED : ROBOTS_FETCH_ENDED);
	} else if (again) {
		t->job->next = NULL;
		worker_begin_anew(w, t->job);
		worker_done_with(w, t);
	} else {
		finish_page(w, t, result);
	}
}

static void finish_all_done(struct worker *w)
{
	CURLMsg *message;
	int left;

	while ((message = curl_multi_info_read(w->multi, &left))) {
		struct transfer *t;
		const CURLcode result = message->data.result;
		if (message->msg != CURLMSG_DONE)
			continue;
		curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &t);
		finish(w, t, result);
	}
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Ends the transfers whose time is over, and says in how many ms to look again at the latest. */
static int end_overdue(struct worker *w)
{
	const int64_t now = clock_ms();
	const struct fetch_settings *set = &w->options->set;
	const int64_t limit = least(least(set->read_timeout, set->first_byte_timeout), set->connect_timeout);
	const int64_t pause = least((set->timeout ? least(limit, set->timeout) : limit) / 8 + 1, LONGEST_POLL_MS);

	if (now > w->expected)
		transfers_are_late(&w->transfers, now - w->expected);
	if (now >= w->next_check) {
		for (size_t i = w->transfers.n_active; i-- > 0;)
			if (i < w->transfers.n_active && transfer_latest(w->transfers.active[i]) <= now)
				finish(w, w->transfers.active[i], CURLE_OPERATION_TIMEDOUT);
		worker_give_back_waiting(w, now - set->connect_timeout, OUTCOME_DNS_LATER);
		w->next_check = now + pause;
	}
	const int64_t rest = w->transfers.n_active ? w->next_check - now : LONGEST_POLL_MS;
	w->expected = now + rest + TURN_MS;
	return (int)rest;
}

/* Finds the oldest job that may begin. Returns 1 with *job, or 0 if there is none. */
static int next_job(struct worker *w, void **job)
{
	struct job *ready = w->ready;

	if (!ready)
		return channel_take(&w->inbox, job);
	w->ready = ready->next;
	if (!w->ready)
		w->ready_end = &w->ready;
	*job = ready;
	return 1;
}

/* Takes the pages that the renderer has given back. */
static void take_rendered(struct worker *w)
{
	void *page;

	while (channel_take(&w->rendered, &page))
		finish_rendered(w, page);
}

/* Aborts all transfers, and gives back, with OUTCOME_ABORTED, all jobs that are in a transfer, wait for a name, or are ready. */
static void break_off(struct worker *w)
{
	worker_give_back_waiting(w, INT64_MAX, OUTCOME_ABORTED);
	while (w->transfers.n_active) {
		struct transfer *t = w->transfers.active[w->transfers.n_active - 1];
		transfers_stop(&w->transfers, t, w->multi);
		struct fetch_page head = worker_head_of(t);
		head.result.outcome = OUTCOME_ABORTED;
		head.result.state = PAGE_QUEUED;
		head.result.status = 0;
		if (t->purpose == TRANSFER_PAGE) {
			worker_give_back(w, t->job, head);
		} else {
			t->origin->standing = ORIGIN_UNKNOWN;
			worker_release_waiting(w, t->origin, head);
		}
		worker_done_with(w, t);
	}
	while (w->ready) {
		void *job;
		(void)next_job(w, &job);
		worker_give_back(w, job, worker_no_request(OUTCOME_ABORTED));
	}
}

void *worker_run(void *worker)
{
	struct worker *w = worker;
	const struct body_memory *memory = w->options->memory;
	int running;
	void *job;

	while (atomic_load(w->orders) != WORKER_QUIT) {
		if (is_barred(w))
			break_off(w);
		worker_take_answers(w);
		take_rendered(w);
		while (transfers_have_room(&w->transfers, memory) && next_job(w, &job))
			begin(w, job);
		transfers_choose_first(&w->transfers, memory);
		sockets_enter(&w->sockets);
		curl_multi_perform(w->multi, &running);
		sockets_leave(&w->sockets);
		finish_all_done(w);
		int pause = end_overdue(w);
		read_pages(w);
		transfers_share_memory(&w->transfers, memory);
		/* another thread may make room in memory, and wakes nobody */
		if (pause > MEMORY_LOOK_MS && body_memory_is_tight(memory))
			pause = MEMORY_LOOK_MS;
		/* a thread without room for another transfer takes no job, so it need not be woken for its inbox */
		if (!transfers_have_room(&w->transfers, memory) || (!w->ready && channel_will_wait(&w->inbox)))
			curl_multi_poll(w->multi, NULL, 0, pause, NULL);
	}
	break_off(w);
	/* the renderer has been told to give all pages back */
	for (void *page; w->n_rendering && channel_wait(&w->rendered, &page, INT64_MAX);)
		finish_rendered(w, page);
	read_pages(w);
	return NULL;
}

/* --- a worker */

int worker_init(struct worker *w, const struct worker_share *share, struct err_note *why)
{
	const struct transfer_options *o = share->options;
	const unsigned parallel = (unsigned)o->set.parallel;
	unsigned connections = share->connections;

	memset(w, 0, sizeof *w);
	w->options = o;
	w->outbox = share->outbox;
	w->orders = share->orders;
	w->ready_end = &w->ready;
	w->expected = INT64_MAX;
	w->transfers.most = connections;
	channel_init(&w->inbox, 2 * (size_t)parallel); /* a page, and before it its robots.txt */
	channel_init(&w->rendered, parallel);
	sockets_init(&w->sockets);
	w->origins = robots_cache_new(o->product, o->set.host_settings);
	page_build_init(&w->build, o->set.max_links, share->key);
	w->build.rules = o->set.rules;
	page_build_init(&w->requisites, FETCH_MAX_REQUISITES, share->key);
	w->requisites.rules = o->set.rules;
	w->reader = (struct page_reader){page_jail_cell(o->set.jail), &w->build, &w->requisites, conclude_read, w};
	w->multi = curl_multi_init();
	if (!w->multi)
		return err_set(why, ERR_OTHER, "cannot start libcurl's multi interface");
	w->names = names_new(share->resolver, wake, w->multi);
	if (connections > parallel + IDLE_CONNECTIONS)
		connections = parallel + IDLE_CONNECTIONS;
	curl_multi_setopt(w->multi, CURLMOPT_MAXCONNECTS, (long)connections);
	curl_multi_setopt(w->multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, (long)connections);
	return 0;
}

void worker_release(struct worker *w)
{
	void *job;

	while (channel_take(&w->inbox, &job))
		free(job);
	channel_release(&w->inbox);
	channel_release(&w->rendered);
	assert(!w->ready && w->n_rendering == 0 && w->n_unread == 0);
	names_free(w->names);
	transfers_release(&w->transfers);
	free(w->unread);
	if (w->multi)
		curl_multi_cleanup(w->multi);
	sockets_release(&w->sockets);
	page_build_release(&w->build);
	page_build_release(&w->requisites);
	robots_cache_free(w->origins);
	url_release(&w->url);
}
