/* Calls of the system and of LMDB that fail when a test says so: they stand in place of the
 * libraries' own, for all of the program, LMDB itself included. rmdir() never fails: what it leaves
 * is an empty folder.
 *
 *     fail_calls(FAIL_NONE, 0);  what(); n = failing.calls;       how many calls there are
 *     fail_calls(FAIL_ONE, i);   what(); fail_calls(FAIL_NONE, 0); call number i fails with EIO
 *     fail_calls(FAIL_ALL, i);   ...                               so do all calls behind it */
#ifndef TESTS_FAILING_H
#define TESTS_FAILING_H

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <lmdb.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum fail_how { FAIL_NONE, FAIL_ONE, FAIL_ALL };

struct failing {
	enum fail_how how;
	long at, calls;
	const char *spared; /* the name of calls that do not fail; NULL: all do */
	const char *name;   /* of the first call that failed; NULL: none did */
};

static struct failing failing;

/* The address sanitizer makes folders for its report before it can check anything, and calls mkdir() for that. */
#define BEFORE_SANITIZERS __attribute__((no_sanitize_address))

static inline void fail_calls(enum fail_how how, long at)
{
	failing = (struct failing){.how = how, .at = at};
}

BEFORE_SANITIZERS static inline int this_one_fails(const char *name)
{
	if (failing.spared && strcmp(name, failing.spared) == 0)
		return 0;
	const long call = failing.calls++;
	if (failing.how == FAIL_NONE || call < failing.at || (failing.how == FAIL_ONE && call > failing.at))
		return 0;
	if (!failing.name)
		failing.name = name;
	errno = EIO;
	return 1;
}

#define FAILING(name, of_failure, parameters, arguments) \
	BEFORE_SANITIZERS int name parameters \
	{ \
		static int(*real) parameters; \
		if (!real) \
			*(void **)&real = dlsym(RTLD_NEXT, #name); \
		return this_one_fails(#name) ? of_failure : real arguments; \
	}

FAILING(mkdir, -1, (const char *path, mode_t mode), (path, mode))
FAILING(unlink, -1, (const char *path), (path))
FAILING(rename, -1, (const char *from, const char *to), (from, to))
FAILING(fsync, -1, (int fd), (fd))
FAILING(fdatasync, -1, (int fd), (fd))
FAILING(ftruncate, -1, (int fd, off_t n), (fd, n))
FAILING(posix_fallocate, EIO, (int fd, off_t from, off_t n), (fd, from, n))

FAILING(mdb_env_create, EIO, (MDB_env * *env), (env))
FAILING(mdb_env_open, EIO, (MDB_env * env, const char *path, unsigned flags, mdb_mode_t mode), (env, path, flags, mode))
FAILING(mdb_env_set_mapsize, EIO, (MDB_env * env, size_t n), (env, n))
FAILING(mdb_env_set_maxdbs, EIO, (MDB_env * env, MDB_dbi n), (env, n))
FAILING(mdb_env_sync, EIO, (MDB_env * env, int force), (env, force))
FAILING(mdb_env_copyfd2, EIO, (MDB_env * env, mdb_filehandle_t fd, unsigned flags), (env, fd, flags))
FAILING(mdb_txn_begin, EIO, (MDB_env * env, MDB_txn *parent, unsigned flags, MDB_txn **txn), (env, parent, flags, txn))
FAILING(mdb_txn_renew, EIO, (MDB_txn * txn), (txn))
FAILING(mdb_dbi_open, EIO, (MDB_txn * txn, const char *name, unsigned flags, MDB_dbi *db), (txn, name, flags, db))
FAILING(mdb_get, EIO, (MDB_txn * txn, MDB_dbi db, MDB_val *key, MDB_val *value), (txn, db, key, value))
FAILING(mdb_put, EIO, (MDB_txn * txn, MDB_dbi db, MDB_val *key, MDB_val *value, unsigned flags), (txn, db, key, value, flags))
FAILING(mdb_del, EIO, (MDB_txn * txn, MDB_dbi db, MDB_val *key, MDB_val *value), (txn, db, key, value))
FAILING(mdb_cursor_open, EIO, (MDB_txn * txn, MDB_dbi db, MDB_cursor **cursor), (txn, db, cursor))
FAILING(mdb_cursor_get, EIO, (MDB_cursor * cursor, MDB_val *key, MDB_val *value, MDB_cursor_op op), (cursor, key, value, op))

/* A commit that fails has ended its transaction. */
int mdb_txn_commit(MDB_txn *txn)
{
	static int (*real)(MDB_txn *);

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "mdb_txn_commit");
	if (!this_one_fails("mdb_txn_commit"))
		return real(txn);
	mdb_txn_abort(txn);
	return EIO;
}

int open(const char *path, int flags, ...)
{
	static int (*real)(const char *, int, ...);
	va_list more;
	int mode = 0;

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "open");
	if (flags & O_CREAT) {
		va_start(more, flags);
		mode = va_arg(more, int);
		va_end(more);
	}
	return this_one_fails("open") ? -1 : real(path, flags, mode);
}

#define FAILING_BYTES(name, parameters, arguments) \
	ssize_t name parameters \
	{ \
		static ssize_t(*real) parameters; \
		if (!real) \
			*(void **)&real = dlsym(RTLD_NEXT, #name); \
		return this_one_fails(#name) ? -1 : real arguments; \
	}

FAILING_BYTES(pread, (int fd, void *into, size_t n, off_t at), (fd, into, n, at))
FAILING_BYTES(pwrite, (int fd, const void *from, size_t n, off_t at), (fd, from, n, at))
FAILING_BYTES(write, (int fd, const void *from, size_t n), (fd, from, n))
FAILING_BYTES(writev, (int fd, const struct iovec *parts, int n), (fd, parts, n))

#endif
