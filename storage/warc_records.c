#include "storage/warc_records.h"
#include "base/ascii.h"
#include "base/mem.h"
#include "base/gunzip.h"
#include "base/unzstd.h"

#include <dirent.h>
#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

#define RECORD_MAX ((size_t)4 << 30)   /* unpacked, all tries: records of nearly 2 GB */
#define SEARCH_MAX ((size_t)512 << 20) /* the most bytes unpacked in the search for the next record after damage */

void warc_reader_init(struct warc_reader *r)
{
	*r = (struct warc_reader){.unpacker = libdeflate_alloc_decompressor()};
	if (!r->unpacker)
		mem_exhausted();
}

void warc_reader_release(struct warc_reader *r)
{
	libdeflate_free_decompressor(r->unpacker);
	unzstd_free(r->zstd);
	buf_release(&r->text);
}

static int is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Returns the end of the field at `at`: its LF, or that of the last line that continues it. A line that begins with a space or a
 * tab does. */
static const char *field_end(const char *at, const char *end)
{
	const char *lf;

	while ((lf = memchr(at, '\n', (size_t)(end - at))) && end - lf > 1 && (lf[1] == ' ' || lf[1] == '\t'))
		at = lf + 1;
	return lf ? lf : end;
}

struct warc_span warc_field(struct warc_span header, const char *name)
{
	const char *at = header.at, *end = at + header.n;
	const size_t n = strlen(name);

	while (at < end) {
		const char *stop = field_end(at, end);
		if ((size_t)(stop - at) > n && at[n] == ':' && ascii_same(at, name, n)) {
			for (at += n + 1; at < stop && is_blank(*at);)
				at++;
			while (stop > at && is_blank(stop[-1]))
				stop--;
			return (struct warc_span){at, (size_t)(stop - at)};
		}
		at = stop + 1;
	}
	return (struct warc_span){"", 0};
}

int warc_is(struct warc_span s, const char *text)
{
	return s.n == strlen(text) && ascii_same(s.at, text, s.n);
}

int warc_split(struct warc_span all, struct warc_span *head, struct warc_span *rest)
{
	const char *blank = memmem(all.at, all.n, "\r\n\r\n", 4);

	if (!blank)
		return -1;
	*head = (struct warc_span){all.at, (size_t)(blank - all.at) + 2};
	*rest = (struct warc_span){blank + 4, all.n - head->n - 2};
	return 0;
}

/* Unpacks the gzip member at `at` into *text. Returns its packed length, or 0 if it is incomplete or damaged. *most limits the
 * bytes that all calls together may unpack, and is reduced. */
static size_t unpack(struct libdeflate_decompressor *d, struct warc_span at, struct buf *text, size_t *most)
{
	enum libdeflate_result result = LIBDEFLATE_INSUFFICIENT_SPACE;
	size_t used = 0;

	buf_clear(text);
	for (size_t room = 4096; result == LIBDEFLATE_INSUFFICIENT_SPACE && room <= *most; room *= 2) {
		result = libdeflate_gzip_decompress_ex(d, at.at, at.n, buf_room(text, room), room, &used, &text->used);
		*most -= room;
	}
	return result == LIBDEFLATE_SUCCESS ? used : 0;
}

int warc_is_packed(struct warc_span bytes)
{
	return gunzip_detect(bytes.at, bytes.n) || unzstd_detect(bytes.at, bytes.n);
}

size_t warc_unpack(struct warc_reader *r, struct warc_span bytes, size_t most)
{
	/* with the room that earlier records have needed, most members are unpacked at the first attempt */
	size_t room = r->text.room > 65536 ? r->text.room - 1 : 65536, used = 0;
	enum libdeflate_result result = LIBDEFLATE_INSUFFICIENT_SPACE;

	if (unzstd_detect(bytes.at, bytes.n)) {
		if (!r->zstd)
			r->zstd = unzstd_new();
		return unzstd_frame(r->zstd, bytes.at, bytes.n, most, &r->text);
	}
	buf_clear(&r->text);
	for (; result == LIBDEFLATE_INSUFFICIENT_SPACE && room <= 2 * most; room *= 2)
		result = libdeflate_gzip_decompress_ex(r->unpacker, bytes.at, bytes.n, buf_room(&r->text, room), room, &used,
			&r->text.used);
	return result == LIBDEFLATE_SUCCESS && r->text.used <= most ? used : 0;
}

