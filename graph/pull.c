#include "graph/blocks.h"
#include "graph/pull.h"
#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* How far ahead of its use a far target's value is fetched, and that many targets of padding. To
 * the second cache: it has three times the room for outstanding lines that the first has. */
#define AHEAD 64

/* Ids that 16 bits reach, with the window in the middle. */
#define REACH 65536

struct build {
	struct pull *p;
	const struct graph *g;
	const struct pull_plan *plan;
};

enum side { NEAR, FAR };

/* How a row splits: targets 0..low - 1 and high..n - 1 are far, the others near but for `self`. */
struct split {
	uint32_t low, high;
	uint32_t self; /* its own id's place where that is to be dropped, or UINT32_MAX */
	uint32_t near, far;
};

/* A window while it is laid out. */
struct draft {
	uint32_t first, rows;
	uint64_t begin, end;             /* ids that may be near */
	uint32_t lane_begin, lane_end;   /* ids of its lane */
	uint8_t skip[PULL_WINDOW];       /* 1 for a row left out */
	struct split split[PULL_WINDOW]; /* of each row */
};

/* The first place of t[0..n-1], ascending, that is not below `id`. */
static uint32_t place_of(const uint32_t *t, uint32_t n, uint64_t id)
{
	uint32_t low = 0;

	if (n == 0 || t[0] >= id)
		return 0;
	if (t[n - 1] < id)
		return n;
	while (low < n) {
		const uint32_t middle = low + (n - low) / 2;
		if (t[middle] < id)
			low = middle + 1;
		else
			n = middle;
	}
	return low;
}

static uint32_t lane_of(const struct pull *p, uint32_t w)
{
	uint32_t l = 0;

	while (p->lane[l + 1] <= w)
		l++;
	return l;
}

static void split_rows(const struct build *b, uint32_t w, struct draft *d)
{
	const struct pull *p = b->p;
	const uint32_t lane = lane_of(p, w);

	d->first = pull_first(p, w);
	d->rows = pull_first(p, w + 1) - d->first;
	d->lane_begin = pull_first(p, p->lane[lane]);
	d->lane_end = pull_first(p, p->lane[lane + 1]);
	d->begin = p->window[w].origin;
	d->end = d->begin + REACH < d->lane_end ? d->begin + REACH : d->lane_end;
	for (uint32_t i = 0; i < d->rows; i++) {
		const uint32_t v = d->first + i, n = graph_outdegree(b->g, v);
		const uint32_t *t = graph_row(b->g, v);
		struct split *s = &d->split[i];
		const unsigned mark = b->plan->mark ? b->plan->mark[v] : 0;
		d->skip[i] = mark & PULL_SKIP;
		s->low = place_of(t, n, d->begin);
		s->high = place_of(t, n, d->end);
		s->self = UINT32_MAX;
		if (mark & PULL_DROP_SELF)
			s->self = s->low + place_of(t + s->low, s->high - s->low, v);
		s->near = s->high - s->low - (s->self != UINT32_MAX);
		s->far = n - (s->high - s->low);
	}
}

/* Row i's length, or -1 where it has no place among near or far rows. */
static int64_t length_of(const struct draft *d, uint32_t i, enum side side)
{
	if (d->skip[i] || (side == FAR && !d->split[i].far))
		return -1;
	return side == FAR ? d->split[i].far : d->split[i].near;
}

/* bin[n + 1] = how many rows have n targets; those of PULL_WINDOW and more share the last. */
static void count_rows(const struct draft *d, enum side side, uint32_t *bin)
{
	memset(bin, 0, (PULL_WINDOW + 2) * sizeof *bin);
	for (uint32_t i = 0; i < d->rows; i++) {
		const int64_t n = length_of(d, i, side);
		if (n >= 0)
			bin[(n < PULL_WINDOW ? n : PULL_WINDOW) + 1]++;
	}
}

