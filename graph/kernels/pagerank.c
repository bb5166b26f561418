#include "graph/memory/blocks.h"
#include "graph/kernels/pagerank.h"
#include "graph/kernels/gather.h"
#include "graph/kernels/reorder.h"
#include "graph/kernels/topk.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

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
