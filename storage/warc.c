#include "storage/warc.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/output.h"
#include "base/unzstd.h"
#include "storage/cdxj.h"
#include "storage/payloads.h"
#include "storage/warc_files.h"
#include "storage/warc_items.h"

#include <errno.h>
#include <fcntl.h>
#include <libdeflate.h>
#include <nettle/sha1.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define SECTOR      512 /* of a disk */
#define ZEROS_LEAST 16
#define START_MAX   4096 /* of a first record that was cut short */

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
	*next = warc_seek(r, all, at + 1, all.n);
	if (*next == SIZE_MAX)
		return 0;
	if (is_hole(all, at, *next))
		return 1;
	return *next == all.n && (at || all.n <= START_MAX);
}

/* Reads the complete records of a file into `whole`, and writes their index, with the offsets that they will have after the
 * damaged parts are removed. Returns 1, or 0 if the file must not be changed. */
static int read_records(struct warc_span all, const char *file, struct buf *index, struct whole *whole)
{
	struct warc_reader reader;
	struct warc_item record;
	int is_ours = 1;

	warc_reader_init(&reader);
	for (size_t at = 0, next; is_ours && at < all.n; at = next) {
		const struct warc_span rest = {all.at + at, all.n - at};
		size_t n = warc_read(&reader, rest, &record);
		if (n && !at && !is_first(record.header, file))
			n = 0, is_ours = 0;
		next = at + n;
		if (n) {
			cdxj_record(index, &record, file, whole->size, n);
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
		err = cdxj_write(index_path, &index, why);
	if (all.n)
		munmap((void *)(uintptr_t)all.at, all.n);
	free(whole.stretch);
	buf_release(&index);
	return err;
}

/* Says whether the file may be this program's: a gzip or zstd file, an empty file, or one that begins with a hole. Any other file
 * is not changed. */
static int may_be_ours(int fd)
{
	char magic[4] = "";
	const ssize_t n = pread(fd, magic, sizeof magic, 0);
	const struct warc_span first = {magic, n > 0 ? (size_t)n : 0};

	/* less than a magic number may be what a kill has left of the first record */
	return n == 0 || warc_is_packed(first) || (n > 1 && !magic[0] && !magic[1]) ||
		(n > 0 && n < 4 && memchr("\x1f\x28", magic[0], 2));
}

static int mend(void *ctx, const char *path, struct err_note *why)
{
	struct buf index = BUF_EMPTY;
	int err = 0;

	(void)ctx;
	buf_add(&index, path, warc_stem(path));
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

/* Composes the records of an archive, each of which becomes a gzip member.
 *
 *     struct warc_pack p = {.level = WARC_LEVEL, .packing = WARC_GZIP};
 *     warc_make_id(id);
 *     warc_pack_begin(&p, "request", id, date);
 *     warc_pack_target(&p, "WARC-Target-URI", url);
 *     n = warc_pack_end(&p, "application/http; msgtype=request", head, body);
 *     ... further records; p.packed contains all of them ...
 *     warc_pack_clear(&p);                       for the next exchange
 *     warc_pack_release(&p);
 *
 * A thread may use a struct of its own at any time. */

#define WARC_ID_SIZE     48
#define WARC_DATE_SIZE   32
#define WARC_DIGEST_SIZE 48
#define WARC_SHA1_SIZE   20

struct warc_pack {
	struct buf text;                          /* the header of the record that was begun last */
	struct buf packed;                        /* the records that are ended, compressed */
	int level;                                /* see struct warc_settings */
	struct libdeflate_compressor *compressor; /* of this level; NULL before the first record */
	enum warc_packing packing;
	struct zstd_packer *zstd; /* NULL before the first record */
	struct warc_pack *next;   /* of those that no thread uses; they are kept, since a compressor is large */
};

#define WARC_PACK_KEPT (1u << 20)

/* Writes a new random record id, "<urn:uuid:...>". */
static void warc_make_id(char id[WARC_ID_SIZE])
{
	unsigned char b[16];

	if (getrandom(b, sizeof b, 0) != sizeof b)
		abort();
	b[6] = (unsigned char)((b[6] & 0x0f) | 0x40); /* version 4 */
	b[8] = (unsigned char)((b[8] & 0x3f) | 0x80);
	snprintf(id, WARC_ID_SIZE, "<urn:uuid:%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x>", b[0], b[1],
		b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]);
}

/* Writes a time in ms since 1970 as "2026-11-21T04:38:07.123Z". */
static void warc_make_date(char date[WARC_DATE_SIZE], int64_t ms)
{
	const struct tm tm = clock_utc(ms);
	const size_t n = strftime(date, WARC_DATE_SIZE, "%Y-%m-%dT%H:%M:%S", &tm);

	snprintf(date + n, WARC_DATE_SIZE - n, ".%03dZ", (int)(ms % 1000));
}

/* Writes a SHA-1 as "sha1:" and its base 32. */
static void warc_make_digest(char text[WARC_DIGEST_SIZE], const unsigned char digest[WARC_SHA1_SIZE])
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
	size_t n = 5;

	memcpy(text, "sha1:", n);
	for (unsigned bit = 0; bit < 8 * WARC_SHA1_SIZE; bit += 5) {
		unsigned five = 0;
		for (unsigned i = bit; i < bit + 5; i++)
			five = five << 1 | ((unsigned)digest[i / 8] >> (7 - i % 8) & 1u);
		text[n++] = letters[five];
	}
	text[n] = 0;
}

/* Begins a record with the fields WARC-Type, WARC-Record-ID and WARC-Date. */
static void warc_pack_begin(struct warc_pack *r, const char *type, const char *id, const char *date)
{
	buf_clear(&r->text);
	buf_format(&r->text, "WARC/1.1\r\nWARC-Type: %s\r\nWARC-Record-ID: %s\r\nWARC-Date: %s\r\n", type, id, date);
}

/* Adds a field to the header of the record. */
static void warc_pack_field(struct warc_pack *r, const char *name, const char *value)
{
	buf_format(&r->text, "%s: %s\r\n", name, value);
}

/* Adds a field whose value is a URL that need not end with a NUL. */
static void warc_pack_target(struct warc_pack *r, const char *name, struct warc_span url)
{
	buf_format(&r->text, "%s: %.*s\r\n", name, (int)url.n, url.at);
}

/* Ends the header with the fields Content-Type (`type`) and Content-Length, adds the block, which is `head`
 * followed by `body`, compresses the record, and appends it to `packed`. Returns the length of the compressed
 * record. */
static uint64_t warc_pack_end(struct warc_pack *r, const char *type, struct warc_span head, struct warc_span body)
{
	warc_pack_field(r, "Content-Type", type);
	buf_format(&r->text, "Content-Length: %zu\r\n\r\n", head.n + body.n);
	buf_add(&r->text, head.at, head.n);
	buf_add(&r->text, body.at, body.n);
	buf_text(&r->text, "\r\n\r\n");
	if (r->packing == WARC_ZSTD)
		return zstd_pack(&r->zstd, r->level, r->text.at, r->text.used, &r->packed);
	struct libdeflate_compressor *const c = r->compressor ? r->compressor : libdeflate_alloc_compressor(r->level);
	if (!c)
		mem_exhausted();
	r->compressor = c;
	const size_t bound = libdeflate_gzip_compress_bound(c, r->text.used);
	const size_t n = libdeflate_gzip_compress(c, r->text.at, r->text.used, buf_room(&r->packed, bound), bound);
	r->packed.used += n;
	return n;
}

/* Forgets the records, and keeps the compressor and up to WARC_PACK_KEPT bytes of memory for the next ones. */
static void warc_pack_clear(struct warc_pack *r)
{
	buf_clear(&r->text);
	buf_clear(&r->packed);
	if (r->text.room + r->packed.room > WARC_PACK_KEPT) {
		buf_release(&r->text);
		buf_release(&r->packed);
	}
}

/* Frees the memory. */
static void warc_pack_release(struct warc_pack *r)
{
	libdeflate_free_compressor(r->compressor);
	zstd_packer_free(r->zstd);
	r->compressor = NULL;
	r->zstd = NULL;
	buf_release(&r->text);
	buf_release(&r->packed);
}

struct warc {
	char *prefix, *software, *fields;
	uint64_t limit;
	int level;
	enum warc_packing packing;

	pthread_mutex_t lock; /* of all below */
	int fd;
	char *path;   /* of the file open */
	char **paths; /* n_paths: those of all files, since a struct warc_location points to them */
	size_t n_paths, paths_room;
	char stamp[16];
	unsigned number; /* of the next file */
	uint64_t size;   /* of the file open */
	int is_synced;   /* all bytes of the open file are synced */
	int is_named;    /* the file's entry in its folder is synced */
	struct payloads payloads;
	struct buf index; /* of the file open */
	struct warc_pack *idle;
	struct err_note failure;
	int failed;
};

/* --- files; the lock is held */

/* Keeps the first failure, which all later calls return. */
static int fail_with(struct warc *w, const char *text, struct err_note *why)
{
	if (!w->failed)
		w->failed = err_set(&w->failure, ERR_FILE, "%s; the archive ends there", text);
	return err_set(why, ERR_FILE, "%s", w->failure.text);
}

static int fail(struct warc *w, struct err_note *why)
{
	struct err_note note;

	err_set(&note, ERR_FILE, "cannot write '%s': %s", w->path, ascii_error(errno));
	return fail_with(w, note.text, why);
}

/* Writes the bytes to the open file; if that fails, truncates the file to its former size. */
static int write_whole(struct warc *w, const struct buf *bytes, struct err_note *why)
{
	for (size_t done = 0; done < bytes->used;) {
		const ssize_t n = write(w->fd, bytes->at + done, bytes->used - done);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			fail(w, why);
			if (ftruncate(w->fd, (off_t)w->size) == 0)
				(void)!lseek(w->fd, (off_t)w->size, SEEK_SET);
			return w->failed;
		}
		done += (size_t)n;
	}
	w->size += bytes->used;
	w->is_synced = 0;
	return 0;
}

