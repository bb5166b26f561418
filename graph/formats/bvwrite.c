#include "base/ascii.h"
#include "graph/formats/bvgraph.h"
#include "graph/formats/bits.h"
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW       7
#define MAX_CHAIN    3
#define MIN_INTERVAL 4
#define ZETA         3

/* A row as it would be written with one reference. */
struct parts {
	uint32_t back;   /* rows the reference goes back; 0: none */
	uint32_t *block; /* lengths, copied and skipped by turns; the last one left out */
	uint32_t *left;  /* of the intervals */
	uint32_t *length;
	uint32_t *residual;
	size_t blocks, intervals, residuals, extras;
	size_t room; /* of each array */
};

struct writing {
	const struct graph *g;
	struct bits_out bits, offsets;
	uint32_t chain[WINDOW + 1]; /* of row x at x % (WINDOW + 1): references to its end */
	struct parts best, other;
};

static void release_parts(struct parts *p)
{
	free(p->block);
	free(p->left);
	free(p->length);
	free(p->residual);
}

static void need_room(struct parts *p, size_t n)
{
	if (n <= p->room)
		return;
	p->block = mem_grow(p->block, &p->room, n, sizeof *p->block);
	p->left = mem_resize(p->left, p->room, sizeof *p->left);
	p->length = mem_resize(p->length, p->room, sizeof *p->length);
	p->residual = mem_resize(p->residual, p->room, sizeof *p->residual);
}

/* Ends the run first..first + n - 1 of ids that are not copied from the reference: a run that is long enough is an interval, other
 * ids are residuals. */
