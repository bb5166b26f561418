/* `lycosa seeds`: where the next crawl should start, told from the graph of the last one. */
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "cli/options.h"
#include "cli/sites.h"
#include "cli/verbs.h"
#include "base/output.h"
#include "seeds/method.h"
#include "seeds/per_site.h"
#include "seeds/values.h"

#include <stdlib.h>
#include <string.h>

struct seeds_options {
	struct standard_options standard;
	struct graph_options graph;
	struct report_options report;
	const char *method, *cores, *values;
	struct flag_list method_opt;
	uint64_t count, threads, rng_seed;
	int per_site; /* enum per_site */
};

enum per_site { WHOLE_GRAPH, PER_HOST, PER_DOMAIN };

static const char *method_word(size_t i)
{
	return seed_methods[i] ? seed_methods[i]->name : NULL;
}

/* --- cores: a JSON object a line */

static void write_numbers(struct output *out, const uint32_t *node, size_t n, const struct graph *g)
{
	output_text(out, "[");
	for (size_t i = 0; i < n; i++)
		output_number(out, graph_label(g, node[i]), i + 1 < n ? ',' : ']');
}

static void write_scores(struct output *out, const uint64_t *score, size_t n)
{
	struct buf text = BUF_EMPTY;

	for (size_t i = 0; i < n; i++) {
		buf_byte(&text, i ? ',' : '[');
		opt_shortest(&text, (double)score[i] / 1e9);
	}
	buf_byte(&text, ']');
	output_bytes(out, text.at, text.used);
	buf_release(&text);
}

static void write_core(
	struct output *out, const struct seed_core *c, size_t i, const struct graph *g)
{
	struct buf density = BUF_EMPTY;

	opt_shortest(&density, c->density);
	output_text(out, "{\"core\":");
	output_number(out, i + 1, ',');
	output_text(out, "\"seed\":");
	output_number(out, graph_label(g, c->seed), ',');
	output_text(out, "\"hubs\":");
	write_numbers(out, c->hub, c->hubs, g);
	output_text(out, ",\"authorities\":");
	write_numbers(out, c->authority, c->authorities, g);
	output_text(out, ",\"density\":");
	output_bytes(out, density.at, density.used);
	output_text(out, ",\"hub_scores\":");
	write_scores(out, c->hub_score, c->hubs);
	output_text(out, ",\"authority_scores\":");
	write_scores(out, c->authority_score, c->authorities);
	output_text(out, "}\n");
	buf_release(&density);
}

static int write_cores(const char *path, const struct seed_output *found, const struct graph *g,
	struct err_note *why)
{
	struct output *out;
	int err = output_open(&out, path, why);

	if (err)
		return err;
	for (size_t i = 0; i < found->cores; i++)
		write_core(out, &found->core[i], i, g);
	return output_close(out, why);
}

/* --- seeds */

static int print_seeds(const struct seeds_options *o, const struct opt_set *opts,
	const struct dataset *d, const struct seed_output *found, int64_t ns, struct err_note *why)
{
	const char *column[] = {"id", d->names.text ? "url" : NULL, NULL};
	struct buf described = BUF_EMPTY;
	struct results r;

	report_begin(&o->report, &r);
	report_graph(&r, &o->graph, d);
	results_name(&r, "method");
	results_text(&r, o->method);
	opt_describe(opts, &described);
	buf_end(&described);
	results_name(&r, "options");
	results_text(&r, described.at);
	buf_release(&described);
	results_name(&r, "rng_seed");
	results_count(&r, o->rng_seed);
	report_seconds(&o->report, &r, "seconds_seeds", ns);
	results_list(&r, column);
	for (size_t i = 0; i < found->n && !results_stopped(&r); i++) {
		results_count(&r, graph_label(&d->graph, found->seed[i]));
		if (d->names.text)
			results_text(&r, dataset_url(d, found->seed[i]));
	}
	return results_end(&r, why);
}

/* Tells and writes what was found; finding nothing is an error, finding little is not. */
static int report(const struct seeds_options *o, const struct seed_method *m,
	const struct opt_set *opts, const struct dataset *d, const struct seed_output *found,
	int64_t ns, struct err_note *why)
{
	int err = 0;

	if (!found->n)
		return err_set(why, ERR_NOTHING, "no seed found by method '%s' in '%s': %s",
			m->name, o->graph.graph, m->nothing);
	if (found->n < o->count)
		log_say("%zu seeds found, %llu were asked for", found->n,
			(unsigned long long)o->count);
	if (o->cores)
		err = write_cores(o->cores, found, &d->graph, why);
	if (!err && (!o->cores || strcmp(o->cores, "-") != 0))
		err = print_seeds(o, opts, d, found, ns, why);
	return err;
}

