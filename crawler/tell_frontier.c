#include "crawler/tell_frontier.h"

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
	struct frontier_end end = {.state = e->state, .at = e->ended, .links = e->links, .kinds = e->kinds, .n_links = e->n};

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
