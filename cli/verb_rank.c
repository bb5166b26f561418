/* `lycosa rank`: the pages of a graph by what links say of them. */
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "cli/options.h"
#include "cli/verbs.h"
#include "graph/degrees.h"
#include "graph/hits.h"
#include "graph/pagerank.h"
#include "graph/topk.h"

#include <stdlib.h>

/* As in by_words. */
enum rank_by { RANK_PAGERANK, RANK_HITS, RANK_INDEGREE, RANK_OUTDEGREE };

static const char by_words[] = "pagerank|hits|indegree|outdegree";

struct rank_options {
	struct standard_options standard;
	struct graph_options graph;
	struct report_options report;
	int by; /* enum rank_by */
	int all;
	uint64_t top, threads;
	double tol;
};

/* Every page's score and, by hits, its second; degrees are their own keys. */
struct ranking {
	uint32_t nodes;
	uint64_t *key;          /* what is compared */
	double *score, *second; /* what is printed; NULL: the key, nothing */
	const char *column[5];
};

static void by_pagerank(
	const struct rank_options *o, struct dataset *d, struct ranking *k, struct results *r)
{
	struct pagerank p = PAGERANK_DEFAULT;

	p.threads = threads_of(o->threads);
	if (o->tol > 0)
		p.tolerance = o->tol;
	k->score = mem_new(k->nodes, sizeof *k->score);
	pagerank(&d->graph, dataset_reverse(d, p.threads), &p, k->score);
	for (uint32_t u = 0; u < k->nodes; u++)
		k->key[u] = pagerank_key(k->score[u], k->nodes);
	results_name(r, "tol");
	results_real(r, p.tolerance);
	results_name(r, "sweeps");
	results_count(r, p.sweeps);
}

static void by_hits(
	const struct rank_options *o, struct dataset *d, struct ranking *k, struct results *r)
{
	unsigned threads = threads_of(o->threads);
	struct hits h;

	k->score = mem_new(k->nodes, sizeof *k->score);
	k->second = mem_new(k->nodes, sizeof *k->second);
	hits_init(&h, &d->graph, dataset_reverse(d, threads), threads);
	hits_run(&h, HITS_ITERATIONS, NULL, k->score, k->second);
	hits_release(&h);
	hits_keys(k->score, k->nodes, k->key);
	results_name(r, "iterations");
	results_count(r, HITS_ITERATIONS);
}

static void by_degree(const struct rank_options *o, const struct graph *g, struct ranking *k)
{
	uint32_t *degree = mem_new(k->nodes, sizeof *degree);

	if (o->by == RANK_INDEGREE)
		degrees_in(g, degree, threads_of(o->threads));
	else
		degrees_out(g, degree, threads_of(o->threads));
	for (uint32_t u = 0; u < k->nodes; u++)
		k->key[u] = degree[u];
	free(degree);
}

static void print_page(
	const struct ranking *k, const struct dataset *d, uint32_t u, struct results *r)
{
	results_count(r, graph_label(&d->graph, u));
	if (k->score)
		results_real(r, k->score[u]);
	else
		results_count(r, k->key[u]);
	if (k->second)
		results_real(r, k->second[u]);
	if (d->names.text)
		results_text(r, dataset_url(d, u));
}

/* id, one score or two, and the URL where there are any */
static void name_columns(struct ranking *k, const struct rank_options *o, const struct dataset *d)
{
	static const char *const first[] = {"pagerank", "hub", "indegree", "outdegree"};
	size_t n = 0;

	k->column[n++] = "id";
	k->column[n++] = first[o->by];
	if (o->by == RANK_HITS)
		k->column[n++] = "authority";
	if (d->names.text)
		k->column[n++] = "url";
	k->column[n] = NULL;
}

static void print_ranking(const struct rank_options *o, const struct ranking *k,
	const struct dataset *d, struct results *r)
{
	if (o->all) {
		for (uint32_t u = 0; u < k->nodes && !results_stopped(r); u++)
			print_page(k, d, u, r);
	} else {
		uint32_t n = o->top < k->nodes ? (uint32_t)o->top : k->nodes;
		uint32_t *best = mem_new(n, sizeof *best);
		topk(k->key, k->nodes, n, best);
		for (uint32_t i = 0; i < n && !results_stopped(r); i++)
			print_page(k, d, best[i], r);
		free(best);
	}
}

static int run_rank(const struct command *c, struct err_note *why)
{
	const struct rank_options *o = c->options;
	struct dataset d;
	struct results r;
	int64_t start = clock_ns();
	int err = graph_options_open(&o->graph, threads_of(o->threads), &d, why);

	if (err)
		return err;
	struct ranking k = {.nodes = d.graph.nodes, .key = mem_new(d.graph.nodes, sizeof *k.key)};
	report_begin(&o->report, &r);
	report_graph(&r, &o->graph, &d);
	int64_t opened = clock_ns();
	if (o->by == RANK_PAGERANK)
		by_pagerank(o, &d, &k, &r);
	else if (o->by == RANK_HITS)
		by_hits(o, &d, &k, &r);
	else
		by_degree(o, &d.graph, &k);
	report_seconds(&o->report, &r, "seconds_open", opened - start);
	report_seconds(&o->report, &r, "seconds_rank", clock_ns() - opened);
	name_columns(&k, o, &d);
	results_columns(&r, k.column);
	print_ranking(o, &k, &d, &r);
	free(k.key);
	free(k.score);
	free(k.second);
	dataset_release(&d);
	return results_end(&r, why);
}

#define RANK(field) offsetof(struct rank_options, field)
static const struct flag rank_flags[] = {
	{"by", 0, FLAG_CHOICE, RANK(by), by_words, .help = "what a page is judged by"},
	{"top", 0, FLAG_COUNT, RANK(top), "N", .help = "the best N pages", .min = 1},
	{"all", 0, FLAG_SWITCH, RANK(all), .help = "every page, in the order of ids"},
	{.name = NULL},
};

static const struct rank_options rank_defaults = {.top = 20, .tol = 1e-12};
static const struct flag_group rank_groups[] = {
	{NULL, graph_flags, RANK(graph), FLAGS_A_LINE_EACH},
	{NULL, rank_flags, 0, FLAGS_A_LINE_EACH},
	{NULL, tol_flag, RANK(tol), FLAGS_A_LINE_EACH},
	{NULL, threads_flag, RANK(threads), FLAGS_A_LINE_EACH},
	{NULL, json_flag, RANK(report.json), FLAGS_A_LINE_EACH},
	{NULL, timing_flag, RANK(report.timing), FLAGS_A_LINE_EACH},
	STANDARD_GROUP,
	{.flags = NULL},
};

const struct verb verb_rank = {
	.name = "rank",
	.summary = "Ranks the pages of a graph, best first.",
	.groups = rank_groups,
	.defaults = &rank_defaults,
	.size = sizeof rank_defaults,
	.run = run_rank,
};
