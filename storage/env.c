#include "storage/env.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/num.h"

#include <errno.h>
#include <fcntl.h>
#include <lmdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Address space beyond what a commit is thought to need. */
#define MAP_SPARE     ((size_t)16 << 20)
#define MAP_STEP      ((size_t)1 << 20)
#define MAP_DOUBLINGS 30

static const char *const names[ENV_DBS] = {
	"meta", "settings", "hosts", "pages", "results", "links", "log"};

struct env_batch {
	struct env *env;
	MDB_txn *txn;
	int code; /* LMDB's, of the put that failed */
};

const char *env_db_name(enum env_db db)
{
	return names[db];
}

static int translate(const struct env *e, int code, const char *doing, struct err_note *why)
{
	switch (code) {
	case ENOMEM:
		return err_set(why, ERR_MEMORY, "cannot %s '%s': out of memory", doing, e->folder);
	case EIO: /* also LMDB's word for a write that came short */
	case ENOSPC:
	case EDQUOT:
	case EFBIG:
		return err_set(why, ERR_FILE,
			"cannot %s '%s': %s; the last commit is intact: see to the disk, %s", doing,
			e->folder, code == EIO ? "the disk is full or fails" : strerror(code),
			"make room, try again");
	case MDB_CORRUPTED:
	case MDB_PAGE_NOTFOUND:
	case MDB_INVALID:
	case MDB_VERSION_MISMATCH:
	case MDB_INCOMPATIBLE:
	case MDB_NOTFOUND:
	case MDB_KEYEXIST:
	case MDB_BAD_VALSIZE:
	case MDB_CURSOR_FULL:
		return err_set(why, ERR_DAMAGED, "cannot %s '%s': %s", doing, e->folder,
			mdb_strerror(code));
	case MDB_READERS_FULL:
		return err_set(why, ERR_BUSY, "cannot %s '%s': too many readers", doing, e->folder);
	case MDB_TXN_FULL:
		return err_set(why, ERR_TOO_BIG, "cannot %s '%s': too much for one commit", doing,
			e->folder);
	default:
		return err_set(
			why, ERR_FILE, "cannot %s '%s': %s", doing, e->folder, mdb_strerror(code));
	}
}

/* Whether the folder holds a file worth opening: 0 yes, 1 none or an empty one, or an error. */
static int look(const char *path, struct err_note *why)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return 1;
	if (fd < 0)
		return err_set(why, ERR_FILE, "cannot open '%s': %s", path, strerror(errno));
	int status = btree_heads(fd, path, why);
	close(fd);
	return status;
}

static size_t round_map(size_t bytes)
{
	return (bytes + MAP_STEP - 1) / MAP_STEP * MAP_STEP;
}

/* A snapshot to read from; the map grows where another process made the file grow. */
static int begin_snapshot(struct env *e, struct err_note *why)
{
	int code;

	while ((code = mdb_txn_begin(e->lmdb, NULL, MDB_RDONLY, &e->snapshot)) == MDB_MAP_RESIZED) {
		code = mdb_env_set_mapsize(e->lmdb, 0);
		if (code)
			break;
	}
	if (code) {
		e->snapshot = NULL;
		return translate(e, code, "read", why);
	}
	e->generation++;
	return 0;
}

#define LOCK_BYTES 8192 /* as LMDB makes it for its 126 readers */

