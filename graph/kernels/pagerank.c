#include "graph/kernels/pagerank.h"
#include "base/mem.h"
#include "graph/kernels/gather.h"
#include "graph/kernels/reorder.h"
#include "graph/kernels/tiles.h"
#include "graph/kernels/topk.h"
#include "graph/memory/blocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- pagerank_solve() sweeps over the links in one of two ways. One sums up by gather.h, the other, for graphs whose links lead
 * anywhere, by tiles.h. */

#define SOLVE_GRAIN 2048 /* pages that a thread takes at a time, where links are not read */

/* What decides how far a page moves. */
struct solve_rates {
	double damping, base, relaxation;
};

struct solve {
	const struct graph *g;
	int by_tiles;
	struct gather
		gather; /* the layout: one of the two; links of dangling pages are deferred, those of a page to itself left out */
	struct tiles tiles;
	struct solve_rates rates;
	const double *warm;
	unsigned threads;
	size_t values; /* elements of share[]: one for each page, and for each ghost */
	void *share;   /* y_v / O(v), singles or doubles; 0 for dangling pages */
	enum gather_numbers kind;
	uint32_t at;              /* by gather: the phase of the sweep; by tiles: the first block of the phase */
	double *sums;             /* by tiles: the sums of the blocks of a phase, and then their new values */
	double *divisor;          /* O(v), less the damping where v links to itself; 0: v dangles */
	double *change;           /* a place for each SOLVE_GRAIN pages, or a block */
	double *held, *gained;    /* likewise */
	uint8_t *deferred, *loop; /* a page dangles; links to itself */
	double scale, mass, gain;
	double *rank; /* the result */
};

/* Returns how far y_v / O(v) moves from the value `old`; `sum` is that of y_u / O(u) over u -> v. */
static inline double solve_step(struct solve_rates r, double sum, double divisor, double old)
{
	return ((r.base + r.damping * sum) / divisor - old) * r.relaxation;
}

/* So many blocks at a time are a phase. They see one another's values from before the phase, and may be processed in parallel. */
#define ABREAST 4

/* A block has the least power of two of pages, from 2^BITS_LEAST to what tiles.h allows, of which there are at most so many blocks:
 * with more of them a sweep_tiles reads all values more often, and with fewer it is more like one of Jacobi. */
#define BLOCKS     40
#define BITS_LEAST 11
#define BITS_MOST  16

static uint32_t bits_of_block(uint32_t pages)
{
	uint32_t bits = BITS_LEAST;

	while (bits < BITS_MOST && pages >> bits >= BLOCKS)
		bits++;
	return bits;
}

/* Replaces the sums of the pages first..end - 1 by the new values of share[]. Returns the L1 norm of the changes of y. */
static inline __attribute__((always_inline)) double move_pages(const struct solve *s, enum gather_numbers kind, uint32_t first,
	uint32_t end, double *sum)
{
	const struct solve_rates rates = s->rates;
	const double *divisor = s->divisor + first;
	const void *share = gather_at(s->share, kind, first);
	double change = 0.0;

	for (uint32_t i = 0; i < end - first; i++) {
		const double old = gather_value(share, kind, i);
		const double step = divisor[i] > 0.0 ? solve_step(rates, sum[i], divisor[i], old) : 0.0;
		change += fabs(step) * divisor[i];
		sum[i] = old + step;
	}
	return change;
}

/* The i-th block of the phase. */
static void sweep_block_of_tiles(void *ctx, uint32_t i)
{
	const struct solve *s = ctx;
	const uint32_t b = s->at + i;
	const uint32_t first = tiles_first(&s->tiles, b), end = tiles_first(&s->tiles, b + 1);
	double *sum = s->sums + ((size_t)i << s->tiles.block_bits);

	memset(sum, 0, (end - first) * sizeof *sum);
	tiles_add(&s->tiles, b, TILES_KEPT, s->share, s->kind, sum);
	s->change[b] = s->kind == GATHER_SINGLES ? move_pages(s, GATHER_SINGLES, first, end, sum)
						 : move_pages(s, GATHER_DOUBLES, first, end, sum);
}