/* The file of values asked for, by the flag or else by the method's option; NULL for none. */
static const char *values_path(
	const struct seeds_options *o, const struct seed_method *m, const struct opt_set *opts)
{
	if (o->values && m->values == SEEDS_IGNORE_VALUES)
		log_say("method '%s' has no use for --values", m->name);
	if (m->values == SEEDS_IGNORE_VALUES)
		return NULL;
	return o->values ? o->values : opt_text(opts, "values");
}

static int has_option(const struct seed_method *m, const char *assignment)
{
	const size_t n = strcspn(assignment, "=");

	for (const struct opt *o = m->opts; o && o->name; o++)
		if (strlen(o->name) == n && strncmp(o->name, assignment, n) == 0)
			return 1;
	return 0;
}

/* The site of each node, which is the caller's to free(); NULL where hosts are not known. */
static uint32_t *sites_of(const struct names *names, enum site_by by)
{
	uint32_t *of_host, *of_node;

	if (!names->host)
		return NULL;
	of_host = mem_new(names->hosts, sizeof *of_host);
	of_node = mem_new(names->nodes, sizeof *of_node);
	sites_of_hosts(names, by, of_host);
	for (uint32_t v = 0; v < names->nodes; v++)
		of_node[v] = of_host[names->host[v]];
	free(of_host);
	return of_node;
}

/* Whether it is registrable domains that the method, or --per-site, goes by. */
static enum site_by site_by(
	const struct seeds_options *o, const struct seed_method *m, const struct opt_set *opts)
{
	if (o->per_site)
		return o->per_site == PER_DOMAIN ? SITE_DOMAIN : SITE_HOST;
	return has_option(m, "site=") && strcmp(opt_text(opts, "site"), "domain") == 0 ? SITE_DOMAIN
										       : SITE_HOST;
}

static int compare_hosts(const void *a, const void *b, void *ctx)
{
	const struct names *names = ctx;
	const uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;

	return strcmp(
		names->host_text + names->host_start[i], names->host_text + names->host_start[j]);
}

/* By the name of the site, which for a domain is that of its first host. */
static int select_per_site(const struct seed_method *m, const struct seed_input *in,
	const struct names *names, size_t k, struct seed_output *out, struct err_note *why)
{
	if (!in->host)
		return err_set(why, ERR_USAGE,
			"--per-site needs the hosts of the pages: give --hosts or --urls");
	uint32_t *order = mem_new(names->hosts, sizeof *order);
	uint32_t *rank = mem_new(names->hosts, sizeof *rank);
	for (uint32_t i = 0; i < names->hosts; i++)
		order[i] = i;
	qsort_r(order, names->hosts, sizeof *order, compare_hosts, (void *)names);
	for (uint32_t i = 0; i < names->hosts; i++)
		rank[order[i]] = i;
	int err = seeds_per_site(m, in, names->hosts, rank, k, out, why);
	free(order);
	free(rank);
	return err;
}

static int find_seeds(const struct seeds_options *o, const struct seed_method *m,
	const struct opt_set *opts, struct dataset *d, struct err_note *why)
{
	const unsigned threads = threads_of(o->threads);
	const char *path = values_path(o, m, opts);
	uint32_t *site = sites_of(&d->names, site_by(o, m, opts));
	struct seed_input in = {.graph = &d->graph,
		.host = site,
		.threads = threads,
		.rng_seed = o->rng_seed,
		.opts = opts};
	struct seed_output found = {0};
	int64_t *value = NULL, start = clock_ns();
	int err = path ? seed_values_read(path, &d->graph, &value, why) : 0;

	if (!err) {
		if (m->ways == SEEDS_BOTH_WAYS && !o->per_site)
			in.reverse = dataset_reverse(d, threads);
		in.value = value;
		err = o->per_site ? select_per_site(m, &in, &d->names, o->count, &found, why)
				  : m->select(&in, o->count, &found, why);
	}
	if (!err)
		err = report(o, m, opts, d, &found, clock_ns() - start, why);
	seed_output_release(&found);
	free(value);
	free(site);
	return err;
}

/* One "key=value". A key that other methods have alone is checked there, told and passed over, so
 * that one line of options does for several methods. */
static int give(const struct seed_method *m, struct opt_set *opts, const char *assignment,
	struct err_note *why)
{
	size_t i = 0;

