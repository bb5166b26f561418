/* How a file of LMDB looks: its data version 1, which all of lmdb 0.9 writes, in the byte order and word size of the machine. The file is
 * an array of pages. The first two are heads, which commits write in turn; each has the roots of two trees, that of the free pages and
 * the main one, whose records are the heads of the named trees. A page of a tree has records from its end downwards, and behind its own
 * head their places. A large value has pages of its own. Only the files that check and salvage a store include this header. */
#ifndef STORAGE_LMDB_FORMAT_H
#define STORAGE_LMDB_FORMAT_H

#include "storage/lmdb_check.h"

#include <stddef.h>
#include <stdint.h>

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

struct file_head {
	uint32_t magic, version;
	size_t address, map_size;
	struct lmdb_check_head free, main; /* free.pad: the page size */
	size_t last_page, transaction;
};

struct node {
	uint16_t low, high, flags, key_size;
};

#endif
