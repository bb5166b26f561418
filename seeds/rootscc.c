/* RootSCC(d): let C be the strongly connected component with the greatest value. Of the components to which no other component
 * links and from which C can be reached, takes the one with the greatest value, and in it the page whose ball of radius d has
 * the greatest value. Deviation: a root all of whose pages are seeds already is passed over, and if no root is left, the seed
 * comes from C; taken literally, the paper would choose the same seed for ever. */
#include "base/mem.h"
#include "seeds/greedy.h"

#include <stdlib.h>

struct roots {
	uint8_t *entered; /* a component that another links to */
	uint32_t *seen;   /* the search in which a component was last met */
	uint32_t search;
	uint32_t *queue;
};

/* Appends the components that link to c, and were not met in this search, to the queue. Returns its new length. */
static uint32_t add_parents(const struct greedy *g, struct roots *r, uint32_t c, uint32_t n)
{
	const struct graph *reverse = g->in->reverse;

	for (uint32_t i = g->begin[c]; i < g->begin[c + 1]; i++) {
		const uint32_t *row = graph_row(reverse, g->page[i]);
		for (uint32_t k = 0, m = graph_outdegree(reverse, g->page[i]); k < m; k++) {
			const uint32_t parent = g->group[row[k]];
			if (r->seen[parent] == r->search)
				continue;
			r->seen[parent] = r->search;
			r->queue[n++] = parent;
		}
	}
	return n;
}

/* Returns, among the components from which the richest component can be reached, the richest one that no link of another component
 * enters; the richest component itself if there is none. */
static uint32_t richest_root(struct greedy *g, void *ctx)
{
	struct roots *r = ctx;
	const uint32_t richest = greedy_richest(g, NULL);
	uint32_t best = BEST_NONE, n = 1;

	if (richest == BEST_NONE)
		return BEST_NONE;
	r->seen[richest] = ++r->search; /* at most one search a page: it cannot wrap */
	r->queue[0] = richest;
	for (uint32_t at = 0; at < n; at++) {
		const uint32_t c = r->queue[at];
		n = add_parents(g, r, c, n);
		if (r->entered[c] || !g->unchosen[c])
			continue;
		if (best == BEST_NONE || g->sum[c] > g->sum[best] || (g->sum[c] == g->sum[best] && c < best))
			best = c;
	}
	return best == BEST_NONE ? richest : best;
}

static void mark_entered(const struct greedy *g, struct roots *r)
{
	const struct graph *graph = g->in->graph;

	for (uint32_t u = 0; u < graph->nodes; u++) {
		const uint32_t *row = graph_row(graph, u);
		for (uint32_t i = 0, n = graph_outdegree(graph, u); i < n; i++)
			if (g->group[row[i]] != g->group[u])
				r->entered[g->group[row[i]]] = 1;
	}
}

static int choose(const struct seed_input *in, size_t k, struct seed_output *out, struct err_note *why)
{
	struct greedy g;

	(void)why;
	greedy_init(&g, in, GREEDY_COMPONENTS);
	struct roots r = {.entered = mem_zero(g.groups, sizeof *r.entered),
		.seen = mem_zero(g.groups, sizeof *r.seen),
		.queue = mem_new(g.groups, sizeof *r.queue)};
	mark_entered(&g, &r);
	greedy_run(&g, k, richest_root, &r, out);
	free(r.entered);
	free(r.seen);
	free(r.queue);
	greedy_release(&g);
	return 0;
}

const struct seed_method seed_method_rootscc = {
	.name = "rootscc",
	.summary = "maxweight within a component without in-links that leads to the one worth most",
	.source = "Zheng, Dmitriev and Giles 2009, RootSCC",
	GREEDY_METHOD,
	.select = choose,
};
