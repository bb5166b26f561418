#include "storage/lmdb_check.h"
#include "base/ascii.h"
#include "base/mem.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_MOST   ((uint64_t)1 << 44) /* bounds the bits of `taken` */
#define DEPTH_MOST  24                  /* LMDB's cursors hold 32 */
#define HEADS_TRIES 100

enum { TREE_INTEGER_KEYS = 8 };

static int damaged(const struct lmdb_check *b, const char *what, size_t page)
{
	return err_set(b->why, ERR_DAMAGED, "'%s' is damaged: %s (page %zu)", b->path, what, page);
}

int lmdb_read(int fd, void *into, size_t n, uint64_t offset)
{
	for (size_t done = 0; done < n;) {
		const ssize_t got = pread(fd, (char *)into + done, n - done, (off_t)(offset + done));
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got < 0 ? errno : -1;
		done += (size_t)got;
	}
	return 0;
}

/* Turns what lmdb_read() has returned into an error: that of the disk, or damage. */
static int unreadable(const char *path, int code, const char *what, size_t page, struct err_note *why)
{
	if (code > 0)
		return err_set(why, ERR_FILE,
			"cannot read '%s': %s (page %zu): the disk fails, or is gone; the store itself may be whole", path,
			ascii_error(code), page);
	return err_set(why, ERR_DAMAGED, "'%s' is damaged: %s (page %zu)", path, what, page);
}

/* Reads and checks one of the two heads. Which snapshot it describes is checked in head_fits(). `page_size` is 0 for the first
 * head, and for the second one the page size that the first one states. */
static int read_head(int fd, const char *path, size_t page_size, size_t which, struct file_head *head, struct err_note *why)
{
	struct page_head page;
	uint64_t offset = (uint64_t)which * page_size;

	int code = lmdb_read(fd, &page, sizeof page, offset);
	if (code == 0)
		code = lmdb_read(fd, head, sizeof *head, offset + sizeof page);
	if (code > 0)
		return unreadable(path, code, "", which, why);
	size_t size = code ? 0 : head->free.pad;
	if (code == 0 && page.flags & PAGE_HEAD && head->magic == MAGIC && head->version > DATA_VERSION && head->version < 100)
		return err_set(why, ERR_NEWER,
			"'%s' was written by a newer LMDB (its data version is %u, and this program knows %u)", path,
			(unsigned)head->version, DATA_VERSION);
	if (code || !(page.flags & PAGE_HEAD) || head->magic != MAGIC || head->version != DATA_VERSION || size < PAGE_LEAST ||
		size > PAGE_MOST || (size & (size - 1)) || (which && size != page_size))
		return err_set(why, ERR_DAMAGED, "'%s' is no store, or its head %zu is damaged", path, which);
	return 0;
}

/* Says whether the number of the last page is possible for a file of this length. The last pages of a snapshot may be free and
 * never have been written, but not many of them. */
static int head_fits(const struct file_head *head, uint64_t length)
{
	uint64_t most = length / head->free.pad * 2 + ((uint64_t)64 << 20) / head->free.pad;

	return head->last_page >= FIRST_PAGE - 1 && head->last_page < most;
}

static int file_length(int fd, const char *path, uint64_t *length, struct err_note *why)
{
	struct stat about;

	if (fstat(fd, &about) != 0)
		return err_set(why, ERR_FILE, "cannot look at '%s': %s", path, ascii_error(errno));
	if (!S_ISREG(about.st_mode))
		return err_set(why, ERR_FILE, "'%s' is no regular file", path);
	*length = (uint64_t)about.st_size;
	if (*length > FILE_MOST)
		return err_set(why, ERR_DAMAGED, "'%s' is larger than a store can be", path);
	return 0;
}

