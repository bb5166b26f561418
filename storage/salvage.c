#include "storage/salvage.h"
#include "base/ascii.h"
#include "base/mem.h"
#include "storage/handle.h"
#include "storage/lmdb_check.h"
#include "storage/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COMMIT_BYTES ((size_t)64 << 20) /* of values, of a commit */
#define NO_VALUE     SIZE_MAX
#define NO_END       UINT64_MAX
#define SUM          sizeof(uint64_t)
#define VALUE_MOST   ((size_t)1 << 28)
#define MEND_MOST    100u   /* large values of which all bits are turned: each takes about a second */
#define MEND_BYTES   70000u /* a longer value is not mended: the work grows with the square of its length */
#define TAIL_GUESSES 9      /* a checksum may end with NULs */

_Static_assert(SALVAGE_PARTS == ENV_DBS, "a part for each database");

/* In the order of `counts`: databases of chunks. */
static const enum env_db arrays[STORE_RUNS] = {ENV_HOSTS, ENV_PAGES, ENV_RESULTS, ENV_LINKS, ENV_LOG};

static int is_array(enum env_db db)
{
	return db >= ENV_HOSTS && db <= ENV_LOG;
}

/* A value that was found; or, for a range of records that is lost, a chunk without bytes, which no reader takes for a chunk. */
struct value {
	enum env_db db;
	uint64_t at;       /* where it lies in the file */
	uint8_t *held;     /* its bytes, if a bit was turned back; else NULL */
	size_t n;          /* its bytes, without the checksum */
	size_t key, key_n; /* its key is in `keys` */
	int is_listed;     /* its page tells its place */
	int is_old;        /* its page is free: it is an earlier form of a chunk, which has fewer records */
	int is_kept;       /* it is written into the new file */
};

struct orphan {
	size_t page, pages;
};

struct salvage {
	struct salvage_report *report;
	const char *path; /* borrowed */
	int fd;
	uint64_t length; /* of the file */
	size_t page_size, pages;
	size_t meta;              /* the page of the database `meta` in the last commit; 0: the file does not tell it */
	uint64_t *free, *claimed; /* a bit for each page: it is free; it is part of a value that was found */
	struct value *value;      /* once all are found, by database and key, the best of each key first */
	size_t values, value_room;
	struct buf keys;
	struct orphan *orphan; /* the large values that were met, by their first pages */
	size_t orphans, orphan_room, next_orphan;
	unsigned tries; /* damaged large values of which all bits were turned */
	uint8_t *page;
	struct buf bytes;
	enum env_db db; /* of the page that is looked at; ENV_DBS: not known yet */
	int is_free;    /* the page that is looked at is free */
	/* the records whose key can be read, and whose value is damaged, of a database whose keys are no numbers */
	unsigned lost[ENV_DBS];
	struct buf lost_settings; /* the names of those that are settings, with ", " between them */
	uint64_t n[STORE_RUNS];   /* the records of each array; 0 in a store without `counts` until its chunks are known */
	int has_counts, has_gaps;
	struct buf counts; /* the value of `counts` if none was found */
	size_t next;       /* the value that is written next */
	size_t batch_end;
};

static struct bytes key_of(const struct salvage *s, const struct value *v)
{
	return (struct bytes){s->keys.at + v->key, v->key_n};
}

/* Adds a value with its key. */
static struct value *add_value(struct salvage *s, struct value v, struct bytes key)
{
	v.key = s->keys.used;
	v.key_n = key.n;
	buf_add(&s->keys, key.at, key.n);
	s->value = mem_grow(s->value, &s->value_room, s->values + 1, sizeof *s->value);
	s->value[s->values] = v;
	return &s->value[s->values++];
}

