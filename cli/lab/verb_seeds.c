/* `lycosa seeds`: where the next crawl should start, told from the graph of the last one. */
#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/opt.h"
#include "base/output.h"
#include "cli/flags/options.h"
#include "cli/folder.h"
#include "cli/lab/study_files.h"
#include "cli/sites.h"
#include "cli/verbs.h"
#include "graph/graph.h"
#include "lab/study/relocate.h"
#include "lab/report/seeds_study.h"
#include "seeds/method.h"
#include "seeds/per_site.h"

#include <stdlib.h>
#include <string.h>

/* --- The cores of hits, as a file. */

static void add_nodes(struct buf *line, const char *name, const uint32_t *node, size_t n, const struct graph *g)
{
	for (size_t i = 0; i < n; i++)
		buf_format(line, "%s%llu", i ? "," : name, (unsigned long long)graph_label(g, node[i]));
	buf_byte(line, ']');
}

static void add_scores(struct buf *line, const char *name, const uint64_t *score, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		buf_text(line, i ? "," : name);
		opt_shortest(line, (double)score[i] / 1e9);
	}
	buf_byte(line, ']');
}

/* Writes the cores, a JSON object in each line (doc/formats.md); "-" is stdout. A core has at least one hub and one authority.
 * Returns 0 or ERR_FILE. */
static int seed_cores_write(const char *path, const struct seed_output *found, const struct graph *g, struct err_note *why)
{
	struct output *out;

	TRY(output_open(&out, path, why));
	for (size_t i = 0; i < found->cores; i++) {
		const struct seed_core *c = &found->core[i];
		AUTO(buf) line = buf_of("{\"core\":%zu,\"seed\":%llu", i + 1, (unsigned long long)graph_label(g, c->seed));
		add_nodes(&line, ",\"hubs\":[", c->hub, c->hubs, g);
		add_nodes(&line, ",\"authorities\":[", c->authority, c->authorities, g);
		buf_text(&line, ",\"density\":");
		opt_shortest(&line, c->density);
		add_scores(&line, ",\"hub_scores\":[", c->hub_score, c->hubs);
		add_scores(&line, ",\"authority_scores\":[", c->authority_score, c->authorities);
		buf_text(&line, "}\n");
		output_bytes(out, line.at, line.used);
	}
	return output_close(out, why);
}

/* --- `lycosa seeds --into`: seeds of an older graph as pages of a newer one. */

enum lost_seeds { LOST_ARE_MAPPED, LOST_ARE_DROPPED };

struct into_seed {
	uint32_t from, node; /* in the older graph, in the newer one */
	enum relocate_rule rule;
};

struct into {
	struct dataset data; /* the newer graph */
	struct relocation relocation;
	enum lost_seeds lost_seeds;
	size_t wanted;
	size_t looked_at;       /* seeds of the older graph */
	struct into_seed *seed; /* distinct pages of the newer graph, in their order */
	struct into_seed *lost; /* without a page */
	size_t n, n_lost, doubles, room, lost_room;
	uint8_t *taken; /* of each node of the newer graph */
};

/* Opens the newer graph; the older one is borrowed. Follow with into_release() in any case. */
static int into_open(struct into *x, const char *path, const struct dataset *from, unsigned threads, struct err_note *why)
{
	const struct graph_options where = {.graph = path};

	TRY(graph_options_open(&where, threads, &x->data, why));
	TRY(relocation_init(&x->relocation, from, &x->data, threads, why));
	x->taken = mem_zero(x->data.graph.nodes, 1);
	return 0;
}

static void into_release(struct into *x)
{
	relocation_release(&x->relocation);
	dataset_release(&x->data);
	free(x->seed);
	free(x->lost);
	free(x->taken);
	*x = (struct into){.wanted = 0};
}

static void look_at(struct into *x, uint32_t page, const struct seed_core *core)
{
	struct into_seed found = {.from = page};

	found.rule = relocate_find(&x->relocation, page, core, &found.node);
	if (found.rule == RELOCATE_LOST || (found.rule != RELOCATE_EXACT && x->lost_seeds == LOST_ARE_DROPPED)) {
		found.rule = RELOCATE_LOST;
		x->lost = mem_grow(x->lost, &x->lost_room, x->n_lost + 1, sizeof *x->lost);
		x->lost[x->n_lost++] = found;
	} else if (x->taken[found.node]) {
		x->doubles++;
	} else {
		x->taken[found.node] = 1;
		x->seed = mem_grow(x->seed, &x->room, x->n + 1, sizeof *x->seed);
		x->seed[x->n++] = found;
	}
}

