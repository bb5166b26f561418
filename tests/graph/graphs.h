/* Small graphs for tests: the worked example, and random ones with hubs. */
#ifndef TESTS_GRAPHS_H
#define TESTS_GRAPHS_H

#include "base/mem.h"
#include "base/rng.h"
#include "graph/graph.h"

#include <stdlib.h>

/* 12 pages, 25 links, hosts a: 0-3, b: 4-5, c: 6-8, d: 9-11. */
static const uint32_t g12_from[] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 3, 4, 4, 5, 6, 6, 7, 8, 8, 9, 9, 9, 10, 10, 11};
static const uint32_t g12_to[] = {1, 2, 3, 0, 4, 5, 5, 6, 7, 8, 9, 5, 10, 0, 5, 7, 6, 5, 11, 5, 8, 10, 0, 11, 5};
static const uint32_t g12_hosts[] = {0, 0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 3};

static inline void g12(struct graph *g)
{
	graph_from_arcs(g, 12, g12_from, g12_to, sizeof g12_from / sizeof *g12_from);
}

/* n pages, about `degree` links each; one target in three is one of a few hubs; self-loops and
 * pages without links happen. */
static inline void random_graph(struct graph *g, struct rng *rng, uint32_t n, uint32_t degree)
{
	uint64_t arcs = (uint64_t)n * degree;
	uint32_t *from = mem_new(arcs, sizeof *from), *to = mem_new(arcs, sizeof *to);

	for (uint64_t i = 0; i < arcs; i++) {
		from[i] = (uint32_t)rng_below(rng, n);
		to[i] = (uint32_t)(rng_below(rng, 3) ? rng_below(rng, n) : rng_below(rng, 1 + n / 10));
	}
	graph_from_arcs(g, n, from, to, arcs);
	free(from);
	free(to);
}

/* n pages in folders of ten: a page links to its folder's first page and to some of the folder, as a menu does, to
 * itself in one case of three, and to another page of the site. One page in six has no links. */
static inline void site_graph(struct graph *g, struct rng *rng, uint32_t n)
{
	uint32_t *from = mem_new((size_t)n * 13, sizeof *from), *to = mem_new((size_t)n * 13, sizeof *to);
	uint64_t arcs = 0;

	for (uint32_t u = 0; u < n; u++) {
		if (rng_below(rng, 6) == 0)
			continue;
		for (uint32_t v = u / 10 * 10; v < u / 10 * 10 + 10 && v < n; v++)
			if (v % 10 == 0 || rng_below(rng, 2)) {
				from[arcs] = u;
				to[arcs++] = v == u && rng_below(rng, 3) ? 0 : v;
			}
		from[arcs] = u;
		to[arcs++] = (uint32_t)rng_below(rng, n);
	}
	graph_from_arcs(g, n, from, to, arcs);
	free(from);
	free(to);
}

#endif
