/* The simple methods with which others are compared: a key for each page, the greatest first, and a random sample. */
#include "base/mem.h"
#include "base/rng.h"
#include "graph/kernels/harmonic.h"
#include "graph/kernels/pagerank.h"
#include "seeds/best.h"

#include <stdlib.h>

/* Random: a sample without replacement. */
static int choose_random(const struct seed_input *in, size_t k, struct seed_output *out, struct err_note *why)
{
	const uint32_t n = in->graph->nodes;
	const uint32_t m = k < n && !in->enough && !in->barred ? (uint32_t)k : n;
	struct rng rng = {in->rng_seed};
	AUTO_FREE uint32_t *drawn = mem_new(m, sizeof *drawn);

	(void)why;
	rng_sample(&rng, n, m, drawn);
	for (uint32_t i = 0; i < m && !seeds_enough(in, k, out); i++)
		if (!seeds_barred(in, drawn[i]))
			seed_output_add(out, drawn[i]);
	return 0;
}

const struct seed_method seed_method_random = {
	.name = "random",
	.summary = "any pages, drawn by --rng-seed",
	.source = "Zheng, Dmitriev and Giles 2009, Random",
	.nothing = "it is empty",
	.select = choose_random,
};

/* PageRank: the pages of the highest rank. */
static int choose_pagerank(const struct seed_input *in, size_t k, struct seed_output *out, struct err_note *why)
{
	const uint32_t n = in->graph->nodes;
	struct pagerank p = PAGERANK_DEFAULT;
	AUTO_FREE double *rank = mem_new(n, sizeof *rank);
	AUTO_FREE uint64_t *key = mem_new(n, sizeof *key);

	(void)why;
	p.threads = in->threads;
	p.tolerance = opt_number(in->opts, "tol") * PAGERANK_SOLVE_SHARE;
	pagerank_solve(in->graph, &p, rank);
	for (uint32_t u = 0; u < n; u++)
		key[u] = pagerank_key(rank[u], n);
	seeds_by_key(in, key, k, out);
	return 0;
}

static const struct opt pagerank_opts[] = {
	{"tol", OPT_REAL, 1e-12, 1e-300, 1, NULL, "PageRank stops at this L1 change"},
	{.name = NULL},
};

const struct seed_method seed_method_pagerank = {
	.name = "pagerank",
	.summary = "the pages of the highest PageRank",
	.source = "Zheng, Dmitriev and Giles 2009, PageRank",
	.nothing = "it is empty",
	.opts = pagerank_opts,
	.ways = SEEDS_FORWARD_ONLY,
	.select = choose_pagerank,
};

/* Harmonic centrality: the pages that are near to many others. */
static int choose_harmonic(const struct seed_input *in, size_t k, struct seed_output *out, struct err_note *why)
{
	const uint32_t n = in->graph->nodes;
	struct harmonic h = {.registers = HARMONIC_BY_SIZE, .threads = in->threads};
	AUTO_FREE double *score = mem_new(n, sizeof *score);
	AUTO_FREE uint64_t *key = mem_new(n, sizeof *key);

	(void)why;
	harmonic_run(&h, in->reverse, score);
	for (uint32_t u = 0; u < n; u++)
		key[u] = harmonic_key(score[u]);
	seeds_by_key(in, key, k, out);
	return 0;
}

const struct seed_method seed_method_harmonic = {
	.name = "harmonic",
	.summary = "the pages of the highest harmonic centrality",
	.source = "Boldi and Vigna 2014, Axioms for Centrality",
	.nothing = "it is empty",
	.ways = SEEDS_BOTH_WAYS,
	.select = choose_harmonic,
};

/* OutDegree: the pages with the most links to others. */
static int choose_outdegree(const struct seed_input *in, size_t k, struct seed_output *out, struct err_note *why)
{
	const struct graph *g = in->graph;
	AUTO_FREE uint64_t *key = mem_new(g->nodes, sizeof *key);

	(void)why;
	for (uint32_t u = 0; u < g->nodes; u++)
		key[u] = seeds_outdegree(g, u);
	seeds_by_key(in, key, k, out);
	return 0;
}

const struct seed_method seed_method_outdegree = {
	.name = "outdegree",
	.summary = "the pages with the most links to others",
	.source = "Zheng, Dmitriev and Giles 2009, OutDegree",
	.nothing = "it is empty",
	.select = choose_outdegree,
};
