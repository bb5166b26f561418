#include "lab/measure/throughput.h"
#include "base/mem.h"
#include "graph/kernels/bfs.h"
#include "graph/kernels/pagerank.h"
#include "graph/memory/subgraph.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

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
	AUTO_FREE unsigned char *reached = throughput_reach(g, outside, seeds, n_seeds);

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

#define UNSEEN UINT32_MAX
#define NONE   (UINT32_MAX - 1) /* crawled before anything led to it */

/* Returns the depth of each node at the moment of its discovery, in the order of the crawl. Depths are not shortened later. The
 * caller frees the array. */
static uint32_t *first_depths(const struct graph *g, const uint32_t *order, uint32_t crawled, const uint32_t *seeds, size_t n_seeds)
{
	uint32_t *depth = mem_new(g->nodes, sizeof *depth);

	for (uint32_t u = 0; u < g->nodes; u++)
		depth[u] = UNSEEN;
	for (size_t i = 0; i < n_seeds; i++)
		depth[seeds[i]] = 0;
	for (uint32_t i = 0; i < crawled; i++) {
		const uint32_t *row = graph_row(g, order[i]);
		uint32_t below = depth[order[i]];
		if (below == UNSEEN) {
			depth[order[i]] = NONE;
			continue;
		}
		for (uint32_t j = 0; j < graph_outdegree(g, order[i]); j++)
			if (depth[row[j]] == UNSEEN)
				depth[row[j]] = below + 1;
	}
	return depth;
}

uint32_t depth_profile(struct depth_level **levels, uint32_t most, const struct graph *g, const struct benchmark *b,
	const uint32_t *order, uint32_t crawled, const uint32_t *seeds, size_t n_seeds)
{
	uint32_t *depth = first_depths(g, order, crawled, seeds, n_seeds), n = 0;
	struct depth_level *level = NULL;
	size_t room = 0;

	for (uint32_t i = 0; i < crawled; i++) {
		uint32_t d = depth[order[i]];
		if (d == NONE)
			continue;
		if (d >= most)
			d = most - 1;
		if (d >= n) {
			level = mem_grow(level, &room, (size_t)d + 1, sizeof *level);
			while (n <= d)
				level[n++] = (struct depth_level){0, 0};
		}
		level[d].pages++;
		level[d].rank += b->rank[order[i]];
	}
	for (uint32_t d = 0; d < n; d++)
		if (level[d].pages)
			level[d].rank /= level[d].pages;
	free(depth);
	*levels = level;
	return n;
}

void crawl_levels(const struct graph *g, const struct benchmark *b, const uint32_t *seed, size_t n, struct crawl_level *level,
	uint32_t most)
{
	AUTO(bfs) bfs = {0};
	double mass = 0.0;

	bfs_run(&bfs, g, seed, (uint32_t)n);
	for (uint32_t l = 0; l < most; l++) {
		const uint32_t begin = l < bfs.levels ? bfs.begin[l] : bfs.reached;
		const uint32_t end = l + 1 < most && l + 1 < bfs.levels ? bfs.begin[l + 1] : bfs.reached;
		double sum = 0.0;
		for (uint32_t i = begin; i < end; i++)
			sum += b->rank[bfs.order[i]];
		mass += sum;
		level[l] = (struct crawl_level){.pages = end - begin,
			.rank = end > begin ? sum / (end - begin) * g->nodes : NAN,
			.mass = mass};
	}
}

uint32_t window_means(double **mean, uint32_t size, const struct benchmark *b, const uint32_t *order, uint32_t crawled)
{
	uint32_t n = crawled / size + (crawled % size != 0);

	*mean = mem_new(n, sizeof **mean);
	for (uint32_t w = 0; w < n; w++) {
		uint32_t start = w * size, pages = crawled - start < size ? crawled - start : size;
		double sum = 0;
		for (uint32_t i = 0; i < pages; i++)
			sum += b->rank[order[start + i]];
		(*mean)[w] = sum / pages * b->nodes;
	}
	return n;
}

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
	AUTO_FREE uint32_t *page = mem_new(g->nodes, sizeof *page);
	struct pagerank p = PAGERANK_DEFAULT;
	AUTO(graph) part = {0};

	for (uint32_t i = 0; i < k; i++)
		keep[order[i]] = 1;
	const int err = graph_subgraph(g, keep, &unbounded, &part, page, NULL);
	assert(!err);
	(void)err;
	free(keep);
	const uint32_t n = part.nodes;
	AUTO_FREE double *rank = mem_new(n, sizeof *rank);
	AUTO_FREE uint64_t *own = mem_new(n, sizeof *own), *whole = mem_new(n, sizeof *whole);
	p.tolerance = b->tolerance;
	pagerank_solve(&part, &p, rank);
	for (uint32_t i = 0; i < n; i++) {
		own[i] = pagerank_key(rank[i], n);
		whole[i] = pagerank_key(b->rank[page[i]], g->nodes);
	}
	return kendall_tau_b(own, whole, n);
}
