#include "lab/study/contest.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct trial *trial_of(const struct contest_graph *g, size_t method, uint32_t draw)
{
	return compare_trial(g->entry[method].compare, g->entry[method].place, draw);
}

/* Returns the number of draws that all methods have on a graph. They may have been run with different seeds, and so with different
 * numbers of draws. */
static uint32_t contest_draws(const struct contest *c, size_t graph)
{
	const struct contest_graph *g = &c->graph[graph];
	uint32_t draws = g->entry[0].compare->draws;

	for (size_t m = 1; m < c->methods; m++)
		if (g->entry[m].compare->draws < draws)
			draws = g->entry[m].compare->draws;
	return draws;
}

int contest_keeps(const struct contest *c, size_t graph, uint32_t draw)
{
	const struct contest_graph *g = &c->graph[graph];

	if (draw >= contest_draws(c, graph))
		return 0;
	for (size_t m = 0; c->draws == CONTEST_DROP_SHORT && m < c->methods; m++) {
		const struct compare *own = g->entry[m].compare;
		const struct trial *t = trial_of(g, m, draw);
		if (t->crawled < throughput_k(own->at[c->at], own->nodes))
			return 0;
	}
	return 1;
}

uint32_t contest_kept(const struct contest *c, size_t graph)
{
	const uint32_t draws = contest_draws(c, graph);
	uint32_t kept = 0;

	for (uint32_t d = 0; d < draws; d++)
		kept += contest_keeps(c, graph, d) ? 1 : 0;
	return kept;
}

/* Copies a method's values on the draws that are kept to x[]. Returns their number. */
static size_t values_of(const struct contest *c, size_t graph, size_t method, enum measure m, size_t at, double *x)
{
	const struct contest_graph *g = &c->graph[graph];
	const uint32_t draws = contest_draws(c, graph);
	size_t n = 0;

	for (uint32_t d = 0; d < draws; d++)
		if (contest_keeps(c, graph, d))
			x[n++] = measure_of(g->entry[method].compare, trial_of(g, method, d), m, at);
	return n;
}

struct interval contest_mean(const struct contest *c, size_t graph, size_t method, enum measure m, size_t at)
{
	AUTO_FREE double *x = mem_new(contest_draws(c, graph), sizeof *x);
	const size_t n = values_of(c, graph, method, m, at, x);

	return stats_interval(x, n);
}

/* Returns how many of n draws that were kept are independent of one another: 1 if all draws have the same seeds, as those of
 * a file, and otherwise n. */
static size_t contest_independent(const struct contest *c, size_t graph, size_t n)
{
	const struct compare *own = c->graph[graph].entry[0].compare;

	for (uint32_t d = 1; own->drawn && d < own->draws; d++)
		if (own->drawn[d] != own->drawn[0])
			return n;
	return n ? 1 : 0;
}

static enum verdict verdict_of(const struct pair *p, const void *ctx)
{
	const struct contest *c = ctx;

	if (p->draws < stats_wilcoxon_least(CONTEST_LEVEL, p->comparisons))
		return VERDICT_TOO_FEW;
	if (!(p->corrected < CONTEST_LEVEL) || fabs(p->difference.mean) < c->smallest_effect)
		return VERDICT_EQUAL;
	return p->difference.mean > 0 ? VERDICT_BETTER : VERDICT_WORSE;
}

struct pair *contest_pairs(const struct contest *c, size_t graph)
{
	const uint32_t draws = contest_draws(c, graph);
	AUTO_FREE double *x = mem_new((size_t)draws * c->methods, sizeof *x);
	size_t n = 0;

	for (size_t m = 0; m < c->methods; m++)
		n = values_of(c, graph, m, c->judge, c->at, x + m * draws);
	n = contest_independent(c, graph, n);
	return pairs_judged(x, c->methods, draws, (uint32_t)n, verdict_of, c);
}

/* --- across graphs */

size_t contest_rows(const struct contest *c, double **value, const char ***family)
{
	double *sum = mem_zero(c->graphs * c->methods, sizeof *sum);
	const char **name = mem_zero(c->graphs, sizeof *name);
	size_t *members = mem_zero(c->graphs, sizeof *members), rows = 0;

	for (size_t g = 0; g < c->graphs; g++) {
		size_t row = 0;
		if (!contest_kept(c, g))
			continue;
		while (row < rows && strcmp(name[row], c->graph[g].family) != 0)
			row++;
		rows += row == rows;
		name[row] = c->graph[g].family;
		members[row]++;
		for (size_t m = 0; m < c->methods; m++)
			sum[row * c->methods + m] += contest_mean(c, g, m, c->judge, c->at).mean;
	}
	for (size_t row = 0; row < rows; row++)
		for (size_t m = 0; m < c->methods; m++)
			sum[row * c->methods + m] /= (double)members[row];
	free(members);
	*value = sum;
	*family = name;
	return rows;
}

void contest_across_make(const struct contest *c, struct contest_across *a)
{
	*a = (struct contest_across){.mean = mem_zero(c->methods, sizeof *a->mean)};
	a->rows = contest_rows(c, &a->value, &a->family);
	ranks_make(&a->ranks, a->value, a->rows, c->methods, CONTEST_LEVEL);
	for (size_t m = 0; m < c->methods; m++) {
		for (size_t row = 0; row < a->rows; row++)
			a->mean[m] += a->value[row * c->methods + m];
		a->mean[m] /= (double)a->rows;
	}
}

