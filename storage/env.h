/* The file of a store: one LMDB environment with its databases, a snapshot to read from, and
 * commits. The only place that calls LMDB, and that knows its error codes.
 *
 * Invariants:
 *  E1 nothing is written but in env_write(): between two of them no transaction writes, so the map
 *     may move and grow then.
 *  E2 the snapshot is that of the last commit (writer) or of the opening (reader); bytes handed out
 *     are good while `generation` stays what it was.
 *  E3 the trees of the snapshot were checked (storage/lmdb_check.h) before LMDB followed them. */
#ifndef STORAGE_ENV_H
#define STORAGE_ENV_H

#include "storage/lmdb_check.h"
#include "storage/store.h"

enum env_db {
	ENV_META,
	ENV_SETTINGS,
	ENV_HOSTS,
	ENV_PAGES,
	ENV_RESULTS,
	ENV_LINKS,
	ENV_LOG,
	ENV_ROBOTS, /* from format 2 on */
	ENV_DBS
};

struct MDB_env;
struct MDB_txn;

struct bytes {
	const void *at;
	size_t n;
};

struct env {
	struct MDB_env *lmdb;
	struct MDB_txn *snapshot; /* NULL where it was lost: nothing can be read any more */
	unsigned int db[ENV_DBS];
	uint32_t generation;
	size_t map_size;
	int lost; /* there is no map any more */
	char *folder, *path;
	enum store_mode mode;
	unsigned format; /* of the file; 0: not known yet */
};

#define ENV_FORMAT_SUMS                                                                            \
	2 /* from this format on each value but meta's `format` ends with a checksum */

const char *env_db_name(enum env_db);

/* Opens what lies in the folder. STORE_WRITE makes it where it is missing; the folder exists and
 * the writer's lock is held. Checks the format's version before anything else. A store is made whole or
 * not at all: what a full disk left of one that was being made is begun afresh, which is said on stderr. A
 * reader who may not write to LMDB's lock reads without, where nobody writes (else ERR_BUSY).
 *
 * ERR_FILE: no store, or the disk; ERR_DAMAGED; ERR_NEWER; ERR_BUSY; ERR_MEMORY. */
int env_open(struct env *, const char *folder, enum store_mode, struct err_note *why) MUST_USE;
void env_close(struct env *);

/* Whether a value's checksum is compared: once an opening is enough, as what was committed stays. */
enum env_check { ENV_UNCHECKED, ENV_CHECKED };

/* The value of a key: 1, 0, or an error; ERR_DAMAGED where its checksum is wrong. The bytes are good while
 * `generation` stays what it is. */
int env_get(struct env *, enum env_db, struct bytes key, enum env_check, struct bytes *value,
	struct err_note *why) MUST_USE;

/* Calls `each` for all records in the order of their keys until it returns other than 0, which is
 * returned. */
typedef int env_each(void *ctx, struct bytes key, struct bytes value, struct err_note *why);
int env_walk(struct env *, enum env_db, enum env_check, env_each *each, void *ctx,
	struct err_note *why) MUST_USE;

/* One commit: `fill` puts all of it, by env_put(). Where the map is too small it grows and `fill`
 * is called again. `bytes`: about how much that is. When it returns 0 a power failure takes
 * nothing of it. After an error the store is as it was before. ERR_FILE, also where the file is not in its
 * folder any more; ERR_TOO_BIG, ERR_DAMAGED, ERR_MEMORY. */
struct env_batch;
typedef int env_fill(void *ctx, struct env_batch *);
int env_write(struct env *, size_t bytes, env_fill *fill, void *ctx, struct err_note *why) MUST_USE;

enum env_place { ENV_ANYWHERE, ENV_AT_END /* a new key, greater than all */ };

/* Puts a value of two parts. Other than 0: `fill` gives up and returns it. */
int env_put(struct env_batch *, enum env_db, struct bytes key, struct bytes part, struct bytes rest,
	enum env_place) MUST_USE;

/* Removes a key, if it is there. As env_put(). */
int env_drop(struct env_batch *, enum env_db, struct bytes key) MUST_USE;

/* Checks all trees of the snapshot once more, and the heads of all values. ERR_DAMAGED tells the
 * first thing wrong. */
int env_verify(struct env *, struct err_note *why) MUST_USE;

#endif
