/* Queues failed pages of a resumed crawl again (--retry-failed), if the reason of their failure may be gone.
 *
 *   unsigned why_failed = RETRY_DNS | RETRY_CONNECT;       --retry-failed=dns,connect
 *   err = retry_failed(store, frontier, source, why_failed, &pages, why); */
#ifndef CRAWLER_RETRY_FAILED_H
#define CRAWLER_RETRY_FAILED_H

#include "crawler/source.h"
#include "storage/store.h"

enum retry_reason {
	RETRY_DNS = 1,     /* the host's name was not resolved */
	RETRY_CONNECT = 2, /* there was no connection to the host */
	RETRY_TIMEOUT = 4, /* a time limit was reached */
	RETRY_5XX = 8,     /* the server failed: status 5xx or 429 */
	RETRY_ALL = 16     /* any outcome with TRAIT_AGAIN (base/outcome.h) */
};

/* Returns the word for bit i of enum retry_reason, from 0; NULL beyond the last. */
const char *retry_failed_word(size_t i);

/* Queues each failed page whose reason is in the mask `reasons`, in the order of discovery, with a LOG_ADMITTED entry and
 * the key of a new seed. The caller has resumed the crawl before. Returns 0 with the number of these pages in *pages,
 * or an error of the store. */
int retry_failed(struct store *, struct frontier *, struct source *, unsigned reasons, uint32_t *pages,
	struct err_note *why) MUST_USE;

#endif
