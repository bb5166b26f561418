/* The file of a store: one LMDB environment with its databases, a snapshot to read from, and commits. Only
 * env.c calls LMDB and knows its error codes. One thread uses an environment.
 *
 *	env_open(&e, "folder", STORE_WRITE, why);
 *	if (env_get(&e, ENV_META, key, &value, why) == 1) ...
 *	env_write(&e, 4096, fill, ctx, why);                 fill(ctx, batch) calls env_put(batch, ...)
 *	env_close(&e);
 *
 * Invariants:
 *  E1 a transaction that writes exists only during env_write(), so the memory map may move and grow at
 *     any other time.
 *  E2 the snapshot is that of the last commit (for a writer), or of the opening or of the first reading after
 *     env_let_go() (for a reader). Bytes that a call returned are valid as long as `generation` does not change.
 *  E3 the trees of the first snapshot have been checked (storage/lmdb_check.h) before LMDB follows them; LMDB itself
 *     has made those of later snapshots from them.
 *  E4 nothing is committed after a value could not be read: see env_unread(). */
#ifndef STORAGE_ENV_H
#define STORAGE_ENV_H

#include "storage/lmdb_check.h"
#include "storage/store.h"

#include <stddef.h>

enum env_db {
	ENV_META,
	ENV_SETTINGS,
	ENV_HOSTS,
	ENV_PAGES,
	ENV_RESULTS,
	ENV_LINKS,
	ENV_LOG,
	ENV_ROBOTS, /* from format 2 on */
	ENV_VISITS, /* from format 4 on */
	ENV_DBS
};

struct MDB_env;
struct MDB_txn;

struct bytes {
	const void *at;
	size_t n;
};

/* Where the system has mapped LMDB's file, and how to unmap what was read of it.
 *
 * Each page of the file that is read through the map, and its neighbours in the page cache, become resident memory of this process;
 * in the end this is the whole file. env_map_let_go() removes these pages from the process. They remain in the kernel's page cache,
 * and a later read finds them at the same addresses.
 *
 *	struct env_map m = {0};
 *	env_map_find(&m, fd);                   after LMDB has mapped the file
 *	env_map_let_go(&m); */
struct env_map {
	void *at; /* NULL: it has not been looked for, or cannot be found */
	size_t size;
};

struct env {
	struct MDB_env *lmdb;
	struct MDB_txn *snapshot; /* NULL if it could not be renewed; then nothing can be read any more */
	unsigned int db[ENV_DBS];
	uint32_t generation;
	size_t map_size;
	struct env_map map; /* at NULL: it is to be looked for */
	unsigned all_reads; /* of any value */
	unsigned reads;     /* of large values since the map was let go the last time */
	int64_t let_go_at;  /* when that was, in ns of clock_ns() */
	int lost;           /* the memory map is gone: growing it has failed */
	int let_go;         /* 1: the snapshot is not held; the next call that reads takes a new one */
	int unread;         /* the last error of a call that read, or 0 */
	int is_suspect;     /* the store was opened as STORE_SUSPECT */
	struct err_note unread_why;
	char *folder, *path;
	enum store_mode mode;
	unsigned format; /* of the file; 0: not known yet */
};

/* From this format on each value but meta's `format` ends with a checksum, and a writer opens the store. */
#define ENV_FORMAT_SUMS 2

/* From this format on there are later visits of pages (storage/visits.h). */
#define ENV_FORMAT_VISITS 4

/* From this format on records of links have runs of new pages (storage/links.c). */
#define ENV_FORMAT_RUNS 5

/* Returns the name of a database, for messages. */
const char *env_db_name(enum env_db);

/* Returns what the records of a database are, as "links of pages", for messages. */
const char *env_db_holds(enum env_db);

/* Makes messages name another folder than the one that was opened. */
void env_call(struct env *, const char *folder);

/* Opens the environment in a folder, which must exist. STORE_WRITE creates the environment if it is missing;
 * the caller holds the writer's lock (storage/lock.h). The format's version is checked before anything else.
 * Creation is atomic: if a full disk has interrupted an earlier one, the function says so on stderr and
 * creates the environment anew. A reader who may not write to LMDB's lock file reads without it, but only
 * while no process writes.
 *
 * Errors: ERR_FILE (there is no store, or the disk fails), ERR_DAMAGED, ERR_NEWER, ERR_BUSY (this process has
 * the store open, or a writer prevents reading without the lock file), ERR_MEMORY (no address space). */
int env_open(struct env *, const char *folder, enum store_mode, struct err_note *why) MUST_USE;

/* Closes the environment. All bytes that it has returned become invalid. */
void env_close(struct env *);

