/* `lycosa rank`: the pages of a graph by what links say of them, or a crawl's policy. */
#include "base/ascii.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/output.h"
#include "cli/graph/graph_target.h"
#include "cli/verbs.h"
#include "graph/kernels/degrees.h"
#include "graph/kernels/harmonic.h"
#include "graph/kernels/hits.h"
#include "graph/kernels/pagerank.h"
#include "graph/kernels/topk.h"
#include "lab/measure/stats.h"
#include "lab/study/replay.h"
#include "lab/measure/throughput.h"
#include "policies/policies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Those before RANK_IECA need the graph alone, the others a crawl from seeds. */
enum rank_by { RANK_PAGERANK, RANK_HITS, RANK_INDEGREE, RANK_OUTDEGREE, RANK_HARMONIC, RANK_IECA, RANK_FICA, RANK_OPIC, RANK_BYS };

enum rank_to { RANK_TO_TABLE, RANK_TO_CC };

static const char by_words[] = "pagerank|hits|indegree|outdegree|harmonic|ieca|fica|opic";
static const char *const words[] = {"pagerank", "hits", "indegree", "outdegree", "harmonic", "ieca", "fica", "opic"};

static const char *by_word(size_t i)
{
	return i < RANK_BYS ? words[i] : NULL;
}

struct rank_options {
	struct standard_options standard;
	struct graph_options graph;
	struct report_options report;
	int by;      /* enum rank_by */
	int all, to; /* to: enum rank_to */
	uint64_t top, threads, registers, runs;
	double tol;
	struct flag_list against;
	const char *seeds;
	struct policy_options policy; /* of which a ranking has options, batch, total, rng seed */
};

/* Every page's score and, by hits, opic and HyperBall, its second; degrees are their own keys. */
struct ranking {
	enum rank_by by;
	uint32_t nodes;
	uint64_t *key;          /* what is compared */
	double *score, *second; /* what is printed; NULL: the key, nothing */
	const char *column[5];
	/* how it was made */
	double tolerance;
	unsigned sweeps;
	struct harmonic harmonic;
	struct buf policy; /* with its options */
	uint64_t seeds, total, crawled;
};

static void by_pagerank(const struct rank_options *o, struct dataset *d, struct ranking *k)
{
	struct pagerank p = PAGERANK_DEFAULT;

	p.threads = threads_of(o->threads);
	const double tol = o->tol > 0 ? o->tol : p.tolerance;
	p.tolerance = tol * PAGERANK_SOLVE_SHARE;
	k->score = mem_new(k->nodes, sizeof *k->score);
	pagerank_solve(&d->graph, &p, k->score);
	for (uint32_t u = 0; u < k->nodes; u++)
		k->key[u] = pagerank_key(k->score[u], k->nodes);
	k->tolerance = tol;
	k->sweeps = p.sweeps;
}

static void by_hits(const struct rank_options *o, struct dataset *d, struct ranking *k)
{
	unsigned threads = threads_of(o->threads);
	struct hits h;

	k->score = mem_new(k->nodes, sizeof *k->score);
	k->second = mem_new(k->nodes, sizeof *k->second);
	hits_init(&h, &d->graph, threads);
	hits_run(&h, HITS_ITERATIONS, NULL, k->score, k->second);
	hits_release(&h);
	hits_keys(k->score, k->nodes, k->key);
}

static void by_degree(const struct rank_options *o, const struct graph *g, struct ranking *k)
{
	AUTO_FREE uint32_t *degree = mem_new(k->nodes, sizeof *degree);

	if (k->by == RANK_INDEGREE)
		degrees_in(g, degree, threads_of(o->threads));
	else
		degrees_out(g, degree, threads_of(o->threads));
	for (uint32_t u = 0; u < k->nodes; u++)
		k->key[u] = degree[u];
}

static void by_harmonic(const struct rank_options *o, struct dataset *d, struct ranking *k)
{
	struct harmonic *h = &k->harmonic;

	h->threads = threads_of(o->threads);
	h->registers = (uint32_t)o->registers;
	k->score = mem_new(k->nodes, sizeof *k->score);
	k->second = mem_new(k->nodes, sizeof *k->second);
	harmonic_scores(h, (uint32_t)o->runs, dataset_reverse(d, h->threads), k->score, k->second);
	const double errors = o->runs > 1 ? stats_student(0.95, o->runs - 1) : 1.96;
	for (uint32_t u = 0; u < k->nodes; u++) {
		k->key[u] = harmonic_key(k->score[u]);
		k->second[u] *= errors;
	}
	if (h->registers == HARMONIC_EXACT) {
		free(k->second);
		k->second = NULL;
	}
}

