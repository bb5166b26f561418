/* Queues pages of a resumed crawl again that an earlier sitting had done with: failed pages whose reason may be gone
 * (--retry-failed), and pages that were skipped as part of a trap (--retry-skipped).
 *
 *   unsigned why_failed = RETRY_DNS | RETRY_CONNECT;       --retry-failed=dns,connect
 *   err = retry_failed(store, frontier, source, why_failed, &pages, why);
 *   err = retry_skipped(store, frontier, source, &pages, why);
 *
 * Both go over the pages in the order of discovery and queue them with a LOG_ADMITTED entry and the key of a new seed. The
 * caller has resumed the crawl before (crawler/resume/resume.h). Both return 0 or an error of the store. */
#ifndef CRAWLER_RETRY_H
#define CRAWLER_RETRY_H

#include "base/progress.h"
#include "crawler/source.h"
#include "storage/store.h"

enum retry_reason {
	RETRY_DNS = 1,     /* the host's name was not resolved */
	RETRY_CONNECT = 2, /* there was no connection to the host */
	RETRY_TIMEOUT = 4, /* a time limit was reached */
	RETRY_5XX = 8,     /* the server failed: status 5xx or 429 */
	RETRY_ALL = 16,    /* any outcome with TRAIT_AGAIN (base/outcome.h), but no status 400 to 499 other than 429 */
	RETRY_PRIVATE = 32 /* nothing had allowed its address, which is not public */
};

/* Returns the word for bit i of enum retry_reason, from 0; NULL beyond the last. */
const char *retry_reason_word(size_t i);

/* Returns the reasons, as a mask of enum retry_reason, under which a page that failed with this outcome and HTTP status is queued
 * again. */
unsigned retry_reasons_of(unsigned outcome, unsigned status);

/* Queues each failed page whose reason is in the mask `reasons`, and counts these pages in *pages. */
int retry_failed(struct store *, struct frontier *, struct source *, unsigned reasons, uint32_t *pages,
	struct err_note *why) MUST_USE;

/* Queues all pages that were refused at their turn, as part of a trap or since their host or domain has had its pages, by their
 * last results, and counts them in *pages. What the detectors know of a page now does not matter: under other options than those of
 * an earlier sitting they may not know that it was skipped. Where they do know, they do not skip the page again. */
int retry_skipped(struct store *, struct frontier *, struct source *, uint32_t *pages, struct err_note *why) MUST_USE;

/* Changes the scope of a crawl (--rescope): judges queued pages again, and those that scope has refused. The caller has resumed the
 * crawl (crawler/resume/resume.h) with a network source that has the new scope. In the order of discovery, each queued page that no
 * longer belongs to the crawl is refused (LOG_EXPELLED), and each page that the old scope refused and the new scope admits is
 * queued (LOG_ADMITTED). `changes` is the text of the LOG_SCOPE entry, lines "name=value". `progress` may be NULL. Returns 0 or an
 * error of the store. */
int rescope_crawl(struct store *, struct frontier *, struct source *, const char *changes, struct progress *,
	struct err_note *why) MUST_USE;

/* As rescope_crawl(), for the pages of one host of a crawl that runs, after its scope has changed for that host alone. The caller
 * calls it between two steps of the crawl loop. Cost: a look at 8 bytes of each page, and a judgement of each page of the
 * host. */
int rescope_host(struct store *, struct frontier *, struct source *, uint32_t host, const char *changes,
	struct err_note *why) MUST_USE;

#endif
