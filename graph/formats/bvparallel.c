/* Reads many rows at a time. The graph is cut into parts between rows such that no reference crosses a cut, so that each part
 * can be decoded alone. Writers keep chains of references short, so there is such a cut every few rows. The sum of the
 * outdegrees of the parts before says where the targets of a part are stored. */
#include "graph/memory/blocks.h"
#include "graph/formats/bvgraph.h"
#include "graph/formats/bvloading.h"
#include "base/mem.h"

#include <stdlib.h>
#include <unistd.h>

#define PARTS_A_THREAD 4
#define LEAST_ARCS     100000 /* fewer are not worth a thread */
#define WINDOW_MOST    1000   /* with a larger window no cut is searched for */
#define SEARCH_MOST    100000 /* the most rows that are looked at to find a cut */

struct part {
	uint32_t begin, end; /* rows */
	uint64_t place;      /* of the first row's first bit */
	uint64_t next_place; /* of the row behind the last */
	uint64_t arcs, done; /* of the part; before it */
	int is_good;
};

struct parallel {
	const struct bvloading *l;
	struct part *part;
	uint32_t parts;
};

int bvloading_places(struct bvloading *l)
{
	const struct bvproperties *p = &l->properties;
	char *path = bvgraph_path(l->path, ".offsets");
	struct mapping file = {0};
	int is_good = access(path, R_OK) == 0 && mapping_open(&file, path, NULL) == 0;
	struct bits b = {file.at, (uint64_t)file.size * 8, 0};
	const int is_gamma = p->codes.offset == BITS_GAMMA;
	uint64_t place = 0;

	for (uint64_t x = 0; is_good && x <= p->nodes; x++) {
		const uint64_t gap = is_gamma ? bits_gamma(&b) : bits_read(&b, p->codes.offset, p->codes.zeta);
		if (bits_failed(&b) || gap > (uint64_t)l->bits.size * 8 - place)
			is_good = 0;
		l->offset[x] = place += gap;
	}
	mapping_close(&file);
	free(path);
	return is_good && l->offset[0] == 0;
}

static int peek(const struct bvloading *l, uint32_t x, uint64_t *degree, uint64_t *back)
{
	struct bvrows r;

	bvloading_rows(l, &r);
	r.in.place = l->offset[x];
	return bvrows_peek(&r, degree, back);
}

/* Returns the first row from `from` on before which the graph can be cut: no reference of this row or of a later one leads to a
 * row before it. Returns `nodes` if none is found. A reference from x to x - b forbids the cuts x - b + 1 .. x. */
static uint32_t find_cut(const struct bvloading *l, uint32_t from)
{
	const uint64_t nodes = l->properties.nodes, window = l->properties.window;
	uint64_t cut = from, degree, back;

	for (uint64_t x = from; x < cut + window; x++) {
		if (x == nodes)
			return (uint32_t)(cut < nodes ? cut : nodes);
		if (x - from > SEARCH_MOST || peek(l, (uint32_t)x, &degree, &back))
			return (uint32_t)nodes;
		if (back > x - cut)
			cut = x + 1;
	}
	return (uint32_t)cut;
}

/* Cuts the rows into parts of about the same number of nodes, at rows that need no row of another part. */
static void cut_parts(struct parallel *w, uint32_t parts)
{
	const uint32_t nodes = (uint32_t)w->l->properties.nodes;
	uint32_t begin = 0;

	while (begin < nodes) {
		const uint32_t left = parts > w->parts ? parts - w->parts : 1;
		const uint32_t wish = begin + (nodes - begin) / left;
		const uint32_t end = wish > begin && wish < nodes ? find_cut(w->l, wish) : nodes;
		w->part[w->parts++] =
			(struct part){.begin = begin, .end = end, .place = w->l->offset[begin], .next_place = w->l->offset[end]};
		begin = end;
	}
}

static void count_arcs(void *ctx, uint32_t i)
{
	const struct parallel *w = ctx;
	struct part *part = &w->part[i];
	struct bvrows r;

	bvloading_rows(w->l, &r);
	part->is_good = bvrows_sum(&r, w->l->offset + part->begin, part->end - part->begin, &part->arcs) == 0;
}

/* Decodes one part, and notes whether it has used exactly its bits and filled exactly its arcs. */
static void read_part(void *ctx, uint32_t i)
{
	const struct parallel *w = ctx;
	struct part *part = &w->part[i];
	struct bvrows r;
	uint64_t need;

	bvloading_rows(w->l, &r);
	r.first = r.next = part->begin;
	r.in.place = part->place;
	r.done = part->done;
	r.most = r.room = part->done + part->arcs;
	const char *wrong = bvrows_read(&r, part->end, &need);
	free(r.spare);
	part->is_good = !wrong && !need && r.done == r.most && r.in.place == part->next_place;
}

static int all_good(const struct parallel *w)
{
	for (uint32_t i = 0; i < w->parts; i++)
		if (!w->part[i].is_good)
			return 0;
	return 1;
}

/* Sums the arcs before each part; 1 where they are as many as the properties say. */
static int place_parts(struct parallel *w)
{
	uint64_t done = 0;

	for (uint32_t i = 0; i < w->parts; i++) {
		w->part[i].done = done;
		done += w->part[i].arcs;
	}
	return done == w->l->properties.arcs;
}

int bvloading_in_parallel(struct bvloading *l, unsigned threads)
{
	const struct bvproperties *p = &l->properties;
	const uint32_t parts = (threads < 256 ? threads : 256) * PARTS_A_THREAD;
	struct parallel w = {.l = l};

	if (threads < 2 || p->arcs < LEAST_ARCS || p->window > WINDOW_MOST || !bvloading_places(l))
		return 0;
	if (l->room < p->arcs)
		l->target = mem_grow(l->target, &l->room, p->arcs, sizeof *l->target);
	w.part = mem_new((size_t)parts + 1, sizeof *w.part);
	cut_parts(&w, parts);
	blocks_run(threads, w.parts, count_arcs, &w);
	int is_good = all_good(&w) && place_parts(&w) && !bvloading_check_end(l, p->arcs, l->offset[p->nodes], NULL);
	if (is_good) {
		blocks_run(threads, w.parts, read_part, &w);
		is_good = all_good(&w);
		l->offset[p->nodes] = p->arcs;
	}
	free(w.part);
	return is_good;
}
