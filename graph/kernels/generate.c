/* Rows are drawn in the order of the ids, each from a few random numbers and the rows just before
 * it (the copying model: a page's links are mostly those of its neighbours, the site's menu).
 *
 * Only integers, + - * / and sqrt() decide anything: IEEE arithmetic gives the same bits on any
 * machine, pow() and log() do not. */
#include "graph/kernels/generate.h"
#include "graph/memory/rows.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/rng.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FADE   (1.0 - 1.0 / 1024)
#define WINDOW 7 /* rows that may be copied from; what BVGraph looks back */

struct web {
	struct rng rng;
	uint32_t nodes, hosts;
	uint32_t *start; /* hosts + 1: the first page of each */
	double arcs_per_node, intra_host, dangling, self_loops;
	double asked, got; /* the links that late rows asked for and got, each weighted less as it ages */
	double horizon;    /* the number of pages within which a deficit of links is compensated */
	uint32_t most;     /* links of a page */

	uint64_t arcs, intra_arcs; /* so far */
	struct row {
		uint32_t *target;
		uint32_t n;
	} window[WINDOW]; /* row u at u % WINDOW; n 0 where it is of another host */
};

/* Where u's row is being made. */
struct draft {
	uint32_t u, low, high; /* the pages of its host: low..high - 1 */
	uint32_t intra, inter; /* links still wanted */
	uint32_t *target;
	uint32_t n;
};

/* Draws a number from (0, 1]. */
static double unit(struct rng *r)
{
	return (double)((rng_next(r) >> 11) + 1) * 0x1p-53;
}

/* Draws 1 with the probability `share`, else 0. */
static int happens(struct rng *r, double share)
{
	return rng_unit(r) < share;
}

/* Draws the integer below or above x, so that the mean is x. */
static uint32_t whole(struct rng *r, double x)
{
	return (uint32_t)(x + rng_unit(r));
}

static double clamp(double x, double low, double high)
{
	return x < low ? low : x > high ? high : x;
}

/* Draws a geometric number >= 1 with this mean. */
static uint32_t run_length(struct rng *r, double mean)
{
	uint32_t n = 1;

	while (n < 64 && happens(r, 1.0 - 1.0 / mean))
		n++;
	return n;
}

/* Sizes of hosts: P(size >= s) ~ 1/s, up to an eighth of the web. */
static void draw_hosts(struct web *w)
{
	struct rng r = {w->rng.state ^ 0x686f737473};
	const double least = 4.0 + w->arcs_per_node / 2.0;
	const double most = w->nodes < 64 ? w->nodes : clamp(w->nodes / 8.0, 1.0, 1e6);
	size_t room = 0;
	uint64_t at = 0;

	while (at < w->nodes) {
		w->start = mem_grow(w->start, &room, w->hosts + 2, sizeof *w->start);
		w->start[w->hosts++] = (uint32_t)at;
		at += (uint64_t)clamp(least / unit(&r), 1.0, most);
	}
	w->start[w->hosts] = w->nodes;
}

static void web_init(struct web *w, const struct generate *p)
{
	assert(p->nodes >= 1);
	*w = (struct web){.rng = {p->rng_seed}, .nodes = p->nodes};
	w->arcs_per_node = clamp(p->arcs_per_node, 0.0, p->nodes);
	w->intra_host = clamp(p->intra_host, 0.0, 1.0);
	/* a page that does not dangle has a link at least */
	w->dangling = clamp(p->dangling, clamp(1.0 - w->arcs_per_node, 0.0, 1.0), 1.0);
	w->self_loops = clamp(p->self_loops, 0.0, 1.0);
	w->horizon = clamp(w->nodes / 20.0, 16.0, 500.0);
	w->asked = w->got = w->arcs_per_node * 1024.0 + 1.0;
	draw_hosts(w);
	const double mean = w->arcs_per_node / clamp(1.0 - w->dangling, 1e-9, 1.0);
	const double all = (double)w->nodes * w->arcs_per_node;
	w->most = (uint32_t)clamp(clamp(all / 500.0, mean * 4.0 + 1.0, mean * 200.0 + 1.0), 1.0, w->nodes);
	for (int i = 0; i < WINDOW; i++)
		w->window[i].target = mem_new((size_t)w->most * 2 + 64, sizeof(uint32_t));
}

static void web_release(struct web *w)
{
	for (int i = 0; i < WINDOW; i++)
		free(w->window[i].target);
	free(w->start);
}

static void add(struct draft *d, uint32_t v)
{
	uint32_t *left = v - d->low < d->high - d->low ? &d->intra : &d->inter;

	if (*left && v != d->u) {
		d->target[d->n++] = v;
		--*left;
	}
}

/* Adds `want` distinct random ids of low..high - 1 without skip..skip_end - 1, in ascending order, by selection sampling. It is
 * for pages that link to a large share of these ids. */
