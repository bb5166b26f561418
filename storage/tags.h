/* A hash table in memory from tags to ids. A tag is the upper half of a 64-bit hash of a text; several ids may
 * have one tag, so a caller compares the texts. The table uses open addressing with slots of 8 bytes (the tag
 * above the id); it is between 80% and 90% full, takes 9.4 bytes for each id on average, and grows without a second
 * copy of itself.
 *
 *	struct tags t = TAGS_INIT;
 *	tags_insert(&t, tag, id);
 *	for (i = tags_seek(&t, tag); (id = tags_id(&t, i, tag)) != TAGS_NO_ID; i++)
 *		... each id with this tag ...
 *
 * Invariants:
 *  T1 the slots that are not empty ascend, and an empty slot is all ones. So the ids of a tag are
 *     neighbours, and a search ends at the first slot that is not less than the one it looks for.
 *  T2 no slot lies before the home of its tag, and no slot between the two is empty.
 *  T3 the last slot is empty. */
#ifndef STORAGE_TAGS_H
#define STORAGE_TAGS_H

#include <stddef.h>
#include <stdint.h>

#define TAGS_EMPTY UINT64_MAX
#define TAGS_NO_ID UINT32_MAX

struct tags {
	uint64_t *slot;
	size_t homes; /* the number of slots at which a search may begin; below 2^32 */
	size_t slots; /* the homes, and some room behind them */
	size_t used;  /* the number of ids */
};

#define TAGS_INIT \
	{ \
		NULL, 0, 0, 0 \
	}

/* Frees the memory and makes the table empty. */
void tags_release(struct tags *);

/* Makes room for n ids in all, so that the table does not grow before it has that many. */
void tags_reserve(struct tags *, size_t n);

/* Adds an id, which must not be TAGS_NO_ID. The ids of one tag stand in ascending order. */
void tags_insert(struct tags *, uint32_t tag, uint32_t id);

/* Returns the slot at which the search for a tag begins. */
static inline size_t tags_home(const struct tags *t, uint32_t tag)
{
	return (size_t)(((uint64_t)tag * t->homes) >> 32);
}

/* Returns the slot at which the ids of a tag begin, if the table has any. The table must not be empty
 * (t->used > 0). */
static inline size_t tags_seek(const struct tags *t, uint32_t tag)
{
	size_t i = tags_home(t, tag);

	while ((uint32_t)(t->slot[i] >> 32) < tag)
		i++;
	return i;
}

/* Returns the id in slot i, or TAGS_NO_ID if the slot does not belong to the tag. */
static inline uint32_t tags_id(const struct tags *t, size_t i, uint32_t tag)
{
	return (uint32_t)(t->slot[i] >> 32) == tag ? (uint32_t)t->slot[i] : TAGS_NO_ID;
}

/* Puts another id in the place of the one in slot i, whose tag no other id has. */
static inline void tags_replace(struct tags *t, size_t i, uint32_t id)
{
	t->slot[i] = (t->slot[i] >> 32 << 32) | id;
}

#endif