/* Looks up the newer graph's pages for the seeds that were found since the last call. Returns 1 if there are enough of them,
 * else 0. It is a seed_input.enough; `ctx` is a struct into. */
static int into_is_enough(void *ctx, const struct seed_output *found)
{
	struct into *x = ctx;

	for (; x->looked_at < found->n && x->n < x->wanted; x->looked_at++)
		look_at(x, found->seed[x->looked_at], found->cores ? &found->core[x->looked_at] : NULL);
	return x->n >= x->wanted;
}

static void page(struct results *r, const struct dataset *d, uint32_t v)
{
	AUTO(buf) url = BUF_EMPTY;

	relocate_url(d, v, &url);
	RESULTS_CELLS(r, cell_count(graph_label(&d->graph, v)), cell_text(url.at ? url.at : ""));
}

/* Rows id, url, rule, old_id, old_url into a list; then those lost as a table. */
static void into_print(const struct into *x, struct results *r)
{
	static const char *const columns[] = {"id", "url", "rule", "old_id", "old_url", NULL};
	static const char *const lost[] = {"old_id", "old_url", NULL};

	results_list(r, columns);
	for (size_t i = 0; i < x->n && !results_stopped(r); i++) {
		page(r, &x->data, x->seed[i].node);
		RESULTS_CELLS(r, cell_text(relocate_rule_name(x->seed[i].rule)));
		page(r, x->relocation.from, x->seed[i].from);
	}
	results_table(r, "lost", lost);
	for (size_t i = 0; i < x->n_lost && !results_stopped(r); i++)
		page(r, x->relocation.from, x->lost[i].from);
}

struct candidates_of {
	struct results *r;
	uint64_t id;
};

static void print_candidate(void *ctx, enum relocate_rule rule, const char *url)
{
	const struct candidates_of *c = ctx;

	RESULTS_CELLS(c->r, cell_count(c->id), cell_text(url), cell_text(relocate_rule_name(rule)));
}

/* Rows id, url, rule: what may be tried for each seed in place of a newer graph. */
static void into_print_candidates(const struct dataset *from, const struct seed_output *found, struct results *r)
{
	static const char *const columns[] = {"id", "url", "rule", NULL};

	results_list(r, columns);
	for (size_t i = 0; i < found->n && !results_stopped(r); i++) {
		struct candidates_of c = {r, graph_label(&from->graph, found->seed[i])};
		relocate_candidates(from, found->seed[i], found->cores ? &found->core[i] : NULL, print_candidate, &c);
	}
}

struct seeds_options {
	struct standard_options standard;
	struct graph_options graph;
	struct report_options report;
	struct value_options values;
	const char *method, *cores, *into, *out;
	struct flag_list method_opt;
	uint64_t count, draws, threads, rng_seed;
	int per_site; /* enum per_site */
	int lost;     /* enum lost_seeds */
	int candidates;
};

enum per_site { WHOLE_GRAPH, PER_HOST, PER_DOMAIN };

/* A search for seeds, and what came of it. */
struct finding {
	const struct command *c;
	const struct seeds_options *o;
	const struct seed_method *method;
	const struct opt_set *opts;
	struct dataset *data;
	struct into *into; /* NULL without --into */
	struct seed_output found;
};

static const char *method_word(size_t i)
{
	return seed_methods[i] ? seed_methods[i]->name : NULL;
}

/* --- seeds */

static void describe(const struct seeds_options *o, const struct opt_set *opts, struct results *r)
{
	AUTO(buf) described = BUF_EMPTY;

	results_fact(r, "method", cell_text(o->method));
	opt_describe(opts, &described);
	buf_end(&described);
	results_fact(r, "options", cell_text(described.at));
	results_fact(r, "rng_seed", cell_count(o->rng_seed));
}

/* Adds how many seeds of the older graph each rule has found a page for. */
static void describe_into(const struct seeds_options *o, const struct into *x, struct results *r)
{
	uint64_t count[RELOCATE_LOST + 1] = {0};

	for (size_t i = 0; i < x->n; i++)
		count[x->seed[i].rule]++;
	count[RELOCATE_LOST] = x->n_lost;
	results_fact(r, "into", cell_text(o->into));
	results_fact(r, "into_fingerprint", cell_hash(graph_fingerprint(&x->data.graph)));
	results_fact(r, "looked_at", cell_count(x->looked_at));
	results_fact(r, "found_before", cell_count(x->doubles));
	for (int rule = RELOCATE_EXACT; rule <= RELOCATE_LOST; rule++) {
		results_fact(r, relocate_rule_name((enum relocate_rule)rule), cell_count(count[rule]));
	}
}

