/* An archive that a killed program left: records, parted by NULs, each packed as a gzip member; a byte
 * before them says how much of the last one is missing. */
#include "base/buf.h"
#include "storage/warc_mend.h"

#include <errno.h>
#include <fcntl.h>
#include <libdeflate.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME "x-20310517000000-00000"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static void check(int holds)
{
	if (!holds)
		abort();
}

static void pack(struct libdeflate_compressor *c, const char *record, size_t n, struct buf *out)
{
	const size_t room = libdeflate_gzip_compress_bound(c, n);

	out->used += libdeflate_gzip_compress(c, record, n, buf_room(out, room), room);
}

static void write_file(const struct buf *bytes)
{
	const int fd = open(NAME ".warc.gz", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	check(fd >= 0 && write(fd, bytes->at, bytes->used) == (ssize_t)bytes->used);
	close(fd);
}

/* The whole of a file; nothing where there is none. */
static void read_file(const char *name, struct buf *out)
{
	const int fd = open(name, O_RDONLY | O_CLOEXEC);
	struct stat st = {0};

	check(fd >= 0 ? fstat(fd, &st) == 0 : errno == ENOENT);
	if (fd >= 0) {
		check(read(fd, buf_room(out, (size_t)st.st_size), (size_t)st.st_size) ==
			st.st_size);
		out->used = (size_t)st.st_size;
		close(fd);
	}
}

static void mend(struct buf *left, struct buf *index)
{
	struct err_note why;

	unlink(NAME ".cdxj");
	check(warc_mend("x", &why) == 0);
	read_file(NAME ".warc.gz", left);
	read_file(NAME ".cdxj", index);
}

static int is_same(const struct buf *a, const struct buf *b)
{
	return a->used == b->used && (!a->used || memcmp(a->at, b->at, a->used) == 0);
}

/* A folder of its own, in memory where there is such a place. */
static void enter_folder(void)
{
	char folder[] = "/tmp/lycosa-fuzz-XXXXXX", in_memory[] = "/dev/shm/lycosa-fuzz-XXXXXX";

	check(chdir(mkdtemp(in_memory) ? in_memory : mkdtemp(folder) ? folder : "") == 0);
}

static void leave_folder(void)
{
	char *folder = getcwd(NULL, 0);

	unlink(NAME ".warc.gz");
	unlink(NAME ".cdxj");
	if (folder)
		rmdir(folder);
	free(folder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static struct libdeflate_compressor *c;
	struct buf bytes = BUF_EMPTY, left = BUF_EMPTY, index = BUF_EMPTY, again = BUF_EMPTY,
		   same = BUF_EMPTY;

	if (n < 1)
		return 0;
	if (!c) {
		enter_folder();
		atexit(leave_folder);
		c = libdeflate_alloc_compressor(1);
		check(c != NULL);
	}
	const char *at = (const char *)data + 1, *end = (const char *)data + n, *stop;
	for (; at < end; at = stop + 1) {
		stop = memchr(at, 0, (size_t)(end - at));
		stop = stop ? stop : end;
		pack(c, at, (size_t)(stop - at), &bytes);
	}
	bytes.used -= bytes.used < data[0] ? bytes.used : data[0];
	if (!bytes.used)
		buf_byte(&bytes, '\x1f');
	write_file(&bytes);
	mend(&left, &index);
	check(left.used <= bytes.used && (!left.used || !memcmp(left.at, bytes.at, left.used)));
	check(!index.used || index.at[index.used - 1] == '\n');
	if (left.used && n % 4 == 0) { /* there is nothing more to mend; this takes as long again */
		mend(&again, &same);
		check(is_same(&left, &again) && is_same(&index, &same));
	}
	buf_release(&bytes);
	buf_release(&left);
	buf_release(&index);
	buf_release(&again);
	buf_release(&same);
	return 0;
}
