#include "graph/kernels/components.h"

/* Returns the root of v's tree, and halves the path to it. A parent is never greater than its child, so a root is the smallest node
 * of its tree. */
static uint32_t root_of(uint32_t *parent, uint32_t v)
{
	while (parent[v] != v)
		v = parent[v] = parent[parent[v]];
	return v;
}

uint32_t components(const struct graph *g, uint32_t *component)
{
	uint32_t *parent = component, count = 0;

	for (uint32_t v = 0; v < g->nodes; v++)
		parent[v] = v;
	for (uint32_t u = 0; u < g->nodes; u++) {
		uint32_t root = root_of(parent, u);
		for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++) {
			const uint32_t v = g->target[a];
			if (parent[v] == root)
				continue;
			const uint32_t other = root_of(parent, v);
			if (other < root) {
				parent[root] = other;
				root = other;
			} else {
				parent[other] = root;
			}
		}
	}
	/* a parent has a smaller id than its child, so component[parent] is already a number when the child reads it */
	for (uint32_t v = 0; v < g->nodes; v++)
		component[v] = parent[v] == v ? count++ : component[parent[v]];
	return count;
}
