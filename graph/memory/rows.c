#include "graph/memory/rows.h"
#include "graph/memory/mapping.h"
#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define WAITING ((size_t)1 << 16) /* targets */

int rows_begin(struct rows *r, uint32_t nodes, const struct graph_space *space, struct err_note *why)
{
	assert(nodes <= GRAPH_MAX_NODES);
	*r = (struct rows){.nodes = nodes, .is_file = space && space->memory};
	if (r->is_file) {
		const int err = tempfile_open(&r->file, space->folder, why);
		if (err)
			return err;
		r->target = mem_grow(NULL, &r->room, WAITING, sizeof *r->target);
	}
	r->offset = mem_new((size_t)nodes + 1, sizeof *r->offset);
	return 0;
}

static void write_waiting(struct rows *r)
{
	tempfile_add(&r->file, r->target, r->used * sizeof *r->target);
	r->used = 0;
}

void rows_relieve(struct rows *r)
{
	if (r->is_file) {
		write_waiting(r);
		return;
	}
	r->target = mem_grow(r->target, &r->room, r->used + 1, sizeof *r->target);
	mapping_prefer_large(r->target, r->room * sizeof *r->target);
}

void rows_add_row(struct rows *r, uint32_t u, const uint32_t *target, size_t n)
{
	assert(u >= r->next && u < r->nodes);
	while (r->next <= u)
		r->offset[r->next++] = r->arcs;
	r->arcs += n;
	if (r->is_file && n > r->room - r->used) {
		write_waiting(r);
		if (n > r->room) {
			tempfile_add(&r->file, target, n * sizeof *target);
			return;
		}
	}
	r->target = mem_grow(r->target, &r->room, r->used + n, sizeof *r->target);
	if (n)
		memcpy(r->target + r->used, target, n * sizeof *target);
	r->used += n;
}

/* What a graph in a file gives back. */
struct arrays {
	struct mapping targets;
	uint64_t *offset, *label;
};

static void free_arrays(struct graph *g)
{
	AUTO_FREE struct arrays *a = g->arrays;

	mapping_close(&a->targets);
	free(a->offset);
	free(a->label);
}

/* Makes the graph of rows that lie in a temporary file, which is mapped. */
static int end_file(struct rows *r, unsigned flags, uint64_t *label, struct graph *g, struct err_note *why)
{
	struct mapping m = {0};
	int err = 0;

	write_waiting(r);
	err = tempfile_flush(&r->file, why);
	if (!err)
		err = mapping_take(&m, r->file.fd, r->file.folder, why);
	if (err) {
		free(label);
		rows_abandon(r);
		return err;
	}
	struct arrays *a = mem_new(1, sizeof *a);
	*a = (struct arrays){m, r->offset, label};
	*g = (struct graph){.nodes = r->nodes,
		.arcs = r->arcs,
		.offset = r->offset,
		.target = (const uint32_t *)(const void *)m.at,
		.label = label,
		.flags = flags | GRAPH_BOUNDED,
		.free_arrays = free_arrays,
		.arrays = a};
	r->offset = NULL;
	rows_abandon(r);
	return 0;
}

int rows_end(struct rows *r, unsigned flags, uint64_t *label, struct graph *g, struct err_note *why)
{
	*g = (struct graph){0};
	while (r->next <= r->nodes) /* GRAPH_MAX_NODES + 1 is no overflow */
		r->offset[r->next++] = r->arcs;
	if (r->is_file)
		return end_file(r, flags, label, g, why);
	graph_take_rows(g, r->nodes, r->offset, mem_resize(r->target, r->arcs, sizeof *r->target), flags);
	graph_take_labels(g, label);
	*r = (struct rows){0};
	return 0;
}

void rows_abandon(struct rows *r)
{
	tempfile_close(&r->file);
	free(r->offset);
	free(r->target);
	*r = (struct rows){0};
}
