/* Tarjan's algorithm, without recursion and without coming back to a row: a node's row is read
 * once, when the node is entered. Its unvisited targets go on a stack at that time, and are looked
 * at again when they come off; by then they may have been visited by way of others. On a large
 * graph coming back to each row for the next target, as the recursion does, would cost a cache miss
 * a node. Nodes without targets are never entered. Only what is no root of a component waits on the
 * stack of open nodes (Nuutila and Soisalon-Soininen 1994). */
#include "graph/kernels/scc.h"
#include "base/mem.h"
#include "graph/graph.h"

#include <stdlib.h>
#include <string.h>

/* From so many nodes on, more than the cache holds, the core is swept for first. */
#define CORE_NODES 500000
#define SWEEPS     3 /* up and down by turns, from the pivot and back to it */

/* Visit numbers are 1, 2, ... in the order of entering; a closed component's nodes count as later
 * than all, so that no low can fall to theirs. */
#define UNVISITED 0
#define CLOSED    UINT32_MAX

struct frame {
	uint32_t node;
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

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* Gives v the next visit number, puts its unvisited targets on the stack `waiting`, and sets in `f` the node, its begin on this
 * stack and its low. */
static inline void enter(struct visit *s, uint32_t v, struct frame *f)
{
	const uint32_t *t = graph_row(s->g, v), n = graph_outdegree(s->g, v);
	const uint32_t *const number = s->number;
	uint32_t low = s->visited++;

	s->number[v] = low + 1;
	*f = (struct frame){v, 0, s->waits};
	if (s->waits + n > s->waiting_room)
		s->waiting = mem_grow(s->waiting, &s->waiting_room, s->waits + n, sizeof *s->waiting);
	uint32_t *end = s->waiting + s->waits;
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t seen = number[t[i]];
		*end = t[i];
		__builtin_prefetch(&s->g->offset[t[i]]);
		end += seen == UNVISITED;
		low = least(low, seen - 1); /* unvisited: 0 - 1, above all */
	}
	f->low = low;
	s->waits = (uint64_t)(end - s->waiting);
	if (s->waits > f->base)
		__builtin_prefetch(graph_row(s->g, end[-1]));
}

/* Leaves a node when all targets of it are visited: if it is the root of a component, closes the component; otherwise puts the
 * node on the stack of open nodes. Returns the low that its parent has to take into account. */
static inline uint32_t leave(struct visit *s, const struct frame *f)
{
	const uint32_t number = s->number[f->node];

	if (f->low != number - 1) {
		s->open[s->opened++] = f->node;
		return f->low;
	}
	while (s->opened && s->number[s->open[s->opened - 1]] > number) {
		const uint32_t w = s->open[--s->opened];
		s->number[w] = CLOSED;
		s->component[w] = s->closed;
	}
	s->number[f->node] = CLOSED;
	s->component[f->node] = s->closed++;
	return CLOSED;
}

/* Searches depth-first from a node, with a stack of its own in place of recursion. */
static void search(struct visit *s, uint32_t root)
{
	struct frame here;

	enter(s, root, &here);
	for (;;) {
		while (s->waits > here.base) {
			const uint32_t v = s->waiting[--s->waits], number = s->number[v];
			if (number != UNVISITED) {
				here.low = least(here.low, number - 1);
				continue;
			}
			if (s->depth == s->path_room)
				s->path = mem_grow(s->path, &s->path_room, (size_t)s->depth + 1, sizeof *s->path);
			s->path[s->depth++] = here;
			enter(s, v, &here);
		}
		const uint32_t low = leave(s, &here);
		if (s->depth == 0)
			return;
		here = s->path[--s->depth];
		here.low = least(here.low, low);
	}
}

/* What the sweeps know of a node. */
#define REACHED  1 /* from the pivot */
#define FOLLOWED 2 /* its links, too */
#define CORE     4 /* it reaches the pivot as well */

static uint32_t most_links(const struct graph *g)
{
	uint32_t most = 0, links = 0;

	for (uint32_t v = 0; v < g->nodes; v++) {
		if (graph_outdegree(g, v) > links) {
			links = graph_outdegree(g, v);
			most = v;
		}
	}
	return most;
}

static uint32_t in_turn(const struct graph *g, uint32_t i, int k)
{
	return k % 2 ? g->nodes - 1 - i : i;
}

/* Marks nodes that the pivot reaches, in SWEEPS passes, which may miss some; and marks as CORE those of them that are seen to
 * reach it. */
