/* How a crawl ended: the summary, and the status. */
#ifndef CLI_CRAWL_CRAWL_END_H
#define CLI_CRAWL_CRAWL_END_H

#include "cli/crawl/crawl_options.h"
#include "crawler/live.h"

int crawl_end_print(const struct crawl_options *, struct live *, const struct live_summary *,
	struct err_note *why) MUST_USE;

/* 0, or what the end deserves: ERR_INTERRUPTED, ERR_LIMIT under --strict, ERR_ALL_SEEDS_FAILED. */
int crawl_end_verdict(const struct crawl_options *, const struct live_decision *, struct live *,
	const struct live_summary *, struct err_note *why) MUST_USE;

#endif
