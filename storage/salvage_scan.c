#include "storage/salvage_scan.h"
#include "base/ascii.h"
#include "base/mem.h"
#include "storage/lmdb_format.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUM          sizeof(uint64_t)
#define VALUE_MOST   ((size_t)1 << 28)
#define MEND_MOST    100u   /* large values of which all bits are turned: each takes about a second */
#define MEND_BYTES   70000u /* a longer value is not mended: the work grows with the square of its length */
#define TAIL_GUESSES 9      /* a checksum may end with NULs */

/* A record of a page. */
struct spot {
	struct bytes key;
	const uint8_t *in_page; /* the value and its checksum; NULL: they have pages of their own */
	uint64_t at;            /* where they lie in the file */
	size_t n;
};

static int bit(const uint64_t *bits, size_t i)
{
	return bits[i / 64] >> (i % 64) & 1;
}

/* Reads bytes of the file. Returns 0, or -1 if it ends before them or the disk cannot be read there. */
static int read_bytes(const struct salvage_scan *s, void *into, size_t n, uint64_t at)
{
	size_t got = 0;

	while (got < n) {
		const ssize_t r = pread(s->fd, (char *)into + got, n - got, (off_t)(at + got));
		if (r < 0 && errno == EINTR)
			continue;
		if (r <= 0)
			return -1;
		got += (size_t)r;
	}
	return 0;
}

/* Reads a value of its own pages, with its checksum, into s->bytes. Returns it or NULL. */
static uint8_t *read_large(struct salvage_scan *s, uint64_t at, size_t n)
{
	if (at > s->length || n > s->length - at)
		return NULL;
	buf_clear(&s->bytes);
	char *room = buf_room(&s->bytes, n);
	return read_bytes(s, room, n, at) ? NULL : (uint8_t *)room;
}

int salvage_scan_read(struct salvage_scan *s, const struct salvage_value *v, struct bytes *bytes)
{
	const uint8_t *at = v->held ? v->held : read_large(s, v->at, v->n);

	*bytes = (struct bytes){at, v->n};
	return at ? 0 : -1;
}

/* --- records */

/* Reads the record at a place of the page that is looked at. Returns 1; 0 if there can be no record; or -1 if it is the head of a tree,
 * which is no value. */
static int read_node(const struct salvage_scan *s, size_t number, size_t at, struct spot *out)
{
	struct node node;
	size_t first;

	if (at % 2 || at + sizeof node > s->page_size)
		return 0;
	memcpy(&node, s->page + at, sizeof node);
	const uint8_t *key = s->page + at + sizeof node;
	const size_t room = s->page_size - at - sizeof node;
	out->n = node.low | (size_t)node.high << 16;
	if (node.key_size == 0 || node.key_size > KEY_MOST || node.key_size > room)
		return 0;
	if (node.flags == NODE_TREE)
		return -1;
	out->key = (struct bytes){key, node.key_size};
	out->in_page = node.flags & NODE_BIG ? NULL : key + node.key_size;
	out->at = (uint64_t)number * s->page_size + at + sizeof node + node.key_size;
	if (node.flags & ~NODE_BIG || out->n == 0 || out->n > VALUE_MOST ||
		node.key_size + (out->in_page ? out->n : sizeof first) > room)
		return 0;
	if (out->in_page)
		return 1;
	memcpy(&first, key + node.key_size, sizeof first);
	out->at = (uint64_t)first * s->page_size + sizeof(struct page_head);
	return first >= FIRST_PAGE && first < s->pages && out->at + out->n <= s->length;
}

/* Returns the database of a value and its key, by the checksum; ENV_DBS: the value is damaged, or none. */
static enum env_db db_of(const struct salvage_scan *s, struct bytes key, struct bytes value)
{
	if (s->db != ENV_DBS && env_fits(s->db, key, value))
		return s->db;
	for (int db = 0; db < ENV_DBS; db++)
		if (env_fits((enum env_db)db, key, value))
			return (enum env_db)db;
	return ENV_DBS;
}

static void claim(struct salvage_scan *s, uint64_t at, size_t n)
{
	for (size_t i = (size_t)(at / s->page_size); i <= (size_t)((at + n - 1) / s->page_size) && i < s->pages; i++)
		s->claimed[i / 64] |= (uint64_t)1 << (i % 64);
}

