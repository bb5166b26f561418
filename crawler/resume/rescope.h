/* Changes the scope of a resumed crawl (--rescope): queued pages and pages that scope has refused are judged again.
 *
 *	err = resume_from_log(store, NULL, frontier, source, RESUME_TO_CRAWL, NULL, NULL, NULL, why);
 *	err = rescope_crawl(store, frontier, source, "max-depth=5", NULL, why); */
#ifndef CRAWLER_RESCOPE_H
#define CRAWLER_RESCOPE_H

#include "base/progress.h"
#include "crawler/source.h"
#include "storage/store.h"

/* Judges the pages again. The caller has resumed the crawl (crawler/resume/resume.h) with a network source that has the new scope.
 * In the order of discovery, each queued page that no longer belongs to the crawl is refused (LOG_EXPELLED), and each
 * page that the old scope refused and the new scope admits is queued (LOG_ADMITTED). `changes` is the text of the
 * LOG_SCOPE entry, lines "name=value". `progress` may be NULL. Returns 0 or an error of the store. */
int rescope_crawl(struct store *, struct frontier *, struct source *, const char *changes, struct progress *,
	struct err_note *why) MUST_USE;

/* As rescope_crawl(), for the pages of one host of a crawl that runs, after its scope has changed for that host alone. The caller
 * calls it between two steps of the crawl loop. Cost: a look at 8 bytes of each page, and a judgement of each page of the
 * host. */
int rescope_host(struct store *, struct frontier *, struct source *, uint32_t host, const char *changes,
	struct err_note *why) MUST_USE;

#endif
