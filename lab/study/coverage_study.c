#include "lab/study/coverage_study.h"
#include "base/mem.h"
#include "graph/memory/blocks.h"
#include "lab/report/coverage_report.h"
#include "seeds/ball.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANDOM COVERAGE_STRATEGIES

static const struct {
	const char *name, *method;
	int depth;
} strategies[COVERAGE_STRATEGIES + 1] = {
	{"pagerank", "pagerank", 0},
	{"outdegree", "outdegree", 0},
	{"maxout", "maxout", 0},
	{"maxweight(2)", "maxweight", 2},
	{"maxweight(3)", "maxweight", 3},
	{"maxscc", "maxscc", 2},
	{"rootscc", "rootscc", 2},
	{"random", "random", 0},
};

const char *coverage_strategy_name(size_t strategy)
{
	return strategies[strategy].name;
}

struct measuring {
	const struct coverage_site *site;
	struct graph reverse;
	uint8_t *seen;
};

static void set_if_known(struct opt_set *opts, const char *name, uint32_t number)
{
	char text[40];

	for (const struct opt *o = opts->table; o && o->name; o++) {
		if (strcmp(o->name, name) != 0)
			continue;
		snprintf(text, sizeof text, "%s=%u", name, number);
		const int err = opt_give(opts, text, NULL);
		assert(!err);
		(void)err;
	}
}

/* Selects k seeds of a site by a strategy, with its options `hops` and `depth`, where it has them. */
static void select_seeds(const struct measuring *m, size_t strategy, uint32_t hops, size_t k, uint64_t rng_seed,
	struct seed_output *out)
{
	const struct seed_method *method = seed_method_named(strategies[strategy].method);
	struct opt_set opts;
	const struct seed_input in = {.graph = &m->site->graph,
		.reverse = &m->reverse,
		.value = m->site->value,
		.threads = 1,
		.rng_seed = rng_seed,
		.opts = &opts};

	opt_init(&opts, method->opts, method->name);
	set_if_known(&opts, "hops", hops);
	set_if_known(&opts, "depth", (uint32_t)strategies[strategy].depth);
	const int err = method->select(&in, k, out, NULL);
	assert(!err);
	(void)err;
	opt_release(&opts);
}

/* Adds to covered[k] what the first k + 1 seeds cover, for k < most. If fewer seeds were found, the coverage of all of them
 * counts for every further k. */
static void cover(const struct measuring *m, const struct seed_output *found, uint32_t hops, size_t most, double (*covered)[2])
{
	const uint32_t nodes = m->site->graph.nodes;
	double pages = 0;
	int64_t value = 0;
	struct ball b;

	ball_init(&b, nodes);
	memset(m->seen, 0, nodes);
	for (size_t k = 0; k < most; k++) {
		if (k < found->n)
			ball_search(&b, &m->site->graph, &found->seed[k], 1, hops);
		else
			b.n = 0;
		for (uint32_t i = 0; i < b.n; i++) {
			if (m->seen[b.node[i]])
				continue;
			m->seen[b.node[i]] = 1;
			pages += 1;
			value += m->site->value ? m->site->value[b.node[i]] : SEED_VALUE_ONE;
		}
		covered[k][COVERAGE_PAGES] += pages;
		/* in whatever unit the values have: a gain is a quotient */
		covered[k][COVERAGE_VALUE] += (double)value / (double)SEED_VALUE_ONE;
	}
	ball_release(&b);
}

/* Adds the coverage of one strategy, with the seeds that it selects for this rng seed, to the sums in `out`. */
static void measure_one(const struct measuring *m, size_t strategy, uint64_t rng_seed, struct coverage_figures *out)
{
	for (uint32_t hops = 1; hops <= COVERAGE_HOPS; hops++) {
		struct seed_output found = {0};
		double few[COVERAGE_SEEDS][2] = {{0}};
		const size_t k = hops == COVERAGE_HOPS ? COVERAGE_SEEDS : COVERAGE_FEW;
		select_seeds(m, strategy, hops, k, rng_seed, &found);
		cover(m, &found, hops, k, few);
		for (int what = 0; what < 2; what++)
			out->by_hops[strategy][hops - 1][what] += few[COVERAGE_FEW - 1][what];
		for (size_t i = 0; hops == COVERAGE_HOPS && i < k; i++)
			for (int what = 0; what < 2; what++)
				out->by_seeds[strategy][i][what] += few[i][what];
		seed_output_release(&found);
	}
}

