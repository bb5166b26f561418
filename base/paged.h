/* Memory that may lie in a file: the arrays, tables and lists of a crawl that grow with the number of pages. As long as the process
 * has less memory than its bound, they are ordinary memory. Above the bound they are moved, a chunk of 4 MB after the other and in
 * the order of their addresses, into a file without a name, and stay mapped at the same addresses. The kernel writes what changes
 * to the disk and reads it back when it is needed; chunks are unmapped in turn, so that the resident memory of the process stays
 * below the bound. If nearly all of the bound is used by memory that cannot be moved, the process exceeds the bound, and a message
 * says so once. A chunk that is unmapped remains in the kernel's page cache as long as nothing else needs its room there.
 *
 *	paged_open("crawl", 1 << 30, why);                    the file lies in this folder
 *	array = paged_grow(array, room, 2 * room, sizeof *array);
 *	err = paged_settle(why);                              now and then
 *	paged_free(array, 2 * room, sizeof *array);
 *	paged_close();
 *
 * What lies in the memory, and so all that is computed from it, is the same with and without a bound. The file has no name, so that
 * a process that is killed leaves nothing behind. Its room on the disk is reserved before memory is moved there: on a full disk the
 * memory stays where it is, and paged_settle() returns the error.
 *
 * The bound is for the memory of the whole process, so a process has at most one such file. The thread that calls paged_open() is
 * the owner of the file: only the owner's calls of the functions below move memory into the file. When another thread calls these
 * functions, or when no file is open, they do what those of base/mem.h do. Other threads may read and write paged memory only while
 * the owner waits for them, as the threads of a reranking do. */
#ifndef BASE_PAGED_H
#define BASE_PAGED_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/* Opens the file. `most` is the bound of the process's resident memory, in bytes; what the process allocates otherwise counts.
 * Returns 0; ERR_BUSY if a file is open already; or ERR_FILE if the folder takes no such file, or if the process cannot have the
 * addresses (ulimit -v). */
int paged_open(const char *folder, uint64_t most, struct err_note *why) MUST_USE;

/* Closes the file, if one is open, after all its memory was freed. */
void paged_close(void);

/* Moves memory into the file while the process has too much. A caller that fills memory calls this every few thousand bytes; most
 * calls cost nothing. Returns 0, or ERR_FILE if the file could not take memory since it was opened. */
int paged_settle(struct err_note *why) MUST_USE;

/* Unmaps chunks at once if the process is about to have more than its bound. A caller that reads or writes many megabytes of paged
 * memory, or of a map as below, without a call of paged_settle() calls this after each piece of PAGED_PIECE bytes: a thread that
 * looks, too, may be late. Only a call by the owner counts. */
void paged_trim(void);
#define PAGED_PIECE ((size_t)1 << 20)

/* Says that n bytes from `at` are a map of another file that is only read, such as a database: it is unmapped in turn, too, since
 * it counts as memory of the process. Any thread may call, also when no file is open. Of more than PAGED_MAPS such maps the further
 * ones are not unmapped. A map that is read at random is read from the disk page by page once the process has reached its bound:
 * what the kernel would read around a page would only drive other pages out. */
enum paged_reads { PAGED_IN_ORDER, PAGED_AT_RANDOM };
void paged_map_begins(void *at, size_t n, enum paged_reads);
#define PAGED_MAPS 8

/* Says that such a map is about to end or to move. Any thread may call; nothing happens if it is no such map, or NULL. */
void paged_map_ends(const void *at);

/* The state of the file. */
struct paged_use {
	uint64_t most;    /* the bound; 0: nothing is open */
	uint64_t in_file; /* bytes that lie in the file; 0: the bound was never reached */
};

/* Returns the state of the file. The owner calls. */
struct paged_use paged_use(void);

/* As mem_big(), mem_big_grow() and mem_big_free(). An array of 4 MB or more may lie in the file. */
void *paged_new(size_t n, size_t size) __attribute__((malloc));
void *paged_grow(void *old, size_t had, size_t want, size_t size);
void paged_free(void *array, size_t n, size_t size);

/* Makes room for `need` elements in an array of paged memory, as mem_grow() does. New elements are zero. */
void *paged_need(void *array, size_t *room, size_t need, size_t size);

/* Returns n uninitialised bytes. From 256 bytes on, the address is a multiple of 64. Blocks of a few bytes take no more room than
 * they have; so they suit lists of which there are millions. */
void *paged_block(size_t n) __attribute__((malloc, returns_nonnull));

/* Frees a block of n bytes. NULL is allowed. */
void paged_block_free(void *block, size_t n);

/* As mem_grow(), for an array that is a block of *room * size bytes; a large one grows by a quarter. */
void *paged_block_grow(void *array, size_t *room, size_t need, size_t size);

#endif
