#include "lab/study/summary.h"
#include "base/mem.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#define TRIAL(field) OF_TRIAL, offsetof(struct trial, field)
#define POINT(field) offsetof(struct throughput_point, field)
#define WORK(field)  OF_WORK, offsetof(struct op_counts, field)

/* The name of each figure, and the field that has it: a double of the trial, or of a point of it or of its curve, or a uint64_t of
 * what was counted. */
static const struct {
	const char *name;
	enum { COMPUTED, OF_TRIAL, AT_POINT, OF_CURVE, OF_WORK } where;
	size_t at;
} figures[] = {
	[MEASURE_AUC] = {"auc", TRIAL(auc)},
	[MEASURE_REGRET_IDEAL] = {"regret_ideal", TRIAL(regret_ideal)},
	[MEASURE_REGRET_OMNISCIENT] = {"regret_omniscient", TRIAL(regret_omniscient)},
	[MEASURE_NS_A_LINK] = {"ns_per_link", COMPUTED, 0},
	[MEASURE_NS_A_PAGE] = {"ns_per_page", COMPUTED, 0},
	[MEASURE_BYTES_A_PAGE] = {"bytes_per_page", COMPUTED, 0},
	[MEASURE_EFFORT] = {"operations_per_link", COMPUTED, 0},
	[MEASURE_HOT] = {"hot", AT_POINT, POINT(strict)},
	[MEASURE_DISCOVERABLE] = {"hot_discoverable", AT_POINT, POINT(discoverable)},
	[MEASURE_MASS] = {"mass", AT_POINT, POINT(mass)},
	[MEASURE_LIFT] = {"lift", AT_POINT, POINT(lift)},
	[MEASURE_TAU] = {"tau", COMPUTED, 0},
	[MEASURE_CURVE_HOT] = {"hot", OF_CURVE, POINT(strict)},
	[MEASURE_CURVE_DISCOVERABLE] = {"hot_discoverable", OF_CURVE, POINT(discoverable)},
	[MEASURE_CURVE_MASS] = {"mass", OF_CURVE, POINT(mass)},
	[MEASURE_WINDOW] = {"rank", COMPUTED, 0},
	[MEASURE_DEPTH_PAGES] = {"pages", COMPUTED, 0},
	[MEASURE_DEPTH_RANK] = {"rank", COMPUTED, 0},
	[MEASURE_COVERED] = {"covered", COMPUTED, 0},
	[MEASURE_QUEUED] = {"queued", COMPUTED, 0},
	[MEASURE_PART] = {"taking_part", COMPUTED, 0},
	[MEASURE_LINKS] = {NULL, WORK(links)},
	[MEASURE_KEY_UPDATES] = {NULL, WORK(total.key_updates)},
	[MEASURE_HEAP_MOVES] = {NULL, WORK(total.heap_moves)},
	[MEASURE_HEAP_BOUND] = {NULL, COMPUTED, 0},
	[MEASURE_RANKED_PAGES] = {NULL, WORK(total.ranked_pages)},
	[MEASURE_RANKED_LINKS] = {NULL, WORK(total.ranked_arcs)},
	[MEASURE_RANK_BOUND] = {NULL, COMPUTED, 0},
	[MEASURE_PEAK] = {NULL, COMPUTED, 0},
};

const char *measure_name(enum measure m)
{
	return figures[m].name;
}

int measure_is_time(enum measure m)
{
	return m == MEASURE_NS_A_LINK || m == MEASURE_NS_A_PAGE;
}

/* Returns a figure of the work that the policy did; NAN if the trial did not count its work. */
static double work_of(const struct compare *c, const struct trial *t, enum measure m, size_t i)
{
	const struct op_counts *w = t->work;
	const double n = c->nodes;

	if (!w || !w->links)
		return NAN;
	if (figures[m].where == OF_WORK)
		return (double)*(const uint64_t *)(const void *)((const char *)w + figures[m].at);
	switch (m) {
	case MEASURE_BYTES_A_PAGE:
		return op_counts_bytes_a_page(w, t->policy, c->nodes);
	case MEASURE_EFFORT:
		return 1 + ((double)w->total.heap_moves + (double)w->total.ranked_arcs) / (double)w->links;
	case MEASURE_HEAP_BOUND:
		return op_counts_heap_bound(w, c->nodes);
	case MEASURE_RANK_BOUND:
		return op_counts_rank_bound(w);
	case MEASURE_PEAK:
		return w->peak;
	default:
		return i < w->steps ? (m == MEASURE_QUEUED ? w->queued[i] : w->part[i]) / n : NAN;
	}
}

