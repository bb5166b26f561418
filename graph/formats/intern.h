/* Numbers distinct texts 0, 1, 2 ... in the order of first occurrence.
 *
 *	struct intern hosts = {0};
 *	n = intern_number(&hosts, "a.test", 6);                   0 */
#ifndef GRAPH_FORMATS_INTERN_H
#define GRAPH_FORMATS_INTERN_H

#include "base/buf.h"

struct intern {
	uint32_t *slot; /* a hash table with open addressing, of numbers + 1 */
	size_t slots;   /* a power of two, at least twice `count` */
	uint64_t seed;
	struct buf text; /* the texts, each with a NUL behind it */
	uint64_t *start; /* start[i]: the position of text i */
	size_t count, room;
};

/* Returns the number of a text of n bytes without NULs; a text that is not known yet gets the next number. */
uint32_t intern_number(struct intern *t, const char *text, size_t n);

/* Hands the texts to the caller, who frees *text and *start with free(): text i is *text + (*start)[i]. */
void intern_take(struct intern *t, uint32_t *count, char **text, uint64_t **start);

/* Frees the memory. A zeroed struct is allowed. */
void intern_release(struct intern *t);

#endif
