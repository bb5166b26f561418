/* From a hash to the ids that have it: open addressing, in memory. A slot is 8 bytes, a tag (the
 * upper half of a 64-bit hash) over an id; the table is between 62% and 80% full, 11.4 bytes an id
 * on average.
 *
 * Invariants:
 *  T1 slots ascend, but for empty ones, which are all ones: so a tag's ids stand together, and a
 *     search ends at the first slot that is not less.
 *  T2 no slot lies before the home of its tag, and none is empty between the two.
 *  T3 the last slot is empty. */
#ifndef STORAGE_TAGS_H
#define STORAGE_TAGS_H

#include <stddef.h>
#include <stdint.h>

#define TAGS_EMPTY UINT64_MAX
#define TAGS_NO_ID UINT32_MAX

struct tags {
	uint64_t *slot;
	size_t homes; /* below 2^32 */
	size_t slots; /* homes, and room behind them */
	size_t used;
};

#define TAGS_INIT                                                                                  \
	{                                                                                          \
		NULL, 0, 0, 0                                                                      \
	}

void tags_release(struct tags *);
/* Makes room for n ids. */
void tags_reserve(struct tags *, size_t n);
/* id != TAGS_NO_ID. The order among the ids of a tag is theirs. */
void tags_insert(struct tags *, uint32_t tag, uint32_t id);

static inline size_t tags_home(const struct tags *t, uint32_t tag)
{
	return (size_t)(((uint64_t)tag * t->homes) >> 32);
}

/* Where the ids of a tag begin, if there are any. t->used > 0. */
static inline size_t tags_seek(const struct tags *t, uint32_t tag)
{
	size_t i = tags_home(t, tag);

	while ((uint32_t)(t->slot[i] >> 32) < tag)
		i++;
	return i;
}

/* The id at a place, or TAGS_NO_ID where the tag's ids end. */
static inline uint32_t tags_id(const struct tags *t, size_t i, uint32_t tag)
{
	return (uint32_t)(t->slot[i] >> 32) == tag ? (uint32_t)t->slot[i] : TAGS_NO_ID;
}

#endif
