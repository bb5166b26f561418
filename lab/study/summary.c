#include "lab/study/summary.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

const char *measure_name(enum measure m)
{
	static const char *const names[] = {
		[MEASURE_AUC] = "auc",
		[MEASURE_REGRET_IDEAL] = "regret_ideal",
		[MEASURE_REGRET_OMNISCIENT] = "regret_omniscient",
		[MEASURE_NS_A_LINK] = "ns_per_link",
		[MEASURE_NS_A_PAGE] = "ns_per_page",
		[MEASURE_BYTES_A_PAGE] = "bytes_per_page",
		[MEASURE_EFFORT] = "operations_per_link",
		[MEASURE_HOT] = "hot",
		[MEASURE_DISCOVERABLE] = "hot_discoverable",
		[MEASURE_MASS] = "mass",
		[MEASURE_LIFT] = "lift",
		[MEASURE_TAU] = "tau",
		[MEASURE_CURVE_HOT] = "hot",
		[MEASURE_CURVE_DISCOVERABLE] = "hot_discoverable",
		[MEASURE_CURVE_MASS] = "mass",
		[MEASURE_WINDOW] = "rank",
		[MEASURE_DEPTH_PAGES] = "pages",
		[MEASURE_DEPTH_RANK] = "rank",
		[MEASURE_COVERED] = "covered",
		[MEASURE_QUEUED] = "queued",
		[MEASURE_PART] = "taking_part",
	};

	return names[m];
}

int measure_is_time(enum measure m)
{
	return m == MEASURE_NS_A_LINK || m == MEASURE_NS_A_PAGE;
}