/* Reads and checks both heads of a file of so many bytes. Returns 0 or an error. */
static int read_heads(int fd, const char *path, uint64_t length, struct file_head head[2], struct err_note *why)
{
	int status = read_head(fd, path, 0, 0, &head[0], why);

	if (status == 0)
		status = read_head(fd, path, head[0].free.pad, 1, &head[1], why);
	for (size_t i = 0; i < 2 && status == 0; i++)
		if (length < 2 * (uint64_t)head[i].free.pad || !head_fits(&head[i], length))
			return err_set(why, ERR_DAMAGED, "'%s' is damaged: it was cut short", path);
	return status;
}

int lmdb_check_heads(int fd, const char *path, size_t *newest, struct err_note *why)
{
	struct file_head head[2];
	uint64_t length = 0;

	int status = file_length(fd, path, &length, why);
	if (status || length == 0)
		return status ? status : 1;
	for (int i = 0; i < HEADS_TRIES; i++) {
		status = read_heads(fd, path, length, head, why);
		/* commits write the two heads in turn, so their transactions have consecutive numbers, unless a live writer has
		 * committed between the two reads */
		const size_t a = head[0].transaction, b = head[1].transaction;
		*newest = a > b ? a : b;
		if (status || a == b + 1 || b == a + 1 || (a == 0 && b == 0))
			return status;
	}
	return err_set(why, ERR_DAMAGED, "'%s' is damaged: its heads are not of two commits in a row", path);
}

int lmdb_check_open(struct lmdb_check *b, int fd, const char *path, size_t transaction, struct err_note *why)
{
	struct file_head head;
	uint64_t length = 0;

	memset(b, 0, sizeof *b);
	b->fd = fd;
	b->path = path;
	int status = file_length(fd, path, &length, why);
	if (status)
		return status;
	status = read_head(fd, path, 0, 0, &head, why);
	if (status == 0 && transaction & 1)
		status = read_head(fd, path, head.free.pad, 1, &head, why);
	if (status)
		return status;
	if (!head_fits(&head, length))
		return err_set(why, ERR_DAMAGED, "'%s' is damaged: its head", path);
	if (head.transaction != transaction)
		return 1;
	b->page_size = head.free.pad;
	b->pages = head.last_page + 1;
	b->in_file = (size_t)(length / b->page_size);
	if (b->in_file > b->pages)
		b->in_file = b->pages;
	b->free = head.free;
	b->main = head.main;
	b->taken = mem_zero(b->pages / 64 + 1, sizeof *b->taken);
	b->page = mem_new(b->page_size, 1);
	return 0;
}

void lmdb_check_close(struct lmdb_check *b)
{
	free(b->taken);
	free(b->page);
	memset(b, 0, sizeof *b);
}

/* Marks pages as used. Returns 0, or -1 if one of them is not below `limit` or was used before. */
static int claim(struct lmdb_check *b, size_t first, size_t n, size_t limit)
{
	if (first < FIRST_PAGE || n > limit || first > limit - n)
		return -1;
	for (size_t i = first; i < first + n; i++) {
		if (b->taken[i / 64] >> (i % 64) & 1)
			return -1;
		b->taken[i / 64] |= (uint64_t)1 << (i % 64);
	}
	return 0;
}

/* Checks a list of free pages: its length, then the page numbers, the greatest first. */
static int check_free_pages(struct lmdb_check *b, const uint8_t *at, size_t size, size_t place)
{
	size_t n, page, before = SIZE_MAX;

	if (size < sizeof n)
		return damaged(b, "a list of free pages", place);
	memcpy(&n, at, sizeof n);
	if (n > size / sizeof n - 1)
		return damaged(b, "a list of free pages", place);
	for (size_t i = 1; i <= n; i++) {
		memcpy(&page, at + i * sizeof page, sizeof page);
		if (page >= before || claim(b, page, 1, b->pages))
			return damaged(b, "a free page is in use", place);
		before = page;
	}
	return 0;
}