static double covered(const struct compare *c, const struct trial *t, size_t depth)
{
	double pages = 0;

	for (size_t i = 0; i <= depth && i < t->depths; i++)
		pages += t->depth[i].pages;
	return pages / c->nodes;
}

double measure_of(const struct compare *c, const struct trial *t, enum measure m, size_t i)
{
	if (figures[m].where == OF_TRIAL)
		return *(const double *)(const void *)((const char *)t + figures[m].at);
	if (figures[m].where == AT_POINT)
		return *(const double *)(const void *)((const char *)&t->points[i] + figures[m].at);
	if (figures[m].where == OF_CURVE)
		return *(const double *)(const void *)((const char *)&t->curve[i] + figures[m].at);
	switch (m) {
	case MEASURE_NS_A_LINK:
		return t->links && t->cpu_ns ? (double)t->cpu_ns / (double)t->links : NAN;
	case MEASURE_NS_A_PAGE:
		return t->crawled && t->cpu_ns ? (double)t->cpu_ns / t->crawled : NAN;
	case MEASURE_TAU:
		return t->tau ? t->tau[i] : NAN;
	case MEASURE_WINDOW:
		return i < t->windows ? t->window[i] : NAN;
	case MEASURE_COVERED:
		return covered(c, t, i);
	case MEASURE_DEPTH_PAGES:
		return i < t->depths ? t->depth[i].pages : 0;
	case MEASURE_DEPTH_RANK:
		return i < t->depths && t->depth[i].pages ? t->depth[i].rank * c->nodes : NAN;
	default:
		return work_of(c, t, m, i);
	}
}

struct interval summary_of(const struct compare *c, size_t policy, enum measure m, size_t i)
{
	AUTO_FREE double *x = mem_new(c->draws, sizeof *x);
	size_t n = 0;

	for (size_t draw = 0; draw < c->draws; draw++) {
		x[n] = measure_of(c, compare_trial(c, policy, draw), m, i);
		n += isnan(x[n]) ? 0 : 1;
	}
	return stats_interval(x, n);
}

int summary_is_yardstick(const struct policy *p)
{
	return p->oracle == POLICY_TRUE_RANK || p->oracle == POLICY_TRUE_INDEGREE || p->oracle == POLICY_TRUE_MAP;
}

struct standing {
	size_t policy;
	double auc;
};

static int compare_standings(const void *a, const void *b)
{
	const struct standing *p = a, *q = b;

	if (p->auc > q->auc || p->auc < q->auc)
		return p->auc > q->auc ? -1 : 1;
	return (p->policy > q->policy) - (p->policy < q->policy);
}

void summary_order(const struct compare *c, size_t *order)
{
	AUTO_FREE struct standing *s = mem_new(c->n_policies, sizeof *s);

	for (size_t i = 0; i < c->n_policies; i++)
		s[i] = (struct standing){i, summary_of(c, i, MEASURE_AUC, 0).mean};
	qsort(s, c->n_policies, sizeof *s, compare_standings);
	for (size_t i = 0; i < c->n_policies; i++)
		order[i] = s[i].policy;
}

/* Returns the fewest draws with which any two of the policies can be told apart. */
static uint32_t verdict_draws(const struct compare *c)
{
	return (uint32_t)stats_wilcoxon_least(VERDICT_LEVEL, c->n_policies * (c->n_policies - 1) / 2);
}

/* Returns the number of independent draws: 1 if all draws have the same seeds, such as those of a file. */
static uint32_t independent_draws(const struct compare *c)
{
	for (uint32_t i = 1; i < c->draws; i++)
		if (!c->drawn || c->drawn[i] != c->drawn[0])
			return c->draws;
	return 1;
}

static struct pair pair_reversed(struct pair p)
{
	struct pair r = p;

	r.policy = p.other;
	r.other = p.policy;
	r.difference = (struct interval){-p.difference.mean, -p.difference.high, -p.difference.low};
	r.share = 1 - p.share;
	r.verdict = p.verdict == VERDICT_BETTER ? VERDICT_WORSE : p.verdict == VERDICT_WORSE ? VERDICT_BETTER : p.verdict;
	return r;
}

