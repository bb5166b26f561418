/* Checks a data file of LMDB's before LMDB is handed it. LMDB trusts its file: a damaged one ends the
 * program by a signal or an assertion. So the pages that LMDB will follow pointers in are read here first,
 * with pread(), and everything they point to is checked: that it lies in the file, that it is what it
 * should be, and that nothing else lies there. What the values mean is not looked at.
 *
 *     struct lmdb_check c;
 *     lmdb_check_heads(fd, path, why)              before mdb_env_open()
 *     lmdb_check_open(&c, fd, path, mdb_txn_id(txn), why)
 *     lmdb_check_main(&c, why)                     then c.named[] are the trees that have names
 *     lmdb_check_named(&c, i, care, why)           for each, before mdb_dbi_open()
 *     lmdb_check_free_list(&c, why)                before a writing transaction
 *     lmdb_check_close(&c)
 *
 * All of them return ERR_DAMAGED with the place in the note, and ERR_FILE where the disk cannot be read:
 * that is not the file's fault.
 *
 * This is the one place that knows LMDB's format on the disk: data version 1, that of all of lmdb 0.9, in
 * the byte order and word size of the machine. A file of a later data version is ERR_NEWER: this program
 * does not guess at it, and must be taught the new format here before it is linked with a library that
 * writes it.
 *
 * Cost: a read of each page of the trees, about 1/1000 of a large store, as the values lie elsewhere. Memory:
 * a bit a page. */
#ifndef STORAGE_LMDB_CHECK_H
#define STORAGE_LMDB_CHECK_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

#define LMDB_CHECK_TREES 16 /* named trees at most */
#define LMDB_CHECK_NAME  32 /* bytes of a name at most, NUL included */

/* The head of a tree as it lies in the file. */
struct lmdb_check_head {
	uint32_t pad;
	uint16_t flags, depth;
	size_t branches, leaves, overflows, entries, root;
};

struct lmdb_check_named {
	char name[LMDB_CHECK_NAME];
	struct lmdb_check_head head;
};

struct lmdb_check {
	int fd;           /* borrowed */
	const char *path; /* likewise; for messages */
	size_t page_size;
	size_t pages;    /* of the snapshot: numbers run below this */
	size_t in_file;  /* of them whole in the file */
	uint64_t *taken; /* a bit a page */
	uint8_t *page;   /* the one being looked at */
	struct lmdb_check_head free, main;
	struct lmdb_check_named named[LMDB_CHECK_TREES]; /* after lmdb_check_main() */
	size_t trees;
};

/* Reads the two heads of the file. 0 where LMDB may open it, 1 where the file is empty, ERR_FILE,
 * or ERR_DAMAGED. */
int lmdb_check_heads(int fd, const char *path, struct err_note *why) MUST_USE;

/* Begins to check the snapshot of one transaction, which must be held meanwhile. 1 where the file
 * no longer has its head, else 0 or an error. Always ends with lmdb_check_close(). */
int lmdb_check_open(struct lmdb_check *, int fd, const char *path, size_t transaction,
	struct err_note *why) MUST_USE;
void lmdb_check_close(struct lmdb_check *);

/* Which values with pages of their own are looked at: the last of each leaf, since LMDB only ever
 * writes to the last record of a store's trees; or all, a read each. */
enum lmdb_check_care { LMDB_CHECK_LAST_VALUES, LMDB_CHECK_ALL_VALUES };

/* Each checks one tree and claims its pages. ERR_DAMAGED with the place in the note. */
int lmdb_check_main(struct lmdb_check *, struct err_note *why) MUST_USE;
int lmdb_check_named(
	struct lmdb_check *, size_t i, enum lmdb_check_care, struct err_note *why) MUST_USE;
int lmdb_check_free_list(struct lmdb_check *, struct err_note *why) MUST_USE;

/* After all of them, with all values: whether each page is in use or on the list of free ones. */
int lmdb_check_all_taken(const struct lmdb_check *, struct err_note *why) MUST_USE;

#endif
