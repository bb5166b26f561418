#include "cli/lab/study_agents.h"

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
}
