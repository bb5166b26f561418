/* A seed method chooses the seeds of a crawl, from the graph of an earlier crawl.
 *
 * A method is a row of a table, as a policy is: a name, options, and one function. It sees nodes as dense ids,
 * hosts as numbers, and values as whole numbers of one unit; it sees no URLs and no files. The same input gives the same seeds
 * with any number of threads.
 *
 *	const struct seed_method *m = seed_method_named("hits");
 *	code = m->select(&in, 100, &out, why);               out.seed[0..out.n-1], best first
 *	seed_output_release(&out); */
#ifndef SEEDS_METHOD_H
#define SEEDS_METHOD_H

#include "base/err.h"
#include "base/opt.h"
#include "graph/graph.h"

#include <stddef.h>
#include <stdint.h>

#define SEED_VALUE_ONE INT64_C(1000000) /* the value 1, unless a file of values has more digits (seeds/values.h) */

/* A bipartite core: hubs that link to authorities. The cores of one output have no node in common. */
struct seed_core {
	uint32_t seed;
	uint32_t *hub;       /* the hubs, by descending score, then by id */
	uint32_t *authority; /* the authorities, in the order in which they joined */
	size_t hubs, authorities;
	/* the scores of hub[i] and authority[i], in 1e-9 of the greatest score in the graph when the core was made */
	uint64_t *hub_score, *authority_score;
	double density; /* the links from hubs to authorities, in percent of hubs * authorities */
};

/* The result of a method. The caller zeroes it before and releases it afterwards. */
struct seed_output {
	uint32_t *seed; /* n distinct nodes, best first */
	size_t n, room;
	struct seed_core *core; /* of the method hits: one core for each seed; other methods have none */
	size_t cores, core_room;
};

struct seed_input {
	const struct graph *graph;
	const struct graph *reverse; /* the transposed graph; NULL if the method is SEEDS_FORWARD_ONLY */
	const uint32_t *host;        /* the site of each node, a number; NULL if sites are not known */
	const int64_t *value;        /* the value of each node, all in one unit; NULL: SEED_VALUE_ONE for all */
	unsigned threads;            /* >= 1; does not change the result */
	uint64_t rng_seed;           /* the seed of the method's random numbers */
	const struct opt_set *opts;  /* the method's options */
	const uint8_t *barred;       /* 1 for each node that must not be a seed; NULL: none */
	/* Called with ctx before each seed: returns 1 to end the choice. NULL: the choice ends with k seeds. The
	 * seeds of a longer choice begin with those of a shorter one. */
	int (*enough)(void *ctx, const struct seed_output *);
	void *ctx;
};

/* Says whether a method should end its choice. Methods call this before each seed. */
static inline int seeds_enough(const struct seed_input *in, size_t k, const struct seed_output *out)
{
	return in->enough ? in->enough(in->ctx, out) : out->n >= k;
}

/* Says whether node v must not be a seed. */
static inline int seeds_barred(const struct seed_input *in, uint32_t v)
{
	return in->barred && in->barred[v];
}

/* Appends a seed. */
void seed_output_add(struct seed_output *out, uint32_t seed);

/* Appends a core; the output takes over its arrays. */
void seed_output_take_core(struct seed_output *out, const struct seed_core *core);

/* Frees the arrays of a core that no output has taken over. */
void seed_core_release(struct seed_core *core);

/* Frees the memory of an output. */
void seed_output_release(struct seed_output *out);

struct seed_method {
	const char *name;       /* as users type it */
	const char *summary;    /* one line for `lycosa list methods` */
	const char *source;     /* paper and section */
	const char *nothing;    /* describes the graphs in which the method finds no seed, for a message */
	const struct opt *opts; /* its options; NULL: none */
	enum { SEEDS_IGNORE_VALUES, SEEDS_USE_VALUES } values;
	enum { SEEDS_FORWARD_ONLY, SEEDS_BOTH_WAYS } ways; /* whether it needs the transposed graph */

	/* Chooses seeds into `out`: at most k, or, if in->enough is set, as many as that function wants. Fewer
	 * seeds, even none, are no error. Returns 0, or an error with a note; the caller releases `out` in each
	 * case. */
	int (*select)(const struct seed_input *, size_t k, struct seed_output *out, struct err_note *why);
};

/* All methods, in the order of `lycosa list methods`; the table ends with NULL. A new method needs a file and a line in
 * seeds/table.c. */
extern const struct seed_method *const seed_methods[];

/* Returns the method of this name, or NULL. */
const struct seed_method *seed_method_named(const char *name);

extern const struct seed_method seed_method_hits, seed_method_random, seed_method_pagerank, seed_method_harmonic,
	seed_method_outdegree, seed_method_maxout, seed_method_maxweight, seed_method_maxscc, seed_method_rootscc;

#endif
