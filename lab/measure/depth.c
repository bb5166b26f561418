#include "lab/measure/depth.h"
#include "base/mem.h"
#include "graph/kernels/bfs.h"

#include <math.h>
#include <stdlib.h>

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
	struct bfs bfs;
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
	bfs_release(&bfs);
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
