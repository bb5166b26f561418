#include "base/zip.h"
#include "base/ascii.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

enum { LOCAL = 30, CENTRAL = 46, END = 22, LOCATOR_64 = 20, END_64 = 56, COMMENT_MOST = 65535 };
#define MEMBERS_MOST ((size_t)1 << 24) /* of a directory that is read */

/* Reads a number of n bytes, the lowest first. */
static uint64_t number(const char *at, unsigned n)
{
	uint64_t value = 0;

	while (n--)
		value = value << 8 | (unsigned char)at[n];
	return value;
}

/* --- the directory */

/* Where the directory lies. */
struct extent {
	uint64_t at, n, entries;
};

/* Finds the record at the end, and that of ZIP64 before it. Returns 0, or -1 if there is none. */
static int find_end(const char *all, size_t n, struct extent *out)
{
	const size_t most = n > END + COMMENT_MOST ? END + COMMENT_MOST : n;
	const char *end = NULL;

	for (size_t back = END; back <= most && !end; back++)
		if (memcmp(all + n - back, "PK\5\6", 4) == 0 && number(all + n - back + 20, 2) <= back - END)
			end = all + n - back;
	if (!end)
		return -1;
	*out = (struct extent){number(end + 16, 4), number(end + 12, 4), number(end + 10, 2)};
	if (end - all < LOCATOR_64 || memcmp(end - LOCATOR_64, "PK\6\7", 4) != 0)
		return 0;
	const uint64_t place = number(end - LOCATOR_64 + 8, 8);
	if (n < END_64 || place > n - END_64 || memcmp(all + place, "PK\6\6", 4) != 0)
		return -1;
	*out = (struct extent){number(all + place + 48, 8), number(all + place + 40, 8), number(all + place + 32, 8)};
	return 0;
}

/* Puts the sizes and the place of an entry that are too large for 32 bits into their places. */
static void read_large(const char *extra, size_t n, uint64_t *size, uint64_t *packed, uint64_t *place)
{
	uint64_t *const field[] = {size, packed, place};

	for (; n >= 4 && number(extra + 2, 2) <= n - 4; n -= 4 + number(extra + 2, 2), extra += 4 + number(extra + 2, 2)) {
		const char *at = extra + 4, *end = at + number(extra + 2, 2);
		for (size_t i = 0; number(extra, 2) == 1 && i < 3; i++)
			if (*field[i] == UINT32_MAX && end - at >= 8) {
				*field[i] = number(at, 8);
				at += 8;
			}
	}
}

/* Compares an entry with the header before its bytes, and finds these. */
static const char *find_bytes(struct zip_entry *e, const char *all, size_t n, uint64_t place, uint64_t packed, uint64_t size)
{
	const size_t name_n = strlen(e->name);

	if (place > n || n - place < LOCAL || memcmp(all + place, "PK\3\4", 4) != 0)
		return "the directory leads to no file";
	const char *head = all + place;
	const uint64_t before = LOCAL + number(head + 26, 2) + number(head + 28, 2);
	if (n - place < before || packed > n - place - before)
		return "it goes on behind the end of the ZIP file";
	if (number(head + 26, 2) != name_n || memcmp(head + LOCAL, e->name, name_n) != 0)
		return "its header has another name than the directory";
	if (number(head + 8, 2) != e->method)
		return "its header has another method than the directory";
	if (!(number(head + 6, 2) & 8) &&
		(number(head + 14, 4) != e->crc || (number(head + 18, 4) != packed && number(head + 18, 4) != UINT32_MAX) ||
			(number(head + 22, 4) != size && number(head + 22, 4) != UINT32_MAX)))
		return "its header has other sizes or another CRC than the directory";
	e->at = head + before;
	e->packed = (size_t)packed;
	e->size = (size_t)size;
	return e->flags & 1                                            ? "it is encrypted"
		: e->method != ZIP_STORED && e->method != ZIP_DEFLATED ? "it is neither stored nor deflated"
		: e->method == ZIP_STORED && packed != size            ? "it is stored and has two sizes"
								       : NULL;
}

static int by_place(const void *a, const void *b)
{
	const struct zip_entry *const *x = a, *const *y = b;

	return ((*x)->at > (*y)->at) - ((*x)->at < (*y)->at);
}

/* Finds files that lie upon each other, as those of ZIP files do that are made to be huge when they are unpacked. */
static void find_overlaps(struct zip *zip)
{
	struct zip_entry **sorted = mem_new(zip->n + 1, sizeof *sorted);
	const char *end = NULL;
	size_t n = 0;

	for (size_t i = 0; i < zip->n; i++)
		if (zip->entry[i].at)
			sorted[n++] = &zip->entry[i];
	if (n)
		qsort(sorted, n, sizeof *sorted, by_place);
	for (size_t i = 0; i < n; i++) {
		if (end && sorted[i]->at < end && !sorted[i]->wrong)
			sorted[i]->wrong = "it lies upon another file";
		if (!end || sorted[i]->at + sorted[i]->packed > end)
			end = sorted[i]->at + sorted[i]->packed;
	}
	free(sorted);
}

