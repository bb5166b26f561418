/* A table from 64-bit keys (hashes, mostly) to records of one size: open addressing, at most two
 * thirds full. Record addresses are good until the next map_at(). */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include <stddef.h>
#include <stdint.h>

struct map {
	size_t size;           /* bytes of a record, its key included */
	size_t used, room;     /* room: a power of two, or 0 */
	unsigned char *record; /* room records; one whose key is 0 is free */
};

/* A record begins with its uint64_t key. Takes no memory yet. */
void map_init(struct map *m, size_t record_size);
void map_release(struct map *m);

/* The record of a key (0 stands for a key of its own), or NULL. */
void *map_find(const struct map *m, uint64_t key);

/* The record of a key: made, zeroed behind the key, where there is none. */
void *map_at(struct map *m, uint64_t key);

#endif
