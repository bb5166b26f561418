/* What a crawl order was worth: hot pages found, at every K in one pass.
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

/* The benchmark ranking of a graph; shared by all crawls of it, threads too. */
struct benchmark {
	uint32_t nodes;
	double *rank;       /* nodes: PageRank, sum 1 */
	uint32_t *hot;      /* nodes: ids by rank */
	uint32_t *position; /* nodes: 0-based position in `hot`; of ties shared, of the first */
	double tolerance;
	unsigned sweeps;
};

void benchmark_make(struct benchmark *, const struct graph *g, double tolerance, unsigned threads);
void benchmark_release(struct benchmark *);

/* From here on pages of equal keys are hot together. */
void benchmark_share_ties(struct benchmark *);

/* Which nodes the seeds reach, themselves included: a byte a node, 1 or 0; free() it. Those that
 * `outside` (a byte a node; NULL: none) marks are refused. */
unsigned char *throughput_reach(
	const struct graph *g, const uint8_t *outside, const uint32_t *seeds, size_t n);

/* One crawl, measured. */
struct throughput {
	uint32_t nodes, crawled; /* N and M */
	const struct benchmark *benchmark;
	uint32_t *hits;  /* nodes + 1: |C_K and H_K| for K = 0..nodes; pages beyond M never hit */
	uint32_t *found; /* nodes + 1: |H_K and R|, not yet cut at K */
	double *mass;    /* crawled + 1: M(K) */
	double auc;
};

/* `order` are the M pages in the order crawled, distinct; `seeds` those it began with;
 * `outside` as for throughput_reach(). */
void throughput_measure(struct throughput *, const struct benchmark *, const struct graph *g,
	const uint8_t *outside, const uint32_t *order, uint32_t crawled, const uint32_t *seeds,
	size_t n_seeds);
void throughput_release(struct throughput *);

struct throughput_point {
	uint32_t k;                              /* asked for */
	uint32_t crawled;                        /* min(k, M) */
	double strict, discoverable, mass, lift; /* lift NAN where crawled = N */
};

/* The figures at K in 1..nodes. */
struct throughput_point throughput_at(const struct throughput *, uint32_t k);

/* K of a fraction of n nodes: floor(fraction * n), at least 1. */
uint32_t throughput_k(double fraction, uint32_t n);

#endif
