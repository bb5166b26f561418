/* Tarjan's algorithm, without recursion and without coming back to a row: a node's row is read
 * once, when the node is entered. Its unvisited targets go on a stack at that time, and are looked
 * at again when they come off; by then they may have been visited by way of others. On a large
 * graph coming back to each row for the next target, as the recursion does, would cost a cache miss
 * a node. Only what is no root of a component waits on the stack of open nodes (Nuutila and
 * Soisalon-Soininen 1994). */
#include "graph/scc.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* From so many nodes on, more than the cache holds, the core is swept for first. */
#define CORE_NODES 500000

/* Visit numbers are 1, 2, ... in the order of entering; a closed component's nodes count as later
 * than all, so that no low can fall to theirs. */
#define UNVISITED 0
#define CLOSED    UINT32_MAX

struct frame {
	uint32_t node, number;
	uint32_t low;  /* the smallest visit number seen from here so far, less 1 */
	uint64_t base; /* the node's targets on the stack begin here */
};

struct visit {
	const struct graph *g;
	uint32_t *number;    /* by node */
	uint32_t *component; /* by node, once closed */
	uint32_t *waiting;   /* targets to be looked at again */
	size_t waiting_room;
	uint64_t waits;
	struct frame *path; /* from the root of the search to the current node's parent */
	size_t path_room;
	uint32_t depth;
	uint32_t *open; /* nodes left, whose component's root is still on the path */
	uint32_t opened, visited, closed;
};

/* Numbers v, and leaves in `f` what its row says. */
static void enter(struct visit *s, uint32_t v, struct frame *f)
{
	const uint32_t *t = graph_row(s->g, v), n = graph_outdegree(s->g, v);
	uint32_t low = s->visited++;

	s->number[v] = low + 1;
	*f = (struct frame){v, low + 1, low, s->waits};
	if (s->waits + n > s->waiting_room)
		s->waiting =
			mem_grow(s->waiting, &s->waiting_room, s->waits + n, sizeof *s->waiting);
	uint32_t *end = s->waiting + s->waits;
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t number = s->number[t[i]];
		*end = t[i];
		__builtin_prefetch(&s->g->offset[t[i]]);
		end += number == UNVISITED;
		low = number - 1 < low ? number - 1 : low; /* unvisited: 0 - 1, above all */
	}
	f->low = low;
	s->waits = (uint64_t)(end - s->waiting);
	if (s->waits > f->base)
		__builtin_prefetch(graph_row(s->g, end[-1]));
}

/* All that f's node leads to is visited: either it is the root of a component, which is closed, or
 * it waits for its root. Returns the low that its parent sees. */
static uint32_t leave(struct visit *s, const struct frame *f)
{
	if (f->low != f->number - 1) {
		s->open[s->opened++] = f->node;
		return f->low;
	}
	while (s->opened && s->number[s->open[s->opened - 1]] > f->number) {
		const uint32_t w = s->open[--s->opened];
		s->number[w] = CLOSED;
		s->component[w] = s->closed;
	}
	s->number[f->node] = CLOSED;
	s->component[f->node] = s->closed++;
	return CLOSED;
}

static void search(struct visit *s, uint32_t root)
{
	struct frame here;

	enter(s, root, &here);
	for (;;) {
		if (s->waits == here.base) {
			const uint32_t low = leave(s, &here);
			if (s->depth == 0)
				return;
			here = s->path[--s->depth];
			here.low = low < here.low ? low : here.low;
			continue;
		}
		const uint32_t v = s->waiting[--s->waits], number = s->number[v];
		if (number == UNVISITED) {
			if (s->depth == s->path_room)
				s->path = mem_grow(s->path, &s->path_room, (size_t)s->depth + 1,
					sizeof *s->path);
			s->path[s->depth++] = here;
			enter(s, v, &here);
		} else if (number - 1 < here.low) {
			here.low = number - 1;
		}
	}
}

static int has(const uint64_t *set, uint32_t v)
{
	return set[v / 64] >> v % 64 & 1;
}

static void put(uint64_t *set, uint32_t v)
{
	set[v / 64] |= UINT64_C(1) << v % 64;
}

