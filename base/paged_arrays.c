/* Arrays of paged memory: runs of chunks, or what base/mem.h has where there are none. */
#include "base/mem.h"
#include "base/paged.h"
#include "base/paged_internal.h"

#include <assert.h>
#include <string.h>

static size_t bytes_of(size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		mem_exhausted();
	return bytes;
}

void *paged_new(size_t n, size_t size)
{
	const size_t bytes = bytes_of(n, size);
	void *array = bytes >= CHUNK ? paged_run(bytes) : NULL;

	return array ? array : mem_big(n, size);
}

void paged_free(void *array, size_t n, size_t size)
{
	if (paged_has(array))
		paged_let_go(array, bytes_of(n, size));
	else
		mem_big_free(array, n, size);
}

void *paged_grow(void *old, size_t had, size_t want, size_t size)
{
	const size_t bytes = bytes_of(want, size);
	void *array;

	assert(want >= had);
	if (paged_has(old)) {
		array = paged_lengthen(old, had * size, bytes);
		if (array)
			return array;
	} else if (bytes < CHUNK || !paged_use().most) {
		return mem_big_grow(old, had, want, size);
	}
	array = paged_new(want, size);
	if (had)
		memcpy(array, old, had * size);
	paged_free(old, had, size);
	return array;
}

void *paged_need(void *array, size_t *room, size_t need, size_t size)
{
	const size_t had = *room;

	if (need <= had && array)
		return array;
	*room = mem_grown(had, need);
	return paged_grow(array, array ? had : 0, *room, size);
}
