#include "base/map.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

/* what key 0, the mark of a free record, is kept as */
#define ZERO 0x9e3779b97f4a7c15u

void map_init(struct map *m, size_t record_size)
{
	*m = (struct map){.size = record_size};
}

void map_release(struct map *m)
{
	free(m->record);
	map_init(m, m->size);
}

static uint64_t key_of(const unsigned char *record)
{
	uint64_t key;

	memcpy(&key, record, sizeof key);
	return key;
}

/* Where the key is, or would be. */
static unsigned char *place(const struct map *m, uint64_t key)
{
	size_t i = (size_t)((key * ZERO) >> 32) & (m->room - 1);

	for (;; i = (i + 1) & (m->room - 1)) {
		unsigned char *record = m->record + i * m->size;
		const uint64_t there = key_of(record);
		if (there == key || there == 0)
			return record;
	}
}

static void grow(struct map *m)
{
	const struct map old = *m;

	m->room = old.room ? 2 * old.room : 16;
	m->record = mem_zero(m->room, m->size);
	for (size_t i = 0; i < old.room; i++) {
		const unsigned char *record = old.record + i * m->size;
		if (key_of(record))
			memcpy(place(m, key_of(record)), record, m->size);
	}
	free(old.record);
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
	if (3 * (m->used + 1) > 2 * m->room)
		grow(m);
	unsigned char *record = place(m, key);
	if (!key_of(record)) {
		memcpy(record, &key, sizeof key);
		m->used++;
	}
	return record;
}