	while (seed_methods[i] && !has_option(seed_methods[i], assignment))
		i++;
	if (!seed_methods[i] || has_option(m, assignment))
		return opt_give(opts, assignment, why);
	struct opt_set others;
	opt_init(&others, seed_methods[i]->opts, seed_methods[i]->name);
	int err = opt_give(&others, assignment, why);
	opt_release(&others);
	if (!err)
		log_say("method '%s' has no use for '%s'", m->name, assignment);
	return err;
}

static int read_method(const struct seeds_options *o, const struct seed_method *m,
	struct opt_set *opts, struct err_note *why)
{
	int err = 0;

	for (size_t i = 0; !err && i < o->method_opt.count; i++)
		err = give(m, opts, o->method_opt.at[i], why);
	if (!err && o->cores && m != &seed_method_hits)
		err = err_set(
			why, ERR_USAGE, "--cores: method '%s' has no cores, 'hits' has", m->name);
	return err;
}

static int open_graph(const struct command *c, struct dataset *d, struct err_note *why)
{
	const struct seeds_options *o = c->options;
	const int is_store = flags_given(c->flags, "store");

	if (is_store == flags_given(c->flags, "graph"))
		return err_set(
			why, ERR_USAGE, "%s: one of --graph and --store is wanted", c->called);
	int err = graph_options_open(&o->graph, threads_of(o->threads), d, why);
	if (!err && is_store && strcmp(d->format, "store") != 0) {
		dataset_release(d);
		err = err_set(why, ERR_FILE, "'%s' is no store of a crawl; --graph reads graphs",
			o->graph.graph);
	}
	return err;
}

static int run(const struct command *c, struct err_note *why)
{
	const struct seeds_options *o = c->options;
	const struct seed_method *m = seed_method_named(o->method);
	struct opt_set opts;
	struct dataset d;

	opt_init(&opts, m->opts, m->name);
	int err = read_method(o, m, &opts, why);
	if (!err)
		err = open_graph(c, &d, why);
	if (!err) {
		err = find_seeds(o, m, &opts, &d, why);
		dataset_release(&d);
	}
	opt_release(&opts);
	return err;
}

#define SEEDS(field) offsetof(struct seeds_options, field)
static const struct flag seeds_flags[] = {
	{"graph", 0, FLAG_TEXT, SEEDS(graph.graph), "PATH", .help = "a graph file, or a store"},
	{"store", 0, FLAG_TEXT, SEEDS(graph.graph), "DIR", .help = "the store of a crawl"},
	{"method", 0, FLAG_TEXT, SEEDS(method), "NAME", "see 'lycosa list methods'", .required = 1,
		.words = method_word},
	{"count", 0, FLAG_COUNT, SEEDS(count), "N", .help = "at most N seeds", .min = 1,
		.max = GRAPH_MAX_NODES, .required = 1},
	{"method-opt", 0, FLAG_EACH, SEEDS(method_opt), "KEY=VALUE",
		.help = "an option of the method"},
	{"values", 0, FLAG_TEXT, SEEDS(values), "FILE",
		.help = "what pages are worth: id, TAB, value"},
	{"per-site", 0, FLAG_CHOICE, SEEDS(per_site), "no|host|domain",
		.help = "each site by itself, with its share of the seeds"},
	{"cores", 0, FLAG_TEXT, SEEDS(cores), "FILE",
		.help = "hits: write each core, a line of JSON ('-': stdout alone)"},
	{.name = NULL},
};

static const struct seeds_options defaults = {.rng_seed = 1};
static const struct flag_group groups[] = {
	{NULL, seeds_flags, 0, FLAGS_A_LINE_EACH},
	{NULL, names_flags, SEEDS(graph), FLAGS_A_LINE_EACH},
	{NULL, rng_seed_flag, SEEDS(rng_seed), FLAGS_A_LINE_EACH},
	{NULL, threads_flag, SEEDS(threads), FLAGS_A_LINE_EACH},
	{NULL, json_flag, SEEDS(report.json), FLAGS_A_LINE_EACH},
	{NULL, timing_flag, SEEDS(report.timing), FLAGS_A_LINE_EACH},
	STANDARD_GROUP,
	{.flags = NULL},
};

const struct verb verb_seeds = {
	.name = "seeds",
	.summary = "Finds pages to start the next crawl from.",
	.groups = groups,
	.defaults = &defaults,
	.size = sizeof defaults,
	.run = run,
};
