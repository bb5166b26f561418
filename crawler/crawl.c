#include "crawler/crawl.h"
#include "base/log.h"
#include "crawler/source.h"

#include <assert.h>

/* Says whether a request was made to the host of a page that was not crawled: for the page, or for its robots.txt. */
static enum frontier_request request_of(const struct result *e)
{
	if (e->state != PAGE_QUEUED)
		return e->state == PAGE_REFUSED ? FRONTIER_NOT_ASKED : FRONTIER_ASKED;
	return e->outcome == OUTCOME_ADDRESS || e->outcome == OUTCOME_DEFERRED || e->outcome == OUTCOME_BACK_OFF
		? FRONTIER_NOT_ASKED
		: FRONTIER_ASKED;
}

/* Fills in the fields of an end that have a meaning only for a page that was not crawled. */
static void end_uncrawled(const struct result *e, struct frontier_end *end)
{
	end->request = request_of(e);
	end->target = e->target;
	end->is_deferred = e->outcome == OUTCOME_DEFERRED;
	end->not_before = e->not_before;
	end->has_failed = outcome_has(e->outcome, TRAIT_AGAIN);
}

/* Says whether the event has no news about the page's host, as all events of a replay. */
static inline int is_silent(const struct result *e)
{
	return e->ended == e->started && !e->host_pause && !e->address && e->host_delay < 0;
}

/* Copies what the event says about the page's host. */
static void read_news(const struct result *e, struct frontier_host_news *news)
{
	const int64_t ms = e->ended - e->started;
	const int has_hung = !e->status && e->outcome == OUTCOME_TIMEOUT;
	*news = (struct frontier_host_news){.took = has_hung ? 0 : ms,
		.hung = has_hung ? ms : 0,
		.delay = e->host_delay,
		.pause = e->host_pause,
		.address = e->address};
}

/* Queues the pages of a place that is trusted again: the deferred ones are no longer deferred, the skipped ones are new seeds. */
static void free_pages(struct frontier *f, const struct places_freed *freed)
{
	for (size_t i = 0; i < freed->deferred.n; i++)
		frontier_promote(f, freed->deferred.id[i]);
	/* admitted one by one: a policy may divide something among the seeds of one call, and the log does not say which seeds
	 * belonged together */
	for (size_t i = 0; i < freed->skipped.n; i++)
		frontier_seed(f, &freed->skipped.id[i], 1);
}

/* Passes a visit to the frontier: updates the host's pace, and queues the pages that the visit has found. */
static void land_visit(struct frontier *f, const struct result *e)
{
	struct frontier_host_news news;
	struct frontier_end end = {.state = e->state, .request = FRONTIER_ASKED, .at = e->ended};

	if (e->state != PAGE_CRAWLED)
		end.request = request_of(e);
	if (!is_silent(e)) {
		read_news(e, &news);
		end.host = &news;
	}
	frontier_visited(f, e->id, &end);
	if (e->outcome == OUTCOME_SITEMAPS)
		frontier_seed(f, e->links, e->n);
	else
		frontier_learn(f, e->id, e->links, e->n);
}

int tell_frontier(struct frontier *f, const struct result *e)
{
	if (e->visit) {
		land_visit(f, e);
		return 0;
	}

	struct frontier_host_news news;
	struct frontier_end end =
		{.state = e->state, .at = e->ended, .links = e->links, .kinds = e->kinds, .n_links = e->n, .bytes = e->bytes};

	if (e->state != PAGE_CRAWLED)
		end_uncrawled(e, &end);
	if (!is_silent(e)) {
		read_news(e, &news);
		end.host = &news;
	}
	int err = frontier_ended(f, e->id, &end);

	if (e->outcome == OUTCOME_SITEMAPS)
		frontier_seed(f, e->links, e->n);
	if (e->freed)
		free_pages(f, e->freed);
	return err;
}

/* how often a crawl that may be stopped looks whether it was */
#define STOP_LOOK_MS 200

/* how often an agent of several looks for letters while it has nothing to do */
#define FLEET_LOOK_MS 20

/* most pages taken at once */
#define RUN 64

static int tell_taken(const struct crawl *c, uint32_t id, double key, struct err_note *why)
{
	for (size_t i = 0; i < c->n_observers; i++)
		if (c->observers[i].taken)
			TRY(c->observers[i].taken(c->observers[i].ctx, id, key, why));
	return 0;
}

static int tell_event(const struct crawl *c, const struct result *e, struct err_note *why)
{
	for (size_t i = 0; i < c->n_observers; i++) {
		const struct observer *o = &c->observers[i];
		if (e->visit ? o->visit != NULL : o->event != NULL)
			TRY((e->visit ? o->visit : o->event)(o->ctx, e, why));
	}
	if (c->revisits)
		c->revisits->event(c->revisits->ctx, e);
	return 0;
}

