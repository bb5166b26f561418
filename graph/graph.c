#include "graph/graph.h"
#include "graph/memory/mapping.h"
#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Frees the arrays of a graph on the heap. `arrays` has the labels if they belong to the graph. */
static void free_rows(struct graph *g)
{
	free((void *)(uintptr_t)g->offset);
	free((void *)(uintptr_t)g->target);
	free(g->arrays);
}

void graph_release(struct graph *g)
{
	if (g->free_arrays)
		g->free_arrays(g);
	*g = (struct graph){0};
}

void graph_take_rows(struct graph *g, uint32_t nodes, uint64_t *offset, uint32_t *target, unsigned flags)
{
	assert(nodes <= GRAPH_MAX_NODES);
	assert(offset[0] == 0);
	*g = (struct graph){.nodes = nodes,
		.arcs = offset[nodes],
		.offset = offset,
		.target = target,
		.flags = flags,
		.free_arrays = free_rows};
}

void graph_take_labels(struct graph *g, uint64_t *label)
{
	assert(g->free_arrays == free_rows && !g->arrays);
	g->label = g->arrays = label;
}

void graph_drop(const struct graph *g, uint64_t begin, uint64_t end)
{
	if (g->flags & GRAPH_BOUNDED)
		mapping_drop(g->target + begin, g->target + end);
}

int graph_find_label(const struct graph *g, uint64_t label, uint32_t *u)
{
	uint32_t low = 0, high = g->nodes;

	if (!g->label) {
		if (label >= g->nodes)
			return 0;
		*u = (uint32_t)label;
		return 1;
	}
	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		if (g->label[middle] < label)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == g->nodes || g->label[low] != label)
		return 0;
	*u = low;
	return 1;
}

enum order { ARCS_ASCEND, ARCS_ASCEND_WITH_REPEATS, ARCS_IN_ANY_ORDER };

static uint64_t arc_key(const uint32_t *from, const uint32_t *to, uint64_t a)
{
	return (uint64_t)from[a] << 32 | to[a];
}

static enum order order_of(const uint32_t *from, const uint32_t *to, uint64_t arcs)
{
	enum order order = ARCS_ASCEND;

	for (uint64_t a = 1; a < arcs; a++) {
		const uint64_t last = arc_key(from, to, a - 1), key = arc_key(from, to, a);
		if (key < last)
			return ARCS_IN_ANY_ORDER;
		if (key == last)
			order = ARCS_ASCEND_WITH_REPEATS;
	}
	return order;
}

/* Sets the offsets of arcs in ascending order: offset[u + 1] becomes the index after the last arc of u. There is no branch for each
 * row. */
static void set_offsets(uint64_t *offset, uint32_t nodes, const uint32_t *from, uint64_t arcs)
{
	memset(offset, 0, ((size_t)nodes + 1) * sizeof *offset);
	for (uint64_t a = 0; a < arcs; a++) {
		assert(from[a] < nodes);
		offset[(size_t)from[a] + 1] = a + 1;
	}
	for (size_t u = 1; u <= nodes; u++)
		offset[u] = offset[u] < offset[u - 1] ? offset[u - 1] : offset[u];
}

/* Counts how often each v occurs in `id`, and sets count[v + 1] to the begin of its run. A caller that fills each run through
 * count[v + 1]++ then finds the run of v at count[v]..count[v + 1] - 1. */
static void begin_runs(uint64_t *count, uint32_t nodes, const uint32_t *id, uint64_t arcs)
{
	memset(count, 0, ((size_t)nodes + 2) * sizeof *count);
	for (uint64_t a = 0; a < arcs; a++) {
		assert(id[a] < nodes);
		count[(size_t)id[a] + 2]++;
	}
	for (size_t v = 2; v < (size_t)nodes + 2; v++)
		count[v] += count[v - 1];
}

/* Closes the gaps that merged arcs left in target[]: before, row u is offset[u]..end[u] - 1; afterwards the rows are contiguous,
 * and offset[] is set for them. Returns the number of arcs. offset[] and end[] must not overlap. */
