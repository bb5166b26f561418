/* Checks a data file of LMDB before LMDB opens it. LMDB trusts its file: a damaged one ends the program by a signal or an
 * assertion. So the functions here first read, with pread(), all pages in which LMDB will follow pointers, and check for each
 * pointer that its target lies within the file, is a page of the right kind, and is the target of no other pointer; that a tree has
 * as many records as its head says; and the first page of each value that has pages of its own. They do not look into the values.
 *
 *     struct lmdb_check c;
 *     lmdb_check_heads(fd, path, &newest, why)              before mdb_env_open()
 *     lmdb_check_open(&c, fd, path, mdb_txn_id(txn), why)
 *     lmdb_check_tree(&c, &c.main, TREE_OF_TREES, why)               then c.named[] are the named databases' trees
 *     lmdb_check_tree(&c, &c.named[i].head, TREE_OF_VALUES, why)     for each, before mdb_dbi_open()
 *     lmdb_check_tree(&c, &c.free, TREE_OF_FREE_PAGES, why)          before a writing transaction
 *     lmdb_check_close(&c)
 *
 * Each function returns 0; ERR_DAMAGED with the position of the damage in the note; or ERR_FILE if the disk cannot be
 * read, which says nothing about the file.
 *
 * The format on disk is that below. A file of a later data version is ERR_NEWER; before the program may be linked
 * with an LMDB that writes such files, these functions must learn the new format.
 *
 * Cost: one read for each page of the trees, about 1/1000 of a large store, and one for each value that lies in other pages.
 * Memory: one bit for each page of the file. */
#ifndef STORAGE_LMDB_CHECK_H
#define STORAGE_LMDB_CHECK_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

#define LMDB_CHECK_TREES 16 /* named trees at most */
#define LMDB_CHECK_NAME  32 /* bytes of a name at most, NUL included */

/* --- how a file of LMDB looks: its data version 1, which all of lmdb 0.9 writes, in the byte order and word size of the machine.
 * The file is an array of pages. The first two are heads, which commits write in turn; each has the roots of two trees, that of the
 * free pages and the main one, whose records are the heads of the named trees. A page of a tree has records from its end downwards,
 * and behind its own head their places. A large value has pages of its own. */
#define MAGIC        0xbeefc0deu
#define DATA_VERSION 1u
#define NO_PAGE      SIZE_MAX
#define PAGE_LEAST   512u
#define PAGE_MOST    32768u
#define KEY_MOST     511
#define FIRST_PAGE   2 /* after the heads */

enum { PAGE_BRANCH = 1, PAGE_LEAF = 2, PAGE_OVERFLOW = 4, PAGE_HEAD = 8 };
enum { NODE_BIG = 1, NODE_TREE = 2 };

struct page_head {
	size_t number;
	uint16_t pad, flags;
	uint16_t lower, upper; /* of an overflow page one uint32_t: its pages */
};

/* The head of a tree as it lies in the file. */
struct lmdb_check_head {
	uint32_t pad;
	uint16_t flags, depth;
	size_t branches, leaves, overflows, entries, root;
};

struct file_head {
	uint32_t magic, version;
	size_t address, map_size;
	struct lmdb_check_head free, main; /* free.pad: the page size */
	size_t last_page, transaction;
};

struct node {
	uint16_t low, high, flags, key_size;
};

/* --- the check */

struct lmdb_check_named {
	char name[LMDB_CHECK_NAME];
	struct lmdb_check_head head;
};

/* What the leaves of a tree have. */
enum lmdb_tree { TREE_OF_TREES, TREE_OF_VALUES, TREE_OF_FREE_PAGES };

struct lmdb_check {
	int fd;           /* borrowed */
	const char *path; /* borrowed; for messages */
	size_t page_size;
	size_t pages;    /* the number of pages that the snapshot may refer to */
	size_t in_file;  /* the number of these that lie completely within the file */
	uint64_t *taken; /* a bit for each page: a checked pointer leads to it */
	uint8_t *page;   /* the page that is being checked */
	struct lmdb_check_head free, main;
	struct lmdb_check_named named[LMDB_CHECK_TREES]; /* filled from the main tree */
	size_t trees;                                    /* the number of named trees */
	/* of the tree that is being checked */
	enum lmdb_tree kind;
	size_t *next; /* pages of the level below */
	size_t n_next, next_room;
	size_t records; /* in the leaves so far */
	struct err_note *why;
};

/* Reads n bytes at an offset. Returns 0; -1 if the file ends before; or the errno of a failed read. */
int lmdb_read(int fd, void *into, size_t n, uint64_t offset) MUST_USE;

/* Reads the two heads of the file; *newest becomes the number of the last transaction. Returns 0 if LMDB may open the file, 1 if
 * the file is empty, or an error; ERR_NEWER is possible here only. */
int lmdb_check_heads(int fd, const char *path, size_t *newest, struct err_note *why) MUST_USE;

/* Begins to check the snapshot of a read transaction, given by its number, which must stay open until
 * lmdb_check_close(). Returns 0 or an error, or 1 if newer commits have overwritten the snapshot's head. The caller
 * calls lmdb_check_close() in each case. */
int lmdb_check_open(struct lmdb_check *, int fd, const char *path, size_t transaction, struct err_note *why) MUST_USE;

/* Frees the memory; the file stays open. */
void lmdb_check_close(struct lmdb_check *);

/* Checks a tree, and the contents of the list of free pages. The main tree, one of trees, lists the named ones in `named`. */
int lmdb_check_tree(struct lmdb_check *, const struct lmdb_check_head *, enum lmdb_tree, struct err_note *why) MUST_USE;

/* Finds a named tree; NULL: there is none. */
const struct lmdb_check_head *lmdb_check_find(const struct lmdb_check *, const char *name);

/* Checks that every page is either in use or on the list of free pages. The caller has checked all trees before. */
int lmdb_check_all_taken(struct lmdb_check *, struct err_note *why) MUST_USE;

#endif
