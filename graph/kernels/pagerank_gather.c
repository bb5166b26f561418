#include "graph/kernels/pagerank_solve.h"
#include "graph/memory/blocks.h"

#include <math.h>

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

static double sweep(struct solve *s)
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

static void sum_all(struct solve *s)
{
	for (uint32_t r = 0; r < s->gather.phases; r++)
		gather_copy_ghosts(&s->gather, r, s->share, s->kind);
	blocks_run(s->threads, s->gather.windows, sum_window, s);
}

static enum gather_numbers build(struct solve *s, const uint8_t *deferred, uint8_t *loop)
{
	struct gather_plan plan = {.blocks = 1,
		.abreast = 2,
		.threads = s->threads,
		.rows = GATHER_IN,
		.deferred = deferred,
		.loop = loop,
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

static void release(struct solve *s)
{
	gather_release(&s->gather);
}

const struct solve_way solve_by_gather = {build, sweep, sum_all, release};
