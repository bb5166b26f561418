#include "fetch/worker.h"
#include "base/clock.h"
#include "base/mem.h"
#include "fetch/archive.h"
#include "fetch/guard.h"
#include "fetch/page_fill.h"
#include "fetch/proxies.h"
#include "fetch/robots_fetch.h"
#include "fetch/runner.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define IDLE_CONNECTIONS 64 /* kept open, beside as many as there are transfers */
/* a thread looks at its inbox and its orders at least so often: a wake-up may be lost */
#define LONGEST_POLL_MS 1000
#define MEMORY_LOOK_MS  20

static void wake(void *multi)
{
	curl_multi_wakeup(multi);
}

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
	w->most_active = connections;
	channel_init(&w->inbox, 2 * (size_t)parallel); /* a page, and before it its robots.txt */
	sockets_init(&w->sockets);
	w->origins = robots_cache_new(o->product, o->set.host_settings);
	page_build_init(&w->build, o->set.max_links, share->key);
	w->build.rules = o->set.rules;
	page_build_init(&w->requisites, FETCH_MAX_REQUISITES, share->key);
	w->requisites.rules = o->set.rules;
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
	assert(w->n_active == 0 && !w->ready);
	names_free(w->names);
	while (w->n_idle)
		transfer_free(w->idle[--w->n_idle]);
	free(w->active);
	free(w->idle);
	if (w->multi)
		curl_multi_cleanup(w->multi);
	sockets_release(&w->sockets);
	page_build_release(&w->build);
	page_build_release(&w->requisites);
	robots_cache_free(w->origins);
	url_release(&w->url);
}

/* --- handing over */

static void hand_over(struct worker *w, const struct fetch_page *head)
{
	runner_pass(w->options->set.runner, page_build_take(&w->build, head), w->options->set.scorer, w->outbox);
}

void worker_give_back(struct worker *w, struct job *job, struct fetch_page head)
{
	head.result.id = job->id;
	free(job);
	hand_over(w, &head);
}

struct fetch_page worker_no_request(enum outcome outcome)
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
	if (w->n_idle)
		return w->idle[--w->n_idle];
	struct transfer *t = transfer_new(w->options);
	sockets_watch(&w->sockets, t->easy);
	return t;
}

struct transfer *worker_new_transfer(struct worker *w, struct origin *o, struct url *url, const struct spot *spot)
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

void worker_start(struct worker *w, struct transfer *t)
{
	w->active = mem_grow(w->active, &w->active_room, w->n_active + 1, sizeof *w->active);
	t->place = w->n_active;
	t->pauses = &w->has_paused;
	w->active[w->n_active++] = t;
	transfer_start(t, w->multi, t->origin->plain ? TRANSFER_PLAIN : TRANSFER_PACKED, t->job ? &t->job->since : NULL);
}

static void stop(struct worker *w, struct transfer *t)
{
	transfer_stop(t, w->multi);
	w->active[t->place] = w->active[--w->n_active];
	w->active[t->place]->place = t->place;
}

void worker_done_with(struct worker *w, struct transfer *t)
{
	t->origin->users--;
	transfer_free_body(t);
	w->idle = mem_grow(w->idle, &w->idle_room, w->n_idle + 1, sizeof *w->idle);
	w->idle[w->n_idle++] = t;
}

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

/* --- jobs */

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
		worker_park(o, job);
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

/* Asks the guard about a URL before anything is requested. Returns the reason of its refusal, or OUTCOME_NONE. */
enum outcome worker_judge_url(const struct worker *w, const struct url *u)
{
	const struct guard *guard = w->options->set.guard;
	const int proxied = proxies_for(w->options->proxies, u) != NULL;

