#include "base/input.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/gunzip.h"
#include "base/long_hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/unzstd.h"
#include "base/zip.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define CHUNK (1u << 16)

#define GZIP_WRAPPER (15 + 16) /* the largest window, gzip's head and trailer */

/* Where a gzip file is read. */
enum place {
	WITHIN,  /* a member */
	BETWEEN, /* behind a member: another one, zeros or the end may follow */
	PADDING, /* behind zeros: only zeros may follow */
	AT_END
};

/* How a file is packed; ARCHIVE: as libarchive says, or not at all. */
enum packing { EMPTY, GZIP, ZSTD, ARCHIVE };

/* A file within a ZIP file. */
struct member {
	z_stream z; /* of a stored file only the place in it */
	size_t packed_left, left;
	unsigned method;
	uint32_t crc, is; /* what the directory says, and that of what was read */
};

struct input {
	char *path;
	int fd; /* -1: the file is within a ZIP file */
	int is_member;
	struct mapped zip;
	struct member member;
	char *raw; /* a run of the file as it is */
	size_t raw_n;
	int raw_is_new; /* the first run was read to detect the format, and is still to be unpacked */
	enum packing packing;
	z_stream gzip;
	enum place place;
	struct unzstd *zstd;
	const char *packed; /* ZSTD: what is left of `raw` */
	size_t packed_n;
	struct archive *archive;
	char *chunk;
	struct buf line; /* a line that a chunk's end cut */
	char *at, *end;  /* what is left of the chunk, when read by lines */
	uint64_t number;
};

static int archive_problem(struct input *in, struct err_note *why)
{
	const char *text = archive_error_string(in->archive);
	const int code = archive_errno(in->archive) == EIO ? ERR_FILE : ERR_FORMAT;

	if (archive_errno(in->archive) == ENOMEM)
		mem_exhausted();
	if (text && strstr(text, "Dictionary mismatch"))
		return err_set(why, code,
			"cannot unpack '%s': it was packed by zstd with a dictionary, which is not read here; unpack it with 'zstd -d -D DICTIONARY' first",
			in->path);
	return err_set(why, code, "cannot unpack '%s': %s", in->path, text ? text : "damaged data");
}

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

/* Begins to unpack: with the window bits of a gzip file, or those of a file within a ZIP file. */
static void begin_inflate(z_stream *z, int bits)
{
	z->zalloc = allocate;
	z->zfree = give_back;
	if (inflateInit2(z, bits) != Z_OK)
		mem_exhausted();
}

/* --- files within a ZIP file */

void input_each_member(const char *path, void (*each)(void *ctx, const char *path), void *ctx)
{
	struct mapped file;
	AUTO(zip) zip = {0};
	struct map names;

	map_init(&names, sizeof(uint64_t));
	if (mapped_open(&file, path, NULL) > 0 && zip_read(&zip, file.at, file.n, NULL) == 0)
		for (size_t i = 0; i < zip.n; i++) {
			/* a name leads to one file: ten equal names within ten equal names ... would lead there 10^n times */
			const size_t before = names.used;
			map_at(&names, long_hash(zip.entry[i].name, strlen(zip.entry[i].name)));
			if (names.used == before)
				continue;
			AUTO_FREE char *whole = buf_made("%s/%s", path, zip.entry[i].name);
			if (strlen(whole) < PATH_MAX) /* packages within packages have an end */
				each(ctx, whole);
		}
	map_release(&names);
	mapped_close(&file);
}

/* Opens a path that goes on behind the name of a ZIP file. Returns 1, or 0 if there is no such file that can be read. */
static int open_member(struct input *in, const char *path)
{
	const size_t n = zip_path(path);
	AUTO_FREE char *name = mem_part(path, n);
	struct zip_entry e;

	in->is_member = n && mapped_open(&in->zip, name, NULL) > 0 && zip_entry_at(in->zip.at, in->zip.n, path + n + 1, &e);
	if (in->is_member) {
		in->member = (struct member){.crc = e.crc, .left = e.size, .method = e.method};
		in->member.z = (z_stream){.next_in = (Bytef *)(uintptr_t)e.at};
		in->member.packed_left = e.packed;
		if (e.method == ZIP_DEFLATED)
			begin_inflate(&in->member.z, -MAX_WBITS);
	}
	return in->is_member;
}