/* Adds a sound value. `mended` are its bytes if they are not those of the file. */
static void keep(struct salvage_scan *s, enum env_db db, const struct spot *x, const uint8_t *mended, int is_listed)
{
	const size_t sum = db == ENV_META && x->n < SUM ? 0 : SUM; /* `format` has none */

	s->value = mem_grow(s->value, &s->value_room, s->values + 1, sizeof *s->value);
	s->value[s->values++] = (struct salvage_value){.db = db,
		.at = x->at,
		.n = x->n - sum,
		.held = mended ? mem_copy(mended, x->n) : NULL,
		.key = s->keys.used,
		.key_n = x->key.n,
		.is_listed = is_listed,
		.is_old = s->is_free};
	buf_add(&s->keys, x->key.at, x->key.n);
	if (!x->in_page)
		claim(s, x->at, x->n);
	s->db = db;
}

/* Keeps the value of the record at a place, if it is sound. Returns 1 if there is nothing more to look for at this place. */
static int try_place(struct salvage_scan *s, size_t number, size_t at, int is_mended, int is_listed)
{
	struct spot x;
	const int is_node = read_node(s, number, at, &x);

	if (is_node <= 0)
		return is_node < 0;
	const uint8_t *value = x.in_page ? x.in_page : read_large(s, x.at, x.n);
	if (!value)
		return 0;
	const enum env_db db = db_of(s, x.key, (struct bytes){value, x.n});
	if (db == ENV_DBS || (s->is_free && (db < ENV_HOSTS || db > ENV_LOG)))
		return 0;
	keep(s, db, &x, is_mended && x.in_page ? value : NULL, is_listed);
	return 1;
}

/* Says whether a value is a list of free pages: a number, and as many page numbers, which descend. */
static int is_free_list(const uint8_t *value, size_t n)
{
	size_t count, page, before = SIZE_MAX;

	if (n < sizeof count || n % sizeof count)
		return 0;
	memcpy(&count, value, sizeof count);
	if (count > n / sizeof count - 1)
		return 0;
	for (size_t i = 1; i <= count; i++, before = page) {
		memcpy(&page, value + i * sizeof page, sizeof page);
		if (page >= before)
			return 0;
	}
	return 1;
}

/* --- turning bits */

/* Turns each bit of a large value and of its checksum, until the value fits. Returns the database, or ENV_DBS. */
static enum env_db mend_value(struct salvage_scan *s, struct bytes key, uint8_t *value, size_t n)
{
	static const enum env_db arrays[] = {ENV_HOSTS, ENV_PAGES, ENV_RESULTS, ENV_LINKS, ENV_LOG};
	const size_t dbs = s->db == ENV_DBS ? sizeof arrays / sizeof *arrays : 1;

	if (n > MEND_BYTES || s->tries >= MEND_MOST)
		return ENV_DBS;
	s->tries++;
	for (size_t d = 0; d < dbs; d++)
		for (size_t i = 0; i < n * 8; i++) {
			const enum env_db db = dbs == 1 ? s->db : arrays[d];
			value[i / 8] ^= (uint8_t)(1u << i % 8);
			if (env_fits(db, key, (struct bytes){value, n}))
				return db;
			value[i / 8] ^= (uint8_t)(1u << i % 8);
		}
	return ENV_DBS;
}

/* Turns each bit of a record in its page, then each of its large value, until the value fits. Returns 1 if one does. */
static int mend_node(struct salvage_scan *s, size_t number, size_t at)
{
	struct spot x = {.n = 0};
	const int is_node = read_node(s, number, at, &x) > 0;
	const size_t bytes = sizeof(struct node) + (is_node ? x.key.n + (x.in_page ? x.n : sizeof(size_t)) : 2 * sizeof(size_t));

	const size_t before = s->values;
	for (size_t i = 0; i < bytes * 8 && at + i / 8 < s->page_size; i++) {
		uint8_t *byte = &s->page[at + i / 8];
		*byte ^= (uint8_t)(1u << i % 8);
		(void)try_place(s, number, at, 1, 1);
		*byte ^= (uint8_t)(1u << i % 8);
		if (s->values > before)
			return 1;
	}
	uint8_t *value = is_node && !x.in_page ? read_large(s, x.at, x.n) : NULL;
	if (!value || is_free_list(value, x.n))
		return 0;
	const enum env_db db = mend_value(s, x.key, value, x.n);
	if (db != ENV_DBS)
		keep(s, db, &x, value, 1);
	return db != ENV_DBS;
}

