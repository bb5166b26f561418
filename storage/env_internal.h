/* Declarations that env.c (reading and writing) and env_open.c (opening and creating) share; no other file
 * includes this header. */
#ifndef STORAGE_ENV_INTERNAL_H
#define STORAGE_ENV_INTERNAL_H

#include "storage/env.h"

#include <lmdb.h>

#define ENV_MAP_SPARE ((size_t)16 << 20) /* bytes of address space beyond the estimate for a commit */

struct env_batch {
	struct env *env;
	MDB_txn *txn;
	int code; /* LMDB's code of the put that failed; 0 if none did */
};

/* Rounds a size up to a size that a memory map may have. */
size_t env_round_map(size_t bytes);

/* Translates a code of LMDB or an errno into an `enum err` with a note. `doing` is the verb of the message:
 * "open", "read", "write" or "make". */
int env_translate(const struct env *, int code, const char *doing, struct err_note *why);

/* Finds where the file is mapped, and says so to what bounds the memory of the process (base/paged.h). */
void env_know_map(struct env *);

/* Begins a new snapshot. If another process has made the file larger than the memory map, the map grows. */
int env_begin_snapshot(struct env *, struct err_note *why) MUST_USE;

#endif