static void add_sample(struct draft *d, struct rng *r, uint32_t low, uint32_t high, uint32_t skip, uint32_t skip_end, uint32_t want)
{
	uint32_t left = high - low - (skip_end - skip);

	for (uint32_t v = low; v < high && want; v++) {
		if (v - skip < skip_end - skip)
			continue;
		if (rng_below(r, left--) < want) {
			d->target[d->n++] = v;
			want--;
		}
	}
}

/* Copies runs of a row nearby, as far as links are wanted. */
static void add_copies(struct web *w, struct draft *d)
{
	const uint32_t back = 1 + (uint32_t)rng_below(&w->rng, WINDOW - 1);

	if (back > d->u - d->low || !happens(&w->rng, 0.9))
		return;
	const struct row *from = &w->window[(d->u - back) % WINDOW];
	uint32_t i = 0;
	while (i < from->n && d->intra + d->inter) {
		uint32_t end = i + run_length(&w->rng, 12.0);
		for (; i < from->n && i < end; i++)
			add(d, from->target[i]);
		i += run_length(&w->rng, 2.0);
	}
}

/* Draws the target of a fresh link within the host: 35% of the links lead to a page just after or before u, the others to one of
 * the first pages of a directory of u. The directories of a page are the aligned blocks of 4, 8, 16 ... pages around it; each size
 * is equally likely. A page that begins many directories is linked to from all of them, so that in-degrees follow a power law. */
static uint64_t near_page(struct rng *r, const struct draft *d)
{
	const uint32_t size = d->high - d->low, place = d->u - d->low;

	if (happens(r, 0.35)) {
		uint64_t distance = 1 + (uint64_t)clamp(1.0 / unit(r) - 1.0, 0.0, size);
		return distance > 1 && happens(r, 0.5) ? d->u - distance : d->u + distance;
	}
	unsigned levels = 1;
	while (size >> levels > 2)
		levels++;
	const unsigned level = 1 + (unsigned)rng_below(r, levels);
	return d->low + (place >> level << level) + run_length(r, 1.5) - 1;
}

/* Adds the fresh links within the host, in short runs. */
static void add_near(struct web *w, struct draft *d)
{
	struct rng *r = &w->rng;
	const uint32_t size = d->high - d->low;

	while (d->intra) {
		const uint32_t wanted = d->intra;
		const uint64_t begin = near_page(r, d), end = begin + run_length(r, 3.0);
		for (uint64_t v = begin; v < end; v++) {
			if (v - d->low < size)
				add(d, (uint32_t)v);
		}
		d->intra -= d->intra == wanted; /* a link that cannot be added also counts as one, so that the loop ends */
	}
}

/* Adds the links to other hosts: half of the targets are pages of popular hosts (popularity follows a power law), the others any
 * pages. */
static void add_far(struct web *w, struct draft *d)
{
	struct rng *r = &w->rng;

	while (d->inter) {
		const uint32_t wanted = d->inter;
		double u = unit(r);
		u *= u;
		u *= u;
		uint32_t v = (uint32_t)rng_below(r, w->nodes);
		if (happens(r, 0.5)) {
			struct rng place = {(uint64_t)((double)w->hosts * u)};
			uint32_t h = (uint32_t)rng_below(&place, w->hosts);
			double deep = happens(r, 0.5) ? 0.0 : rng_unit(r);
			v = w->start[h] + (uint32_t)((w->start[h + 1] - w->start[h]) * deep * deep);
		}
		if (v - d->low >= d->high - d->low)
			add(d, v);
		d->inter -= d->inter == wanted; /* the own host drawn counts too */
	}
}

