#include "graph/memory/radix.h"

#include <string.h>

static void count_bytes(const uint64_t *key, size_t n, size_t count[8][256])
{
	memset(count, 0, 8 * sizeof *count);
	for (size_t i = 0; i < n; i++)
		for (unsigned b = 0; b < 8; b++)
			count[b][key[i] >> 8 * b & 255]++;
}

uint64_t *radix_sort(uint64_t *key, uint64_t *other, size_t n, unsigned from_bit)
{
	size_t count[8][256];

	count_bytes(key, n, count);
	for (unsigned b = from_bit / 8; b < 8 && n; b++) {
		size_t *at = count[b], sum = 0;
		if (at[key[0] >> 8 * b & 255] == n)
			continue;
		for (size_t v = 0; v < 256; v++) {
			const size_t here = at[v];
			at[v] = sum;
			sum += here;
		}
		for (size_t i = 0; i < n; i++)
			other[at[key[i] >> 8 * b & 255]++] = key[i];
		uint64_t *const swap = key;
		key = other;
		other = swap;
	}
	return key;
}

size_t radix_distinct(uint64_t *key, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (!kept || key[kept - 1] != key[i])
			key[kept++] = key[i];
	return kept;
}
