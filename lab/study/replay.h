/* One crawl of a graph under a policy: the crawler's own loop and frontier, with the graph in place of the network; or,
 * in virtual time, with a virtual web. */
#ifndef LAB_STUDY_REPLAY_H
#define LAB_STUDY_REPLAY_H

#include "frontier/policy.h"
#include "lab/measure/op_counts.h"
#include "lab/measure/throughput.h"
#include "lab/study/dataset.h"
#include "lab/study/seedset.h"
#include "lab/study/virtual_time.h"

struct replay {
	/* in */
	const struct policy *policy;
	const struct opt_set *opts;
	uint64_t batch;     /* as struct frontier_settings */
	double growth;      /* as struct frontier_settings */
	uint64_t total;     /* 0: the policy does not know it */
	uint64_t max_pages; /* 0: all */
	double host_share;  /* of max_pages: `most` of struct frontier_budget; 0 or 1: hosts have no limits */
	uint64_t rng_seed;
	const struct benchmark *benchmark; /* for policies that are told PageRank; else may be NULL */
	int with_hosts; /* 1: the queue goes by hosts, which changes no order; a policy that orders hosts always has them */
	int with_keys;  /* 1: `key` is filled */
	const struct virtual_time *virtual_time; /* NULL: one page at a time, without delays and failures */
	const struct changing *changing;         /* in virtual time: what the pages are like at a time; NULL: nothing changes */
	int64_t max_time;                        /* in virtual time: ms of virtual time; 0: no limit */
	const struct rules *rules;               /* refuse and order pages by their URLs; NULL: none (not with `fleet`) */
	const struct fleet_plan *fleet;          /* the agents of fleet_run() (lab/study/fleet.h); replay_run() ignores it */
	/* out */
	uint32_t *order; /* pages in the order crawled */
	double *key;     /* of each when it was taken; NULL without with_keys */
	int64_t *when;   /* ms of virtual time at which each came; NULL in a replay, and for `ideal` */
	int64_t *began;  /* of a web that changes: when the request of each began; otherwise NULL */
	uint32_t crawled;
	int64_t lasted;    /* ms of virtual time */
	uint64_t requests; /* for pages, robots.txt not counted */
	int64_t cpu_ns;    /* of the loop */
	uint64_t links;    /* read */
	struct op_counts work;
	struct fleet_figures *figures; /* of fleet_run(), freed with fleet_figures_free(); else NULL */
};

/* Crawls the graph from the seeds and fills the second half of the struct. Returns 0, ERR_USAGE for a policy that needs to see
 * what the data set does not have (dataset_sights()), or an error of oracle_make(). Release it with replay_release(). */
int replay_run(struct replay *, const struct dataset *, const struct seedset *, struct err_note *why) MUST_USE;
void replay_release(struct replay *);

/* --- the parts of replay_run() that fleet_run() also uses */

/* Checks the settings, allocates the arrays of the struct, and makes the policy's oracle, which the caller frees. Returns 0 or an
 * error as replay_run(). */
int replay_prepare(struct replay *, const struct dataset *, const struct seedset *, double **oracle, struct err_note *why) MUST_USE;

/* Returns the settings of the frontier for a replay. */
struct frontier_settings replay_settings(const struct replay *, const struct dataset *, const double *oracle);

/* Returns the scores that policies see: those of the target, or else those that a score command has given the pages of a store;
 * NULL if there are none, or if the target is PageRank, which no policy may see. */
const double *replay_score(const struct replay *, const struct dataset *);

/* Copies the order of the yardstick `ideal`, which is no crawl, from the benchmark. Frees `key`. Returns 0. */
int replay_take_ideal(struct replay *, const struct dataset *, double *key);

/* Returns a fortieth of n pages, rounded up: the batch of the papers. */
uint64_t replay_fortieth(uint64_t n);

/* --- A finished crawl as a ranking of pages: `lycosa rank --by ieca|fica|opic`. The IECA paper names this use of a
 * crawl's importance values and leaves it for later. */

enum crawl_ranking {
	/* The key a page was taken with, frozen from then on: under ieca and fica its final distance,
	 * the lowest best. INFINITY (lowest first) or -INFINITY for a page that was not crawled. */
	CRAWL_RANKING_KEY,
	/* For opic: the history, the cash that a page had handed on when it was crawled, and the
	 * cash that has reached it since and lies there unspent. A share that a page
	 * gives itself by a link to itself is lost. 0 for a page that was not crawled. */
	CRAWL_RANKING_CASH,
};

/* Fills, for every node of g, score[] with the importance that a replay with keys gave it; history[], which may be
 * NULL, with the part of the score that CRAWL_RANKING_CASH calls the history; and sort_key[] with a number that is
 * higher for a better page and equal for equal scores. */
void crawl_ranking_make(enum crawl_ranking, const struct replay *r, const struct graph *g, double *score, double *history,
	uint64_t *sort_key);

/* Returns how many of the first m nodes by key a[] are among the first m by key b[]. Equal keys are in the order of
 * their ids. */
uint32_t crawl_ranking_overlap(const uint64_t *a, const uint64_t *b, uint32_t n, uint32_t m);

#endif