/* Returns the number of pages that the seeds reach, themselves included. */
static uint64_t count_reached(const struct dataset *d, const struct seedset *seeds)
{
	AUTO_FREE unsigned char *reached = throughput_reach(&d->graph, d->outside, seeds->ids, seeds->n);
	uint64_t n = 0;

	for (uint32_t u = 0; u < d->graph.nodes; u++)
		n += reached[u];
	return n;
}

static int crawl_from(const struct rank_options *o, struct dataset *d, struct ranking *k, struct replay *c,
	const struct seedset *seeds, struct err_note *why)
{
	const enum crawl_ranking by = k->by == RANK_OPIC ? CRAWL_RANKING_CASH : CRAWL_RANKING_KEY;

	TRY(total_of(o->policy.total, &c->total, why));
	if (c->total == TOTAL_REACHABLE)
		c->total = count_reached(d, seeds);
	if (c->total == TOTAL_ALL)
		c->total = k->nodes;
	c->batch = o->policy.batch;
	c->growth = o->policy.growth;
	c->rng_seed = o->policy.rng_seed;
	c->with_keys = 1;
	TRY(replay_run(c, d, seeds, why));
	k->score = mem_new(k->nodes, sizeof *k->score);
	k->second = k->by == RANK_OPIC ? mem_new(k->nodes, sizeof *k->second) : NULL;
	crawl_ranking_make(by, c, &d->graph, k->score, k->second, k->key);
	buf_text(&k->policy, c->policy->name);
	opt_describe(c->opts, &k->policy);
	k->seeds = seeds->n;
	k->total = c->total;
	k->crawled = c->crawled;
	return 0;
}

static int by_policy(const struct rank_options *o, struct dataset *d, struct ranking *k, struct err_note *why)
{
	struct opt_set opts;
	struct replay c = {.opts = &opts};
	AUTO(seedset) seeds = {0};
	int err = policy_options_read(words[k->by], &o->policy, &c.policy, &opts, why);

	if (!err)
		err = seedset_read(&seeds, o->seeds, d, o->policy.rng_seed, why);
	if (!err)
		err = crawl_from(o, d, k, &c, &seeds, why);
	if (!err && seeds.missing)
		log_say("%zu seeds of '%s' are not in the graph and were left out", seeds.missing, o->seeds);
	replay_release(&c);
	opt_release(&opts);
	policy_free(c.policy);
	return err;
}

/* Makes a ranking; the caller calls ranking_release() also after an error. */
static int ranking_make(struct ranking *k, enum rank_by by, const struct rank_options *o, struct dataset *d, struct err_note *why)
{
	*k = (struct ranking){.by = by, .nodes = d->graph.nodes, .key = mem_new(d->graph.nodes, sizeof *k->key)};
	if (by >= RANK_IECA)
		return by_policy(o, d, k, why);
	if (by == RANK_PAGERANK)
		by_pagerank(o, d, k);
	else if (by == RANK_HITS)
		by_hits(o, d, k);
	else if (by == RANK_HARMONIC)
		by_harmonic(o, d, k);
	else
		by_degree(o, &d->graph, k);
	return 0;
}

static void ranking_release(struct ranking *k)
{
	free(k->key);
	free(k->score);
	free(k->second);
	buf_release(&k->policy);
}

static void put_schedule(struct results *r, const struct policy_options *o, uint64_t total)
{
	AUTO(buf) text = BUF_EMPTY;

	batch_describe(o->batch, o->growth, &text);
	results_fact(r, "batch", cell_text(text.at));
	results_fact(r, "total", total ? cell_count(total) : cell_text("unknown"));
}

