#include "lab/measure/core_distance.h"
#include "base/mem.h"
#include "base/rng.h"
#include "graph/memory/blocks.h"

#include <math.h>
#include <stdlib.h>

#define NO_CORE UINT32_MAX

struct searching {
	const struct graph *g;
	const struct seed_core *core;
	size_t n;
	uint32_t *core_of; /* of a node; NO_CORE */
	int32_t *distance;
};

/* A breadth-first search from core i. */
struct search {
	const struct searching *all;
	int32_t *row;
	uint8_t *seen;
	uint32_t *queue, n;
	size_t met;
};

static void visit(struct search *s, uint32_t v, int32_t at)
{
	if (s->seen[v])
		return;
	s->seen[v] = 1;
	s->queue[s->n++] = v;
	const uint32_t c = s->all->core_of[v];
	if (c != NO_CORE && s->row[c] == CORE_UNREACHED) {
		s->row[c] = at;
		s->met++;
	}
}

/* Searches breadth first from all nodes of core i, and notes the level at which each other core is met. A task of blocks_run(). */
static void search_from(void *ctx, uint32_t i)
{
	const struct searching *all = ctx;
	const struct graph *g = all->g;
	const struct seed_core *core = &all->core[i];
	struct search s = {.all = all,
		.row = all->distance + (size_t)i * all->n,
		.seen = mem_zero(g->nodes, 1),
		.queue = mem_new(g->nodes, sizeof *s.queue)};
	uint32_t at = 0;

	for (size_t k = 0; k < core->hubs; k++)
		visit(&s, core->hub[k], 0);
	for (size_t k = 0; k < core->authorities; k++)
		visit(&s, core->authority[k], 0);
	for (int32_t level = 1; at < s.n && s.met < all->n; level++)
		for (const uint32_t end = s.n; at < end; at++)
			for (uint64_t a = g->offset[s.queue[at]]; a < g->offset[s.queue[at] + 1]; a++)
				visit(&s, g->target[a], level);
	free(s.seen);
	free(s.queue);
}

void core_distances(const struct graph *g, const struct seed_core *core, size_t n, unsigned threads, int32_t *distance)
{
	struct searching s = {g, core, n, mem_new(g->nodes, sizeof *s.core_of), distance};

	for (uint32_t v = 0; v < g->nodes; v++)
		s.core_of[v] = NO_CORE;
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < core[i].hubs; k++)
			s.core_of[core[i].hub[k]] = (uint32_t)i;
		for (size_t k = 0; k < core[i].authorities; k++)
			s.core_of[core[i].authority[k]] = (uint32_t)i;
	}
	for (size_t i = 0; i < n * n; i++)
		distance[i] = CORE_UNREACHED;
	blocks_run(threads, (uint32_t)n, search_from, &s);
	free(s.core_of);
}

/* Returns Pearson's correlation of |name[i] - name[j]| with D(i, j) over the pairs with a path; NAN if one of both is constant. */
static double correlation(const int32_t *distance, size_t n, const uint32_t *name)
{
	double x = 0, y = 0, xx = 0, yy = 0, xy = 0, m = 0;

	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < n; j++) {
			const double d = distance[i * n + j];
			const double apart = fabs((double)name[i] - (double)name[j]);
			if (i == j || distance[i * n + j] == CORE_UNREACHED)
				continue;
			m += 1;
			x += apart;
			y += d;
			xx += apart * apart;
			yy += d * d;
			xy += apart * d;
		}
	}
	const double spread = (m * xx - x * x) * (m * yy - y * y);
	return spread > 0 ? (m * xy - x * y) / sqrt(spread) : NAN;
}

#define SHUFFLES 999

/* Computes the correlation, and p: the share of SHUFFLES random orders of the cores, and of the order found, whose correlation
 * is at most that of the order found. */
static void correlate(const int32_t *distance, size_t n, struct core_distance_summary *summary)
{
	uint32_t *name = mem_new(n, sizeof *name), as_low = 1;
	struct rng rng = {1};

	for (size_t i = 0; i < n; i++)
		name[i] = (uint32_t)i;
	summary->correlation = correlation(distance, n, name);
	for (int round = 0; round < SHUFFLES && !isnan(summary->correlation); round++) {
		rng_sample(&rng, (uint32_t)n, (uint32_t)n, name);
		as_low += correlation(distance, n, name) <= summary->correlation;
	}
	if (!isnan(summary->correlation))
		summary->p = as_low / (SHUFFLES + 1.0);
	free(name);
}

void core_distance_summarise(const int32_t *distance, size_t n, struct core_distance_summary *summary)
{
	double sum = 0;

	*summary = (struct core_distance_summary){.pairs = (uint64_t)n * (n ? n - 1 : 0),
		.average = NAN,
		.correlation = NAN,
		.p = NAN};
	for (size_t i = 0; i < n * n; i++) {
		const int32_t d = distance[i];
		if (i / n == i % n || d == CORE_UNREACHED)
			continue;
		if (!summary->reached++ || d < summary->least)
			summary->least = d;
		if (d > summary->most)
			summary->most = d;
		sum += d;
	}
	if (summary->reached)
		summary->average = sum / (double)summary->reached;
	correlate(distance, n, summary);
}

#define LAYOUT_ROUNDS 500
#define PI            3.14159265358979323846

static double wanted(const int32_t *distance, size_t n, size_t i, size_t j, double far)
{
	const int32_t there = distance[i * n + j], back = distance[j * n + i];

	if (there == CORE_UNREACHED && back == CORE_UNREACHED)
		return far;
	const int32_t least = there == CORE_UNREACHED || (back != CORE_UNREACHED && back < there) ? back : there;
	return least > 0 ? least : 0.5;
}

/* Moves core i to the weighted mean of the positions that its target distances to the other cores ask for. */
static void move_point(const int32_t *distance, size_t n, size_t i, double far, double *x, double *y)
{
	double sum_x = 0, sum_y = 0, sum = 0;

	for (size_t j = 0; j < n; j++) {
		if (j == i)
			continue;
		const double d = wanted(distance, n, i, j, far), w = 1 / (d * d);
		const double dx = x[i] - x[j], dy = y[i] - y[j], apart = sqrt(dx * dx + dy * dy);
		const double pull = apart > 1e-9 ? d / apart : 0;
		sum_x += w * (x[j] + pull * dx);
		sum_y += w * (y[j] + pull * dy);
		sum += w;
	}
	if (sum > 0) {
		x[i] = sum_x / sum;
		y[i] = sum_y / sum;
	}
}

void core_layout(const int32_t *distance, size_t n, double *x, double *y)
{
	double far = 1;

	for (size_t i = 0; i < n * n; i++)
		far = distance[i] + 1 > far ? distance[i] + 1 : far;
	for (size_t i = 0; i < n; i++) {
		x[i] = far / 2 * cos(2 * PI * (double)i / (double)n);
		y[i] = far / 2 * sin(2 * PI * (double)i / (double)n);
	}
	for (int round = 0; round < LAYOUT_ROUNDS; round++)
		for (size_t i = 0; i < n; i++)
			move_point(distance, n, i, far, x, y);
}
