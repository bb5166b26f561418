/* A resumed crawl takes failed pages up again, those whose reason may have passed.
 *
 *   unsigned why_failed = RETRY_DNS | RETRY_CONNECT;       --retry-failed=dns,connect
 *   err = retry_failed(store, frontier, source, why_failed, &pages, why); */
#ifndef CRAWLER_RETRY_FAILED_H
#define CRAWLER_RETRY_FAILED_H

#include "crawler/source.h"
#include "storage/store.h"

enum retry_reason {
	RETRY_DNS = 1,     /* the host's name was not resolved */
	RETRY_CONNECT = 2, /* no connection to the host came about */
	RETRY_TIMEOUT = 4, /* a time limit ran out */
	RETRY_5XX = 8,     /* the server had a trouble of its own: 5xx, 429 */
	RETRY_ALL = 16     /* whatever may pass (TRAIT_AGAIN in base/outcome.h) */
};

/* The words for the reasons, in the order of their bits; NULL beyond the last. */
const char *retry_failed_word(size_t i);

/* Queues each failed page whose reason is among `reasons` as if it were a seed found now, in the order of discovery;
 * the log has an ADMITTED for each. The frontier is back where the log ends. *pages is how many. */
int retry_failed(struct store *, struct frontier *, struct source *, unsigned reasons, uint32_t *pages,
	struct err_note *why) MUST_USE;

#endif