/* A class for each length below PULL_WINDOW that there is, and for each longer row. */
static void measure_side(const struct draft *d, enum side side, uint32_t *rows, uint64_t *classes)
{
	uint32_t bin[PULL_WINDOW + 2];

	count_rows(d, side, bin);
	*rows = bin[PULL_WINDOW + 1];
	*classes = bin[PULL_WINDOW + 1];
	for (uint32_t n = 0; n < PULL_WINDOW; n++) {
		*rows += bin[n + 1];
		*classes += bin[n + 1] != 0;
	}
}

/* How much of everything window w takes: left in window[w + 1], to be summed up. */
static void measure(void *ctx, uint32_t w)
{
	const struct build *b = ctx;
	struct pull_window *size = &b->p->window[w + 1];
	struct draft *d = mem_new(1, sizeof *d);

	split_rows(b, w, d);
	measure_side(d, NEAR, &size->near_row, &size->near_class);
	measure_side(d, FAR, &size->far_row, &size->far_class);
	for (uint32_t i = 0; i < d->rows; i++) {
		size->near += d->skip[i] ? 0 : d->split[i].near;
		size->far += d->skip[i] ? 0 : d->split[i].far;
	}
	free(d);
}

/* The rows class by class, by counting, into id[] and class[]. Returns how many rows. */
static uint32_t sort_rows(
	const struct draft *d, enum side side, uint16_t *id, struct pull_class *class)
{
	uint32_t bin[PULL_WINDOW + 2];

	count_rows(d, side, bin);
	for (uint32_t n = 0; n <= PULL_WINDOW; n++) {
		if (n < PULL_WINDOW && bin[n + 1])
			*class ++ = (struct pull_class){n, bin[n + 1]};
		bin[n + 1] += bin[n];
	}
	for (uint32_t i = 0; i < d->rows; i++) {
		const int64_t n = length_of(d, i, side);
		if (n >= PULL_WINDOW)
			*class ++ = (struct pull_class){(uint32_t)n, 1};
		if (n >= 0)
			id[bin[n < PULL_WINDOW ? n : PULL_WINDOW]++] = (uint16_t)i;
	}
	return bin[PULL_WINDOW];
}

/* Targets in another lane stand as nodes + target. */
static uint32_t *copy_far(
	const struct pull *p, const struct draft *d, uint32_t *far, const uint32_t *t, uint32_t n)
{
	for (uint32_t j = 0; j < n; j++) {
		const int mine = t[j] - d->lane_begin < d->lane_end - d->lane_begin;
		*far++ = mine ? t[j] : p->nodes + t[j];
	}
	return far;
}

static void fill(void *ctx, uint32_t w)
{
	const struct build *b = ctx;
	const struct pull *p = b->p;
	const struct pull_window *at = &p->window[w];
	struct draft *d = mem_new(1, sizeof *d);
	uint16_t *near = p->near + at->near;
	uint32_t *far = p->far + at->far;

	split_rows(b, w, d);
	uint32_t rows =
		sort_rows(d, NEAR, p->near_row + at->near_row, p->near_class + at->near_class);
	for (uint32_t k = 0; k < rows; k++) {
		const uint32_t i = p->near_row[at->near_row + k];
		const struct split *s = &d->split[i];
		const uint32_t *t = graph_row(b->g, d->first + i);
		for (uint32_t j = s->low; j < s->high; j++)
			if (j != s->self)
				*near++ = (uint16_t)(t[j] - at->origin);
	}
	rows = sort_rows(d, FAR, p->far_row + at->far_row, p->far_class + at->far_class);
	for (uint32_t k = 0; k < rows; k++) {
		const uint32_t i = p->far_row[at->far_row + k], v = d->first + i;
		const struct split *s = &d->split[i];
		const uint32_t *t = graph_row(b->g, v), n = graph_outdegree(b->g, v);
		far = copy_far(p, d, far, t, s->low);
		far = copy_far(p, d, far, t + s->high, n - s->high);
	}
	free(d);
}