/* Reads the next part of a file within a ZIP file. Returns as read() does, or -1 if it is damaged. */
static ssize_t read_member(struct member *m, char *to)
{
	size_t got = m->left < CHUNK ? m->left : CHUNK;
	int code = Z_OK;

	if (m->method == ZIP_STORED) {
		memcpy(to, m->z.next_in, got);
		m->z.next_in += got;
	} else {
		m->z.next_out = (Bytef *)to;
		m->z.avail_out = CHUNK;
		while (m->z.avail_out && code == Z_OK) {
			const size_t most = m->packed_left < INT32_MAX ? m->packed_left : INT32_MAX;
			m->z.avail_in = (uInt)most;
			code = inflate(&m->z, Z_NO_FLUSH);
			m->packed_left -= most - m->z.avail_in;
		}
		got = CHUNK - m->z.avail_out;
	}
	m->is = (uint32_t)crc32(m->is, (const Bytef *)to, (uInt)got);
	if (got > m->left || (!got && (m->left || m->is != m->crc)))
		return -1;
	m->left -= got;
	return (ssize_t)got;
}

/* --- the file as it is */

/* Reads the next part of the file as it is, packed or not. Returns 1, 0 at the end, or ERR_FILE. */
static int read_raw(struct input *in, struct err_note *why)
{
	ssize_t got;

	if (in->raw_is_new) {
		in->raw_is_new = 0;
		return in->raw_n > 0;
	}
	do
		got = in->is_member ? read_member(&in->member, in->raw) : read(in->fd, in->raw, CHUNK);
	while (got < 0 && !in->is_member && errno == EINTR);
	if (got < 0 && in->is_member)
		return err_set(why, ERR_FORMAT, "cannot read '%s': it is damaged", in->path);
	if (got < 0)
		return err_set(why, ERR_FILE, "cannot read '%s': %s", in->path, ascii_error(errno));
	in->raw_n = (size_t)got;
	return got > 0;
}

static la_ssize_t raw_for_archive(struct archive *a, void *ctx, const void **bytes)
{
	struct input *in = ctx;
	struct err_note why;
	const int got = read_raw(in, &why);

	if (got < 0) {
		archive_set_error(a, EIO, "%s", why.text);
		return -1;
	}
	*bytes = in->raw;
	return got ? (la_ssize_t)in->raw_n : 0;
}

/* Opens a file that is compressed in another format than gzip, or not at all, by libarchive. */
static int open_archive(struct input *in, struct err_note *why)
{
	struct archive *a = in->archive = archive_read_new();
	struct archive_entry *entry;

	if (!a)
		mem_exhausted();
	archive_read_support_filter_xz(a);
	archive_read_support_filter_lzma(a);
	archive_read_support_filter_zstd(a);
	archive_read_support_filter_bzip2(a);
	archive_read_support_format_raw(a);
	archive_read_support_format_empty(a);
	if (archive_read_open(a, in, NULL, raw_for_archive, NULL) < ARCHIVE_WARN)
		return archive_problem(in, why);
	int code = archive_read_next_header(a, &entry);
	if (code == ARCHIVE_EOF) { /* an empty file */
		in->packing = EMPTY;
		return 0;
	}
	return code < ARCHIVE_WARN ? archive_problem(in, why) : 0;
}

/* Tells by its first bytes what the file is. */
static int begin(struct input *in, struct err_note *why)
{
	const int got = read_raw(in, why);

	if (got <= 0)
		return got;
	in->raw_is_new = 1;
	in->packing = gunzip_detect(in->raw, in->raw_n) ? GZIP : unzstd_detect(in->raw, in->raw_n) ? ZSTD : ARCHIVE;
	if (in->packing == GZIP)
		begin_inflate(&in->gzip, GZIP_WRAPPER);
	else if (in->packing == ZSTD)
		in->zstd = unzstd_new();
	else
		return open_archive(in, why);
	return 0;
}