/* Moves s->share[v] by solve_step() for each page v that does not dangle. Returns the L1 norm of the changes of y. */
static double sweep_tiles(struct solve *s)
{
	const struct tiles *t = &s->tiles;

	for (s->at = 0; s->at < t->blocks; s->at += ABREAST) {
		const uint32_t blocks = t->blocks - s->at < ABREAST ? t->blocks - s->at : ABREAST;
		const uint32_t first = tiles_first(t, s->at), end = tiles_first(t, s->at + blocks);
		blocks_run(s->threads, blocks, sweep_block_of_tiles, s);
		if (s->kind == GATHER_DOUBLES)
			memcpy((double *)s->share + first, s->sums, (end - first) * sizeof(double));
		for (uint32_t v = first; s->kind == GATHER_SINGLES && v < end; v++)
			((float *)s->share)[v] = (float)s->sums[v - first];
	}
	return blocks_sum(s->change, t->blocks);
}

static void sum_block(void *ctx, uint32_t b)
{
	const struct solve *s = ctx;
	const uint32_t first = tiles_first(&s->tiles, b);
	double *sum = s->rank + first;

	memset(sum, 0, (tiles_first(&s->tiles, b + 1) - first) * sizeof *sum);
	tiles_add(&s->tiles, b, TILES_KEPT, s->share, s->kind, sum);
	tiles_add(&s->tiles, b, TILES_DEFERRED, s->share, s->kind, sum);
}

/* Builds the layout, and sets s->loop[v] to 1 for each page that links to itself. Returns the numbers to begin with, if there is no
 * warm start. */
static enum gather_numbers build_tiles(struct solve *s)
{
	const struct tiles_plan plan = {.block_bits = bits_of_block(s->g->nodes),
		.threads = s->threads,
		.deferred = s->deferred,
		.loop = s->loop};

	tiles_build(&s->tiles, s->g, &plan);
	s->values = s->g->nodes;
	s->sums = mem_new((size_t)ABREAST << plan.block_bits, sizeof(double));
	return GATHER_SINGLES;
}

/* A block has at least this many arcs: fewer blocks need fewer sweeps. */
#define BLOCK_ARCS (UINT64_C(1) << 20)
#define BLOCKS_MAX 64
#define PHASES     4

struct window {
	struct solve_rates rates;
	double change;
	union {
		double *doubles;
		float *singles;
	} share;
	const double *far, *divisor;
};

static inline double step_of(struct window *w, uint32_t i, double near, double old)
{
	const double step = solve_step(w->rates, w->far[i] + near, w->divisor[i], old);

	w->change += fabs(step) * w->divisor[i];
	return step;
}

static inline void update_double(void *ctx, uint32_t i, double near)
{
	struct window *w = ctx;

	w->share.doubles[i] += step_of(w, i, near, w->share.doubles[i]);
}

static inline void update_single(void *ctx, uint32_t i, double near)
{
	struct window *w = ctx;
	const double old = w->share.singles[i];

	w->share.singles[i] = (float)(old + step_of(w, i, near, old));
}

/* The i-th block of the phase. */
static void sweep_block(void *ctx, uint32_t i)
{
	const struct solve *s = ctx;
	const struct gather *p = &s->gather;
	const uint32_t l = p->phase[s->at] + i;
	double far[GATHER_WINDOW], change = 0.0;

	for (uint32_t w = p->block[l]; w < p->block[l + 1]; w++) {
		const uint32_t first = gather_first(p, w);
		struct window here = {.rates = s->rates, .far = far, .divisor = s->divisor + first};
		gather_far(p, w, s->share, s->kind, far);
		if (s->kind == GATHER_SINGLES) {
			here.share.singles = (float *)s->share + first;
			gather_near(p, w, s->share, GATHER_SINGLES, update_single, &here);
		} else {
			here.share.doubles = (double *)s->share + first;
			gather_near(p, w, s->share, GATHER_DOUBLES, update_double, &here);
		}
		change += here.change;
	}
	s->change[l] = change;
}

