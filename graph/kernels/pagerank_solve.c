#include "graph/memory/blocks.h"
#include "graph/kernels/pagerank.h"
#include "graph/kernels/gather.h"
#include "graph/kernels/pagerank_copy.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

/* A block has at least this many arcs: fewer blocks need fewer sweeps. */
#define BLOCK_ARCS (UINT64_C(1) << 20)
#define BLOCKS_MAX 64
#define PHASES     4

/* How much further than to its solution a page's equation moves it, which saves a third of the
 * sweeps at first. Beyond 2 / (1 + d) the sweeps need not converge: such a sweep that does not
 * shrink the change to d^2 of the one before is the last, and 1 always converges. */
#define RELAXATION 1.2

/* Sweeps without a new smallest change after which rounding is all that is left. */
#define PATIENCE 12

struct solve {
	const struct graph *g;
	struct gather gather;
	double damping, base, relaxation;
	const double *warm;
	unsigned threads;
	double *share; /* y_v / O(v); the ghosts behind */
	uint32_t phase;
	double *divisor;          /* O(v), less the damping where v links to itself; 0: v dangles */
	double *change;           /* a place a window, or a block */
	double *held, *gained;    /* likewise */
	uint8_t *deferred, *loop; /* a page dangles; links to itself */
	double scale, mass, gain;
	double *rank;
};

struct window {
	double damping, base, relaxation, change;
	double *share;
	const double *far, *divisor;
};

static inline void update(void *ctx, uint32_t i, double near)
{
	struct window *w = ctx;
	const double share = (w->base + w->damping * (w->far[i] + near)) / w->divisor[i];
	const double step = (share - w->share[i]) * w->relaxation;

	w->change += fabs(step) * w->divisor[i];
	w->share[i] += step;
}

/* The i-th block of the phase. */
static void sweep_block(void *ctx, uint32_t i)
{
	const struct solve *s = ctx;
	const struct gather *p = &s->gather;
	const uint32_t l = p->phase[s->phase] + i;
	double far[GATHER_WINDOW], change = 0.0;

	for (uint32_t w = p->block[l]; w < p->block[l + 1]; w++) {
		const uint32_t first = gather_first(p, w);
		struct window here = {s->damping, s->base, s->relaxation, 0.0, s->share + first,
			far, s->divisor + first};
		gather_far(p, w, s->share, far);
		gather_near(p, w, s->share, update, &here);
		change += here.change;
	}
	s->change[l] = change;
}

static double sweep(struct solve *s)
{
	const struct gather *p = &s->gather;

	for (s->phase = 0; s->phase < p->phases; s->phase++) {
		gather_copy_ghosts(p, s->phase, s->share);
		blocks_run(s->threads, p->phase[s->phase + 1] - p->phase[s->phase], sweep_block, s);
	}
	return blocks_sum(s->change, p->blocks);
}

/* Into rank[] what the right side of the equation gives for the pages of a window; their mass, the
 * dangling ones' new and the others' old; and what those others gain. */
static void complete_window(void *ctx, uint32_t w)
{
	const struct solve *s = ctx;
	const uint32_t first = gather_first(&s->gather, w), end = gather_first(&s->gather, w + 1);
	double sum[GATHER_WINDOW], held = 0.0, gained = 0.0;

	gather_sum(&s->gather, w, s->share, sum);
	for (uint32_t v = first; v < end; v++) {
		const uint32_t links = graph_outdegree(s->g, v);
		if (links) {
			const double loop = (links - s->divisor[v]) * s->share[v];
			const double y = s->share[v] * links;
			s->rank[v] = s->base + s->damping * sum[v - first] + loop;
			gained += s->rank[v] - y;
			held += y;
			continue;
		}
		s->rank[v] = s->base + s->damping * sum[v - first];
		held += s->rank[v];
	}
	s->held[w] = held;
	s->gained[w] = gained;
}

static void settle_window(void *ctx, uint32_t w)
{
	const struct solve *s = ctx;
	double change = 0.0;

	for (uint32_t v = gather_first(&s->gather, w); v < gather_first(&s->gather, w + 1); v++) {
		const uint32_t links = graph_outdegree(s->g, v);
		const double r = links ? s->rank[v] - s->share[v] * links : 0.0;
		change += fabs(r - s->gain);
		s->rank[v] = (s->rank[v] - s->gain) / s->mass;
	}
	s->change[w] = change;
}

/* The sweep of pagerank() from y / |y|. With r the residual of y, 0 where a page dangles, and R its
 * sum, it adds (r_v - R / n) / |y| to y_v / |y|: R is what the mass of the dangling pages comes to
 * beside 1 - d. Returns its L1 change. */
