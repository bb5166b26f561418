#include "graph/memory/mapping.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Maps the file over a longer run of empty pages, so that it can be read beyond its end. Returns 0 or an errno. */
static int map_file(struct mapping *m, int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return errno;
	if (S_ISDIR(st.st_mode))
		return EISDIR;
	if (!S_ISREG(st.st_mode))
		return ESPIPE;
	m->size = (size_t)st.st_size;
	m->reserved = m->size + MAPPING_BEYOND;
	void *p = mmap(NULL, m->reserved, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return errno;
	m->at = p;
	if (m->size && mmap(p, m->size, PROT_READ, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED)
		return errno;
	return 0;
}

int mapping_take(struct mapping *m, int fd, const char *what, struct err_note *why)
{
	*m = (struct mapping){0};
	const int code = map_file(m, fd);
	if (!code)
		return 0;
	mapping_close(m);
	return err_set(why, ERR_FILE, "cannot open '%s': %s", what, ascii_error(code));
}

int mapping_open(struct mapping *m, const char *path, struct err_note *why)
{
	*m = (struct mapping){0};
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return err_set(why, ERR_FILE, "cannot open '%s': %s", path, ascii_error(errno));
	const int err = mapping_take(m, fd, path, why);
	close(fd);
	return err;
}

void mapping_close(struct mapping *m)
{
	if (m->at)
		munmap((void *)(uintptr_t)m->at, m->reserved);
	*m = (struct mapping){0};
}

void mapping_drop(const void *begin, const void *end)
{
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	const uintptr_t first = ((uintptr_t)begin + page - 1) / page * page;
	const uintptr_t last = (uintptr_t)end / page * page;

	if (first < last)
		madvise((void *)first, last - first, MADV_DONTNEED);
}

void mapping_prefer_large(void *array, size_t bytes)
{
#ifdef MADV_HUGEPAGE
	const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	const uintptr_t begin = ((uintptr_t)array + page - 1) / page * page;
	const uintptr_t end = ((uintptr_t)array + bytes) / page * page;

	if (bytes >= (size_t)4 << 20)
		madvise((void *)begin, end - begin, MADV_HUGEPAGE);
#else
	(void)array;
	(void)bytes;
#endif
}

#define WORTH_IT ((size_t)1 << 18)

/* Creates a file with a name and unlinks it, for file systems without O_TMPFILE. */
static int open_named(const char *folder)
{
	AUTO(buf) path = buf_of("%s/lycosa-XXXXXX", folder);
	const int fd = mkostemp(path.at, O_CLOEXEC);

	if (fd >= 0)
		unlink(path.at);
	return fd;
}

static int open_in(const char *folder)
{
	int fd = -1;
#ifdef O_TMPFILE
	fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
#endif
	return fd < 0 ? open_named(folder) : fd;
}

static int tempfile_error(const struct tempfile *t, const char *what, int code, struct err_note *why)
{
	return err_set(why, ERR_FILE, "cannot %s a temporary file in '%s': %s", what, t->folder, ascii_error(code));
}

int tempfile_open(struct tempfile *t, const char *folder, struct err_note *why)
{
	const char *usual = getenv("TMPDIR");

	*t = (struct tempfile){.folder = mem_text(folder ? folder : usual && *usual ? usual : "/tmp")};
	t->fd = open_in(t->folder);
	if (t->fd >= 0)
		return 0;
	const int err = tempfile_error(t, "make", errno, why);
	free(t->folder);
	*t = (struct tempfile){0};
	return err;
}

void tempfile_close(struct tempfile *t)
{
	if (t->folder)
		close(t->fd);
	free(t->folder);
	buf_release(&t->waiting);
	*t = (struct tempfile){0};
}

static void write_all(struct tempfile *t, const char *bytes, size_t n)
{
	while (n && !t->failed) {
		const ssize_t done = write(t->fd, bytes, n);
		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0) {
			t->failed = errno;
			break;
		}
		bytes += done;
		n -= (size_t)done;
		t->size += (uint64_t)done;
	}
}

static void write_waiting(struct tempfile *t)
{
	write_all(t, t->waiting.at, t->waiting.used);
	buf_clear(&t->waiting);
}

void tempfile_relieve(struct tempfile *t)
{
	if (t->waiting.used >= WORTH_IT)
		write_waiting(t);
}

void tempfile_add(struct tempfile *t, const void *bytes, size_t n)
{
	tempfile_relieve(t);
	if (n >= WORTH_IT) {
		write_waiting(t);
		write_all(t, bytes, n);
	} else {
		buf_add(&t->waiting, bytes, n);
	}
}

int tempfile_flush(struct tempfile *t, struct err_note *why)
{
	write_waiting(t);
	return t->failed ? tempfile_error(t, "write", t->failed, why) : 0;
}

int tempfile_read(const struct tempfile *t, uint64_t at, void *bytes, size_t n, struct err_note *why)
{
	char *to = bytes;

	while (n) {
		const ssize_t got = pread(t->fd, to, n, (off_t)at);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return tempfile_error(t, "read", got < 0 ? errno : EIO, why);
		to += got;
		at += (uint64_t)got;
		n -= (size_t)got;
	}
	return 0;
}
