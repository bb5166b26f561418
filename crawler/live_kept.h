/* What a store keeps of how its crawl was asked for. */
#ifndef CRAWLER_LIVE_KEPT_H
#define CRAWLER_LIVE_KEPT_H

#include "base/buf.h"
#include "storage/store.h"

#define LIVE_POLICY "opic" /* of a crawl that names none */

/* What a store keeps and a later crawl on it may not change silently: each as a text, NULL where
 * it was not given (then the store's, or the default, holds). */
struct live_kept {
	const char *policy;  /* a spec, as policy_spec_absolute() has it */
	const char *options; /* its options, "key=value" with line feeds between */
	const char *batch, *total, *rng_seed;
	const char *span_hosts; /* "1" */
	const char *domains, *accept, *reject, *accept_regex, *reject_regex;
	const char *no_parent; /* "1" */
	const char *max_depth;
	const char *normalise; /* names of rules (parser/url_rules.h), commas between */
	const char
		*year; /* in which the crawl began: calendars are judged by it; nobody gives it */
	const char *types; /* media types, commas between */
	const char *rules; /* of scope/rules.h */
	const char *traps; /* options of traps/traps.h, "key=value" with line feeds between */
};

/* `kept` of a store there is, against what is asked now: what was not given comes from the store,
 * what differs is ERR_USAGE, both values named; but where `changes` is not NULL, the scope is
 * what is asked now, and each difference is added to it as "name=value" and a line feed; and
 * likewise, where `swap` is not NULL, the policy and its options. The texts are copies; release in
 * any case. */
int live_kept_read(struct live_kept *kept, const struct live_kept *asked, struct store *,
	const char *dir, struct buf *changes, struct buf *swap, struct err_note *why) MUST_USE;

/* `kept` of a new crawl: what is asked, or the defaults (of a crawl of so many pages; 0: no limit).
 * The texts are copies; release them. */
void live_kept_begin(struct live_kept *kept, const struct live_kept *asked, uint64_t max_pages);

/* Into the store, where that has something else. */
int live_kept_write(const struct live_kept *, struct store *, struct err_note *why) MUST_USE;

/* "" for what was not given. */
void live_kept_complete(struct live_kept *);

void live_kept_release(struct live_kept *);

#endif
