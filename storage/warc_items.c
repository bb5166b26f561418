#include "storage/warc_items.h"
#include "base/ascii.h"
#include "base/input.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/gunzip.h"
#include "base/unzstd.h"
#include "base/zip.h"

#include <libdeflate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define BEGIN      "WARC/"
#define FIRST_MOST ((size_t)16 << 20)  /* unpacked bytes of a first member that is a record, and not a whole file */
#define FOUND_MOST ((size_t)64 << 20)  /* unpacked bytes of a member that is searched for */
#define DROP_BYTES ((size_t)64 << 20)  /* of a mapped file, after which the part that was read leaves the memory */
#define SEARCH_MAX ((size_t)512 << 20) /* the most bytes unpacked in the search for the next record after damage */

/* --- headers */

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

/* --- packed members */

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

int warc_is_packed(struct warc_span bytes)
{
	return gunzip_detect(bytes.at, bytes.n) || unzstd_detect(bytes.at, bytes.n);
}

/* Unpacks the gzip member or the zstd frame at the start of some bytes into r->text, at most `most` bytes. `room` is the memory of
 * the first attempt with a gzip member; *spent, which may be NULL, grows by that of all attempts. Returns the length of the packed
 * member, or 0 if it is damaged, incomplete or longer. A file whose zstd frames are packed with a dictionary begins with a frame
 * that has it, which a reader must be given before any other of that file. */
static size_t unpack_in(struct warc_reader *r, struct warc_span bytes, size_t most, size_t room, size_t *spent)
{
	enum libdeflate_result result = LIBDEFLATE_INSUFFICIENT_SPACE;
	size_t used = 0;

	if (unzstd_detect(bytes.at, bytes.n)) {
		if (!r->zstd)
			r->zstd = unzstd_new();
		used = unzstd_frame(r->zstd, bytes.at, bytes.n, most, &r->text);
		*spent += r->text.used;
		return used;
	}
	buf_clear(&r->text);
	for (; result == LIBDEFLATE_INSUFFICIENT_SPACE && room <= 2 * most; room *= 2) {
		result = libdeflate_gzip_decompress_ex(r->unpacker, bytes.at, bytes.n, buf_room(&r->text, room), room, &used,
			&r->text.used);
		*spent += room;
	}
	return result == LIBDEFLATE_SUCCESS && r->text.used <= most ? used : 0;
}

/* As above; with the room that earlier records have needed, most members are unpacked at the first attempt. */
static size_t unpack(struct warc_reader *r, struct warc_span bytes, size_t most)
{
	size_t spent = 0;

	return unpack_in(r, bytes, most, r->text.room > 65536 ? r->text.room - 1 : 65536, &spent);
}

/* Returns the bytes of the header that begins at `at`, with its blank line; 0 if it has no end. */
static size_t header_size(const char *at, size_t n)
{
	const char *p = at, *end = at + (n < WARC_HEADER_MOST ? n : WARC_HEADER_MOST), *lf;

	while ((lf = memchr(p, '\n', (size_t)(end - p))) != NULL) {
		while (*p == '\r')
			p++;
		if (lf == p)
			return (size_t)(lf + 1 - at);
		p = lf + 1;
	}
	return 0;
}

/* Parses the record at `at`. Returns its size, or 0 and says in *wrong why it is none. */
static size_t parse_item(struct warc_span text, size_t at, struct warc_item *item, const char **wrong)
{
	const char *p = text.at + at;
	const size_t left = text.n - at, head = header_size(p, left);
	char digits[24] = "";
	uint64_t n;

	*wrong = "a header without an end";
	if (!head)
		return 0;
	item->header = (struct warc_span){p, head};
	const struct warc_span length = warc_field(item->header, "Content-Length");
	memcpy(digits, length.at, length.n < sizeof digits ? length.n : sizeof digits - 1);
	*wrong = "a record without Content-Length";
	if (num_count(digits, INT64_MAX, &n))
		return 0;
	*wrong = "a record that is cut short";
	if (n > left - head)
		return 0;
	item->block = (struct warc_span){p + head, (size_t)n};
	item->size = n;
	item->stream = NULL;
	item->is_ended = left - head - n >= 4 && memcmp(p + head + n, "\r\n\r\n", 4) == 0;
	return head + (size_t)n;
}

