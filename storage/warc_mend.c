#include "storage/warc_mend.h"
#include "base/buf.h"
#include "base/mem.h"
#include "storage/cdxj.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define ENDING      ".warc.gz"
#define RECORD_MAX  ((size_t)4 << 30)   /* unpacked, all tries: records of nearly 2 GB */
#define SEARCH_MAX  ((size_t)512 << 20) /* in looking for one behind damage */
#define START_MAX   4096                /* of a first record that was cut short */
#define EMPTY_SHA_1 "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"

struct span {
	const char *at;
	size_t n;
};

/* The value of a field in a header with lines that end in CR LF; of length 0 where it is missing. */
static struct span value(struct span header, const char *name)
{
	const char *at = header.at, *end = at + header.n;
	const size_t n = strlen(name);

	while (at < end) {
		const char *lf = memchr(at, '\n', (size_t)(end - at));
		const char *stop = lf ? lf : end;
		if ((size_t)(stop - at) > n && at[n] == ':' && strncasecmp(at, name, n) == 0) {
			for (at += n + 1; at < stop && *at == ' ';)
				at++;
			stop -= stop > at && stop[-1] == '\r';
			return (struct span){at, (size_t)(stop - at)};
		}
		at = stop + 1;
	}
	return (struct span){"", 0};
}

static char *text_of(struct span s)
{
	return mem_part(s.at, s.n);
}

/* Of the ".123" that may follow a time. */
static int milliseconds(const char *fraction)
{
	int ms = 0;

	for (int i = 1, unit = 100; unit && *fraction == '.'; i++, unit /= 10) {
		if (fraction[i] < '0' || fraction[i] > '9')
			break;
		ms += unit * (fraction[i] - '0');
	}
	return ms;
}

static int64_t time_of(struct span date)
{
	char *text = text_of(date);
	struct tm tm = {0};
	const char *rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);
	const int64_t time = rest ? (int64_t)timegm(&tm) * 1000 + milliseconds(rest) : 0;

	free(text);
	return time;
}

/* Splits at the first blank line; 0, or -1 where there is none. */
static int split(struct span all, struct span *head, struct span *rest)
{
	const char *blank = memmem(all.at, all.n, "\r\n\r\n", 4);

	if (!blank)
		return -1;
	*head = (struct span){all.at, (size_t)(blank - all.at) + 2};
	*rest = (struct span){blank + 4, all.n - head->n - 2};
	return 0;
}

/* A line of the index for a response, or what stands for one; nothing for other records. */
static void add_line(struct buf *index, struct span header, struct span block, const char *file,
	uint64_t offset, uint64_t length)
{
	const struct span kind = value(header, "WARC-Type"), url = value(header, "WARC-Target-URI"),
			  digest = value(header, "WARC-Payload-Digest");
	const int is_revisit = kind.n == 7 && memcmp(kind.at, "revisit", 7) == 0;
	struct span head, body;

	if ((!is_revisit && (kind.n != 8 || memcmp(kind.at, "response", 8) != 0)) ||
		split(block, &head, &body))
		return;
	const char *blank = memchr(head.at, ' ', head.n);
	struct span type = value(head, "Content-Type");
	while (type.n && memchr(type.at, ';', type.n))
		type.n--;
	while (type.n && (type.at[type.n - 1] == ' ' || type.at[type.n - 1] == '\t'))
		type.n--;
	char *type_text = text_of(type), *digest_text = text_of(digest);
	cdxj_line(index, &(struct cdxj_entry){url.at, url.n, time_of(value(header, "WARC-Date")),
				 blank ? (unsigned)strtoul(blank, NULL, 10) : 0,
				 is_revisit   ? "warc/revisit"
				 : *type_text ? type_text
					      : NULL,
				 *digest_text ? digest_text : EMPTY_SHA_1, file, offset, length});
	free(type_text);
	free(digest_text);
}

/* Unpacks the member at `at` into *text; its length there, or 0 where it is not whole. *most is what
 * may be unpacked, all tries together, and becomes what is left of it. */
static size_t unpack(
	struct libdeflate_decompressor *d, struct span at, struct buf *text, size_t *most)
{
	enum libdeflate_result result = LIBDEFLATE_INSUFFICIENT_SPACE;
	size_t used = 0;

	buf_clear(text);
	for (size_t room = 4096; result == LIBDEFLATE_INSUFFICIENT_SPACE && room <= *most;
		room *= 2) {
		result = libdeflate_gzip_decompress_ex(
			d, at.at, at.n, buf_room(text, room), room, &used, &text->used);
		*most -= room;
	}
	return result == LIBDEFLATE_SUCCESS ? used : 0;
}

/* Whether it is a record, all of it. */
static int is_record(const struct buf *text, struct span *header, struct span *block)
{
	struct span rest;

	if (text->used < 10 || memcmp(text->at, "WARC/1.", 7) != 0 ||
		split((struct span){text->at, text->used}, header, &rest))
		return 0;
	const struct span length = value(*header, "Content-Length");
	const uint64_t n = length.n ? strtoull(length.at, NULL, 10) : UINT64_MAX;
	if (rest.n < 4 || n != rest.n - 4)
		return 0;
	*block = (struct span){rest.at, (size_t)n};
	return 1;
}

/* Whether it is the first record of a file that is called so, as this program writes it. */
static int is_first(struct span header, const char *file)
{
	const struct span type = value(header, "WARC-Type"), name = value(header, "WARC-Filename");

	return type.n == 8 && memcmp(type.at, "warcinfo", 8) == 0 && name.n == strlen(file) &&
	       memcmp(name.at, file, name.n) == 0;
}

