/* What a store keeps of how its crawl was asked for. */
#ifndef CRAWLER_LIVE_KEPT_H
#define CRAWLER_LIVE_KEPT_H

#include "storage/store.h"

#define LIVE_POLICY "opic" /* of a crawl that names none */

/* What a store keeps and a later crawl on it may not change silently: each as a text, NULL where
 * it was not given (then the store's, or the default, holds). */
struct live_kept {
	const char *policy;  /* name */
	const char *options; /* its options, "key=value" with line feeds between */
	const char *batch, *total, *rng_seed;
	const char *span_hosts; /* "1" */
	const char *domains, *accept, *reject, *accept_regex, *reject_regex;
	const char *no_parent; /* "1" */
	const char *max_depth;
};

/* `kept` of a store there is, against what is asked now: what was not given comes from the store,
 * what differs is ERR_USAGE, both values named. The texts are copies; release in any case. */
int live_kept_read(struct live_kept *kept, const struct live_kept *asked, struct store *,
	const char *dir, struct err_note *why) MUST_USE;

/* Writes what is asked, or the defaults (of a crawl of so many pages; 0: no limit), to a new store.
 * The texts are copies; release in any case. */
int live_kept_write(struct live_kept *kept, const struct live_kept *asked, uint64_t max_pages,
	struct store *, struct err_note *why) MUST_USE;

/* "" for what was not given. */
void live_kept_complete(struct live_kept *);

void live_kept_release(struct live_kept *);

#endif