/* Prints the lines that say how the ranking was made. */
static void ranking_tell(const struct ranking *k, const struct rank_options *o, struct results *r)
{
	if (k->by == RANK_PAGERANK) {
		results_fact(r, "tol", cell_real(k->tolerance));
		results_fact(r, "sweeps", cell_count(k->sweeps));
	}
	if (k->by == RANK_HITS)
		results_fact(r, "iterations", cell_count(HITS_ITERATIONS));
	if (k->by == RANK_HARMONIC) {
		results_fact(r, "registers", k->harmonic.registers ? cell_count(k->harmonic.registers) : cell_text("exact"));
		if (k->harmonic.registers)
			results_fact(r, "runs", cell_count(o->runs));
		results_fact(r, "error", cell_real(k->harmonic.error));
		results_fact(r, "steps", cell_count(k->harmonic.steps));
	}
	if (k->by < RANK_IECA)
		return;
	results_fact(r, "policy", cell_text(k->policy.at));
	results_fact(r, "seeds", cell_text(o->seeds));
	results_fact(r, "seeds_found", cell_count(k->seeds));
	put_schedule(r, &o->policy, k->total);
	RESULTS_COUNTS(r, {"rng_seed", o->policy.rng_seed}, {"crawled", k->crawled});
}

static void print_page(const struct ranking *k, const struct dataset *d, uint32_t u, struct results *r)
{
	RESULTS_CELLS(r, cell_count(graph_label(&d->graph, u)), k->score ? cell_real(k->score[u]) : cell_count(k->key[u]));
	if (k->second)
		RESULTS_CELLS(r, cell_real(k->second[u]));
	if (d->names.text)
		RESULTS_CELLS(r, cell_text(dataset_url(d, u)));
}

/* Names the columns: id, one or two scores, and the URL if there are URLs. */
static void name_columns(struct ranking *k, const struct dataset *d)
{
	static const char *const first[] = {"pagerank", "hub", "indegree", "outdegree", "harmonic", "distance", "distance",
		"importance"};
	const char **column = k->column;

	*column++ = "id";
	*column++ = first[k->by];
	if (k->second)
		*column++ = k->by == RANK_HITS ? "authority" : k->by == RANK_HARMONIC ? "interval" : "history";
	if (d->names.text)
		*column++ = "url";
	*column = NULL;
}

static void print_ranking(const struct rank_options *o, const struct ranking *k, const struct dataset *d, struct results *r)
{
	if (o->all) {
		for (uint32_t u = 0; u < k->nodes && !results_stopped(r); u++)
			print_page(k, d, u, r);
	} else {
		uint32_t n = o->top < k->nodes ? (uint32_t)o->top : k->nodes;
		AUTO_FREE uint32_t *best = mem_new(n, sizeof *best);
		topk(k->key, k->nodes, n, best);
		for (uint32_t i = 0; i < n && !results_stopped(r); i++)
			print_page(k, d, best[i], r);
	}
}

/* The similarity of two rankings: Kendall's tau-b over all pages, and the share of the best pages that both have. */
struct likeness {
	const char *other;
	double tau, overlap;
};

static int liken(struct likeness *l, const char *word, const struct ranking *k, const struct rank_options *o, struct dataset *d,
	uint32_t top, struct err_note *why)
{
	AUTO(ranking) other = {0};
	int by = 0;

	while (strcmp(words[by], word) != 0)
		by++;
	TRY(ranking_make(&other, (enum rank_by)by, o, d, why));
	*l = (struct likeness){words[by], kendall_tau_b(k->key, other.key, k->nodes),
		(double)crawl_ranking_overlap(k->key, other.key, k->nodes, top) / top};
	return 0;
}

static void print_likenesses(const struct likeness *l, size_t n, uint32_t top, struct results *r)
{
	static const char *const columns[] = {"against", "tau_b", "top", "overlap", NULL};

	results_columns(r, columns);
	for (size_t i = 0; i < n; i++) {
		RESULTS_CELLS(r, cell_text(l[i].other), cell_real(l[i].tau), cell_count(top), cell_real(l[i].overlap));
	}
}

/* Says whether pages are ranked by one of the rankings `first` .. `last`, as the result or to be compared with it. */
static int ranks_by(const struct rank_options *o, int first, int last)
{
	int is = o->by >= first && o->by <= last;

	for (size_t i = 0; i < o->against.count; i++)
		for (int by = first; by <= last; by++)
			is |= strcmp(words[by], o->against.at[i]) == 0;
	return is || (o->to == RANK_TO_CC && (first == RANK_HARMONIC || first == RANK_PAGERANK));
}

/* Checks that --seeds is given if a ranking by a crawl is asked for, and that no flag is given that is for other rankings. Returns
 * 0 or ERR_USAGE. */
