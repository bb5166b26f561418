#include "graph/memory/tempfile.h"
#include "base/ascii.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORTH_IT ((size_t)1 << 18)

/* Creates a file with a name and unlinks it, for file systems without O_TMPFILE. */
static int open_named(const char *folder)
{
	struct buf path = BUF_EMPTY;

	buf_format(&path, "%s/lycosa-XXXXXX", folder);
	const int fd = mkostemp(path.at, O_CLOEXEC);
	if (fd >= 0)
		unlink(path.at);
	buf_release(&path);
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
