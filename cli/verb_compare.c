/* `lycosa compare`: many policies side by side on a graph. */
#include "base/mem.h"
#include "cli/experiment.h"
#include "cli/verbs.h"
#include "policies/policies.h"

#include <stdlib.h>
#include <string.h>

struct compare_options {
	struct standard_options standard;
	struct graph_options graph;
	struct experiment_options experiment;
	struct policy_options policy;
	struct report_options report;
	struct flag_list policies;
	uint64_t draws;
};

/* "all", or the names as given; an array that is the caller's to free. */
static const char **names_of(const struct flag_list *given, size_t *n)
{
	size_t all = 0;

	while (policies[all])
		all++;
	if (given->count && !(given->count == 1 && strcmp(given->at[0], "all") == 0)) {
		*n = given->count;
		return mem_copy(given->at, given->count * sizeof *given->at);
	}
	const char **names = mem_new(all, sizeof *names);
	for (size_t i = 0; i < all; i++)
		names[i] = policies[i]->name;
	*n = all;
	return names;
}

static int run(const struct command *c, struct err_note *why)
{
	const struct compare_options *o = c->options;
	size_t n;
	const char **names = names_of(&o->policies, &n);
	struct experiment x = {.graph_options = &o->graph,
		.options = &o->experiment,
		.policy_options = &o->policy,
		.report = &o->report,
		.policies = names,
		.compare = {.n_policies = n, .draws = (uint32_t)o->draws}};

	int err = experiment_run(&x, why);
	if (!err)
		err = experiment_print(&x, why);
	experiment_release(&x);
	free(names);
	return err;
}

#define OWN(field) offsetof(struct compare_options, field)
static const struct flag own[] = {
	{"policies", 0, FLAG_COMMAS, OWN(policies), "all|A,B", .help = "which; all of them where not given"},
	{"draws", 0, FLAG_COUNT, OWN(draws), "N", .help = "draws of the seeds, from --rng-seed on", .min = 1,
		.max = 1000000},
	{.name = NULL},
};

static const struct flag_group groups[] = {
	{NULL, graph_flags, OWN(graph), FLAGS_A_LINE_EACH},
	{NULL, experiment_flags, OWN(experiment), FLAGS_A_LINE_EACH},
	{NULL, own, 0, FLAGS_A_LINE_EACH},
	{NULL, policy_flags, OWN(policy), FLAGS_A_LINE_EACH},
	{NULL, report_flags, OWN(report), FLAGS_A_LINE_EACH},
	STANDARD_GROUP,
	{.flags = NULL},
};

static const struct compare_options defaults = {
	.policy = POLICY_OPTIONS_DEFAULT,
	.draws = 1,
};

const struct verb verb_compare = {
	.name = "compare",
	.summary = "Crawls a graph under several policies, and compares them.",
	.groups = groups,
	.defaults = &defaults,
	.size = sizeof defaults,
	.run = run,
};
