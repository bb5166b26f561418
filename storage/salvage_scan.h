/* Finds the values of a store in its file without LMDB, as they lie there. LMDB reaches a value through its trees, so one damaged page
 * of a tree takes many sound values away. But each value ends with a checksum that its database and its key go into, so that a
 * value is known for sound wherever it is found:
 *
 *   - in a page of records, at the offsets in the page's head; if a value at one of these offsets is not sound, every offset of the page
 *     is tried
 *   - a large value lies in pages of its own, and a record names the first of them; if the record is lost, the value is found by its
 *     checksum for each key that it may have had (salvage_scan_orphan())
 *   - if its checksum is wrong, or its record is malformed, by turning each of their bits in turn: a memory or a disk that turns a
 *     single bit does no lasting harm
 *
 *	struct salvage_scan s;
 *	err = salvage_scan(&s, "folder/data.mdb", why);
 *	for (i = 0; i < s.values; i++) { struct salvage_value *v = &s.value[i]; salvage_scan_read(&s, v, &bytes) ... }
 *	salvage_scan_release(&s);
 *
 * Pages that the file says are free have what values were. If the list of free pages is sound, values of chunks that are found there are
 * marked as old, and others left out; if it is not, several values may have one key, and it is not known which of them are old. Memory: 64
 * bytes for each value, two bits for each page. */
#ifndef STORAGE_SALVAGE_SCAN_H
#define STORAGE_SALVAGE_SCAN_H

#include "base/buf.h"
#include "storage/env.h"

struct salvage_value {
	enum env_db db;
	uint64_t at;       /* where it lies in the file */
	uint8_t *held;     /* its bytes, if a bit was turned back; else NULL */
	size_t n;          /* its bytes, without the checksum */
	size_t key, key_n; /* its key is in `keys` */
	int is_listed;     /* its page tells its place */
	int is_old;        /* its page is free: it is an earlier form of a chunk, which has fewer records */
};

struct salvage_orphan {
	size_t page, pages;
};

struct salvage_scan {
	const char *path; /* borrowed */
	int fd;
	uint64_t length; /* of the file */
	size_t page_size, pages;
	size_t meta;              /* the page of the database `meta` in the last commit; 0: the file does not tell it */
	uint64_t *free, *claimed; /* a bit for each page: it is free; it is part of a value that was found */
	struct salvage_value *value;
	size_t values, value_room;
	struct buf keys;
	struct salvage_orphan *orphan; /* the large values that were met, by their first pages */
	size_t orphans, orphan_room, next_orphan;
	unsigned lost
		[ENV_DBS]; /* the records whose key can be read, and whose value is damaged, of a database whose keys are no numbers */
	struct buf lost_settings; /* the names of those that are settings, with ", " between them */
	unsigned tries;           /* damaged large values of which all bits were turned */
	uint8_t *page;
	struct buf bytes;
	enum env_db db; /* of the page that is looked at; ENV_DBS: not known yet */
	int is_free;    /* the page that is looked at is free */
};

/* Looks through a file. Returns 0; or ERR_FILE if it cannot be opened, or ERR_BUSY. The caller releases the scan in each case. */
int salvage_scan(struct salvage_scan *, const char *path, struct err_note *why) MUST_USE;

/* Frees the memory and closes the file. */
void salvage_scan_release(struct salvage_scan *);

/* Reads a value, without its checksum: *bytes is valid until the next call. Returns 0, or -1 if the file cannot be read there any
 * more. */
int salvage_scan_read(struct salvage_scan *, const struct salvage_value *, struct bytes *bytes) MUST_USE;

/* Looks for a large value that no record leads to, under the key of 8 bytes that it would have. Returns 1 after adding it to the
 * values, or 0. */
int salvage_scan_orphan(struct salvage_scan *, enum env_db, struct bytes key);

#endif
