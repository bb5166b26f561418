#include "lab/study/crawl_ranking.h"
#include "base/mem.h"
#include "graph/kernels/topk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns an integer whose order is that of the reals x. */
static uint64_t order_of(double x)
{
	uint64_t bits;

	x += 0.0; /* not -0 */
	memcpy(&bits, &x, sizeof bits);
	return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

/* Adds to cash[] what each crawled page has received after it was crawled. What it had received before is in its key. */
static void add_unspent(const struct replay *r, const struct graph *g, double *cash)
{
	unsigned char *crawled = mem_zero(g->nodes, 1);

	for (uint32_t i = 0; i < r->crawled; i++) {
		uint32_t u = r->order[i], n = graph_outdegree(g, u);
		const uint32_t *row = graph_row(g, u);
		for (uint32_t j = 0; j < n; j++)
			if (crawled[row[j]])
				cash[row[j]] += r->key[i] / n;
		crawled[u] = 1;
	}
	free(crawled);
}

void crawl_ranking_make(enum crawl_ranking by, const struct replay *r, const struct graph *g, double *score, double *history,
	uint64_t *sort_key)
{
	int lowest = r->policy->order == POLICY_LOWEST_FIRST;
	double none = by == CRAWL_RANKING_CASH ? 0 : lowest ? INFINITY : -INFINITY;

	for (uint32_t u = 0; u < g->nodes; u++)
		score[u] = none;
	for (uint32_t i = 0; i < r->crawled; i++)
		score[r->order[i]] = r->key[i];
	if (by == CRAWL_RANKING_CASH) {
		if (history)
			memcpy(history, score, g->nodes * sizeof *history);
		add_unspent(r, g, score);
	}
	for (uint32_t u = 0; u < g->nodes; u++)
		sort_key[u] = lowest ? ~order_of(score[u]) : order_of(score[u]);
}

uint32_t crawl_ranking_overlap(const uint64_t *a, const uint64_t *b, uint32_t n, uint32_t m)
{
	uint32_t *best = mem_new(m, sizeof *best), both = 0;
	unsigned char *in_a = mem_zero(n, 1);

	topk(a, n, m, best);
	for (uint32_t i = 0; i < m; i++)
		in_a[best[i]] = 1;
	topk(b, n, m, best);
	for (uint32_t i = 0; i < m; i++)
		both += in_a[best[i]];
	free(in_a);
	free(best);
	return both;
}
