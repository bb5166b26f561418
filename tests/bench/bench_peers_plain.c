/* Graph kernels as anybody would write them first, as peers for ours. They compute the same variants. */
#include "base/mem.h"
#include "graph/kernels/pagerank.h"
#include "graph/kernels/scc.h"
#include "tests/bench/bench_peers.h"

#include <math.h>
#include <stdlib.h>

#define DAMPING   0.85
#define TOLERANCE 1e-10

/* Jacobi's iteration; `in` is the transposed graph. */
static void plain_pagerank(const struct graph *g, const struct graph *in, double *rank)
{
	const uint32_t n = g->nodes;
	double *share = mem_new(n, sizeof *share), change = 1;

	for (uint32_t v = 0; v < n; v++)
		rank[v] = 1.0 / n;
	while (change >= TOLERANCE) {
		double lost = 0;
		for (uint32_t u = 0; u < n; u++) {
			const uint32_t degree = graph_outdegree(g, u);
			share[u] = degree ? rank[u] / degree : 0;
			lost += degree ? 0 : rank[u];
		}
		const double base = (1 - DAMPING + DAMPING * lost) / n;
		change = 0;
		for (uint32_t v = 0; v < n; v++) {
			double sum = 0;
			for (uint64_t a = in->offset[v]; a < in->offset[v + 1]; a++)
				sum += share[in->target[a]];
			const double now = base + DAMPING * sum;
			change += fabs(now - rank[v]);
			rank[v] = now;
		}
	}
	free(share);
}

struct tarjan {
	const struct graph *g;
	uint32_t *number, *low, *open, *path, visited, opened, closed;
	uint64_t *next; /* of each node on the path, its next link */
};

static void plain_search(struct tarjan *t, uint32_t root, uint32_t *component)
{
	uint32_t depth = 0;

	t->path[depth++] = root;
	while (depth) {
		const uint32_t u = t->path[depth - 1];
		if (!t->number[u]) {
			t->number[u] = t->low[u] = ++t->visited;
			t->next[u] = t->g->offset[u];
			t->open[t->opened++] = u;
		}
		if (t->next[u] < t->g->offset[u + 1]) {
			const uint32_t v = t->g->target[t->next[u]++];
			if (!t->number[v])
				t->path[depth++] = v;
			else if (component[v] == UINT32_MAX && t->number[v] < t->low[u])
				t->low[u] = t->number[v];
			continue;
		}
		depth--;
		if (depth && t->low[u] < t->low[t->path[depth - 1]])
			t->low[t->path[depth - 1]] = t->low[u];
		if (t->low[u] != t->number[u])
			continue;
		uint32_t w;
		do {
			w = t->open[--t->opened];
			component[w] = t->closed;
		} while (w != u);
		t->closed++;
	}
}

/* Tarjan's algorithm. */
static void plain_scc(const struct graph *g, uint32_t *component)
{
	const uint32_t n = g->nodes;
	struct tarjan t = {.g = g,
		.number = mem_zero(n, sizeof *t.number),
		.low = mem_new(n, sizeof *t.low),
		.open = mem_new(n, sizeof *t.open),
		.path = mem_new(n, sizeof *t.path),
		.next = mem_new(n, sizeof *t.next)};

	for (uint32_t v = 0; v < n; v++)
		component[v] = UINT32_MAX;
	for (uint32_t v = 0; v < n; v++)
		if (!t.number[v])
			plain_search(&t, v, component);
	free(t.number);
	free(t.low);
	free(t.open);
	free(t.path);
	free(t.next);
}

struct plain {
	struct bench *b;
	struct graph in;
};

static void our_pagerank(void *ctx)
{
	const struct plain *p = ctx;
	struct pagerank how = PAGERANK_DEFAULT;

	how.tolerance = TOLERANCE;
	pagerank_solve(&p->b->data.graph, &how, p->b->a);
}

static void their_pagerank(void *ctx)
{
	const struct plain *p = ctx;

	plain_pagerank(&p->b->data.graph, &p->in, p->b->b);
}

static void our_scc(void *ctx)
{
	const struct plain *p = ctx;

	scc(&p->b->data.graph, p->b->number);
}

static void their_scc(void *ctx)
{
	const struct plain *p = ctx;

	plain_scc(&p->b->data.graph, p->b->number);
}

static void check_ranks(const struct bench *b)
{
	double apart = 0;

	for (uint32_t v = 0; v < b->data.graph.nodes; v++)
		apart += fabs(b->a[v] - b->b[v]);
	if (apart > 1e-8)
		peers_die("the ranks of the plain iteration are others");
}

void peers_plain(struct bench *b)
{
	struct plain p = {.b = b};

	graph_transpose(&b->data.graph, &p.in, 1);
	peers_graph_row(b, "PageRank to 1e-10, the graph transposed by us only", CLOCK_PROCESS_CPUTIME_ID, our_pagerank,
		their_pagerank, "plain C (Jacobi)", &p);
	check_ranks(b);
	graph_release(&p.in);
	peers_graph_row(b, "strongly connected components", CLOCK_PROCESS_CPUTIME_ID, our_scc, their_scc, "plain C (Tarjan)", &p);
}