/* Returns a figure of the work that the policy did; NAN without with_profiles. */
static double work_of(const struct compare *c, const struct trial *t, enum measure m, size_t i)
{
	const struct op_counts *w = t->work;
	double n = c->nodes;

	if (!w || !w->links)
		return NAN;
	switch (m) {
	case MEASURE_BYTES_A_PAGE:
		return op_counts_bytes_a_page(w, t->policy, c->nodes);
	case MEASURE_EFFORT:
		return 1 + ((double)w->total.heap_moves + (double)w->total.ranked_arcs) / (double)w->links;
	case MEASURE_QUEUED:
		return i < w->steps ? w->queued[i] / n : NAN;
	case MEASURE_PART:
		return i < w->steps ? w->part[i] / n : NAN;
	default:
		return NAN;
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
	switch (m) {
	case MEASURE_AUC:
		return t->auc;
	case MEASURE_REGRET_IDEAL:
		return t->regret_ideal;
	case MEASURE_REGRET_OMNISCIENT:
		return t->regret_omniscient;
	case MEASURE_NS_A_LINK:
		return t->links && t->cpu_ns ? (double)t->cpu_ns / (double)t->links : NAN;
	case MEASURE_NS_A_PAGE:
		return t->crawled && t->cpu_ns ? (double)t->cpu_ns / t->crawled : NAN;
	case MEASURE_HOT:
		return t->points[i].strict;
	case MEASURE_DISCOVERABLE:
		return t->points[i].discoverable;
	case MEASURE_MASS:
		return t->points[i].mass;
	case MEASURE_LIFT:
		return t->points[i].lift;
	case MEASURE_TAU:
		return t->tau ? t->tau[i] : NAN;
	case MEASURE_CURVE_HOT:
		return t->curve[i].strict;
	case MEASURE_CURVE_DISCOVERABLE:
		return t->curve[i].discoverable;
	case MEASURE_CURVE_MASS:
		return t->curve[i].mass;
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
	double *x = mem_new(c->draws, sizeof *x);
	size_t n = 0;

	for (size_t draw = 0; draw < c->draws; draw++) {
		x[n] = measure_of(c, compare_trial(c, policy, draw), m, i);
		n += isnan(x[n]) ? 0 : 1;
	}
	struct interval v = stats_interval(x, n);
	free(x);
	return v;
}

/* Returns a figure of the work of one trial; NAN if the trial did not count its work. */
static double work_figure(const struct compare *c, const struct trial *t, enum op_count f)
{
	const struct op_counts *w = t->work;

	if (!w || !w->links)
		return NAN;
	switch (f) {
	case OP_COUNT_LINKS:
		return (double)w->links;
	case OP_COUNT_KEY_UPDATES:
		return (double)w->total.key_updates;
	case OP_COUNT_HEAP_MOVES:
		return (double)w->total.heap_moves;
	case OP_COUNT_RANKED_PAGES:
		return (double)w->total.ranked_pages;
	case OP_COUNT_RANKED_LINKS:
		return (double)w->total.ranked_arcs;
	case OP_COUNT_HEAP_BOUND:
		return op_counts_heap_bound(w, c->nodes);
	case OP_COUNT_RANK_BOUND:
		return op_counts_rank_bound(w);
	case OP_COUNT_PEAK:
		return w->peak;
	case OP_COUNT_BYTES:
		return op_counts_bytes_a_page(w, t->policy, c->nodes);
	case OP_COUNT_FIGURES:
		break;
	}
	return NAN;
}

double summary_of_op_count(const struct compare *c, size_t policy, enum op_count f)
{
	double sum = 0;

	for (size_t i = 0; i < c->draws; i++)
		sum += work_figure(c, compare_trial(c, policy, i), f);
	return sum / c->draws;
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
	struct standing *s = mem_new(c->n_policies, sizeof *s);

	for (size_t i = 0; i < c->n_policies; i++)
		s[i] = (struct standing){i, summary_of(c, i, MEASURE_AUC, 0).mean};
	qsort(s, c->n_policies, sizeof *s, compare_standings);
	for (size_t i = 0; i < c->n_policies; i++)
		order[i] = s[i].policy;
	free(s);
}

static size_t count_pairs(const struct compare *c)
{
	return c->n_policies * (c->n_policies - 1) / 2;
}

/* Returns the fewest draws with which any two of the policies can be told apart. */
static uint32_t verdict_draws(const struct compare *c)
{
	return (uint32_t)stats_wilcoxon_least(VERDICT_LEVEL, count_pairs(c));
}

/* Returns the number of independent draws: 1 if all draws have the same seeds, such as those of a file. */
static uint32_t independent_draws(const struct compare *c)
{
	for (uint32_t i = 1; i < c->draws; i++)
		if (!c->drawn || c->drawn[i] != c->drawn[0])
			return c->draws;
	return 1;
}

static enum verdict verdict_of(const struct compare *c, const struct pair *p)
{
	if (independent_draws(c) < verdict_draws(c))
		return VERDICT_TOO_FEW;
	if (!(p->corrected < VERDICT_LEVEL))
		return VERDICT_EQUAL;
	return p->difference.low > 0 ? VERDICT_BETTER : p->difference.high < 0 ? VERDICT_WORSE : VERDICT_EQUAL;
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

struct pair *verdict_pairs(const struct compare *c)
{
	size_t n = c->n_policies, k = 0;
	uint32_t draws = independent_draws(c);
	struct pair *pairs = mem_zero(n * n, sizeof *pairs);
	double *x = mem_new(draws, sizeof *x), *p = mem_new(count_pairs(c), sizeof *p);

	for (size_t i = 0; i < n; i++)
		for (size_t j = i + 1; j < n; j++) {
			for (size_t d = 0; d < draws; d++)
				x[d] = compare_trial(c, i, d)->auc - compare_trial(c, j, d)->auc;
			p[k] = draws > 1 ? stats_wilcoxon(x, draws) : NAN;
			pairs[i * n + j] = (struct pair){.policy = i,
				.other = j,
				.difference = stats_interval(x, draws),
				.share = share_above(x, draws),
				.p = p[k++],
				.draws = draws,
				.comparisons = count_pairs(c)};
		}
	if (draws > 1)
		stats_holm(p, k);
	k = 0;
	for (size_t i = 0; i < n; i++) {
		pairs[i * n + i] = (struct pair){.policy = i,
			.other = i,
			.share = 0.5,
			.p = 1,
			.corrected = 1,
			.draws = draws,
			.comparisons = count_pairs(c),
			.verdict = VERDICT_EQUAL};
		for (size_t j = i + 1; j < n; j++) {
			struct pair *pair = &pairs[i * n + j];
			pair->corrected = p[k++];
			pair->verdict = verdict_of(c, pair);
			pairs[j * n + i] = pair_reversed(*pair);
		}
	}
	free(x);
	free(p);
	return pairs;
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
	const char *name = c->policies[p->policy]->name, *other = c->policies[p->other]->name;
	struct interval d = p->difference;

	switch (p->verdict) {
	case VERDICT_BETTER:
		buf_format(out, "%s beats %s by %.4f [%.4f, %.4f]", name, other, d.mean, d.low, d.high);
		break;
	case VERDICT_WORSE:
		buf_format(out, "%s beats %s by %.4f [%.4f, %.4f]", other, name, -d.mean, -d.high, -d.low);
		break;
	case VERDICT_EQUAL:
		buf_format(out, "%s and %s cannot be told apart: %.4f [%.4f, %.4f]", name, other, d.mean, d.low, d.high);
		break;
	case VERDICT_TOO_FEW:
		buf_format(out, "%s and %s are %.4f apart, not separable at %u draw%s (%u or more are needed)", name, other,
			fabs(d.mean), p->draws, p->draws == 1 ? "" : "s", verdict_draws(c));
		return;
	}
	name_correction(p, out);
}
