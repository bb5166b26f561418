/* The reverse graph within a bounded memory: all arcs, turned round, sorted on the disk. */
#include "graph/formats/arcs.h"

#define AT_ONCE 1024

int graph_transpose_within(const struct graph *g, const struct graph_space *space, struct graph *reverse, struct err_note *why)
{
	const struct arcs_nodes nodes = {.hint = g->nodes};
	struct arcs a = ARCS_EMPTY;
	uint64_t passed = 0;
	int err = 0;

	arcs_bound(&a, space);
	for (uint32_t u = 0; u < g->nodes && !err; u++) {
		for (uint64_t i = g->offset[u], n; i < g->offset[u + 1]; i += n) {
			n = g->offset[u + 1] - i < AT_ONCE ? g->offset[u + 1] - i : AT_ONCE;
			arcs_room(&a, n);
			for (uint64_t k = 0; k < n; k++) {
				a.from[a.count + k] = g->target[i + k];
				a.to[a.count + k] = u;
			}
			arcs_take(&a, n);
		}
		graph_pass(g, &passed, u);
		err = arcs_check(&a, "the graph", why);
	}
	*reverse = (struct graph){0};
	if (err) {
		arcs_release(&a);
		return err;
	}
	err = arcs_to_graph(&a, &nodes, "the graph", reverse, why);
	reverse->label = g->label;
	return err;
}
