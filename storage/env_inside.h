/* What env.c, which reads and writes, and env_open.c, which opens and makes, share; for nobody else. */
#ifndef STORAGE_ENV_INSIDE_H
#define STORAGE_ENV_INSIDE_H

#include "storage/env.h"

#include <lmdb.h>

#define ENV_MAP_SPARE ((size_t)16 << 20) /* address space beyond what a commit is thought to need */

struct env_batch {
	struct env *env;
	MDB_txn *txn;
	int code; /* LMDB's, of the put that failed */
};

size_t env_round_map(size_t bytes);

/* Turns a code of LMDB's, or an errno, into an error and its note; `doing` is "open", "read", "write" or
 * "make". */
int env_translate(const struct env *, int code, const char *doing, struct err_note *why);

/* Takes a snapshot to read from; the map grows where another process made the file grow. */
int env_begin_snapshot(struct env *, struct err_note *why) MUST_USE;

#endif
