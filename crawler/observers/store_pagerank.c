#include "crawler/observers/store_pagerank.h"
#include "base/mem.h"
#include "graph/kernels/pagerank.h"

#define TOLERANCE 1e-6

/* Reads the links of the crawled pages as a graph of all pages. */
static void read_graph(struct store *s, struct graph *g)
{
	const uint32_t n = store_pages(s), *link;
	uint64_t *offset = mem_zero((size_t)n + 1, sizeof *offset), arcs = 0;
	size_t room = 0;
	uint32_t *target = mem_grow(NULL, &room, 1, sizeof *target);

	for (uint32_t u = 0; u < n; u++) {
		const size_t links = store_links(s, u, &link, NULL);
		target = mem_grow(target, &room, (size_t)arcs + links, sizeof *target);
		for (size_t i = 0; i < links; i++)
			if (link[i] < n)
				target[arcs++] = link[i];
		offset[u + 1] = arcs;
	}
	graph_take_rows(g, n, offset, target, 0);
}

double *store_pagerank(struct store *store)
{
	struct pagerank p = PAGERANK_DEFAULT;
	double *value = mem_new((size_t)store_pages(store) + 1, sizeof *value);
	struct graph g;

	read_graph(store, &g);
	p.tolerance = TOLERANCE;
	pagerank(&g, &p, value);
	graph_release(&g);
	return value;
}
