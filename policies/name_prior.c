#include "policies/name_prior.h"
#include "base/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NAMES   65536 /* hashes of names, and of cohorts */
#define SHRINK  5
#define RIDGE   1
#define SURE    3
#define BATCHES 3   /* the number of fixed batches before which no prior is used */
#define PAGES   200 /* the number of pages before which none is used, if batches grow */

/* The gains of a group of pages. */
struct gains {
	double sum, n;
};

uint16_t name_prior_hash(const char *url, size_t n)
{
	const char *query = memchr(url, '?', n);
	size_t at = query ? (size_t)(query - url) : n;
	uint32_t hash = 2166136261u; /* FNV-1a */
	int in_number = 0;

	while (at > 0 && url[at - 1] != '/')
		at--;
	for (; at < n; at++) {
		const int is_digit = url[at] >= '0' && url[at] <= '9';
		if (!is_digit || !in_number)
			hash = (hash ^ (is_digit ? '0' : (uint8_t)url[at])) * 16777619u;
		in_number = is_digit;
	}
	return (uint16_t)(hash ^ hash >> 16);
}

void name_prior_meet(struct named_page *v, const struct policy_view *view, uint32_t id)
{
	size_t n;
	const char *url = view_url(view, id, &n);

	v->name = url ? name_prior_hash(url, n) : 0;
}

void name_prior_crawled(const struct name_prior *p, struct named_page *v, double value)
{
	v->cohort = p->cohort;
	v->then = (uint16_t)fmin(UINT16_MAX, floor(value * NAME_PRIOR_UNITS + 0.5));
}

static double growth(const struct named_page *v, double value)
{
	return value - (double)v->then / NAME_PRIOR_UNITS;
}

/* Returns the mean growth of each cohort, by its number; the caller frees it. */
static struct gains *learn_cohorts(const struct policy_view *view, name_prior_page *page)
{
	struct gains *cohort = mem_zero(NAMES, sizeof *cohort);
	double value;

	for (uint32_t u = 0; u < view->ids; u++)
		if (view->state[u] == PAGE_CRAWLED) {
			const struct named_page *v = page(view, u, &value);
			cohort[v->cohort].sum += growth(v, value);
			cohort[v->cohort].n++;
		}
	for (int i = 0; i < NAMES; i++)
		if (cohort[i].n > 0)
			cohort[i].sum /= cohort[i].n;
	return cohort;
}

/* Learns lambda, and the gains of each name. */
static void learn_names(struct name_prior *p, const struct policy_view *view, name_prior_page *page, struct gains *name)
{
	struct gains *cohort = learn_cohorts(view, page);
	double with_gain = 0, squares = 0, gains = 0, n = 0, value;

	for (uint32_t u = 0; u < view->ids; u++) {
		if (view->state[u] != PAGE_CRAWLED)
			continue;
		const struct named_page *v = page(view, u, &value);
		const double gain = growth(v, value) - cohort[v->cohort].sum, prior = (double)v->prior / NAME_PRIOR_UNITS;
		name[v->name].sum += gain;
		name[v->name].n++;
		with_gain += prior * gain;
		squares += prior * prior;
		gains += gain * gain;
		n++;
	}
	free(cohort);
	const uint64_t least = view->growth > 0 ? PAGES : BATCHES * view->batch;
	const int is_sure = view->crawled >= least && with_gain >= SURE * sqrt(squares * gains / fmax(1, n));
	p->lambda = is_sure ? fmin(1, fmax(0, with_gain / (squares + RIDGE))) : 0;
}

void name_prior_learn(struct name_prior *p, const struct policy_view *view, name_prior_page *page)
{
	struct gains *name;
	double value;

	if (!(view->sees & POLICY_SEES_URLS))
		return;
	name = mem_zero(NAMES, sizeof *name);
	learn_names(p, view, page, name);
	for (uint32_t u = 0; u < view->ids; u++)
		if (view->state[u] == PAGE_QUEUED) {
			struct named_page *v = page(view, u, &value);
			const double prior = name[v->name].sum / (name[v->name].n + SHRINK);
			v->prior = (uint16_t)floor(fmax(0, fmin(31, prior)) * NAME_PRIOR_UNITS + 0.5);
		}
	if (p->cohort < UINT16_MAX)
		p->cohort++;
	free(name);
}