static void end_run(struct parts *p, uint32_t first, uint32_t n)
{
	if (n >= MIN_INTERVAL) {
		p->left[p->intervals] = first;
		p->length[p->intervals++] = n;
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		p->residual[p->residuals++] = first + i;
}

/* Splits row[d] into what is copied from list[n] and what is not. */
static void split(struct parts *p, const uint32_t *row, size_t d, const uint32_t *list, size_t n)
{
	uint32_t first = 0, run = 0, block = 0;
	int is_copying = 1;
	size_t i = 0, k = 0;

	need_room(p, (d > n ? d : n) + 2);
	p->blocks = p->intervals = p->residuals = p->extras = 0;
	while (i < d || k < n) {
		const int is_extra = k == n || (i < d && row[i] < list[k]);
		if (is_extra) {
			if (run && row[i] != first + run) {
				end_run(p, first, run);
				run = 0;
			}
			first = run ? first : row[i];
			run++;
			p->extras++;
			i++;
			continue;
		}
		const int is_copied = i < d && row[i] == list[k];
		if (is_copied != is_copying) {
			p->block[p->blocks++] = block;
			is_copying = is_copied;
			block = 0;
		}
		block++;
		i += (size_t)is_copied;
		k++;
	}
	end_run(p, first, run);
}

/* Receives the numbers of a row after its outdegree: adds up the length of their codes, and writes them if `out` is not NULL. */
struct sink {
	uint64_t length;      /* bits so far */
	struct bits_out *out; /* NULL: only count */
};

static void put_unary(struct sink *s, uint64_t x)
{
	s->length += x + 1;
	if (s->out)
		bits_put_unary(s->out, x);
}

static void put_gamma(struct sink *s, uint64_t x)
{
	s->length += bits_gamma_length(x);
	if (s->out)
		bits_put_gamma(s->out, x);
}

static void put_zeta(struct sink *s, uint64_t x)
{
	s->length += bits_zeta_length(x, ZETA);
	if (s->out)
		bits_put_zeta(s->out, x, ZETA);
}

/* Writes a row of node x behind its out-degree: the reference with its copy blocks, the intervals, and the residuals. The sink may
 * also only count the bits. */
static void put_parts(struct sink *s, const struct parts *p, uint32_t x)
{
	put_unary(s, p->back);
	if (p->back) {
		put_gamma(s, p->blocks);
		for (size_t i = 0; i < p->blocks; i++)
			put_gamma(s, p->block[i] - (i > 0));
	}
	if (!p->extras)
		return;
	put_gamma(s, p->intervals);
	for (size_t i = 0; i < p->intervals; i++) {
		put_gamma(s, i ? p->left[i] - (p->left[i - 1] + p->length[i - 1]) - 1 : bits_unsigned((int64_t)p->left[0] - x));
		put_gamma(s, p->length[i] - MIN_INTERVAL);
	}
	for (size_t i = 0; i < p->residuals; i++)
		put_zeta(s, i ? p->residual[i] - p->residual[i - 1] - 1 : bits_unsigned((int64_t)p->residual[0] - x));
}

/* Finds the shortest way to write row x: writes it into w->best. */
static void choose(struct writing *w, uint32_t x)
{
	const struct graph *g = w->g;
	uint64_t shortest = UINT64_MAX;

	for (uint32_t back = 0; back <= WINDOW && back <= x; back++) {
		const uint32_t n = back ? graph_outdegree(g, x - back) : 0;
		if (back && (!n || w->chain[(x - back) % (WINDOW + 1)] >= MAX_CHAIN))
			continue;
		struct sink s = {0, NULL};
		w->other.back = back;
		split(&w->other, graph_row(g, x), graph_outdegree(g, x), graph_row(g, x - back), n);
		put_parts(&s, &w->other, x);
		if (s.length < shortest) {
			const struct parts swap = w->best;
			w->best = w->other;
			w->other = swap;
			shortest = s.length;
		}
	}
}

/* Writes the row of node x with the reference that takes the fewest bits. chain[] limits how many references a reader has to
 * follow. */
static void put_row(struct writing *w, uint32_t x)
{
	const uint32_t d = graph_outdegree(w->g, x);
	uint32_t *chain = &w->chain[x % (WINDOW + 1)];
	struct sink s = {0, &w->bits};

	*chain = 0;
	bits_put_gamma(&w->bits, d);
	if (!d)
		return;
	choose(w, x);
	if (w->best.back)
		*chain = w->chain[(x - w->best.back) % (WINDOW + 1)] + 1;
	put_parts(&s, &w->best, x);
}

/* Writes the .properties file that other readers of the format need. */
static void put_properties(const struct writing *w, struct output *out)
{
	const struct graph *g = w->g;
	const double bits = (double)w->bits.written;
	char text[1024];

	ascii_format(text, sizeof text,
		"#BVGraph properties\n"
		"graphclass=it.unimi.dsi.webgraph.BVGraph\n"
		"version=0\nnodes=%u\narcs=%llu\n"
		"windowsize=%d\nmaxrefcount=%d\nminintervallength=%d\nzetak=%d\n"
		"compressionflags=\nbitsperlink=%.3f\nbitspernode=%.3f\nlength=%llu\n",
		g->nodes, (unsigned long long)g->arcs, WINDOW, MAX_CHAIN, MIN_INTERVAL, ZETA,
		g->arcs ? bits / (double)g->arcs : 0.0, g->nodes ? bits / g->nodes : 0.0, (unsigned long long)w->bits.written);
	output_text(out, text);
}

/* Writes all rows, and beside each the gap to the next one into the offsets. */
static void put_rows(struct writing *w)
{
	uint64_t passed = 0;

	bits_put_gamma(&w->offsets, 0);
	for (uint32_t x = 0; x < w->g->nodes; x++) {
		const uint64_t begin = w->bits.written;
		put_row(w, x);
		graph_pass(w->g, &passed, x > WINDOW ? x - WINDOW : 0);
		bits_put_gamma(&w->offsets, w->bits.written - begin);
	}
	bits_finish(&w->bits);
	bits_finish(&w->offsets);
	release_parts(&w->best);
	release_parts(&w->other);
}

static int open_beside(struct output **out, const char *path, const char *tail, struct err_note *why)
{
	char *whole = bvgraph_path(path, tail);
	const int err = output_open(out, whole, why);

	free(whole);
	return err;
}

int bvgraph_save(const struct graph *g, const char *path, struct err_note *why)
{
	struct writing w = {.g = g};
	struct output *properties = NULL;

	if (!(g->flags & GRAPH_ORDERED))
		return err_set(why, ERR_USAGE, "cannot write '%s': a BVGraph has no order of links", path);
	if (strcmp(path, "-") == 0)
		return err_set(why, ERR_USAGE, "a BVGraph is three files, it cannot go to stdout");
	int err = open_beside(&w.bits.out, path, ".graph", why);
	if (!err)
		err = open_beside(&w.offsets.out, path, ".offsets", why);
	if (!err)
		err = open_beside(&properties, path, ".properties", why);
	if (err) {
		output_abandon(w.bits.out);
		output_abandon(w.offsets.out);
		return err;
	}
	put_rows(&w);
	put_properties(&w, properties);
	/* the file by which the graph is recognised is written last */
	err = output_close(w.bits.out, why);
	if (err)
		output_abandon(w.offsets.out);
	else
		err = output_close(w.offsets.out, why);
	if (err)
		output_abandon(properties);
	else
		err = output_close(properties, why);
	return err;
}
