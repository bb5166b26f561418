#include "storage/env.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/output.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/paged.h"
#include "storage/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <lmdb.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define ENV_MAP_SPARE ((size_t)16 << 20) /* bytes of address space beyond the estimate for a commit */
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

const char *env_db_holds(enum env_db db)
{
	static const char *const holds[ENV_DBS] = {"counts", "settings", "names of hosts", "URLs of pages", "results of pages",
		"links of pages", "events of the crawl", "robots.txt files", "later visits"};

	return holds[db];
}

void env_call(struct env *e, const char *folder)
{
	free(e->folder);
	free(e->path);
	e->folder = mem_text(folder);
	e->path = buf_made("%s/data.mdb", folder);
}

void env_map_find(struct env_map *m, int fd)
{
	char line[4608], rights[5];
	unsigned long begin, end, offset, inode;
	unsigned major, minor;
	struct stat about;
	FILE *maps = fopen("/proc/self/maps", "re");

	*m = (struct env_map){NULL, 0};
	if (!maps)
		return;
	while (fstat(fd, &about) == 0 && fgets(line, sizeof line, maps)) {
		if (sscanf(line, "%lx-%lx %4s %lx %x:%x %lu", &begin, &end, rights, &offset, &major, &minor, &inode) == 7 &&
			strcmp(rights, "r--s") == 0 && offset == 0 && inode == about.st_ino &&
			makedev(major, minor) == about.st_dev) {
			*m = (struct env_map){(void *)(uintptr_t)begin, end - begin};
			break;
		}
	}
	fclose(maps);
}

/* Forgets a map that is about to end or to move, and tells base/paged.h so. */
static void env_map_forget(struct env_map *m)
{
	if (m->at)
		paged_map_ends(m->at);
	m->at = NULL;
}

void env_map_let_go(const struct env_map *m)
{
	if (!m->at)
		return;
	madvise(m->at, m->size, MADV_DONTNEED);
}

struct env_batch {
	struct env *env;
	MDB_txn *txn;
	int code; /* LMDB's code of the put that failed; 0 if none did */
};

/* Translates a code of LMDB or an errno into an `enum err` with a note. `doing` is the verb of the message:
 * "open", "read", "write" or "make". */
static int env_translate(const struct env *e, int code, const char *doing, struct err_note *why)
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

/* Rounds a size up to a size that a memory map may have. */
static size_t env_round_map(size_t bytes)
{
	return (bytes + MAP_STEP - 1) / MAP_STEP * MAP_STEP;
}

/* Finds where the file is mapped, and says so to what bounds the memory of the process (base/paged.h). */
static void env_know_map(struct env *e)
{
	int fd;

	if (mdb_env_get_fd(e->lmdb, &fd))
		return;
	env_map_find(&e->map, fd);
	if (e->map.at)
		paged_map_begins(e->map.at, e->map.size, PAGED_AT_RANDOM);
}

/* Begins a new snapshot. If another process has made the file larger than the memory map, the map grows. */
static int env_begin_snapshot(struct env *e, struct err_note *why)
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

/* Checks the heads of the file. Returns 0; 1 if there is no file or it is empty; or an error. */
static int look(const char *path, struct err_note *why)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR))
		return 1;
	if (fd < 0)
		return err_set(why, ERR_FILE, "cannot open '%s': %s", path, ascii_error(errno));
	size_t newest;
	int status = lmdb_check_heads(fd, path, &newest, why);
	close(fd);
	return status;
}

#define LOCK_BYTES 8192 /* as LMDB makes it for its 126 readers */

/* Allocates the blocks of LMDB's lock file. LMDB would map a sparse file, and the process would get SIGBUS when the disk has no
 * room for its blocks. Returns 0, ENOSPC or EDQUOT. */