static int write_info(struct warc *w, struct err_note *why)
{
	struct warc_pack r = {.level = w->level, .packing = w->packing};
	struct buf block = BUF_EMPTY;
	char id[WARC_ID_SIZE], date[WARC_DATE_SIZE];
	const char *name = strrchr(w->path, '/');

	warc_make_id(id);
	warc_make_date(date, clock_wall_ms());
	warc_pack_begin(&r, "warcinfo", id, date);
	warc_pack_field(&r, "WARC-Filename", name ? name + 1 : w->path);
	buf_format(&block,
		"software: %s\r\nformat: WARC File Format 1.1\r\nconformsTo: "
		"https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/\r\n%s",
		w->software, w->fields);
	warc_pack_end(&r, "application/warc-fields", (struct warc_span){block.at, block.used}, (struct warc_span){"", 0});
	const int err = write_whole(w, &r.packed, why);
	buf_release(&block);
	warc_pack_release(&r);
	return err;
}

/* Says whether another process has locked the new file, to mend it, or has removed it. Otherwise this process holds the lock as
 * long as the file is open. */
static int is_taken(int fd)
{
	struct stat st;

	if (flock(fd, LOCK_EX | LOCK_NB) != 0)
		return errno == EWOULDBLOCK;
	return fstat(fd, &st) == 0 && st.st_nlink == 0;
}