static uint64_t close_gaps(uint64_t *offset, const uint64_t *end, uint32_t nodes, uint32_t *target)
{
	uint64_t kept = 0;

	for (uint32_t u = 0; u < nodes; u++) {
		const uint64_t begin = offset[u], n = end[u] - begin;
		if (kept != begin)
			memmove(target + kept, target + begin, n * sizeof *target);
		offset[u] = kept;
		kept += n;
	}
	offset[nodes] = kept;
	return kept;
}

/* Sorts arcs into rows by counting: first groups the sources by target, then goes through the targets in ascending order and
 * appends each to the row of its source, so that the rows ascend and a repeated arc directly follows the first one and is
 * dropped. `target` may be the array `from` or `to`, which are read in the first half only. Returns the number of distinct arcs. */
static uint64_t sort_arcs(uint64_t *offset, uint32_t nodes, const uint32_t *from, const uint32_t *to, uint64_t arcs,
	uint32_t *target)
{
	uint64_t *in = mem_new((size_t)nodes + 2, sizeof *in);
	uint32_t *source = mem_new(arcs, sizeof *source);
	AUTO_FREE uint64_t *end = mem_new((size_t)nodes + 2, sizeof *end);

	begin_runs(end, nodes, from, arcs);
	begin_runs(in, nodes, to, arcs);
	for (uint64_t a = 0; a < arcs; a++)
		source[in[(size_t)to[a] + 1]++] = from[a];
	memcpy(offset, end + 1, ((size_t)nodes + 1) * sizeof *offset);
	for (uint32_t v = 0; v < nodes; v++)
		for (uint64_t a = in[v]; a < in[v + 1]; a++) {
			const uint32_t u = source[a];
			uint64_t *at = &end[(size_t)u + 1];
			if (*at > offset[u] && target[*at - 1] == v)
				continue;
			target[(*at)++] = v;
		}
	free(source);
	free(in);
	return close_gaps(offset, end + 1, nodes, target);
}

/* Drops the repeats of arcs that ascend; returns how many are left. */
static uint64_t drop_repeats(uint32_t *from, uint32_t *to, uint64_t arcs)
{
	uint64_t kept = 0, last = 0;

	for (uint64_t a = 0; a < arcs; a++) {
		const uint64_t key = arc_key(from, to, a);
		if (a && key == last)
			continue;
		last = key;
		from[kept] = (uint32_t)(key >> 32);
		to[kept++] = (uint32_t)key;
	}
	return kept;
}

void graph_take_arcs(struct graph *g, uint32_t nodes, uint32_t *from, uint32_t *to, uint64_t arcs)
{
	uint64_t *offset = mem_new((size_t)nodes + 1, sizeof *offset);
	const enum order order = order_of(from, to, arcs);
	uint64_t kept = arcs;

	if (order == ARCS_ASCEND_WITH_REPEATS)
		kept = drop_repeats(from, to, arcs);
	if (order == ARCS_IN_ANY_ORDER)
		kept = sort_arcs(offset, nodes, from, to, arcs, to);
	else
		set_offsets(offset, nodes, from, kept);
	free(from);
	graph_take_rows(g, nodes, offset, mem_resize(to, kept, sizeof *to), GRAPH_ORDERED);
}

void graph_from_arcs(struct graph *g, uint32_t nodes, const uint32_t *from, const uint32_t *to, uint64_t arcs)
{
	graph_take_arcs(g, nodes, mem_copy(from, arcs * sizeof *from), mem_copy(to, arcs * sizeof *to), arcs);
}

uint64_t graph_fingerprint(const struct graph *g)
{
	XXH3_state_t state;
	unsigned char number[8];

	for (int i = 0; i < 8; i++)
		number[i] = (unsigned char)((uint64_t)g->nodes >> 8 * i);
	XXH3_64bits_reset(&state);
	XXH3_64bits_update(&state, number, sizeof number);
	if (g->nodes)
		XXH3_64bits_update(&state, g->offset, ((size_t)g->nodes + 1) * sizeof *g->offset);
	for (uint64_t a = 0, n; a < g->arcs; a += n) {
		n = g->arcs - a < 1u << 21 ? g->arcs - a : 1u << 21;
		XXH3_64bits_update(&state, g->target + a, n * sizeof *g->target);
		graph_drop(g, a, a + n);
	}
	return XXH3_64bits_digest(&state);
}