static int fill_lock(const struct env *e)
{
	char *path = buf_made("%s/lock.mdb", e->folder);
	int code = 0;

	const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
	if (fd >= 0) {
		code = posix_fallocate(fd, 0, LOCK_BYTES);
		close(fd);
	}
	free(path);
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
	char *path = buf_made("%s/lock.mdb", e->folder);
	struct stat st;
	const ino_t inode = stat(path, &st) == 0 ? st.st_ino : 0;

	free(path);
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
	int got = env_get_again(e, ENV_META, (struct bytes){"format", 6}, &value, why);
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

/* Says whether a database came with a later format than the store's. */
static int is_later(const struct env *e, enum env_db db)
{
	return (db == ENV_ROBOTS && e->format < ENV_FORMAT_SUMS) || (db == ENV_VISITS && e->format < ENV_FORMAT_VISITS);
}

/* Opens each database after its tree was checked; a store of a newer format may look different in
 * all but the meta database. */
static int open_checked(struct env *e, struct lmdb_check *b, struct err_note *why)
{
	const struct lmdb_check_head *meta = lmdb_check_find(b, env_db_name(ENV_META));
	int status;

	if (!meta)
		return err_set(why, ERR_DAMAGED, "'%s' is no store of a crawl", e->path);
	if ((status = lmdb_check_tree(b, meta, TREE_OF_VALUES, why)) || (status = open_db(e, ENV_META, why)) ||
		(status = check_format(e, why)) || (status = lmdb_check_tree(b, &b->free, TREE_OF_FREE_PAGES, why)))
		return status;
	for (size_t i = 0; i < b->trees && status == 0; i++)
		if (&b->named[i].head != meta)
			status = lmdb_check_tree(b, &b->named[i].head, TREE_OF_VALUES, why);
	if (status == 0 && e->mode == STORE_WRITE)
		status = lmdb_check_all_taken(b, why);
	for (int db = 0; db < ENV_DBS && status == 0; db++)
		if (db != ENV_META && !is_later(e, (enum env_db)db))
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
	return status ? status : lmdb_check_tree(b, &b->main, TREE_OF_TREES, why);
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

	int code = mdb_txn_begin(e->lmdb, NULL, 0, &batch.txn);
	if (code)
		return code;
	for (int i = 0; i < ENV_DBS && code == 0; i++)
		code = mdb_dbi_open(batch.txn, env_db_name((enum env_db)i), MDB_CREATE, &e->db[i]);
	if (code == 0 && env_put_format(&batch))
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
static int make_in(struct env *e, const char *making)
{
	char *above = buf_made("%s/../.", e->folder);
	int code = mkdir(making, 0777) == 0 || errno == EEXIST ? 0 : errno;

	e->map_size = ENV_MAP_SPARE;
	if (code == 0)
		code = open_folder(e, making, MDB_NOLOCK);
	if (code == 0)
		code = fill_new(e);
	if (code == 0)
		code = mdb_env_sync(e->lmdb, 1);
	close_lmdb(e);
	if (code == 0 && (store_put(making, e->folder) || lasting_name(above)))
		code = errno;
	free(above);
	return code;
}

/* Makes a new store, and reports a store that was begun here before and never finished. */
static int make_new(struct env *e, struct err_note *why)
{
	char *making = buf_made("%s/making", e->folder), *file = buf_made("%s/data.mdb", making);

	if (unlink(file) == 0)
		log_say("'%s': a store was begun there, and a full disk, a kill or a power failure came before anything was kept; it is begun afresh",
			e->folder);
	const int code = make_in(e, making);
	store_remove(making);
	free(making);
	free(file);
	if (code == EIO || code == ENOSPC || code == EDQUOT || code == EFBIG)
		return err_set(why, ERR_FILE, "cannot make a store in '%s': %s; nothing was kept yet: make room, and try again",
			e->folder, code == EIO ? "the disk is full or fails" : ascii_error(code));
	return code ? env_translate(e, code, "make", why) : 0;
}

int env_open(struct env *e, const char *folder, enum store_mode mode, struct err_note *why)
{
	memset(e, 0, sizeof *e);
	e->mode = mode;
	env_call(e, folder);
	int status = lock_check_folder(folder, why);
	if (status == 0)
		status = look(e->path, why);
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

uint64_t env_hash(enum env_db db, struct bytes key)
{
	return XXH3_64bits_withSeed(key.at, key.n, (uint64_t)db + 1);
}

/* Returns the XXH3 of a value, with a seed made of its database and its key, so that a value which stands under another's key is
 * detected, too. */
static uint64_t sum_of(enum env_db db, struct bytes key, const void *value, size_t n)
{
	return XXH3_64bits_withSeed(value, n, env_hash(db, key));
}

/* Says whether a key is that of the format's number, which every version can read. */
static int is_format(enum env_db db, struct bytes key)
{
	return db == ENV_META && key.n == 6 && memcmp(key.at, "format", 6) == 0;
}

int env_fits(enum env_db db, struct bytes key, struct bytes value)
{
	uint64_t said;

	if (is_format(db, key))
		return value.n == 1 && *(const char *)value.at >= '1' && *(const char *)value.at <= '0' + STORE_FORMAT;
	if (value.n < sizeof said)
		return 0;
	const size_t n = value.n - sizeof said;
	memcpy(&said, (const char *)value.at + n, sizeof said);
	return le64toh(said) == sum_of(db, key, value.at, n);
}

/* Says whether a checksum is verified now, or was so earlier. */
enum env_check { ENV_UNCHECKED, ENV_CHECKED };

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

	int held = is_later(e, db) ? 0 : hold(e, why);
	if (held || is_later(e, db))
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

static int get(struct env *e, enum env_db db, struct bytes key, enum env_check check, struct bytes *value, struct err_note *why)
{
	struct err_note note;
	const int got = look_up(e, db, key, check, value, &note);

	return got < 0 ? env_unread(e, got, &note, why) : got;
}

int env_get(struct env *e, enum env_db db, struct bytes key, struct bytes *value, struct err_note *why)
{
	return get(e, db, key, ENV_CHECKED, value, why);
}

int env_get_again(struct env *e, enum env_db db, struct bytes key, struct bytes *value, struct err_note *why)
{
	return get(e, db, key, ENV_UNCHECKED, value, why);
}

static int walk(struct env *e, enum env_db db, enum env_check check, env_each *each, void *ctx, struct err_note *why)
{
	MDB_cursor *cursor;
	MDB_val k, v;
	int status = is_later(e, db) ? 0 : hold(e, why);

	if (status || is_later(e, db))
		return status;
	int code = mdb_cursor_open(e->snapshot, e->db[db], &cursor);
	if (code)
		return env_translate(e, code, "read", why);
	while (status == 0 && (code = mdb_cursor_get(cursor, &k, &v, MDB_NEXT)) == 0) {
		const struct bytes key = {k.mv_data, k.mv_size};
		struct bytes value = {v.mv_data, v.mv_size};
		count_read(e, value.n);
		status = take_sum(e, db, key, check, &value, why);
		if (check == ENV_UNCHECKED)
			value.at = NULL;
		if (status == 0)
			status = each(ctx, key, value, why);
	}
	mdb_cursor_close(cursor);
	if (code && code != MDB_NOTFOUND)
		return env_translate(e, code, "read", why);
	return status;
}

int env_walk(struct env *e, enum env_db db, env_each *each, void *ctx, struct err_note *why)
{
	return walk(e, db, ENV_CHECKED, each, ctx, why);
}

int env_walk_keys(struct env *e, enum env_db db, env_each *each, void *ctx, struct err_note *why)
{
	return walk(e, db, ENV_UNCHECKED, each, ctx, why);
}

/* --- writing */

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

int env_put_format(struct env_batch *batch)
{
	char text[16];
	const int n = snprintf(text, sizeof text, "%d", STORE_FORMAT);

	return env_put(batch, ENV_META, (struct bytes){"format", 6}, (struct bytes){text, (size_t)n}, (struct bytes){NULL, 0},
		ENV_ANYWHERE);
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
		status = lmdb_check_tree(&b, &b.main, TREE_OF_TREES, why);
	for (size_t i = 0; i < b.trees && status == 0; i++)
		status = lmdb_check_tree(&b, &b.named[i].head, TREE_OF_VALUES, why);
	if (status == 0)
		status = lmdb_check_tree(&b, &b.free, TREE_OF_FREE_PAGES, why);
	if (status == 0)
		status = lmdb_check_all_taken(&b, why);
	lmdb_check_close(&b);
	/* a live writer has overwritten the head meanwhile; then the check at the opening is the only one possible */
	return status == 1 ? 0 : status;
}
