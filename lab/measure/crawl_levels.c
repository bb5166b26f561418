#include "lab/measure/crawl_levels.h"
#include "graph/kernels/bfs.h"

#include <math.h>

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