int zip_read(struct zip *zip, const char *all, size_t n, struct err_note *why)
{
	struct extent d;

	*zip = (struct zip){0};
	if (n < END || find_end(all, n, &d))
		return err_set(why, ERR_FORMAT, "it is no ZIP file, or its end is missing");
	if (d.at > n || d.n > n - d.at || d.entries > MEMBERS_MOST)
		return err_set(why, ERR_FORMAT, "the directory of the ZIP file is not where its end says");
	for (const char *at = all + d.at, *end = at + d.n; d.entries; d.entries--) {
		if (end - at < CENTRAL || memcmp(at, "PK\1\2", 4) != 0 ||
			(uint64_t)(end - at) < CENTRAL + number(at + 28, 2) + number(at + 30, 2) + number(at + 32, 2))
			return err_set(why, ERR_FORMAT, "the directory of the ZIP file is damaged behind entry %zu", zip->n);
		const size_t name_n = number(at + 28, 2), extra_n = number(at + 30, 2);
		uint64_t size = number(at + 24, 4), packed = number(at + 20, 4), place = number(at + 42, 4);
		read_large(at + CENTRAL + name_n, extra_n, &size, &packed, &place);
		zip->entry = mem_grow(zip->entry, &zip->room, zip->n + 1, sizeof *zip->entry);
		struct zip_entry *e = &zip->entry[zip->n++];
		*e = (struct zip_entry){.name = mem_part(at + CENTRAL, name_n),
			.flags = (unsigned)number(at + 8, 2),
			.method = (unsigned)number(at + 10, 2),
			.crc = (uint32_t)number(at + 16, 4)};
		e->wrong = find_bytes(e, all, n, place, packed, size);
		at += CENTRAL + name_n + extra_n + number(at + 32, 2);
	}
	find_overlaps(zip);
	return 0;
}

void zip_release(struct zip *zip)
{
	for (size_t i = 0; i < zip->n; i++)
		free(zip->entry[i].name);
	free(zip->entry);
	*zip = (struct zip){0};
}

const struct zip_entry *zip_find(const struct zip *zip, const char *name)
{
	for (size_t i = 0; i < zip->n; i++)
		if (strcmp(zip->entry[i].name, name) == 0)
			return &zip->entry[i];
	return NULL;
}

int zip_entry_at(const char *bytes, size_t n, const char *path, struct zip_entry *out)
{
	AUTO(zip) zip = {0};
	int is = 0;
	const int err = zip_read(&zip, bytes, n, NULL);

	for (size_t i = 0; !err && i < zip.n && !is; i++) {
		const struct zip_entry *e = &zip.entry[i];
		const size_t name_n = strlen(e->name);
		if (e->wrong || strncmp(e->name, path, name_n) != 0)
			continue;
		is = !path[name_n] ||
			(path[name_n] == '/' && e->method == ZIP_STORED && zip_entry_at(e->at, e->size, path + name_n + 1, out));
		if (!path[name_n])
			*out = *e;
	}
	return is;
}

int zip_contents(const struct zip_entry *e, size_t most, struct buf *room, const char **at, size_t *n, struct err_note *why)
{
	z_stream z = {.next_in = (Bytef *)(uintptr_t)e->at};
	int code = Z_OK;

	*at = e->at;
	*n = e->packed;
	if (e->wrong)
		return err_set(why, ERR_FORMAT, "'%s' cannot be read: %s", e->name, e->wrong);
	if (e->method == ZIP_DEFLATED) {
		buf_clear(room);
		if (e->size > most || e->packed > UINT32_MAX || e->size > UINT32_MAX - 1 || inflateInit2(&z, -MAX_WBITS) != Z_OK)
			return err_set(why, ERR_TOO_BIG, "'%s' is too large to be unpacked: %zu bytes", e->name, e->size);
		z.avail_in = (uInt)e->packed;
		z.next_out = (Bytef *)buf_room(room, e->size + 1);
		z.avail_out = (uInt)e->size + 1;
		code = inflate(&z, Z_FINISH);
		room->used = z.total_out;
		inflateEnd(&z);
		*at = room->at;
		*n = room->used;
	}
	if ((code != Z_OK && code != Z_STREAM_END) || *n != e->size || crc32_z(0, (const Bytef *)*at, *n) != e->crc)
		return err_set(why, ERR_FORMAT, "'%s' is damaged: it has not the CRC and the size that the directory says",
			e->name);
	return 0;
}

/* --- files */

size_t zip_path(const char *path)
{
	AUTO_FREE char *part = mem_text(path);
	struct stat st;
	size_t n = strlen(part);

	while (n && (stat(part, &st) || !S_ISREG(st.st_mode))) {
		while (n && part[--n] != '/')
			;
		part[n] = 0;
	}
	return n < strlen(path) ? n : 0;
}

static int map_whole(struct mapped *m, const char *path, struct err_note *why)
{
	struct stat st;
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int is = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0;

	if (fd < 0)
		return err_set(why, ERR_FILE, "cannot open '%s': %s", path, ascii_error(errno));
	if (is) {
		m->size = (size_t)st.st_size;
		m->base = mmap(NULL, m->size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (m->base == MAP_FAILED) {
			*m = (struct mapped){.at = ""};
			is = err_set(why, ERR_FILE, "cannot read '%s': %s", path, ascii_error(errno));
		}
	}
	close(fd);
	m->at = m->base ? m->base : "";
	m->n = m->size;
	return is;
}

int mapped_open(struct mapped *m, const char *path, struct err_note *why)
{
	struct zip_entry e;
	const size_t n = zip_path(path);

	*m = (struct mapped){.at = ""};
	if (!n)
		return map_whole(m, path, why);
	char *whole = mem_part(path, n);
	int got = map_whole(m, whole, why);
	free(whole);
	if (got <= 0)
		return got;
	got = zip_entry_at(m->at, m->n, path + n + 1, &e) && e.method == ZIP_STORED && e.size > 0;
	m->at = got ? e.at : "";
	m->n = got ? e.size : 0;
	return got;
}

void mapped_close(struct mapped *m)
{
	if (m->size)
		munmap(m->base, m->size);
	*m = (struct mapped){.at = ""};
}
