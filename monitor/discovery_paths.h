/* The way to each page of a crawl: the page that it was first discovered on. It is read once from the log, and then
 * follows the events of the crawl. The monitor shows it; a crawl without a monitor does not keep it.
 *
 *	struct discovery_paths *w = discovery_paths_new(store);
 *	err = discovery_paths_read(w, why);                             what the log has
 *	discovery_paths_found(w, event->id);                            after each event
 *	for (id = page; id != STORE_NO_PAGE; id = discovery_paths_from(w, id)) ...      the last one is a seed
 *
 * Memory: 4 bytes a page. Only the coordinator thread calls these functions. */
#ifndef MONITOR_DISCOVERY_PATHS_H
#define MONITOR_DISCOVERY_PATHS_H

#include "storage/store.h"

struct discovery_paths;

/* Makes ways of which none is known; the store must outlive them. The caller frees them with discovery_paths_free(). */
struct discovery_paths *discovery_paths_new(struct store *);

/* Frees the ways. NULL is allowed. */
void discovery_paths_free(struct discovery_paths *);

/* Reads the ways of all pages that the log has so far. Returns 0 or ERR_DAMAGED. Cost: one reading of the log. */
int discovery_paths_read(struct discovery_paths *, struct err_note *why) MUST_USE;

/* Notes that the pages that were added to the store since the last call were discovered on page `from`;
 * STORE_NO_PAGE: they are seeds. */
void discovery_paths_found(struct discovery_paths *, uint32_t from);

/* Returns the page on which a page was discovered by a link or a redirect; STORE_NO_PAGE for a seed, or if it is not
 * known. */
uint32_t discovery_paths_from(const struct discovery_paths *, uint32_t id);

#endif