	return guard ? guard_judge_url(guard, u, proxied ? GUARD_PROXIED : GUARD_DIRECT) : OUTCOME_NONE;
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

struct fetch_page worker_head_of(const struct transfer *t)
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

/* Ends the transfer of a page: judges the answer, archives it, and hands over the page with its links. */
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
		v = worker_judge_trouble(t->origin, error, t->ended);
	else
		t->origin->trouble_since = 0;
	/* a 304 means `unchanged` only if the request was conditional */
	if (head.result.status == 304 && t->answer.has_headers && (job->since.modified || job->since.etag_length))
		v = (struct verdict){OUTCOME_CRAWLED, PAGE_CRAWLED, 0};
	head.result.id = job->id;
	head.result.state = v.state;
	head.result.outcome = v.outcome;
	head.result.not_before += v.retry_after;
	if (t->answer.has_headers && (head.result.status == 429 || head.result.status == 503))
		head.result.host_pause = t->ended + answer_delay(&t->answer, job->tries);
	if (outcome_is_local(error))
		head.result.host_pause = head.result.not_before;
	archive_put(t, error, &head.result.archived);
	page_fill(&w->build, &w->requisites, &head, t, job->is_any_topic ? NULL : w->options->set.topic);
	worker_done_with(w, t);
	hand_over(w, &head);
	free(job);
}

/* Gives back the pages that wait for a robots.txt, in the order in which they came. */
void worker_release_waiting(struct worker *w, struct origin *o, struct fetch_page head)
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

/* Says whether the transfer could not connect to its host, and the host has another address to try; sets t->at to that address. */
static int falls_back(struct worker *w, struct transfer *t, CURLcode result)
{
	enum permanence permanence;

	return transfer_was_unconnected(t, transfer_error(t, result, &permanence)) &&
		locate_other(w->names, w->options, &t->url, &t->at);
}

static void finish(struct worker *w, struct transfer *t, CURLcode result)
{
	stop(w, t);
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

/* Ends the transfers that have stalled, and says in how many ms to look again at the latest. */
static int check_stalled(struct worker *w)
{
	const int64_t now = clock_ms();
	const struct fetch_settings *set = &w->options->set;
	int64_t pause = (set->read_timeout < set->first_byte_timeout ? set->read_timeout : set->first_byte_timeout) / 8 + 1;

	if (pause > LONGEST_POLL_MS)
		pause = LONGEST_POLL_MS;
	if (now >= w->next_check) {
		for (size_t i = w->n_active; i-- > 0;)
			if (i < w->n_active && transfer_stall_time(w->active[i]) <= now)
				finish(w, w->active[i], CURLE_OPERATION_TIMEDOUT);
		worker_give_back_waiting(w, now - set->connect_timeout, OUTCOME_DNS_LATER);
		w->next_check = now + pause;
	}
	return w->n_active ? (int)(w->next_check - now) : LONGEST_POLL_MS;
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

/* Aborts all transfers, and gives back, with OUTCOME_ABORTED, all jobs that are in a transfer, wait for a name, or are ready. */
static void break_off(struct worker *w)
{
	worker_give_back_waiting(w, INT64_MAX, OUTCOME_ABORTED);
	while (w->n_active) {
		struct transfer *t = w->active[w->n_active - 1];
		stop(w, t);
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
	int running;
	void *job;

	while (atomic_load(w->orders) != WORKER_QUIT) {
		if (is_barred(w))
			break_off(w);
		worker_take_answers(w);
		while (worker_has_room(w) && next_job(w, &job))
			begin(w, job);
		worker_choose_first(w);
		sockets_enter(&w->sockets);
		curl_multi_perform(w->multi, &running);
		sockets_leave(&w->sockets);
		finish_all_done(w);
		int pause = check_stalled(w);
		worker_share_memory(w);
		/* another thread may make room in memory, and wakes nobody */
		if (pause > MEMORY_LOOK_MS && body_memory_is_tight(w->options->memory))
			pause = MEMORY_LOOK_MS;
		/* a thread without room for another transfer takes no job, so it need not be woken for its inbox */
		if (!worker_has_room(w) || (!w->ready && channel_will_wait(&w->inbox)))
			curl_multi_poll(w->multi, NULL, 0, pause, NULL);
	}
	break_off(w);
	return NULL;
}