static double sweep_gather(struct solve *s)
{
	const struct gather *p = &s->gather;

	for (s->at = 0; s->at < p->phases; s->at++) {
		gather_copy_ghosts(p, s->at, s->share, s->kind);
		blocks_run(s->threads, p->phase[s->at + 1] - p->phase[s->at], sweep_block, s);
	}
	return blocks_sum(s->change, p->blocks);
}

static void sum_window(void *ctx, uint32_t w)
{
	const struct solve *s = ctx;

	gather_sum(&s->gather, w, s->share, s->rank + gather_first(&s->gather, w));
}

/* Sets s->rank[v] to the sum of s->share[u], doubles, over u -> v, for all pages v. */
static void sum_all(struct solve *s)
{
	if (s->by_tiles) {
		blocks_run(s->threads, s->tiles.blocks, sum_block, s);
		return;
	}
	for (uint32_t r = 0; r < s->gather.phases; r++)
		gather_copy_ghosts(&s->gather, r, s->share, s->kind);
	blocks_run(s->threads, s->gather.windows, sum_window, s);
}

static enum gather_numbers build_gather(struct solve *s)
{
	struct gather_plan plan = {.blocks = 1,
		.abreast = 2,
		.threads = s->threads,
		.rows = GATHER_IN,
		.deferred = s->deferred,
		.loop = s->loop,
		.scratch = (uint64_t *)(void *)s->rank};

	while (plan.blocks < BLOCKS_MAX && s->g->nodes < UINT32_C(1) << 31 && s->g->arcs / BLOCK_ARCS >= plan.blocks * 2)
		plan.blocks *= 2;
	if (plan.blocks > 2 * PHASES)
		plan.abreast = plan.blocks / PHASES;
	gather_build(&s->gather, s->g, &plan);
	s->values = gather_values(&s->gather);
	const struct gather_share *end = gather_end(&s->gather);
	return end->far > end->near ? GATHER_SINGLES : GATHER_DOUBLES;
}

/* The factor of over-relaxation, which saves a third of the sweeps at first. Convergence is certain only below 2 / (1 + d). With
 * a greater factor, the first sweep that does not reduce the change to d^2 of that of the sweep before is the last over-relaxed
 * one; a factor of 1 always converges. */
#define RELAXATION 1.2

/* The values are singles, where the layout begins with them, until a sweep changes them by less than this in sum. Their rounding
 * changes them by 3e-8. */
#define SINGLES_CHANGE 1e-6

/* Sweeps without a new smallest change after which rounding is all that is left. */
#define PATIENCE 12

/* Returns the number of grains of pages. */
static uint32_t grains(const struct solve *s)
{
	return (s->g->nodes - 1) / SOLVE_GRAIN + 1;
}

/* Returns the first page of grain w; the number of pages if w is the number of grains. */
static uint32_t grain_first(const struct solve *s, uint32_t w)
{
	return w < grains(s) ? w * SOLVE_GRAIN : s->g->nodes;
}

/* Sets rank[] for the pages of a grain to the right side of the equation for y. Sums, for finish(), the mass of the grain in
 * s->held (for dangling pages the new value, for others the old one), and in s->gained the residual of the pages that do not
 * dangle. */
static void complete_grain(void *ctx, uint32_t w)
{
	const struct solve *s = ctx;
	const double *share = s->share;
	double held = 0.0, gained = 0.0;

	for (uint32_t v = grain_first(s, w); v < grain_first(s, w + 1); v++) {
		const uint32_t links = graph_outdegree(s->g, v);
		if (links) {
			const double loop = (links - s->divisor[v]) * share[v];
			const double y = share[v] * links;
			s->rank[v] = s->rates.base + s->rates.damping * s->rank[v] + loop;
			gained += s->rank[v] - y;
			held += y;
			continue;
		}
		s->rank[v] = s->rates.base + s->rates.damping * s->rank[v];
		held += s->rank[v];
	}
	s->held[w] = held;
	s->gained[w] = gained;
}

