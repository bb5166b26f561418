#include "lab/measure/kendall.h"
#include "base/mem.h"
#include "graph/kernels/pagerank.h"
#include "graph/memory/subgraph.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct two {
	uint64_t x, y;
};

static int compare_two(const void *a, const void *b)
{
	const struct two *p = a, *q = b;

	if (p->x != q->x)
		return p->x < q->x ? -1 : 1;
	return (p->y > q->y) - (p->y < q->y);
}

static uint64_t pairs(uint64_t n)
{
	return n * (n - (n > 0)) / 2;
}

/* Sorts y and returns how many pairs stood in descending order. */
static uint64_t merge_count(uint64_t *y, uint64_t *room, uint32_t n)
{
	uint64_t *from = y, *to = room, exchanges = 0;

	for (uint64_t width = 1; width < n; width *= 2) {
		for (uint64_t start = 0; start < n; start += 2 * width) {
			uint64_t middle = start + width < n ? start + width : n;
			uint64_t end = middle + width < n ? middle + width : n;
			uint64_t left = start, right = middle;
			for (uint64_t k = start; k < end; k++) {
				if (left < middle && (right == end || from[left] <= from[right])) {
					to[k] = from[left++];
				} else {
					exchanges += middle - left;
					to[k] = from[right++];
				}
			}
		}
		uint64_t *swap = from;
		from = to;
		to = swap;
	}
	if (from != y)
		memcpy(y, from, (size_t)n * sizeof *y);
	return exchanges;
}

double kendall_tau_b(const uint64_t *x, const uint64_t *y, uint32_t n)
{
	struct two *two = mem_new(n, sizeof *two);
	uint64_t *sorted = mem_new(n, sizeof *sorted), *room = mem_new(n, sizeof *room);
	uint64_t tied_x = 0, tied_y = 0, tied_both = 0, run_x = 1, run_y = 1, run_both = 1;

	for (uint32_t i = 0; i < n; i++)
		two[i] = (struct two){x[i], y[i]};
	qsort(two, n, sizeof *two, compare_two);
	for (uint32_t i = 0; i < n; i++)
		sorted[i] = two[i].y;
	uint64_t discordant = merge_count(sorted, room, n);
	/* tied pairs are counted while a run of equal values grows: its m-th element is tied with m - 1 earlier ones */
	for (uint32_t i = 1; i < n; i++) {
		run_x = two[i].x == two[i - 1].x ? run_x + 1 : 1;
		run_both = run_x > 1 && two[i].y == two[i - 1].y ? run_both + 1 : 1;
		run_y = sorted[i] == sorted[i - 1] ? run_y + 1 : 1;
		tied_x += run_x - 1;
		tied_both += run_both - 1;
		tied_y += run_y - 1;
	}
	free(two);
	free(sorted);
	free(room);
	uint64_t all = pairs(n);
	if (tied_x == all || tied_y == all)
		return 0;
	uint64_t concordant = all - tied_x - tied_y + tied_both - discordant;
	double x_pairs = (double)(all - tied_x), y_pairs = (double)(all - tied_y);
	/* with equally many ties on both sides no square root is needed, so that the tau of a ranking with itself is exactly 1 */
	double scale = tied_x == tied_y ? x_pairs : sqrt(x_pairs) * sqrt(y_pairs);
	return ((double)concordant - (double)discordant) / scale;
}

double kendall_of_part(const struct graph *g, const struct benchmark *b, const uint32_t *order, uint32_t k)
{
	const struct graph_space unbounded = {0};
	uint8_t *keep = mem_zero(g->nodes, 1);
	uint32_t *page = mem_new(g->nodes, sizeof *page);
	struct pagerank p = PAGERANK_DEFAULT;
	struct graph part;

	for (uint32_t i = 0; i < k; i++)
		keep[order[i]] = 1;
	const int err = graph_subgraph(g, keep, &unbounded, &part, page, NULL);
	assert(!err);
	(void)err;
	free(keep);
	const uint32_t n = part.nodes;
	double *rank = mem_new(n, sizeof *rank);
	uint64_t *own = mem_new(n, sizeof *own), *whole = mem_new(n, sizeof *whole);
	p.tolerance = b->tolerance;
	pagerank_solve(&part, &p, rank);
	for (uint32_t i = 0; i < n; i++) {
		own[i] = pagerank_key(rank[i], n);
		whole[i] = pagerank_key(b->rank[page[i]], g->nodes);
	}
	double tau = kendall_tau_b(own, whole, n);
	graph_release(&part);
	free(page);
	free(rank);
	free(own);
	free(whole);
	return tau;
}
