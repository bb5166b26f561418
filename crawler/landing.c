#include "crawler/landing.h"

/* Whether a request was made of the page's host: one of the page, or of its robots.txt. */
static inline enum frontier_request request_of(const struct event *e)
{
	if (e->state != PAGE_QUEUED)
		return e->state == PAGE_REFUSED ? FRONTIER_NOT_ASKED : FRONTIER_ASKED;
	return e->outcome == OUTCOME_ADDRESS || e->outcome == OUTCOME_SUSPECT ||
			       e->outcome == OUTCOME_BACK_OFF
		       ? FRONTIER_NOT_ASKED
		       : FRONTIER_ASKED;
}

/* What the page's flight tells of its host: 1 and *news, or 0 for nothing. */
static int has_news(const struct event *e, struct frontier_host_news *news)
{
	const int64_t ms = e->ended - e->started;

	if (!ms && !e->host_pause && !e->address && e->host_delay < 0)
		return 0;
	const int has_hung = !e->status && e->outcome == OUTCOME_TIMEOUT;
	*news = (struct frontier_host_news){.took = has_hung ? 0 : ms,
		.hung = has_hung ? ms : 0,
		.delay = e->host_delay,
		.pause = e->host_pause,
		.address = e->address};
	return 1;
}

/* Pages that were put off take their turn; those that were skipped are found anew. */
static void free_pages(struct frontier *f, const struct places_freed *freed)
{
	for (size_t i = 0; i < freed->put_off.n; i++)
		frontier_promote(f, freed->put_off.id[i]);
	frontier_seed(f, freed->skipped.id, freed->skipped.n);
}

int landing(struct frontier *f, const struct event *e)
{
	struct frontier_host_news news;
	const struct frontier_end end = {.state = e->state,
		.request = request_of(e),
		.at = e->ended,
		.host = has_news(e, &news) ? &news : NULL,
		.links = e->links,
		.kinds = e->kinds,
		.n_links = e->n,
		.target = e->target,
		.is_deferred = e->outcome == OUTCOME_SUSPECT,
		.not_before = e->not_before,
		.has_failed = outcome_has(e->outcome, TRAIT_AGAIN)};
	int err = frontier_ended(f, e->id, &end);

	if (e->outcome == OUTCOME_SITEMAPS)
		frontier_seed(f, e->links, e->n);
	if (e->freed)
		free_pages(f, e->freed);
	return err;
}
