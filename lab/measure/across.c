#include "lab/measure/across.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t across_place(const struct compare *other, const struct compare *first, size_t policy)
{
	for (size_t i = 0; i < other->n_policies; i++)
		if (strcmp(other->policies[i]->name, first->policies[policy]->name) == 0)
			return i;
	return SIZE_MAX;
}

double across_mean(
	const struct compare *const *c, size_t n, size_t policy, enum measure m, size_t i)
{
	double sum = 0;

	for (size_t g = 0; g < n; g++)
		sum += summary_of(c[g], across_place(c[g], c[0], policy), m, i).mean;
	return sum / (double)n;
}

size_t across_common(const struct compare *const *c, size_t n, size_t *common)
{
	size_t m = 0;
	double *auc = mem_new(c[0]->n_policies, sizeof *auc);

	for (size_t p = 0; p < c[0]->n_policies; p++) {
		size_t g = 0, at;
		while (g < n && across_place(c[g], c[0], p) != SIZE_MAX)
			g++;
		if (g < n)
			continue;
		double mean = across_mean(c, n, p, MEASURE_AUC, 0);
		/* in its place among those before it: equal ones as they stand */
		for (at = m++; at > 0 && auc[at - 1] < mean; at--) {
			auc[at] = auc[at - 1];
			common[at] = common[at - 1];
		}
		auc[at] = mean;
		common[at] = p;
	}
	free(auc);
	return m;
}

double across_rank(const struct compare *const *c, size_t n, const size_t *common, size_t m,
	size_t policy, enum measure measure, size_t i)
{
	double sum = 0;

	if (summary_is_yardstick(c[0]->policies[policy]))
		return NAN;
	for (size_t g = 0; g < n; g++) {
		double own = summary_of(c[g], across_place(c[g], c[0], policy), measure, i).mean;
		double place = 1;
		for (size_t j = 0; j < m; j++) {
			if (common[j] == policy || summary_is_yardstick(c[0]->policies[common[j]]))
				continue;
			double x = summary_of(c[g], across_place(c[g], c[0], common[j]), measure, i)
					   .mean;
			place += x > own ? 1 : x < own ? 0 : 0.5;
		}
		sum += place;
	}
	return sum / (double)n;
}

size_t across_point(const struct compare *c)
{
	size_t best = 0;

	for (size_t i = 1; i < c->n_at; i++)
		if (fabs(c->at[i] - 0.45) < fabs(c->at[best] - 0.45))
			best = i;
	return best;
}
