/* Blocks of paged memory. A chunk is cut into blocks from its beginning on; a block that is freed is the first one to be used again
 * for its size. The sizes are those of lists and heaps that grow by fixed steps, so there are few of them, and blocks are never
 * joined. */
#include "base/mem.h"
#include "base/paged.h"
#include "base/paged_internal.h"

#include <stdlib.h>
#include <string.h>

#define LINE  64
#define LINED 256         /* bytes from which on a block begins a cache line */
#define STEP  16          /* the unit of smaller blocks */
#define MOST  (CHUNK / 8) /* a larger block is an array of its own */
#define SMALL 64          /* an array of fewer elements is doubled, a larger one grows by a quarter */
#define SIZES (MOST / STEP + 1)

struct block {
	struct block *next;
};

/* Only the owner of the file touches it. */
static struct {
	struct block *spare[SIZES]; /* by size / STEP */
	char *at, *end;             /* what is left of the chunk that is being cut */
} blocks;

static size_t whole(size_t n)
{
	return n >= LINED ? (n + LINE - 1) / LINE * LINE : n ? (n + STEP - 1) / STEP * STEP : STEP;
}

static void *ordinary(size_t n)
{
	return n >= LINED ? mem_lined(n, 1) : mem_new(n, 1);
}

/* Cuts a block off the chunk, or off a new one. Returns NULL if there is none. */
static void *cut(size_t n)
{
	const size_t skip = n >= LINED ? (size_t)(-(uintptr_t)blocks.at) % LINE : 0;

	if (!blocks.at || (size_t)(blocks.end - blocks.at) < n + skip) {
		char *chunk = paged_run(CHUNK);
		if (!chunk)
			return NULL;
		blocks.at = chunk;
		blocks.end = chunk + CHUNK;
		return cut(n);
	}
	void *block = blocks.at + skip;
	blocks.at += skip + n;
	return block;
}

void *paged_block(size_t n)
{
	const size_t size = whole(n);
	void *block;

	if (!paged_use().most)
		return ordinary(n);
	if (size > MOST) {
		block = paged_run(size);
	} else if (blocks.spare[size / STEP]) {
		block = blocks.spare[size / STEP];
		blocks.spare[size / STEP] = blocks.spare[size / STEP]->next;
	} else {
		block = cut(size);
	}
	return block ? block : ordinary(n);
}

void paged_block_free(void *block, size_t n)
{
	const size_t size = whole(n);

	if (!paged_has(block)) {
		free(block);
	} else if (size > MOST) {
		paged_let_go(block, size);
	} else {
		struct block *spare = block;
		spare->next = blocks.spare[size / STEP];
		blocks.spare[size / STEP] = spare;
	}
}

void *paged_block_grow(void *array, size_t *room, size_t need, size_t size)
{
	const size_t had = *room;

	if (need <= had && array)
		return array;
	*room = had < SMALL || need > had + had / 4 ? mem_grown(had, need) : had + had / 4;
	if (!paged_use().most && !paged_has(array))
		return mem_resize(array, *room, size);
	void *more = paged_block(*room * size);
	if (array)
		memcpy(more, array, had * size);
	paged_block_free(array, had * size);
	return more;
}

void paged_blocks_forget(void)
{
	memset(&blocks, 0, sizeof blocks);
}
