/* Graphs whose figures are known in closed form, and random ones for slow second methods. */
#ifndef TESTS_SHAPES_H
#define TESTS_SHAPES_H

#include "base/mem.h"
#include "base/rng.h"
#include "graph/graph.h"

struct shape {
	uint32_t *from, *to;
	size_t n, room;
};

static inline void shape_add(struct shape *a, uint32_t u, uint32_t v)
{
	size_t room = a->room;

	a->from = mem_grow(a->from, &room, a->n + 1, sizeof *a->from);
	a->to = mem_grow(a->to, &a->room, a->n + 1, sizeof *a->to);
	a->from[a->n] = u;
	a->to[a->n++] = v;
}

static inline void shape_end(struct shape *a, uint32_t nodes, struct graph *g)
{
	graph_from_arcs(g, nodes, a->from, a->to, a->n);
	free(a->from);
	free(a->to);
	*a = (struct shape){0};
}

static inline void shape_clique(struct graph *g, uint32_t n)
{
	struct shape a = {0};

	for (uint32_t u = 0; u < n; u++)
		for (uint32_t v = 0; v < n; v++)
			if (u != v)
				shape_add(&a, u, v);
	shape_end(&a, n, g);
}

/* u -> u + 1, and the last -> 0. */
static inline void shape_cycle(struct graph *g, uint32_t n)
{
	struct shape a = {0};

	for (uint32_t u = 0; u < n; u++)
		shape_add(&a, u, (u + 1) % n);
	shape_end(&a, n, g);
}

/* u -> u + 1; the last dangles. */
static inline void shape_path(struct graph *g, uint32_t n)
{
	struct shape a = {0};

	for (uint32_t u = 0; u + 1 < n; u++)
		shape_add(&a, u, u + 1);
	shape_end(&a, n, g);
}

/* 1..n-1 -> 0, which dangles. */
static inline void shape_star_in(struct graph *g, uint32_t n)
{
	struct shape a = {0};

	for (uint32_t u = 1; u < n; u++)
		shape_add(&a, u, 0);
	shape_end(&a, n, g);
}

/* 0 -> 1..n-1 -> 0. */
static inline void shape_star_both(struct graph *g, uint32_t n)
{
	struct shape a = {0};

	for (uint32_t u = 1; u < n; u++) {
		shape_add(&a, u, 0);
		shape_add(&a, 0, u);
	}
	shape_end(&a, n, g);
}

static inline void shape_empty(struct graph *g, uint32_t n)
{
	graph_from_arcs(g, n, NULL, NULL, 0);
}

/* Arcs between random nodes: parallel ones are merged, self-loops stay; `near` > 0 draws each
 * target within that many ids of its source. */
static inline void shape_random(struct graph *g, uint32_t n, uint64_t arcs, uint32_t near, struct rng *r)
{
	struct shape a = {0};

	for (uint64_t i = 0; i < arcs; i++) {
		uint32_t u = (uint32_t)rng_below(r, n), v = (uint32_t)rng_below(r, n);
		if (near)
			v = (uint32_t)((u + n - near % n + rng_below(r, 2 * (uint64_t)near + 1)) % n);
		shape_add(&a, u, v);
	}
	shape_end(&a, n, g);
}

static inline void assert_same_graph(const struct graph *a, const struct graph *b)
{
	assert_int_equal(a->nodes, b->nodes);
	assert_int_equal(a->arcs, b->arcs);
	assert_memory_equal(a->offset, b->offset, ((size_t)a->nodes + 1) * sizeof *a->offset);
	if (a->arcs)
		assert_memory_equal(a->target, b->target, a->arcs * sizeof *a->target);
}

#endif
