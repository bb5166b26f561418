#include "cli/lab/study_times.h"
#include "base/mem.h"
#include "lab/report/chart.h"

#include <math.h>
#include <stdlib.h>

/* Returns the means over all draws of a policy at time i; i = n_when is the end of the crawl. */
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

/* Returns the means over all draws of the figures of a changing web at time i; all are NAN if the web does not change. */
static struct then_point then_at(const struct compare *c, size_t policy, size_t i)
{
	struct then_point sum = {.strict = 0};

	if (!compare_trial(c, policy, 0)->then)
		return (struct then_point){NAN, NAN, NAN, NAN};
	for (uint32_t d = 0; d < c->draws; d++) {
		const struct then_point *p = &compare_trial(c, policy, d)->then[i];
		sum.strict += p->strict / c->draws;
		sum.found += p->found / c->draws;
		sum.mass += p->mass / c->draws;
		sum.fresh += p->fresh / c->draws;
	}
	return sum;
}

static int has_rankings_by_time(const struct study_run *r, size_t g, size_t value)
{
	const struct compare *c = &r->x[g * r->values + value].compare;

	for (size_t p = 0; p < r->policies; p++)
		if (compare_trial(c, p, 0)->then)
			return 1;
	return 0;
}

static void add_rows(const struct study_run *r, size_t g, size_t value, size_t policy, int with_then, struct study *s)
{
	const struct compare *c = &r->x[g * r->values + value].compare;

	for (size_t i = 0; c->virtual_time && compare_trial(c, policy, 0)->timed && i <= c->n_when; i++) {
		const struct time_point p = mean_at(c, policy, i);
		study_text(s, r->job->graph[g].name);
		study_text(s, r->method[value * r->policies + policy]);
		study_text(s, i < c->n_when ? "" : "end");
		study_real(s, (double)p.ms / 1000);
		study_count(s, p.crawled);
		study_real(s, p.found);
		study_real(s, p.mass);
		study_real(s, p.strict);
		if (with_then) {
			const struct then_point then = then_at(c, policy, i);
			study_real(s, then.found);
			study_real(s, then.mass);
			study_real(s, then.strict);
			study_real(s, then.fresh);
		}
	}
}

/* --- the figure of a web that changes */

/* Draws two curves for each policy: by the ranking of the web as it is at each time, and, in grey, by the ranking of the graph as
 * it was given. */
static void draw(const struct study_run *r, size_t g, size_t value, struct study *s)
{
	static const double shares[] = {0, 100};
	const struct compare *c = &r->x[g * r->values + value].compare;
	const char *graph = r->job->graph[g].name;
	struct chart_curve *curve = mem_zero(2 * r->policies, sizeof *curve);
	double *x = mem_new(c->n_when, sizeof *x), *y = mem_new(2 * r->policies * c->n_when, sizeof *y);
	struct buf label = BUF_EMPTY, name = BUF_EMPTY;
	struct drawing d;
	size_t curves = 0;

	for (size_t i = 0; i < c->n_when; i++)
		x[i] = (double)c->when[i] / 3600000;
	for (size_t p = 0; p < r->policies; p++) {
		if (!compare_trial(c, p, 0)->then)
			continue;
		double *then = y + curves * c->n_when, *given = then + c->n_when;
		for (size_t i = 0; i < c->n_when; i++) {
			then[i] = 100 * then_at(c, p, i).found;
			given[i] = 100 * mean_at(c, p, i).found;
		}
		curve[curves++] = (struct chart_curve){.name = r->policy[p], .x = x, .y = then, .n = c->n_when};
		curve[curves++] = (struct chart_curve){.name = r->policy[p], .x = x, .y = given, .n = c->n_when, .is_yardstick = 1};
	}
	chart_draw(&d,
		&(struct chart){.x_label = "virtual time, hours",
			.y_label = "best tenth found, %",
			.x_scale = CHART_LOG,
			.y_range = shares,
			.curve = curve,
			.curves = curves});
	buf_format(&label, "Found by then on %s", graph);
	buf_format(&name, "then-%s", graph);
	if (r->value) {
		buf_format(&label, ", %s", r->value[value]);
		buf_format(&name, "-%s", r->value[value]);
	}
	study_figure(s, name.at, &d, label.at,
		"The share crawled of the tenth of all pages with the highest PageRank, by the web as it is by then; in grey, by the "
		"graph as it was given. The means of all draws.");
	buf_release(&label);
	buf_release(&name);
	free(curve);
	free(x);
	free(y);
}

void study_times(const struct study_run *r, struct study *s)
{
	static const char *const columns[] = {"graph", "method", "at", "seconds", "crawled", "found", "mass", "hot", NULL},
				 *const with_then[] = {"graph", "method", "at", "seconds", "crawled", "found", "mass", "hot",
					 "found_then", "mass_then", "hot_then", "fresh", NULL};
	int is_timed = 0, is_changing = 0;

	for (size_t i = 0; i < r->job->graphs * r->values; i++) {
		is_timed |= r->x[i].compare.virtual_time != NULL;
		is_changing |= has_rankings_by_time(r, i / r->values, i % r->values);
	}
	if (!is_timed)
		return;
	study_table(s, "times", "By time",
		is_changing
			? "What each method had found after a time, in seconds, and at the end of the crawl; the means of all draws. "
			  "found: of the tenth of all pages with the highest PageRank; hot: of as many hot pages as were crawled; both "
			  "by the graph as it was given, and then by the web as it is by then. fresh: of the pages crawled, those that have "
			  "not changed since."
			: "What each method had found after a time, in seconds, and at the end of the crawl; the means of all draws. "
			  "found: of the tenth of all pages with the highest PageRank; hot: of as many hot pages as were crawled.",
		is_changing ? with_then : columns, STUDY_SHOWN);
	for (size_t g = 0; g < r->job->graphs; g++)
		for (size_t v = 0; v < r->values; v++)
			if (has_rankings_by_time(r, g, v))
				draw(r, g, v, s);
	for (size_t g = 0; g < r->job->graphs; g++)
		for (size_t p = 0; p < r->policies; p++)
			for (size_t v = 0; v < r->values; v++)
				add_rows(r, g, v, p, is_changing, s);
}
