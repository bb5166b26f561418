#include "cli/lab/study_times.h"

/* The means of the draws of a policy at time i; one beyond the last time is the end. */
static struct time_point mean_at(const struct compare *c, size_t policy, size_t i)
{
	struct time_point sum = {.ms = 0};
	double crawled = 0, ms = 0;

	for (uint32_t d = 0; d < c->draws; d++) {
		const struct time_point *p = &compare_trial(c, policy, d)->timed[i];
		ms += (double)p->ms / c->draws;
		crawled += (double)p->crawled / c->draws;
		sum.found += p->found / c->draws;
		sum.mass += p->mass / c->draws;
		sum.strict += p->strict / c->draws;
	}
	sum.ms = (int64_t)ms;
	sum.crawled = (uint32_t)(crawled + 0.5);
	return sum;
}

static void add_rows(const struct study_run *r, size_t g, size_t value, size_t policy, struct study *s)
{
	const struct compare *c = &r->x[g * r->values + value].compare;

	for (size_t i = 0; c->manners && compare_trial(c, policy, 0)->timed && i <= c->n_when; i++) {
		const struct time_point p = mean_at(c, policy, i);
		study_text(s, r->job->graph[g].name);
		study_text(s, r->method[value * r->policies + policy]);
		study_text(s, i < c->n_when ? "" : "end");
		study_real(s, (double)p.ms / 1000);
		study_count(s, p.crawled);
		study_real(s, p.found);
		study_real(s, p.mass);
		study_real(s, p.strict);
	}
}

void study_times(const struct study_run *r, struct study *s)
{
	static const char *const columns[] = {
		"graph", "method", "at", "seconds", "crawled", "found", "mass", "hot", NULL};
	int is_timed = 0;

	for (size_t i = 0; i < r->job->graphs * r->values; i++)
		is_timed |= r->x[i].compare.manners != NULL;
	if (!is_timed)
		return;
	study_table(s, "times", "By time",
		"What each method had found after a time, in seconds, and at the end of the crawl; the means of all draws. "
		"found: of the tenth of all pages with the highest PageRank; hot: of as many hot pages as were crawled.",
		columns, STUDY_SHOWN);
	for (size_t g = 0; g < r->job->graphs; g++)
		for (size_t p = 0; p < r->policies; p++)
			for (size_t v = 0; v < r->values; v++)
				add_rows(r, g, v, p, s);
}
