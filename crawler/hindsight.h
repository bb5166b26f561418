/* What the traps hold of a page of a store that no crawl has open: its log is read from the start, as by a crawl
 * that comes back, and the traps are asked as if the page's turn came now.
 *
 *	struct traps_verdict verdict;
 *	int err = hindsight_turn(store, id, &verdict, why);
 *	if (!err && verdict.detector)
 *		... the page is suspect: outcome_sentence(verdict.detector) */
#ifndef CRAWLER_HINDSIGHT_H
#define CRAWLER_HINDSIGHT_H

#include "storage/store.h"
#include "traps/traps.h"

/* Computes what traps_turn() would return for a page, by the log and by the options of traps that the store keeps. Time
 * and memory: those of coming back to the crawl. ERR_DAMAGED. */
int hindsight_turn(
	struct store *, uint32_t id, struct traps_verdict *, struct err_note *why) MUST_USE;

#endif
