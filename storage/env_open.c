#include "base/ascii.h"
#include "storage/env.h"
#include "base/buf.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/num.h"
#include "storage/env_internal.h"
#include "base/lasting.h"
#include "storage/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAKING "making" /* the folder in the store's in which it is made */

/* Checks the heads of the file. Returns 0; 1 if there is no file or it is empty; or an error. */
static int look(const char *path, struct err_note *why)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return 1;
	if (fd < 0)
		return err_set(why, ERR_FILE, "cannot open '%s': %s", path, ascii_error(errno));
	int status = lmdb_check_heads(fd, path, why);
	close(fd);
	return status;
}

#define LOCK_BYTES 8192 /* as LMDB makes it for its 126 readers */

/* Allocates the blocks of LMDB's lock file. LMDB would map a sparse file, and the process would get SIGBUS when the disk has no
 * room for its blocks. Returns 0, ENOSPC or EDQUOT. */
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
	return code == ENOSPC || code == EDQUOT ? code : 0; /* LMDB reports any other error when it opens the file */
}

/* Opens a folder with LMDB. Returns 0 or an error of LMDB. */
static int open_folder(struct env *e, const char *folder, unsigned flags)
{
	int code = mdb_env_create(&e->lmdb);

	e->map = (struct env_map){NULL, 0};
	if (code == 0)
		code = mdb_env_set_maxdbs(e->lmdb, ENV_DBS);
	if (code == 0)
		code = mdb_env_set_mapsize(e->lmdb, e->map_size);
	if (code == 0)
		code = mdb_env_open(e->lmdb, folder, MDB_NOTLS | flags, 0666);
	if (code && e->lmdb) {
		mdb_env_close(e->lmdb);
		e->lmdb = NULL;
	}
	if (code == 0)
		env_know_map(e);
	return code;
}

/* Opens the store for reading without LMDB's lock, because this process may not write to the lock file. A reader announces in the
 * lock file which pages it needs; without this announcement the store can be read only while no process writes. Returns 0, ERR_BUSY
 * or another error. */
static int open_without_lock(struct env *e, struct err_note *why)
{
	int status = lock_is_free(e->folder, why);

	if (status)
		return status;
	int code = open_folder(e, e->folder, MDB_RDONLY | MDB_NOLOCK);
	return code ? env_translate(e, code, "open", why) : 0;
}

/* Returns the inode of LMDB's lock file; 0 if there is none yet. */
static ino_t lock_inode(const struct env *e)
{
	struct buf path = BUF_EMPTY;
	struct stat st;

	buf_format(&path, "%s/lock.mdb", e->folder);
	const ino_t inode = stat(path.at, &st) == 0 ? st.st_ino : 0;
	buf_release(&path);
	return inode;
}

/* Opens an existing store with LMDB; without LMDB's lock if this process may read it only. */
static int open_lmdb(struct env *e, struct err_note *why)
{
	struct stat about;
	size_t size = 0;
	int code = 0;

	if (stat(e->path, &about) == 0)
		size = (size_t)about.st_size;
	e->map_size = env_round_map(size * 2 + 2 * ENV_MAP_SPARE);
	if (e->mode != STORE_READ)
		code = fill_lock(e);
	/* a store that was compacted while this process waited has a new lock file: then it is opened again */
	for (int changed = 1; code == 0 && changed;) {
		const ino_t lock = lock_inode(e);
		code = open_folder(e, e->folder, e->mode == STORE_READ ? MDB_RDONLY : 0);
		changed = code == 0 && lock && lock != lock_inode(e);
		if (changed) {
			mdb_env_close(e->lmdb);
			e->lmdb = NULL;
		}
	}
	if ((code == EACCES || code == EPERM || code == EROFS) && e->mode == STORE_READ)
		return open_without_lock(e, why);
	return code ? env_translate(e, code, "open", why) : 0;
}

/* Reads the format of the store. Returns 0; ERR_NEWER for a format of a later version; ERR_FILE for a store of format 1 that is to
 * be written; or ERR_DAMAGED. */
