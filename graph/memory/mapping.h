/* A file seen as memory. Whoever shortens the file meanwhile kills the reader (SIGBUS). */
#ifndef GRAPH_MEMORY_MAPPING_H
#define GRAPH_MEMORY_MAPPING_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/* Bytes beyond the end that can be read as well (as zeros, mostly). */
#define MAPPING_BEYOND 64

struct mapping {
	const uint8_t *at; /* NULL: none */
	size_t size;       /* bytes of the file */
	size_t reserved;
};

/* ERR_FILE with the path in the note. */
int mapping_open(struct mapping *m, const char *path, struct err_note *why) MUST_USE;

/* Likewise of an open file, which can be closed then; `what` is for the note. */
int mapping_take(struct mapping *m, int fd, const char *what, struct err_note *why) MUST_USE;

/* Safe on a zeroed struct. */
void mapping_close(struct mapping *m);

/* Says that these bytes of a mapped file are not needed soon: they leave the memory. Never of other
 * memory, which would lose what is in it. */
void mapping_drop(const void *begin, const void *end);

/* Asks for large pages under an array that is about to be filled: a hint, worth a third of the time
 * where the filling is quick. */
void mapping_prefer_large(void *array, size_t bytes);

#endif