static void settle_grain(void *ctx, uint32_t w)
{
	const struct solve *s = ctx;
	const double *share = s->share;
	double change = 0.0;

	for (uint32_t v = grain_first(s, w); v < grain_first(s, w + 1); v++) {
		const uint32_t links = graph_outdegree(s->g, v);
		const double r = links ? s->rank[v] - share[v] * links : 0.0;
		change += fabs(r - s->gain);
		s->rank[v] = (s->rank[v] - s->gain) / s->mass;
	}
	s->change[w] = change;
}

/* Makes rank[] from y by one sweep of pagerank(), starting from y / |y|. Let r be the residual of y, with 0 for dangling pages,
 * and R its sum: then the sweep adds (r_v - R / n) / |y| to y_v / |y|. Returns the L1 norm of this change. */
static double finish(struct solve *s)
{
	const uint32_t count = grains(s);

	sum_all(s);
	blocks_run(s->threads, count, complete_grain, s);
	s->mass = blocks_sum(s->held, count);
	s->gain = blocks_sum(s->gained, count) / s->g->nodes;
	blocks_run(s->threads, count, settle_grain, s);
	return blocks_sum(s->change, count) / s->mass;
}

/* Marks the dangling pages of a grain, whose links are deferred, and sums the start values: of all pages in s->held, of the
 * dangling ones in s->gained. */
static void weigh_grain(void *ctx, uint32_t w)
{
	const struct solve *s = ctx;
	const struct graph *g = s->g;
	double held = 0.0, lost = 0.0;

	for (uint32_t v = grain_first(s, w); v < grain_first(s, w + 1); v++) {
		const double x = s->warm ? s->warm[v] : 1.0;
		s->deferred[v] = graph_outdegree(g, v) == 0;
		held += x;
		lost += s->deferred[v] ? x : 0.0;
	}
	s->held[w] = held;
	s->gained[w] = lost;
}

/* Sets the divisors and start values of a grain: `warm` or 1 for each page, times s->scale, which gives the start the total
 * mass that y would have if the same share of it were in dangling pages. */
static void start_grain(void *ctx, uint32_t w)
{
	const struct solve *s = ctx;

	for (uint32_t v = grain_first(s, w); v < grain_first(s, w + 1); v++) {
		const uint32_t links = graph_outdegree(s->g, v);
		s->divisor[v] = s->loop[v] ? links - s->rates.damping : links;
		const double share = links ? (s->warm ? s->warm[v] : 1.0) * s->scale / links : 0.0;
		if (s->kind == GATHER_SINGLES)
			((float *)s->share)[v] = (float)share;
		else
			((double *)s->share)[v] = share;
	}
}

static size_t size_of_share(const struct solve *s)
{
	return s->kind == GATHER_SINGLES ? sizeof(float) : sizeof(double);
}

/* Goes on with doubles, if the values are singles. */
static void take_doubles(struct solve *s)
{
	const size_t n = s->values;
	const float *singles = s->share;

	if (s->kind == GATHER_DOUBLES)
		return;
	double *share = mem_big(n, sizeof *share);
	for (size_t v = 0; v < n; v++)
		share[v] = singles[v];
	mem_big_free(s->share, n, size_of_share(s));
	s->share = share;
	s->kind = GATHER_DOUBLES;
}