static uint32_t most_links(const struct graph *g)
{
	uint32_t most = 0;

	for (uint32_t v = 1; v < g->nodes; v++)
		if (graph_outdegree(g, v) > graph_outdegree(g, most))
			most = v;
	return most;
}

/* Nodes that can be reached from `pivot`, into `from`: all that two sweeps find, up and down. */
static void sweep_from(const struct graph *g, uint32_t pivot, uint64_t *from, uint64_t *done)
{
	put(from, pivot);
	for (int k = 0; k < 2; k++) {
		for (uint32_t i = 0; i < g->nodes; i++) {
			const uint32_t v = k == 0 ? i : g->nodes - 1 - i;
			if (!has(from, v) || has(done, v))
				continue;
			put(done, v);
			for (uint64_t a = g->offset[v]; a < g->offset[v + 1]; a++)
				put(from, g->target[a]);
		}
	}
}

/* Those among `from` that reach the pivot, into `core`: all that three sweeps find. */
static void sweep_back(const struct graph *g, uint32_t pivot, const uint64_t *from, uint64_t *core)
{
	put(core, pivot);
	for (int k = 0; k < 3; k++) {
		for (uint32_t i = 0; i < g->nodes; i++) {
			const uint32_t v = k == 1 ? i : g->nodes - 1 - i;
			if (!has(from, v) || has(core, v))
				continue;
			for (uint64_t a = g->offset[v]; a < g->offset[v + 1]; a++) {
				if (has(core, g->target[a])) {
					put(core, v);
					break;
				}
			}
		}
	}
}

/* Most of a web is one component, and a depth-first search through it a cache miss after another.
 * What a few sweeps in the order of the ids find of it is searched as if it were one node, entered
 * first: visit number 1 for all, its links theirs. What is still open when these are done belongs
 * to the same component. */
static void search_core(struct visit *s)
{
	const struct graph *g = s->g;
	const size_t words = (size_t)g->nodes / 64 + 1;
	uint64_t *from = mem_big(words, sizeof *from), *core = mem_big(words, sizeof *core);
	const uint32_t pivot = most_links(g);

	sweep_from(g, pivot, from, core);
	memset(core, 0, words * sizeof *core);
	sweep_back(g, pivot, from, core);
	s->visited = 1;
	for (uint32_t v = 0; v < g->nodes; v++)
		if (has(core, v))
			s->number[v] = 1;
	for (uint32_t v = 0; v < g->nodes; v++)
		for (uint64_t a = g->offset[v]; has(core, v) && a < g->offset[v + 1]; a++)
			if (s->number[g->target[a]] == UNVISITED)
				search(s, g->target[a]);
	while (s->opened) {
		const uint32_t v = s->open[--s->opened];
		put(core, v);
	}
	for (uint32_t v = 0; v < g->nodes; v++) {
		if (has(core, v)) {
			s->number[v] = CLOSED;
			s->component[v] = s->closed;
		}
	}
	s->closed++;
	mem_big_free(from, words, sizeof *from);
	mem_big_free(core, words, sizeof *core);
}

/* Components by their smallest node. */
static void renumber(const struct graph *g, uint32_t *component, uint32_t n)
{
	uint32_t *name = mem_new(n, sizeof *name), next = 0;

	for (uint32_t c = 0; c < n; c++)
		name[c] = UINT32_MAX;
	for (uint32_t v = 0; v < g->nodes; v++) {
		uint32_t *c = &name[component[v]];
		if (*c == UINT32_MAX)
			*c = next++;
		component[v] = *c;
	}
	free(name);
}

uint32_t scc(const struct graph *g, uint32_t *component)
{
	const uint32_t n = g->nodes;
	struct visit s = {.g = g,
		.component = component,
		.number = mem_big(n, sizeof *s.number),
		.open = mem_big(n, sizeof *s.open)};

	if (n >= CORE_NODES)
		search_core(&s);
	for (uint32_t v = 0; v < n; v++)
		if (s.number[v] == UNVISITED)
			search(&s, v);
	renumber(g, component, s.closed);
	mem_big_free(s.number, n, sizeof *s.number);
	mem_big_free(s.open, n, sizeof *s.open);
	free(s.waiting);
	free(s.path);
	return s.closed;
}
