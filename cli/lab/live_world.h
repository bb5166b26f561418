/* A crawl of a graph by the live crawler: the graph is served on loopback by this process (simweb/serve.h), and crawled over
 * HTTP into a store that is removed afterwards. What replay_run() does without a network, live_world_crawl() does with one,
 * and fills the same struct, so that the two can be compared.
 *
 *	struct replay r = {.policy = p, .opts = &opts, .total = n, .batch = 10, .virtual_time = &m};
 *	err = live_world_crawl(&r, &data, &seeds, &assignments, why);
 *	replay_release(&r); */
#ifndef CLI_LAB_LIVE_WORLD_H
#define CLI_LAB_LIVE_WORLD_H

#include "base/flag.h"
#include "lab/study/replay.h"

/* The most addresses that hosts can have on loopback. */
#define LIVE_WORLD_ADDRESSES 254

/* Checks that a live crawl of a served graph can have these settings: the jitter is the live crawl's, every host has one of at
 * most LIVE_WORLD_ADDRESSES addresses, and the web has no property that the server has not. Returns 0 or ERR_USAGE. */
int live_world_check(const struct virtual_time *, struct err_note *why) MUST_USE;

/* Crawls a graph from the seeds, and fills `order`, `when`, `crawled`, `lasted` and `requests`. Only the fields policy, batch,
 * total, max_pages, rng_seed, virtual_time and changing of the input are used; if virtual_time is NULL, one page is fetched at a
 * time, without delays. `opts` has the assignments "key=value" of the policy's options. The pages have the URLs http://HOST/ID,
 * whatever the URLs of the graph are. Returns 0, or an error of the server, the store or the crawl. */
int live_world_crawl(struct replay *, const struct dataset *, const struct seedset *seeds, const struct flag_list *opts,
	struct err_note *why) MUST_USE;

#endif