/* --- finding the values of a store in its file without LMDB, as they lie there. LMDB reaches a value through its trees, so one
 * damaged page of a tree takes many sound values away. But each value ends with a checksum that its database and its key go into,
 * so that a value is known for sound wherever it is found:
 *
 *   - in a page of records, at the offsets in the page's head; if a value at one of these offsets is not sound, every offset of the
 *     page is tried
 *   - a large value lies in pages of its own, and a record names the first of them; if the record is lost, the value is found by
 *     its checksum for each key that it may have had (find_orphan())
 *   - if its checksum is wrong, or its record is malformed, by turning each of their bits in turn: a memory or a disk that turns a
 *     single bit does no lasting harm
 *
 * Pages that the file says are free have what values were. If the list of free pages is sound, values of chunks that are found
 * there are marked as old, and others left out; if it is not, several values may have one key, and it is not known which of them
 * are old. Memory: 64 bytes for each value, two bits for each page. */

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

/* Reads a value of its own pages, with its checksum, into s->bytes. Returns it or NULL. */
static uint8_t *read_large(struct salvage *s, uint64_t at, size_t n)
{
	if (at > s->length || n > s->length - at)
		return NULL;
	buf_clear(&s->bytes);
	char *room = buf_room(&s->bytes, n);
	return lmdb_read(s->fd, room, n, at) ? NULL : (uint8_t *)room;
}

/* Reads a value, without its checksum: *bytes is valid until the next call. Returns 0, or -1 if the file cannot be read there any
 * more. */
static int read_value(struct salvage *s, const struct value *v, struct bytes *bytes)
{
	const uint8_t *at = v->held ? v->held : read_large(s, v->at, v->n);

	*bytes = (struct bytes){at, v->n};
	return at ? 0 : -1;
}

/* --- records */

/* Reads the record at a place of the page that is looked at. Returns 1; 0 if there can be no record; or -1 if it is the head of a
 * tree, which is no value. */
static int read_node(const struct salvage *s, size_t number, size_t at, struct spot *out)
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
static enum env_db db_of(const struct salvage *s, struct bytes key, struct bytes value)
{
	if (s->db != ENV_DBS && env_fits(s->db, key, value))
		return s->db;
	for (int db = 0; db < ENV_DBS; db++)
		if (env_fits((enum env_db)db, key, value))
			return (enum env_db)db;
	return ENV_DBS;
}

static void claim(struct salvage *s, uint64_t at, size_t n)
{
	for (size_t i = (size_t)(at / s->page_size); i <= (size_t)((at + n - 1) / s->page_size) && i < s->pages; i++)
		s->claimed[i / 64] |= (uint64_t)1 << (i % 64);
}

/* Adds a sound value. `mended` are its bytes if they are not those of the file. */
static void keep(struct salvage *s, enum env_db db, const struct spot *x, const uint8_t *mended, int is_listed)
{
	const size_t sum = db == ENV_META && x->n < SUM ? 0 : SUM; /* `format` has none */

	add_value(s,
		(struct value){.db = db,
			.at = x->at,
			.n = x->n - sum,
			.held = mended ? mem_copy(mended, x->n) : NULL,
			.is_listed = is_listed,
			.is_old = s->is_free},
		x->key);
	if (!x->in_page)
		claim(s, x->at, x->n);
	s->db = db;
}

