/* A resumed crawl gets another scope: pages that wait, and pages that scope has refused, are judged anew.
 *
 *	err = resume(store, frontier, source, NULL, NULL, why);
 *	err = rescope(store, frontier, source, "max-depth=5", NULL, why); */
#ifndef CRAWLER_RESCOPE_H
#define CRAWLER_RESCOPE_H

#include "base/progress.h"
#include "crawler/source.h"
#include "storage/store.h"

/* The frontier and the network source are where the crawl stopped (crawler/resume.h), and the source's scope is the new
 * one. In the order of discovery, queued pages that do not belong to the crawl any more are refused (EXPELLED in the log),
 * and refused pages that belong to it now are queued (ADMITTED). `changes` is what the log says was changed. `progress`
 * (may be NULL) is told of pages judged. */
int rescope(struct store *, struct frontier *, struct source *, const char *changes,
	struct progress *, struct err_note *why) MUST_USE;

/* The pages that were skipped as part of a trap are queued again, and fetched whatever is known of their place; the
 * log has each. */
int rescope_retry_skipped(
	struct store *, struct frontier *, struct source *, struct err_note *why) MUST_USE;

#endif
