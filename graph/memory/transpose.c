/* Counting: one pass counts the in-links of each node, the next puts each arc in its place.
 *
 * A thread owns a range of *targets*, reads all arcs and places those into its range. Each row is
 * filled in the order in which the arcs stand, by one thread, whatever their number; nothing has
 * to be merged, and no memory is needed beyond the result. Reading an arc that is another's is a
 * fraction of placing one, since that is a cache miss on a large graph. */
#include "base/mem.h"
#include "graph/formats/arcs.h"
#include "graph/graph.h"
#include "graph/memory/blocks.h"

#include <string.h>

/* The reverse graph within a bounded memory: all arcs, turned round, sorted on the disk. */

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

/* Below this many arcs threads cost more than they bring. */
#define ARCS_A_THREAD 200000

struct job {
	const struct graph *g;
	uint64_t *offset;
	uint32_t *target;
	struct blocks part; /* of the targets, a part a thread */
};

static void release_arrays(struct graph *g)
{
	mem_big_free((void *)(uintptr_t)g->offset, (size_t)g->nodes + 1, sizeof *g->offset);
	mem_big_free((void *)(uintptr_t)g->target, g->arcs, sizeof *g->target);
}

/* Counts the in-links of each node v of part i into offset[v + 1]. */
static void count_part(void *ctx, uint32_t i)
{
	const struct job *j = ctx;
	const uint32_t low = j->part.cut[i], width = j->part.cut[i + 1] - low;
	uint64_t *count = j->offset + 1;

	for (uint64_t a = 0; a < j->g->arcs; a++) {
		const uint32_t v = j->g->target[a];
		if (v - low < width)
			count[v]++;
	}
}

/* Places the arcs of the targets of part i. Meanwhile offset[v] is the position for the next in-link of v; afterwards it is the
 * end of v's row. */
static void place_part(void *ctx, uint32_t i)
{
	const struct job *j = ctx;
	const uint32_t low = j->part.cut[i], width = j->part.cut[i + 1] - low;

	for (uint32_t u = 0; u < j->g->nodes; u++) {
		const uint64_t end = j->g->offset[u + 1];
		for (uint64_t a = j->g->offset[u]; a < end; a++) {
			const uint32_t v = j->g->target[a];
			if (v - low < width)
				j->target[j->offset[v]++] = u;
		}
	}
}

void graph_transpose(const struct graph *g, struct graph *reverse, unsigned threads)
{
	const size_t n = g->nodes;
	struct job j = {.g = g};
	uint64_t sum = 0;

	if (threads > g->arcs / ARCS_A_THREAD + 1)
		threads = (unsigned)(g->arcs / ARCS_A_THREAD + 1);
	j.offset = mem_big(n + 1, sizeof *j.offset);
	j.target = mem_big(g->arcs, sizeof *j.target);

	/* the in-degrees are not known yet, so the targets are divided into parts by the out-degrees */
	blocks_cut(&j.part, g->offset, g->nodes, 1, threads);
	blocks_run(threads, j.part.count, count_part, &j);
	blocks_release(&j.part);

	for (size_t v = 1; v <= n; v++)
		sum = j.offset[v] += sum;
	blocks_cut(&j.part, j.offset, g->nodes, 1, threads);
	blocks_run(threads, j.part.count, place_part, &j);
	blocks_release(&j.part);
	memmove(j.offset + 1, j.offset, n * sizeof *j.offset);
	j.offset[0] = 0;

	*reverse = (struct graph){.nodes = g->nodes,
		.arcs = g->arcs,
		.offset = j.offset,
		.target = j.target,
		.flags = GRAPH_ORDERED,
		.label = g->label,
		.free_arrays = release_arrays};
}
