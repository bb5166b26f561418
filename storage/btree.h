/* Is a file of LMDB's sound enough to hand it to LMDB? LMDB trusts its file: a damaged one ends the
 * program, by a signal or an assertion. So the pages that LMDB will follow pointers in are read
 * here first, with pread(), and everything they point to is checked: that it lies in the file,
 * that it is what it should be, and that nothing else lies there. What the values mean is not
 * looked at.
 *
 * Knows LMDB's format of data version 1 (lmdb 0.9): doc/formats.md has it. Cost: a read of each
 * page of the trees, about 1/1000 of a large store, as the values lie elsewhere. Memory: a bit a
 * page. */
#ifndef STORAGE_BTREE_H
#define STORAGE_BTREE_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

#define BTREE_TREES 16 /* named trees at most */
#define BTREE_NAME  32 /* bytes of a name at most, NUL included */

/* The head of a tree as it lies in the file. */
struct btree_head {
	uint32_t pad;
	uint16_t flags, depth;
	size_t branches, leaves, overflows, entries, root;
};

struct btree_named {
	char name[BTREE_NAME];
	struct btree_head head;
};

struct btree {
	int fd;           /* borrowed */
	const char *path; /* likewise; for messages */
	size_t page_size;
	size_t pages;    /* of the snapshot: numbers run below this */
	size_t in_file;  /* of them whole in the file */
	uint64_t *taken; /* a bit a page */
	uint8_t *page;   /* the one being looked at */
	struct btree_head free, main;
	struct btree_named named[BTREE_TREES]; /* after btree_main() */
	size_t trees;
};

/* Reads the two heads of the file. 0 where LMDB may open it, 1 where the file is empty, ERR_FILE,
 * or ERR_DAMAGED. */
int btree_heads(int fd, const char *path, struct err_note *why) MUST_USE;

/* Begins to check the snapshot of one transaction, which must be held meanwhile. 1 where the file
 * no longer has its head, else 0 or an error. Always ends with btree_close(). */
int btree_open(struct btree *, int fd, const char *path, size_t transaction,
	struct err_note *why) MUST_USE;
void btree_close(struct btree *);

/* Which values with pages of their own are looked at: the last of each leaf, since LMDB only ever
 * writes to the last record of a store's trees; or all, a read each. */
enum btree_care { BTREE_LAST_VALUES, BTREE_ALL_VALUES };

/* Each checks one tree and claims its pages. ERR_DAMAGED with the place in the note. */
int btree_main(struct btree *, struct err_note *why) MUST_USE;
int btree_named(struct btree *, size_t i, enum btree_care, struct err_note *why) MUST_USE;
int btree_free_list(struct btree *, struct err_note *why) MUST_USE;

#endif