int input_open(struct input **out, const char *path, struct err_note *why)
{
	struct input *in = mem_zero(1, sizeof *in);
	struct stat st;
	int err = 0;

	in->path = mem_text(strcmp(path, "-") == 0 ? "stdin" : path);
	in->raw = mem_new(CHUNK, 1);
	in->chunk = mem_new(CHUNK, 1);
	in->fd = strcmp(path, "-") == 0 ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
	const int code = errno;
	if (in->fd < 0 && code == ENOTDIR && open_member(in, path))
		err = begin(in, why);
	else if (in->fd < 0 && code == ENOTDIR && in->zip.n)
		err = err_set(why, ERR_FORMAT, "cannot read '%s': it is damaged there, or not in that ZIP file", path);
	else if (in->fd < 0)
		err = err_set(why, ERR_FILE, "cannot open '%s': %s", path, ascii_error(code));
	else if (fstat(in->fd, &st) == 0 && S_ISDIR(st.st_mode))
		err = err_set(why, ERR_FILE, "cannot read '%s': it is a folder", path);
	else
		err = begin(in, why);
	if (err) {
		input_close(in);
		in = NULL;
	}
	*out = in;
	return err;
}

void input_close(struct input *in)
{
	if (!in)
		return;
	if (in->archive)
		archive_read_free(in->archive);
	if (in->packing == GZIP)
		inflateEnd(&in->gzip);
	unzstd_free(in->zstd);
	if (in->is_member && in->member.method == ZIP_DEFLATED)
		inflateEnd(&in->member.z);
	mapped_close(&in->zip);
	if (in->fd >= 0)
		close(in->fd);
	free(in->path);
	free(in->raw);
	free(in->chunk);
	buf_release(&in->line);
	free(in);
}

/* Continues after the end of a member of a gzip file, with at least one packed byte: skips zeros, with which tape blocks are
 * padded, or begins the next member. Returns 0 or ERR_FORMAT. */
static int go_on(struct input *in, struct err_note *why)
{
	z_stream *z = &in->gzip;

	for (; z->avail_in && !*z->next_in; z->next_in++, z->avail_in--)
		in->place = PADDING;
	if (!z->avail_in)
		return 0;
	if (in->place == PADDING || *z->next_in != 0x1f)
		return err_set(why, ERR_FORMAT, "cannot unpack '%s': bytes that are no gzip data follow the last member", in->path);
	inflateReset(z);
	in->place = WITHIN;
	return 0;
}

/* Unpacks the next bytes of a gzip file, of which each member ends with the CRC-32 and the length of its contents. libarchive
 * ignores both. */
static int gunzip_chunk(struct input *in, size_t *n, struct err_note *why)
{
	z_stream *z = &in->gzip;

	z->next_out = (Bytef *)in->chunk;
	z->avail_out = CHUNK;
	while (z->avail_out == CHUNK && in->place != AT_END) {
		const int got = z->avail_in ? 1 : read_raw(in, why);
		if (got < 0)
			return got;
		if (!got && in->place == WITHIN)
			return err_set(why, ERR_FORMAT, "cannot unpack '%s': the gzip data are cut short", in->path);
		if (got && !z->avail_in) {
			z->next_in = (Bytef *)in->raw;
			z->avail_in = (uInt)in->raw_n;
		}
		if (!got) {
			in->place = AT_END;
		} else if (in->place != WITHIN) {
			const int err = go_on(in, why);
			if (err)
				return err;
		} else {
			const int code = inflate(z, Z_NO_FLUSH);
			if (code == Z_STREAM_END)
				in->place = BETWEEN;
			else if (code != Z_OK && code != Z_BUF_ERROR &&
				z->avail_out == CHUNK) /* else what came before it is given first */
				return err_set(why, ERR_FORMAT, "cannot unpack '%s': the gzip data are damaged: %s", in->path,
					z->msg ? z->msg : "impossible data");
		}
	}
	*n = CHUNK - z->avail_out;
	return *n > 0;
}

