#include "seeds/allocate.h"
#include "base/mem.h"

#include <stdlib.h>

__extension__ typedef unsigned __int128 wide;

struct remainder {
	uint64_t left;
	uint32_t rank;
	size_t at;
};

static int larger_first(const void *a, const void *b)
{
	const struct remainder *x = a, *y = b;

	if (x->left != y->left)
		return x->left > y->left ? -1 : 1;
	return (x->rank > y->rank) - (x->rank < y->rank);
}

void allocate(uint64_t budget, const uint64_t *importance, const uint32_t *rank, size_t n, uint64_t *share)
{
	struct remainder *r = mem_new(n, sizeof *r);
	uint64_t sum = 0, given = 0;

	for (size_t i = 0; i < n; i++)
		sum += importance[i];
	for (size_t i = 0; i < n; i++) {
		const wide quota = (wide)budget * importance[i];
		share[i] = sum ? (uint64_t)(quota / sum) : 0;
		r[i] = (struct remainder){sum ? (uint64_t)(quota % sum) : 0, rank[i], i};
		given += share[i];
	}
	qsort(r, n, sizeof *r, larger_first);
	for (size_t i = 0; sum && given < budget; i++, given++)
		share[r[i].at]++;
	free(r);
}
