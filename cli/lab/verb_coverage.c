/* `lycosa coverage`: what lies within some links of the seeds. */
#include "base/log.h"
#include "cli/folder.h"
#include "cli/flags/options.h"
#include "cli/lab/study_files.h"
#include "cli/verbs.h"
#include "lab/report/coverage_study.h"
#include "lab/study/seedset.h"
#include "seeds/ball.h"
#include "seeds/method.h"
#include "seeds/values.h"

#include <stdlib.h>
#include <string.h>

struct coverage_options {
	struct standard_options standard;
	struct graph_options graph;
	struct report_options report;
	struct value_options values;
	const char *seeds, *out;
	uint64_t hops, draws, made_sites, threads, rng_seed;
};

static int print(const struct coverage_options *o, const struct dataset *d, const struct seedset *seeds, const int64_t *value,
	int64_t one, struct err_note *why)
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
	results_fact(&r, "from", cell_text(o->seeds));
	results_figures(&r);
	results_fact(&r, "seeds", cell_count(seeds->n));
	results_fact(&r, "hops", cell_count(o->hops));
	results_fact(&r, "pages", cell_count(c.pages));
	results_fact(&r, "value", cell_real(seed_value_real(c.value, one)));
	results_fact(&r, "pages_in_all", cell_count(n));
	results_fact(&r, "value_in_all", cell_real(seed_value_real(all, one)));
	return results_end(&r, why);
}

/* --- the evaluation that --out asks for */

#define KIND_SEEDS 10 /* of each kind, for the crawls */
#define KIND_DRAWS 5  /* of random ones: each is a crawl by every policy */

static int write_study(const struct command *c, const struct dataset *d, struct study *study, struct err_note *why)
{
	const struct coverage_options *o = c->options;

	study->title = o->made_sites ? buf_made("Seed strategies on %llu generated sites", (unsigned long long)o->made_sites)
				     : buf_made("Seed strategies on %s", short_name(o->graph.graph));
	return evaluation_write(c, o->out, study, d, why);
}

static struct coverage_study study_of(const struct coverage_options *o)
{
	return (struct coverage_study){.draws = (uint32_t)o->draws, .rng_seed = o->rng_seed, .threads = threads_of(o->threads)};
}

static int study_made_sites(const struct command *c, struct err_note *why)
{
	const struct coverage_options *o = c->options;
	struct coverage_study in = study_of(o);
	AUTO(study) study = {.tables = 0};
	uint64_t seed = o->rng_seed;

	in.make = coverage_made_site;
	in.ctx = &seed;
	in.sites = (uint32_t)o->made_sites;
	in.with_values = 1;
	coverage_study(&in, &study);
	return write_study(c, NULL, &study, why);
}

static void study_sites(const struct coverage_options *o, const struct dataset *d, const uint32_t *host, const int64_t *value,
	struct study *study)
{
	struct coverage_study in = study_of(o);
	struct coverage_sites sites;

	coverage_sites_init(&sites, &d->graph, host, d->names.hosts, value, d->crawled);
	in.make = coverage_sites_make;
	in.ctx = &sites;
	in.sites = sites.n;
	in.with_values = value != NULL;
	if (sites.n)
		coverage_study(&in, study);
	else
		log_say("no site has %d fetched pages and a link from another: no coverage by site", COVERAGE_SITE_PAGES);
	coverage_sites_release(&sites);
}

static int study_graph(const struct command *c, struct dataset *d, const int64_t *value, struct err_note *why)
{
	const struct coverage_options *o = c->options;
	const struct names *names = &d->names;
	struct study study = {.tables = 0};
	uint32_t *host = names->host ? names->host : NULL;
	const struct seed_sources kinds = {.data = d,
		.host = host,
		.value = value,
		.barred = d->outside,
		.seeds = KIND_SEEDS,
		.draws = KIND_DRAWS,
		.rng_seed = o->rng_seed,
		.threads = threads_of(o->threads)};

	if (!d->graph.nodes)
		return err_set(why, ERR_NOTHING, "the graph '%s' is empty", o->graph.graph);
	if (host)
		study_sites(o, d, host, value, &study);
	int err = seed_sources(&kinds, &study, why);
	if (!err)
		err = write_study(c, d, &study, why);
	study_release(&study);
	return err;
}

