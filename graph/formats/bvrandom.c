#include "graph/formats/bvrandom.h"
#include "graph/formats/bvgraph.h"
#include "graph/formats/bvrows.h"
#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>

#define BEYOND 16 /* the number of elements behind a row that the decoder may overwrite */

struct ids {
	uint32_t *at;
	size_t room;
	uint32_t n;
};

struct link {
	uint32_t x, n;
	uint64_t place; /* behind outdegree and reference */
};

struct bvrandom {
	struct bvloading loading; /* whose offsets are the places of the rows' bits */
	struct bvrows rows;
	struct ids row, reference;
	struct link *chain; /* the requested row, the row that it refers to, the row that this one refers to, and so on */
	size_t chain_room;
};

/* Reads the place of each row from the .offsets file, and checks that the last one is the end of the graph. */
static int read_places(struct bvrandom *g, const char *path, struct err_note *why)
{
	struct bvloading *l = &g->loading;
	const int err = bvloading_check_size(l, why);

	if (err)
		return err;
	if (!bvgraph_has_offsets(path))
		return err_set(why, ERR_FILE, "cannot read rows of '%s' at random: no .offsets file beside it", l->path);
	l->offset = mem_new((size_t)l->properties.nodes + 1, sizeof *l->offset);
	if (!bvloading_places(l))
		return err_set(why, ERR_FORMAT, "the .offsets file beside '%s' is damaged, or of another graph", l->path);
	return bvloading_check_end(l, l->properties.arcs, l->offset[l->properties.nodes], why);
}

int bvrandom_open(struct bvrandom **out, const char *path, struct err_note *why)
{
	struct bvrandom *g = mem_zero(1, sizeof *g);
	int err = bvloading_open(&g->loading, path, why);

	if (!err)
		err = read_places(g, path, why);
	if (err) {
		bvrandom_close(g);
		g = NULL;
	} else {
		bvloading_rows(&g->loading, &g->rows);
	}
	*out = g;
	return err;
}

void bvrandom_close(struct bvrandom *g)
{
	if (!g)
		return;
	bvloading_close(&g->loading);
	free(g->rows.spare);
	free(g->row.at);
	free(g->reference.at);
	free(g->chain);
	free(g);
}

uint32_t bvrandom_nodes(const struct bvrandom *g)
{
	return (uint32_t)g->loading.properties.nodes;
}

uint64_t bvrandom_arcs(const struct bvrandom *g)
{
	return g->loading.properties.arcs;
}

static void move_to(struct bvrandom *g, uint32_t x)
{
	g->rows.next = x;
	g->rows.in.place = g->loading.offset[x];
}

/* Writes into g->chain the rows that are needed to decode row x: row x, the row from which row x is copied, the row from which that
 * row is copied, and so on to a row that is not copied. *n becomes their number. Returns NULL, or a sentence that says why the last
 * row is damaged. */
static const char *follow(struct bvrandom *g, uint32_t x, size_t *n)
{
	const struct bvproperties *p = &g->loading.properties;
	uint64_t degree, back;

	for (*n = 0;; x -= (uint32_t)back) {
		move_to(g, x);
		if (bvrows_peek(&g->rows, &degree, &back))
			return "the bits run out";
		if (degree > p->nodes || degree > p->arcs)
			return "its outdegree is too large";
		if (back > p->window || back > x)
			return "its reference goes back too far";
		if (*n == g->chain_room)
			g->chain = mem_grow(g->chain, &g->chain_room, *n + 1, sizeof *g->chain);
		g->chain[(*n)++] = (struct link){x, (uint32_t)degree, g->rows.in.place};
		if (!back)
			return NULL;
	}
}

/* Reads a row that refers to the one in g->row, or to none, into g->row. */
static const char *read_next(struct bvrandom *g, const struct link *link, int is_first)
{
	struct ids last = g->row;

	g->row = g->reference;
	g->reference = last;
	if (g->row.room < (size_t)link->n + BEYOND)
		g->row.at = mem_grow(g->row.at, &g->row.room, (size_t)link->n + BEYOND, sizeof *g->row.at);
	g->row.n = link->n;
	g->rows.next = link->x;
	g->rows.in.place = link->place;
	const char *wrong = bvrows_read_alone(&g->rows, link->n, is_first ? NULL : last.at, last.n, g->row.at, g->row.room);
	if (!wrong && g->rows.in.place != g->loading.offset[(size_t)link->x + 1])
		wrong = "it does not end where the next begins";
	return wrong;
}

int bvrandom_row(struct bvrandom *g, uint32_t x, const uint32_t **row, uint32_t *n, struct err_note *why)
{
	size_t links;

	assert(x < g->loading.properties.nodes);
	const char *wrong = follow(g, x, &links);
	for (size_t i = links; !wrong && i--;)
		wrong = read_next(g, &g->chain[i], i == links - 1);
	if (wrong) {
		move_to(g, g->rows.next);
		return bvloading_damaged(&g->loading, &g->rows, wrong, why);
	}
	*row = g->row.at;
	*n = g->row.n;
	return 0;
}