static int tell_step(const struct crawl *c, struct err_note *why)
{
	for (size_t i = 0; i < c->n_observers; i++)
		if (c->observers[i].step)
			TRY(c->observers[i].step(c->observers[i].ctx, why));
	return 0;
}

static int is_paused(const struct crawl *c)
{
	return (c->paused && *c->paused) || (c->fleet && c->fleet->is_held);
}

static int is_stopped(const struct crawl *c)
{
	return (c->stop && *c->stop) || (c->fleet && c->fleet->is_stopped);
}

static int tell_idle(const struct crawl *c, struct err_note *why)
{
	for (size_t i = 0; i < c->n_observers; i++)
		if (c->observers[i].idle)
			TRY(c->observers[i].idle(c->observers[i].ctx, why));
	return 0;
}

static uint64_t bytes_of(const struct crawl *c)
{
	return c->bytes + (c->bytes_beside ? *c->bytes_beside : 0);
}

/* Returns how many pages may be taken now, at most RUN. Sets c->end to the limit that was reached, or to CRAWL_DONE if none was. */
static size_t limit(struct crawl *c)
{
	size_t most = c->source->ops->room(c->source);
	struct frontier_counts n;

	c->end = CRAWL_DONE;
	if (c->max_pages) {
		frontier_count(c->frontier, &n);
		uint64_t taken = n.crawled + n.in_flight + (c->fleet ? c->fleet->crawled : 0);
		c->is_at_most = taken >= c->max_pages;
		if (c->is_at_most && !c->revisits)
			c->end = CRAWL_PAGES;
		else if (!c->is_at_most && c->max_pages - taken < most)
			most = (size_t)(c->max_pages - taken);
	}
	if (is_stopped(c))
		c->end = CRAWL_STOPPED;
	else if (c->end == CRAWL_DONE && c->max_bytes && bytes_of(c) >= c->max_bytes)
		c->end = CRAWL_BYTES;
	else if (c->end == CRAWL_DONE && c->max_time && c->source->ops->now(c->source) - c->started >= c->max_time)
		c->end = CRAWL_TIME;
	else if (c->end == CRAWL_DONE && c->enough && *c->enough)
		c->end = CRAWL_ENOUGH;
	return c->end != CRAWL_DONE || is_paused(c) ? 0 : most < RUN ? most : RUN;
}

/* Takes up to `most` pages, and returns their number. If only deferred pages are queued, takes one of them, at random if
 * frontier_take_sample() finds one. */
static size_t take_run(struct crawl *c, int64_t now, uint32_t *id, double *key, size_t most)
{
	if (!frontier_has_only_deferred(c->frontier))
		return frontier_take_run(c->frontier, now, id, key, most);
	if (!frontier_take_sample(c->frontier, now, id))
		return frontier_take_run(c->frontier, now, id, key, 1);
	*key = frontier_key(c->frontier, *id);
	return 1;
}

/* Takes and submits as long as there is room and no limit. */
static int take(struct crawl *c, struct err_note *why)
{
	const struct source_ops *ops = c->source->ops;
	uint32_t id[RUN], soon[FRONTIER_SOON];
	double key[RUN];
	size_t most, n;
	int err = 0;

	while (!err && (most = limit(c)) > 0) {
		n = take_run(c, ops->now(c->source), id, key, most);
		if (!n)
			break;
		for (size_t i = 0; !err && i < n; i++)
			err = tell_taken(c, id[i], key[i], why);
		ops->submit(c->source, id, n);
		if (ops->prefetch) /* meanwhile, what is likely to be next */
			ops->prefetch(c->source, soon, frontier_soon(c->frontier, soon));
		if (!ops->room(c->source)) /* as in a replay, after each page */
			break;
	}
	return err;
}

/* Takes and submits pages one by one, in a crawl that visits pages again: c->revisits->turn() chooses between a new page and a
 * visit. */
static int take_in_turns(struct crawl *c, struct err_note *why)
{
	const struct source_ops *ops = c->source->ops;
	uint32_t id;
	double key;
	int err = 0;

	c->until = FRONTIER_NEVER;
	while (!err && limit(c) > 0) {
		const int64_t now = ops->now(c->source);
		const enum crawl_turn turn = c->revisits->turn(c->revisits->ctx, now, !c->is_at_most, &id, &c->until);
		if (turn == CRAWL_WAIT)
			break;
		if (turn == CRAWL_NEW) {
			if (!take_run(c, now, &id, &key, 1)) { /* hosts of one address compete */
				c->until = now + STOP_LOOK_MS / 10;
				break;
			}
			c->revisits->taken(c->revisits->ctx, now);
			err = tell_taken(c, id, key, why);
		}
		ops->submit(c->source, &id, 1);
		c->until = FRONTIER_NEVER;
	}
	return err;
}

