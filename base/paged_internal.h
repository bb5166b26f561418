/* The chunks of paged memory (base/paged.c), for the arrays and blocks that lie in them (base/paged_arrays.c, base/paged_blocks.c). */
#ifndef BASE_PAGED_INTERNAL_H
#define BASE_PAGED_INTERNAL_H

#include <stddef.h>

/* The unit in which memory is moved into the file: two huge pages. */
#define CHUNK ((size_t)4 << 20)

/* Returns n zero bytes of paged memory, a run of chunks, to be freed by paged_let_go(), or else by paged_close(); NULL if nothing is open, if the calling thread
 * does not own the file, or if the addresses have come to an end. */
void *paged_run(size_t n);

/* Lengthens a run from `had` bytes to `want`. Returns its new address, or NULL, with nothing changed, if the addresses have come to an end. */
void *paged_lengthen(void *run, size_t had, size_t want);

/* Frees a run. */
void paged_let_go(void *run, size_t bytes);

/* Says whether an address lies in paged memory. */
int paged_has(const void *at);

/* Forgets all blocks, whose memory is freed already. */
void paged_blocks_forget(void);

#endif