/* --- pages */

/* Returns how many records a page of records tells places of. */
static size_t places_of(const struct salvage_scan *s, const struct page_head *head)
{
	const size_t end = head->lower > s->page_size ? s->page_size : head->lower;

	return end > sizeof *head ? (end - sizeof *head) / 2 : 0;
}

static size_t place_at(const struct salvage_scan *s, size_t i)
{
	uint16_t at;

	memcpy(&at, s->page + sizeof(struct page_head) + 2 * i, sizeof at);
	return at;
}

static void count_lost(struct salvage_scan *s, size_t number, size_t at)
{
	struct spot x;

	if (s->db > ENV_SETTINGS && s->db < ENV_ROBOTS)
		return; /* of an array: it lacks numbers, which say what is lost */
	if (s->db == ENV_DBS || read_node(s, number, at, &x) <= 0)
		return;
	s->lost[s->db]++;
	if (s->db == ENV_SETTINGS)
		buf_format(&s->lost_settings, "%s%.*s", s->lost_settings.used ? ", " : "", (int)x.key.n, (const char *)x.key.at);
}

/* Looks for values in a page of records. */
static void scan_leaf(struct salvage_scan *s, size_t number, const struct page_head *head)
{
	const size_t places = places_of(s, head);
	uint8_t *is_done = mem_zero(s->page_size, 1); /* by place */
	size_t bad = 0;

	s->db = ENV_DBS;
	for (size_t i = 0; i < places; i++) {
		const size_t at = place_at(s, i);
		if (at < s->page_size && !is_done[at])
			is_done[at] = (uint8_t)try_place(s, number, at, 0, 1);
		bad += !s->is_free && (at >= s->page_size || !is_done[at]);
	}
	const int is_whole = head->flags == PAGE_LEAF && head->lower > sizeof *head && head->lower <= head->upper;
	for (size_t at = sizeof *head; !s->is_free && (bad || !is_whole) && at < s->page_size; at += 2)
		if (!is_done[at])
			is_done[at] = (uint8_t)try_place(s, number, at, 0, 0);
	for (size_t i = 0; bad && i < places; i++) {
		const size_t at = place_at(s, i);
		if (at < sizeof *head || at >= s->page_size || is_done[at])
			continue;
		is_done[at] = 1;
		if (!mend_node(s, number, at))
			count_lost(s, number, at);
	}
	free(is_done);
}

/* Looks at a page. One of the three signs of a page of records may be damaged. */
static void scan_page(struct salvage_scan *s, size_t number)
{
	struct page_head head;
	uint32_t pages;

	s->is_free = bit(s->free, number);
	if (read_bytes(s, s->page, s->page_size, (uint64_t)number * s->page_size))
		return;
	memcpy(&head, s->page, sizeof head);
	memcpy(&pages, &head.lower, sizeof pages);
	if (head.number == number && head.flags == PAGE_OVERFLOW && pages <= s->pages - number) {
		if (s->is_free)
			return;
		s->orphan = mem_grow(s->orphan, &s->orphan_room, s->orphans + 1, sizeof *s->orphan);
		s->orphan[s->orphans++] = (struct salvage_orphan){number, pages};
		return;
	}
	const int is_placed = head.lower >= sizeof head && head.lower <= head.upper && head.upper <= s->page_size;
	const int signs = (head.number == number) + (head.flags == PAGE_LEAF) + is_placed;
	if (signs >= 2 && !(head.number == number && head.flags == PAGE_BRANCH))
		scan_leaf(s, number, &head);
}

/* --- the file */

/* Returns the root of the tree `meta`, whose few records lie in one page; 0 if the main tree is damaged. */
static size_t find_meta(struct lmdb_check *b)
{
	size_t root = 0;

	for (size_t i = 0; lmdb_check_main(b, NULL) == 0 && !root && i < b->trees; i++)
		if (strcmp(b->named[i].name, env_db_name(ENV_META)) == 0 && b->named[i].head.depth == 1)
			root = b->named[i].head.root;
	return root;
}