/* Checks a large value, which has pages of its own, and the first of these pages. */
static int check_big(struct lmdb_check *b, const uint8_t *pointer, size_t size, size_t place)
{
	struct page_head head;
	size_t first, pages = (sizeof head - 1 + size) / b->page_size + 1;
	uint32_t said;

	memcpy(&first, pointer, sizeof first);
	if (claim(b, first, pages, b->in_file))
		return damaged(b, "a value lies where it cannot", place);
	int code = lmdb_read(b->fd, &head, sizeof head, (uint64_t)first * b->page_size);
	if (code)
		return unreadable(b->path, code, "a value cannot be read", place, b->why);
	memcpy(&said, &head.lower, sizeof said);
	if (head.number != first || head.flags != PAGE_OVERFLOW || said != pages)
		return damaged(b, "a value's head", place);
	if (b->kind != TREE_OF_FREE_PAGES)
		return 0;
	uint8_t *list = mem_new(size, 1);
	code = lmdb_read(b->fd, list, size, (uint64_t)first * b->page_size + sizeof head);
	int status =
		code ? unreadable(b->path, code, "a value cannot be read", place, b->why) : check_free_pages(b, list, size, place);
	free(list);
	return status;
}

static int add_tree(struct lmdb_check *b, const char *name, size_t n, const uint8_t *at, size_t place)
{
	struct lmdb_check_named *tree = &b->named[b->trees];

	if (b->trees == LMDB_CHECK_TREES || n >= LMDB_CHECK_NAME || memchr(name, 0, n))
		return damaged(b, "a tree's name", place);
	memcpy(tree->name, name, n);
	tree->name[n] = 0;
	memcpy(&tree->head, at, sizeof tree->head);
	b->trees++;
	return 0;
}

/* Checks a record of a leaf page: its size, its kind, and its value if it is a list of free pages or lies on pages of its own. */
static int check_leaf_node(struct lmdb_check *b, const struct node *node, const uint8_t *at, size_t room, size_t place)
{
	size_t size = node->low | (size_t)node->high << 16;
	const uint8_t *data = at + node->key_size;
	int big = node->flags & NODE_BIG;

	if (node->key_size == 0 || node->key_size > KEY_MOST || node->key_size + (big ? sizeof(size_t) : size) > room)
		return damaged(b, "a record leaves its page", place);
	if (b->kind == TREE_OF_TREES) {
		if (node->flags != NODE_TREE || size != sizeof(struct lmdb_check_head))
			return damaged(b, "a record among the trees", place);
		return add_tree(b, (const char *)at, node->key_size, data, place);
	}
	if (node->flags & ~NODE_BIG)
		return damaged(b, "a record of no known kind", place);
	if (b->kind == TREE_OF_FREE_PAGES && node->key_size != sizeof(size_t))
		return damaged(b, "a list of free pages", place);
	if (big)
		return check_big(b, data, size, place);
	return b->kind == TREE_OF_FREE_PAGES ? check_free_pages(b, data, size, place) : 0;
}

static int check_branch_node(struct lmdb_check *b, const struct node *node, size_t room, int first, size_t place)
{
	size_t child = node->low | (size_t)node->high << 16;

	if (sizeof child > 4)
		child |= (size_t)node->flags << 16 << 16;
	if (node->key_size > KEY_MOST || node->key_size > room)
		return damaged(b, "a branch leaves its page", place);
	/* LMDB reads the keys of this tree as numbers without checking their size, except for the first key of a branch */
	if (b->kind == TREE_OF_FREE_PAGES && !first && node->key_size != sizeof(size_t))
		return damaged(b, "a key in the list of free pages", place);
	if (claim(b, child, 1, b->in_file))
		return damaged(b, "a branch points where it cannot", place);
	b->next = mem_grow(b->next, &b->next_room, b->n_next + 1, sizeof *b->next);
	b->next[b->n_next++] = child;
	return 0;
}

/* Returns the bytes that LMDB counts for a node, rounded up to an even number. */
static size_t node_bytes(const struct node *node, int leaf)
{
	size_t size = sizeof *node + node->key_size;

	if (leaf)
		size += node->flags & NODE_BIG ? sizeof(size_t) : (node->low | (size_t)node->high << 16);
	return (size + 1) & ~(size_t)1;
}