/* Parses the text as one WARC record. Returns 1, or 0 if it is none or is incomplete. */
static int is_record(const struct buf *text, struct warc_record *out)
{
	struct warc_span rest;

	if (text->used < 10 || memcmp(text->at, "WARC/1.", 7) != 0 ||
		warc_split((struct warc_span){text->at, text->used}, &out->header, &rest))
		return 0;
	const struct warc_span length = warc_field(out->header, "Content-Length");
	const uint64_t n = length.n ? strtoull(length.at, NULL, 10) : UINT64_MAX;
	if (rest.n < 4 || n != rest.n - 4)
		return 0;
	out->block = (struct warc_span){rest.at, (size_t)n};
	return 1;
}

/* Reads a record; `most` is as in unpack(). */
static size_t read_within(struct warc_reader *r, struct warc_span bytes, size_t *most, struct warc_record *out)
{
	size_t n;

	if (unzstd_detect(bytes.at, bytes.n)) {
		n = warc_unpack(r, bytes, *most);
		*most -= r->text.used < *most ? r->text.used : *most;
	} else {
		n = unpack(r->unpacker, bytes, &r->text, most);
	}
	return n && is_record(&r->text, out) ? n : 0;
}

size_t warc_read(struct warc_reader *r, struct warc_span bytes, struct warc_record *out)
{
	size_t most = RECORD_MAX;

	return read_within(r, bytes, &most, out);
}

size_t warc_seek(struct warc_reader *r, struct warc_span bytes)
{
	const char *at = bytes.at, *end = at + bytes.n;
	struct warc_record record;
	size_t most = SEARCH_MAX;

	for (; at < end; at++) {
		if (warc_is_packed((struct warc_span){at, (size_t)(end - at)}) &&
			read_within(r, (struct warc_span){at, (size_t)(end - at)}, &most, &record))
			return (size_t)(at - bytes.at);
		if (most < SEARCH_MAX / 2)
			return SIZE_MAX;
	}
	return bytes.n;
}

size_t warc_stem(const char *path)
{
	const size_t n = strlen(path);

	return n >= 8 && strcmp(path + n - 8, ".warc.gz") == 0     ? n - 8
		: n >= 9 && strcmp(path + n - 9, ".warc.zst") == 0 ? n - 9
								   : n;
}

/* Says whether a name is that of a file with the prefix: BASE-YYYYMMDDhhmmss-NNNNN.warc.gz or .warc.zst. */
static int is_ours(const char *name, const char *base)
{
	const size_t n = strlen(base);

	if (strncmp(name, base, n) != 0 || name[n] != '-' || strspn(name + n + 1, "0123456789") != 14)
		return 0;
	name += n + 15;
	const size_t digits = *name == '-' ? strspn(name + 1, "0123456789") : 0;
	return digits >= 5 && warc_stem(name + 1 + digits) == 0 && strncmp(name + 1 + digits, ".warc.", 6) == 0;
}

int warc_each_file(const char *prefix, warc_file_fn *each, void *ctx, struct err_note *why)
{
	const char *slash = strrchr(prefix, '/'), *base = slash ? slash + 1 : prefix;
	const size_t folder = (size_t)(base - prefix);
	struct buf path = BUF_EMPTY;
	struct dirent **entry = NULL;
	int err = 0;

	buf_add(&path, prefix, folder);
	const int n = scandir(folder ? path.at : ".", &entry, NULL, alphasort);
	for (int i = 0; i < n; i++) {
		if (!err && is_ours(entry[i]->d_name, base)) {
			buf_clear(&path);
			buf_add(&path, prefix, folder);
			buf_text(&path, entry[i]->d_name);
			err = each(ctx, path.at, why);
		}
		free(entry[i]);
	}
	free(entry);
	buf_release(&path);
	return err;
}
