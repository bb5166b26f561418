#include "storage/env.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/paged.h"
#include "storage/env_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define MAP_STEP      ((size_t)1 << 20)
#define MAP_DOUBLINGS 30

/* The map of a process whose memory has no bound, or that has reached it, is let go after READS_MOST large values were read, or at
 * the next one if LET_GO_NS ns have passed since it was let go last. So only a few MB of the file count as memory of this process.
 * A crawl below its bound keeps the map: to map a page again takes as long as looking for two URLs, and base/paged.h unmaps pages
 * in turn near the bound. */
#define READS_MOST  256
#define LET_GO_NS   100000000
#define LARGE_VALUE 4096

/* Reads between two looks at the bound of the memory: each may map 64 KB, and a look takes a microsecond. */
#define READS_UNBOUNDED 32

static const char *const names[ENV_DBS] = {"meta", "settings", "hosts", "pages", "results", "links", "log", "robots", "visits"};

const char *env_db_name(enum env_db db)
{
	return names[db];
}

int env_translate(const struct env *e, int code, const char *doing, struct err_note *why)
{
	switch (code) {
	case ENOMEM:
		return err_set(why, ERR_MEMORY, "cannot %s '%s': out of memory", doing, e->folder);
	case EIO: /* in a write, LMDB also returns this code for a short write */
		if (strcmp(doing, "write") != 0 && strcmp(doing, "make") != 0)
			return err_set(why, ERR_FILE,
				"cannot %s '%s': the disk cannot be read: it fails, or is gone; the store itself may be whole",
				doing, e->folder);
		/* fall through */
	case ENOSPC:
	case EDQUOT:
	case EFBIG:
		return err_set(why, ERR_FILE, "cannot %s '%s': %s; the last commit is intact: see to the disk, %s", doing,
			e->folder, code == EIO ? "the disk is full or fails" : ascii_error(code), "make room, try again");
	case MDB_CORRUPTED:
	case MDB_PAGE_NOTFOUND:
	case MDB_INVALID:
	case MDB_INCOMPATIBLE:
	case MDB_NOTFOUND:
	case MDB_KEYEXIST:
	case MDB_BAD_VALSIZE:
	case MDB_CURSOR_FULL:
		return err_set(why, ERR_DAMAGED, "cannot %s '%s': %s", doing, e->folder, mdb_strerror(code));
	case MDB_VERSION_MISMATCH:
		return err_set(why, ERR_NEWER, "cannot %s '%s': %s", doing, e->folder, mdb_strerror(code));
	case MDB_READERS_FULL:
		return err_set(why, ERR_BUSY, "cannot %s '%s': too many readers", doing, e->folder);
	case MDB_TXN_FULL:
		return err_set(why, ERR_TOO_BIG, "cannot %s '%s': too much for one commit", doing, e->folder);
	default:
		return err_set(why, ERR_FILE, "cannot %s '%s': %s", doing, e->folder,
			code > 0 ? ascii_error(code) : mdb_strerror(code));
	}
}

size_t env_round_map(size_t bytes)
{
	return (bytes + MAP_STEP - 1) / MAP_STEP * MAP_STEP;
}

void env_know_map(struct env *e)
{
	int fd;

	if (mdb_env_get_fd(e->lmdb, &fd))
		return;
	env_map_find(&e->map, fd);
	if (e->map.at)
		paged_map_begins(e->map.at, e->map.size, PAGED_AT_RANDOM);
}

int env_begin_snapshot(struct env *e, struct err_note *why)
{
	int code;

	while ((code = mdb_txn_begin(e->lmdb, NULL, MDB_RDONLY, &e->snapshot)) == MDB_MAP_RESIZED) {
		env_map_forget(&e->map);
		code = mdb_env_set_mapsize(e->lmdb, 0);
		if (code)
			break;
		env_know_map(e);
	}
	if (code) {
		e->snapshot = NULL;
		return env_translate(e, code, "read", why);
	}
	e->generation++;
	return 0;
}

