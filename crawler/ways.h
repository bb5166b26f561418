/* The way to each page of a crawl: the page that it was first discovered on. It is read once from the log, and then
 * follows the events of the crawl. The monitor shows it; a crawl without a monitor does not keep it.
 *
 *	struct ways *w = ways_new(store);
 *	err = ways_read(w, why);                             what the log has
 *	ways_found(w, event->id);                            after each event
 *	for (id = page; id != STORE_NO_PAGE; id = ways_from(w, id)) ...      the last one is a seed
 *
 * Memory: 4 bytes a page. Only the coordinator thread calls these functions. */
#ifndef CRAWLER_WAYS_H
#define CRAWLER_WAYS_H

#include "storage/store.h"

struct ways;

/* Makes ways of which none is known; the store must outlive them. The caller frees them with ways_free(). */
struct ways *ways_new(struct store *);

/* Frees the ways. NULL is allowed. */
void ways_free(struct ways *);

/* Reads the ways of all pages that the log has so far. Returns 0 or ERR_DAMAGED. Cost: one reading of the log. */
int ways_read(struct ways *, struct err_note *why) MUST_USE;

/* Notes that the pages that were added to the store since the last call were discovered on page `from`;
 * STORE_NO_PAGE: they are seeds. */
void ways_found(struct ways *, uint32_t from);

/* Returns the page on which a page was discovered by a link or a redirect; STORE_NO_PAGE for a seed, or if it is not
 * known. */
uint32_t ways_from(const struct ways *, uint32_t id);

#endif
