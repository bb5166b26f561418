/* What a store tells of how often a page changes: its crawl, its later visits (storage/visits.h), and the changes that they have
 * found.
 *
 *	change_history_read(&h, store, id);                         of one page
 *	rate = changes_rate(&h.changes, before);
 *
 * A caller that goes through all visits of a store gathers the histories of all pages at once:
 *
 *	change_history_crawled(&h[id], store, id);                  for each crawled page
 *	store_visits_each(store, tell, h, why);              where tell() calls change_history_visit(&h[id], visited, change)
 *	change_history_end(&h[id], store, id); */
#ifndef CRAWLER_CHANGE_HISTORY_H
#define CRAWLER_CHANGE_HISTORY_H

#include "refresh/changes.h"
#include "storage/visits.h"

struct change_history {
	struct changes changes;
	int64_t last; /* the last visit that has shown what the page is, or its crawl; ms since 1970 */
	float quiet;  /* days in which visits have found no change */
};

/* Reads the history of a crawled page. */
void change_history_read(struct change_history *, struct store *, uint32_t id);

/* Begins the history of a page with its crawl, which was a first visit; where the page said when it had changed before, the time of
 * that change is known, too. */
void change_history_crawled(struct change_history *, struct store *, uint32_t id);

/* Takes the visits of the page (change: NULL), and behind them each change in order. */
void change_history_visit(struct change_history *, const struct store_visited *, const struct store_change *change);

/* Takes account of the time without changes, when all changes were told. */
void change_history_end(struct change_history *, struct store *, uint32_t id);

#endif