static MDB_val val(struct bytes b)
{
	/* LMDB does not write through it */
	return (MDB_val){b.n, (void *)(uintptr_t)b.at};
}

static int lost(const struct env *e, struct err_note *why)
{
	return err_set(why, ERR_FILE, "'%s' cannot be read any more: no address space", e->folder);
}

void env_let_go(struct env *e)
{
	if (!e->snapshot)
		return;
	/* by a commit, which leaves the databases open to the next snapshot */
	e->let_go = mdb_txn_commit(e->snapshot) == 0;
	e->snapshot = NULL;
	e->generation++;
}

/* Takes a new snapshot if the last one was let go. Returns 0 or an error. */
static int hold(struct env *e, struct err_note *why)
{
	if (!e->let_go)
		return e->snapshot ? 0 : lost(e, why);
	e->let_go = 0;
	return env_begin_snapshot(e, why);
}

/* --- checksums */

/* Bytes of the checksum behind each value. */
static size_t sum_bytes(const struct env *e)
{
	return e->format >= ENV_FORMAT_SUMS ? sizeof(uint64_t) : 0;
}

/* Returns the XXH3 of a value, with a seed made of its database and its key, so that a value which stands under another's key is
 * detected, too. */
static uint64_t sum_of(enum env_db db, struct bytes key, const void *value, size_t n)
{
	return XXH3_64bits_withSeed(value, n, XXH3_64bits_withSeed(key.at, key.n, (uint64_t)db + 1));
}

/* Removes the checksum from the end of a value. Returns 0; or ERR_DAMAGED if the value is shorter than a checksum, or, with
 * ENV_CHECKED, if the checksum is wrong. */
static int take_sum(const struct env *e, enum env_db db, struct bytes key, enum env_check check, struct bytes *value,
	struct err_note *why)
{
	const size_t n = sum_bytes(e);
	uint64_t said;

	if (n == 0)
		return 0;
	if (value->n < n)
		return err_set(why, ERR_DAMAGED, "'%s' is damaged: database '%s' has a value without a checksum", e->path,
			names[db]);
	value->n -= n;
	if (check == ENV_UNCHECKED)
		return 0;
	memcpy(&said, (const char *)value->at + value->n, n);
	if (le64toh(said) != sum_of(db, key, value->at, value->n))
		return err_set(why, ERR_DAMAGED, "'%s' is damaged: database '%s' has a value whose checksum is wrong", e->path,
			names[db]);
	return 0;
}

/* --- reading */

/* Says whether the process has a bound of its memory, and is far enough from it that none of its own lies in a file. */
static int keeps_map(void)
{
	const struct paged_use use = paged_use();

	return use.most && !use.in_file;
}

/* Counts the read of a value, and lets the map go if it is time to. */
static void count_read(struct env *e, size_t n)
{
	if (++e->all_reads % READS_UNBOUNDED == 0)
		paged_trim();
	if (n < LARGE_VALUE || keeps_map())
		return;
	const int64_t now = clock_ns();
	if (++e->reads < READS_MOST && now - e->let_go_at < LET_GO_NS)
		return;
	env_map_let_go(&e->map);
	e->reads = 0;
	e->let_go_at = now;
}

int env_unread(struct env *e, int error, const struct err_note *note, struct err_note *why)
{
	e->unread = error;
	e->unread_why = *note;
	if (why)
		*why = *note;
	return error;
}

static int look_up(struct env *e, enum env_db db, struct bytes key, enum env_check check, struct bytes *value, struct err_note *why)
{
	MDB_val k = val(key), v;

	int held = hold(e, why);
	if (held)
		return held;
	int code = mdb_get(e->snapshot, e->db[db], &k, &v);
	if (code == MDB_NOTFOUND)
		return 0;
	if (code)
		return env_translate(e, code, "read", why);
	*value = (struct bytes){v.mv_data, v.mv_size};
	count_read(e, value->n);
	int status = take_sum(e, db, key, check, value, why);
	return status ? status : 1;
}