/* Returns the share of n differences that are above 0; those that are 0 count half. */
static double share_above(const double *x, size_t n)
{
	double above = 0;

	for (size_t i = 0; i < n; i++)
		above += x[i] > 0 ? 1 : x[i] < 0 ? 0 : 0.5;
	return above / (double)n;
}

struct pair *pairs_judged(const double *x, size_t n, size_t stride, uint32_t draws,
	enum verdict (*judge)(const struct pair *, const void *ctx), const void *ctx)
{
	const size_t tests = n * (n - 1) / 2;
	struct pair *pairs = mem_zero(n * n, sizeof *pairs);
	AUTO_FREE double *difference = mem_new(draws, sizeof *difference), *p = mem_new(tests, sizeof *p);
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = i; j < n; j++) {
			for (size_t d = 0; d < draws; d++)
				difference[d] = x[i * stride + d] - x[j * stride + d];
			pairs[i * n + j] = (struct pair){.policy = i,
				.other = j,
				.difference = i == j ? (struct interval){0, 0, 0} : stats_interval(difference, draws),
				.share = i == j ? 0.5 : share_above(difference, draws),
				.p = i == j         ? 1
					: draws > 1 ? stats_wilcoxon(difference, draws)
						    : NAN,
				.corrected = 1,
				.draws = draws,
				.comparisons = tests,
				.verdict = VERDICT_EQUAL};
			if (i != j)
				p[k++] = pairs[i * n + j].p;
		}
	if (draws > 1)
		stats_holm(p, k);
	k = 0;
	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++) {
			struct pair *pair = &pairs[i * n + j];
			pair->corrected = p[k++];
			pair->verdict = judge(pair, ctx);
			pairs[j * n + i] = pair_reversed(*pair);
		}
	return pairs;
}

static enum verdict verdict_of(const struct pair *p, const void *ctx)
{
	if (p->draws < verdict_draws(ctx))
		return VERDICT_TOO_FEW;
	if (!(p->corrected < VERDICT_LEVEL))
		return VERDICT_EQUAL;
	return p->difference.low > 0 ? VERDICT_BETTER : p->difference.high < 0 ? VERDICT_WORSE : VERDICT_EQUAL;
}

struct pair *verdict_pairs(const struct compare *c)
{
	AUTO_FREE double *auc = mem_new(c->n_policies * c->draws, sizeof *auc);

	for (size_t i = 0; i < c->n_policies * c->draws; i++)
		auc[i] = c->trials[i].auc;
	return pairs_judged(auc, c->n_policies, c->draws, independent_draws(c), verdict_of, c);
}

const char *verdict_name(enum verdict v)
{
	static const char *const names[] = {"too few draws", "better", "worse", "equal"};

	return names[v];
}

/* Names the correction of a verdict, if there is one. */
static void name_correction(const struct pair *p, struct buf *out)
{
	const int is_hidden = p->verdict == VERDICT_EQUAL && p->p < VERDICT_LEVEL && !(p->corrected < VERDICT_LEVEL);

	if (p->comparisons > 1 && (is_hidden || p->verdict != VERDICT_EQUAL))
		buf_format(out, " (%safter Holm over %zu pairs)", is_hidden ? "not " : "", p->comparisons);
}

void verdict_sentence(const struct compare *c, const struct pair *p, struct buf *out)
{
	const struct pair told = p->verdict == VERDICT_WORSE ? pair_reversed(*p) : *p;
	const char *name = c->policies[told.policy]->name, *other = c->policies[told.other]->name;
	const struct interval d = told.difference;

	if (p->verdict == VERDICT_TOO_FEW) {
		buf_format(out, "%s and %s are %.4f apart, not separable at %u draw%s (%u or more are needed)", name, other,
			fabs(d.mean), p->draws, p->draws == 1 ? "" : "s", verdict_draws(c));
		return;
	}
	if (p->verdict == VERDICT_EQUAL)
		buf_format(out, "%s and %s cannot be told apart: %.4f [%.4f, %.4f]", name, other, d.mean, d.low, d.high);
	else
		buf_format(out, "%s beats %s by %.4f [%.4f, %.4f]", name, other, d.mean, d.low, d.high);
	name_correction(p, out);
}