/* Marks the free pages, if the file's heads and its list of free pages are sound, and finds the page of `meta`. */
static void mark_free(struct salvage_scan *s)
{
	struct file_head head[2];
	struct lmdb_check b = {0};

	if (lmdb_check_heads(s->fd, s->path, NULL) == 0 && read_bytes(s, &head[0], sizeof *head, sizeof(struct page_head)) == 0 &&
		read_bytes(s, &head[1], sizeof *head, head[0].free.pad + sizeof(struct page_head)) == 0) {
		const size_t newest = head[0].transaction > head[1].transaction ? head[0].transaction : head[1].transaction;
		const int is_open = lmdb_check_open(&b, s->fd, s->path, newest, NULL) == 0;
		if (is_open && lmdb_check_free_list(&b, NULL) == 0)
			for (size_t i = 0; i < s->pages && i < b.pages; i++)
				s->free[i / 64] |= b.taken[i / 64] & (uint64_t)1 << (i % 64);
		s->meta = is_open ? find_meta(&b) : 0;
		lmdb_check_close(&b);
	}
}

int salvage_scan(struct salvage_scan *s, const char *path, struct err_note *why)
{
	struct file_head head;
	struct stat st;

	*s = (struct salvage_scan){.path = path, .fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), .db = ENV_DBS};
	if (s->fd < 0 || fstat(s->fd, &st) || !S_ISREG(st.st_mode))
		return err_set(why, ERR_FILE, "cannot open '%s': %s", path, s->fd < 0 ? ascii_error(errno) : "it is no file");
	s->length = (uint64_t)st.st_size;
	s->page_size = (size_t)sysconf(_SC_PAGESIZE);
	if (read_bytes(s, &head, sizeof head, sizeof(struct page_head)) == 0 && head.free.pad >= PAGE_LEAST &&
		head.free.pad <= PAGE_MOST && !(head.free.pad & (head.free.pad - 1)))
		s->page_size = head.free.pad;
	s->pages = (size_t)((s->length + s->page_size - 1) / s->page_size);
	s->free = mem_zero(s->pages / 64 + 1, sizeof *s->free);
	s->claimed = mem_zero(s->pages / 64 + 1, sizeof *s->claimed);
	s->page = mem_new(s->page_size, 1);
	mark_free(s);
	for (size_t i = FIRST_PAGE; i < s->pages; i++)
		scan_page(s, i);
	s->is_free = 0;
	return 0;
}

void salvage_scan_release(struct salvage_scan *s)
{
	if (s->fd >= 0)
		close(s->fd);
	for (size_t i = 0; i < s->values; i++)
		free(s->value[i].held);
	free(s->value);
	free(s->orphan);
	free(s->free);
	free(s->claimed);
	free(s->page);
	buf_release(&s->keys);
	buf_release(&s->bytes);
	buf_release(&s->lost_settings);
}

/* --- values without a record */

/* Tries the lengths that a value on these pages may have, the likely ones first: behind the value are NULs. */
static int try_orphan(struct salvage_scan *s, const struct salvage_orphan *o, enum env_db db, struct bytes key)
{
	const size_t head = sizeof(struct page_head), room = o->pages * s->page_size - head;
	const size_t least = o->pages > 1 ? room - s->page_size + 1 : 1;
	const uint64_t at = (uint64_t)o->page * s->page_size + head;
	const uint8_t *value = read_large(s, at, room);
	size_t end = room;

	if (!value)
		return 0;
	while (end > least && !value[end - 1])
		end--;
	for (size_t i = 0; i < (o->pages > 1 ? TAIL_GUESSES : room); i++) {
		const size_t n = i < TAIL_GUESSES ? end + i : room - (i - TAIL_GUESSES);
		if (n > room || n <= SUM || !env_fits(db, key, (struct bytes){value, n}))
			continue;
		keep(s, db, &(struct spot){.key = key, .at = at, .n = n}, NULL, 0);
		return 1;
	}
	return 0;
}

int salvage_scan_orphan(struct salvage_scan *s, enum env_db db, struct bytes key)
{
	/* chunks mostly lie in the order of their numbers, so the search goes on where it ended */
	for (size_t i = 0; i < s->orphans; i++) {
		const size_t k = (s->next_orphan + i) % s->orphans;
		if (bit(s->claimed, s->orphan[k].page) || !try_orphan(s, &s->orphan[k], db, key))
			continue;
		s->next_orphan = k + 1;
		return 1;
	}
	return 0;
}