/* Returns the time until which the loop waits for an event: the time at which the next page may be taken, or at which max_time is
 * reached; and not longer than an interval of STOP_LOOK_MS, or FLEET_LOOK_MS, if stop, paused or other agents have to be looked
 * at. */
static int64_t patience(const struct crawl *c)
{
	int64_t until = c->end == CRAWL_DONE && !is_paused(c) && c->source->ops->room(c->source)
		? (c->revisits ? c->until : frontier_next_time(c->frontier))
		: FRONTIER_NEVER;

	if (c->max_time && c->started + c->max_time < until && c->end == CRAWL_DONE)
		until = c->started + c->max_time;
	if ((c->stop || c->paused) && until - STOP_LOOK_MS > c->source->ops->now(c->source))
		until = c->source->ops->now(c->source) + STOP_LOOK_MS;
	if (c->fleet && until - FLEET_LOOK_MS > c->source->ops->now(c->source))
		until = c->source->ops->now(c->source) + FLEET_LOOK_MS;
	return until;
}

/* Passes a run of events to the observers, to the store first, since a policy may ask for the links of the page that it is told
 * of. */
static int tell(struct crawl *c, const struct result *e, size_t n, struct err_note *why)
{
	for (size_t i = 0; i < n; i++) {
		c->bytes += e[i].bytes;
		c->shells += (uint64_t)e[i].is_shell;
		c->rendered += (uint64_t)e[i].is_rendered;
		TRY(tell_event(c, &e[i], why));
		TRY(tell_frontier(c->frontier, &e[i]));
	}
	return 0;
}

/* Says whether every queued page belongs to a host that is given up for this sitting, or spent. A held host is neither. */
static int is_given_up(const struct frontier *f, struct source *s)
{
	return (s->ops->is_over && s->ops->is_over(s)) || (frontier_next_time(f) >= FRONTIER_FOR_GOOD && !frontier_has_held(f));
}

int crawl_is_idle(const struct frontier *f, struct source *s)
{
	struct frontier_counts n;

	frontier_count(f, &n);
	return !frontier_in_flight(f) && (!n.queued || is_given_up(f, s));
}

/* Says whether nothing is left to wait for. */
static int is_over(struct crawl *c)
{
	struct frontier_counts n;

	if (frontier_in_flight(c->frontier) || (c->end == CRAWL_DONE && (is_paused(c) || (c->fleet && c->fleet->goes_on))))
		return 0;
	if (c->revisits && c->end == CRAWL_DONE) {
		if (!c->revisits->is_over(c->revisits->ctx))
			return 0;
		c->end = c->is_at_most ? CRAWL_PAGES : CRAWL_DONE;
	}
	frontier_count(c->frontier, &n);
	if (c->end == CRAWL_DONE && n.queued && is_given_up(c->frontier, c->source))
		c->end = n.spent && !n.given_up ? CRAWL_SHARES : CRAWL_UNREACHABLE;
	return c->end != CRAWL_DONE || !n.queued;
}

/* Tells the user once, after the first signal, what the crawl still waits for. */
static void tell_stop(struct crawl *c)
{
	const uint64_t n = frontier_in_flight(c->frontier);

	if (c->has_told_stop || !c->stop || *c->stop != 1 || !n)
		return;
	c->has_told_stop = 1;
	log_say("stopping: pages in flight that are awaited: %llu; a second Ctrl-C (or SIGTERM) ends at once",
		(unsigned long long)n);
}

void crawl_begin(struct crawl *c)
{
	c->started = c->source->ops->now(c->source);
	c->has_aborted = c->has_steps = c->has_told_stop = 0;
	for (size_t i = 0; i < c->n_observers; i++)
		c->has_steps |= c->observers[i].step != NULL;
	c->bytes = c->shells = c->rendered = 0;
	c->end = CRAWL_DONE;
}

int crawl_step(struct crawl *c, struct err_note *why)
{
	const struct source_ops *ops = c->source->ops;
	const struct result *events;
	int err = c->has_steps ? tell_step(c, why) : 0;

	if (!err)
		err = c->revisits ? take_in_turns(c, why) : take(c, why);
	if (err)
		return err;
	if (is_over(c))
		return 0;
	tell_stop(c);
	if (c->stop && *c->stop > 1 && !c->has_aborted && ops->abort) {
		ops->abort(c->source);
		c->has_aborted = 1;
	}
	int n = ops->reap(c->source, &events, patience(c), why);
	if (n > 0) {
		err = tell(c, events, (size_t)n, why);
		ops->release(c->source);
	} else {
		err = n < 0 ? n : tell_idle(c, why);
	}
	return err ? err : 1;
}

int crawl_run(struct crawl *c, struct err_note *why)
{
	int goes_on;

	crawl_begin(c);
	do
		goes_on = crawl_step(c, why);
	while (goes_on > 0);
	/* after an error `idle` is not called, since the recorder would commit an event that only some observers have seen */
	return goes_on < 0 ? goes_on : tell_idle(c, why);
}
