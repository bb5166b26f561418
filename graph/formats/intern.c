#include "graph/formats/intern.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static size_t find_slot(const struct intern *w, const char *text, size_t n)
{
	size_t i = XXH3_64bits_withSeed(text, n, w->seed) & (w->slots - 1);

	for (; w->slot[i]; i = (i + 1) & (w->slots - 1)) {
		const char *there = w->text.at + w->start[w->slot[i] - 1];
		if (strlen(there) == n && memcmp(there, text, n) == 0)
			break;
	}
	return i;
}

static void rehash(struct intern *w)
{
	free(w->slot);
	w->slots = w->slots ? 2 * w->slots : 1024;
	w->slot = mem_zero(w->slots, sizeof *w->slot);
	/* where the table happens to lie decides who collides, so that no file can */
	w->seed = (uint64_t)(uintptr_t)w->slot;
	for (size_t i = 0; i < w->count; i++) {
		const char *text = w->text.at + w->start[i];
		w->slot[find_slot(w, text, strlen(text))] = (uint32_t)i + 1;
	}
}

uint32_t intern_number(struct intern *w, const char *text, size_t n)
{
	if (2 * w->count >= w->slots)
		rehash(w);
	const size_t slot = find_slot(w, text, n);
	if (!w->slot[slot]) {
		w->start = mem_grow(w->start, &w->room, w->count + 1, sizeof *w->start);
		w->start[w->count++] = w->text.used;
		buf_add(&w->text, text, n);
		buf_byte(&w->text, 0);
		w->slot[slot] = (uint32_t)w->count;
	}
	return w->slot[slot] - 1;
}

void intern_take(struct intern *w, uint32_t *count, char **text, uint64_t **start)
{
	*count = (uint32_t)w->count;
	*text = buf_take(&w->text);
	*start = w->start;
	free(w->slot);
	*w = (struct intern){0};
}

void intern_release(struct intern *w)
{
	free(w->slot);
	free(w->start);
	buf_release(&w->text);
	*w = (struct intern){0};
}
