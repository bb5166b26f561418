/* `lycosa coverage`: what lies within some links of the seeds. */
#include "base/log.h"
#include "cli/options.h"
#include "cli/verbs.h"
#include "lab/seedset.h"
#include "seeds/coverage.h"
#include "seeds/method.h"
#include "seeds/values.h"

#include <stdlib.h>

struct coverage_options {
	struct standard_options standard;
	struct graph_options graph;
	struct report_options report;
	const char *seeds, *values;
	uint64_t hops, threads, rng_seed;
};

static void name_real(struct results *r, const char *name, double real)
{
	results_name(r, name);
	results_real(r, real);
}

static void name_count(struct results *r, const char *name, uint64_t count)
{
	results_name(r, name);
	results_count(r, count);
}

static double real_of(int64_t millionths)
{
	return (double)millionths / (double)SEED_VALUE_ONE;
}

static int print(const struct coverage_options *o, const struct dataset *d,
	const struct seedset *seeds, const int64_t *value, struct err_note *why)
{
	const uint32_t n = d->graph.nodes;
	int64_t all = 0;
	struct coverage c;
	struct results r;

	coverage_of(&d->graph, seeds->ids, seeds->n, (uint32_t)o->hops, value, &c);
	for (uint32_t v = 0; v < n; v++)
		all += value ? value[v] : SEED_VALUE_ONE;
	report_begin(&o->report, &r);
	report_graph(&r, &o->graph, d);
	results_name(&r, "from");
	results_text(&r, o->seeds);
	results_figures(&r);
	name_count(&r, "seeds", seeds->n);
	name_count(&r, "hops", o->hops);
	name_count(&r, "pages", c.pages);
	name_real(&r, "value", real_of(c.value));
	name_count(&r, "pages_in_all", n);
	name_real(&r, "value_in_all", real_of(all));
	return results_end(&r, why);
}

static int run(const struct command *c, struct err_note *why)
{
	const struct coverage_options *o = c->options;
	struct seedset seeds = {0};
	struct dataset d;
	int64_t *value = NULL;
	int err = graph_options_open(&o->graph, threads_of(o->threads), &d, why);

	if (err)
		return err;
	err = seedset_read(&seeds, o->seeds, &d, o->rng_seed, why);
	if (!err && seeds.missing)
		log_say("%zu seeds are not in the graph", seeds.missing);
	if (!err && o->values)
		err = seed_values_read(o->values, &d.graph, &value, why);
	if (!err)
		err = print(o, &d, &seeds, value, why);
	free(value);
	seedset_release(&seeds);
	dataset_release(&d);
	return err;
}

#define COVERAGE(field) offsetof(struct coverage_options, field)
static const struct flag coverage_flags[] = {
	{"seeds", 0, FLAG_TEXT, COVERAGE(seeds), "SEEDS",
		.help = "a file, random:N, random:0.001, hosts:1 or roots", .required = 1},
	{"hops", 0, FLAG_COUNT, COVERAGE(hops), "H", .help = "links from a seed at most",
		.max = UINT32_MAX, .required = 1},
	{"values", 0, FLAG_TEXT, COVERAGE(values), "FILE",
		.help = "what pages are worth: id, TAB, value"},
	{.name = NULL},
};

static const struct coverage_options defaults = {.rng_seed = 1};
static const struct flag_group groups[] = {
	{NULL, graph_flags, COVERAGE(graph), FLAGS_A_LINE_EACH},
	{NULL, coverage_flags, 0, FLAGS_A_LINE_EACH},
	{NULL, rng_seed_flag, COVERAGE(rng_seed), FLAGS_A_LINE_EACH},
	{NULL, threads_flag, COVERAGE(threads), FLAGS_A_LINE_EACH},
	{NULL, json_flag, COVERAGE(report.json), FLAGS_A_LINE_EACH},
	STANDARD_GROUP,
	{.flags = NULL},
};

const struct verb verb_coverage = {
	.name = "coverage",
	.summary = "Counts the pages within some links of seeds, and their worth.",
	.groups = groups,
	.defaults = &defaults,
	.size = sizeof defaults,
	.run = run,
};
