/* Asks the trap detectors about a page of a store that no crawl has open: reads the log from its start, as a resume does,
 * and then asks as if the page were taken from the frontier now.
 *
 *	struct traps_verdict verdict;
 *	int err = trap_verdict_of(store, id, &verdict, why);
 *	if (!err && verdict.detector) ...      the page is deferred or skipped, because outcome_sentence(verdict.detector) */
#ifndef CRAWLER_TRAP_VERDICT_H
#define CRAWLER_TRAP_VERDICT_H

#include "storage/store.h"
#include "traps/traps.h"

/* Computes the verdict of traps_turn() for page `id`, from the log and the options of traps in the store. Time and memory are
 * those of a resume. Returns 0, or ERR_DAMAGED if no crawl can have written this log. */
int trap_verdict_of(struct store *, uint32_t id, struct traps_verdict *, struct err_note *why) MUST_USE;

#endif
