#include "lab/measure/contest_gap.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

static double mean_of(const struct contest *c, size_t graph, size_t method)
{
	return contest_mean(c, graph, method, c->judge, c->at).mean;
}

static size_t best_of_others(const struct contest *c, size_t graph)
{
	size_t best = c->challenger;

	for (size_t m = 0; m < c->methods; m++)
		if (m != c->challenger && (best == c->challenger || mean_of(c, graph, m) > mean_of(c, graph, best)))
			best = m;
	return best;
}

/* Fills difference[] with the challenger's values less another method's, on the draws that are kept. Returns how many. */
static size_t differences(const struct contest *c, size_t graph, size_t other, double *difference)
{
	const struct contest_graph *g = &c->graph[graph];
	size_t n = 0;

	for (uint32_t d = 0; d < contest_draws(c, graph); d++) {
		if (!contest_keeps(c, graph, d))
			continue;
		const struct compare *own = g->compare[c->challenger], *its = g->compare[other];
		difference[n++] = measure_of(own, compare_trial(own, g->place[c->challenger], d), c->judge, c->at) -
			measure_of(its, compare_trial(its, g->place[other], d), c->judge, c->at);
	}
	return contest_independent(c, graph, n);
}

void contest_gap(const struct contest *c, size_t graph, struct contest_gap *out)
{
	double *difference = mem_new(contest_draws(c, graph), sizeof *difference);
	double *p = mem_new(c->methods, sizeof *p);
	size_t tests = 0, test_of_best = 0;

	*out = (struct contest_gap){.best = best_of_others(c, graph)};
	for (size_t m = 0; m < c->methods; m++) {
		if (m == c->challenger && m != out->best)
			continue;
		const size_t n = differences(c, graph, m, difference);
		if (m == out->best) {
			test_of_best = tests;
			out->difference = stats_interval(difference, n);
		}
		p[tests++] = stats_wilcoxon(difference, n);
	}
	stats_holm(p, tests);
	out->p = p[test_of_best];
	out->of_best = contest_mean(c, graph, out->best, c->judge, c->at);
	out->of_challenger = contest_mean(c, graph, c->challenger, c->judge, c->at);
	out->of_yardstick = contest_mean(c, graph, c->methods, c->judge, c->at);
	out->gap = out->of_yardstick.mean - out->of_best.mean;
	out->share = out->gap > 0 && out->gap >= c->least_gap ? out->difference.mean / out->gap : NAN;
	free(difference);
	free(p);
}
