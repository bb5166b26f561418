#include "graph/scc.h"
#include "base/mem.h"

#include <stdlib.h>

#define UNVISITED UINT32_MAX

/* Tarjan's algorithm with an explicit stack of arcs (Nuutila's order of the component stack).
 * While a node is open, low[v] is the smallest visit number known to be reachable from it. */
struct visit {
	const struct graph *g;
	uint32_t *low;    /* by node; UNVISITED, or at least 0 */
	uint64_t *next;   /* by depth: the next arc of the node there */
	uint32_t *path;   /* by depth: the node */
	uint32_t *open;   /* nodes visited whose component is not closed */
	uint32_t depth, opened, visited;
	uint32_t *component; /* by node; UNVISITED while open */
	uint32_t closed;
};

static void enter(struct visit *s, uint32_t v)
{
	s->low[v] = s->visited++;
	s->path[s->depth] = v;
	s->next[s->depth++] = s->g->offset[v];
}

/* All arcs of the node on top are done: its component is closed if it is the root of one. */
static void leave(struct visit *s, uint32_t number)
{
	uint32_t v = s->path[--s->depth];

	s->open[s->opened++] = v;
	if (s->low[v] == number) {
		uint32_t w;
		/* what was opened since v was entered, v last, has numbers from v's on */
		do {
			w = s->open[--s->opened];
			s->component[w] = s->closed;
		} while (s->opened && s->low[s->open[s->opened - 1]] >= number &&
			s->component[s->open[s->opened - 1]] == UNVISITED);
		s->closed++;
	}
	if (s->depth && s->component[v] == UNVISITED) {
		uint32_t parent = s->path[s->depth - 1];
		if (s->low[v] < s->low[parent])
			s->low[parent] = s->low[v];
	}
}

static void search(struct visit *s, uint32_t root, uint32_t *number)
{
	enter(s, root);
	number[0] = s->low[root];
	while (s->depth) {
		uint32_t v = s->path[s->depth - 1];
		uint64_t end = s->g->offset[v + 1], *i = &s->next[s->depth - 1];
		int deeper = 0;
		while (*i < end && !deeper) {
			uint32_t w = s->g->target[(*i)++];
			if (s->low[w] == UNVISITED) {
				enter(s, w);
				number[s->depth - 1] = s->low[w];
				deeper = 1;
			} else if (s->component[w] == UNVISITED && s->low[w] < s->low[v]) {
				s->low[v] = s->low[w];
			}
		}
		if (!deeper)
			leave(s, number[s->depth - 1]);
	}
}

/* Components by their smallest node. */
static void renumber(const struct graph *g, uint32_t *component, uint32_t n)
{
	uint32_t *name = mem_new(n, sizeof *name), next = 0;

	for (uint32_t c = 0; c < n; c++)
		name[c] = UNVISITED;
	for (uint32_t v = 0; v < g->nodes; v++) {
		uint32_t *c = &name[component[v]];
		if (*c == UNVISITED)
			*c = next++;
		component[v] = *c;
	}
	free(name);
}

uint32_t scc(const struct graph *g, uint32_t *component)
{
	uint32_t n = g->nodes, *number = mem_new(n, sizeof *number);
	struct visit s = {.g = g,
		.low = mem_new(n, sizeof *s.low),
		.next = mem_new(n, sizeof *s.next),
		.path = mem_new(n, sizeof *s.path),
		.open = mem_new(n, sizeof *s.open),
		.component = component};

	for (uint32_t v = 0; v < n; v++)
		s.low[v] = component[v] = UNVISITED;
	for (uint32_t v = 0; v < n; v++)
		if (s.low[v] == UNVISITED)
			search(&s, v, number);
	renumber(g, component, s.closed);
	free(number);
	free(s.low);
	free(s.next);
	free(s.path);
	free(s.open);
	return s.closed;
}
