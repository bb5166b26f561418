/* Texts become numbers, 0 1 2 ... in the order in which they first appear. */
#ifndef GRAPH_FORMATS_WORDS_H
#define GRAPH_FORMATS_WORDS_H

#include "base/buf.h"

struct words {
	uint32_t *slot; /* an open hash table of numbers + 1 */
	size_t slots;   /* a power of two, twice the words at least */
	uint64_t seed;
	struct buf text; /* each NUL-terminated */
	uint64_t *start;
	size_t count, room;
};

/* The number of a text of n bytes, none of them NUL; a new one where it is not known. */
uint32_t words_number(struct words *w, const char *text, size_t n);

/* The caller's, malloc'd: word i is text + start[i]. */
void words_take(struct words *w, uint32_t *count, char **text, uint64_t **start);

/* Safe on a zeroed struct, which is none. */
void words_release(struct words *w);

#endif