/* Checks a page of a tree, and all records in it. */
static int check_page(struct lmdb_check *b, size_t number, int leaf)
{
	struct page_head head;
	struct node node;
	size_t used = 0;

	int code = lmdb_read(b->fd, b->page, b->page_size, (uint64_t)number * b->page_size);
	if (code)
		return unreadable(b->path, code, "a page cannot be read", number, b->why);
	memcpy(&head, b->page, sizeof head);
	if (head.number != number || head.flags != (leaf ? PAGE_LEAF : PAGE_BRANCH))
		return damaged(b, "a page is not what it should be", number);
	if (head.lower < sizeof head || head.lower & 1 || head.lower > head.upper || head.upper > b->page_size)
		return damaged(b, "a page's head", number);
	size_t nodes = (head.lower - sizeof head) / 2;
	/* LMDB asserts that a branch has at least two children, except in the list of free pages */
	if (nodes < (leaf || b->kind == TREE_OF_FREE_PAGES ? 1u : 2u))
		return damaged(b, "a page is empty", number);
	for (size_t i = 0; i < nodes; i++) {
		uint16_t at;
		memcpy(&at, b->page + sizeof head + 2 * i, sizeof at);
		if (at < head.upper || at & 1 || at + sizeof node > b->page_size)
			return damaged(b, "a record leaves its page", number);
		memcpy(&node, b->page + at, sizeof node);
		size_t room = b->page_size - at - sizeof node;
		int status = leaf ? check_leaf_node(b, &node, b->page + at + sizeof node, room, number)
				  : check_branch_node(b, &node, room, i == 0, number);
		if (status)
			return status;
		used += node_bytes(&node, leaf);
	}
	if (used > (size_t)b->page_size - head.upper)
		return damaged(b, "records overlap", number);
	b->records += leaf ? nodes : 0;
	return 0;
}

/* Checks the pages of a tree level by level, from the root. */
static int check_levels(struct lmdb_check *b, const struct lmdb_check_head *tree)
{
	size_t n, *level;
	int status = 0;

	if (tree->depth == 0 || tree->depth > DEPTH_MOST)
		return damaged(b, "the head of a tree", tree->root);
	if (claim(b, tree->root, 1, b->in_file))
		return damaged(b, "a root lies where it cannot", tree->root);
	level = mem_new(1, sizeof *level);
	level[0] = tree->root;
	n = 1;
	for (unsigned depth = 1; depth <= tree->depth && status == 0; depth++) {
		b->next = NULL;
		b->n_next = b->next_room = 0;
		for (size_t i = 0; i < n && status == 0; i++)
			status = check_page(b, level[i], depth == tree->depth);
		free(level);
		level = b->next;
		n = b->n_next;
	}
	free(level);
	if (status == 0 && b->records != tree->entries)
		return damaged(b, "a tree has not as many records as its head says", tree->root);
	return status;
}

int lmdb_check_tree(struct lmdb_check *b, const struct lmdb_check_head *tree, enum lmdb_tree kind, struct err_note *why)
{
	b->kind = kind;
	b->records = 0;
	b->why = why;
	if (tree->flags != (kind == TREE_OF_FREE_PAGES ? TREE_INTEGER_KEYS : 0))
		return damaged(b, "the flags of a tree", tree->root);
	return tree->root == NO_PAGE && tree->entries == 0 ? 0 : check_levels(b, tree);
}

const struct lmdb_check_head *lmdb_check_find(const struct lmdb_check *b, const char *name)
{
	for (size_t i = 0; i < b->trees; i++)
		if (strcmp(b->named[i].name, name) == 0)
			return &b->named[i].head;
	return NULL;
}

int lmdb_check_all_taken(struct lmdb_check *b, struct err_note *why)
{
	b->why = why;
	for (size_t i = FIRST_PAGE; i < b->pages; i++)
		if (!(b->taken[i / 64] >> (i % 64) & 1))
			return damaged(b, "a page is neither in use nor free", i);
	return 0;
}
