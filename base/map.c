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

#define SMALL 1024 /* a smaller table is doubled, a larger one grows by an eighth */

static uint64_t key_of(const unsigned char *record)
{
	uint64_t key;

	memcpy(&key, record, sizeof key);
	return key;
}

static unsigned char *at(const struct map *m, size_t i)
{
	return m->record + i * m->size;
}

static size_t next(const struct map *m, size_t i)
{
	return i + 1 < m->room ? i + 1 : 0;
}

/* Returns the home of a key. With h, the upper half of the key's hash, it is h / 2^32 * room. So a table need not have a power of
 * two of records, and its records are in the order of h: a table that grows is copied in order. */
static size_t home(const struct map *m, uint64_t key)
{
	return (size_t)((((key * ZERO) >> 32) * m->room) >> 32);
}

/* Returns the distance of record i, whose key is `key` (M1). */
static size_t distance(const struct map *m, size_t i, uint64_t key)
{
	const size_t from = home(m, key);

	return i >= from ? i - from : i + m->room - from;
}

/* Finds the record of a key. Returns 1 with its number in *i, or 0 with the number that it is to have: that record is free, or is
 * to move on. */
static int place(const struct map *m, uint64_t key, size_t *i)
{
	*i = home(m, key);
	for (size_t n = 0;; n++, *i = next(m, *i)) {
		const uint64_t there = key_of(at(m, *i));
		if (there == key)
			return 1;
		if (!there || distance(m, *i, there) < n)
			return 0;
	}
}

/* Frees record i: this record and those behind it, up to the next free one, move on by one. */
static void make_way(struct map *m, size_t i)
{
	size_t gap = i;

	while (key_of(at(m, gap)))
		gap = next(m, gap);
	if (gap < i) { /* behind the end of the table, and so at its beginning */
		memmove(at(m, 1), at(m, 0), gap * m->size);
		memcpy(at(m, 0), at(m, m->room - 1), m->size);
		gap = m->room - 1;
	}
	memmove(at(m, i + 1), at(m, i), (gap - i) * m->size);
}

static void grow(struct map *m)
{
	const struct map old = *m;
	size_t to;

	m->room = old.room < SMALL ? 2 * old.room + 16 : old.room + old.room / 8;
	make_records(m);
	for (size_t i = 0; i < old.room; i++) {
		const uint64_t key = key_of(at(&old, i));
		if (!key)
			continue;
		place(m, key, &to);
		make_way(m, to);
		memcpy(at(m, to), at(&old, i), m->size);
	}
	free_records(&old);
}

void *map_find(const struct map *m, uint64_t key)
{
	size_t i;

	return m->room && place(m, key ? key : ZERO, &i) ? at(m, i) : NULL;
}

void *map_at(struct map *m, uint64_t key)
{
	size_t i;

	key = key ? key : ZERO;
	if (m->room && place(m, key, &i))
		return at(m, i);
	if (m->used + 1 > map_most(m->room)) {
		grow(m);
		place(m, key, &i);
	}
	make_way(m, i);
	memset(at(m, i), 0, m->size);
	memcpy(at(m, i), &key, sizeof key);
	m->used++;
	return at(m, i);
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
		const unsigned char *record = at(m, w->i++);
		if (key_of(record))
			return record;
	}
	return NULL;
}
