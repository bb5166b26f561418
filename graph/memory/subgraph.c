#include "graph/memory/subgraph.h"
#include "graph/formats/arcs.h"
#include "graph/memory/rows.h"
#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define NOT_KEPT UINT32_MAX

/* Sets now[u] to the new id of node u, or to NOT_KEPT, and id[] to the old ids. Returns the number of nodes kept. */
static uint32_t number_kept(const struct graph *g, const uint8_t *keep, uint32_t *now, uint32_t *id)
{
	uint32_t n = 0;

	for (uint32_t u = 0; u < g->nodes; u++) {
		now[u] = keep[u] ? n : NOT_KEPT;
		if (keep[u] && id)
			id[n] = u;
		n += keep[u] != 0;
	}
	return n;
}

static void add_row(struct rows *rows, const struct graph *g, uint32_t u, const uint32_t *now)
{
	for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++)
		if (now[g->target[a]] != NOT_KEPT)
			rows_add(rows, now[u], now[g->target[a]]);
}

int graph_subgraph(const struct graph *g, const uint8_t *keep, const struct graph_space *space, struct graph *part, uint32_t *id,
	struct err_note *why)
{
	uint32_t *now = mem_new(g->nodes, sizeof *now);
	const uint32_t n = number_kept(g, keep, now, id);
	uint64_t *label = NULL, passed = 0;
	struct rows rows;
	int err = rows_begin(&rows, n, space, why);

	*part = (struct graph){0};
	if (err) {
		free(now);
		return err;
	}
	if (g->label || n < g->nodes)
		label = mem_new(n, sizeof *label);
	for (uint32_t u = 0; u < g->nodes; u++) {
		if (!keep[u])
			continue;
		add_row(&rows, g, u, now);
		if (label)
			label[now[u]] = graph_label(g, u);
		graph_pass(g, &passed, u);
	}
	free(now);
	return rows_end(&rows, g->flags & GRAPH_ORDERED, label, part, why);
}

int graph_relabel(const struct graph *g, const uint32_t *order, const struct graph_space *space, struct graph *other,
	struct err_note *why)
{
	const struct arcs_nodes nodes = {.hint = g->nodes};
	uint32_t *now = mem_new(g->nodes, sizeof *now);
	struct arcs a = ARCS_EMPTY;
	uint64_t passed = 0;
	int err = 0;

	memset(now, 255, g->nodes * sizeof *now);
	for (uint32_t i = 0; i < g->nodes; i++) {
		assert(order[i] < g->nodes && now[order[i]] == UINT32_MAX);
		now[order[i]] = i;
	}
	arcs_bound(&a, space);
	for (uint32_t u = 0; u < g->nodes && !err; u++) {
		for (uint64_t i = g->offset[u]; i < g->offset[u + 1]; i++)
			arcs_add(&a, now[u], now[g->target[i]]);
		graph_pass(g, &passed, u);
		err = arcs_check(&a, "the graph", why);
	}
	free(now);
	*other = (struct graph){0};
	if (!err)
		return arcs_to_graph(&a, &nodes, "the graph", other, why);
	arcs_release(&a);
	return err;
}

void graph_first(const struct graph *g, const uint32_t *first, size_t n, uint32_t *order)
{
	uint8_t *is_there = mem_zero(g->nodes, 1);
	uint32_t found = 0;

	for (size_t i = 0; i < n; i++) {
		if (!is_there[first[i]])
			order[found++] = first[i];
		is_there[first[i]] = 1;
	}
	for (uint32_t u = 0; u < g->nodes; u++)
		if (!is_there[u])
			order[found++] = u;
	free(is_there);
}

/* Searches breadth-first from the nodes order[next..found - 1], and appends what it finds. Returns the new number of nodes in
 * order[]. */
static uint32_t search(const struct graph *g, uint8_t *is_found, uint32_t *order, uint32_t next, uint32_t found)
{
	for (; next < found; next++) {
		const uint32_t u = order[next], *row = graph_row(g, u);
		for (uint32_t i = 0, d = graph_outdegree(g, u); i < d; i++) {
			if (!is_found[row[i]])
				order[found++] = row[i];
			is_found[row[i]] = 1;
		}
	}
	return found;
}

void graph_discovery(const struct graph *g, const uint32_t *seeds, size_t n, uint32_t *order)
{
	uint8_t *is_found = mem_zero(g->nodes, 1);
	uint32_t found = 0;

	for (size_t i = 0; i < n; i++) {
		if (!is_found[seeds[i]])
			order[found++] = seeds[i];
		is_found[seeds[i]] = 1;
	}
	found = search(g, is_found, order, 0, found);
	for (uint32_t u = 0; u < g->nodes; u++) {
		if (is_found[u])
			continue;
		is_found[u] = 1;
		order[found] = u;
		found = search(g, is_found, order, found, found + 1);
	}
	free(is_found);
}