/* Allocates the arrays, builds the layout, and sets the start values. */
static void begin(struct solve *s)
{
	const uint32_t n = s->g->nodes, count = grains(s);

	s->divisor = mem_big(n, sizeof *s->divisor);
	s->deferred = mem_new(n, 1);
	s->loop = mem_zero(n, 1);
	s->change = mem_new(count, sizeof *s->change);
	s->held = mem_new(count, sizeof *s->held);
	s->gained = mem_new(count, sizeof *s->gained);
	blocks_run(s->threads, count, weigh_grain, s);
	s->by_tiles = tiles_pay(s->g);
	s->kind = s->by_tiles ? build_tiles(s) : build_gather(s);
	/* a warm start may be nearer to the solution than singles come */
	s->kind = s->warm ? GATHER_DOUBLES : s->kind;

	const double held = blocks_sum(s->held, count), lost = blocks_sum(s->gained, count);
	const double d = s->rates.damping;
	s->scale = (1.0 - d) / (1.0 - d * (1.0 - lost / held)) / held;
	s->share = mem_big(s->values, size_of_share(s));
	blocks_run(s->threads, count, start_grain, s);
	free(s->deferred);
	free(s->loop);
}

static void release(struct solve *s)
{
	mem_big_free(s->share, s->values, size_of_share(s));
	mem_big_free(s->divisor, s->g->nodes, sizeof *s->divisor);
	tiles_release(&s->tiles);
	gather_release(&s->gather);
	free(s->sums);
	free(s->change);
	free(s->held);
	free(s->gained);
}

void pagerank_solve(const struct graph *g, struct pagerank *p, double *rank)
{
	struct solve s = {.g = g, .warm = p->warm, .threads = p->threads, .rank = rank};
	double least = INFINITY, goal = p->tolerance, before = INFINITY;
	unsigned patience = PATIENCE;

	p->sweeps = 0;
	p->change = 0.0;
	if (g->nodes == 0)
		return;
	s.rates = (struct solve_rates){p->damping, (1.0 - p->damping) / g->nodes, RELAXATION};
	begin(&s);
	for (;;) {
		const double change = s.by_tiles ? sweep_tiles(&s) : sweep_gather(&s);
		p->sweeps++;
		patience = change < least ? PATIENCE : patience - 1;
		if (change > p->damping * p->damping * before)
			s.rates.relaxation = 1.0;
		before = change;
		least = change < least ? change : least;
		const int last = patience == 0 || change == 0.0 || (p->max_sweeps && p->sweeps + 1 >= p->max_sweeps);
		if (change < SINGLES_CHANGE)
			take_doubles(&s);
		if (change >= goal && !last)
			continue;
		take_doubles(&s);
		p->change = finish(&s);
		p->sweeps++;
		if (p->change < p->tolerance || last)
			break;
		goal = change * p->tolerance / p->change * 0.9;
	}
	release(&s);
}

/* The state of a sweep. share_v is x_v / O(v), what a page gives each of its targets, or x_v for a dangling page, whose share
 * nobody reads. So one vector is enough: x_v = share_v * max(O(v), 1). */
struct sweep {
	const struct gather *gather;
	const uint64_t *offset; /* of the graph: O(v) = offset[v + 1] - offset[v] */
	double damping, base;   /* base: what each page gets without links, lost mass included */
	const double *share;    /* before the sweep */
	double *next;
	double *change, *lost; /* an entry for each window */
};

static void sweep_window(void *ctx, uint32_t w)
{
	const struct sweep *s = ctx;
	const uint32_t first = gather_first(s->gather, w), end = gather_first(s->gather, w + 1);
	double sum[GATHER_WINDOW], change = 0.0, lost = 0.0;

	gather_sum(s->gather, w, s->share, sum);
	for (uint32_t v = first; v < end; v++) {
		const double links = (double)(uint32_t)(s->offset[v + 1] - s->offset[v]);
		const double parts = links > 0.0 ? links : 1.0;
		const double x = s->base + s->damping * sum[v - first];
		change += fabs(x - s->share[v] * parts);
		lost += links > 0.0 ? 0.0 : x;
		s->next[v] = x / parts;
	}
	s->change[w] = change;
	s->lost[w] = lost;
}

/* Sets share[] to the start values. Returns the mass of the dangling pages at the start. */
static double start(const struct graph *g, const double *warm, double *share)
{
	const uint32_t n = g->nodes;
	double sum = 0.0, lost = 0.0;

	for (uint32_t v = 0; warm && v < n; v++)
		sum += warm[v];
	for (uint32_t v = 0; v < n; v++) {
		const double x = warm ? warm[v] / sum : 1.0 / n;
		const uint32_t links = graph_outdegree(g, v);
		share[v] = links ? x / links : x;
		lost += links ? 0.0 : x;
	}
	return lost;
}

