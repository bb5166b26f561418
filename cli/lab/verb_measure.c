/* `lycosa measure`: orders of other crawlers, measured as crawls of policies are. The job that it makes is a comparison. */
#include "cli/folder.h"
#include "cli/lab/experiment.h"
#include "cli/lab/study_files.h"
#include "cli/verbs.h"
#include "lab/measure/order_log.h"

struct measure_options {
	struct standard_options standard;
	struct experiment_options experiment;
	struct flag_list policies;
	struct report_options report;
	const char *out;
};

static int run(const struct command *c, struct err_note *why)
{
	const struct measure_options *o = c->options;
	AUTO(job) j = {0};

	job_init(&j);
	job_set(&j.global, JOB_STUDY, "compare");
	struct job_section *s = job_graph(&j, o->experiment.graph.graph);
	job_set(s, JOB_GRAPH, o->experiment.graph.graph);
	job_take_flags(&j, s, c);
	/* the orders say how many draws there are; a comparison without orders would have one */
	job_set(&j.global, JOB_DRAWS, "1");
	return compare_again(&j, o->out, &o->report, o->experiment.policy.threads, why);
}

#define OWN(field) offsetof(struct measure_options, field)
static const struct flag flags[] = {
	{"order", 0, FLAG_EACH, OWN(experiment.orders), "[NAME=]FILE",
		.help = "a crawler's log, or ids or URLs; may be given more than once", .required = 1, .file = FLAG_READS},
	{"format", 0, FLAG_TEXT, OWN(experiment.format), "NAME",
		.help = "wget, wget2, httrack, scrapy, heritrix, nutch, readdb, access, serve, list or warc"},
	{"seeds", 0, FLAG_TEXT, OWN(experiment.seeds), "SEEDS", .help = "what the crawls began with (entries: as the orders say)",
		.file = FLAG_READS_SEEDS},
	{"policies", 0, FLAG_COMMAS, OWN(policies), "A,B", .help = "policies that crawl beside them, from the same seeds",
		.file = FLAG_READS},
	{"policy-opt", 0, FLAG_EACH, OWN(experiment.policy.policy_opt), "KEY=VALUE", .help = "an option of a policy"},
	{"out", 0, FLAG_TEXT, OWN(out), "DIR", .help = "write results, curves, report and manifest to DIR",
		.file = FLAG_WRITES_REPORT},
	{"tau", 0, FLAG_SWITCH, OWN(experiment.tau), .help = "measure Kendall's tau of PageRank within the crawled part"},
	TABLE_ROW(graph_flags, OWN(experiment.graph)),
	TABLE_ROW(measure_flags, OWN(experiment)),
	RNG_SEED_ROW(OWN(experiment.policy.rng_seed)),
	THREADS_ROW(OWN(experiment.policy.threads)),
	NAMES_ROW("Output"),
	TABLE_ROW(report_flags, OWN(report)),
	STANDARD_ROWS,
};

static const struct measure_options defaults = {.experiment = {.seeds = CRAWL_ORDER_ENTRIES, .policy = {.rng_seed = 1}}};

const struct verb verb_measure = VERB("measure", "Measures the order of any crawler as compare does.", flags, defaults, run);