static void print_rows(const struct dataset *d, const struct seed_output *found, struct results *r)
{
	const char *column[] = {"id", d->names.text ? "url" : NULL, NULL};

	results_list(r, column);
	for (size_t i = 0; i < found->n && !results_stopped(r); i++) {
		RESULTS_CELLS(r, cell_count(graph_label(&d->graph, found->seed[i])));
		if (d->names.text)
			RESULTS_CELLS(r, cell_text(dataset_url(d, found->seed[i])));
	}
}

static int print_seeds(const struct finding *f, int64_t ns, struct err_note *why)
{
	const struct seeds_options *o = f->o;
	struct results r;

	report_begin(&o->report, &r);
	report_graph(&r, &o->graph, f->data);
	describe(o, f->opts, &r);
	if (f->into)
		describe_into(o, f->into, &r);
	report_seconds(&o->report, &r, "seconds_seeds", ns);
	if (f->into)
		into_print(f->into, &r);
	else if (o->candidates)
		into_print_candidates(f->data, &f->found, &r);
	else
		print_rows(f->data, &f->found, &r);
	return results_end(&r, why);
}

/* Makes the evaluation that --out asks for. */
static void evaluate(const struct finding *f, struct study *study)
{
	const struct seeds_options *o = f->o;
	const size_t n = f->into ? f->into->n : f->found.n;
	AUTO_FREE uint32_t *seed = mem_new(n, sizeof *seed);

	for (size_t i = 0; i < n; i++)
		seed[i] = f->into ? f->into->seed[i].node : f->found.seed[i];
	const struct seeds_study in = {.data = f->data,
		.found = &f->found,
		.crawled = f->into ? &f->into->data : f->data,
		.seed = seed,
		.n = n,
		.method = o->method,
		.draws = (uint32_t)o->draws,
		.rng_seed = o->rng_seed,
		.threads = threads_of(o->threads)};
	seeds_study(&in, study);
}

static int write_study(const struct finding *f, struct err_note *why)
{
	const struct seeds_options *o = f->o;
	struct study study = {.tables = 0};

	evaluate(f, &study);
	study.title = buf_made("Seeds by %s on %s", o->method, short_name(o->graph.graph));
	return evaluation_write(f->c, o->out, &study, f->data, why);
}

/* Tells and writes what was found; finding nothing is an error, finding little is not. */
static int report(const struct finding *f, int64_t ns, struct err_note *why)
{
	const struct seeds_options *o = f->o;
	const size_t n = f->into ? f->into->n : f->found.n;

	if (!f->found.n)
		return err_set(why, ERR_NOTHING, "no seed found by method '%s' in '%s': %s", f->method->name, o->graph.graph,
			f->method->nothing);
	if (!n)
		return err_set(why, ERR_NOTHING, "none of %zu seeds has a page in '%s'", f->into->looked_at, o->into);
	if (n < o->count)
		log_say("%zu seeds found, %llu were asked for", n, (unsigned long long)o->count);
	if (f->into && f->into->n_lost)
		log_say("%zu of %zu seeds are lost in '%s'", f->into->n_lost, f->into->looked_at, o->into);
	if (o->cores)
		TRY(seed_cores_write(o->cores, &f->found, &f->data->graph, why));
	if (o->out)
		TRY(write_study(f, why));
	if (!o->cores || strcmp(o->cores, "-") != 0)
		TRY(print_seeds(f, ns, why));
	return 0;
}

static int has_option(const struct seed_method *m, const char *assignment)
{
	const size_t n = strcspn(assignment, "=");

	for (const struct opt *o = m->opts; o && o->name; o++)
		if (strlen(o->name) == n && strncmp(o->name, assignment, n) == 0)
			return 1;
	return 0;
}

/* Returns the site of each node, which the caller frees; NULL if hosts are not known. */
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

/* Returns what counts as a site: --per-site decides, else the method's option `site`, else hosts. */
static enum site_by site_by(const struct seeds_options *o, const struct seed_method *m, const struct opt_set *opts)
{
	if (o->per_site)
		return o->per_site == PER_DOMAIN ? SITE_DOMAIN : SITE_HOST;
	return has_option(m, "site=") && strcmp(opt_text(opts, "site"), "domain") == 0 ? SITE_DOMAIN : SITE_HOST;
}

static int compare_hosts(const void *a, const void *b, void *ctx)
{
	const struct names *names = ctx;
	const uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;

	return strcmp(names->host_text + names->host_start[i], names->host_text + names->host_start[j]);
}