static int check_format(struct env *e, struct err_note *why)
{
	struct bytes value = {NULL, 0};
	char text[16] = "";
	uint64_t version;

	e->format = 0;
	int got = env_get(e, ENV_META, (struct bytes){"format", 6}, ENV_UNCHECKED, &value, why);
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
	if (version < ENV_FORMAT_SUMS && e->mode == STORE_WRITE)
		return err_set(why, ERR_FILE,
			"'%s' has format %u, which can be read, but no crawl goes on with it: begin a new "
			"one, perhaps with --previous %s",
			e->folder, (unsigned)version, e->folder);
	e->format = (unsigned)version;
	return 0;
}

static int open_db(struct env *e, enum env_db db, struct err_note *why)
{
	int code = mdb_dbi_open(e->snapshot, env_db_name(db), 0, &e->db[db]);

	if (code == MDB_NOTFOUND)
		return err_set(why, ERR_DAMAGED, "'%s' has no database '%s'", e->path, env_db_name(db));
	return code ? env_translate(e, code, "open", why) : 0;
}

static int find_tree(const struct lmdb_check *b, const char *name)
{
	for (size_t i = 0; i < b->trees; i++)
		if (strcmp(b->named[i].name, name) == 0)
			return (int)i;
	return -1;
}

/* Returns the first format that has a database. */
static unsigned first_format(enum env_db db)
{
	return db == ENV_ROBOTS ? ENV_FORMAT_SUMS : db == ENV_VISITS ? ENV_FORMAT_VISITS : 1;
}

/* Opens each database after its tree was checked; a store of a newer format may look different in
 * all but the meta database. */
static int open_checked(struct env *e, struct lmdb_check *b, struct err_note *why)
{
	int meta = find_tree(b, env_db_name(ENV_META)), status;

	if (meta < 0)
		return err_set(why, ERR_DAMAGED, "'%s' is no store of a crawl", e->path);
	if ((status = lmdb_check_named(b, (size_t)meta, why)) || (status = open_db(e, ENV_META, why)) ||
		(status = check_format(e, why)) || (status = lmdb_check_free_list(b, why)))
		return status;
	for (size_t i = 0; i < b->trees && status == 0; i++)
		if (i != (size_t)meta)
			status = lmdb_check_named(b, i, why);
	if (status == 0 && e->mode == STORE_WRITE)
		status = lmdb_check_all_taken(b, why);
	for (int db = 0; db < ENV_DBS && status == 0; db++)
		if (db != ENV_META && e->format >= first_format((enum env_db)db))
			status = open_db(e, (enum env_db)db, why);
	return status;
}

/* Reads the list of the snapshot's trees. A live writer may overwrite the head of the snapshot first; then a new snapshot is
 * taken, which is as good. Returns 0 or an error. */
static int open_trees(struct env *e, struct lmdb_check *b, struct err_note *why)
{
	int fd, status = 1;

	mdb_env_get_fd(e->lmdb, &fd);
	for (int i = 0; i < 100 && status == 1; i++) {
		status = lmdb_check_open(b, fd, e->path, mdb_txn_id(e->snapshot), why);
		if (status != 1)
			break;
		lmdb_check_close(b);
		mdb_txn_reset(e->snapshot);
		int code = mdb_txn_renew(e->snapshot);
		if (code)
			return env_translate(e, code, "read", why);
	}
	if (status == 1)
		return err_set(why, ERR_BUSY, "'%s' changes too fast to be read", e->folder);
	return status ? status : lmdb_check_main(b, why);
}

/* Opens the databases of an existing file. Returns 0; 1 if the file has no commit yet; or an error. */
static int open_old(struct env *e, struct err_note *why)
{
	struct lmdb_check b = {0};

	int status = env_begin_snapshot(e, why);
	if (status)
		return status;
	status = open_trees(e, &b, why);
	if (status == 0) {
		int empty = b.trees == 0 && b.pages == 2; /* LMDB's heads, no commit yet */
		status = empty ? 1 : open_checked(e, &b, why);
	}
	lmdb_check_close(&b);
	if (status || e->mode == STORE_READ)
		return status;
	/* databases that were opened within a transaction stay open only if the transaction is committed */
	int code = mdb_txn_commit(e->snapshot);
	e->snapshot = NULL;
	return code ? env_translate(e, code, "read", why) : env_begin_snapshot(e, why);
}

/* --- making */