static void sweep_until_done(struct sweep *s, struct pagerank *p, double *share, double lost)
{
	const uint32_t n = s->gather->nodes;
	double before;

	do {
		before = p->change;
		s->base = (1.0 - p->damping) / n + p->damping * lost / n;
		s->share = share;
		blocks_run(p->threads, s->gather->windows, sweep_window, s);
		share = s->next;
		s->next = (double *)(uintptr_t)s->share;
		lost = blocks_sum(s->lost, s->gather->windows);
		p->change = blocks_sum(s->change, s->gather->windows);
		p->sweeps++;
		/* in exact arithmetic each sweep reduces the change by the factor d; once a sweep no longer does, the change is
		 * rounding error */
	} while (p->change >= p->tolerance && p->sweeps != p->max_sweeps &&
		(p->sweeps == 1 || p->change < before * (1.0 + p->damping) / 2.0));
	s->share = share;
}

static void sweep_graph(const struct graph *g, struct pagerank *p, double *rank)
{
	const struct gather_plan plan = {.blocks = 1,
		.abreast = 1,
		.threads = p->threads,
		.rows = GATHER_IN,
		.scratch = (uint64_t *)(void *)rank};
	const uint32_t n = g->nodes;
	struct gather gather;

	p->sweeps = 0;
	p->change = 0.0;
	if (n == 0)
		return;
	gather_build(&gather, g, &plan);
	struct sweep s = {.gather = &gather, .offset = g->offset, .damping = p->damping};
	double *share = mem_big(n, sizeof *share);
	s.next = rank;
	s.change = mem_new(gather.windows, sizeof *s.change);
	s.lost = mem_new(gather.windows, sizeof *s.lost);
	sweep_until_done(&s, p, share, start(g, p->warm, share));
	for (uint32_t v = 0; v < n; v++) {
		const uint32_t links = graph_outdegree(g, v);
		rank[v] = links ? s.share[v] * links : s.share[v];
	}
	mem_big_free(share, n, sizeof *share);
	free(s.change);
	free(s.lost);
	gather_release(&gather);
}

/* Returns an estimate of the sweeps until the tolerance is reached: from a change of 1 on, each sweep reduces the change by the
 * factor d. */
static double sweeps_needed(const struct pagerank *p)
{
	const double needed = log(p->tolerance) / log(p->damping);

	return p->max_sweeps && p->max_sweeps < needed ? p->max_sweeps : needed;
}

void pagerank(const struct graph *g, struct pagerank *p, double *rank)
{
	const uint32_t n = g->nodes;
	const double *warm = p->warm;
	struct reorder r;

	if (!reorder_pays(g, sweeps_needed(p))) {
		sweep_graph(g, p, rank);
		return;
	}
	reorder_make(&r, g, p->threads);
	double *own = mem_big(n, sizeof *own), *start = warm ? mem_big(n, sizeof *start) : NULL;
	if (warm)
		reorder_values(&r, warm, start);
	p->warm = start;
	sweep_graph(&r.graph, p, own);
	p->warm = warm;
	reorder_back(&r, own, rank);
	mem_big_free(own, n, sizeof *own);
	if (start)
		mem_big_free(start, n, sizeof *start);
	reorder_release(&r);
}

uint64_t pagerank_key(double value, uint32_t n)
{
	return (uint64_t)(value * n * 1e8 + 0.5);
}

void pagerank_order(const double *rank, uint32_t n, uint32_t *order)
{
	uint64_t *key = mem_big(n, sizeof *key);

	for (uint32_t v = 0; v < n; v++)
		key[v] = pagerank_key(rank[v], n);
	topk(key, n, n, order);
	mem_big_free(key, n, sizeof *key);
}
