#include "graph/blocks.h"
#include "graph/pull.h"
#include "base/mem.h"

#include <assert.h>
#include <stdatomic.h>
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
	_Atomic uint64_t *bit; /* of each node: it is frozen. NULL where there is one lane */
	uint32_t *rank;        /* how many are below each word of 64 */
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
	uint32_t round_begin, round_end; /* and of its round */
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

/* The part that holds `at`: begin[part] <= at < begin[part + 1]. */
static uint32_t part_of(const uint32_t *begin, uint32_t at)
{
	uint32_t part = 0;

	while (begin[part + 1] <= at)
		part++;
	return part;
}

/* Whether a far target is in another lane of the round. */
static int is_frozen(const struct draft *d, uint32_t t)
{
	return t - d->round_begin < d->round_end - d->round_begin &&
	       !(t - d->lane_begin < d->lane_end - d->lane_begin);
}

static void split_rows(const struct build *b, uint32_t w, struct draft *d)
{
	const struct pull *p = b->p;
	const uint32_t lane = part_of(p->lane, w), round = part_of(p->round, lane);

	d->first = pull_first(p, w);
	d->rows = pull_first(p, w + 1) - d->first;
	d->lane_begin = pull_first(p, p->lane[lane]);
	d->lane_end = pull_first(p, p->lane[lane + 1]);
	d->round_begin = pull_first(p, p->lane[p->round[round]]);
	d->round_end = pull_first(p, p->lane[p->round[round + 1]]);
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

static void freeze(const struct build *b, const struct draft *d, const uint32_t *t, uint32_t n)
{
	for (uint32_t j = 0; j < n; j++) {
		_Atomic uint64_t *word = &b->bit[t[j] / 64];
		const uint64_t bit = UINT64_C(1) << t[j] % 64;
		if (is_frozen(d, t[j]) && !(atomic_load_explicit(word, memory_order_relaxed) & bit))
			atomic_fetch_or_explicit(word, bit, memory_order_relaxed);
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
		const struct split *s = &d->split[i];
		const uint32_t *t = graph_row(b->g, d->first + i);
		if (d->skip[i])
			continue;
		size->near += s->near;
		size->far += s->far;
		if (b->bit) {
			freeze(b, d, t, s->low);
			freeze(b, d, t + s->high, s->far - s->low);
		}
	}
	free(d);
}

/* The rows class by class, by counting, into id[] and class[]. Returns how many rows. */
static uint32_t sort_rows(
	const struct draft *d, enum side side, uint16_t *id, struct pull_class *kind)
{
	uint32_t bin[PULL_WINDOW + 2];

	count_rows(d, side, bin);
	for (uint32_t n = 0; n <= PULL_WINDOW; n++) {
		if (n < PULL_WINDOW && bin[n + 1])
			*kind++ = (struct pull_class){n, bin[n + 1]};
		bin[n + 1] += bin[n];
	}
	for (uint32_t i = 0; i < d->rows; i++) {
		const int64_t n = length_of(d, i, side);
		if (n >= PULL_WINDOW)
			*kind++ = (struct pull_class){(uint32_t)n, 1};
		if (n >= 0)
			id[bin[n < PULL_WINDOW ? n : PULL_WINDOW]++] = (uint16_t)i;
	}
	return bin[PULL_WINDOW];
}

static uint32_t *copy_far(
	const struct build *b, const struct draft *d, uint32_t *far, const uint32_t *t, uint32_t n)
{
	for (uint32_t j = 0; j < n; j++) {
		if (!is_frozen(d, t[j])) {
			*far++ = t[j];
			continue;
		}
		const uint64_t below = b->bit[t[j] / 64] & ((UINT64_C(1) << t[j] % 64) - 1);
		*far++ = b->p->nodes + b->rank[t[j] / 64] + (uint32_t)__builtin_popcountll(below);
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
		const uint32_t *t = graph_row(b->g, v);
		far = copy_far(b, d, far, t, s->low);
		far = copy_far(b, d, far, t + s->high, s->far - s->low);
	}
	free(d);
}

/* Lanes of about equal work, which end where windows end, and their rounds. */
static void cut_lanes(struct pull *p, const struct graph *g, const struct pull_plan *plan)
{
	struct blocks part;

	assert(plan->lanes == 1 || p->nodes < UINT32_C(1) << 31);
	blocks_cut(&part, g->offset, g->nodes, 1, plan->lanes);
	p->lanes = part.count;
	p->lane = mem_new((size_t)p->lanes + 1, sizeof *p->lane);
	for (uint32_t l = 0; l < p->lanes; l++)
		p->lane[l] = (part.cut[l] + PULL_WINDOW / 2) / PULL_WINDOW;
	p->lane[p->lanes] = p->windows;
	blocks_release(&part);

	p->rounds = (p->lanes + plan->abreast - 1) / plan->abreast;
	p->round = mem_new((size_t)p->rounds + 1, sizeof *p->round);
	for (uint32_t r = 0; r < p->rounds; r++)
		p->round[r] = r * plan->abreast;
	p->round[p->rounds] = p->lanes;
}

/* The frozen ids in ascending order, from their bits, and where those of each round begin. */
static void list_frozen(struct build *b)
{
	struct pull *p = b->p;
	const size_t words = (size_t)p->nodes / 64 + 1;
	uint32_t n = 0;

	p->round_frozen = mem_zero((size_t)p->rounds + 1, sizeof *p->round_frozen);
	if (!b->bit)
		return;
	b->rank = mem_new(words, sizeof *b->rank);
	for (size_t i = 0; i < words; i++) {
		b->rank[i] = n;
		n += (uint32_t)__builtin_popcountll(b->bit[i]);
	}
	p->frozen = mem_new(n, sizeof *p->frozen);
	n = 0;
	for (size_t i = 0; i < words; i++)
		for (uint64_t bits = b->bit[i]; bits; bits &= bits - 1)
			p->frozen[n++] = (uint32_t)(i * 64 + (size_t)__builtin_ctzll(bits));
	for (uint32_t r = 0, k = 0; r <= p->rounds; r++) {
		const uint32_t first = pull_first(p, p->lane[p->round[r]]);
		while (k < n && p->frozen[k] < first)
			k++;
		p->round_frozen[r] = k;
	}
}

/* From how much each window takes to where it begins. */
static void place_windows(struct pull *p)
{
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
}

void pull_build(struct pull *p, const struct graph *g, const struct pull_plan *plan)
{
	const size_t words = (size_t)g->nodes / 64 + 1;
	struct build b = {.p = p, .g = g, .plan = plan};

	assert(g->flags & GRAPH_ORDERED);
	*p = (struct pull){.nodes = g->nodes};
	p->windows = (uint32_t)(((uint64_t)g->nodes + PULL_WINDOW - 1) / PULL_WINDOW);
	p->window = mem_zero((size_t)p->windows + 1, sizeof *p->window);
	cut_lanes(p, g, plan);
	for (uint32_t w = 0; w < p->windows; w++) {
		const uint32_t margin = (REACH - PULL_WINDOW) / 2, first = pull_first(p, w);
		const uint32_t lane = pull_first(p, p->lane[part_of(p->lane, w)]);
		p->window[w].origin = first - lane < margin ? lane : first - margin;
	}
	if (p->lanes > 1)
		b.bit = mem_big(words, sizeof *b.bit);
	blocks_run(plan->threads, p->windows, measure, &b);
	list_frozen(&b);
	place_windows(p);
	blocks_run(plan->threads, p->windows, fill, &b);
	mem_big_free((void *)b.bit, words, sizeof *b.bit);
	free(b.rank);
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
	free(p->round);
	free(p->frozen);
	free(p->round_frozen);
	*p = (struct pull){0};
}

void pull_freeze(const struct pull *p, uint32_t r, double *x)
{
	for (uint32_t k = p->round_frozen[r]; k < p->round_frozen[r + 1]; k++)
		x[(size_t)p->nodes + k] = x[p->frozen[k]];
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
