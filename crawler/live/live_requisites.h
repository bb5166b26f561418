/* The requisites of a crawl: what its pages need to be seen (--requisites; parser/requisites.h says what that is).
 *
 * They are a crawl of their own, in the folder "requisites" of the store: it has a store, a frontier and a log as every crawl has,
 * and the pages' crawl never hears of its pages. So no requisite is a page for a policy, a budget or a count. Its seeds are the
 * requisites of pages; its links are the requisites of these (a font of a style sheet, an image of a frame), followed for
 * LIVE_REQUISITES_DEPTH steps; its policy is bfs. It writes into the archive of the pages' crawl, and may connect where that crawl
 * may.
 *
 *   pages     fetch ... fetch, commit |  wait until nothing  |                        | fetch ... fetch | ...
 *               |                     |  is in flight        |                        |
 *               v a page's requisites |                      |                        |
 *   requisites  become seeds, commit  |                      | fetch until all are    |
 *                                     |                      | done, or for so long   |
 *
 * The crawl of pages and the crawl of requisites never make requests at the same time, and the delay of a host after a request of
 * one crawl holds for the other crawl as well: both together are as polite as one crawl. They take turns after
 * LIVE_REQUISITES_PAGES pages or LIVE_REQUISITES_MS; at the end of the pages' crawl the requisites are fetched to the end. The
 * requisites of a page are committed before the page is, so a crawl that is killed has them all. A requisite that is crawled as a
 * page is not asked for again (OUTCOME_IS_PAGE).
 *
 *	live_requisites_open(&r, live, &settings, why);      behind live_open()'s own work
 *	observers[n++] = live_requisites_observer(r);        before the recorder
 *	... the loop of the pages, with .paused = live_requisites_paused(r) ...
 *	live_requisites_finish(r, why);
 *	live_requisites_close(r); */
#ifndef CRAWLER_LIVE_REQUISITES_H
#define CRAWLER_LIVE_REQUISITES_H

#include "crawler/live/live.h"

/* Steps from a page's own requisite: page, frame, style sheet, imported style sheet, font. */
#define LIVE_REQUISITES_DEPTH 3
#define LIVE_REQUISITES_PAGES 1000
#define LIVE_REQUISITES_MS    600000
/* The most requisites of a crawl: so many, and so many more for each crawled page. */
#define LIVE_REQUISITES_MOST        1000
#define LIVE_REQUISITES_MOST_A_PAGE 100

struct live_requisites;

struct live_requisites_settings {
	const char *dir;                  /* of the store of the pages' crawl */
	const struct live_config *config; /* of the pages' crawl; must outlive the requisites */
	struct live_shared shared;
	const struct observer *observers; /* whose `step` is called while requisites are fetched, too */
	size_t n_observers;
	const volatile sig_atomic_t *stop;
	const int *paused; /* as of struct crawl; may be NULL */
};

/* Opens the requisites of a crawl, whose own parts are open, and makes the sources of both look to the rests of the other's hosts.
 * Returns 0 or an error of live_open(). */
int live_requisites_open(struct live_requisites **, struct live *pages, const struct live_requisites_settings *,
	struct err_note *why) MUST_USE;

/* Returns the observer of the pages' crawl: it makes the requisites of crawled pages seeds, and fetches them in their turns. */
struct observer live_requisites_observer(struct live_requisites *);

/* Returns the flag that pauses the pages' crawl: by the operator, or since the turn of the requisites has come. */
const int *live_requisites_paused(const struct live_requisites *);

/* Returns the bytes of the bodies of requisites in this sitting, which count for the --max-bytes of the pages' crawl, too. */
const uint64_t *live_requisites_bytes(const struct live_requisites *);

/* Fetches all requisites, when the pages' crawl has ended, within what is left of the sitting's --max-time and --max-bytes. Returns
 * 0, or an error as live_run() does. */
int live_requisites_finish(struct live_requisites *, struct err_note *why) MUST_USE;

/* Fills in the counts of requisites of all sittings, and the end of the last turn. */
void live_requisites_count(struct live_requisites *, struct live_requisite_counts *);

/* Closes the requisites' crawl. NULL is allowed. */
void live_requisites_close(struct live_requisites *);

#endif
