#include "base/map.h"
#include "base/mem.h"
#include "base/paged.h"

#include <stdlib.h>
#include <string.h>

/* The key under which key 0 is stored, since a key of 0 marks a free record. */
#define ZERO 0x9e3779b97f4a7c15u

/* the bytes of a large table */
#define PAGED ((size_t)4 << 20)

void map_init(struct map *m, size_t record_size)
{
	*m = (struct map){.size = record_size};
}

void map_init_paged(struct map *m, size_t record_size)
{
	*m = (struct map){.size = record_size, .is_paged = 1};
}

/* Says whether the records of a table are, or are to be, paged memory. */
static int has_paged(const struct map *m)
{
	return m->is_paged && m->room * m->size >= PAGED;
}

static void make_records(struct map *m)
{
	m->record = has_paged(m) ? paged_new(m->room, m->size) : mem_zero(m->room, m->size);
}

static void free_records(const struct map *m)
{
	if (has_paged(m))
		paged_free(m->record, m->room, m->size);
	else
		free(m->record);
}

void map_release(struct map *m)
{
	free_records(m);
	*m = (struct map){.size = m->size, .is_paged = m->is_paged};
}

#define SMALL 1024 /* a smaller table is doubled, a larger one grows by a quarter */

static uint64_t key_of(const unsigned char *record)
{
	uint64_t key;

	memcpy(&key, record, sizeof key);
	return key;
}

/* Returns the record of the key, or the free record where it would be. With h, the upper half of the key's hash, the search begins at record
 * h / 2^32 * room. So a table need not have a power of two of records, and its records are in the order of h: a table that grows is
 * copied in order. */
static unsigned char *place(const struct map *m, uint64_t key)
{
	size_t i = (size_t)((((key * ZERO) >> 32) * m->room) >> 32);

	for (;; i = i + 1 < m->room ? i + 1 : 0) {
		unsigned char *record = m->record + i * m->size;
		const uint64_t there = key_of(record);
		if (there == key || there == 0)
			return record;
	}
}

static void grow(struct map *m)
{
	const struct map old = *m;

	m->room = old.room < SMALL ? 2 * old.room + 16 : old.room + old.room / 4;
	make_records(m);
	for (size_t i = 0; i < old.room; i++) {
		const unsigned char *record = old.record + i * m->size;
		if (key_of(record))
			memcpy(place(m, key_of(record)), record, m->size);
	}
	free_records(&old);
}

void *map_find(const struct map *m, uint64_t key)
{
	key = key ? key : ZERO;
	unsigned char *record = m->room ? place(m, key) : NULL;

	return record && key_of(record) ? record : NULL;
}

void *map_at(struct map *m, uint64_t key)
{
	key = key ? key : ZERO;
	if (4 * (m->used + 1) > 3 * m->room)
		grow(m);
	unsigned char *record = place(m, key);
	if (!key_of(record)) {
		memcpy(record, &key, sizeof key);
		m->used++;
	}
	return record;
}

void map_reserve(struct map *m, size_t room)
{
	if (!room)
		return;
	m->room = room;
	make_records(m);
}

void map_put(struct map *m, const void *record)
{
	memcpy(map_at(m, key_of(record)), record, m->size);
}

const void *map_next(const struct map *m, struct map_walk *w)
{
	while (w->i < m->room) {
		const unsigned char *record = m->record + w->i++ * m->size;
		if (key_of(record))
			return record;
	}
	return NULL;
}
