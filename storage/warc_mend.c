#include "storage/warc_mend.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/output.h"
#include "storage/cdxj.h"
#include "storage/warc_records.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define ENDING      ".warc.gz"
#define SECTOR      512 /* of a disk */
#define ZEROS_LEAST 16
#define START_MAX   4096 /* of a first record that was cut short */
#define EMPTY_SHA_1 "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"

static char *text_of(struct warc_span s)
{
	return mem_part(s.at, s.n);
}

/* Returns the milliseconds of the ".123" that may follow a time. */
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

static int64_t time_of(struct warc_span date)
{
	char *text = text_of(date);
	struct tm tm = {0};
	const char *rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);
	const int64_t time = rest ? (int64_t)timegm(&tm) * 1000 + milliseconds(rest) : 0;

	free(text);
	return time;
}

/* Appends a line of the index for a response or a revisit; nothing for other records. */
static void add_line(struct buf *index, struct warc_span header, struct warc_span block, const char *file, uint64_t offset,
	uint64_t length)
{
	const struct warc_span kind = warc_field(header, "WARC-Type"), url = warc_field(header, "WARC-Target-URI"),
			       digest = warc_field(header, "WARC-Payload-Digest");
	const int is_revisit = kind.n == 7 && memcmp(kind.at, "revisit", 7) == 0;
	struct warc_span head, body;

	if ((!is_revisit && (kind.n != 8 || memcmp(kind.at, "response", 8) != 0)) || warc_split(block, &head, &body))
		return;
	const char *blank = memchr(head.at, ' ', head.n);
	struct warc_span type = warc_field(head, "Content-Type");
	while (type.n && memchr(type.at, ';', type.n))
		type.n--;
	while (type.n && (type.at[type.n - 1] == ' ' || type.at[type.n - 1] == '\t'))
		type.n--;
	char *type_text = text_of(type), *digest_text = text_of(digest);
	cdxj_line(index,
		&(struct cdxj_entry){url.at, url.n, time_of(warc_field(header, "WARC-Date")),
			blank ? (unsigned)strtoul(blank, NULL, 10) : 0,
			is_revisit           ? "warc/revisit"
				: *type_text ? type_text
					     : NULL,
			*digest_text ? digest_text : EMPTY_SHA_1, file, offset, length});
	free(type_text);
	free(digest_text);
}

/* Says whether a record is the first one of a file of this name, as this program writes it: a warcinfo record with the name. */
static int is_first(struct warc_span header, const char *file)
{
	const struct warc_span type = warc_field(header, "WARC-Type"), name = warc_field(header, "WARC-Filename");

	return type.n == 8 && memcmp(type.at, "warcinfo", 8) == 0 && name.n == strlen(file) && memcmp(name.at, file, name.n) == 0;
}

/* Says whether the unreadable bytes [from, to) of a file contain a hole that a power failure has left: a disk sector that was
 * never written reads as zeros. No record begins with a zero, and no compressed record has so long a run of zeros, so other
 * damage is not taken for a hole. */
static int is_hole(struct warc_span all, size_t from, size_t to)
{
	static const char zeros[SECTOR];

	for (size_t at = from, next; at < to; at = next) {
		next = (at / SECTOR + 1) * SECTOR;
		next = next < to ? next : to;
		if ((at == from || next - at >= ZEROS_LEAST) && memcmp(all.at + at, zeros, next - at) == 0)
			return 1;
	}
	return 0;
}

/* The whole records of a file, as stretches of its bytes. */
struct whole {
	struct warc_span *stretch;
	size_t n, room;
	size_t size; /* bytes of all */
};

/* Appends a record to the stretches: to the last one, if it directly follows it. */
static void keep(struct whole *w, struct warc_span record)
{
	struct warc_span *last = w->n ? &w->stretch[w->n - 1] : NULL;

	w->size += record.n;
	if (last && last->at + last->n == record.at) {
		last->n += record.n;
		return;
	}
	w->stretch = mem_grow(w->stretch, &w->room, w->n + 1, sizeof *w->stretch);
	w->stretch[w->n++] = record;
}

