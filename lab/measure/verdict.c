#include "lab/measure/verdict.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>

static size_t count_pairs(const struct compare *c)
{
	return c->n_policies * (c->n_policies - 1) / 2;
}

uint32_t verdict_draws(const struct compare *c)
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
	struct interval d = p.difference;

	p.difference = (struct interval){-d.mean, -d.high, -d.low};
	p.verdict = p.verdict == VERDICT_BETTER ? VERDICT_WORSE : p.verdict == VERDICT_WORSE ? VERDICT_BETTER : p.verdict;
	return (struct pair){p.other, p.policy, p.difference, p.p, p.corrected, p.verdict};
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
			pairs[i * n + j] = (struct pair){i, j, stats_interval(x, draws), p[k], 0, VERDICT_EQUAL};
			k++;
		}
	if (draws > 1)
		stats_holm(p, k);
	k = 0;
	for (size_t i = 0; i < n; i++) {
		pairs[i * n + i] = (struct pair){i, i, {0, 0, 0}, 1, 1, VERDICT_EQUAL};
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

void verdict_sentence(const struct compare *c, const struct pair *p, struct buf *out)
{
	const char *name = c->policies[p->policy]->name, *other = c->policies[p->other]->name;
	struct interval d = p->difference;
	uint32_t draws = independent_draws(c);

	switch (p->verdict) {
	case VERDICT_BETTER:
		buf_format(out, "%s beats %s by %.4f [%.4f, %.4f]", name, other, d.mean, d.low, d.high);
		return;
	case VERDICT_WORSE:
		buf_format(out, "%s beats %s by %.4f [%.4f, %.4f]", other, name, -d.mean, -d.high, -d.low);
		return;
	case VERDICT_EQUAL:
		buf_format(out, "%s and %s cannot be told apart: %.4f [%.4f, %.4f]", name, other, d.mean, d.low, d.high);
		return;
	case VERDICT_TOO_FEW:
		buf_format(out, "%s and %s are %.4f apart, not separable at %u draw%s (%u or more are needed)", name, other,
			fabs(d.mean), draws, draws == 1 ? "" : "s", verdict_draws(c));
	}
}
