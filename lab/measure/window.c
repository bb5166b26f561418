#include "lab/measure/window.h"
#include "base/mem.h"

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
