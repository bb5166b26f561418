/* An archive that a killed program left: records, parted by NULs, each packed as a gzip member; a byte
 * before them says how much of the last one is missing. */
#include "base/buf.h"
#include "storage/warc.h"
#include "tests/fuzz/fuzz_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <libdeflate.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME "/x-20310517000000-00000"

static char folder[FUZZ_FOLDER];
static char archive[64], cdxj[64];

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

static void write_archive(const struct buf *bytes)
{
	const int fd = open(archive, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	check(fd >= 0 && write(fd, bytes->at, bytes->used) == (ssize_t)bytes->used);
	close(fd);
}

/* The whole of a file; nothing where there is none. */
static void read_file(const char *path, struct buf *out)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st = {0};

	check(fd >= 0 ? fstat(fd, &st) == 0 : errno == ENOENT);
	if (fd >= 0) {
		check(read(fd, buf_room(out, (size_t)st.st_size), (size_t)st.st_size) == st.st_size);
		out->used = (size_t)st.st_size;
		close(fd);
	}
}

static void mend(struct buf *left, struct buf *index)
{
	struct err_note why;
	char prefix[64];

	unlink(cdxj);
	snprintf(prefix, sizeof prefix, "%s/x", folder);
	check(warc_mend(prefix, &why) == 0);
	read_file(archive, left);
	read_file(cdxj, index);
}

static int is_same(const struct buf *a, const struct buf *b)
{
	return a->used == b->used && (!a->used || memcmp(a->at, b->at, a->used) == 0);
}

static void make_folder(void)
{
	fuzz_folder(folder);
	snprintf(archive, sizeof archive, "%s" NAME ".warc.gz", folder);
	snprintf(cdxj, sizeof cdxj, "%s" NAME ".cdxj", folder);
}

static void remove_folder(void)
{
	unlink(archive);
	unlink(cdxj);
	rmdir(folder);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static struct libdeflate_compressor *c;
	struct buf bytes = BUF_EMPTY, left = BUF_EMPTY, index = BUF_EMPTY, again = BUF_EMPTY, same = BUF_EMPTY;

	if (n < 1)
		return 0;
	if (!c) {
		make_folder();
		atexit(remove_folder);
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
	write_archive(&bytes);
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