/* Keeps the value of the record at a place, if it is sound. Returns 1 if there is nothing more to look for at this place. */
static int try_place(struct salvage *s, size_t number, size_t at, int is_mended, int is_listed)
{
	struct spot x;
	const int is_node = read_node(s, number, at, &x);

	if (is_node <= 0)
		return is_node < 0;
	const uint8_t *value = x.in_page ? x.in_page : read_large(s, x.at, x.n);
	if (!value)
		return 0;
	const enum env_db db = db_of(s, x.key, (struct bytes){value, x.n});
	if (db == ENV_DBS || (s->is_free && !is_array(db)))
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
static enum env_db mend_value(struct salvage *s, struct bytes key, uint8_t *value, size_t n)
{
	const size_t dbs = s->db == ENV_DBS ? STORE_RUNS : 1;

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
static int mend_node(struct salvage *s, size_t number, size_t at)
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
static size_t places_of(const struct salvage *s, const struct page_head *head)
{
	const size_t end = head->lower > s->page_size ? s->page_size : head->lower;

	return end > sizeof *head ? (end - sizeof *head) / 2 : 0;
}

static size_t place_at(const struct salvage *s, size_t i)
{
	uint16_t at;

	memcpy(&at, s->page + sizeof(struct page_head) + 2 * i, sizeof at);
	return at;
}

static void count_lost(struct salvage *s, size_t number, size_t at)
{
	struct spot x;

	if (is_array(s->db))
		return; /* of an array: it lacks numbers, which say what is lost */
	if (s->db == ENV_DBS || read_node(s, number, at, &x) <= 0)
		return;
	s->lost[s->db]++;
	if (s->db == ENV_SETTINGS)
		buf_format(&s->lost_settings, "%s%.*s", s->lost_settings.used ? ", " : "", (int)x.key.n, (const char *)x.key.at);
}

/* Looks for values in a page of records. */
static void scan_leaf(struct salvage *s, size_t number, const struct page_head *head)
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
static void scan_page(struct salvage *s, size_t number)
{
	struct page_head head;
	uint32_t pages;

	s->is_free = bit(s->free, number);
	if (lmdb_read(s->fd, s->page, s->page_size, (uint64_t)number * s->page_size))
		return;
	memcpy(&head, s->page, sizeof head);
	memcpy(&pages, &head.lower, sizeof pages);
	if (head.number == number && head.flags == PAGE_OVERFLOW && pages <= s->pages - number) {
		if (s->is_free)
			return;
		s->orphan = mem_grow(s->orphan, &s->orphan_room, s->orphans + 1, sizeof *s->orphan);
		s->orphan[s->orphans++] = (struct orphan){number, pages};
		return;
	}
	const int is_placed = head.lower >= sizeof head && head.lower <= head.upper && head.upper <= s->page_size;
	const int signs = (head.number == number) + (head.flags == PAGE_LEAF) + is_placed;
	if (signs >= 2 && !(head.number == number && head.flags == PAGE_BRANCH))
		scan_leaf(s, number, &head);
}

/* --- the file */

/* Marks the free pages, if the file's heads and its list of free pages are sound, and finds the page of `meta`. */
static void mark_free(struct salvage *s)
{
	struct lmdb_check b = {0};
	size_t newest;

	if (lmdb_check_heads(s->fd, s->path, &newest, NULL))
		return;
	const int is_open = lmdb_check_open(&b, s->fd, s->path, newest, NULL) == 0;
	if (is_open && lmdb_check_tree(&b, &b.free, TREE_OF_FREE_PAGES, NULL) == 0)
		for (size_t i = 0; i < s->pages && i < b.pages; i++)
			s->free[i / 64] |= b.taken[i / 64] & (uint64_t)1 << (i % 64);
	/* the few records of the tree `meta` lie in one page */
	const struct lmdb_check_head *meta = is_open && lmdb_check_tree(&b, &b.main, TREE_OF_TREES, NULL) == 0
		? lmdb_check_find(&b, env_db_name(ENV_META))
		: NULL;
	s->meta = meta && meta->depth == 1 ? meta->root : 0;
	lmdb_check_close(&b);
}

/* Looks through a file. Returns 0 or ERR_FILE. */
static int scan(struct salvage *s, struct err_note *why)
{
	struct file_head head;
	struct stat st;

	s->fd = open(s->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (s->fd < 0 || fstat(s->fd, &st) || !S_ISREG(st.st_mode))
		return err_set(why, ERR_FILE, "cannot open '%s': %s", s->path, s->fd < 0 ? ascii_error(errno) : "it is no file");
	s->length = (uint64_t)st.st_size;
	s->page_size = (size_t)sysconf(_SC_PAGESIZE);
	if (lmdb_read(s->fd, &head, sizeof head, sizeof(struct page_head)) == 0 && head.free.pad >= PAGE_LEAST &&
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

/* --- values without a record */

/* Tries the lengths that a value on these pages may have, the likely ones first: behind the value are NULs. */
static int try_orphan(struct salvage *s, const struct orphan *o, enum env_db db, struct bytes key)
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

/* Looks for a large value that no record leads to, under the key of 8 bytes that it would have. Returns 1 after adding it to the
 * values, or 0. */
static int find_orphan(struct salvage *s, enum env_db db, struct bytes key)
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

/* --- which value is written for each key */

static int compare_bytes(struct bytes a, struct bytes b)
{
	const int order = memcmp(a.at, b.at, a.n < b.n ? a.n : b.n);

	return order ? order : (a.n > b.n) - (a.n < b.n);
}

/* Values of one key come with the best one first: one that is not known for old; that which has the most records, since chunks only
 * grow; and of those the one whose place its page tells. */
static int compare_values(const void *a, const void *b, void *ctx)
{
	const struct salvage *s = ctx;
	const struct value *x = a, *y = b;

	if (x->db != y->db)
		return x->db < y->db ? -1 : 1;
	const int order = compare_bytes(key_of(s, x), key_of(s, y));
	if (order)
		return order;
	if (x->is_old != y->is_old)
		return x->is_old ? 1 : -1;
	if (is_array(x->db) && x->n != y->n)
		return x->n > y->n ? -1 : 1;
	if (x->is_listed != y->is_listed)
		return x->is_listed ? -1 : 1;
	return (x->at < y->at) - (x->at > y->at);
}

/* Decides that a value is written. */
static void take(struct salvage *s, size_t i)
{
	struct salvage_part *p = &s->report->part[s->value[i].db];

	s->value[i].is_kept = 1;
	p->sound++;
	p->mended += s->value[i].held != NULL;
}

/* --- chunks */

/* Counts the records of a chunk whose records are found by number: behind the records of several stand the places where these
 * end. */
static uint64_t count_by_ends(struct bytes value)
{
	if (value.n < 2)
		return value.n;
	const uint8_t *at = value.at;
	const size_t last = records_end_at(at + value.n - 2, 0);
	if (last >= value.n || (value.n - last) % 2)
		return 1;
	const uint64_t count = (value.n - last) / 2;
	for (uint64_t i = 1; i < count; i++)
		if (records_end_at(at + last, i) <= records_end_at(at + last, i - 1))
			return 1;
	return count > 1 && records_end_at(at + last, 0) > 0 ? count : 1;
}

/* Returns the number of the first record behind a chunk, or NO_END if that cannot be read. */
static uint64_t end_of(struct salvage *s, const struct value *v)
{
	struct bytes value;
	uint64_t count;

	if (v->key_n != sizeof(uint64_t) || read_value(s, v, &value))
		return NO_END;
	if (v->db != ENV_LOG)
		count = count_by_ends(value);
	else if (log_count(value.at, value.n, &count))
		return NO_END;
	return count ? records_first(key_of(s, v)) + count : NO_END;
}

/* Looks for the chunks of the records from..to-1 among the values that no record leads to, and marks the rest as lost. Returns the
 * end of the records that are accounted for. */
static uint64_t fill_gap(struct salvage *s, enum env_db db, uint64_t from, uint64_t to)
{
	uint64_t key, end;

	while (from < to && find_orphan(s, db, records_key(from, &key))) {
		end = end_of(s, &s->value[s->values - 1]);
		if (end == NO_END || end > to)
			break;
		take(s, s->values - 1);
		from = end;
	}
	if (from < to && to != NO_END) {
		add_value(s, (struct value){.db = db, .is_kept = 1}, records_key(from, &key));
		s->report->part[db].lost++;
		s->report->part[db].lost_records += to - from;
		s->has_gaps = 1;
		from = to;
	}
	return from;
}

/* Puts the chunks of an array behind one another. */
static void join_chunks(struct salvage *s, int array, size_t begin, size_t after)
{
	const enum env_db db = arrays[array];
	const uint64_t n = s->has_counts ? s->n[array] : NO_END;
	uint64_t end = 0;

	for (size_t i = begin; i < after; i++) {
		const struct value *v = &s->value[i];
		const uint64_t behind = end_of(s, v), first = v->key_n == sizeof(uint64_t) ? records_first(key_of(s, v)) : 0;
		if (behind == NO_END || first < end || behind > n)
			continue; /* an older form of a chunk, or one of a commit that was never made */
		if (first > end)
			fill_gap(s, db, end, first);
		take(s, i);
		end = behind;
	}
	end = fill_gap(s, db, end, n);
	s->n[array] = end;
	s->report->part[db].records = end - s->report->part[db].lost_records;
}

/* --- values of the other databases */

/* Reads the numbers of records that a value `counts` tells. A record has at least a byte, so that a file cannot have had more
 * records than bytes, unless nearly all of it was cut off. Returns 0, or -1 if there cannot have been so many. */
static int read_counts(struct bytes value, uint64_t length, uint64_t n[STORE_RUNS])
{
	const uint8_t *at = value.at, *end = at + value.n;

	for (int i = 0; i < STORE_RUNS; i++)
		if (varint_read(&at, end, &n[i]) || n[i] > length || (i < STORE_RUNS - 1 && n[i] >= UINT32_MAX))
			return -1;
	return 0;
}

static int is_key(struct bytes key, const char *name)
{
	return key.n == strlen(name) && memcmp(key.at, name, key.n) == 0;
}

/* Says whether a chunk has more records than the counts tell. */
static int goes_beyond(struct salvage *s)
{
	for (size_t i = 0; i < s->values; i++) {
		const struct value *v = &s->value[i];
		if (!is_array(v->db))
			continue;
		const uint64_t end = end_of(s, v);
		if (end != NO_END && end > s->n[v->db - ENV_HOSTS])
			return 1;
	}
	return 0;
}

/* Finds the `counts` of the last commit, and adds them. Those of an earlier one, which a file without its end may have, tell less
 * than there was, and are of no use. If the file does not say which are the last ones, they are the largest, unless a chunk goes
 * beyond them. */
static void find_counts(struct salvage *s)
{
	size_t best = NO_VALUE;
	struct bytes value;
	uint64_t n[STORE_RUNS];

	for (size_t i = 0; i < s->values; i++) {
		const struct value *v = &s->value[i];
		if (v->db != ENV_META || !is_key(key_of(s, v), "counts") || (s->meta && v->at / s->page_size != s->meta) ||
			read_value(s, v, &value) || read_counts(value, s->length, n) ||
			(best != NO_VALUE && (n[STORE_RUNS - 1] < s->n[STORE_RUNS - 1] || n[1] < s->n[1])))
			continue;
		memcpy(s->n, n, sizeof n);
		best = i;
	}
	s->has_counts = best != NO_VALUE && (s->meta || !goes_beyond(s));
	if (s->has_counts)
		take(s, best);
	else
		memset(s->n, 0, sizeof s->n);
}

/* Adds the best value of each key, but for `counts`. */
static void add_plain(struct salvage *s, enum env_db db, size_t begin, size_t after)
{
	for (size_t i = begin; i < after; i++) {
		const struct value *v = &s->value[i];
		const struct bytes key = key_of(s, v);
		if ((db == ENV_META && is_key(key, "counts")) ||
			(i > begin && compare_bytes(key, key_of(s, &s->value[i - 1])) == 0))
			continue;
		take(s, i);
	}
	struct salvage_part *p = &s->report->part[db];
	p->lost += s->lost[db];
	p->records = p->sound;
	p->lost_records = p->lost;
}

/* Decides which value is written for each key. */
static void gather(struct salvage *s)
{
	size_t begin[ENV_DBS + 1] = {0};

	if (s->values)
		qsort_r(s->value, s->values, sizeof *s->value, compare_values, s);
	for (size_t i = 0; i < s->values; i++)
		begin[s->value[i].db + 1]++;
	for (int db = 0; db < ENV_DBS; db++)
		begin[db + 1] += begin[db];
	find_counts(s);
	for (int db = 0; db < ENV_DBS; db++)
		if (!is_array((enum env_db)db))
			add_plain(s, (enum env_db)db, begin[db], begin[db + 1]);
	for (int i = 0; i < STORE_RUNS; i++)
		join_chunks(s, i, begin[arrays[i]], begin[arrays[i] + 1]);
	for (int i = 0; i < STORE_RUNS && !s->has_counts; i++)
		buf_varint(&s->counts, s->n[i]);
	const char *lost = s->lost_settings.used ? s->lost_settings.at : "";
	snprintf(s->report->settings, sizeof s->report->settings, "%s", s->report->part[ENV_SETTINGS].sound ? lost : "all");
	err_escape(s->report->settings);
}

/* --- the new file */

static int put_values(void *ctx, struct env_batch *batch)
{
	const struct bytes none = {NULL, 0};
	struct salvage *s = ctx;
	int status = 0;

	for (size_t i = s->next; i < s->batch_end && status == 0; i++) {
		const struct value *v = &s->value[i];
		struct bytes value = none;
		if (!v->is_kept)
			continue;
		if (v->n && read_value(s, v, &value)) /* which was read before: the disk fails now */
			return EIO;
		status = env_put(batch, v->db, key_of(s, v), value, none, ENV_ANYWHERE);
	}
	if (status == 0 && s->next == 0 && !s->has_counts)
		status = env_put(batch, ENV_META, (struct bytes){"counts", 6}, (struct bytes){s->counts.at, s->counts.used}, none,
			ENV_ANYWHERE);
	return status;
}

/* Writes the values, in commits of some MB. */
static int write_file(struct salvage *s, const char *into, struct err_note *why)
{
	struct env e;

	if (mkdir(into, 0777) && errno != EEXIST)
		return err_set(why, ERR_FILE, "cannot make the folder '%s': %s", into, ascii_error(errno));
	int err = env_open(&e, into, STORE_WRITE, why);
	if (err)
		return err;
	while (!err && s->next < s->values) {
		size_t bytes = 0;
		for (s->batch_end = s->next; s->batch_end < s->values && bytes < COMMIT_BYTES; s->batch_end++)
			bytes += s->value[s->batch_end].is_kept ? 64 + s->value[s->batch_end].n : 0;
		err = env_write(&e, bytes, put_values, s, why);
		s->next = s->batch_end;
	}
	env_close(&e);
	return err;
}

/* --- the new store */

/* Writes a store without the records that are missing in the one in a folder, and puts it in the place of that one. */
static int rebuild(const char *dir, enum store_rebuilt to_what, struct salvage_report *report, struct err_note *why)
{
	char *folder = buf_made("%s/rebuilt", dir);
	struct suspect *from = NULL;
	struct store *to = NULL;

	int err = suspect_open(&from, dir, why);
	if (!err)
		err = store_open(&to, folder, STORE_WRITE, why);
	if (!err)
		err = store_rebuild(to, from, to_what, &report->rebuilt, why);
	store_drop(to);
	suspect_drop(from);
	if (!err && store_put(folder, dir))
		err = err_set(why, ERR_FILE, "cannot put '%s/data.mdb' in place: %s", folder, ascii_error(errno));
	store_remove(folder);
	free(folder);
	return err;
}

/* Opens the new store, which checks it. */
static int check(const char *dir, struct salvage_report *report, struct err_note *why)
{
	struct store *s;
	const int err = store_open(&s, dir, STORE_READ, why);

	if (err)
		return err;
	report->pages = store_pages(s);
	store_drop(s);
	return 0;
}

static int salvage(struct salvage *s, const char *into, enum store_rebuilt to_what, struct err_note *why)
{
	int err = scan(s, why);

	if (err)
		return err;
	gather(s);
	if (s->report->part[ENV_META].sound == 0 && s->n[1] == 0)
		return err_set(why, ERR_DAMAGED, "nothing of a store is found in '%s'", s->path);
	err = write_file(s, into, why);
	if (err)
		return err;
	/* records may be whole, and yet not fit one another: a page's later visits, of which some are lost */
	err = s->has_counts && !s->has_gaps ? check(into, s->report, why) : ERR_DAMAGED;
	if (err != ERR_DAMAGED)
		return err;
	s->report->is_rebuilt = 1;
	s->report->is_uncounted = !s->has_counts;
	err = rebuild(into, to_what, s->report, why);
	return err ? err : check(into, s->report, why);
}

static void release(struct salvage *s)
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
	buf_release(&s->counts);
}

static int salvage_for(enum store_rebuilt to_what, const char *dir, const char *into, struct salvage_report *report,
	struct err_note *why)
{
	char *path = buf_made("%s/data.mdb", dir);
	struct salvage s = {.report = report, .path = path, .fd = -1, .db = ENV_DBS};
	int err = lock_is_free(dir, why);

	*report = (struct salvage_report){.pages = 0};
	for (int i = 0; i < SALVAGE_PARTS; i++)
		report->part[i].name = env_db_name((enum env_db)i);
	if (!err)
		err = salvage(&s, into, to_what, why);
	release(&s);
	free(path);
	return err;
}

int store_salvage(const char *dir, const char *into, struct salvage_report *report, struct err_note *why)
{
	return salvage_for(STORE_REBUILT_TO_CRAWL, dir, into, report, why);
}

/* --- the rest of a damaged store, for reading */

/* Writes a sentence on what is missing. */
static void tell(const char *dir, const struct salvage_report *report, struct err_note *out)
{
	struct buf text = BUF_EMPTY;

	for (int i = 0; i < SALVAGE_PARTS; i++) {
		const struct salvage_part *p = &report->part[i];
		if (p->lost_records)
			buf_format(&text, "%s%llu of %llu %s", text.used ? ", " : "", (unsigned long long)p->lost_records,
				(unsigned long long)(p->records + p->lost_records), env_db_holds((enum env_db)i));
	}
	if (report->is_uncounted)
		buf_format(&text, "%sthe numbers of records, so that more may be", text.used ? ", " : "");
	err_set(out, ERR_DAMAGED, "'%s' is damaged, and this is answered from the rest of it, which lacks %s%s%s", dir,
		text.used ? text.at : "nothing", *report->settings ? "; lost settings: " : "", report->settings);
	buf_release(&text);
}

int store_open_rest(struct store **out, const char *dir, enum store_rest *rest, struct err_note *missing, struct err_note *why)
{
	const char *usual = getenv("TMPDIR");
	struct salvage_report report;
	int err = store_open(out, dir, STORE_READ, why);

	*rest = STORE_IS_SOUND;
	if (err != ERR_DAMAGED)
		return err;
	char *copy = buf_made("%s/lycosa-rest-XXXXXX", usual && *usual ? usual : "/tmp");
	if (mkdtemp(copy)) {
		err = salvage_for(STORE_REBUILT_TO_READ, dir, copy, &report, why);
		if (!err)
			err = store_open(out, copy, STORE_READ, why);
		store_remove(copy); /* the open store keeps its file */
	} else {
		err = err_set(why, ERR_FILE, "cannot make a folder as '%s' for the rest of '%s': %s", copy, dir,
			ascii_error(errno));
	}
	free(copy);
	if (err)
		return err;
	env_call(&(*out)->env, dir);
	*rest = report.is_rebuilt || *report.settings || report.part[ENV_VISITS].lost_records ||
			report.part[ENV_ROBOTS].lost_records
		? STORE_IS_PARTIAL
		: STORE_IS_MENDED;
	tell(dir, &report, missing);
	return 0;
}
