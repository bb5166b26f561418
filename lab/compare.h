/* Crawls of one graph side by side: policies by draws of seeds. A draw's seeds are the same for
 * all policies. Crawls run in parallel, each in one thread; the results do not depend on how many. */
#ifndef LAB_COMPARE_H
#define LAB_COMPARE_H

#include "lab/hot.h"
#include "lab/replay.h"

struct trial {
	const struct policy *policy;
	uint32_t draw; /* 1 is the first */
	struct hot_point *points; /* a point each of compare.at */
	double auc;
	uint32_t crawled, seeds;
	uint64_t missing; /* seeds not in the graph */
	int64_t cpu_ns;   /* of the crawl loop */
	uint64_t links;
};

struct compare {
	/* in; all borrowed */
	const struct dataset *data;
	const struct benchmark *benchmark;
	const struct policy *const *policies;
	const struct opt_set *opts; /* a set a policy */
	size_t n_policies;
	const char *seeds;  /* a spec of lab/seedset.h; draw i uses rng_seed + i - 1 */
	uint32_t draws;     /* >= 1 */
	uint64_t batch, max_pages, rng_seed; /* as struct replay */
	uint64_t total;     /* COMPARE_REACHABLE: what the seeds reach */
	const double *at;   /* fractions of N */
	size_t n_at;
	unsigned threads;   /* >= 1 */
	/* Called for each trial done, by one thread at a time. May be NULL. */
	void (*tell)(void *ctx, size_t done);
	void *ctx;
	/* Where a single trial is asked for: its order and keys are left here. May be NULL. */
	struct replay *keep;
	/* out: policies * draws, policy by policy, draw by draw */
	struct trial *trials;
};

#define COMPARE_REACHABLE UINT64_MAX

/* ERR_* of the first trial, in their order, that failed. */
int compare_run(struct compare *, struct err_note *why) MUST_USE;
void compare_release(struct compare *);

#endif
