#include "storage/warc_mend.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/output.h"
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
#define SECTOR      512                 /* of a disk */
#define ZEROS_LEAST 16
#define START_MAX   4096 /* of a first record that was cut short */
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

/* Where the next whole record stands in what could not be read on; `end` where there is none, NULL where
 * the search was given up: it may be a page made to be unpacked again and again. */
static const char *find_record(
	struct libdeflate_decompressor *d, const char *at, const char *end, struct buf *text)
{
	struct span header, block;
	size_t most = SEARCH_MAX;

	for (; (at = memmem(at, (size_t)(end - at), "\x1f\x8b\x08", 3)); at++) {
		if (read_record(
			    d, (struct span){at, (size_t)(end - at)}, text, &most, &header, &block))
			return at;
		if (most < SEARCH_MAX / 2)
			return NULL;
	}
	return end;
}

/* Whether what cannot be read, [from, to) of a file, is a hole that a power failure left: a sector of the
 * disk that was never written is zeros as far as it belongs there. No record begins with a zero, nor has a
 * packed one a run of zeros so long, so this is no damage of another kind. */
static int is_hole(struct span all, size_t from, size_t to)
{
	static const char zeros[SECTOR];

	for (size_t at = from, next; at < to; at = next) {
		next = (at / SECTOR + 1) * SECTOR;
		next = next < to ? next : to;
		if ((at == from || next - at >= ZEROS_LEAST) &&
			memcmp(all.at + at, zeros, next - at) == 0)
			return 1;
	}
	return 0;
}

/* The whole records of a file, as stretches of its bytes. */
struct whole {
	struct span *stretch;
	size_t n, room;
	size_t size; /* bytes of all */
};

/* A record more; one that follows the record before lengthens its stretch. */
static void keep(struct whole *w, struct span record)
{
	struct span *last = w->n ? &w->stretch[w->n - 1] : NULL;

	w->size += record.n;
	if (last && last->at + last->n == record.at) {
		last->n += record.n;
		return;
	}
	w->stretch = mem_grow(w->stretch, &w->room, w->n + 1, sizeof *w->stretch);
	w->stretch[w->n++] = record;
}

/* What stands behind the last whole record, from `at`: *next is where to read on. Returns whether the file
 * may be mended: the rest is a record that was cut short, or there is a hole. */
static int skip_damage(struct libdeflate_decompressor *d, struct span all, size_t at,
	struct buf *text, size_t *next)
{
	const char *found = find_record(d, all.at + at, all.at + all.n, text);

	if (!found)
		return 0;
	*next = (size_t)(found - all.at);
	if (is_hole(all, at, *next))
		return 1;
	return *next == all.n && (at || all.n <= START_MAX);
}

/* Reads the whole records of a file into `whole` and, as they will stand when nothing lies between them,
 * into the index. Returns 1, or 0 where the file is to be left as it is. */
static int read_records(struct span all, const char *file, struct buf *index, struct whole *whole)
{
	struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
	struct buf text = BUF_EMPTY;
	struct span header, block;
	int is_ours = 1;

	if (!d)
		mem_exhausted();
	for (size_t at = 0, next; is_ours && at < all.n; at = next) {
		const struct span rest = {all.at + at, all.n - at};
		size_t most = RECORD_MAX, n = read_record(d, rest, &text, &most, &header, &block);
		if (n && !at && !is_first(header, file))
			n = 0, is_ours = 0;
		next = at + n;
		if (n) {
			add_line(index, header, block, file, whole->size, n);
			keep(whole, (struct span){rest.at, n});
		} else if (is_ours) {
			is_ours = skip_damage(d, all, at, &text, &next);
		}
	}
	libdeflate_free_decompressor(d);
	buf_release(&text);
	return is_ours;
}

/* Puts the whole records in the place of the file. */
static int close_holes(const char *path, const struct whole *whole, struct err_note *why)
{
	struct output *out;
	int err = output_open(&out, path, why);

	if (err)
		return err;
	output_sync(out);
	for (size_t i = 0; i < whole->n; i++)
		output_bytes(out, whole->stretch[i].at, whole->stretch[i].n);
	return output_close(out, why);
}

/* Leaves nothing in a file but its whole records. */
static int leave(
	int fd, const char *path, struct span all, const struct whole *whole, struct err_note *why)
{
	const struct span first = whole->n ? whole->stretch[0] : (struct span){all.at, 0};
	int failed = 0;

	if (whole->n > 1 || first.at != all.at)
		return close_holes(path, whole, why);
	if (!whole->n)
		failed = unlink(path);
	else if (first.n < all.n)
		failed = ftruncate(fd, (off_t)first.n) || fdatasync(fd);
	return failed ? err_set(why, ERR_FILE, "cannot mend '%s': %s", path, strerror(errno)) : 0;
}

/* Mends an open file, which nobody else has, and makes its index. */
static int mend_open(int fd, const char *path, const char *index_path, struct err_note *why)
{
	struct buf index = BUF_EMPTY;
	struct whole whole = {0};
	const char *slash = strrchr(path, '/');
	struct stat st;
	struct span all = {NULL, 0};
	int is_ours = 1, err = 0;

	int failed = fstat(fd, &st);
	if (!failed && st.st_size) {
		all.n = (size_t)st.st_size;
		all.at = mmap(NULL, all.n, PROT_READ, MAP_PRIVATE, fd, 0);
		failed = all.at == MAP_FAILED;
	}
	if (failed)
		return err_set(why, ERR_FILE, "cannot mend '%s': %s", path, strerror(errno));
	if (all.n)
		is_ours = read_records(all, slash ? slash + 1 : path, &index, &whole);
	if (is_ours)
		err = leave(fd, path, all, &whole, why);
	if (!err && is_ours && whole.n)
		err = cdxj_write(index_path, index.at, index.used, why);
	if (all.n)
		munmap((void *)(uintptr_t)all.at, all.n);
	free(whole.stretch);
	buf_release(&index);
	return err;
}

/* Whether it is a gzip file, or empty, or begins with a hole: another's file is let be. */
static int may_be_ours(int fd)
{
	unsigned char magic[2];
	const ssize_t n = pread(fd, magic, sizeof magic, 0);

	return n == 0 || (n == 2 && magic[0] == 0x1f && magic[1] == 0x8b) ||
	       (n == 2 && magic[0] == 0 && magic[1] == 0) || (n == 1 && magic[0] == 0x1f);
}

static int mend(const char *path, struct err_note *why)
{
	struct buf index = BUF_EMPTY;
	int err = 0;

	buf_add(&index, path, strlen(path) - strlen(ENDING));
	buf_text(&index, ".cdxj");
	const int fd = access(index.at, F_OK) == 0 ? -1 : open(path, O_RDWR | O_CLOEXEC);
	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 && may_be_ours(fd))
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
