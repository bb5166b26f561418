#include "crawler/crawl.h"

/* how often a crawl that may be stopped looks whether it was */
#define STOP_LOOK_MS 200

static int tell_taken(const struct crawl *c, uint32_t id, struct err_note *why)
{
	int err = 0;

	for (size_t i = 0; !err && i < c->n_observers; i++)
		if (c->observers[i].taken)
			err = c->observers[i].taken(
				c->observers[i].ctx, id, frontier_taken_key(c->frontier), why);
	return err;
}

static int tell_event(const struct crawl *c, const struct event *e, struct err_note *why)
{
	int err = 0;

	for (size_t i = 0; !err && i < c->n_observers; i++)
		if (c->observers[i].event)
			err = c->observers[i].event(c->observers[i].ctx, e, why);
	return err;
}

static int tell_idle(const struct crawl *c, struct err_note *why)
{
	int err = 0;

	for (size_t i = 0; !err && i < c->n_observers; i++)
		if (c->observers[i].idle)
			err = c->observers[i].idle(c->observers[i].ctx, why);
	return err;
}

static int tell_frontier(struct frontier *f, const struct event *e)
{
	if (e->host_delay >= 0)
		frontier_host_delay(f, e->id, e->host_delay);
	switch (e->kind) {
	case EVENT_CRAWLED:
		return frontier_crawled(f, e->id, e->links, e->n, e->ended);
	case EVENT_FAILED:
		frontier_failed(f, e->id, e->ended);
		break;
	case EVENT_RETRY:
		frontier_retry(f, e->id, e->not_before, e->ended);
		frontier_seed(f, e->links, e->n); /* sitemaps that robots.txt named */
		break;
	case EVENT_REFUSED:
		frontier_refuse(f, e->id);
		break;
	case EVENT_REDIRECTED:
		frontier_redirected(f, e->id, e->target, e->ended);
		break;
	}
	return 0;
}

/* Why no more pages are to be taken; CRAWL_DONE: they are. */
static enum crawl_end limit(const struct crawl *c, int64_t started)
{
	struct frontier_counts n;

	if (c->stop && *c->stop)
		return CRAWL_STOPPED;
	if (c->max_pages) {
		frontier_count(c->frontier, &n);
		if (n.crawled + n.in_flight >= c->max_pages)
			return CRAWL_PAGES;
	}
	if (c->max_bytes && c->bytes >= c->max_bytes)
		return CRAWL_BYTES;
	if (c->max_time && c->source->ops->now(c->source) - started >= c->max_time)
		return CRAWL_TIME;
	return CRAWL_DONE;
}

/* Takes and submits as long as there is room and no limit. */
static int take(struct crawl *c, int64_t started, struct err_note *why)
{
	const struct source_ops *ops = c->source->ops;
	uint32_t id, soon[FRONTIER_SOON];
	int err = 0;

	while (!err && (c->end = limit(c, started)) == CRAWL_DONE && ops->room(c->source) &&
		frontier_take(c->frontier, ops->now(c->source), &id)) {
		err = tell_taken(c, id, why);
		ops->submit(c->source, id);
		if (ops->prefetch) /* meanwhile, what is likely to be next */
			ops->prefetch(c->source, soon, frontier_soon(c->frontier, soon));
	}
	return err;
}

/* How long to wait for an event: until the next page may be taken, where it may, and until time is
 * up. */
static int64_t patience(const struct crawl *c, int64_t started)
{
	int64_t until = c->end == CRAWL_DONE && c->source->ops->room(c->source)
				? frontier_next_time(c->frontier)
				: FRONTIER_NEVER;

	if (c->max_time && started + c->max_time < until && c->end == CRAWL_DONE)
		until = started + c->max_time;
	if (c->stop && until - STOP_LOOK_MS > c->source->ops->now(c->source))
		until = c->source->ops->now(c->source) + STOP_LOOK_MS;
	return until;
}

int crawl_run(struct crawl *c, struct err_note *why)
{
	const struct source_ops *ops = c->source->ops;
	int64_t started = ops->now(c->source);
	struct frontier_counts n;
	struct event event;
	int err = 0, aborted = 0;

	c->bytes = 0;
	c->end = CRAWL_DONE;
	for (;;) {
		err = take(c, started, why);
		if (err)
			break;
		if (!frontier_in_flight(c->frontier)) {
			frontier_count(c->frontier, &n);
			if (c->end != CRAWL_DONE || !n.queued)
				break;
		}
		if (c->stop && *c->stop > 1 && !aborted && ops->abort) {
			ops->abort(c->source);
			aborted = 1;
		}
		int got = ops->reap(c->source, &event, patience(c, started), why);
		if (got < 0) {
			err = got;
			break;
		}
		if (!got) {
			err = tell_idle(c, why);
			if (err)
				break;
			continue;
		}
		c->bytes += event.bytes;
		/* the store first: a policy may ask for the links of the page it is told of */
		err = tell_event(c, &event, why);
		if (!err)
			err = tell_frontier(c->frontier, &event);
		ops->release(c->source, &event);
		if (err)
			break;
	}
	int idle = tell_idle(c, why);
	return err ? err : idle;
}
