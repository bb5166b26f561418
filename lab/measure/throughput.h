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

/* --- How deep a crawl went: pages by their depth when they were first discovered, as in Figures 9 to 12 of
 * Daneshpajouh, Nasiri and Ghodsi (whose iteration i is depth i - 1). A seed has depth 0. A page is one deeper
 * than the first crawled page that links to it. */

struct depth_level {
	uint32_t pages; /* crawled, first discovered at this depth */
	double rank;    /* their mean PageRank; 0 where there are none */
};

/* Makes *levels, one for each depth, which the caller frees; returns their number. All depths from `most` - 1 on
 * (most >= 1) share the last level. A page is in no
 * level if no page crawled before it links to it, which the order of `ideal` allows. O(nodes + arcs of the crawl). */
uint32_t depth_profile(struct depth_level **levels, uint32_t most, const struct graph *g, const struct benchmark *b,
	const uint32_t *order, uint32_t crawled, const uint32_t *seeds, size_t n_seeds);

/* --- What each level of a breadth-first crawl holds: Figures 7 to 12 of Daneshpajouh, Nasiri and Ghodsi, whose
 * iteration i is level i - 1. */

struct crawl_level {
	double pages;
	double rank; /* mean PageRank of these times N; NAN without pages */
	double mass; /* PageRank of all pages so far, of all */
};

/* Fills `most` levels of the crawl from n seeds; the last one holds all deeper levels, too. */
void crawl_levels(const struct graph *g, const struct benchmark *b, const uint32_t *seed, size_t n, struct crawl_level *level,
	uint32_t most);

/* --- Average PageRank of the windows of a crawl (Najork and Wiener 2001): it falls where a crawl finds the best pages
 * first. */

/* Makes *mean, which the caller frees: for each run of `size` pages in the order crawled, the last run perhaps shorter,
 * the mean PageRank times N, which is 1 on average over the graph. Returns the number of windows. */
uint32_t window_means(double **mean, uint32_t size, const struct benchmark *b, const uint32_t *order, uint32_t crawled);

/* --- Kendall's tau-b between two rankings with ties: how alike the ranking of a crawled part and that of the whole
 * graph are. 1 is the same order, -1 the reverse, 0 no relation. */

/* Returns tau_b = (concordant - discordant) / sqrt((n0 - n1)(n0 - n2)) of n pairs (x[i], y[i]), with
 * n0 = n(n-1)/2 and n1, n2 the pairs tied in x, in y (Kendall 1945). 0 where a side is constant.
 * Knight's method (1966): sort by x, count the exchanges of a merge sort by y; O(n log n). */
double kendall_tau_b(const uint64_t *x, const uint64_t *y, uint32_t n);

/* Returns the tau-b of the first k pages of an order (Boldi, Santini, Vigna 2004): the PageRank of these pages in
 * the subgraph that they induce, to the benchmark's tolerance, against their PageRank in the whole graph. */
double kendall_of_part(const struct graph *g, const struct benchmark *b, const uint32_t *order, uint32_t k);

#endif
