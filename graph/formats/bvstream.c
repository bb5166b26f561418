/* Rows one after the other, of which only those stay that later ones may refer to. */
#include "graph/formats/bvgraph.h"
#include "graph/formats/bvloading.h"
#include "graph/memory/rows.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define ROOM_LEAST 4096 /* arcs */

/* Makes room for `need` targets: moves the rows that later ones may refer to to the front of the array, and enlarges the array
 * if they fill much of it. */
static void make_room(struct bvloading *l, struct bvrows *r, uint64_t need)
{
	const uint64_t window = r->p->window;
	const uint32_t first = r->next > window ? (uint32_t)(r->next - window) : 0;
	const uint64_t gone = first < r->next ? r->offset[first] : r->done;

	memmove(r->target, r->target + gone, (size_t)(r->done - gone) * sizeof *r->target);
	for (uint32_t x = first; x < r->next; x++)
		r->offset[x] -= gone;
	r->done -= gone;
	r->most -= gone;
	r->first = first;
	if (2 * (need - gone) > l->room) { /* otherwise each move would make room for few rows only */
		l->target = mem_grow(l->target, &l->room, 4 * (size_t)(need - gone), sizeof *l->target);
		r->target = l->target;
		r->room = l->room;
	}
}

int bvloading_stream(struct bvloading *l, size_t room,
	int (*each)(void *ctx, uint32_t x, const uint32_t *row, uint32_t n, uint64_t end), void *ctx, struct err_note *why)
{
	const struct bvproperties *p = &l->properties;
	const char *wrong = NULL;
	struct bvrows r;
	uint64_t need, arcs = 0;
	size_t dropped = 0;
	int end = 0;

	l->room = room < ROOM_LEAST ? ROOM_LEAST : room;
	l->target = mem_new(l->room, sizeof *l->target);
	l->offset = mem_new((size_t)p->nodes + 1, sizeof *l->offset);
	bvloading_rows(l, &r);
	while (!wrong && !end && r.next < p->nodes) {
		const uint32_t x = r.next;
		const uint64_t begin = r.done;
		wrong = bvrows_read(&r, x + 1, &need);
		if (need) {
			make_room(l, &r, need);
		} else if (!wrong) {
			const uint32_t n = (uint32_t)(r.done - begin);
			arcs += n;
			end = each(ctx, x, r.target + begin, n, r.in.place);
		}
		if (r.in.place / 8 - dropped > 1u << 24) {
			mapping_drop(l->bits.at + dropped, l->bits.at + r.in.place / 8);
			dropped = r.in.place / 8;
		}
	}
	free(r.spare);
	if (end)
		return end;
	return wrong ? bvloading_damaged(l, &r, wrong, why) : bvloading_check_end(l, arcs, r.in.place, why);
}

static int add_row(void *ctx, uint32_t x, const uint32_t *row, uint32_t n, uint64_t end)
{
	(void)end;
	rows_add_row(ctx, x, row, n);
	return 0;
}

int bvloading_to_disk(struct bvloading *l, const struct graph_space *space, struct graph *g, struct err_note *why)
{
	struct rows rows;
	int err = rows_begin(&rows, (uint32_t)l->properties.nodes, space, why);

	if (err)
		return err;
	err = bvloading_stream(l, (size_t)(space->memory / 4 / sizeof *l->target), add_row, &rows, why);
	if (err) {
		rows_abandon(&rows);
		return err;
	}
	return rows_end(&rows, GRAPH_ORDERED, NULL, g, why);
}

struct offsets {
	struct bits_out bits;
	enum bits_code code;
	unsigned zeta;
	uint64_t last;
};

static void put_gap(struct offsets *o, uint64_t gap)
{
	if (o->code == BITS_UNARY)
		bits_put_unary(&o->bits, gap);
	else if (o->code == BITS_GAMMA)
		bits_put_gamma(&o->bits, gap);
	else
		bits_put_zeta(&o->bits, gap, o->zeta);
}

static int put_place(void *ctx, uint32_t x, const uint32_t *row, uint32_t n, uint64_t end)
{
	struct offsets *o = ctx;

	(void)x;
	(void)row;
	(void)n;
	put_gap(o, end - o->last);
	o->last = end;
	return 0;
}

/* Writes the .offsets file of a graph, the gaps between the places of its rows, by decoding the graph once from its beginning. */
static int write_offsets(struct bvloading *l, const char *path, struct err_note *why)
{
	const struct bvcodes *c = &l->properties.codes;
	struct offsets o = {.code = c->offset, .zeta = c->zeta};

	if (c->offset == BITS_DELTA || c->offset == BITS_NIBBLE)
		return err_set(why, ERR_USAGE, "cannot write '%s': its .properties file wants a code that only can be read", path);
	int err = bvloading_check_size(l, why);
	if (!err)
		err = output_open(&o.bits.out, path, why);
	if (err)
		return err;
	put_gap(&o, 0);
	err = bvloading_stream(l, ROOM_LEAST, put_place, &o, why);
	if (err) {
		output_abandon(o.bits.out);
		return err;
	}
	bits_finish(&o.bits);
	return output_close(o.bits.out, why);
}

int bvgraph_write_offsets(const char *path, struct err_note *why)
{
	struct bvloading l;
	int err = bvloading_open(&l, path, why);

	if (err)
		return err;
	char *offsets = bvgraph_path(path, ".offsets");
	err = write_offsets(&l, offsets, why);
	free(offsets);
	bvloading_close(&l);
	return err;
}

/* --- whether the .offsets are those of the rows */

static int compare_end(void *ctx, uint32_t x, const uint32_t *row, uint32_t n, uint64_t end)
{
	const uint64_t *offset = ctx;

	(void)row, (void)n;
	return offset[x + 1] != end;
}

int bvgraph_verify(const char *path, struct err_note *why)
{
	struct bvloading l;

	if (!bvgraph_has_offsets(path))
		return 0;
	int err = bvloading_open(&l, path, why);
	if (err)
		return err;
	err = bvloading_check_size(&l, why);
	if (!err) {
		l.offset = mem_new((size_t)l.properties.nodes + 1, sizeof *l.offset);
		const int are_read = bvloading_places(&l);
		uint64_t *offset = l.offset;
		l.offset = NULL;
		err = are_read ? bvloading_stream(&l, 0, compare_end, offset, why) : 1;
		free(offset);
	}
	if (err > 0)
		err = err_set(why, ERR_FORMAT,
			"'%s': the .offsets file beside it is damaged, or of another graph; "
			"'lycosa graph offsets' writes it anew",
			l.path);
	bvloading_close(&l);
	return err;
}
