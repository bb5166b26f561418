#include "cli/lab/study_agents.h"
#include "base/mem.h"
#include "lab/report/chart.h"

#include <stdlib.h>

static void add_row(const struct study_run *r, size_t g, size_t value, size_t policy, struct study *s)
{
	const struct compare *c = &r->x[g * r->values + value].compare;
	double auc = 0, idle = 0, letters = 0, bytes = 0, crawled = 0, twice = 0;

	for (uint32_t d = 0; d < c->draws; d++) {
		const struct trial *t = compare_trial(c, policy, d);
		if (!t->figures)
			return;
		auc += t->auc / c->draws;
		idle += fleet_idle(t->figures) / c->draws;
		letters += (double)t->figures->all.letters / c->draws;
		bytes += (double)t->figures->all.bytes / c->draws;
		crawled += (double)t->crawled / c->draws;
		twice += (double)t->figures->twice;
	}
	study_text(s, r->job->graph[g].name);
	study_text(s, r->method[value * r->policies + policy]);
	study_count(s, c->fleet->agents);
	study_count(s, c->fleet->lag);
	study_text(s, c->fleet->shares == FLEET_LOAD ? "load" : "fixed");
	study_real(s, auc);
	study_real(s, idle);
	study_real(s, letters / crawled);
	study_real(s, bytes / crawled);
	study_real(s, twice);
}

/* Returns the mean AUC of a method, and in *agents the number of its agents if its letters have no lag and its shares are fixed,
 * else 0. */
static double auc_of(const struct study_run *r, size_t g, size_t value, size_t policy, double *agents)
{
	const struct compare *c = &r->x[g * r->values + value].compare;
	double auc = 0;

	*agents = c->fleet && !c->fleet->lag && c->fleet->shares == FLEET_FIXED ? (double)c->fleet->agents : 0;
	for (uint32_t d = 0; d < c->draws; d++)
		auc += compare_trial(c, policy, d)->auc / c->draws;
	return auc;
}

/* Draws the AUC on a graph by the number of agents, a curve a policy. */
static void draw(const struct study_run *r, size_t g, struct study *s)
{
	double *x = mem_new(r->policies * r->values, sizeof *x), *y = mem_new(r->policies * r->values, sizeof *y);
	struct chart_curve *curve = mem_zero(r->policies, sizeof *curve);
	struct drawing d;

	for (size_t p = 0; p < r->policies; p++) {
		double *px = x + p * r->values, *py = y + p * r->values;
		curve[p] = (struct chart_curve){.name = r->policy[p], .x = px, .y = py};
		for (size_t v = 0; v < r->values; v++) {
			py[curve[p].n] = auc_of(r, g, v, p, &px[curve[p].n]);
			if (px[curve[p].n] > 0 && (!curve[p].n || px[curve[p].n] > px[curve[p].n - 1]))
				curve[p].n++;
		}
	}
	chart_draw(&d,
		&(struct chart){.x_label = "agents",
			.y_label = "AUC",
			.x_scale = CHART_LOG,
			.curve = curve,
			.curves = r->policies});
	struct buf name = BUF_EMPTY;
	buf_format(&name, "agents-%s", r->job->graph[g].name);
	study_figure(s, name.at, &d, r->job->graph[g].name,
		"The mean AUC by the number of agents, with fixed shares and letters that arrive before the next tick.");
	buf_release(&name);
	free(curve);
	free(x);
	free(y);
}

void study_agents(const struct study_run *r, struct study *s)
{
	static const char *const columns[] = {"graph", "method", "agents", "lag", "shares", "auc", "idle", "letters_a_page",
		"bytes_a_page", "twice", NULL};
	int has_agents = 0;

	for (size_t i = 0; i < r->job->graphs * r->values; i++)
		has_agents |= r->x[i].compare.fleet != NULL;
	if (!has_agents)
		return;
	study_table(s, "agents", "Agents",
		"The means of all draws. idle: the share of the agents' turns without a page; letters and bytes sent for each page "
		"crawled; twice: pages that were asked for more than once, in all draws.",
		columns, STUDY_SHOWN);
	for (size_t g = 0; g < r->job->graphs; g++)
		for (size_t p = 0; p < r->policies; p++)
			for (size_t v = 0; v < r->values; v++)
				add_row(r, g, v, p, s);
	for (size_t g = 0; r->values > 1 && g < r->job->graphs; g++)
		draw(r, g, s);
}
