#include "graph/formats/intern.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static size_t find_slot(const struct intern *t, const char *text, size_t n)
{
	size_t i = XXH3_64bits_withSeed(text, n, t->seed) & (t->slots - 1);

	for (; t->slot[i]; i = (i + 1) & (t->slots - 1)) {
		const char *there = t->text.at + t->start[t->slot[i] - 1];
		if (strlen(there) == n && memcmp(there, text, n) == 0)
			break;
	}
	return i;
}

static void rehash(struct intern *t)
{
	free(t->slot);
	t->slots = t->slots ? 2 * t->slots : 1024;
	t->slot = mem_zero(t->slots, sizeof *t->slot);
	/* the seed is the address of the table, so that no file can be made whose texts collide */
	t->seed = (uint64_t)(uintptr_t)t->slot;
	for (size_t i = 0; i < t->count; i++) {
		const char *text = t->text.at + t->start[i];
		t->slot[find_slot(t, text, strlen(text))] = (uint32_t)i + 1;
	}
}

uint32_t intern_number(struct intern *t, const char *text, size_t n)
{
	if (2 * t->count >= t->slots)
		rehash(t);
	const size_t slot = find_slot(t, text, n);
	if (!t->slot[slot]) {
		t->start = mem_grow(t->start, &t->room, t->count + 1, sizeof *t->start);
		t->start[t->count++] = t->text.used;
		buf_add(&t->text, text, n);
		buf_byte(&t->text, 0);
		t->slot[slot] = (uint32_t)t->count;
	}
	return t->slot[slot] - 1;
}

void intern_take(struct intern *t, uint32_t *count, char **text, uint64_t **start)
{
	*count = (uint32_t)t->count;
	*text = buf_take(&t->text);
	*start = t->start;
	free(t->slot);
	*t = (struct intern){0};
}

void intern_release(struct intern *t)
{
	free(t->slot);
	free(t->start);
	buf_release(&t->text);
	*t = (struct intern){0};
}