/* Makes the next file that is not there yet. */
static int open_next(struct warc *w, struct err_note *why)
{
	struct buf path = BUF_EMPTY;

	w->fd = -1;
	for (; w->fd < 0; w->number++) {
		buf_clear(&path);
		buf_format(&path, "%s-%s-%05u%s", w->prefix, w->stamp, w->number,
			w->packing == WARC_ZSTD ? ".warc.zst" : ".warc.gz");
		w->fd = open(path.at, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (w->fd < 0 && errno != EEXIST)
			break;
		if (w->fd >= 0 && is_taken(w->fd)) {
			close(w->fd);
			w->fd = -1;
		}
	}
	w->path = buf_take(&path);
	w->paths = mem_grow(w->paths, &w->paths_room, w->n_paths + 1, sizeof *w->paths);
	w->paths[w->n_paths++] = w->path;
	w->size = 0;
	w->is_synced = w->is_named = 0;
	return w->fd < 0 ? fail(w, why) : write_info(w, why);
}

static int fail_to_sync(struct warc *w, const char *path, struct err_note *why)
{
	struct err_note note;

	err_set(&note, ERR_FILE, "cannot sync '%s': %s", path, ascii_error(errno));
	return fail_with(w, note.text, why);
}

/* Syncs the complete file before its index is made: warc_mend() does not mend a file that has an index. */
static int sync_file(struct warc *w, struct err_note *why)
{
	if ((!w->is_synced && lasting_bytes(w->fd)) || (!w->is_named && lasting_name(w->path)))
		return fail_to_sync(w, w->path, why);
	w->is_synced = w->is_named = 1;
	return 0;
}

/* Closes the open file and makes its index. A file that has no record but the first, which describes the file, is removed: a
 * sitting that fetched nothing leaves no file. If the index cannot be made, the file is mended when an archive with this prefix is
 * opened again. */
static int close_file(struct warc *w, struct err_note *why)
{
	struct err_note note;
	struct buf path = BUF_EMPTY;
	const int is_empty = !w->index.used;
	int err = 0;

	if (is_empty)
		(void)!unlink(w->path);
	else
		err = sync_file(w, why);
	if (close(w->fd) != 0 && !err)
		err = fail(w, why);
	w->fd = -1;
	buf_add(&path, w->path, warc_stem(w->path));
	buf_text(&path, ".cdxj");
	if (!err && !is_empty && cdxj_write(path.at, &w->index, &note))
		err = fail_with(w, note.text, why);
	buf_release(&path);
	buf_clear(&w->index);
	return err;
}

int warc_open(struct warc **out, const char *prefix, const struct warc_settings *set, struct err_note *why)
{
	struct warc *w = *out = mem_zero(1, sizeof *w);
	const struct tm now = clock_utc(clock_wall_ms());

	w->prefix = mem_text(prefix);
	w->software = mem_text(set->software);
	w->fields = mem_text(set->fields);
	w->limit = set->limit;
	w->level = set->level;
	w->packing = set->packing;
	strftime(w->stamp, sizeof w->stamp, "%Y%m%d%H%M%S", &now);
	payloads_init(&w->payloads);
	pthread_mutex_init(&w->lock, NULL);
	int err = warc_mend(prefix, why);
	w->fd = -1;
	if (!err && set->known)
		err = payloads_load(&w->payloads, set->known, why);
	if (!err)
		err = open_next(w, why);
	if (err) {
		(void)!warc_close(w, NULL);
		*out = NULL;
	}
	return err;
}

static struct warc_pack *take_pack(struct warc *w)
{
	pthread_mutex_lock(&w->lock);
	struct warc_pack *r = w->idle;
	if (r)
		w->idle = r->next;
	pthread_mutex_unlock(&w->lock);
	if (!r) {
		r = mem_zero(1, sizeof *r);
		*r = (struct warc_pack){.level = w->level, .packing = w->packing};
	}
	return r;
}

int warc_close(struct warc *w, struct err_note *why)
{
	if (!w)
		return 0;
	int err = w->fd >= 0 ? close_file(w, why) : 0;
	for (struct warc_pack *r; (r = w->idle) != NULL; free(r)) {
		w->idle = r->next;
		warc_pack_release(r);
	}
	payloads_release(&w->payloads);
	buf_release(&w->index);
	pthread_mutex_destroy(&w->lock);
	for (size_t i = 0; i < w->n_paths; i++)
		free(w->paths[i]);
	free(w->paths);
	free(w->prefix);
	free(w->software);
	free(w->fields);
	free(w);
	return err;
}

/* Returns a descriptor of its own for the open file if something of the file has to be synced, and a copy of its path in *path;
 * -1 if there is nothing to sync. */
static int to_sync(struct warc *w, char **path)
{
	int fd = -1;

	*path = NULL;
	pthread_mutex_lock(&w->lock);
	if (!w->failed && !(w->is_synced && w->is_named) && (fd = fcntl(w->fd, F_DUPFD_CLOEXEC, 0)) >= 0) {
		*path = mem_text(w->path);
		w->is_synced = 1; /* unless more is put meanwhile */
	}
	pthread_mutex_unlock(&w->lock);
	return fd;
}

int warc_sync(struct warc *w, struct err_note *why)
{
	char *path;
	const int fd = to_sync(w, &path);

	if (fd < 0)
		return warc_failed(w, why);
	/* the lock is not held: the disk may take its time, and threads wait to put */
	int err = lasting_bytes(fd) || lasting_name(path);
	const int code = errno;
	close(fd);
	pthread_mutex_lock(&w->lock);
	errno = code;
	if (err)
		err = fail_to_sync(w, path, why);
	else if (strcmp(path, w->path) == 0)
		w->is_named = 1;
	pthread_mutex_unlock(&w->lock);
	free(path);
	return err;
}

int warc_failed(struct warc *w, struct err_note *why)
{
	pthread_mutex_lock(&w->lock);
	const int failed = w->failed;
	if (failed)
		err_set(why, ERR_FILE, "%s", w->failure.text);
	pthread_mutex_unlock(&w->lock);
	return failed;
}

/* --- exchanges */

/* What a revisit refers to; nothing where url.used is 0. */
struct original {
	struct buf url;
	int64_t time;
	int is_seconds; /* 1: the time is known in whole seconds only */
};

/* Looks up the first response with this payload: sets *original to it, or remembers this exchange as the first one. */
static void refer(struct warc *w, const struct warc_exchange *x, const unsigned char digest[WARC_SHA1_SIZE],
	struct original *original)
{
	struct first_payload first;

	pthread_mutex_lock(&w->lock);
	if (payloads_find(&w->payloads, digest, x->url.at, x->url.n, x->time, &first)) {
		buf_add(&original->url, first.url, first.n);
		original->time = first.time;
		original->is_seconds = first.is_seconds;
	}
	pthread_mutex_unlock(&w->lock);
}

/* Packs the response of an exchange; a revisit record without a body if the page has not changed (304) or if an earlier response
 * had the same payload. */
static void add_response(struct warc_pack *r, const struct warc_exchange *x, const char *id, const char *date, const char *digest,
	const struct original *original)
{
	const int unchanged = x->status == 304, is_revisit = unchanged || original->url.used;
	const struct warc_span nothing = {"", 0};
	char text[WARC_DATE_SIZE];

	warc_pack_begin(r, is_revisit ? "revisit" : "response", id, date);
	warc_pack_target(r, "WARC-Target-URI", x->url);
	if (x->address)
		warc_pack_field(r, "WARC-IP-Address", x->address);
	if (x->truncated)
		warc_pack_field(r, "WARC-Truncated", x->truncated);
	if (!unchanged)
		warc_pack_field(r, "WARC-Payload-Digest", digest);
	if (is_revisit)
		warc_pack_field(r, "WARC-Profile",
			unchanged ? "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
				  : "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest");
	if (original->url.used) {
		warc_make_date(text, original->time);
		if (original->is_seconds) /* as much of the date as is known */
			strcpy(strchr(text, '.'), "Z");
		warc_pack_target(r, "WARC-Refers-To-Target-URI", (struct warc_span){original->url.at, original->url.used});
		warc_pack_field(r, "WARC-Refers-To-Date", text);
	}
	warc_pack_end(r, "application/http; msgtype=response", x->head, is_revisit ? nothing : x->body);
}

/* Packs a record beside the response `of`, to which `field` refers. */
static void add_beside(struct warc_pack *r, const struct warc_exchange *x, const char *kind, const char *field, const char *of,
	const char *date, const char *type, struct warc_span block)
{
	char id[WARC_ID_SIZE];

	warc_make_id(id);
	warc_pack_begin(r, kind, id, date);
	warc_pack_target(r, "WARC-Target-URI", x->url);
	warc_pack_field(r, field, of);
	warc_pack_end(r, type, block, (struct warc_span){"", 0});
}

/* Appends the packed records; `first` bytes of them are the response's. Its location is put into *location. */
static int append(struct warc *w, const struct warc_exchange *x, const struct buf *packed, uint64_t first, const char *digest,
	struct warc_location *location, struct err_note *why)
{
	int err = w->failed ? err_set(why, ERR_FILE, "%s", w->failure.text) : 0;

	if (!err && w->size >= w->limit) {
		err = close_file(w, why);
		if (!err)
			err = open_next(w, why);
	}
	const uint64_t offset = w->size;
	if (!err)
		err = write_whole(w, packed, why);
	if (!err) {
		*location = (struct warc_location){w->path, offset, first, location->is_revisit};
		const char *name = strrchr(w->path, '/');
		cdxj_line(&w->index,
			&(struct cdxj_entry){x->url.at, x->url.n, x->time, x->status,
				location->is_revisit ? "warc/revisit" : x->type, digest, name ? name + 1 : w->path, offset, first});
	}
	return err;
}

int warc_put(struct warc *w, const struct warc_exchange *x, struct warc_location *location, struct err_note *why)
{
	struct warc_location at = {.path = NULL};
	struct warc_pack *const r = take_pack(w);
	struct original original = {.url = BUF_EMPTY};
	struct sha1_ctx sha;
	unsigned char digest[WARC_SHA1_SIZE];
	char id[WARC_ID_SIZE], date[WARC_DATE_SIZE], text[WARC_DIGEST_SIZE], fetch[40];

	sha1_init(&sha);
	sha1_update(&sha, x->body.n, (const uint8_t *)x->body.at);
	sha1_digest(&sha, sizeof digest, digest);
	warc_make_digest(text, digest);
	if (x->status >= 200 && x->status < 300 && x->body.n && !x->truncated)
		refer(w, x, digest, &original);
	warc_make_id(id);
	warc_make_date(date, x->time);
	add_response(r, x, id, date, text, &original);
	const uint64_t first = r->packed.used;
	add_beside(r, x, "request", "WARC-Concurrent-To", id, date, "application/http; msgtype=request", x->request);
	const int told = snprintf(fetch, sizeof fetch, "fetchTimeMs: %lld\r\n", (long long)x->duration);
	add_beside(r, x, "metadata", "WARC-Refers-To", id, date, "application/warc-fields",
		(struct warc_span){fetch, (size_t)told});
	if (x->rendered.n) /* the HTML that a browser has made of the body */
		add_beside(r, x, "conversion", "WARC-Refers-To", id, date, "text/html; charset=utf-8", x->rendered);
	pthread_mutex_lock(&w->lock);
	at.is_revisit = x->status == 304 || original.url.used;
	int err = append(w, x, &r->packed, first, text, &at, why);
	warc_pack_clear(r);
	r->next = w->idle;
	w->idle = r;
	pthread_mutex_unlock(&w->lock);
	if (location)
		*location = at;
	buf_release(&original.url);
	return err;
}