static int begins(struct warc_span text)
{
	for (; text.n && (*text.at == '\r' || *text.at == '\n'); text.at++)
		text.n--;
	return text.n > 5 && memcmp(text.at, BEGIN, 5) == 0;
}

static struct warc_span text_of(const struct warc_reader *r)
{
	return (struct warc_span){r->text.at, r->text.used};
}

size_t warc_read(struct warc_reader *r, struct warc_span bytes, struct warc_item *out)
{
	const size_t n = warc_is_packed(bytes) ? unpack(r, bytes, WARC_ITEM_MOST) : 0;
	const char *wrong;

	if (!n || r->text.used < 8 || memcmp(r->text.at, BEGIN "1.", sizeof BEGIN + 1) != 0)
		return 0;
	const size_t size = parse_item(text_of(r), 0, out, &wrong);
	return size && out->is_ended && size + 4 == r->text.used ? n : 0;
}

size_t warc_seek(struct warc_reader *r, struct warc_span all, size_t from, size_t to)
{
	size_t spent = 0;

	for (size_t at = from; at < to; at++) {
		const struct warc_span rest = {all.at + at, all.n - at};
		if ((*rest.at == 0x1f || *rest.at == 0x28) && warc_is_packed(rest) &&
			unpack_in(r, rest, FOUND_MOST, 4096, &spent) && begins(text_of(r)))
			return at;
		if (spent > SEARCH_MAX)
			return SIZE_MAX;
	}
	return to;
}

/* --- streams */

int warc_stream_open(struct warc_stream *s, const char *path, struct err_note *why)
{
	*s = (struct warc_stream){.path = path};
	return input_open(&s->input, path, why);
}

void warc_stream_close(struct warc_stream *s)
{
	if (s->input)
		input_close(s->input);
	buf_release(&s->text);
	buf_release(&s->block);
	*s = (struct warc_stream){.path = NULL};
}

/* Reads on if no byte is left. Returns 1 if there is one, 0 at the end of the file, or an error. */
static int fill(struct warc_stream *s, struct err_note *why)
{
	int got = 1;

	while (s->n == 0 && (got = input_chunk(s->input, &s->at, &s->n, why)) > 0)
		;
	return got < 0 ? got : s->n > 0;
}

static int malformed(const struct warc_stream *s, const char *what, struct err_note *why)
{
	return err_set(why, ERR_FORMAT, "%s: record %llu %s", s->path, (unsigned long long)s->number, what);
}

int warc_stream_block(struct warc_stream *s, struct buf *out, size_t most, struct err_note *why)
{
	while (s->left && most) {
		const int got = fill(s, why);
		if (got <= 0)
			return got < 0 ? got : malformed(s, "is cut short", why);
		size_t n = s->n < most ? s->n : most;
		if (n > s->left)
			n = (size_t)s->left;
		if (out)
			buf_add(out, s->at, n);
		s->at += n;
		s->n -= n;
		s->left -= n;
		most -= n;
	}
	return 0;
}

/* Skips the block and the blank lines behind it. 1 where a record follows. */
static int skip(struct warc_stream *s, struct err_note *why)
{
	int got = warc_stream_block(s, NULL, SIZE_MAX, why);

	if (got)
		return got;
	while ((got = fill(s, why)) > 0 && (*s->at == '\r' || *s->at == '\n')) {
		s->at++;
		s->n--;
	}
	return got;
}

/* Says of the first line of a file that is no WARC file what the file is. */
static const char *other_than_warc(const char *at, size_t n)
{
	if (n > 9 && memcmp(at, "filedesc:", 9) == 0)
		return "is one of ARC, the format before WARC, which is not read: 'warcio recompress x.arc.gz x.warc.gz' makes a WARC file";
	if (n > 4 && memcmp(at, "PK", 2) == 0 && at[2] < ' ')
		return "is one of a ZIP file, such as a WACZ, that is damaged, cut short or has no WARC file";
	return "is none of a WARC file";
}

