/* A seed method: where a crawl should start, told from the graph of an earlier one.
 *
 * A method is a row of a table, as a policy is: a name, its options, and one function. It sees
 * dense ids, hosts as numbers, values in millionths; no URL and no file. The same input gives the
 * same seeds for any number of threads. */
#ifndef SEEDS_METHOD_H
#define SEEDS_METHOD_H

#include "base/err.h"
#include "base/opt.h"
#include "graph/graph.h"

#include <stddef.h>
#include <stdint.h>

#define SEED_VALUE_ONE                                                                             \
	INT64_C(1000000) /* the value 1, in the millionths that sums are exact in                  \
			  */

/* A bipartite core: hubs that link to authorities. Disjoint from all others of one output. */
struct seed_core {
	uint32_t seed;
	uint32_t *hub;       /* hubs, by (score descending, id) */
	uint32_t *authority; /* authorities, in the order in which they joined */
	size_t hubs, authorities;
	/* Their scores in 1e-9 of the greatest of the graph at that time. */
	uint64_t *hub_score, *authority_score;
	double density; /* links from hubs to authorities, in percent of all there could be */
};

/* Zeroed before, released after. */
struct seed_output {
	uint32_t *seed; /* n distinct nodes, best first */
	size_t n, room;
	struct seed_core *core; /* hits: one a seed, in their order. Else none */
	size_t cores, core_room;
};

struct seed_input {
	const struct graph *graph;
	const struct graph *reverse; /* NULL for SEEDS_FORWARD_ONLY */
	const uint32_t *host; /* site of each node, a number; NULL where hosts are not known */
	const int64_t *value; /* of each node, in millionths; NULL: all SEED_VALUE_ONE */
	unsigned threads;     /* >= 1; never changes the result */
	uint64_t rng_seed;    /* of a stream of the method's own */
	const struct opt_set *opts; /* the method's options */
	const uint8_t *barred; /* a byte a node: never a seed, though a way to others; NULL: none */
	/* Asked before each seed: whether there are enough; NULL: when there are k. Seeds of a
	 * method that is asked for more begin with those of one that is asked for fewer. */
	int (*enough)(void *ctx, const struct seed_output *);
	void *ctx;
};

static inline int seeds_enough(const struct seed_input *in, size_t k, const struct seed_output *out)
{
	return in->enough ? in->enough(in->ctx, out) : out->n >= k;
}

static inline int seeds_barred(const struct seed_input *in, uint32_t v)
{
	return in->barred && in->barred[v];
}

void seed_output_add(struct seed_output *out, uint32_t seed);
/* Takes over the arrays. */
void seed_output_take_core(struct seed_output *out, const struct seed_core *core);
void seed_core_release(struct seed_core *core);
void seed_output_release(struct seed_output *out);

struct seed_method {
	const char *name;       /* as typed */
	const char *summary;    /* a line for `lycosa list methods` */
	const char *source;     /* paper and section */
	const char *nothing;    /* what a graph is like where it finds no seed */
	const struct opt *opts; /* its own options; NULL: none */
	enum { SEEDS_IGNORE_VALUES, SEEDS_USE_VALUES } values;
	enum { SEEDS_FORWARD_ONLY, SEEDS_BOTH_WAYS } ways; /* whether it needs `reverse` */

	/* At most k seeds into `out` (k is passed over where `enough` is given), fewer where no
	 * more are to be had (even none: no error). 0,
	 * or an error with a note; then too `out` is to be released. */
	int (*select)(
		const struct seed_input *, size_t k, struct seed_output *out, struct err_note *why);
};

/* Ends with NULL; in the order in which they are listed. A new one is a file and a line in
 * seeds/table.c. */
extern const struct seed_method *const seed_methods[];

/* NULL where there is none of that name. */
const struct seed_method *seed_method_named(const char *name);

extern const struct seed_method seed_method_hits, seed_method_random, seed_method_pagerank,
	seed_method_outdegree, seed_method_maxout, seed_method_maxweight, seed_method_maxscc,
	seed_method_rootscc;

#endif
