/* The throughput of a crawl: how many of the hot pages its first K pages hold, at every K in one pass.
 *
 *	benchmark_make(&b, &graph, 1e-12, threads);            once a graph
 *	throughput_measure(&t, &b, &graph, NULL, order, n, seeds, n_seeds);
 *	at45 = throughput_at(&t, throughput_k(0.45, graph.nodes)).discoverable;
 *
 * The K hot pages of a graph are the first K by PageRank (key descending, id ascending). With C_K
 * the first K pages crawled, H_K the K hot pages and R the pages reachable from the seeds:
 *   strict throughput        T(K)   = |C_K and H_K| / K           (Cho's P_CS, crawl and stop)
 *   discoverable throughput  T_R(K) = |C_K and H_K| / |H_K and R|  (0/0 = 1; at most 1, also
 *                            for an order that finds what no link leads to)
 *   lift over random         (T(K) - K/N) / (1 - K/N)
 *   AUC                      mean of T(K) over K = 1..N, a page never crawled being a miss
 *   PageRank mass            M(K)   = sum of the ranks of C_K / sum of all
 * At a K beyond the M pages crawled, throughput, lift and mass are those at M.
 *
 * With ties shared a page is hot at K if its key is at least that of the K-th (Cho's definition):
 * H_K may then have more than K pages, of which K count: |H_K and R| is cut at K, and |C_K and H_K|
 * cannot exceed it. */
#ifndef LAB_MEASURE_THROUGHPUT_H
#define LAB_MEASURE_THROUGHPUT_H

#include "graph/graph.h"

/* The ranking that says which pages of a graph are hot. All crawls of the graph share it, and so may threads: nothing
 * changes it once it is made. */
struct benchmark {
	uint32_t nodes;
	double *rank;       /* nodes: PageRank, sum 1 */
	uint32_t *hot;      /* nodes: ids by rank */
	uint32_t *position; /* nodes: 0-based position in `hot`; of ties shared, of the first */
	double tolerance;
	unsigned sweeps;
	double *score; /* nodes: the scores of benchmark_take_scores(); NULL: the ranking is PageRank */
};

/* Makes the ranking by PageRank, to a tolerance. */
void benchmark_make(struct benchmark *, const struct graph *g, double tolerance, unsigned threads);
/* Makes the ranking by scores of the nodes, numbers of 0 or more with a finite sum, from malloc(), and takes them over. In
 * place of PageRank, `rank` is then a page's share of this sum. */
void benchmark_take_scores(struct benchmark *, uint32_t nodes, double *score);
void benchmark_release(struct benchmark *);

/* Makes pages of equal keys hot together in every measurement from now on. */
void benchmark_share_ties(struct benchmark *);

/* Returns a byte a node: 1 for a node that links from the seeds lead to, the seeds included, else 0. The caller frees
 * it. A node that `outside` (a byte a node; NULL: none) marks is out of the crawl's scope and leads nowhere. */
unsigned char *throughput_reach(const struct graph *g, const uint8_t *outside, const uint32_t *seeds, size_t n);

/* One crawl, measured. */
struct throughput {
	uint32_t nodes, crawled; /* N and M */
	const struct benchmark *benchmark;
	uint32_t *hits;  /* nodes + 1: |C_K and H_K| for K = 0..nodes; pages beyond M never hit */
	uint32_t *found; /* nodes + 1: |H_K and R|, not yet cut at K */
	double *mass;    /* crawled + 1: M(K) */
	double auc;
};

/* Measures the crawl that took the M distinct pages of `order` in this order and began with `seeds`; `outside` is
 * that of throughput_reach(). Release it with throughput_release(). O(nodes + arcs). */
void throughput_measure(struct throughput *, const struct benchmark *, const struct graph *g, const uint8_t *outside,
	const uint32_t *order, uint32_t crawled, const uint32_t *seeds, size_t n_seeds);
void throughput_release(struct throughput *);

struct throughput_point {
	uint32_t k;                              /* asked for */
	uint32_t crawled;                        /* min(k, M) */
	double strict, discoverable, mass, lift; /* lift NAN where crawled = N */
};

/* Returns the figures at a K from 1 to nodes. */
struct throughput_point throughput_at(const struct throughput *, uint32_t k);

/* Returns the K that is a fraction of n nodes: floor(fraction * n), and at least 1. */
uint32_t throughput_k(double fraction, uint32_t n);

#endif