/* Selects k seeds site by site, the sites in the order of their names; the name of a domain is that of its first host. Returns 0
 * or an error. */
static int select_per_site(const struct seed_method *m, const struct seed_input *in, const struct names *names, size_t k,
	struct seed_output *out, struct err_note *why)
{
	if (!in->host)
		return err_set(why, ERR_USAGE, "--per-site needs the hosts of the pages: give --hosts or --urls");
	AUTO_FREE uint32_t *order = mem_new(names->hosts, sizeof *order);
	AUTO_FREE uint32_t *rank = mem_new(names->hosts, sizeof *rank);
	for (uint32_t i = 0; i < names->hosts; i++)
		order[i] = i;
	qsort_r(order, names->hosts, sizeof *order, compare_hosts, (void *)names);
	for (uint32_t i = 0; i < names->hosts; i++)
		rank[order[i]] = i;
	return seeds_per_site(m, in, names->hosts, rank, k, out, why);
}

/* Reads what pages are worth into *value: by the flags --values, --page-attrs and --p-unique, or, if none is given, by the
 * options of the method with these names. *value is NULL if there are no values or the method ignores them. */
static int read_values(const struct finding *f, int64_t **value, struct err_note *why)
{
	struct value_options o = f->o->values;
	const int given = value_options_given(&o);
	int64_t one;

	*value = NULL;
	if (f->method->values == SEEDS_IGNORE_VALUES) {
		if (given)
			log_say("method '%s' has no use for what pages are worth", f->method->name);
		return 0;
	}
	if (!given)
		o = (struct value_options){opt_text(f->opts, "values"), opt_text(f->opts, "page-attrs"),
			opt_text(f->opts, "p-unique")};
	return value_options_read(&o, f->data, value, &one, why);
}

/* Says how many pages of a store are barred. */
static void tell_barred(const uint8_t *barred, uint32_t nodes)
{
	uint32_t n = 0;

	for (uint32_t v = 0; barred && v < nodes; v++)
		n += barred[v];
	if (n)
		log_say("%u pages of the store were not fetched, so none of them is chosen as a seed", n);
}

static int select_seeds(struct finding *f, struct seed_input *in, struct err_note *why)
{
	const struct seeds_options *o = f->o;

	if (f->into) {
		f->into->wanted = o->count;
		f->into->lost_seeds = (enum lost_seeds)o->lost;
		in->enough = into_is_enough;
		in->ctx = f->into;
	}
	TRY(o->per_site ? select_per_site(f->method, in, &f->data->names, o->count, &f->found, why)
			: f->method->select(in, o->count, &f->found, why));
	if (f->into)
		(void)into_is_enough(f->into, &f->found); /* the last ones */
	return 0;
}

static int find_seeds(struct finding *f, struct err_note *why)
{
	const struct seeds_options *o = f->o;
	const unsigned threads = threads_of(o->threads);
	struct seed_input in = {.graph = &f->data->graph, .threads = threads, .rng_seed = o->rng_seed, .opts = f->opts};
	const int64_t start = clock_ns();
	int64_t *value;
	int err = read_values(f, &value, why);

	if (err)
		return err;
	AUTO_FREE uint32_t *site = sites_of(&f->data->names, site_by(o, f->method, f->opts));
	AUTO_FREE uint8_t *barred = dataset_barred(f->data);
	tell_barred(barred, f->data->graph.nodes);
	if (f->method->ways == SEEDS_BOTH_WAYS && !o->per_site)
		in.reverse = dataset_reverse(f->data, threads);
	in.host = site;
	in.barred = barred;
	in.value = value;
	err = select_seeds(f, &in, why);
	if (!err)
		err = report(f, clock_ns() - start, why);
	free(value);
	return err;
}

/* Sets one option "key=value". If only other methods have an option of this name, the value is checked by such a method, and a
 * message says that it is not used, so that one list of options can serve several methods. */
static int give(const struct seed_method *m, struct opt_set *opts, const char *assignment, struct err_note *why)
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

static int read_method(const struct seeds_options *o, const struct seed_method *m, struct opt_set *opts, struct err_note *why)
{
	for (size_t i = 0; i < o->method_opt.count; i++)
		TRY(give(m, opts, o->method_opt.at[i], why));
	if (has_option(m, "values=") && value_options_given(&o->values) &&
		(opt_text(opts, "values") || opt_text(opts, "page-attrs") || opt_text(opts, "p-unique")))
		return err_set(why, ERR_USAGE,
			"what pages are worth is said twice: by --method-opt and by --values, --page-attrs or --p-unique");
	if (o->into && (o->per_site || o->candidates))
		return err_set(why, ERR_USAGE, "--into cannot be given with --%s", o->per_site ? "per-site" : "candidates");
	if (o->cores && m != &seed_method_hits)
		return err_set(why, ERR_USAGE, "--cores: method '%s' has no cores, 'hits' has", m->name);
	return 0;
}

