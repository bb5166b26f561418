#include "storage/warc_items.h"
#include "base/ascii.h"
#include "base/input.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/gunzip.h"
#include "base/unzstd.h"
#include "base/zip.h"
#include "storage/warc_stream.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#define BEGIN      "WARC/"
#define FIRST_MOST ((size_t)64 << 20) /* unpacked bytes of a first member that is a record, and not a whole file */
#define DROP_BYTES ((size_t)64 << 20) /* of a mapped file, after which the part that was read leaves the memory */

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

/* Returns the bytes of the header that begins at `at`, with its blank line; 0 if it has no end. */
static size_t header_size(const char *at, size_t n)
{
	const char *p = at, *end = at + (n < WARC_HEADER_MOST ? n : WARC_HEADER_MOST), *lf;

	while ((lf = memchr(p, '\n', (size_t)(end - p))) != NULL) {
		if (lf == p || (lf == p + 1 && *p == '\r'))
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
	item->is_ended = left - head - n >= 4 && memcmp(p + head + n, "\r\n\r\n", 4) == 0;
	return head + (size_t)n;
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
			got = r->each(r->ctx, &item, why);
			r->items++;
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

/* Finds the next member from `at` on and before `end` that begins a record. Returns its position, or `end`. */
static size_t find_member(struct warc_reader *reader, struct warc_span all, size_t at, size_t end)
{
	const char *const magic = gunzip_detect(all.at, all.n) ? "\x1f\x8b\x08" : "\x28\xb5\x2f\xfd";

	for (const char *p; at < end && (p = memmem(all.at + at, end - at, magic, strlen(magic))) != NULL; at++) {
		at = (size_t)(p - all.at);
		if (warc_unpack(reader, (struct warc_span){p, all.n - at}, (size_t)64 << 20) && reader->text.used > 5 &&
			memcmp(reader->text.at, BEGIN, 5) == 0)
			return at;
	}
	return end;
}

/* Says whether a file has a member for each record, by its first two members. Otherwise one member is the whole of it, or records go on from one
 * member to the next. */
static int is_by_record(struct reading *r, struct warc_span all)
{
	const size_t n = warc_unpack(&r->reader, all, FIRST_MOST);
	struct buf *text = &r->reader.text;
	struct warc_item item;
	const char *wrong;

	if (!n) /* too large, or damaged */
		return find_member(&r->reader, all, 1, all.n < FIRST_MOST ? all.n : FIRST_MOST) <
			(all.n < FIRST_MOST ? all.n : FIRST_MOST);
	if (!text->used || n == all.n || parse_item((struct warc_span){text->at, text->used}, 0, &item, &wrong))
		return 1;
	return !warc_unpack(&r->reader, (struct warc_span){all.at + n, all.n - n}, FIRST_MOST) ||
		(text->used > 5 && memcmp(text->at, BEGIN, 5) == 0);
}

/* Passes on the records of the members that begin in a part of a mapped file. Returns as warc_items() does. */
static int take_members(struct reading *r, struct warc_span all, struct warc_part *part, struct err_note *why)
{
	const size_t to = part->to < all.n ? (size_t)part->to : all.n;
	size_t at = part->is_begun ? (size_t)part->from : find_member(&r->reader, all, (size_t)part->from, to), n;
	size_t dropped = at & ~(size_t)0xffff;
	int got = 0;

	part->begin = at;
	for (; at < to && !got; at += n) {
		n = warc_unpack(&r->reader, (struct warc_span){all.at + at, all.n - at}, WARC_ITEM_MOST);
		if (n) {
			got = take_text(r, (struct warc_span){r->reader.text.at, r->reader.text.used}, at, n, 0, why);
		} else {
			note_damage(r->damage, r->path, at, "the packed data are damaged or cut short");
			n = find_member(&r->reader, all, at + 1, all.n) - at;
		}
		drop(all, at, &dropped);
	}
	part->end = at;
	return got;
}

/* Passes on the records of a file that can only be read from its start. Damage ends it. */
static int take_stream(struct reading *r, struct err_note *why)
{
	struct buf block = BUF_EMPTY;
	struct warc_stream s;
	struct err_note note;
	int got = warc_stream_open(&s, r->path, why), passed = 0;

	if (got < 0) {
		warc_stream_close(&s);
		return got;
	}
	while (!passed && (got = warc_stream_next(&s, &note)) > 0) {
		buf_clear(&block);
		if (warc_stream_block(&s, &block, WARC_ITEM_MOST, &note)) {
			got = ERR_FORMAT;
			break;
		}
		const struct warc_item item = {.header = s.header,
			.block = {block.at ? block.at : "", block.used},
			.place = WARC_NO_PLACE,
			.is_ended = 1};
		passed = r->each(r->ctx, &item, why);
		r->items++;
	}
	if (!passed && got < 0)
		note_damage(r->damage, r->path, 0, note.text);
	warc_stream_close(&s);
	buf_release(&block);
	return passed;
}

/* Maps a file; stdin, which take_stream() opens, is none. */
static int map_file(const char *path, struct mapped *all, struct err_note *why)
{
	*all = (struct mapped){.at = ""};
	return strcmp(path, "-") == 0 ? 0 : mapped_open(all, path, why);
}

/* Gives a reader the dictionary at the start of a file of zstd frames, if there is one. */
static void take_dictionary(struct warc_reader *reader, struct warc_span all)
{
	if (unzstd_detect(all.at, all.n))
		(void)!warc_unpack(reader, all, 0);
}

static int begins_with(struct warc_span all, const char *text, size_t n)
{
	return all.n >= n && memcmp(all.at, text, n) == 0;
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
	if (begins_with(all, BEGIN, 5)) {
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
		got = each(ctx, &item, why);
	} else if (!warc_is_packed(rest)) {
		got = err_set(why, ERR_FORMAT, "'%s': %s", path, wrong);
	} else if ((n = warc_unpack(&r.reader, rest, WARC_ITEM_MOST)) != 0) {
		got = take_text(&r, (struct warc_span){r.reader.text.at, r.reader.text.used}, place, n, 0, why);
	} else {
		got = err_set(why, ERR_FORMAT, "'%s', byte %llu: the packed data are damaged or cut short", path,
			(unsigned long long)place);
	}
	warc_reader_release(&r.reader);
	mapped_close(&all);
	return got;
}

/* --- the files that a text names */

void warc_files_add(struct warc_files *f, char *path)
{
	f->path = mem_grow(f->path, &f->room, f->n + 1, sizeof *f->path);
	f->path[f->n++] = path;
}

void warc_files_take(struct warc_files *f, struct warc_files *more)
{
	for (size_t i = 0; i < more->n; i++)
		warc_files_add(f, more->path[i]);
	free(more->path);
	*more = (struct warc_files){0};
}

void warc_files_release(struct warc_files *f)
{
	for (size_t i = 0; i < f->n; i++)
		free(f->path[i]);
	free(f->path);
	*f = (struct warc_files){0};
}

static int ends_in(const char *name, const char *end)
{
	const size_t n = strlen(name), m = strlen(end);

	return n > m && ascii_order(name + n - m, end) == 0;
}

/* Says whether a name is that of an archive, by its ending. */
static int is_archive_name(const char *name)
{
	static const char *const kinds[] = {".warc", ".wat", ".wacz", NULL},
				 *const packings[] = {"", ".gz", ".zst", ".xz", ".bz2", NULL};
	char end[16];

	for (size_t i = 0; kinds[i]; i++)
		for (size_t k = 0; packings[k]; k++) {
			strcat(strcpy(end, kinds[i]), packings[k]);
			if (ends_in(name, end))
				return 1;
		}
	return 0;
}

/* Says whether a file begins as a WARC file does, unpacked. */
static int is_warc(const char *path)
{
	struct input *in;
	const char *bytes;
	size_t n = 0;
	int is;

	if (input_open(&in, path, NULL))
		return 0;
	is = input_chunk(in, &bytes, &n, NULL) > 0 && n > 5 && memcmp(bytes, BEGIN, 5) == 0;
	input_close(in);
	return is;
}

static void add_member(void *ctx, const char *path)
{
	if (is_archive_name(path) && is_warc(path))
		warc_files_add(ctx, mem_text(path));
}

/* Adds a file if it is an archive: a WARC, or a ZIP file with some in it. */
static void add_path(struct warc_files *f, const char *path)
{
	if (is_warc(path))
		warc_files_add(f, mem_text(path));
	else
		input_each_member(path, add_member, f);
}

static void add_folder(struct warc_files *f, const char *folder)
{
	struct dirent **entry = NULL;
	struct stat st;
	const int n = scandir(folder, &entry, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		char *path = buf_made("%s%s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/", entry[i]->d_name);
		if (*entry[i]->d_name != '.' && lstat(path, &st) == 0) {
			if (S_ISDIR(st.st_mode))
				add_folder(f, path);
			else if (is_archive_name(path))
				add_path(f, path);
		}
		free(path);
		free(entry[i]);
	}
	free(entry);
}

/* Adds the files of a list if its first line names an archive. */
static void add_list(struct warc_files *f, const char *list)
{
	struct input *in;
	char *line;
	size_t n;

	if (input_open(&in, list, NULL))
		return;
	while (input_line(in, &line, &n, NULL) > 0) {
		const size_t before = f->n;
		if (!*line || *line == '#')
			continue;
		if (is_archive_name(line))
			add_path(f, line);
		if (f->n == before)
			break;
	}
	input_close(in);
}

/* Says whether a name fits a pattern, in which * stands for any text and ? for any byte. */
static int fits(const char *name, const char *pattern)
{
	for (; *pattern; name++, pattern++) {
		if (*pattern == '*') {
			do
				if (fits(name, pattern + 1))
					return 1;
			while (*name++);
			return 0;
		}
		if (!*name || (*pattern != '?' && *pattern != *name))
			return 0;
	}
	return !*name;
}

/* Adds the files of a folder whose names fit a pattern, the last part of the path. */
static void add_pattern(struct warc_files *f, const char *pattern)
{
	const char *slash = strrchr(pattern, '/'), *last = slash ? slash + 1 : pattern;
	char *folder = mem_part(pattern, (size_t)(last - pattern));
	struct dirent **entry = NULL;
	const int n = scandir(*folder ? folder : ".", &entry, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		char *path = buf_made("%s%s", folder, entry[i]->d_name);
		if (*entry[i]->d_name != '.' && fits(entry[i]->d_name, last))
			add_path(f, path);
		free(path);
		free(entry[i]);
	}
	free(entry);
	free(folder);
}

int warc_files_find(struct warc_files *f, const char *text)
{
	struct stat st;

	*f = (struct warc_files){0};
	if (stat(text, &st) == 0 && S_ISDIR(st.st_mode)) {
		add_folder(f, text);
	} else if (stat(text, &st) == 0 && S_ISREG(st.st_mode)) {
		add_path(f, text);
		if (!f->n)
			add_list(f, text);
	} else if (strpbrk(text, "*?")) {
		add_pattern(f, text);
	} else if (is_archive_name(text)) { /* within a ZIP file */
		add_path(f, text);
	}
	return f->n > 0;
}