/* Reads the header to its blank line, each line with CR LF. */
static int read_header(struct warc_stream *s, struct err_note *why)
{
	size_t line = 0;
	int got;

	buf_clear(&s->text);
	while ((got = fill(s, why)) > 0) {
		const char *lf = memchr(s->at, '\n', s->n);
		const size_t n = lf ? (size_t)(lf - s->at) + 1 : s->n;
		if (s->text.used + n > WARC_HEADER_MOST)
			return malformed(s, "has a header that is too long", why);
		buf_add(&s->text, s->at, n);
		s->at += n;
		s->n -= n;
		if (!lf)
			continue;
		if (strspn(s->text.at + line, "\r") + 1 == s->text.used - line) {
			s->text.used = line;
			return 0;
		}
		line = s->text.used;
		if (memcmp(s->text.at, "WARC/", line < 5 ? line : 5) != 0)
			return malformed(s, other_than_warc(s->text.at, line), why);
	}
	return got < 0 ? got : malformed(s, "is cut short", why);
}

int warc_stream_next(struct warc_stream *s, struct err_note *why)
{
	char text[24];
	int got = skip(s, why);

	if (got <= 0)
		return got;
	buf_clear(&s->block);
	s->number++;
	int err = read_header(s, why);
	if (err)
		return err;
	s->header = (struct warc_span){s->text.at, s->text.used};
	const struct warc_span length = warc_field(s->header, "Content-Length");
	snprintf(text, sizeof text, "%.*s", (int)(length.n < 22 ? length.n : 22), length.at);
	text[strcspn(text, " \t")] = 0;
	if (num_count(text, INT64_MAX, &s->length))
		return malformed(s, "has no Content-Length", why);
	s->left = s->length;
	return 1;
}

int warc_item_block(const struct warc_item *item, size_t most, struct warc_span *block, struct err_note *why)
{
	struct warc_stream *s = item->stream;

	if (!s) {
		*block = (struct warc_span){item->block.at, item->block.n < most ? item->block.n : most};
		return 0;
	}
	if (!s->failed && most > WARC_ITEM_MOST && s->length > WARC_ITEM_MOST)
		s->failed = malformed(s, "has more than a gigabyte", &s->why);
	if (!s->failed && s->block.used < most)
		s->failed = warc_stream_block(s, &s->block, most - s->block.used, &s->why);
	*block = (struct warc_span){s->block.at ? s->block.at : "", s->block.used < most ? s->block.used : most};
	return s->failed ? err_set(why, s->failed, "%s", s->why.text) : 0;
}

int warc_item_pass(const struct warc_item *item, struct err_note *why)
{
	struct warc_stream *s = item->stream;

	if (s && !s->failed)
		s->failed = warc_stream_block(s, NULL, SIZE_MAX, &s->why);
	return s && s->failed ? err_set(why, s->failed, "%s", s->why.text) : 0;
}

/* --- the walk over the records of a file */

struct reading {
	const char *path;
	warc_item_fn *each;
	void *ctx;
	struct warc_damage *damage;
	struct warc_reader reader;
	uint64_t items;
};

static void note_damage(struct warc_damage *d, const char *path, uint64_t at, const char *what)
{
	if (!d->places++)
		err_set(&d->first, ERR_FORMAT, "'%s', byte %llu: %s", path, (unsigned long long)at, what);
}

/* Finds the next line from `at` on that begins a record. Returns its position, or n. */
static size_t find_begin(struct warc_span text, size_t at)
{
	const char *found = at < text.n ? memmem(text.at + at, text.n - at, "\n" BEGIN, sizeof BEGIN) : NULL;

	return found ? (size_t)(found + 1 - text.at) : text.n;
}

/* Says whether nothing but line ends stands in a text from `at` on. */
static int is_blank_from(struct warc_span text, size_t at)
{
	while (at < text.n && (text.at[at] == '\r' || text.at[at] == '\n'))
		at++;
	return at == text.n;
}

/* Lets what was read of a mapped file leave the memory, from *dropped to the page before `at`. */
static void drop(struct warc_span all, size_t at, size_t *dropped)
{
	const uintptr_t page = 4096, from = ((uintptr_t)all.at + *dropped + page - 1) & ~(page - 1);
	const uintptr_t to = ((uintptr_t)all.at + at) & ~(page - 1);

	if (at - *dropped <= DROP_BYTES)
		return;
	(void)!madvise((void *)from, to - from, MADV_DONTNEED);
	*dropped = (size_t)(to - (uintptr_t)all.at);
}