void coverage_measure(const struct coverage_site *site, uint32_t draws, uint64_t rng_seed, struct coverage_figures *out)
{
	struct measuring m = {.site = site, .seen = mem_new(site->graph.nodes, 1)};

	memset(out, 0, sizeof *out);
	graph_transpose(&site->graph, &m.reverse, 1);
	for (size_t s = 0; s < RANDOM; s++)
		measure_one(&m, s, rng_seed, out);
	for (uint32_t i = 0; i < draws; i++)
		measure_one(&m, RANDOM, rng_seed + i, out);
	for (size_t k = 0; k < COVERAGE_SEEDS; k++)
		for (int what = 0; what < 2; what++)
			out->by_seeds[RANDOM][k][what] /= draws;
	for (size_t h = 0; h < COVERAGE_HOPS; h++)
		for (int what = 0; what < 2; what++)
			out->by_hops[RANDOM][h][what] /= draws;
	graph_release(&m.reverse);
	free(m.seen);
}

struct measured {
	const struct coverage_study *in;
	struct coverage_figures *figures;
	double *pages; /* of each site */
};

static void measure_site(void *ctx, uint32_t i)
{
	const struct measured *m = ctx;
	struct coverage_site site = {.value = NULL};

	m->in->make(m->in->ctx, i, &site);
	m->pages[i] = site.graph.nodes;
	coverage_measure(&site, m->in->draws, m->in->rng_seed, &m->figures[i]);
	graph_release(&site.graph);
	free(site.value);
}

/* Returns the mean gain of a figure over random seeds in percent, over the sites where random seeds cover anything. `at` and
 * `random` are the indices of both figures in struct coverage_figures, as an array of doubles. */
static struct coverage_gain gain_of(const struct coverage_figures *f, uint32_t sites, size_t at, size_t random)
{
	double sum = 0, squares = 0, n = 0;

	for (uint32_t i = 0; i < sites; i++) {
		const double *x = (const double *)(const void *)&f[i];
		if (x[random] <= 0)
			continue;
		const double gain = 100 * (x[at] - x[random]) / x[random];
		n += 1;
		sum += gain;
		squares += gain * gain;
	}
	const double mean = n > 0 ? sum / n : NAN;
	const double variance = n > 1 ? fmax(0, squares - n * mean * mean) / (n - 1) : NAN;
	return (struct coverage_gain){mean, sqrt(variance / n), (uint32_t)n};
}

#define AT(member) (offsetof(struct coverage_figures, member) / sizeof(double))

/* Computes the gains of each strategy over Random, by the number of seeds and by hops. */
static void summarise(const struct coverage_figures *f, uint32_t sites, struct coverage_gains *gains)
{
	for (size_t s = 0; s < COVERAGE_STRATEGIES; s++) {
		for (int what = 0; what < 2; what++) {
			for (size_t k = 0; k < COVERAGE_SEEDS; k++)
				gains->by_seeds[s][what][k] =
					gain_of(f, sites, AT(by_seeds) + (s * COVERAGE_SEEDS + k) * 2 + (size_t)what,
						AT(by_seeds) + (RANDOM * COVERAGE_SEEDS + k) * 2 + (size_t)what);
			for (size_t h = 0; h < COVERAGE_HOPS; h++)
				gains->by_hops[s][what][h] =
					gain_of(f, sites, AT(by_hops) + (s * COVERAGE_HOPS + h) * 2 + (size_t)what,
						AT(by_hops) + (RANDOM * COVERAGE_HOPS + h) * 2 + (size_t)what);
		}
	}
}

void coverage_study(const struct coverage_study *in, struct study *study)
{
	struct measured m = {in, mem_zero(in->sites, sizeof *m.figures), mem_zero(in->sites, sizeof *m.pages)};
	struct coverage_gains *gains = mem_zero(1, sizeof *gains);

	blocks_run(in->threads, in->sites, measure_site, &m);
	summarise(m.figures, in->sites, gains);
	gains->sites = in->sites;
	for (uint32_t i = 0; i < in->sites; i++)
		gains->pages += m.pages[i];
	coverage_report(in, gains, study);
	free(gains);
	free(m.figures);
	free(m.pages);
}