int env_get(struct env *e, enum env_db db, struct bytes key, enum env_check check, struct bytes *value, struct err_note *why)
{
	struct err_note note;
	const int got = look_up(e, db, key, check, value, &note);

	return got < 0 ? env_unread(e, got, &note, why) : got;
}

int env_walk(struct env *e, enum env_db db, enum env_check check, env_each *each, void *ctx, struct err_note *why)
{
	MDB_cursor *cursor;
	MDB_val k, v;
	int status = hold(e, why);

	if (status)
		return status;
	int code = mdb_cursor_open(e->snapshot, e->db[db], &cursor);
	if (code)
		return env_translate(e, code, "read", why);
	while (status == 0 && (code = mdb_cursor_get(cursor, &k, &v, MDB_NEXT)) == 0) {
		const struct bytes key = {k.mv_data, k.mv_size};
		struct bytes value = {v.mv_data, v.mv_size};
		count_read(e, value.n);
		status = take_sum(e, db, key, check, &value, why);
		if (status == 0)
			status = each(ctx, key, value, why);
	}
	mdb_cursor_close(cursor);
	if (code && code != MDB_NOTFOUND)
		return env_translate(e, code, "read", why);
	return status;
}

/* --- writing */

/* Says whether a key is that of the format's number, which every version can read. */
static int is_format(enum env_db db, struct bytes key)
{
	return db == ENV_META && key.n == 6 && memcmp(key.at, "format", 6) == 0;
}

int env_put(struct env_batch *batch, enum env_db db, struct bytes key, struct bytes part, struct bytes rest, enum env_place place)
{
	const size_t n = part.n + rest.n, sum = is_format(db, key) ? 0 : sum_bytes(batch->env);
	MDB_val k = val(key), v = {n + sum, NULL};
	unsigned flags = MDB_RESERVE | (place == ENV_AT_END ? MDB_APPEND : 0);

	batch->code = mdb_put(batch->txn, batch->env->db[db], &k, &v, flags);
	if (batch->code)
		return -1;
	char *to = v.mv_data;
	if (part.n)
		memcpy(to, part.at, part.n);
	if (rest.n)
		memcpy(to + part.n, rest.at, rest.n);
	if (sum) {
		const uint64_t said = htole64(sum_of(db, key, to, n));
		memcpy(to + n, &said, sum);
	}
	return 0;
}

int env_drop(struct env_batch *batch, enum env_db db, struct bytes key)
{
	MDB_val k = val(key);

	batch->code = mdb_del(batch->txn, batch->env->db[db], &k, NULL);
	if (batch->code == MDB_NOTFOUND)
		batch->code = 0;
	return batch->code ? -1 : 0;
}

/* Says whether the address space has room for a map of this size. LMDB unmaps the old map before it makes the new one, so after
 * a failure there would be none. */
static int can_map(size_t size)
{
	void *p = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		return 0;
	munmap(p, size);
	return 1;
}

/* Enlarges the map for `more` bytes. No transaction may be open. */
static int grow(struct env *e, size_t more)
{
	MDB_envinfo info;
	MDB_stat stat;

	mdb_env_info(e->lmdb, &info);
	mdb_env_stat(e->lmdb, &stat);
	size_t need = (info.me_last_pgno + 1) * stat.ms_psize + more + ENV_MAP_SPARE;
	if (need <= e->map_size)
		return 0;
	size_t size = env_round_map(need > e->map_size * 2 ? need : e->map_size * 2);
	if (!can_map(size))
		return ENOMEM;
	env_map_forget(&e->map);
	int code = mdb_env_set_mapsize(e->lmdb, size);
	if (code) /* LMDB has unmapped the old map and could not make the new one */
		e->lost = 1;
	else {
		e->map_size = size;
		env_know_map(e);
	}
	return code;
}