/* Passes the records of a text on, which is a plain file, or the gzip member of `size` bytes at `place`. */
static int take_text(struct reading *r, struct warc_span text, uint64_t place, uint64_t size, int is_plain, struct err_note *why)
{
	struct warc_item item;
	const char *wrong = "";
	size_t at = 0, dropped = 0;
	uint64_t before = r->items;
	int got = 0;

	while (!got) {
		while (at < text.n && (text.at[at] == '\r' || text.at[at] == '\n'))
			at++;
		if (at == text.n)
			break;
		const int begins = text.n - at > sizeof BEGIN && memcmp(text.at + at, BEGIN, sizeof BEGIN - 1) == 0;
		const size_t n = begins ? parse_item(text, at, &item, &wrong) : 0;
		if (n) {
			item.place = is_plain ? at : place;
			item.length = is_plain ? n + (item.is_ended ? 4 : 0) : size;
			item.is_alone = is_plain || (r->items == before && is_blank_from(text, at + n));
			item.number = ++r->items;
			got = r->each(r->ctx, &item, why);
			at += n;
		} else {
			note_damage(r->damage, r->path, is_plain ? at : place, begins ? wrong : "bytes that are no record");
			at = find_begin(text, at);
		}
		if (is_plain)
			drop(text, at, &dropped);
	}
	return got;
}

/* Says whether a file has a member for each record, by its first two members. Otherwise one member is the whole of it, or records
 * go on from one member to the next. */
static int is_by_record(struct reading *r, struct warc_span all)
{
	const size_t n = unpack(&r->reader, all, FIRST_MOST);
	struct buf *text = &r->reader.text;
	struct warc_item item;
	const size_t near = all.n < FOUND_MOST ? all.n : FOUND_MOST;
	const char *wrong;

	if (!n) /* too large, or damaged */
		return warc_seek(&r->reader, all, 1, near) < near;
	if (!text->used || n == all.n || parse_item((struct warc_span){text->at, text->used}, 0, &item, &wrong))
		return 1;
	return !unpack(&r->reader, (struct warc_span){all.at + n, all.n - n}, FIRST_MOST) ||
		(text->used > 5 && memcmp(text->at, BEGIN, 5) == 0);
}

/* Says whether bytes are zeros, with which tape blocks are padded. */
static int is_padding(struct warc_span bytes)
{
	return !bytes.at[0] && memcmp(bytes.at, bytes.at + 1, bytes.n - 1) == 0;
}

/* Passes on the records of the members that begin in a part of a mapped file. Returns as warc_items() does. */
static int take_members(struct reading *r, struct warc_span all, struct warc_part *part, struct err_note *why)
{
	const size_t to = part->to < all.n ? (size_t)part->to : all.n;
	size_t at = part->is_begun ? (size_t)part->from : warc_seek(&r->reader, all, (size_t)part->from, to), n;
	size_t dropped = at & ~(size_t)0xffff;
	int got = 0;

	at = part->is_begun || at < to ? at : to; /* the search may give up */
	part->begin = at;
	for (; at < to && !got; at += n) {
		n = unpack(&r->reader, (struct warc_span){all.at + at, all.n - at}, WARC_ITEM_MOST);
		if (n) {
			got = take_text(r, (struct warc_span){r->reader.text.at, r->reader.text.used}, at, n, 0, why);
		} else if (is_padding((struct warc_span){all.at + at, all.n - at})) {
			n = all.n - at;
		} else {
			note_damage(r->damage, r->path, at, "the packed data are damaged or cut short");
			n = warc_seek(&r->reader, all, at + 1, all.n);
			n = (n < all.n ? n : all.n) - at;
		}
		drop(all, at, &dropped);
	}
	part->end = at;
	return got;
}

/* Passes on the records of a file that can only be read from its start. Damage ends it. */
static int take_stream(struct reading *r, struct err_note *why)
{
	struct warc_stream s;
	int got = warc_stream_open(&s, r->path, why), passed = got;

	while (got >= 0 && !passed && (got = warc_stream_next(&s, &s.why)) > 0) {
		const struct warc_item item = {.header = s.header,
			.size = s.length,
			.number = s.number,
			.place = WARC_NO_PLACE,
			.is_ended = 1,
			.stream = &s};
		passed = r->each(r->ctx, &item, why);
		r->items += !s.failed;
		if (s.failed) {
			got = s.failed;
			passed = 0;
			break;
		}
	}
	if (!passed && got < 0)
		note_damage(r->damage, r->path, 0, s.why.text);
	warc_stream_close(&s);
	return passed;
}

