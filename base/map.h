/* A hash table from 64-bit keys (mostly hashes) to records of one size, with open addressing. The table is at most seven eighths
 * full, and a large one at least three quarters. The address of a record is valid until the next map_at().
 *
 *	struct count { uint64_t key, n; } *c;
 *	map_init(&m, sizeof *c);
 *	c = map_at(&m, key), c->n++;
 *
 * Records lie beside each other without a gap, so that a record of 12 bytes takes 12; one whose size is no multiple of 8 begins
 * with its key as two uint32_t, since it is aligned to 4 bytes only.
 *
 *  M1 the distance of a record is the number of records from the one at which the search for its key begins (its home) up to
 *     itself. If a record lies n behind the home of a key, is not free, and has a lower distance than n, the table does not have
 *     the key ("Robin Hood" hashing: Celis 1986). So a search that finds nothing looks at few records, however full the table
 *     is. */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stddef.h>
#include <stdint.h>

struct map {
	size_t size;           /* the bytes of a record, its key included */
	size_t used, room;     /* room < 2^32 */
	int is_paged;          /* 1: a large table is paged memory (base/paged.h) */
	unsigned char *record; /* `room` records; a record whose key is 0 is free */
};

/* Returns the most records that a table with `room` records takes before it grows. */
static inline size_t map_most(size_t room)
{
	return room - room / 8;
}

/* Makes an empty table of records, each of which begins with its uint64_t key. The function
 * allocates no memory. */
void map_init(struct map *m, size_t record_size);

/* As map_init(), for a table that may grow with the pages of a crawl, and that the crawl's thread alone reads and writes: it is
 * paged memory once it is large. */
void map_init_paged(struct map *m, size_t record_size);

/* Frees the records. */
void map_release(struct map *m);

/* Returns the record of a key, or NULL if the table has none. The key 0 is allowed: it is kept as a
 * fixed other key. */
void *map_find(const struct map *m, uint64_t key);

/* Returns the record of a key. If the table has none, the function adds a record whose bytes behind
 * the key are zero. */
void *map_at(struct map *m, uint64_t key);

/* Gives an empty table `room` records. */
void map_reserve(struct map *m, size_t room);

/* Copies a record, whose key the table does not have, into the table. */
void map_put(struct map *m, const void *record);

/* Walks over all records of a table, in no order: begins with a zeroed struct. Returns NULL behind the last. */
struct map_walk {
	size_t i;
};
const void *map_next(const struct map *m, struct map_walk *);

#endif