static int write_once(struct env *e, size_t more, env_fill *fill, void *ctx)
{
	struct env_batch batch = {.env = e};

	int code = grow(e, more);
	if (code == 0)
		code = mdb_txn_begin(e->lmdb, NULL, 0, &batch.txn);
	if (code)
		return code;
	if (e->format < ENV_FORMAT_VISITS) /* a store of an older format lacks this database */
		batch.code = mdb_dbi_open(batch.txn, names[ENV_VISITS], MDB_CREATE, &e->db[ENV_VISITS]);
	if (batch.code || fill(ctx, &batch)) {
		mdb_txn_abort(batch.txn);
		return batch.code;
	}
	return mdb_txn_commit(batch.txn);
}

/* Takes a snapshot of what is committed now. */
static int renew_snapshot(struct env *e, struct err_note *why)
{
	e->generation++;
	if (!e->snapshot && !e->lost)
		return env_begin_snapshot(e, why);
	int code = e->lost ? ENOMEM : mdb_txn_renew(e->snapshot);
	if (code) {
		mdb_txn_abort(e->snapshot);
		e->snapshot = NULL;
		return env_translate(e, code, "read", why);
	}
	return 0;
}

/* Checks that the store's file is still the open one: if it was moved or removed, LMDB would write into a file without a name.
 * Returns 0 or ERR_FILE. */
static int check_place(const struct env *e, struct err_note *why)
{
	struct stat here, open;
	int fd;

	if (mdb_env_get_fd(e->lmdb, &fd) == 0 && fstat(fd, &open) == 0 && stat(e->path, &here) == 0 && here.st_ino == open.st_ino &&
		here.st_dev == open.st_dev)
		return 0;
	return err_set(why, ERR_FILE,
		"'%s' is gone: it was removed, moved or replaced while it was written to; nothing more can be kept there", e->path);
}

int env_write(struct env *e, size_t bytes, env_fill *fill, void *ctx, struct err_note *why)
{
	size_t more = bytes * 2;
	int code = MDB_MAP_FULL;

	if (e->lost)
		return lost(e, why);
	if (e->unread)
		return env_unread(e, e->unread, &e->unread_why, why);
	int status = check_place(e, why);
	if (status)
		return status;
	/* pages freed by the last commits can be used again only when no snapshot has them */
	if (e->snapshot)
		mdb_txn_reset(e->snapshot);
	for (int i = 0; i < MAP_DOUBLINGS && code == MDB_MAP_FULL; i++, more = more * 2 + ENV_MAP_SPARE)
		code = write_once(e, more, fill, ctx);
	status = code ? env_translate(e, code, "write", why) : 0;
	int again = renew_snapshot(e, status ? NULL : why);
	return status ? status : again;
}

int env_copy(struct env *e, int fd, struct err_note *why)
{
	const int code = mdb_env_copyfd2(e->lmdb, fd, MDB_CP_COMPACT);

	return code ? env_translate(e, code, "write", why) : 0;
}

int env_verify(struct env *e, struct err_note *why)
{
	struct lmdb_check b = {0};

	int fd, status = hold(e, why);
	if (status)
		return status;
	mdb_env_get_fd(e->lmdb, &fd);
	status = lmdb_check_open(&b, fd, e->path, mdb_txn_id(e->snapshot), why);
	if (status == 0)
		status = lmdb_check_main(&b, why);
	for (size_t i = 0; i < b.trees && status == 0; i++)
		status = lmdb_check_named(&b, i, why);
	if (status == 0)
		status = lmdb_check_free_list(&b, why);
	if (status == 0)
		status = lmdb_check_all_taken(&b, why);
	lmdb_check_close(&b);
	/* a live writer has overwritten the head meanwhile; then the check at the opening is the only one possible */
	return status == 1 ? 0 : status;
}