static void sweep_from(const struct graph *g, uint8_t *mark)
{
	for (int k = 0; k < SWEEPS; k++) {
		for (uint32_t i = 0; i < g->nodes; i++) {
			const uint32_t v = in_turn(g, i, k);
			unsigned seen = 0;
			if ((mark[v] & (REACHED | FOLLOWED)) != REACHED)
				continue;
			for (uint64_t a = g->offset[v]; a < g->offset[v + 1]; a++) {
				uint8_t *at = &mark[g->target[a]];
				seen |= *at;
				*at |= REACHED;
			}
			mark[v] |= (uint8_t)(FOLLOWED | (seen & CORE));
		}
	}
}

static int reaches_core(const struct graph *g, uint32_t v, const uint8_t *mark)
{
	for (uint64_t a = g->offset[v]; a < g->offset[v + 1]; a++)
		if (mark[g->target[a]] & CORE)
			return 1;
	return 0;
}

/* Marks nodes that reach the pivot, of those that it reaches. */
static void sweep_back(const struct graph *g, uint8_t *mark)
{
	for (int k = SWEEPS; k < 2 * SWEEPS - 1; k++) {
		for (uint32_t i = 0; i < g->nodes; i++) {
			const uint32_t v = in_turn(g, i, k);
			if ((mark[v] & (REACHED | CORE)) == REACHED && reaches_core(g, v, mark))
				mark[v] |= CORE;
		}
	}
}

/* Searches from the core. Most of a web is one component, in which a depth-first search has a cache miss at each node. So the
 * part of it that a few sweeps in the order of the ids find, the core, is searched as if it were a single node that is entered
 * first: its nodes have the visit number 1, and its links are those of all of them. Whatever the core reaches can then be
 * searched in any order, since nodes that are still open at the end belong to the component of the core. */
static void search_core(struct visit *s, uint32_t pivot)
{
	const struct graph *g = s->g;
	uint8_t *mark = mem_big(g->nodes, sizeof *mark);

	mark[pivot] = REACHED | CORE;
	sweep_from(g, mark);
	sweep_back(g, mark);
	s->visited = 1;
	for (uint32_t v = 0; v < g->nodes; v++)
		if (mark[v] & CORE)
			s->number[v] = 1;
	for (uint32_t v = 0; v < g->nodes; v++) {
		if (mark[v] == (REACHED | CORE)) {
			for (uint64_t a = g->offset[v]; a < g->offset[v + 1]; a++)
				if (s->number[g->target[a]] == UNVISITED)
					search(s, g->target[a]);
		} else if (mark[v] && s->number[v] == UNVISITED) {
			search(s, v);
		}
	}
	while (s->opened)
		mark[s->open[--s->opened]] = CORE;
	for (uint32_t v = 0; v < g->nodes; v++) {
		if (mark[v] & CORE) {
			s->number[v] = CLOSED;
			s->component[v] = s->closed;
		}
	}
	s->closed++;
	mem_big_free(mark, g->nodes, sizeof *mark);
}

/* Closes the nodes without links, which are components of their own and many in a web. */
static void close_dangling(struct visit *s)
{
	for (uint32_t v = 0; v < s->g->nodes; v++) {
		const uint32_t is_dangling = graph_outdegree(s->g, v) == 0;
		s->number[v] = is_dangling ? CLOSED : UNVISITED;
		s->component[v] = s->closed;
		s->closed += is_dangling;
	}
}

/* Renumbers the components in the order of their smallest nodes. name[n] is scratch memory, which need not be initialised. */
static void renumber(uint32_t nodes, uint32_t *component, uint32_t *name, uint32_t n)
{
	uint32_t next = 0;

	memset(name, 0xff, n * sizeof *name);
	for (uint32_t v = 0; v < nodes; v++) {
		uint32_t *at = &name[component[v]];
		const uint32_t is_new = *at == UINT32_MAX;
		*at = is_new ? next : *at;
		next += is_new;
		component[v] = *at;
	}
}

uint32_t scc(const struct graph *g, uint32_t *component)
{
	const size_t n = g->nodes;
	uint32_t *number = mem_big(n, 2 * sizeof *number);
	struct visit s = {.g = g, .component = component, .number = number, .open = number + n};

	close_dangling(&s);
	if (n >= CORE_NODES && g->arcs)
		search_core(&s, most_links(g));
	for (uint32_t v = 0; v < n; v++)
		if (s.number[v] == UNVISITED)
			search(&s, v);
	renumber(g->nodes, component, number, s.closed);
	mem_big_free(number, n, 2 * sizeof *number);
	free(s.waiting);
	free(s.path);
	return s.closed;
}

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
