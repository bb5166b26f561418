/* Allocation that cannot fail. If memory cannot be had, the program ends at once with one line on
 * stderr and the exit status of ERR_MEMORY: buffered results are not written, and a store keeps its
 * last commit. So no function here returns NULL. A caller must bound a size that came from a file or
 * from the network before it asks for memory of that size. Any thread may call any function.
 *
 *	array = mem_grow(array, &room, n + 1, sizeof *array);
 *	array[n++] = x; */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>
#include <stdlib.h>

/* Ends the program as above. A caller of another library calls this when that library answers "no
 * memory", since the caller would otherwise report the lack of memory as a fault of the input. */
void mem_exhausted(void) __attribute__((noreturn));

/* Returns n * size uninitialised bytes, to be freed with free(). A product beyond SIZE_MAX ends the
 * program as a lack of memory does; so it does in all functions below. */
void *mem_new(size_t n, size_t size) __attribute__((malloc, returns_nonnull));

/* Returns n * size zero bytes, to be freed with free(). */
void *mem_zero(size_t n, size_t size) __attribute__((malloc, returns_nonnull));

/* Resizes an array (or NULL) to n * size bytes as realloc() does, and returns its new address. */
void *mem_resize(void *old, size_t n, size_t size) __attribute__((returns_nonnull));

/* Returns a copy of a text, to be freed with free(). */
char *mem_text(const char *text) __attribute__((malloc, returns_nonnull));

/* Returns a copy of the first n bytes of a text, or of the whole text if it is shorter, with a NUL
 * behind it; to be freed with free(). */
char *mem_part(const char *text, size_t n) __attribute__((malloc, returns_nonnull));

/* Returns a copy of n bytes, to be freed with free(). */
void *mem_copy(const void *bytes, size_t n) __attribute__((malloc, returns_nonnull));

/* Returns the room that an array with room for `room` elements has after mem_grow() has made room for
 * `need` elements: `room`, but at least 8, doubled until it is at least `need`. */
size_t mem_grown(size_t room, size_t need);

/* Makes room for `need` elements of `size` bytes in an array that has room for *room of them (or is
 * NULL): *room is doubled until it is enough. Returns the address of the array, which may have moved.
 * New elements are not initialised. Free the array with free(). */
void *mem_grow(void *array, size_t *room, size_t need, size_t size) __attribute__((returns_nonnull));

/* As mem_new(), but the address is a multiple of 64, the size of a cache line. */
void *mem_lined(size_t n, size_t size) __attribute__((malloc, returns_nonnull));

/* As malloc(), for libraries that let their user replace malloc(). The replacements for calloc(),
 * strdup(), realloc() and free() are mem_zero(), mem_text(), mem_bytes_again() and free(). */
void *mem_bytes(size_t n) __attribute__((malloc, returns_nonnull));

/* As realloc(), for such a library. */
void *mem_bytes_again(void *old, size_t n) __attribute__((returns_nonnull));

/* Returns an array of n * size zero bytes for random access (one element for each page of a crawl or
 * node of a graph). A large array lies on huge pages if the system has them, which saves 20 to 25% of the
 * time there; one of 64 kB or more begins at a page of the system. Free the array with mem_big_free(). */
void *mem_big(size_t n, size_t size) __attribute__((malloc));

/* Frees an array of mem_big() or mem_big_grow(); n and size must be those of its allocation. NULL is
 * allowed. */
void mem_big_free(void *array, size_t n, size_t size);

/* Returns an array of `want` elements: the `had` elements of `old`, then zeros. The function frees
 * `old`, which is NULL if `had` is 0. Where the system can move pages from one address to another, an
 * array of 2 MB or more is not copied, and its pages are never in memory twice. */
void *mem_big_grow(void *old, size_t had, size_t want, size_t size);

/* Declares pointers, which must have their first values there, and frees what they point to by free() at the end of their block,
 * wherever the block is left:
 *
 *	AUTO_FREE char *path = buf_made("%s/index", folder); */
#define AUTO_FREE __attribute__((cleanup(mem_free_at)))

/* Frees what the pointer at this address points to. */
static inline void mem_free_at(void *pointer)
{
	free(*(void **)pointer);
}

/* How a process ends that gets no more memory. The programs end with an exit status (base/mem_end.c);
 * liblycosa, which is a guest in its process, calls abort() (lib/mem_end.c). The linker takes the
 * one that it meets first. */

/* Writes n bytes of a line to stderr, without stdio, whose locks another thread may hold and whose
 * buffers may have no room, and ends the process. Any thread may call. */
void mem_end(const char *line, size_t n) __attribute__((noreturn));

#endif