static int check_flags(const struct command *c, struct err_note *why)
{
	static const struct {
		const char *flag, *of;
		int first, last;
	} rows[] = {{"tol", "pagerank", RANK_PAGERANK, RANK_PAGERANK}, {"registers", "harmonic", RANK_HARMONIC, RANK_HARMONIC},
		{"runs", "harmonic", RANK_HARMONIC, RANK_HARMONIC}, {"seeds", "ieca, fica and opic", RANK_IECA, RANK_OPIC},
		{"policy-opt", "ieca, fica and opic", RANK_IECA, RANK_OPIC},
		{"rerank-growth", "ieca, fica and opic", RANK_IECA, RANK_OPIC},
		{"batch", "ieca, fica and opic", RANK_IECA, RANK_OPIC}, {"total", "ieca, fica and opic", RANK_IECA, RANK_OPIC},
		{"rng-seed", "ieca, fica and opic", RANK_IECA, RANK_OPIC}};
	const struct rank_options *o = c->options;

	if (!o->seeds && ranks_by(o, RANK_IECA, RANK_OPIC))
		return err_set(why, ERR_USAGE, "--seeds SEEDS is needed by '%s', which ranks by a crawl",
			o->by >= RANK_IECA ? words[o->by] : "--against");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (flags_given(c->flags, rows[i].flag) && !ranks_by(o, rows[i].first, rows[i].last))
			return err_set(why, ERR_USAGE, "--%s is for %s; '%s' has no use for it", rows[i].flag, rows[i].of,
				words[o->by]);
	return 0;
}

/* Returns how many of the best pages are printed or compared: --top, or, with --against and without --top, 1% of the pages. */
static uint32_t count_top(const struct command *c, uint32_t nodes)
{
	const struct rank_options *o = c->options;

	if (o->against.count && !flags_given(c->flags, "top"))
		return throughput_k(0.01, nodes);
	return o->top < nodes ? (uint32_t)o->top : nodes;
}

/* Computes everything before it prints the first line. */
static int rank_and_print(const struct command *c, struct dataset *d, int64_t started, struct err_note *why)
{
	const struct rank_options *o = c->options;
	const size_t n = o->against.count;
	uint32_t top = count_top(c, d->graph.nodes);
	AUTO_FREE struct likeness *l = mem_new(n, sizeof *l);
	struct results r;
	struct ranking k;
	int64_t opened = clock_ns();
	int err = n && !d->graph.nodes ? err_set(why, ERR_NOTHING, "the graph '%s' has no nodes", o->graph.graph) : 0;

	k = (struct ranking){0};
	if (!err)
		err = ranking_make(&k, (enum rank_by)o->by, o, d, why);
	for (size_t i = 0; !err && i < n; i++)
		err = liken(&l[i], o->against.at[i], &k, o, d, top, why);
	if (!err) {
		report_begin(&o->report, &r);
		report_graph(&r, &o->graph, d);
		ranking_tell(&k, o, &r);
		report_seconds(&o->report, &r, "seconds_open", opened - started);
		report_seconds(&o->report, &r, "seconds_rank", clock_ns() - opened);
		name_columns(&k, d);
		if (n) {
			print_likenesses(l, n, top, &r);
		} else {
			results_columns(&r, k.column);
			print_ranking(o, &k, d, &r);
		}
		err = results_end(&r, why);
	}
	ranking_release(&k);
	return err;
}

/* Writes a host with its labels in reverse order, as Common Crawl does. */
static void put_reversed(struct output *out, const char *host)
{
	const char *end = host + strlen(host);

	for (const char *dot; (dot = memrchr(host, '.', (size_t)(end - host))) != NULL; end = dot) {
		output_bytes(out, dot + 1, (size_t)(end - dot - 1));
		output_text(out, ".");
	}
	output_bytes(out, host, (size_t)(end - host));
}

static void put_place(struct output *out, uint32_t place, double score)
{
	char text[40];

	output_number(out, place, '\t');
	ascii_format(text, sizeof text, "%.17g\t", score);
	output_text(out, text);
}

/* Returns all nodes of a ranking, the best first; the caller frees them. */
static uint32_t *order_of(const struct ranking *k)
{
	uint32_t *order = mem_new(k->nodes, sizeof *order);

	topk(k->key, k->nodes, k->nodes, order);
	return order;
}