static double finish(struct solve *s)
{
	const uint32_t windows = s->gather.windows;

	for (uint32_t r = 0; r < s->gather.phases; r++)
		gather_copy_ghosts(&s->gather, r, s->share);
	blocks_run(s->threads, windows, complete_window, s);
	s->mass = blocks_sum(s->held, windows);
	s->gain = blocks_sum(s->gained, windows) / s->g->nodes;
	blocks_run(s->threads, windows, settle_window, s);
	return blocks_sum(s->change, windows) / s->mass;
}

/* The deferred rows; the mass of the start, and what of it dangles. */
static void weigh_window(void *ctx, uint32_t w)
{
	const struct solve *s = ctx;
	const struct graph *g = s->g;
	double held = 0.0, lost = 0.0;

	for (uint32_t v = w * GATHER_WINDOW; v < g->nodes && v / GATHER_WINDOW == w; v++) {
		const double x = s->warm ? s->warm[v] : 1.0;
		s->deferred[v] = graph_outdegree(g, v) == 0;
		held += x;
		lost += s->deferred[v] ? x : 0.0;
	}
	s->held[w] = held;
	s->gained[w] = lost;
}

/* Divisors, and the start: `warm` or 1/n, shrunk to the mass that y has if as much of it dangles. */
static void start_window(void *ctx, uint32_t w)
{
	const struct solve *s = ctx;

	for (uint32_t v = gather_first(&s->gather, w); v < gather_first(&s->gather, w + 1); v++) {
		const uint32_t links = graph_outdegree(s->g, v);
		s->divisor[v] = s->loop[v] ? links - s->damping : links;
		if (links)
			s->share[v] = (s->warm ? s->warm[v] : 1.0) * s->scale / links;
	}
}

static void begin(struct solve *s)
{
	const struct graph *g = s->g;
	const uint32_t n = g->nodes, windows = (n - 1) / GATHER_WINDOW + 1;
	struct gather_plan plan = {
		.blocks = 1, .abreast = 2, .threads = s->threads, .rows = GATHER_IN};

	s->divisor = mem_big(n, sizeof *s->divisor);
	s->deferred = mem_new(n, 1);
	s->loop = mem_zero(n, 1);
	plan.deferred = s->deferred;
	plan.loop = s->loop;
	plan.scratch = (uint64_t *)(void *)s->rank;
	s->change = mem_new(windows, sizeof *s->change);
	s->held = mem_new(windows, sizeof *s->held);
	s->gained = mem_new(windows, sizeof *s->gained);
	blocks_run(s->threads, windows, weigh_window, s);
	while (plan.blocks < BLOCKS_MAX && n < UINT32_C(1) << 31 &&
		g->arcs / BLOCK_ARCS >= plan.blocks * 2)
		plan.blocks *= 2;
	if (plan.blocks > 2 * PHASES)
		plan.abreast = plan.blocks / PHASES;
	gather_build(&s->gather, s->g, &plan);

	const double held = blocks_sum(s->held, windows), lost = blocks_sum(s->gained, windows);
	s->scale = (1.0 - s->damping) / (1.0 - s->damping * (1.0 - lost / held)) / held;
	s->share = mem_big(gather_values(&s->gather), sizeof *s->share);
	blocks_run(s->threads, windows, start_window, s);
	free(s->deferred);
	free(s->loop);
}

static void release(struct solve *s)
{
	const uint32_t n = s->g->nodes;

	mem_big_free(s->share, gather_values(&s->gather), sizeof *s->share);
	mem_big_free(s->divisor, n, sizeof *s->divisor);
	gather_release(&s->gather);
	free(s->change);
	free(s->held);
	free(s->gained);
}

static void solve_graph(const struct graph *g, struct pagerank *p, double *rank)
{
	struct solve s = {.g = g,
		.damping = p->damping,
		.warm = p->warm,
		.threads = p->threads,
		.relaxation = RELAXATION,
		.rank = rank};
	double least = INFINITY, goal = p->tolerance, before = INFINITY;
	unsigned patience = PATIENCE;

	p->sweeps = 0;
	p->change = 0.0;
	if (g->nodes == 0)
		return;
	s.base = (1.0 - p->damping) / g->nodes;
	begin(&s);
	for (;;) {
		const double change = sweep(&s);
		p->sweeps++;
		patience = change < least ? PATIENCE : patience - 1;
		if (change > p->damping * p->damping * before)
			s.relaxation = 1.0;
		before = change;
		least = change < least ? change : least;
		const int last = patience == 0 || change == 0.0 ||
				 (p->max_sweeps && p->sweeps + 1 >= p->max_sweeps);
		if (change >= goal && !last)
			continue;
		p->change = finish(&s);
		p->sweeps++;
		if (p->change < p->tolerance || last)
			break;
		goal = change * p->tolerance / p->change * 0.9;
	}
	release(&s);
}

void pagerank_solve(const struct graph *g, struct pagerank *p, double *rank)
{
	pagerank_by(solve_graph, 0.5, g, p, rank);
}
