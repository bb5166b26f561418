/* What the agents of a crawl did: the table "agents" of replay, compare and study. */
#include "cli/lab/experiment.h"

#include <math.h>

static void add_row(struct study *s, const struct trial *t, const char *agent, const struct fleet_share *one, double idle)
{
	study_text(s, t->policy->name);
	study_count(s, t->draw);
	study_text(s, agent);
	study_count(s, one->partitions);
	study_count(s, one->pages);
	study_count(s, one->crawled);
	study_real(s, idle);
	study_count(s, one->letters);
	study_count(s, one->bytes);
	study_count(s, one->taken);
}

static void add_trial(struct study *s, const struct trial *t, const char *graph, int with_each)
{
	const struct fleet_figures *f = t->figures;
	char name[16];

	if (graph)
		study_text(s, graph);
	add_row(s, t, "all", &f->all, fleet_idle(f));
	study_count(s, f->ticks);
	study_count(s, f->moves);
	study_count(s, f->twice);
	for (unsigned a = 0; with_each && a < f->agents; a++) {
		const struct fleet_share *one = &f->share[a];
		snprintf(name, sizeof name, "%u", a);
		if (graph)
			study_text(s, graph);
		add_row(s, t, name, one, f->ticks ? (double)one->idle / (double)f->ticks : 0);
		study_count(s, f->ticks);
		study_none(s);
		study_none(s);
	}
}

void experiment_agents(const struct experiment *x, size_t graphs, struct study *s)
{
	static const char *const columns[] = {"graph", "policy", "draw", "agent", "partitions", "pages", "crawled", "idle",
		"letters", "bytes", "arrived", "ticks", "moves", "twice", NULL};
	const int is_single = graphs == 1 && x->compare.n_policies * x->compare.draws == 1;

	if (!x->compare.fleet)
		return;
	study_table(s, "agents", "Agents",
		"What the agents did, and how many letters they sent. idle: the share of the turns without a page; moves: partitions "
		"that moved to another agent; twice: pages "
		"that were asked for more than once.",
		graphs > 1 ? columns : columns + 1, STUDY_FILED);
	for (size_t g = 0; g < graphs; g++) {
		const struct compare *c = &x[g].compare;
		for (size_t t = 0; t < c->n_policies * c->draws; t++)
			if (c->trials[t].figures)
				add_trial(s, &c->trials[t], graphs > 1 ? x[g].graph_options->graph : NULL, is_single);
	}
}
