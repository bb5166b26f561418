/* A library for LD_PRELOAD that records what a program does to the files of the folder POWERLOSS_FOLDER
 * (absolute, without a slash at its end) in the file POWERLOSS_TRACE. Files that are mapped and written
 * to through the map are not seen: of a store's files that is lock.mdb, which is worth nothing after a
 * reboot.
 *
 * A lock is held from before each call until it is written down, so that the order of the trace is the
 * order in which the calls took effect; a sync is two operations, as others may write meanwhile. */
#define _GNU_SOURCE
#include "trace.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define FILES_MOST 4096

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int trace = -1;
static uint64_t operations;
static struct {
	dev_t dev;
	ino_t ino;
} file[FILES_MOST];
static uint32_t files;
static struct {
	dev_t dev;
	ino_t ino;
} nameless[FILES_MOST]; /* synced before they had a name */
static uint32_t nameless_n;

static void give_up(const char *what)
{
	fprintf(stderr, "recorder: %s\n", what);
	abort();
}

static void put(const void *bytes, size_t n)
{
	const char *at = bytes;

	while (n) {
		const ssize_t done = syscall(SYS_write, trace, at, n);
		if (done <= 0)
			give_up("the trace cannot be written");
		at += done;
		n -= (size_t)done;
	}
}

static uint64_t note(enum trace_kind kind, uint32_t of, uint64_t offset, const void *bytes, size_t n)
{
	const struct trace_head head = {(uint32_t)kind, of, offset, n};

	put(&head, sizeof head);
	if (n)
		put(bytes, n);
	return operations++;
}

static void begin(void)
{
	const char *path = getenv("POWERLOSS_TRACE");

	pthread_mutex_lock(&lock);
	if (trace < 0 && path)
		trace = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
}

static void end(void)
{
	const int code = errno;

	pthread_mutex_unlock(&lock);
	errno = code;
}