static int open_graph(const struct command *c, struct dataset *d, struct err_note *why)
{
	const struct seeds_options *o = c->options;
	const int is_store = flags_given(c->flags, "store");

	if (is_store == flags_given(c->flags, "graph"))
		return err_set(why, ERR_USAGE, "%s: one of --graph and --store is wanted", c->called);
	TRY(graph_options_open(&o->graph, threads_of(o->threads), d, why));
	if (is_store && strcmp(d->format, "store") != 0) {
		dataset_release(d);
		return err_set(why, ERR_FILE, "'%s' is no store of a crawl; --graph reads graphs", o->graph.graph);
	}
	return 0;
}

static int run_on(const struct command *c, const struct seed_method *m, const struct opt_set *opts, struct dataset *d,
	struct err_note *why)
{
	const struct seeds_options *o = c->options;
	AUTO(into) into = {.wanted = 0};
	struct finding f = {.c = c, .o = o, .method = m, .opts = opts, .data = d, .into = o->into ? &into : NULL};
	int err = 0;

	if (o->candidates && !d->names.text)
		err = err_set(why, ERR_USAGE, "--candidates needs the URLs of the pages: give --urls");
	if (!err && o->out)
		err = folder_make(o->out, why);
	if (!err && o->into)
		err = into_open(&into, o->into, d, threads_of(o->threads), why);
	if (!err)
		err = find_seeds(&f, why);
	seed_output_release(&f.found);
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
		err = run_on(c, m, &opts, &d, why);
		dataset_release(&d);
	}
	opt_release(&opts);
	return err;
}

#define SEEDS(field) offsetof(struct seeds_options, field)
static const struct seeds_options defaults = {.rng_seed = 1, .draws = 30};
static const struct flag flags[] = {
	{"graph", 0, FLAG_TEXT, SEEDS(graph.graph), "PATH", .help = "a graph file, or a store", .is_noun = 1,
		.file = FLAG_READS_GRAPH},
	{"store", 0, FLAG_TEXT, SEEDS(graph.graph), "DIR", .help = "the store of a crawl", .file = FLAG_READS_FOLDER},
	{"method", 0, FLAG_TEXT, SEEDS(method), "NAME", "see 'lycosa list methods'", .required = 1, .words = method_word},
	{"count", 0, FLAG_COUNT, SEEDS(count), "N", .help = "at most N seeds", .min = 1, .max = GRAPH_MAX_NODES, .required = 1},
	{"method-opt", 0, FLAG_EACH, SEEDS(method_opt), "KEY=VALUE", .help = "an option of the method", .file = FLAG_READS},
	{"per-site", 0, FLAG_CHOICE, SEEDS(per_site), "no|host|domain", .help = "run the method on each site separately"},
	{"cores", 0, FLAG_TEXT, SEEDS(cores), "FILE", .help = "hits: write each core as a line of JSON", .file = FLAG_WRITES},
	{"into", 0, FLAG_TEXT, SEEDS(into), "PATH", .help = "find the seeds' pages in a newer graph", .file = FLAG_READS_GRAPH},
	{"lost", 0, FLAG_CHOICE, SEEDS(lost), "map|drop", .help = "seeds whose URL is not in --into"},
	{"out", 0, FLAG_TEXT, SEEDS(out), "DIR", .help = "evaluate the seeds; write report, results, manifest",
		.file = FLAG_WRITES_REPORT},
	{"draws", 0, FLAG_COUNT, SEEDS(draws), "N", .help = "with --out: draws of random seeds to compare with", .min = 2,
		.max = 100000},
	{"candidates", 0, FLAG_SWITCH, SEEDS(candidates), .help = "print the URLs where a new crawl may find each seed"},
	TABLE_ROW(value_flags, SEEDS(values)),
	TABLE_ROW(names_flags, SEEDS(graph)),
	RNG_SEED_ROW(SEEDS(rng_seed)),
	THREADS_ROW(SEEDS(threads)),
	JSON_ROW(SEEDS(report.json)),
	TIMING_ROW(SEEDS(report.timing)),
	STANDARD_ROWS,
};

const struct verb verb_seeds = VERB("seeds", "Chooses the seeds of the next crawl.", flags, defaults, run);
