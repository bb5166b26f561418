/* Harmonic centrality: the sum of 1 / d(u, v) over all other nodes u from which there is a path to v, d(u, v) being the length of a
 * shortest one (P. Boldi and S. Vigna, Axioms for Centrality, Internet Mathematics 10, 2014). Common Crawl ranks hosts by it.
 *
 *	struct harmonic h = {.registers = HARMONIC_REGISTERS, .threads = 4};
 *	harmonic_run(&h, &reverse, score);
 *
 * Exact: a breadth-first search against the links from every node. Otherwise HyperBall (Boldi and Vigna, In-Core Computation of
 * Geometric Centralities with HyperBall, 2013): the set of the nodes from which v is reached within t links is the union of the
 * sets within t - 1 links of v and of the nodes that link to v. Each set is kept as a HyperLogLog counter (Flajolet et al. 2007) of
 * one byte for each register, which estimates its size with a relative standard deviation of at most 1.06 / sqrt(registers). Score
 * v grows by the growth of its set, divided by t. Deviations: the size is that of Ertl's improved raw estimator (O. Ertl, New
 * Cardinality Estimation Algorithms for HyperLogLog Sketches, 2017), which has no bias for sets of any size; and the hash of a node
 * is fixed, so that equal graphs have equal scores. The errors of nodes that are reached from the same set are the same.
 *
 * The same pass gives the neighbourhood function N(t), the number of ordered pairs of nodes of which at most t links lead from one
 * to the other, each node with itself included: by HyperBall the sum of the counters. harmonic_distances() tells from it how far
 * nodes are from each other:
 *
 *	struct distances d;
 *	harmonic_distances(&h, 8, &reverse, &d);             d.value[DISTANCE_EFFECTIVE]: within it are 90% of the pairs
 *	harmonic_distances_release(&d); */
#ifndef GRAPH_KERNELS_HARMONIC_H
#define GRAPH_KERNELS_HARMONIC_H

#include "graph/graph.h"

#define HARMONIC_REGISTERS  256
#define HARMONIC_MOST       4096
#define HARMONIC_EXACT      0
#define HARMONIC_BY_SIZE    1           /* what harmonic_registers() says */
#define HARMONIC_EXACT_WORK 4000000000u /* nodes times nodes and arcs, up to which harmonic_registers() says exact */

struct harmonic {
	/* set by the caller */
	uint32_t registers; /* of a counter: a power of two from 16 to HARMONIC_MOST; HARMONIC_EXACT: none; or HARMONIC_BY_SIZE,
			       which harmonic_run() replaces */
	unsigned threads;   /* >= 1; does not change the result */
	uint64_t hash_seed; /* of the counters */
	/* results */
	uint32_t steps; /* the longest distance that was looked at */
	double error;   /* the relative standard deviation of a score by the theory, at most; 0: exact */
};

/* All but the effective diameter are of ordered pairs of different nodes, NAN where no link leads from one node to another. */
enum distance {
	DISTANCE_REACHABLE, /* the share of the pairs that have a path */
	DISTANCE_AVERAGE,   /* the mean length of a shortest path, of the pairs that have one */
	DISTANCE_SPID,      /* the variance of these lengths divided by their mean (Boldi, Rosa and Vigna, HyperANF, WWW 2011) */
	/* The least t, interpolated linearly, at which N(t) is 90% of its last value (Palmer, Gibbons and Faloutsos, ANF, KDD 2002;
	 * the interpolation as in HyperANF). N(t) counts each node with itself. 0 if N(0) is so much already. */
	DISTANCE_EFFECTIVE,
	DISTANCE_HARMONIC, /* the harmonic mean of the distances of all pairs, of infinite ones, too (Marchiori and Latora 2000) */
	DISTANCE_PAIRS     /* the neighbourhood function: from here on N(0), N(1) and so on */
};

struct distances {
	uint32_t runs, steps;
	double *value, *error; /* DISTANCE_PAIRS + steps + 1 each; error: the standard error */
};

/* Returns a key that is greater for a greater score; scores that differ by less than the rounding of sums have the same key. */
static inline uint64_t harmonic_key(double score)
{
	return (uint64_t)(score * 1e9 + 0.5);
}

/* Returns HARMONIC_EXACT for a graph that is small enough for the exact computation, or else HARMONIC_REGISTERS. */
uint32_t harmonic_registers(const struct graph *g);

/* Sets score[v] for each node of the graph whose transpose is `reverse`. Links of a node to itself have no effect. Time: exact
 * O(nodes x arcs); otherwise O(registers x arcs) for each step, of which there are at most as many as the longest distance. Memory:
 * exact 8 bytes for each node and thread; otherwise two times `registers` bytes and 14 bytes for each node. */
void harmonic_run(struct harmonic *, const struct graph *reverse, double *score);

/* Sets each score to the mean of those of so many runs, at least one, each with a hash_seed of its own, or of one run if it is
 * exact; and error[v] to the standard error of score[v]: 0 of an exact one. Of one run it is that of the theory. Of several it is
 * the runs' standard deviation divided by the root of their number, but never less than if the size of a small set were all that is
 * uncertain: its relative standard deviation is 1 / sqrt(2 registers), although runs in which no two of its elements share a
 * register agree. Of the exact scores 95% are within 1.96 errors of those of one run, and of several within Student's t of one
 * degree of freedom less. Memory: 8 bytes more for each node. */
void harmonic_scores(struct harmonic *, uint32_t runs, const struct graph *reverse, double *score, double *error);

/* Sets the distances by the mean of the neighbourhood functions of so many runs, at least one, each with a hash_seed that is drawn
 * from that of the caller; or by one run if it is exact. The errors are those of the jackknife (as in HyperANF): from the results
 * without each of the runs. They are NAN for a single run of HyperBall, and 0 for an exact one. */
void harmonic_distances(struct harmonic *, uint32_t runs, const struct graph *reverse, struct distances *);

/* Frees the memory. */
void harmonic_distances_release(struct distances *);

#endif
