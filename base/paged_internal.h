/* The chunks of paged memory (base/paged.c), for the arrays and blocks that lie in them (base/paged_arrays.c,
 * base/paged_blocks.c). */
#ifndef BASE_PAGED_INTERNAL_H
#define BASE_PAGED_INTERNAL_H

#include <stddef.h>
#include <stdint.h>

/* The unit in which memory is moved into the file: two huge pages. */
#define CHUNK ((size_t)4 << 20)

/* Returns n zero bytes of paged memory, a run of chunks, to be freed by paged_let_go(), or else by paged_close(); NULL if nothing
 * is open, if the calling thread does not own the file, or if the addresses have come to an end. */
void *paged_run(size_t n);

/* Lengthens a run from `had` bytes to `want`. Returns its new address, or NULL, with nothing changed, if the addresses have come to
 * an end. */
void *paged_lengthen(void *run, size_t had, size_t want);

/* Frees a run. */
void paged_let_go(void *run, size_t bytes);

/* Says whether an address lies in paged memory. */
int paged_has(const void *at);

/* --- the file (base/paged_file.c), in chunks, which are numbered from 0 */

/* Opens it. Returns 0 or an errno. */
int paged_file_open(const char *folder);
void paged_file_close(void);

/* Finds a free chunk, which is zeros, and reserves its room on the disk, so that no later write through the map can fail for lack
 * of it. Returns 0 with *place, or an errno. */
int paged_file_find(uint32_t *place);

/* Writes CHUNK bytes. Returns 0 or an errno. */
int paged_file_write(uint32_t place, const char *bytes);

/* Frees a chunk and its room. Where the file system cannot make it zeros, it is not used again. */
void paged_file_give_back(uint32_t place);

/* Maps a chunk at an address, in the place of what is there. */
void paged_file_map(uint32_t place, void *at);

/* --- the memory of the process, and what of it is unmapped (base/paged_unmap.c) */

struct memory {
	uint64_t resident, ordinary; /* in bytes: all of it, and what is mapped from no file */
};

/* What lies in no file and cannot be moved into one may take most of the bound, or more than all of it. So much of the bound is
 * mapped from files nevertheless, since the process would come to a halt otherwise. */
#define MAPPED(most) ((most) / 8)

/* Prepares for a bound of the resident memory. Returns 0 or an errno. */
int paged_unmap_open(uint64_t most);

/* Ends what was prepared, with its thread. */
void paged_unmap_close(void);

/* As paged_trim(). From the first call on, a thread looks, too, once there was anything to unmap. */
void paged_unmap_settle(void);

/* Returns the memory of the process as it is now. */
struct memory paged_memory(void);

/* The lock under which chunks change what they are. */
void paged_lock(void);
void paged_unlock(void);

/* Under the lock: no chunk from here on was ever taken. */
size_t paged_top(void);

/* Under the lock: unmaps a chunk if it lies in the file, and says so. */
int paged_unmap_chunk(size_t chunk);

/* --- blocks */

/* Forgets all blocks, whose memory is freed already. */
void paged_blocks_forget(void);

#endif