static int ascending(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

static void sort_distinct(uint32_t *t, uint32_t *n)
{
	uint32_t kept = 0;

	if (*n > 48) {
		qsort(t, *n, sizeof *t, ascending);
	} else {
		for (uint32_t i = 1; i < *n; i++) {
			uint32_t v = t[i], j = i;
			for (; j && t[j - 1] > v; j--)
				t[j] = t[j - 1];
			t[j] = v;
		}
	}
	for (uint32_t i = 0; i < *n; i++) {
		if (!kept || t[kept - 1] != t[i])
			t[kept++] = t[i];
	}
	*n = kept;
}

/* Draws the numbers of links of u, within its host and to other hosts. Links that earlier pages lost, because a target was drawn
 * twice or by chance, are added to the mean of the pages that follow. */
static void draw_degree(struct web *w, struct draft *d)
{
	struct rng *r = &w->rng;
	const double mean = w->arcs_per_node / clamp(1.0 - w->dangling, 1e-9, 1.0);
	const double due = w->arcs_per_node * ((double)d->u + 1.0) - (double)w->arcs;
	const double due_intra = w->intra_host * (double)w->arcs - (double)w->intra_arcs;
	const double more = clamp((1.0 + due / (w->arcs_per_node * w->horizon + 1.0)) * w->asked / w->got, 0.25, 4.0);
	const double links = clamp(mean * more * 0.5 / sqrt(unit(r)), 1.0, w->most);
	const uint32_t size = d->high - d->low, others = w->nodes - size;
	double share = w->intra_host;

	if (share > 0.0 && share < 1.0)
		share = clamp(share + due_intra / (w->arcs_per_node * w->horizon + 1.0), 0.0, 1.0);
	w->asked = w->asked * FADE + links;
	uint32_t all = whole(r, links);
	if (all > w->most)
		all = w->most;
	d->intra = whole(r, all * share);
	if (d->intra > all || share == 1.0)
		d->intra = all;
	d->inter = all - d->intra;
	if (d->intra > size - 1) {
		if (share < 1.0)
			d->inter += d->intra - (size - 1);
		d->intra = size - 1;
	}
	if (d->inter > others) {
		if (share > 0.0)
			d->intra += d->inter - others;
		d->inter = others;
		if (d->intra > size - 1)
			d->intra = size - 1;
	}
}

/* Draws the links of a page. A page that links to more than half of the possible targets gets a random sample of them. */
static void draw_row(struct web *w, struct draft *d)
{
	const uint32_t size = d->high - d->low, others = w->nodes - size;

	if (happens(&w->rng, w->dangling))
		return;
	draw_degree(w, d);
	if (d->intra > (size - 1) / 2) {
		add_sample(d, &w->rng, d->low, d->high, d->u, d->u + 1, d->intra);
		d->intra = 0;
	}
	if (d->inter > others / 2) {
		add_sample(d, &w->rng, 0, w->nodes, d->low, d->high, d->inter);
		d->inter = 0;
	}
	add_copies(w, d);
	add_near(w, d);
	add_far(w, d);
	if (d->n == 0) { /* all led nowhere: the page would dangle */
		d->intra = w->intra_host > 0.0;
		d->inter = 1;
		add(d, d->u + 1 < d->high ? d->u + 1 : d->low);
		for (int i = 0; i < 64 && d->n == 0 && w->intra_host < 1.0; i++)
			add(d, (uint32_t)rng_below(&w->rng, w->nodes));
	}
	if (w->intra_host > 0.0 && happens(&w->rng, w->self_loops / clamp(1.0 - w->dangling, 1e-9, 1.0)))
		d->target[d->n++] = d->u;
	sort_distinct(d->target, &d->n);
}

int generate_rows(const struct generate *p, int (*row)(void *ctx, uint32_t u, const uint32_t *target, uint32_t n), void *ctx)
{
	struct web w;
	int end = 0;

	web_init(&w, p);
	for (uint32_t h = 0; h < w.hosts && !end; h++) {
		struct draft d = {.low = w.start[h], .high = w.start[h + 1]};
		for (d.u = d.low; d.u < d.high && !end; d.u++) {
			struct row *mine = &w.window[d.u % WINDOW];
			d.target = mine->target;
			d.n = d.intra = d.inter = 0;
			draw_row(&w, &d);
			mine->n = d.n;
			w.arcs += d.n;
			w.got = d.n ? w.got * FADE + d.n : w.got;
			for (uint32_t i = 0; i < d.n; i++)
				w.intra_arcs += d.target[i] - d.low < d.high - d.low;
			end = row(ctx, d.u, d.target, d.n);
		}
	}
	web_release(&w);
	return end;
}

static int keep_row(void *rows, uint32_t u, const uint32_t *target, uint32_t n)
{
	rows_add_row(rows, u, target, n);
	return 0;
}

int generate_within(const struct generate *p, const struct graph_space *space, struct graph *g, struct err_note *why)
{
	struct rows rows;
	int err = rows_begin(&rows, p->nodes, space, why);

	*g = (struct graph){0};
	if (!err)
		err = generate_rows(p, keep_row, &rows);
	return err ? err : rows_end(&rows, GRAPH_ORDERED, NULL, g, why);
}

void generate(const struct generate *p, struct graph *g)
{
	if (generate_within(p, NULL, g, NULL) != 0)
		abort(); /* memory has no errors */
}

void generate_names(const struct generate *p, struct names *n)
{
	struct web w;
	struct buf text = BUF_EMPTY, host_text = BUF_EMPTY;

	web_init(&w, p);
	*n = (struct names){.nodes = p->nodes, .hosts = w.hosts};
	n->start = mem_new(p->nodes, sizeof *n->start);
	n->host = mem_new(p->nodes, sizeof *n->host);
	n->host_start = mem_new(w.hosts, sizeof *n->host_start);
	for (uint32_t h = 0; h < w.hosts; h++) {
		n->host_start[h] = host_text.used;
		buf_format(&host_text, "h%u.test", h);
		buf_byte(&host_text, 0);
		for (uint32_t v = w.start[h]; v < w.start[h + 1]; v++) {
			n->host[v] = h;
			n->start[v] = text.used;
			buf_format(&text, "http://h%u.test/%u", h, v - w.start[h]);
			buf_byte(&text, 0);
		}
	}
	n->text = buf_take(&text);
	n->host_text = buf_take(&host_text);
	web_release(&w);
}
