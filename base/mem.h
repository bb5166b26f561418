/* Memory that cannot be had ends the program: one line on stderr, and the exit status of ERR_MEMORY.
 * Nothing here returns NULL, no buffered result is written any more, and a store is left as kill -9
 * leaves it: with its last commit. A size that came from a file or the network is capped before it
 * gets here. */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>

/* Ends the program as above. For the calls of other libraries that answer "no memory": any other
 * answer of theirs may be taken for a property of the input. Any thread may call. */
void mem_exhausted(void) __attribute__((noreturn));

/* n * size bytes; n * size must not overflow (aborts). Free with free(). mem_zero() zeroes. */
void *mem_new(size_t n, size_t size) __attribute__((malloc, returns_nonnull));
void *mem_zero(size_t n, size_t size) __attribute__((malloc, returns_nonnull));
void *mem_resize(void *old, size_t n, size_t size) __attribute__((returns_nonnull));
char *mem_text(const char *text) __attribute__((malloc, returns_nonnull));
/* The first n bytes of a text, or all of one that is shorter, as a text. */
char *mem_part(const char *text, size_t n) __attribute__((malloc, returns_nonnull));
void *mem_copy(const void *bytes, size_t n) __attribute__((malloc, returns_nonnull));

/* The room that an array with room for `room` elements has after mem_grow() has made room for `need`: doubled
 * until they fit, at least 8. */
size_t mem_grown(size_t room, size_t need);

/* Room for `need` elements in an array that holds *room of them: doubles *room until it fits and
 * returns the (moved) array. New elements are not initialised. */
void *mem_grow(void *array, size_t *room, size_t need, size_t size)
	__attribute__((returns_nonnull));

/* As mem_new(), beginning with a cache line (64 bytes). */
void *mem_lined(size_t n, size_t size) __attribute__((malloc, returns_nonnull));

/* malloc() and realloc() for libraries that can be given their own; with mem_zero(), mem_text() and
 * free() they are a set. */
void *mem_bytes(size_t n) __attribute__((malloc, returns_nonnull));
void *mem_bytes_again(void *old, size_t n) __attribute__((returns_nonnull));

/* Large arrays that are walked at random (a page a node): zeroed, and on huge pages where the
 * system has them, worth 20 to 25% there. Free with mem_big_free(), same n and size. */
void *mem_big(size_t n, size_t size) __attribute__((malloc));
void mem_big_free(void *array, size_t n, size_t size);
/* A larger one with the first `had` of `want` elements copied; the old one is freed (NULL where had is 0). */
void *mem_big_grow(void *old, size_t had, size_t want, size_t size);

#endif
