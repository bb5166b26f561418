/* `lycosa rank`: the pages of a graph by what links say of them. */
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "cli/options.h"
#include "cli/verbs.h"
#include "graph/pagerank.h"

#include <stdlib.h>

enum rank_by { RANK_PAGERANK, RANK_INDEGREE, RANK_OUTDEGREE };

struct rank_options {
	struct standard_options standard;
	struct graph_options graph;
	struct report_options report;
	int by; /* enum rank_by */
	int all;
	uint64_t top, threads;
	double tol;
};

/* What a ranking is made of. */
struct ranking {
	uint32_t nodes;
	uint64_t *key; /* what is compared: higher is better, of equals the lower id */
	double *score; /* what is printed; NULL: the key */
};

static int is_better(const struct ranking *k, uint32_t a, uint32_t b)
{
	return k->key[a] != k->key[b] ? k->key[a] > k->key[b] : a < b;
}

/* Restores a heap of n nodes, the worst on top, from place i down. */
static void sift_down(const struct ranking *k, uint32_t *heap, uint32_t n, uint32_t i)
{
	uint32_t moving = heap[i];

	for (;;) {
		uint64_t child = 2 * (uint64_t)i + 1;
		if (child >= n)
			break;
		if (child + 1 < n && is_better(k, heap[child], heap[child + 1]))
			child++;
		if (is_better(k, heap[child], moving))
			break;
		heap[i] = heap[child];
		i = (uint32_t)child;
	}
	heap[i] = moving;
}

/* The best n nodes into best[n], n <= nodes. O(nodes log n). */
static void choose_best(const struct ranking *k, uint32_t *best, uint32_t n)
{
	for (uint32_t u = 0; u < n; u++)
		best[u] = u;
	for (uint32_t i = n / 2; i-- > 0;)
		sift_down(k, best, n, i);
	for (uint32_t u = n; n && u < k->nodes; u++) {
		if (is_better(k, u, best[0])) {
			best[0] = u;
			sift_down(k, best, n, 0);
		}
	}
	for (uint32_t last = n; last-- > 1;) {
		uint32_t worst = best[0];
		best[0] = best[last];
		best[last] = worst;
		sift_down(k, best, last, 0);
	}
}

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

/* Links of a page to itself count for nothing here. */
static void by_degree(const struct graph *g, enum rank_by by, struct ranking *k)
{
	for (uint32_t u = 0; u < g->nodes; u++) {
		const uint32_t *row = graph_row(g, u);
		for (uint32_t i = 0, n = graph_outdegree(g, u); i < n; i++)
			if (row[i] != u)
				k->key[by == RANK_INDEGREE ? row[i] : u]++;
	}
}

static void print_page(
	const struct ranking *k, const struct dataset *d, uint32_t u, struct results *r)
{
	results_count(r, graph_label(&d->graph, u));
	if (k->score)
		results_real(r, k->score[u]);
	else
		results_count(r, k->key[u]);
	if (d->names.text)
		results_text(r, dataset_url(d, u));
}

static void print_ranking(const struct rank_options *o, const struct ranking *k,
	const struct dataset *d, struct results *r)
{
	if (o->all) {
		for (uint32_t u = 0; u < k->nodes && !results_stopped(r); u++)
			print_page(k, d, u, r);
		return;
	}
	uint32_t n = o->top < k->nodes ? (uint32_t)o->top : k->nodes;
	uint32_t *best = mem_new(n, sizeof *best);
	choose_best(k, best, n);
	for (uint32_t i = 0; i < n && !results_stopped(r); i++)
		print_page(k, d, best[i], r);
	free(best);
}

static const char by_words[] = "pagerank|indegree|outdegree";
static const char *const by_name[] = {"pagerank", "indegree", "outdegree"};

static int run_rank(const struct command *c, struct err_note *why)
{
	const struct rank_options *o = c->options;
	const char *column[] = {"id", by_name[o->by], "url", NULL};
	struct dataset d;
	struct results r;
	int64_t start = clock_ns();
	int err = graph_options_open(&o->graph, threads_of(o->threads), &d, why);

	if (err)
		return err;
	struct ranking k = {d.graph.nodes, mem_zero(d.graph.nodes, sizeof *k.key), NULL};
	if (!d.names.text)
		column[2] = NULL;
	report_begin(&o->report, &r);
	report_graph(&r, &o->graph, &d);
	int64_t opened = clock_ns();
	if (o->by == RANK_PAGERANK)
		by_pagerank(o, &d, &k, &r);
	else
		by_degree(&d.graph, (enum rank_by)o->by, &k);
	report_seconds(&o->report, &r, "seconds_open", opened - start);
	report_seconds(&o->report, &r, "seconds_rank", clock_ns() - opened);
	results_columns(&r, column);
	print_ranking(o, &k, &d, &r);
	free(k.key);
	free(k.score);
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