void contest_across_release(struct contest_across *a)
{
	ranks_release(&a->ranks);
	free(a->mean);
	free(a->value);
	free(a->family);
	*a = (struct contest_across){0};
}

double contest_share(const struct contest_across *a, size_t method, size_t methods, size_t other)
{
	double better = 0;

	for (size_t row = 0; row < a->rows; row++) {
		const double x = a->value[row * methods + method];
		const double y = a->value[row * methods + other];
		better += x > y ? 1 : x < y ? 0 : 0.5;
	}
	return better / (double)a->rows;
}

/* Tests of pairs of methods over the rows, each pair once. */
struct planned_tests {
	struct contest_planned *test;
	size_t n, room;
};

static size_t place_in(const struct planned_tests *p, size_t method, size_t other)
{
	size_t i = 0;

	while (i < p->n && !(p->test[i].method == method && p->test[i].other == other) &&
		!(p->test[i].method == other && p->test[i].other == method))
		i++;
	return i;
}

/* Returns Wilcoxon's p of two methods over the rows. */
static double wilcoxon_over_rows(const struct contest_across *a, size_t methods, size_t method, size_t other)
{
	AUTO_FREE double *difference = mem_new(a->rows + 1, sizeof *difference);

	for (size_t row = 0; row < a->rows; row++)
		difference[row] = a->value[row * methods + method] - a->value[row * methods + other];
	return stats_wilcoxon(difference, a->rows);
}

static void plan_claim(struct planned_tests *p, const struct contest *c, const struct contest_across *a,
	const struct contest_claim *claim)
{
	for (size_t i = 0; i < claim->others; i++) {
		const size_t m = claim->method, o = claim->other[i];
		if (place_in(p, m, o) < p->n)
			continue;
		p->test = mem_grow(p->test, &p->room, p->n + 1, sizeof *p->test);
		p->test[p->n++] = (struct contest_planned){.method = m, .other = o, .p = wilcoxon_over_rows(a, c->methods, m, o)};
	}
}

static void correct(struct planned_tests *p)
{
	AUTO_FREE double *value = mem_new(p->n + 1, sizeof *value);

	for (size_t i = 0; i < p->n; i++)
		value[i] = p->test[i].p;
	stats_holm(value, p->n);
	for (size_t i = 0; i < p->n; i++)
		p->test[i].corrected = value[i];
}

struct contest_planned *contest_planned(const struct contest *c, const struct contest_across *a, const struct contest_claim *claim)
{
	struct contest_planned *own = mem_zero(claim->others, sizeof *own);
	struct planned_tests plan = {.n = 0};

	plan_claim(&plan, c, a, claim);
	for (size_t i = 0; !claim->is_finding && i < c->claims; i++)
		if (!c->claim[i].is_finding)
			plan_claim(&plan, c, a, &c->claim[i]);
	correct(&plan);
	for (size_t i = 0; i < claim->others; i++) {
		const size_t m = claim->method, o = claim->other[i];
		own[i] = plan.test[place_in(&plan, m, o)];
		own[i].method = m;
		own[i].other = o;
		own[i].difference = a->mean[m] - a->mean[o];
		own[i].share = contest_share(a, m, c->methods, o);
		own[i].comparisons = plan.n;
	}
	free(plan.test);
	return own;
}

const char *contest_verdict(const struct contest *c, const struct contest_across *a, const struct contest_claim *claim)
{
	AUTO_FREE struct contest_planned *test = contest_planned(c, a, claim);
	size_t shown = 0, opposite = 0;

	for (size_t i = 0; i < claim->others; i++) {
		const struct contest_planned *t = &test[i];
		if (!(t->corrected < CONTEST_LEVEL) || fabs(t->difference) < c->smallest_effect)
			continue;
		shown += t->difference > 0 && t->share > 0.5;
		opposite += t->difference < 0 && t->share < 0.5;
	}
	return opposite ? "contradicted" : shown == claim->others ? "holds" : "not shown";
}

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
	AUTO_FREE double *its = mem_new(contest_draws(c, graph), sizeof *its);
	const size_t n = values_of(c, graph, c->challenger, c->judge, c->at, difference);

	values_of(c, graph, other, c->judge, c->at, its);
	for (size_t i = 0; i < n; i++)
		difference[i] -= its[i];
	return contest_independent(c, graph, n);
}

void contest_gap(const struct contest *c, size_t graph, struct contest_gap *out)
{
	AUTO_FREE double *difference = mem_new(contest_draws(c, graph), sizeof *difference);
	AUTO_FREE double *p = mem_new(c->methods, sizeof *p);
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
	for (size_t y = 0; y < c->yardsticks; y++) {
		const struct interval mean = contest_mean(c, graph, c->methods + y, c->judge, c->at);
		if (y == 0 || mean.mean > out->of_yardstick.mean) {
			out->of_yardstick = mean;
			out->yardstick = y;
		}
	}
	out->gap = out->of_yardstick.mean - out->of_best.mean;
	out->share = out->gap > 0 && out->gap >= c->least_gap ? out->difference.mean / out->gap : NAN;
}
