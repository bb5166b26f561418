/* `lycosa replay`: one policy on a graph. */
#include "base/ascii.h"
#include "cli/lab/experiment.h"
#include "cli/verbs.h"
#include "base/output.h"

#include <string.h>

struct replay_options {
	struct standard_options standard;
	struct experiment_options experiment;
	struct report_options report;
	const char *order;
	int keys;
};

/* Writes the order of the crawl: an id on each line, with the key under --keys. */
static int write_order(const struct replay_options *o, const struct graph *g, const struct replay *r, struct err_note *why)
{
	struct output *out;
	char key[40];

	TRY(output_open(&out, o->order, why));
	for (uint32_t i = 0; i < r->crawled; i++) {
		output_number(out, graph_label(g, r->order[i]), o->keys ? '\t' : '\n');
		if (o->keys) {
			ascii_format(key, sizeof key, "%.17g\n", r->key[i]);
			output_text(out, key);
		}
	}
	return output_close(out, why);
}

static int run(const struct command *c, struct err_note *why)
{
	const struct replay_options *o = c->options;
	struct replay kept = {0};
	struct experiment x = {.o = &o->experiment,
		.report = &o->report,
		.policies = &o->experiment.policy.policy,
		.compare = {.n_policies = 1, .keep = o->order ? &kept : NULL}};

	if (o->keys && !o->order)
		return err_set(why, ERR_USAGE, "--keys needs --order FILE, where the keys go");
	int err = experiment_run(&x, why);
	if (!err && o->order)
		err = write_order(o, &x.data.graph, &kept, why);
	if (!err && (!o->order || strcmp(o->order, "-") != 0))
		err = experiment_print(&x, 1, why);
	replay_release(&kept);
	experiment_release(&x);
	return err;
}

#define OWN(field) offsetof(struct replay_options, field)
static const struct flag flags[] = {
	TABLE_ROW(graph_flags, OWN(experiment.graph)),
	TABLE_ROW(seeds_flag, OWN(experiment)),
	TABLE_ROW(measure_flags, OWN(experiment)),
	TABLE_ROW(rules_flag, OWN(experiment)),
	TABLE_ROW(policy_flags, OWN(experiment.policy)),
	{"order", 0, FLAG_TEXT, OWN(order), "FILE", .help = "write the ids in crawl order ('-': stdout alone)",
		.file = FLAG_WRITES},
	{"keys", 0, FLAG_SWITCH, OWN(keys), .help = "in --order, add the key of each page"},
	HEADING_ROW("Virtual time"),
	TABLE_ROW(virtual_flags, OWN(experiment)),
	HEADING_ROW("Several agents"),
	TABLE_ROW(agents_flags, OWN(experiment)),
	TABLE_ROW(report_flags, OWN(report)),
	STANDARD_ROWS,
};

static const struct replay_options defaults = {.experiment = {.draws = 1, .policy = {.policy = "ieca", .rng_seed = 1}}};

const struct verb verb_replay = VERB("replay", "Crawls a graph under one policy, and measures the crawl.", flags, defaults, run);