/* Creates the databases of a new store, and writes its format. Returns 0 or an error of LMDB. */
static int fill_new(struct env *e)
{
	struct env_batch batch = {.env = e};
	char version[16];
	int n = snprintf(version, sizeof version, "%d", STORE_FORMAT);

	int code = mdb_txn_begin(e->lmdb, NULL, 0, &batch.txn);
	if (code)
		return code;
	for (int i = 0; i < ENV_DBS && code == 0; i++)
		code = mdb_dbi_open(batch.txn, env_db_name((enum env_db)i), MDB_CREATE, &e->db[i]);
	if (code == 0 &&
		env_put(&batch, ENV_META, (struct bytes){"format", 6}, (struct bytes){version, (size_t)n}, (struct bytes){NULL, 0},
			ENV_ANYWHERE))
		code = batch.code;
	if (code) {
		mdb_txn_abort(batch.txn);
		return code;
	}
	return mdb_txn_commit(batch.txn);
}

static void close_lmdb(struct env *e)
{
	if (e->snapshot)
		mdb_txn_abort(e->snapshot);
	env_map_forget(&e->map);
	if (e->lmdb)
		mdb_env_close(e->lmdb);
	e->snapshot = NULL;
	e->lmdb = NULL;
}

/* Makes an empty store in a folder of its own, and renames its file to its place when all of it is on the disk, so that an
 * interruption leaves a complete store or none. Returns 0, an error of LMDB, or an errno. */
static int make_in(struct env *e, const char *making, const char *file)
{
	struct buf above = BUF_EMPTY;
	int code = mkdir(making, 0777) == 0 || errno == EEXIST ? 0 : errno;

	e->map_size = ENV_MAP_SPARE;
	if (code == 0)
		code = open_folder(e, making, MDB_NOLOCK);
	if (code == 0)
		code = fill_new(e);
	if (code == 0)
		code = mdb_env_sync(e->lmdb, 1);
	close_lmdb(e);
	if (code == 0 && rename(file, e->path) != 0)
		code = errno;
	buf_format(&above, "%s/../.", e->folder);
	if (code == 0 && (lasting_name(e->path) || lasting_name(above.at)))
		code = errno;
	buf_release(&above);
	return code;
}

/* Makes a new store, and reports a store that was begun here before and never finished. */
static int make_new(struct env *e, struct err_note *why)
{
	struct buf making = BUF_EMPTY, file = BUF_EMPTY;

	buf_format(&making, "%s/%s", e->folder, MAKING);
	buf_format(&file, "%s/data.mdb", making.at);
	if (unlink(file.at) == 0)
		log_say("'%s': a store was begun there, and a full disk, a kill or a power failure came before anything was kept; it is begun afresh",
			e->folder);
	int code = make_in(e, making.at, file.at);
	if (code)
		(void)!unlink(file.at);
	(void)!rmdir(making.at);
	buf_release(&making);
	buf_release(&file);
	if (code == EIO || code == ENOSPC || code == EDQUOT || code == EFBIG)
		return err_set(why, ERR_FILE, "cannot make a store in '%s': %s; nothing was kept yet: make room, and try again",
			e->folder, code == EIO ? "the disk is full or fails" : ascii_error(code));
	return code ? env_translate(e, code, "make", why) : 0;
}

int env_open(struct env *e, const char *folder, enum store_mode mode, struct err_note *why)
{
	memset(e, 0, sizeof *e);
	e->mode = mode;
	e->folder = mem_text(folder);
	e->path = mem_new(strlen(folder) + sizeof "/data.mdb", 1);
	sprintf(e->path, "%s/data.mdb", folder);

	int status = look(e->path, why);
	for (int made = 0; status >= 0;) {
		if (status == 1 && (mode == STORE_READ || made++))
			status = err_set(why, ERR_FILE, "no store in '%s'", folder);
		else if (status == 1)
			status = make_new(e, why);
		if (status == 0)
			status = open_lmdb(e, why);
		if (status == 0)
			status = open_old(e, why);
		if (status <= 0)
			break;
		close_lmdb(e); /* there is a file, but no store in it */
	}
	if (status == 0 && mode == STORE_WRITE) {
		int dead;
		/* frees the reader slots of dead processes, whose snapshots would otherwise keep old pages from being used again */
		mdb_reader_check(e->lmdb, &dead);
	}
	if (status)
		env_close(e);
	return status;
}

void env_close(struct env *e)
{
	close_lmdb(e);
	free(e->folder);
	free(e->path);
	memset(e, 0, sizeof *e);
}