/* Writes a table as Common Crawl's files of ranks are: harmonic centrality, by which it is sorted, and PageRank, each with its
 * places; and the host. */
static int write_cc_ranks(const struct rank_options *o, struct dataset *d, struct err_note *why)
{
	const uint32_t n = d->graph.nodes;
	AUTO(ranking) harmonic = {0}, pagerank = {0};
	struct output *out;

	if (!d->names.host || d->names.hosts != n)
		return err_set(why, ERR_USAGE, "--to cc-ranks needs a graph whose nodes are hosts, each another; '%s' is none",
			o->graph.graph);
	TRY(output_open(&out, "-", why));
	(void)!ranking_make(&harmonic, RANK_HARMONIC, o, d, NULL);
	(void)!ranking_make(&pagerank, RANK_PAGERANK, o, d, NULL);
	AUTO_FREE uint32_t *best = order_of(&harmonic), *order = order_of(&pagerank), *place = mem_new(n, sizeof *place);
	for (uint32_t i = 0; i < n; i++)
		place[order[i]] = i + 1;
	output_text(out, "#harmonicc_pos\t#harmonicc_val\t#pr_pos\t#pr_val\t#host_rev\n");
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t u = best[i];
		put_place(out, i + 1, harmonic.score[u]);
		put_place(out, place[u], pagerank.score[u]);
		put_reversed(out, names_host(&d->names, u));
		output_text(out, "\n");
	}
	return output_close(out, why);
}

static int run_rank(const struct command *c, struct err_note *why)
{
	struct rank_options *o = c->options;
	AUTO(dataset) d = {0};
	int64_t started = clock_ns();

	TRY(check_flags(c, why));
	TRY(registers_of(c, &o->registers, why));
	TRY(graph_options_open(&o->graph, threads_of(o->threads), &d, why));
	return o->to == RANK_TO_CC ? write_cc_ranks(o, &d, why) : rank_and_print(c, &d, started, why);
}

#define RANK(field) offsetof(struct rank_options, field)
/* The flags of the rankings that need a crawl. */
static const struct rank_options rank_defaults = {.top = 20,
	.registers = HARMONIC_REGISTERS,
	.runs = 1,
	.tol = 1e-12,
	.policy = POLICY_OPTIONS_DEFAULT};
static const struct flag rank_flags[] = {
	TABLE_ROW(graph_flags, RANK(graph)),
	{"by", 0, FLAG_CHOICE, RANK(by), by_words, .help = "the score of a page"},
	{"top", 0, FLAG_COUNT, RANK(top), "N", .help = "print the best N pages", .min = 1},
	{"all", 0, FLAG_SWITCH, RANK(all), .help = "print all pages, by id"},
	REGISTERS_ROW(RANK(registers), "harmonic"),
	{"runs", 0, FLAG_COUNT, RANK(runs), "N", .help = "of harmonic, if the graph is large: the mean, with errors", .min = 1,
		.max = 10000},
	{"to", 0, FLAG_CHOICE, RANK(to), "table|cc-ranks", .help = "cc-ranks: all hosts, as Common Crawl ranks them"},
	{"against", 0, FLAG_COMMAS, RANK(against), "A,B", .help = "compare with these rankings: tau, and the share of --top",
		.words = by_word, .file = FLAG_READS},
	HEADING_ROW("For ieca, fica and opic"),
	{"seeds", 0, FLAG_TEXT, RANK(seeds), "SEEDS", .help = "a file, random:N, random:0.1, hosts:1, roots, METHOD:N",
		.file = FLAG_READS_SEEDS},
	{"policy-opt", 0, FLAG_EACH, RANK(policy.policy_opt), "KEY=VALUE", .help = "an option of the policy", .file = FLAG_READS},
	GROWTH_ROW(RANK(policy.growth)),
	BATCH_ROW(RANK(policy.batch)),
	TOTAL_ROW(RANK(policy.total)),
	{"rng-seed", 0, FLAG_COUNT, RANK(policy.rng_seed), "S", .help = "seed of all random numbers"},
	TOL_ROW(RANK(tol)),
	THREADS_ROW(RANK(threads)),
	JSON_ROW(RANK(report.json)),
	TIMING_ROW(RANK(report.timing)),
	STANDARD_ROWS,
};

const struct verb verb_rank = VERB("rank", "Ranks the pages of a graph, best first.", rank_flags, rank_defaults, run_rank);
