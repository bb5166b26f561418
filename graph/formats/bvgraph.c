#include "graph/formats/bvgraph.h"
#include "base/mem.h"
#include "graph/formats/bvrows.h"
#include "graph/memory/blocks.h"
#include "graph/memory/rows.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Rows one after the other, of which only those stay that later ones may refer to. */

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

/* Reads many rows at a time. The graph is cut into parts between rows such that no reference crosses a cut, so that each part
 * can be decoded alone. Writers keep chains of references short, so there is such a cut every few rows. The sum of the
 * outdegrees of the parts before says where the targets of a part are stored. */

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

/* The number of bits by which a file may be longer than the rows, since writers pad the last byte or word. */
#define SPARE_BITS 192

static int ends_in(const char *path, const char *tail)
{
	const size_t n = strlen(path), k = strlen(tail);

	return n > k && strcmp(path + n - k, tail) == 0;
}

char *bvgraph_path(const char *path, const char *tail)
{
	size_t n = strlen(path);

	if (ends_in(path, ".graph"))
		n -= strlen(".graph");
	else if (ends_in(path, ".properties"))
		n -= strlen(".properties");
	char *result = mem_new(n + strlen(tail) + 1, 1);
	memcpy(result, path, n);
	strcpy(result + n, tail);
	return result;
}

static int is_there(const char *path, const char *tail)
{
	char *whole = bvgraph_path(path, tail);
	const int there = access(whole, F_OK) == 0;

	free(whole);
	return there;
}

int bvgraph_detect(const char *path)
{
	if (ends_in(path, ".graph") || ends_in(path, ".properties"))
		return access(path, F_OK) == 0;
	return is_there(path, ".graph");
}

void bvloading_rows(const struct bvloading *l, struct bvrows *r)
{
	*r = (struct bvrows){.p = &l->properties,
		.is_usual = bvrows_are_usual(&l->properties.codes),
		.most = l->properties.arcs,
		.offset = l->offset,
		.target = l->target,
		.room = l->room};
	r->in = (struct bits){l->bits.at, (uint64_t)l->bits.size * 8, 0};
}

int bvloading_damaged(const struct bvloading *l, const struct bvrows *r, const char *wrong, struct err_note *why)
{
	return err_set(why, ERR_FORMAT, "'%s' is damaged: node %u, bit %llu: %s", l->path, r->next, (unsigned long long)r->in.place,
		wrong);
}

int bvloading_check_end(const struct bvloading *l, uint64_t arcs, uint64_t place, struct err_note *why)
{
	const struct bvproperties *p = &l->properties;
	const uint64_t end = (uint64_t)l->bits.size * 8;

	if (arcs != p->arcs)
		return err_set(why, ERR_FORMAT, "'%s' has %llu arcs, but its .properties file says %llu", l->path,
			(unsigned long long)arcs, (unsigned long long)p->arcs);
	if (p->has_length ? place != p->length : end - place >= SPARE_BITS)
		return err_set(why, ERR_FORMAT,
			"'%s': the last row ends at bit %llu of %llu; its .properties file is of "
			"another graph, or cut short",
			l->path, (unsigned long long)place, (unsigned long long)(p->has_length ? p->length : end));
	return 0;
}

/* Reads the rows one after the other, without offsets. */
static int read_in_order(struct bvloading *l, struct err_note *why)
{
	const struct bvproperties *p = &l->properties;
	const char *wrong = NULL;
	struct bvrows r;
	uint64_t need;

	bvloading_rows(l, &r);
	while (!wrong && r.next < p->nodes) {
		wrong = bvrows_read(&r, (uint32_t)p->nodes, &need);
		if (need) {
			r.target = l->target = mem_grow(l->target, &l->room, need, sizeof *l->target);
			r.room = l->room;
		}
	}
	free(r.spare);
	if (wrong)
		return bvloading_damaged(l, &r, wrong, why);
	l->offset[p->nodes] = r.done;
	return bvloading_check_end(l, r.done, r.in.place, why);
}

/* Checks the announced sizes against the file's, before memory is allocated for them. */
int bvloading_check_size(const struct bvloading *l, struct err_note *why)
{
	const struct bvproperties *p = &l->properties;
	const uint64_t bytes = l->bits.size;

	if (p->nodes > bytes * 8)
		return err_set(why, ERR_FORMAT, "'%s' is damaged: %llu nodes cannot be in %llu bytes", l->path,
			(unsigned long long)p->nodes, (unsigned long long)bytes);
	if (p->arcs > ((uint64_t)1 << 24) + bytes * 4096)
		return err_set(why, ERR_TOO_BIG, "'%s': %llu arcs are more than is credible of %llu bytes", l->path,
			(unsigned long long)p->arcs, (unsigned long long)bytes);
	return 0;
}

/* Decodes the graph into memory, in parallel where the offsets allow it, or onto the disk if it needs more memory than is
 * allowed. */
static int read_graph(struct bvloading *l, const struct graph_load *load, struct graph *g, struct err_note *why)
{
	const struct bvproperties *p = &l->properties;
	int err = bvloading_check_size(l, why);

	if (err)
		return err;
	if (load->space.memory && p->arcs > load->space.memory / sizeof *l->target)
		return bvloading_to_disk(l, &load->space, g, why);
	const uint64_t usual = 16 * (uint64_t)l->bits.size; /* half a bit an arc */
	l->room = (p->arcs < usual ? p->arcs : usual) + 16;
	l->target = mem_new(l->room, sizeof *l->target);
	l->offset = mem_new((size_t)p->nodes + 1, sizeof *l->offset);
	mapping_prefer_large(l->target, l->room * sizeof *l->target);
	if (!bvloading_in_parallel(l, load->threads))
		err = read_in_order(l, why);
	if (err)
		return err;
	graph_take_rows(g, (uint32_t)p->nodes, l->offset, mem_resize(l->target, p->arcs, sizeof *l->target), GRAPH_ORDERED);
	l->offset = NULL;
	l->target = NULL;
	return 0;
}

int bvloading_open(struct bvloading *l, const char *path, struct err_note *why)
{
	char *properties = bvgraph_path(path, ".properties");
	int err = 0;

	*l = (struct bvloading){.path = bvgraph_path(path, ".graph")};
	if (access(l->path, F_OK) == 0 && access(properties, F_OK) != 0)
		err = err_set(why, ERR_FILE, "cannot open '%s': no .properties file beside it", l->path);
	else if (access(properties, F_OK) == 0 && access(l->path, F_OK) != 0)
		err = err_set(why, ERR_FILE, "cannot open '%s': no .graph file beside it", properties);
	if (!err)
		err = bvproperties_read(&l->properties, properties, why);
	if (!err)
		err = mapping_open(&l->bits, l->path, why);
	free(properties);
	if (err)
		bvloading_close(l);
	return err;
}

void bvloading_close(struct bvloading *l)
{
	mapping_close(&l->bits);
	free(l->target);
	free(l->offset);
	free(l->path);
	*l = (struct bvloading){0};
}

int bvgraph_load(const char *path, const struct graph_load *load, struct graph *g, struct err_note *why)
{
	struct bvloading l;

	*g = (struct graph){0};
	int err = bvloading_open(&l, path, why);
	if (err)
		return err;
	err = read_graph(&l, load, g, why);
	bvloading_close(&l);
	return err;
}

int bvgraph_has_offsets(const char *path)
{
	return is_there(path, ".offsets");
}
