#include "seeds/prune.h"
#include "base/mem.h"

#include <stdlib.h>

#define UNUSED UINT32_MAX

static int is_kept(const uint32_t *host, uint32_t u, uint32_t v)
{
	return host ? host[u] != host[v] : u != v;
}

/* Sets name[v] to the new id of each node that keeps an arc, and to UNUSED for all other nodes. Returns the number of nodes
 * kept, and that of arcs in *arcs. */
static uint32_t name_nodes(const struct graph *g, const uint32_t *host, uint32_t *name, uint64_t *arcs)
{
	uint32_t n = 0;

	for (uint32_t u = 0; u < g->nodes; u++)
		name[u] = UNUSED;
	*arcs = 0;
	for (uint32_t u = 0; u < g->nodes; u++) {
		for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++) {
			if (!is_kept(host, u, g->target[a]))
				continue;
			name[u] = name[g->target[a]] = 0;
			++*arcs;
		}
	}
	for (uint32_t u = 0; u < g->nodes; u++)
		if (name[u] != UNUSED)
			name[u] = n++;
	return n;
}

void prune(struct pruned *p, const struct graph *g, const uint32_t *host, unsigned threads)
{
	uint32_t *name = mem_new(g->nodes, sizeof *name);
	uint64_t arcs, at = 0;
	const uint32_t n = name_nodes(g, host, name, &arcs);
	uint64_t *offset = mem_new((size_t)n + 1, sizeof *offset);
	uint32_t *target = mem_new(arcs, sizeof *target);

	p->id = mem_new(n, sizeof *p->id);
	for (uint32_t u = 0; u < g->nodes; u++) {
		if (name[u] == UNUSED)
			continue;
		p->id[name[u]] = u;
		offset[name[u]] = at;
		for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++)
			if (is_kept(host, u, g->target[a]))
				target[at++] = name[g->target[a]];
	}
	offset[n] = at;
	free(name);
	graph_take_rows(&p->graph, n, offset, target, g->flags & GRAPH_ORDERED);
	graph_transpose(&p->graph, &p->reverse, threads);
}

void pruned_release(struct pruned *p)
{
	graph_release(&p->reverse);
	graph_release(&p->graph);
	free(p->id);
	*p = (struct pruned){0};
}