/* Decides what follows the last complete record, from `at` on. Sets *next to where reading continues. Returns 1 if the file may be
 * mended: the rest is a record that was cut short, or there is a hole. */
static int skip_damage(struct warc_reader *r, struct warc_span all, size_t at, size_t *next)
{
	const size_t more = warc_seek(r, (struct warc_span){all.at + at, all.n - at});

	if (more == SIZE_MAX)
		return 0;
	*next = at + more;
	if (is_hole(all, at, *next))
		return 1;
	return *next == all.n && (at || all.n <= START_MAX);
}

/* Reads the complete records of a file into `whole`, and writes their index, with the offsets that they will have after the
 * damaged parts are removed. Returns 1, or 0 if the file must not be changed. */
static int read_records(struct warc_span all, const char *file, struct buf *index, struct whole *whole)
{
	struct warc_reader reader;
	struct warc_record record;
	int is_ours = 1;

	warc_reader_init(&reader);
	for (size_t at = 0, next; is_ours && at < all.n; at = next) {
		const struct warc_span rest = {all.at + at, all.n - at};
		size_t n = warc_read(&reader, rest, &record);
		if (n && !at && !is_first(record.header, file))
			n = 0, is_ours = 0;
		next = at + n;
		if (n) {
			add_line(index, record.header, record.block, file, whole->size, n);
			keep(whole, (struct warc_span){rest.at, n});
		} else if (is_ours) {
			is_ours = skip_damage(&reader, all, at, &next);
		}
	}
	warc_reader_release(&reader);
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

/* Removes everything from a file except its complete records; removes the file if it has none. */
static int leave(int fd, const char *path, struct warc_span all, const struct whole *whole, struct err_note *why)
{
	const struct warc_span first = whole->n ? whole->stretch[0] : (struct warc_span){all.at, 0};
	int failed = 0;

	if (whole->n > 1 || first.at != all.at)
		return close_holes(path, whole, why);
	if (!whole->n)
		failed = unlink(path);
	else if (first.n < all.n)
		failed = ftruncate(fd, (off_t)first.n) || fdatasync(fd);
	return failed ? err_set(why, ERR_FILE, "cannot mend '%s': %s", path, ascii_error(errno)) : 0;
}

/* Mends an open file, which nobody else has, and makes its index. */
static int mend_open(int fd, const char *path, const char *index_path, struct err_note *why)
{
	struct buf index = BUF_EMPTY;
	struct whole whole = {0};
	const char *slash = strrchr(path, '/');
	struct stat st;
	struct warc_span all = {NULL, 0};
	int is_ours = 1, err = 0;

	int failed = fstat(fd, &st);
	if (!failed && st.st_size) {
		all.n = (size_t)st.st_size;
		all.at = mmap(NULL, all.n, PROT_READ, MAP_PRIVATE, fd, 0);
		failed = all.at == MAP_FAILED;
	}
	if (failed)
		return err_set(why, ERR_FILE, "cannot mend '%s': %s", path, ascii_error(errno));
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

/* Says whether the file may be this program's: a gzip file, an empty file, or one that begins with a hole. Any other file is not
 * changed. */
static int may_be_ours(int fd)
{
	unsigned char magic[2];
	const ssize_t n = pread(fd, magic, sizeof magic, 0);

	return n == 0 || (n == 2 && magic[0] == 0x1f && magic[1] == 0x8b) || (n == 2 && magic[0] == 0 && magic[1] == 0) ||
		(n == 1 && magic[0] == 0x1f);
}

static int mend(void *ctx, const char *path, struct err_note *why)
{
	struct buf index = BUF_EMPTY;
	int err = 0;

	(void)ctx;
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

int warc_mend(const char *prefix, struct err_note *why)
{
	return warc_each_file(prefix, mend, NULL, why);
}