/* The record at `at`, all of it: the length of its member, or 0 where there is none. `most` as in
 * unpack(). */
static size_t read_record(struct libdeflate_decompressor *d, struct span at, struct buf *text,
	size_t *most, struct span *header, struct span *block)
{
	const size_t n = unpack(d, at, text, most);

	return n && is_record(text, header, block) ? n : 0;
}

/* Whether a whole record stands anywhere in what could not be read on. That may be a page made to be
 * unpacked again and again: where the search gets long the answer is the careful one. */
static int has_record(
	struct libdeflate_decompressor *d, const char *at, const char *end, struct buf *text)
{
	struct span header, block;
	size_t most = SEARCH_MAX;

	for (; (at = memmem(at, (size_t)(end - at), "\x1f\x8b\x08", 3)); at++)
		if (read_record(d, (struct span){at, (size_t)(end - at)}, text, &most, &header,
			    &block) ||
			most < SEARCH_MAX / 2)
			return 1;
	return 0;
}

/* Reads the whole records that a file begins with, up to *end, into the index. Returns 1, or 0 where
 * the file is to be left as it is. */
static int read_records(struct span all, const char *file, struct buf *index, size_t *end)
{
	struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
	struct buf text = BUF_EMPTY;
	struct span header, block;
	size_t at = 0;

	if (!d)
		mem_exhausted();
	while (at < all.n) {
		const struct span rest = {all.at + at, all.n - at};
		size_t most = RECORD_MAX, n = read_record(d, rest, &text, &most, &header, &block);
		if (!n || (!at && !is_first(header, file)))
			break;
		add_line(index, header, block, file, at, n);
		at += n;
	}
	/* what was cut short is the last record: else it is damage, or another program's */
	const int is_ours =
		(at || all.n <= START_MAX) && !has_record(d, all.at + at, all.at + all.n, &text);
	libdeflate_free_decompressor(d);
	buf_release(&text);
	*end = at;
	return is_ours;
}

/* Cuts an open file, which nobody else has, and makes its index. */
static int mend_open(int fd, const char *path, const char *index_path, struct err_note *why)
{
	struct buf index = BUF_EMPTY;
	const char *slash = strrchr(path, '/');
	struct stat st;
	size_t end = 0;
	int failed = fstat(fd, &st), is_ours = 1, err = 0;

	if (!failed && st.st_size) {
		char *at = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		failed = at == MAP_FAILED;
		if (!failed) {
			is_ours = read_records((struct span){at, (size_t)st.st_size},
				slash ? slash + 1 : path, &index, &end);
			munmap(at, (size_t)st.st_size);
		}
	}
	if (!failed && is_ours)
		failed = !end                       ? unlink(path)
			 : end < (size_t)st.st_size ? ftruncate(fd, (off_t)end)
						    : 0;
	if (failed)
		err = err_set(why, ERR_FILE, "cannot mend '%s': %s", path, strerror(errno));
	else if (is_ours && end)
		err = cdxj_write(index_path, index.at, index.used, why);
	buf_release(&index);
	return err;
}

/* Whether it is a gzip file, or empty: another's file is let be. */
static int is_gzip(int fd)
{
	unsigned char magic[2];
	const ssize_t n = pread(fd, magic, sizeof magic, 0);

	return n == 0 || (n == 2 && magic[0] == 0x1f && magic[1] == 0x8b) ||
	       (n == 1 && magic[0] == 0x1f);
}

static int mend(const char *path, struct err_note *why)
{
	struct buf index = BUF_EMPTY;
	int err = 0;

	buf_add(&index, path, strlen(path) - strlen(ENDING));
	buf_text(&index, ".cdxj");
	const int fd = access(index.at, F_OK) == 0 ? -1 : open(path, O_RDWR | O_CLOEXEC);
	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 && is_gzip(fd))
		err = mend_open(fd, path, index.at, why);
	if (fd >= 0)
		close(fd);
	buf_release(&index);
	return err;
}

/* Whether a name is that of a file of the prefix: BASE-YYYYMMDDhhmmss-NNNNN.warc.gz. */
static int is_ours(const char *name, const char *base)
{
	const size_t n = strlen(base);

	if (strncmp(name, base, n) != 0 || name[n] != '-' ||
		strspn(name + n + 1, "0123456789") != 14)
		return 0;
	name += n + 15;
	const size_t digits = *name == '-' ? strspn(name + 1, "0123456789") : 0;
	return digits >= 5 && strcmp(name + 1 + digits, ENDING) == 0;
}

int warc_mend(const char *prefix, struct err_note *why)
{
	const char *slash = strrchr(prefix, '/'), *base = slash ? slash + 1 : prefix;
	const size_t folder = (size_t)(base - prefix);
	struct buf path = BUF_EMPTY;
	struct dirent *entry;
	int err = 0;

	buf_add(&path, prefix, folder);
	DIR *all = opendir(folder ? path.at : ".");
	while (all && !err && (entry = readdir(all))) {
		if (!is_ours(entry->d_name, base))
			continue;
		buf_clear(&path);
		buf_add(&path, prefix, folder);
		buf_text(&path, entry->d_name);
		err = mend(path.at, why);
	}
	if (all)
		closedir(all);
	buf_release(&path);
	return err;
}
