#include "graph/kernels/topk.h"
#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define BITS 11
#define BINS (1 << BITS)

/* Returns the number of bits up to the highest bit that is set; 0 if none is. */
static int top_bit(uint64_t bits)
{
	return bits ? 64 - __builtin_clzll(bits) : 0;
}

/* Returns the bits in which the keys differ. */
static uint64_t differing(const uint64_t *key, uint32_t n)
{
	uint64_t any = 0;

	for (uint32_t i = 1; i < n; i++)
		any |= key[i] ^ key[0];
	return any;
}

/* Writes to id[], ascending, the indices of keys that may be among the k greatest: those whose leading differing digit is at
 * least that of the k-th greatest key. Returns their number. */
static uint32_t candidates(const uint64_t *key, uint32_t n, uint32_t k, uint64_t differ, uint32_t *id)
{
	const int shift = top_bit(differ) > BITS ? top_bit(differ) - BITS : 0;
	uint32_t count[BINS] = {0}, above = 0, kept = 0, least = BINS - 1;

	for (uint32_t i = 0; i < n; i++)
		count[key[i] >> shift & (BINS - 1)]++;
	while (least && above + count[least] < k)
		above += count[least--];
	for (uint32_t i = 0; i < n; i++) {
		id[kept] = i;
		kept += (key[i] >> shift & (BINS - 1)) >= least;
	}
	return kept;
}

/* Makes one stable pass of the radix sort, from id[] to out[], the greatest digit first. */
static void sort_digit(const uint64_t *key, const uint32_t *id, uint32_t n, int shift, uint32_t *out)
{
	uint32_t at[BINS + 1] = {0};

	for (uint32_t i = 0; i < n; i++)
		at[BINS - (key[id[i]] >> shift & (BINS - 1))]++;
	for (uint32_t d = 0; d < BINS; d++)
		at[d + 1] += at[d];
	for (uint32_t i = 0; i < n; i++)
		out[at[BINS - 1 - (key[id[i]] >> shift & (BINS - 1))]++] = id[i];
}

void topk(const uint64_t *key, uint32_t n, uint32_t k, uint32_t *top)
{
	assert(k <= n);
	if (k == 0)
		return;
	const uint64_t differ = differing(key, n);
	uint32_t *id = mem_big(n, sizeof *id), *other = mem_big(n, sizeof *other);
	const uint32_t kept = candidates(key, n, k, differ, id);

	for (int shift = 0; shift < top_bit(differ); shift += BITS) {
		sort_digit(key, id, kept, shift, other);
		uint32_t *sorted = other;
		other = id;
		id = sorted;
	}
	memcpy(top, id, k * sizeof *top);
	mem_big_free(id, n, sizeof *id);
	mem_big_free(other, n, sizeof *other);
}