/* Maps a file; stdin, which take_stream() opens, is none. */
static int map_file(const char *path, struct mapped *all, struct err_note *why)
{
	struct stat st;

	*all = (struct mapped){.at = ""};
	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return err_set(why, ERR_FILE, "'%s' is a folder without WARC, WAT or WACZ files", path);
	return strcmp(path, "-") == 0 ? 0 : mapped_open(all, path, why);
}

/* Gives a reader the dictionary at the start of a file of zstd frames, if there is one. */
static void take_dictionary(struct warc_reader *reader, struct warc_span all)
{
	if (unzstd_detect(all.at, all.n))
		(void)!unpack(reader, all, 0);
}

uint64_t warc_parts(const char *path, uint64_t size)
{
	struct mapped file;
	uint64_t parts = 1;

	if (map_file(path, &file, NULL) > 0 && warc_is_packed((struct warc_span){file.at, file.n}) && file.n > size)
		parts = (file.n - 1) / size + 1;
	mapped_close(&file);
	return parts;
}

int warc_items_of(const char *path, struct warc_part *part, warc_item_fn *each, void *ctx, struct warc_damage *damage,
	struct err_note *why)
{
	struct reading r = {.path = path, .each = each, .ctx = ctx, .damage = damage};
	struct mapped file;
	int got = map_file(path, &file, why);
	const struct warc_span all = {file.at, file.n};

	if (got < 0)
		return got;
	part->begin = part->from;
	part->end = UINT64_MAX;
	warc_reader_init(&r.reader);
	if (part->from)
		take_dictionary(&r.reader, all);
	if (begins(all)) {
		got = take_text(&r, all, 0, all.n, 1, why);
	} else if (warc_is_packed(all) && (part->from || is_by_record(&r, all))) {
		got = take_members(&r, all, part, why);
	} else {
		got = take_stream(&r, why);
	}
	warc_reader_release(&r.reader);
	mapped_close(&file);
	part->items = r.items;
	return got;
}

int warc_items(const char *path, warc_item_fn *each, void *ctx, struct warc_damage *damage, struct err_note *why)
{
	struct warc_part whole = {.to = UINT64_MAX, .is_begun = 1};
	int got = warc_items_of(path, &whole, each, ctx, damage, why);

	if (!got && !whole.items)
		got = err_set(why, ERR_FORMAT, "'%s' has no record of a WARC file%s%s", path, damage->places ? ": " : "",
			damage->first.text);
	return got;
}

int warc_item_at(const char *path, uint64_t place, warc_item_fn *each, void *ctx, struct err_note *why)
{
	struct warc_damage damage = {.places = 0};
	struct reading r = {.path = path, .each = each, .ctx = ctx, .damage = &damage};
	struct mapped all;
	struct warc_item item;
	const char *wrong;
	size_t n;
	int got = map_file(path, &all, why);

	if (got < 0)
		return got;
	if (place >= all.n) {
		mapped_close(&all);
		return err_set(why, ERR_FORMAT, "'%s' has no record at byte %llu", path, (unsigned long long)place);
	}
	const struct warc_span rest = {all.at + place, all.n - (size_t)place};
	warc_reader_init(&r.reader);
	if (place)
		take_dictionary(&r.reader, (struct warc_span){all.at, all.n});
	if (!warc_is_packed(rest) && (n = parse_item(rest, 0, &item, &wrong)) != 0) {
		item.place = place;
		item.length = n + (item.is_ended ? 4 : 0);
		item.is_alone = 1;
		item.number = 1;
		got = each(ctx, &item, why);
	} else if (!warc_is_packed(rest)) {
		got = err_set(why, ERR_FORMAT, "'%s': %s", path, wrong);
	} else if ((n = unpack(&r.reader, rest, WARC_ITEM_MOST)) != 0) {
		got = take_text(&r, (struct warc_span){r.reader.text.at, r.reader.text.used}, place, n, 0, why);
	} else {
		got = err_set(why, ERR_FORMAT, "'%s', byte %llu: the packed data are damaged or cut short", path,
			(unsigned long long)place);
	}
	warc_reader_release(&r.reader);
	mapped_close(&all);
	return got;
}