/* LMDB maps a file full of holes to lock by, and dies of SIGBUS where a disk has no room for them. */
static int fill_lock(const struct env *e)
{
	struct buf path = BUF_EMPTY;
	int code = 0;

	buf_format(&path, "%s/lock.mdb", e->folder);
	const int fd = open(path.at, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (fd >= 0) {
		code = posix_fallocate(fd, 0, LOCK_BYTES);
		close(fd);
	}
	buf_release(&path);
	return code == ENOSPC || code == EDQUOT ? code : 0; /* what else is wrong LMDB says */
}

static int open_lmdb(struct env *e, struct err_note *why)
{
	struct stat about;
	size_t size = 0;
	unsigned flags = MDB_NOTLS | (e->mode == STORE_READ ? MDB_RDONLY : 0);

	if (stat(e->path, &about) == 0)
		size = (size_t)about.st_size;
	e->map_size = round_map(size * 2 + 2 * MAP_SPARE);
	int code = mdb_env_create(&e->lmdb);
	if (code == 0)
		code = mdb_env_set_maxdbs(e->lmdb, ENV_DBS);
	if (code == 0)
		code = mdb_env_set_mapsize(e->lmdb, e->map_size);
	if (code == 0 && e->mode != STORE_READ)
		code = fill_lock(e);
	if (code == 0)
		code = mdb_env_open(e->lmdb, e->folder, flags, 0666);
	return code ? translate(e, code, "open", why) : 0;
}

/* Makes the empty databases. */
static int fill_new(void *ctx, struct env_batch *batch)
{
	struct env *e = ctx;
	char version[16];

	for (int i = 0; i < ENV_DBS; i++) {
		batch->code = mdb_dbi_open(batch->txn, names[i], MDB_CREATE, &e->db[i]);
		if (batch->code)
			return -1;
	}
	int n = snprintf(version, sizeof version, "%d", STORE_FORMAT);
	return env_put(batch, ENV_META, (struct bytes){"format", 6},
		(struct bytes){version, (size_t)n}, (struct bytes){NULL, 0}, ENV_ANYWHERE);
}

static int check_format(struct env *e, struct err_note *why)
{
	struct bytes value = {NULL, 0};
	char text[16] = "";
	uint64_t version;

	int got = env_get(e, ENV_META, (struct bytes){"format", 6}, &value, why);
	if (got < 0)
		return got;
	if (got && value.at && value.n < sizeof text)
		memcpy(text, value.at, value.n);
	if (num_count(text, UINT32_MAX, &version) || version == 0)
		return err_set(why, ERR_DAMAGED, "'%s' does not say which format it has", e->path);
	if (version > STORE_FORMAT)
		return err_set(why, ERR_NEWER,
			"'%s' has format %u, but this program knows formats up to %d: use a newer "
			"one",
			e->folder, (unsigned)version, STORE_FORMAT);
	if (version < STORE_FORMAT && e->mode == STORE_WRITE)
		return err_set(why, ERR_FILE,
			"'%s' has format %u, which can be read, but no crawl goes on with it: begin a new "
			"one, perhaps with --previous %s",
			e->folder, (unsigned)version, e->folder);
	return 0;
}

static int open_db(struct env *e, enum env_db db, struct err_note *why)
{
	int code = mdb_dbi_open(e->snapshot, names[db], 0, &e->db[db]);

	if (code == MDB_NOTFOUND)
		return err_set(why, ERR_DAMAGED, "'%s' has no database '%s'", e->path, names[db]);
	return code ? translate(e, code, "open", why) : 0;
}

static int find_tree(const struct btree *b, const char *name)
{
	for (size_t i = 0; i < b->trees; i++)
		if (strcmp(b->named[i].name, name) == 0)
			return (int)i;
	return -1;
}

/* Opens each database after its tree was checked; a store of a newer format may look different in
 * all but the meta database. */
static int open_checked(struct env *e, struct btree *b, struct err_note *why)
{
	int meta = find_tree(b, names[ENV_META]), status;

	if (meta < 0)
		return err_set(why, ERR_DAMAGED, "'%s' is no store of a crawl", e->path);
	if ((status = btree_named(b, (size_t)meta, BTREE_LAST_VALUES, why)) ||
		(status = open_db(e, ENV_META, why)) || (status = check_format(e, why)) ||
		(status = btree_free_list(b, why)))
		return status;
	for (size_t i = 0; i < b->trees && status == 0; i++)
		if (i != (size_t)meta)
			status = btree_named(b, i, BTREE_LAST_VALUES, why);
	for (int db = 0; db < ENV_DBS && status == 0; db++)
		if (db != ENV_META)
			status = open_db(e, (enum env_db)db, why);
	return status;
}

/* The trees of the snapshot, their list read. A live writer may overwrite the head before it is
 * read; then a new snapshot is as good. */
static int open_trees(struct env *e, struct btree *b, struct err_note *why)
{
	int fd, status = 1;

	mdb_env_get_fd(e->lmdb, &fd);
	for (int i = 0; i < 100 && status == 1; i++) {
		status = btree_open(b, fd, e->path, mdb_txn_id(e->snapshot), why);
		if (status != 1)
			break;
		btree_close(b);
		mdb_txn_reset(e->snapshot);
		int code = mdb_txn_renew(e->snapshot);
		if (code)
			return translate(e, code, "read", why);
	}
	if (status == 1)
		return err_set(why, ERR_BUSY, "'%s' changes too fast to be read", e->folder);
	return status ? status : btree_main(b, why);
}

/* Opens the databases of what lies there. 1: there are none yet. */
static int open_old(struct env *e, struct err_note *why)
{
	struct btree b = {0};

	int status = begin_snapshot(e, why);
	if (status)
		return status;
	status = open_trees(e, &b, why);
	if (status == 0) {
		int empty = b.trees == 0 && b.pages == 2; /* LMDB's heads, no commit yet */
		status = empty ? 1 : open_checked(e, &b, why);
	}
	btree_close(&b);
	if (status || e->mode == STORE_READ)
		return status;
	/* only a transaction that ends well leaves the databases open to later ones */
	int code = mdb_txn_commit(e->snapshot);
	e->snapshot = NULL;
	return code ? translate(e, code, "read", why) : begin_snapshot(e, why);
}

/* The entry of a new store in its folder, and the folder's in its own, must last, too. */
static void sync_folders(const char *folder)
{
	int here = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (here < 0)
		return;
	int above = openat(here, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	fsync(here);
	close(here);
	if (above >= 0) {
		fsync(above);
		close(above);
	}
}

static int make_new(struct env *e, struct err_note *why)
{
	if (e->snapshot)
		mdb_txn_abort(e->snapshot);
	e->snapshot = NULL;
	int status = env_write(e, 0, fill_new, e, why);
	if (status == 0)
		sync_folders(e->folder);
	return status;
}

int env_open(struct env *e, const char *folder, enum store_mode mode, struct err_note *why)
{
	memset(e, 0, sizeof *e);
	e->mode = mode;
	e->folder = mem_text(folder);
	e->path = mem_new(strlen(folder) + sizeof "/data.mdb", 1);
	sprintf(e->path, "%s/data.mdb", folder);

	int status = look(e->path, why);
	if (status >= 0 && (status == 0 || mode == STORE_WRITE)) {
		status = open_lmdb(e, why);
		if (status == 0)
			status = open_old(e, why);
		if (status == 1 && mode == STORE_WRITE)
			status = make_new(e, why);
		if (status == 0 && mode == STORE_WRITE) {
			int dead;
			mdb_reader_check(e->lmdb, &dead); /* or their snapshots stay for ever */
		}
	}
	if (status == 1)
		status = err_set(why, ERR_FILE, "no store in '%s'", folder);
	if (status)
		env_close(e);
	return status;
}

void env_close(struct env *e)
{
	if (e->snapshot)
		mdb_txn_abort(e->snapshot);
	if (e->lmdb) {
		if (e->mode == STORE_WRITE)
			mdb_env_sync(e->lmdb, 1);
		mdb_env_close(e->lmdb);
	}
	free(e->folder);
	free(e->path);
	memset(e, 0, sizeof *e);
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

int env_get(
	struct env *e, enum env_db db, struct bytes key, struct bytes *value, struct err_note *why)
{
	MDB_val k = val(key), v;

	if (!e->snapshot)
		return lost(e, why);
	int code = mdb_get(e->snapshot, e->db[db], &k, &v);
	if (code == MDB_NOTFOUND)
		return 0;
	if (code)
		return translate(e, code, "read", why);
	*value = (struct bytes){v.mv_data, v.mv_size};
	return 1;
}

int env_walk(struct env *e, enum env_db db, env_each *each, void *ctx, struct err_note *why)
{
	MDB_cursor *cursor;
	MDB_val k, v;
	int status = 0;

	if (!e->snapshot)
		return lost(e, why);
	int code = mdb_cursor_open(e->snapshot, e->db[db], &cursor);
	if (code)
		return translate(e, code, "read", why);
	while ((code = mdb_cursor_get(cursor, &k, &v, MDB_NEXT)) == 0 && status == 0)
		status = each(ctx, (struct bytes){k.mv_data, k.mv_size},
			(struct bytes){v.mv_data, v.mv_size}, why);
	mdb_cursor_close(cursor);
	if (code && code != MDB_NOTFOUND)
		return translate(e, code, "read", why);
	return status;
}

int env_put(struct env_batch *batch, enum env_db db, struct bytes key, struct bytes part,
	struct bytes rest, enum env_place place)
{
	MDB_val k = val(key), v = {part.n + rest.n, NULL};
	unsigned flags = MDB_RESERVE | (place == ENV_AT_END ? MDB_APPEND : 0);

	batch->code = mdb_put(batch->txn, batch->env->db[db], &k, &v, flags);
	if (batch->code)
		return -1;
	if (part.n)
		memcpy(v.mv_data, part.at, part.n);
	if (rest.n)
		memcpy((char *)v.mv_data + part.n, rest.at, rest.n);
	return 0;
}

/* Whether there is address space for a map: LMDB gives up the old one before it asks. */
static int can_map(size_t size)
{
	void *p = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		return 0;
	munmap(p, size);
	return 1;
}

/* Makes the map large enough for `more` bytes. Only where no transaction is under way. */
static int grow(struct env *e, size_t more)
{
	MDB_envinfo info;
	MDB_stat stat;

	mdb_env_info(e->lmdb, &info);
	mdb_env_stat(e->lmdb, &stat);
	size_t need = (info.me_last_pgno + 1) * stat.ms_psize + more + MAP_SPARE;
	if (need <= e->map_size)
		return 0;
	size_t size = round_map(need > e->map_size * 2 ? need : e->map_size * 2);
	if (!can_map(size))
		return ENOMEM;
	int code = mdb_env_set_mapsize(e->lmdb, size);
	if (code) /* there is no map now */
		e->lost = 1;
	else
		e->map_size = size;
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
	if (fill(ctx, &batch)) {
		mdb_txn_abort(batch.txn);
		return batch.code;
	}
	return mdb_txn_commit(batch.txn);
}

/* A snapshot of what is committed now. */
static int renew_snapshot(struct env *e, struct err_note *why)
{
	e->generation++;
	if (!e->snapshot && !e->lost)
		return begin_snapshot(e, why);
	int code = e->lost ? ENOMEM : mdb_txn_renew(e->snapshot);
	if (code) {
		mdb_txn_abort(e->snapshot);
		e->snapshot = NULL;
		return translate(e, code, "read", why);
	}
	return 0;
}

int env_write(struct env *e, size_t bytes, env_fill *fill, void *ctx, struct err_note *why)
{
	size_t more = bytes * 2;
	int code = MDB_MAP_FULL;

	if (e->lost)
		return lost(e, why);
	/* pages freed by the last commits can be used again only when no snapshot has them */
	if (e->snapshot)
		mdb_txn_reset(e->snapshot);
	for (int i = 0; i < MAP_DOUBLINGS && code == MDB_MAP_FULL; i++, more = more * 2 + MAP_SPARE)
		code = write_once(e, more, fill, ctx);
	int status = code ? translate(e, code, "write", why) : 0;
	int again = renew_snapshot(e, status ? NULL : why);
	return status ? status : again;
}

int env_verify(struct env *e, struct err_note *why)
{
	struct btree b = {0};

	if (!e->snapshot)
		return lost(e, why);
	int fd, status;
	mdb_env_get_fd(e->lmdb, &fd);
	status = btree_open(&b, fd, e->path, mdb_txn_id(e->snapshot), why);
	if (status == 0)
		status = btree_main(&b, why);
	for (size_t i = 0; i < b.trees && status == 0; i++)
		status = btree_named(&b, i, BTREE_ALL_VALUES, why);
	if (status == 0)
		status = btree_free_list(&b, why);
	btree_close(&b);
	/* a live writer has gone on: what was checked at the opening is all that can be */
	return status == 1 ? 0 : status;
}