/* Gives up a reader's snapshot until the next call that reads, which takes one of the last commit. All bytes that
 * calls have returned become invalid. */
void env_let_go(struct env *);

/* Remembers that a value could not be read, for which the caller may have no way to fail: from then on env_write() fails with the
 * last such error and its note. Returns the error. */
int env_unread(struct env *, int error, const struct err_note *note, struct err_note *why) MUST_USE;

/* Looks up a key, and verifies the checksum of its value. Returns 1 with the *value, which is valid as long as `generation` does
 * not change; 0 if there is no such key, or the store's format does not have the database; ERR_DAMAGED if the checksum is wrong; or
 * ERR_FILE. */
int env_get(struct env *, enum env_db, struct bytes key, struct bytes *value, struct err_note *why) MUST_USE;

/* Looks up a key whose value this process has verified before: committed values do not change. */
int env_get_again(struct env *, enum env_db, struct bytes key, struct bytes *value, struct err_note *why) MUST_USE;

/* Returns a hash of a key of a database. */
uint64_t env_hash(enum env_db, struct bytes key);

/* Says whether a value with its checksum behind it, as it lies in a file of format 2 or later, belongs to a key of a database. The
 * value `format` has no checksum, and fits if it is a number. */
int env_fits(enum env_db, struct bytes key, struct bytes value_and_sum);

/* Receives one record. Returns 0 to continue. */
typedef int env_each(void *ctx, struct bytes key, struct bytes value, struct err_note *why);

/* Calls `each` for every record of a database in the order of keys, until a call returns a value other than
 * 0. Returns that value, or 0, or an error as env_get() does. */
int env_walk(struct env *, enum env_db, env_each *each, void *ctx, struct err_note *why) MUST_USE;

/* Calls `each` in the same way with the keys, and with values that have no bytes, but the number of bytes that they should have. */
int env_walk_keys(struct env *, enum env_db, env_each *each, void *ctx, struct err_note *why) MUST_USE;

/* A commit that is being put together. */
struct env_batch;

/* Puts all records of a commit into the batch, by env_put() and env_drop(), and returns 0, or the first other
 * value that one of these returned. The function may be called twice for one commit. */
typedef int env_fill(void *ctx, struct env_batch *);

/* Makes one commit of the records that `fill` puts. `bytes` is an estimate of their size; if the memory map
 * is too small after all, the map grows and `fill` is called again. When the function returns 0, neither a
 * crash nor a power failure undoes the commit. After an error the store is unchanged. Errors: ERR_FILE (the
 * disk fails or is full, or the file has been removed from its folder), ERR_TOO_BIG, ERR_DAMAGED,
 * ERR_MEMORY, and that of env_unread(). */
int env_write(struct env *, size_t bytes, env_fill *fill, void *ctx, struct err_note *why) MUST_USE;

enum env_place {
	ENV_ANYWHERE,
	ENV_AT_END /* the key is new and greater than all others, which saves the search */
};

/* Puts one record, whose value is `part` followed by `rest`, in place of an earlier one with the same key.
 * Returns 0; any other value is private to env.c, and `fill` must return it at once. */
int env_put(struct env_batch *, enum env_db, struct bytes key, struct bytes part, struct bytes rest, enum env_place) MUST_USE;

/* Puts the number of this program's format. A store of format 2 to 5 needs no other change than the count of its records of links:
 * it is a store of format 6 that has nothing of what the later formats add. Returns as env_put() does. */
int env_put_format(struct env_batch *) MUST_USE;

/* Removes a record if there is one. Returns as env_put() does. */
int env_drop(struct env_batch *, enum env_db, struct bytes key) MUST_USE;

/* Writes a copy of the environment to an empty file: the last commit, without pages that nobody uses. Returns 0, ERR_FILE or
 * ERR_DAMAGED. */
int env_copy(struct env *, int fd, struct err_note *why) MUST_USE;

/* Checks all trees of the snapshot again, with the first page of every large value, and that every page of
 * the file is either in use or on the list of free pages. Returns 0, ERR_DAMAGED with a note on the first
 * defect, or ERR_FILE. If another process has committed so often that the file no longer has the snapshot's
 * head, the function returns 0 without checking. */
int env_verify(struct env *, struct err_note *why) MUST_USE;

/* Finds the shared read-only map of a file in /proc/self/maps. m->at is NULL if there is none, or no such file. */
void env_map_find(struct env_map *, int fd);

/* Takes the pages of the map out of the memory of this process. Addresses into the map stay valid. */
void env_map_let_go(const struct env_map *);

#endif