/* Lanes of about equal work, which end where windows end. */
static void cut_lanes(struct pull *p, const struct graph *g, uint32_t most)
{
	struct blocks part;

	assert(most == 1 || p->nodes < UINT32_C(1) << 31);
	blocks_cut(&part, g->offset, g->nodes, 1, most);
	p->lane = mem_new((size_t)part.count + 1, sizeof *p->lane);
	p->lanes = part.count;
	for (uint32_t l = 0; l < part.count; l++)
		p->lane[l] = (part.cut[l] + PULL_WINDOW / 2) / PULL_WINDOW;
	p->lane[p->lanes] = p->windows;
	blocks_release(&part);
}

void pull_build(struct pull *p, const struct graph *g, const struct pull_plan *plan)
{
	struct build b = {p, g, plan};

	assert(g->flags & GRAPH_ORDERED);
	*p = (struct pull){.nodes = g->nodes};
	p->windows = (uint32_t)(((uint64_t)g->nodes + PULL_WINDOW - 1) / PULL_WINDOW);
	p->window = mem_zero((size_t)p->windows + 1, sizeof *p->window);
	cut_lanes(p, g, plan->lanes);
	for (uint32_t w = 0; w < p->windows; w++) {
		const uint32_t margin = (REACH - PULL_WINDOW) / 2;
		const uint32_t first = pull_first(p, w),
			       lane = pull_first(p, p->lane[lane_of(p, w)]);
		p->window[w].origin = first - lane < margin ? lane : first - margin;
	}
	blocks_run(plan->threads, p->windows, measure, &b);
	for (uint32_t w = 0; w < p->windows; w++) {
		struct pull_window *next = &p->window[w + 1], *mine = &p->window[w];
		next->near += mine->near;
		next->far += mine->far;
		next->near_row += mine->near_row;
		next->far_row += mine->far_row;
		next->near_class += mine->near_class;
		next->far_class += mine->far_class;
	}
	const struct pull_window *end = &p->window[p->windows];
	p->near = mem_big(end->near, sizeof *p->near);
	p->far = mem_big(end->far + AHEAD, sizeof *p->far);
	p->near_row = mem_big(end->near_row, sizeof *p->near_row);
	p->far_row = mem_big(end->far_row, sizeof *p->far_row);
	p->near_class = mem_zero(end->near_class, sizeof *p->near_class);
	p->far_class = mem_zero(end->far_class, sizeof *p->far_class);
	blocks_run(plan->threads, p->windows, fill, &b);
}

void pull_release(struct pull *p)
{
	if (p->window) {
		const struct pull_window *end = &p->window[p->windows];
		mem_big_free(p->near, end->near, sizeof *p->near);
		mem_big_free(p->far, end->far + AHEAD, sizeof *p->far);
		mem_big_free(p->near_row, end->near_row, sizeof *p->near_row);
		mem_big_free(p->far_row, end->far_row, sizeof *p->far_row);
	}
	free(p->near_class);
	free(p->far_class);
	free(p->window);
	free(p->lane);
	*p = (struct pull){0};
}

void pull_far(const struct pull *p, uint32_t w, const double *x, double *sum)
{
	const struct pull_window *at = &p->window[w];
	const uint32_t *t = p->far + at->far;
	const uint16_t *id = p->far_row + at->far_row;

	memset(sum, 0, (pull_first(p, w + 1) - pull_first(p, w)) * sizeof *sum);
	for (uint64_t c = at->far_class; c < at[1].far_class; c++) {
		const uint32_t n = p->far_class[c].length;
		for (uint32_t rows = p->far_class[c].rows; rows; rows--) {
			double s = 0.0;
			for (uint32_t k = 0; k < n; k++) {
				__builtin_prefetch(&x[t[k + AHEAD]], 0, 2);
				s += x[t[k]];
			}
			t += n;
			sum[*id++] = s;
		}
	}
}

static void add_near(void *ctx, uint32_t i, double s)
{
	double *sum = ctx;

	sum[i] += s;
}

void pull_sum(const struct pull *p, uint32_t w, const double *x, double *sum)
{
	pull_far(p, w, x, sum);
	pull_near(p, w, x, add_near, sum);
}
