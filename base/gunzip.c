#include "base/gunzip.h"
#include "base/buf.h"
#include "base/mem.h"

#include <archive.h>
#include <archive_entry.h>
#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define GZIP_WRAPPER (15 + 16) /* the largest window, gzip's head and trailer */

enum place {
	WITHIN,  /* a member */
	BETWEEN, /* behind a member: another one, zeros or the end may follow */
	PADDING, /* behind zeros: only zeros may follow */
	AT_END
};

struct gunzip {
	z_stream stream;
	gunzip_source *source;
	void *ctx;
	enum place place;
};

/* Allocates for zlib; ends the program, as everywhere, if there is no memory. */
static void *allocate(void *ctx, unsigned n, unsigned size)
{
	(void)ctx;
	return mem_new(n, size);
}

static void give_back(void *ctx, void *memory)
{
	(void)ctx;
	free(memory);
}

int gunzip_detect(const void *bytes, size_t n)
{
	return n >= 3 && memcmp(bytes, "\x1f\x8b\x08", 3) == 0;
}

void gunzip_new(struct gunzip **out, gunzip_source *source, void *ctx)
{
	struct gunzip *z = mem_zero(1, sizeof *z);

	z->source = source;
	z->ctx = ctx;
	z->stream.zalloc = allocate;
	z->stream.zfree = give_back;
	const int code = inflateInit2(&z->stream, GZIP_WRAPPER);
	assert(code == Z_OK);
	(void)code;
	*out = z;
}

void gunzip_free(struct gunzip *z)
{
	if (!z)
		return;
	inflateEnd(&z->stream);
	free(z);
}

static int damaged(const struct gunzip *z, const char *path, struct err_note *why)
{
	return err_set(why, ERR_FORMAT, "cannot unpack '%s': the gzip data are damaged: %s", path,
		z->stream.msg ? z->stream.msg : "impossible data");
}

/* Reads more packed bytes if none are left. Returns 1 if there is one, 0 at the end of the file, or an error. */
static int refill(struct gunzip *z, struct err_note *why)
{
	const void *bytes = NULL;
	size_t n = 0;

	if (z->stream.avail_in)
		return 1;
	const int got = z->source(z->ctx, &bytes, &n, why);
	if (got > 0) {
		z->stream.next_in = (Bytef *)(uintptr_t)bytes;
		z->stream.avail_in = (uInt)n;
	}
	return got;
}

/* Continues after the end of a member, with at least one packed byte: skips zeros, with which tape blocks are padded, or begins
 * the next member. Returns 0 or ERR_FORMAT. */
static int go_on(struct gunzip *z, const char *path, struct err_note *why)
{
	while (z->stream.avail_in && !*z->stream.next_in) {
		z->place = PADDING;
		z->stream.next_in++;
		z->stream.avail_in--;
	}
	if (!z->stream.avail_in)
		return 0;
	if (z->place == PADDING || *z->stream.next_in != 0x1f)
		return err_set(why, ERR_FORMAT, "cannot unpack '%s': bytes that are no gzip data follow the last member", path);
	inflateReset(&z->stream);
	z->place = WITHIN;
	return 0;
}

int gunzip_read(struct gunzip *z, char *bytes, size_t room, size_t *n, const char *path, struct err_note *why)
{
	z->stream.next_out = (Bytef *)bytes;
	z->stream.avail_out = (uInt)room;
	while (z->stream.avail_out == room && z->place != AT_END) {
		const int got = refill(z, why);
		if (got < 0)
			return got;
		if (!got && z->place == WITHIN)
			return err_set(why, ERR_FORMAT, "cannot unpack '%s': the gzip data are cut short", path);
		if (!got) {
			z->place = AT_END;
		} else if (z->place != WITHIN) {
			const int err = go_on(z, path, why);
			if (err)
				return err;
		} else {
			const int code = inflate(&z->stream, Z_NO_FLUSH);
			if (code == Z_STREAM_END)
				z->place = BETWEEN;
			else if (code != Z_OK && code != Z_BUF_ERROR)
				return damaged(z, path, why);
		}
	}
	*n = room - z->stream.avail_out;
	return *n > 0;
}

#define STEP 65536u

enum gzip_end gzip_unpack(const char *bytes, size_t n, size_t max, struct buf *out)
{
	struct archive *a = archive_read_new();
	struct archive_entry *entry;
	const size_t start = out->used;
	la_ssize_t got = -1;

	if (!a)
		mem_exhausted();
	/* only the outer layer is unpacked: libarchive would otherwise also unpack compressed contents */
	archive_read_append_filter(a, ARCHIVE_FILTER_GZIP);
	archive_read_support_format_raw(a);
	if (archive_read_open_memory(a, bytes, n) == ARCHIVE_OK && archive_read_next_header(a, &entry) == ARCHIVE_OK) {
		do {
			/* room for one byte more than allowed, to detect that there are too many */
			size_t room = max - (out->used - start) + 1;
			room = room < STEP ? room : STEP;
			got = archive_read_data(a, buf_room(out, room), room);
			out->used += got > 0 ? (size_t)got : 0;
		} while (got > 0 && out->used - start <= max);
	}
	if (archive_errno(a) == ENOMEM)
		mem_exhausted();
	archive_read_free(a);
	if (out->used - start > max)
		out->used = start + max;
	buf_end(out);
	return got > 0 ? GZIP_LONG : got == 0 ? GZIP_WHOLE : GZIP_DAMAGED;
}