/* --- one set of seeds */

static int measure(const struct coverage_options *o, struct dataset *d, const int64_t *value, int64_t one, struct err_note *why)
{
	AUTO(seedset) seeds = {0};

	TRY(seedset_read(&seeds, o->seeds, d, o->rng_seed, why));
	if (seeds.missing)
		log_say("%zu seeds are not in the graph", seeds.missing);
	if (seeds.barred)
		log_say("%zu seeds failed or were refused in the store, and are left out", seeds.barred);
	return print(o, d, &seeds, value, one, why);
}

static int check_given(const struct command *c, struct err_note *why)
{
	const struct coverage_options *o = c->options;

	if (o->made_sites && (o->graph.graph || !o->out))
		return err_set(why, ERR_USAGE, "--made-sites goes with --out, without --graph");
	if (o->out && (o->seeds || flags_given(c->flags, "hops")))
		return err_set(why, ERR_USAGE, "--out compares all strategies: give no --seeds and no --hops");
	return o->out ? folder_make(o->out, why) : 0;
}

static int run(const struct command *c, struct err_note *why)
{
	const struct coverage_options *o = c->options;
	AUTO(dataset) d = {0};
	int64_t *value = NULL, one;
	int err = check_given(c, why);

	if (err || o->made_sites)
		return err ? err : study_made_sites(c, why);
	err = graph_options_open(&o->graph, threads_of(o->threads), &d, why);
	if (err)
		return err;
	err = value_options_read(&o->values, &d, &value, &one, why);
	if (!err)
		err = o->out ? study_graph(c, &d, value, why) : measure(o, &d, value, one, why);
	free(value);
	return err;
}

#define COVERAGE(field) offsetof(struct coverage_options, field)
static const struct coverage_options defaults = {.rng_seed = 1, .draws = 20};
static const struct flag flags[] = {
	{"graph", 0, FLAG_TEXT, COVERAGE(graph.graph), "PATH", .help = "a graph file, or the store of a crawl", .required = 1,
		.unless = "made-sites", .is_noun = 1, .file = FLAG_READS_GRAPH},
	{"seeds", 0, FLAG_TEXT, COVERAGE(seeds), "SEEDS", .help = "a file, random:N, random:0.1, hosts:1, roots, METHOD:N",
		.required = 1, .unless = "out", .file = FLAG_READS_SEEDS},
	{"hops", 0, FLAG_COUNT, COVERAGE(hops), "H", .help = "most links from a seed", .max = UINT32_MAX, .required = 1,
		.unless = "out"},
	{"out", 0, FLAG_TEXT, COVERAGE(out), "DIR", .help = "compare all methods instead; write a report to DIR",
		.file = FLAG_WRITES_REPORT},
	{"draws", 0, FLAG_COUNT, COVERAGE(draws), "N", .help = "with --out: draws of random seeds to compare with", .min = 2,
		.max = 100000},
	{"made-sites", 0, FLAG_COUNT, COVERAGE(made_sites), "N", .help = "with --out: N generated sites instead of a graph",
		.min = 1, .max = 1000000},
	TABLE_ROW(value_flags, COVERAGE(values)),
	TABLE_ROW(names_flags, COVERAGE(graph)),
	RNG_SEED_ROW(COVERAGE(rng_seed)),
	THREADS_ROW(COVERAGE(threads)),
	JSON_ROW(COVERAGE(report.json)),
	STANDARD_ROWS,
};

const struct verb verb_coverage =
	VERB("coverage", "Counts the pages within some links of seeds, and their value.", flags, defaults, run);
