/* Many crawls of one graph: every policy from every draw of seeds. A draw's seeds are the same for all policies, so
 * that policies can be compared pair by pair. Crawls run in parallel, each in one thread; the number of threads changes no
 * result.
 *
 *	struct compare c = {.data = &data, .crawl = {.benchmark = &b, .batch = 100}, .policies = p, .opts = o,
 *		.n_policies = 2, .seeds = "random:0.001", .draws = 10, .at = at, .n_at = 3, .threads = 2};
 *	err = compare_run(&c, &why);                       c.trials holds the figures
 *	compare_release(&c); */
#ifndef LAB_STUDY_COMPARE_H
#define LAB_STUDY_COMPARE_H

#include "lab/measure/by_time.h"
#include "lab/measure/throughput.h"
#include "lab/study/crawl_order.h"
#include "lab/study/fleet.h"
#include "lab/study/replay.h"

#define COMPARE_STEPS  OP_COUNTS_STEPS /* points of a curve: a hundred */
#define COMPARE_DEPTHS 100             /* levels kept; what is deeper is in the last */

struct trial {
	const struct policy *policy;
	uint32_t draw;                   /* 1 is the first */
	struct throughput_point *points; /* a point each of compare.at */
	double auc;
	/* The AUC of a yardstick on the same draw less `auc`: the cost of not knowing the whole graph. `ideal` is always
	 * computed; `omniscient` must be one of the policies, else regret_omniscient is NAN. */
	double regret_ideal, regret_omniscient;
	double *tau; /* at each of compare.at: kendall_of_part(); NULL without with_tau */
	/* NULL and 0 without with_profiles */
	struct throughput_point *curve; /* COMPARE_STEPS: at 1%, 2% ... of N */
	double *window;                 /* window_means() of replay_fortieth(N) pages */
	struct depth_level *depth;
	uint32_t windows, depths;
	/* in virtual time: n_when points at the times of compare.when, and one at the end of the crawl, whose time is `lasted`;
	 * NULL in a replay, and for `ideal`, which is no crawl */
	struct time_point *timed;
	struct then_point *then; /* of a web that changes: as `timed`, by the web as it is at these times; otherwise NULL */
	int64_t lasted;
	uint64_t requests;
	uint32_t crawled, seeds;
	uint64_t order;   /* a fingerprint of the pages in the order crawled */
	uint64_t missing; /* seeds not in the graph */
	int64_t cpu_ns;   /* of the crawl loop */
	uint64_t links;
	struct op_counts *work;        /* NULL without with_profiles */
	struct fleet_figures *figures; /* of the agents; NULL without `fleet`, and for `ideal` */
};

struct compare {
	/* in; all borrowed. The graph and its benchmark may go once the comparison has run. */
	const struct dataset *data;
	/* What all crawls have in common; `policy`, `opts` and `with_keys` are ignored, `rng_seed` is that of the first draw, and
	 * `total` may be COMPARE_REACHABLE: as many as links from the seeds lead to. It has the benchmark. */
	struct replay crawl;
	const struct policy *const *policies;
	const struct opt_set *opts; /* a set a policy */
	size_t n_policies;
	/* Orders of other crawlers, whose policies (crawl_orders.crawler) are among those above and are measured without a crawl;
	 * `draws` is then theirs. NULL: none */
	const struct crawl_orders *orders;
	/* a spec of lab/study/seedset.h, for which draw i uses rng_seed + i - 1; or, with `orders`, CRAWL_ORDER_ENTRIES */
	const char *seeds;
	const uint32_t *seed_ids; /* where `seeds` is NULL: n_seed_ids nodes, the same in each draw */
	size_t n_seed_ids;
	uint32_t draws;   /* >= 1 */
	const double *at; /* fractions of N */
	size_t n_at;
	/* Of crawls by several agents, fleet_run(), which this file does not call by its name so that a program without agents need
	 * not be linked with them. NULL: replay_run() */
	int (*run)(struct replay *, const struct dataset *, const struct seedset *, struct err_note *why);
	const struct benchmark
		*then;       /* with crawl.changing: the ranking of the web at each of the times `when`; NULL: not wanted */
	const int64_t *when; /* in virtual time: the times at which to measure, in ms, ascending */
	size_t n_when;
	unsigned threads; /* >= 1 */
	int with_profiles, with_tau;
	/* The expected fingerprint of each draw, as in `drawn`; another draw is ERR_USAGE. May be NULL. */
	const uint64_t *expected;
	/* Called for each trial done, by one thread at a time. May be NULL. */
	void (*tell)(void *ctx, size_t done);
	void *ctx;
	/* For a comparison of a single trial: receives its order and keys. May be NULL. */
	struct replay *keep;
	/* out */
	uint32_t nodes; /* of the graph */
	uint64_t arcs;
	double tolerance;     /* the benchmark's */
	struct trial *trials; /* policies * draws, policy by policy, draw by draw */
	uint64_t *drawn;      /* draws: a fingerprint of the seeds of each, in order */
};

#define COMPARE_REACHABLE UINT64_MAX

/* Runs all trials and fills the fields after `out`. Returns 0, or the error of the first trial, in their order, that failed.
 * Release with compare_release(). */
int compare_run(struct compare *, struct err_note *why) MUST_USE;
void compare_release(struct compare *);

/* Returns the trial of a policy and a draw, both counted from 0. */
static inline const struct trial *compare_trial(const struct compare *c, size_t policy, size_t draw)
{
	return &c->trials[policy * c->draws + draw];
}

/* Returns a fingerprint of the figures of all trials (XXH3): the same numbers have the same fingerprint. */
uint64_t compare_fingerprint(const struct compare *);

#endif