/* The number of an open file that is recorded; -1: none. */
static int64_t number_of(int fd)
{
	const int code = errno;
	struct stat st;
	int64_t found = -1;

	if (trace >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		for (uint32_t i = 0; i < files; i++)
			if (file[i].ino == st.st_ino && file[i].dev == st.st_dev)
				found = i;
	errno = code;
	return found;
}

/* The path in the recorded folder of what lies at `path`; NULL: it lies elsewhere, or is LMDB's lock. */
static const char *inside(int at, const char *path)
{
	static char whole[2 * PATH_MAX];
	const char *folder = getenv("POWERLOSS_FOLDER");
	char base[PATH_MAX] = "", link[64];

	if (!folder || trace < 0)
		return NULL;
	if (*path != '/' && at == AT_FDCWD) {
		if (!getcwd(base, sizeof base))
			give_up("no current folder");
	} else if (*path != '/') {
		snprintf(link, sizeof link, "/proc/self/fd/%d", at);
		const ssize_t n = readlink(link, base, sizeof base - 1);
		base[n < 0 ? 0 : n] = 0;
	}
	while (path[0] == '.' && path[1] == '/')
		path += 2;
	snprintf(whole, sizeof whole, "%s%s%s", base, *path == '/' ? "" : "/", path);
	const size_t n = strlen(folder);
	if (strncmp(whole, folder, n) != 0 || (whole[n] != '/' && whole[n]))
		return NULL;
	return strstr(whole, "lock.mdb") || strstr(whole, "-lock") ? NULL : whole + n + (whole[n] == '/');
}

static void named(int fd, int at, const char *path)
{
	const int code = errno;
	const char *name = inside(at, path);
	struct stat st;

	if (name && number_of(fd) < 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
		if (files == FILES_MOST)
			give_up("too many files");
		file[files].dev = st.st_dev;
		file[files].ino = st.st_ino;
		note(TRACE_NAME, files++, 0, name, strlen(name));
	}
	errno = code;
}

/* A name goes; the file behind it is forgotten, as its inode may be another's soon. */
static void unnamed(int at, const char *path)
{
	const char *name = inside(at, path);

	if (name)
		note(TRACE_UNNAME, 0, 0, name, strlen(name));
}

static void forget(int at, const char *path)
{
	const int code = errno;
	struct stat st;

	if (inside(at, path) && fstatat(at, path, &st, AT_SYMLINK_NOFOLLOW) == 0 && st.st_nlink <= 1)
		for (uint32_t i = 0; i < files; i++)
			if (file[i].ino == st.st_ino && file[i].dev == st.st_dev)
				file[i].ino = 0;
	errno = code;
}

static int number_at(int at, const char *path, uint32_t *number)
{
	struct stat st;

	if (fstatat(at, path, &st, 0) == 0)
		for (uint32_t i = 0; i < files; i++)
			if (file[i].ino == st.st_ino && file[i].dev == st.st_dev) {
				*number = i;
				return 1;
			}
	return 0;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* --- opening */

static int open_at(int at, const char *path, int flags, mode_t mode)
{
	begin();
	const int fd = (int)syscall(SYS_openat, at, path, flags, mode);
	if (fd >= 0 && (flags & O_ACCMODE) != O_RDONLY && (flags & O_TMPFILE) != O_TMPFILE)
		named(fd, at, path);
	if (fd >= 0 && flags & O_TRUNC && number_of(fd) >= 0)
		note(TRACE_CUT, (uint32_t)number_of(fd), 0, NULL, 0);
	end();
	return fd;
}

#define OPEN_BODY(at) \
	mode_t mode = 0; \
	if (flags & (O_CREAT | __O_TMPFILE)) { \
		va_list args; \
		va_start(args, flags); \
		mode = va_arg(args, mode_t); \
		va_end(args); \
	} \
	return open_at(at, path, flags, mode)

int open(const char *path, int flags, ...)
{
	OPEN_BODY(AT_FDCWD);
}

int open64(const char *path, int flags, ...)
{
	OPEN_BODY(AT_FDCWD);
}

int openat(int at, const char *path, int flags, ...)
{
	OPEN_BODY(at);
}

int openat64(int at, const char *path, int flags, ...)
{
	OPEN_BODY(at);
}

/* --- writing */

static void wrote(int fd, off_t offset, const void *bytes, ssize_t n)
{
	const int64_t number = n > 0 ? number_of(fd) : -1;

	if (number < 0)
		return;
	const int flags = fcntl(fd, F_GETFL);
	note(flags & O_DSYNC ? TRACE_WRITE_SYNCED : TRACE_WRITE, (uint32_t)number, (uint64_t)offset, bytes, (size_t)n);
}

/* Where a write without an offset of its own goes. */
static off_t place(int fd)
{
	struct stat st;

	if (number_of(fd) < 0)
		return 0;
	if (fcntl(fd, F_GETFL) & O_APPEND)
		return fstat(fd, &st) == 0 ? st.st_size : 0;
	return lseek(fd, 0, SEEK_CUR);
}

ssize_t write(int fd, const void *bytes, size_t n)
{
	begin();
	const off_t offset = place(fd);
	const ssize_t done = syscall(SYS_write, fd, bytes, n);
	wrote(fd, offset, bytes, done);
	end();
	return done;
}

ssize_t pwrite(int fd, const void *bytes, size_t n, off_t offset)
{
	begin();
	const ssize_t done = syscall(SYS_pwrite64, fd, bytes, n, offset);
	wrote(fd, offset, bytes, done);
	end();
	return done;
}

ssize_t pwrite64(int fd, const void *bytes, size_t n, off_t offset)
{
	return pwrite(fd, bytes, n, offset);
}

static void wrote_all(int fd, off_t offset, const struct iovec *part, int parts, ssize_t n)
{
	for (int i = 0; i < parts && n > 0; i++) {
		const ssize_t m = n < (ssize_t)part[i].iov_len ? n : (ssize_t)part[i].iov_len;
		wrote(fd, offset, part[i].iov_base, m);
		offset += m;
		n -= m;
	}
}

ssize_t pwritev(int fd, const struct iovec *part, int parts, off_t offset)
{
	begin();
	const ssize_t done = REAL(pwritev)(fd, part, parts, offset);
	wrote_all(fd, offset, part, parts, done);
	end();
	return done;
}

ssize_t pwritev64(int fd, const struct iovec *part, int parts, off_t offset)
{
	return pwritev(fd, part, parts, offset);
}

ssize_t writev(int fd, const struct iovec *part, int parts)
{
	begin();
	const off_t offset = place(fd);
	const ssize_t done = REAL(writev)(fd, part, parts);
	wrote_all(fd, offset, part, parts, done);
	end();
	return done;
}

int ftruncate(int fd, off_t length)
{
	begin();
	const int failed = (int)syscall(SYS_ftruncate, fd, length);
	const int64_t number = failed ? -1 : number_of(fd);
	if (number >= 0)
		note(TRACE_CUT, (uint32_t)number, (uint64_t)length, NULL, 0);
	end();
	return failed;
}

int ftruncate64(int fd, off_t length)
{
	return ftruncate(fd, length);
}

/* --- syncing */

static int sync_with(long call, int fd)
{
	char link[64], path[PATH_MAX];
	uint64_t began = 0;
	struct stat st;

	begin();
	const int64_t number = number_of(fd);
	if (number >= 0)
		began = note(TRACE_SYNC_BEGINS, (uint32_t)number, 0, NULL, 0);
	end();
	const int failed = (int)syscall(call, fd);
	const int code = errno;
	begin();
	if (!failed && number >= 0)
		note(TRACE_SYNCED, (uint32_t)number, began, NULL, 0);
	if (!failed && number < 0 && fstat(fd, &st) == 0 && st.st_nlink == 0) {
		nameless[nameless_n % FILES_MOST].dev = st.st_dev;
		nameless[nameless_n++ % FILES_MOST].ino = st.st_ino;
	}
	if (!failed && fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
		snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
		const ssize_t n = readlink(link, path, sizeof path - 1);
		path[n < 0 ? 0 : n] = 0;
		const char *name = inside(AT_FDCWD, path);
		if (name)
			note(TRACE_FOLDER_SYNCED, 0, 0, name, strlen(name));
	}
	end();
	errno = code;
	return failed;
}

int fsync(int fd)
{
	return sync_with(SYS_fsync, fd);
}

int fdatasync(int fd)
{
	return sync_with(SYS_fdatasync, fd);
}

/* --- names */

int renameat(int from_at, const char *from, int to_at, const char *to)
{
	uint32_t number;

	begin();
	const int known = inside(from_at, from) && number_at(from_at, from, &number);
	forget(to_at, to);
	const int failed = (int)syscall(SYS_renameat2, from_at, from, to_at, to, 0);
	if (!failed && known) {
		const char *name = inside(to_at, to);
		if (name)
			note(TRACE_NAME, number, 0, name, strlen(name));
		unnamed(from_at, from);
	}
	end();
	return failed;
}

int rename(const char *from, const char *to)
{
	return renameat(AT_FDCWD, from, AT_FDCWD, to);
}

int linkat(int from_at, const char *from, int to_at, const char *to, int flags)
{
	struct stat st;
	uint32_t number;

	begin();
	const int failed = (int)syscall(SYS_linkat, from_at, from, to_at, to, flags);
	const char *name = failed ? NULL : inside(to_at, to);
	/* a file without a name gets one: what it holds was not recorded, but was written before */
	if (name && !number_at(to_at, to, &number) && fstatat(to_at, to, &st, 0) == 0) {
		if (files == FILES_MOST)
			give_up("too many files");
		file[files].dev = st.st_dev;
		file[files].ino = st.st_ino;
		number = files++;
		const int fd = (int)syscall(SYS_openat, to_at, to, O_RDONLY);
		char *bytes = malloc((size_t)st.st_size + 1);
		if (fd < 0 || !bytes || syscall(SYS_pread64, fd, bytes, st.st_size, 0) != st.st_size)
			give_up("a file cannot be read");
		enum trace_kind kind = TRACE_WRITE;
		for (uint32_t i = 0; i < FILES_MOST; i++)
			if (nameless[i].ino == st.st_ino && nameless[i].dev == st.st_dev)
				kind = TRACE_WRITE_SYNCED;
		note(kind, number, 0, bytes, (size_t)st.st_size);
		close(fd);
		free(bytes);
	}
	if (name) {
		name = inside(to_at, to);
		note(TRACE_NAME, number, 0, name, strlen(name));
	}
	end();
	return failed;
}

int link(const char *from, const char *to)
{
	return linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int unlinkat(int at, const char *path, int flags)
{
	begin();
	forget(at, path);
	const int failed = (int)syscall(SYS_unlinkat, at, path, flags);
	if (!failed)
		unnamed(at, path);
	end();
	return failed;
}

int unlink(const char *path)
{
	return unlinkat(AT_FDCWD, path, 0);
}
