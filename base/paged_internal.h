/* The chunks of paged memory (base/paged.c), for the arrays and blocks that lie in them (base/paged_arrays.c, base/paged_blocks.c). */
#ifndef BASE_PAGED_INTERNAL_H
#define BASE_PAGED_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

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

/* --- the file (base/paged_file.c), in chunks, which are numbered from 0 */

/* Opens it. Returns 0 or an errno. */
int paged_file_open(const char *folder);
void paged_file_close(void);

/* Finds a free chunk, which is zeros, and reserves its room on the disk, so that no later write through the map can fail for lack of
 * it. Returns 0 with *place, or an errno. */
int paged_file_find(uint32_t *place);

/* Writes CHUNK bytes. Returns 0 or an errno. */
int paged_file_write(uint32_t place, const char *bytes);

/* Frees a chunk and its room. Where the file system cannot make it zeros, it is not used again. */
void paged_file_give_back(uint32_t place);

/* Maps a chunk at an address, in the place of what is there. */
void paged_file_map(uint32_t place, void *at);

/* --- blocks */

/* Forgets all blocks, whose memory is freed already. */
void paged_blocks_forget(void);

#endif
