#include "lab/measure/throughput.h"
#include "base/mem.h"
#include "graph/kernels/pagerank.h"

#include <math.h>
#include <stdlib.h>

/* Puts the nodes into the order of their ranks. */
static void arrange(struct benchmark *b)
{
	b->hot = mem_new(b->nodes, sizeof *b->hot);
	b->position = mem_new(b->nodes, sizeof *b->position);
	pagerank_order(b->rank, b->nodes, b->hot);
	for (uint32_t i = 0; i < b->nodes; i++)
		b->position[b->hot[i]] = i;
}

void benchmark_make(struct benchmark *b, const struct graph *g, double tolerance, unsigned threads)
{
	struct pagerank p = PAGERANK_DEFAULT;

	p.tolerance = tolerance * PAGERANK_SOLVE_SHARE;
	p.threads = threads;
	*b = (struct benchmark){.nodes = g->nodes, .rank = mem_new(g->nodes, sizeof *b->rank), .tolerance = tolerance};
	pagerank_solve(g, &p, b->rank);
	b->sweeps = p.sweeps;
	arrange(b);
}

void benchmark_take_scores(struct benchmark *b, uint32_t nodes, double *score)
{
	double sum = 0;

	*b = (struct benchmark){.nodes = nodes, .rank = mem_new(nodes, sizeof *b->rank), .score = score};
	for (uint32_t u = 0; u < nodes; u++)
		sum += score[u];
	for (uint32_t u = 0; u < nodes; u++)
		b->rank[u] = sum > 0 ? score[u] / sum : 0;
	arrange(b);
}

void benchmark_release(struct benchmark *b)
{
	free(b->score);
	free(b->rank);
	free(b->hot);
	free(b->position);
	*b = (struct benchmark){0};
}

void benchmark_share_ties(struct benchmark *b)
{
	uint64_t last = 0;

	for (uint32_t i = 0, first = 0; i < b->nodes; i++) {
		uint64_t key = pagerank_key(b->rank[b->hot[i]], b->nodes);
		if (key != last)
			first = i;
		last = key;
		b->position[b->hot[i]] = first;
	}
}

unsigned char *throughput_reach(const struct graph *g, const uint8_t *outside, const uint32_t *seeds, size_t n)
{
	unsigned char *seen = mem_zero(g->nodes, 1);
	uint32_t *stack = mem_new(g->nodes, sizeof *stack), top = 0;

	for (size_t i = 0; i < n; i++) {
		if (!seen[seeds[i]])
			stack[top++] = seeds[i];
		seen[seeds[i]] = 1;
	}
	while (top) {
		uint32_t u = stack[--top];
		const uint32_t *row = graph_row(g, u);
		for (uint32_t i = 0; i < graph_outdegree(g, u); i++) {
			if (seen[row[i]] || (outside && outside[row[i]]))
				continue;
			stack[top++] = row[i];
			seen[row[i]] = 1;
		}
	}
	free(stack);
	return seen;
}

void throughput_measure(struct throughput *h, const struct benchmark *b, const struct graph *g, const uint8_t *outside,
	const uint32_t *order, uint32_t crawled, const uint32_t *seeds, size_t n_seeds)
{
	uint32_t n = g->nodes;
	unsigned char *reached = throughput_reach(g, outside, seeds, n_seeds);

	h->nodes = n;
	h->crawled = crawled;
	h->benchmark = b;
	h->hits = mem_zero((size_t)n + 1, sizeof *h->hits);
	h->found = mem_zero((size_t)n + 1, sizeof *h->found);
	h->mass = mem_new((size_t)crawled + 1, sizeof *h->mass);
	double sum = 0, all = 0;
	h->mass[0] = 0;
	/* the page crawled i-th with rank r is a hit from K = max(i, r) on */
	for (uint32_t i = 0; i < crawled; i++) {
		uint32_t r = b->position[order[i]];
		h->hits[(r > i ? r : i) + 1]++;
		sum += b->rank[order[i]];
		h->mass[i + 1] = sum;
	}
	for (uint32_t u = 0; u < n; u++)
		all += b->rank[u];
	for (uint32_t i = 0; i < crawled; i++)
		h->mass[i + 1] = fmin(h->mass[i + 1] / all, 1); /* rounding may exceed it */
	for (uint32_t u = 0; u < n; u++)
		h->found[b->position[u] + 1] += reached[u];
	double strict = 0;
	for (uint32_t k = 1; k <= n; k++) {
		h->hits[k] += h->hits[k - 1];
		h->found[k] += h->found[k - 1];
		strict += (double)h->hits[k] / k;
	}
	h->auc = n ? strict / n : 0;
	free(reached);
}

void throughput_release(struct throughput *h)
{
	free(h->hits);
	free(h->found);
	free(h->mass);
	*h = (struct throughput){0};
}

struct throughput_point throughput_at(const struct throughput *h, uint32_t k)
{
	uint32_t at = k < h->crawled ? k : h->crawled;
	struct throughput_point p = {.k = k, .crawled = at, .mass = h->mass[at]};
	double share = (double)at / h->nodes;

	p.strict = at ? (double)h->hits[at] / at : 0;
	uint32_t found = h->found[at] < at ? h->found[at] : at;
	p.discoverable = h->hits[at] < found ? (double)h->hits[at] / found : 1;
	p.lift = at < h->nodes ? (p.strict - share) / (1 - share) : NAN;
	return p;
}

uint32_t throughput_k(double fraction, uint32_t n)
{
	double k = floor(fraction * n + 1e-9);

	return k < 1 ? 1 : k > n ? n : (uint32_t)k;
}