/* Unpacks the next bytes of a zstd file. */
static int unzstd_chunk(struct input *in, size_t *n, struct err_note *why)
{
	for (*n = 0; !*n;) {
		const int got = in->packed_n ? 1 : read_raw(in, why);
		if (got <= 0)
			return got ? got : unzstd_end(in->zstd, in->path, why);
		if (!in->packed_n) {
			in->packed = in->raw;
			in->packed_n = in->raw_n;
		}
		TRY(unzstd_step(in->zstd, &in->packed, &in->packed_n, in->chunk, CHUNK, n, in->path, why));
	}
	return 1;
}

int input_chunk(struct input *in, const char **bytes, size_t *n, struct err_note *why)
{
	*bytes = in->chunk;
	if (in->packing == EMPTY)
		return 0;
	if (in->packing == GZIP)
		return gunzip_chunk(in, n, why);
	if (in->packing == ZSTD)
		return unzstd_chunk(in, n, why);
	la_ssize_t got = archive_read_data(in->archive, in->chunk, CHUNK);
	if (got < 0)
		return archive_problem(in, why);
	*n = (size_t)got;
	return got > 0;
}

static int finish_line(struct input *in, char *line, size_t length, struct err_note *why)
{
	in->number++;
	if (length > INPUT_LINE_MAX)
		return err_set(why, ERR_TOO_BIG, "%s:%llu: a line of more than %u bytes", in->path, (unsigned long long)in->number,
			INPUT_LINE_MAX);
	if (memchr(line, 0, length))
		return err_set(why, ERR_FORMAT, "%s:%llu: a NUL byte; is it a text file?", in->path,
			(unsigned long long)in->number);
	return 1;
}

int input_line(struct input *in, char **line, size_t *length, struct err_note *why)
{
	buf_clear(&in->line);
	for (;;) {
		char *lf = in->at < in->end ? memchr(in->at, '\n', (size_t)(in->end - in->at)) : NULL;
		size_t n = (size_t)((lf ? lf : in->end) - in->at);
		int last = 0;
		if (lf && !in->line.used) { /* the usual case: a whole line within the chunk */
			*line = in->at;
			*length = n;
			in->at = lf + 1;
		} else {
			if (n)
				buf_add(&in->line, in->at, n);
			in->at = lf ? lf + 1 : in->end;
			if (!lf && in->line.used <= INPUT_LINE_MAX) {
				const char *bytes;
				int got = input_chunk(in, &bytes, &n, why);
				if (got < 0)
					return got;
				if (got) {
					in->at = in->chunk;
					in->end = in->chunk + n;
					continue;
				}
				last = 1;
			}
			if (last && !in->line.used)
				return 0;
			buf_end(&in->line);
			*line = in->line.at;
			*length = in->line.used;
		}
		if (*length && (*line)[*length - 1] == '\r')
			--*length;
		(*line)[*length] = 0;
		if (!in->number && *length >= 3 && memcmp(*line, "\xef\xbb\xbf", 3) == 0) {
			*line += 3;
			*length -= 3;
		}
		return finish_line(in, *line, *length, why);
	}
}

uint64_t input_line_number(const struct input *in)
{
	return in->number;
}

const char *input_path(const struct input *in)
{
	return in->path;
}

int input_all(const char *path, size_t max, char **bytes, size_t *n, struct err_note *why)
{
	struct buf all = BUF_EMPTY;
	struct input *in;
	const char *chunk = NULL;
	size_t got = 0;
	int err = input_open(&in, path, why);

	if (err)
		return err;
	while ((err = input_chunk(in, &chunk, &got, why)) > 0) {
		if (got > max - all.used) {
			err = err_set(why, ERR_TOO_BIG, "'%s' is larger than %zu bytes", path, max);
			break;
		}
		buf_add(&all, chunk, got);
	}
	input_close(in);
	if (err < 0) {
		buf_release(&all);
		return err;
	}
	*n = all.used;
	*bytes = buf_take(&all);
	return 0;
}
