/* Reads pages in a jail: processes that have nothing but memory (base/sandbox.h), so that a defect in a parser gives a stranger nothing.
 *
 * A jail has cells, one for each fetcher thread. A cell is a process, and memory that the process shares with the thread. The thread
 * writes questions into the memory (answers of HTTP with their bodies), and waits until the process has written its replies there (the links
 * and texts of the pages). It passes on all pages that have come at the same time together, since each change from thread to process and
 * back costs a tenth of reading a page. The thread copies each reply, and takes it only if it is one that page_read() can give: whoever has
 * taken a cell over can name other links on his pages and those beside them, but reach nothing else.
 *
 *     thread   |--- questions -->|                       |<-- replies ---|
 *     process                    |-- page_read() ... ----|
 *
 * A page whose process dies, writes no sound reply, or takes longer than PAGE_JAIL_PATIENCE has failed with OUTCOME_PARSER. The next page of
 * the thread gets a new process. Processes are forked by one that was forked before the crawl knew any page, and before it read files of
 * passwords and cookies (fetch/user_command.h), so a cell has never seen another page's bytes in memory before its own start.
 *
 *     page_jail_new(&jail, 2, &settings, why);              before secrets are read
 *     settings.jail = jail; fetchers_new(&f, &settings, why);
 *     ... fetchers_free(f); page_jail_free(jail);
 *
 *     reader = (struct page_reader){page_jail_cell(jail), &build, &requisites, done, ctx};     for each thread
 *     page_jail_read(&reader, pages, n); */
#ifndef FETCH_PAGE_JAIL_H
#define FETCH_PAGE_JAIL_H

#include "fetch/page_fill.h"

#define PAGE_JAIL_PATIENCE 300000 /* ms that a page may take, which pages of some MB do by a hundredth */

struct page_jail;
struct page_cell;

/* Makes n cells. The settings bound the sizes of pages: max_unpacked, and max_links; no fetcher that uses a cell may have higher ones. The
 * regular expression of a topic must have been made before. Returns 0, or ERR_OTHER if processes or memory cannot be had. If the kernel has
 * no filters of system calls, the user gets a message, and the processes are not confined. */
int page_jail_new(struct page_jail **, unsigned n, const struct fetch_settings *, struct err_note *why) MUST_USE;

/* Ends the processes and frees the jail. NULL is allowed. */
void page_jail_free(struct page_jail *);

/* Returns a cell that no other thread has; NULL if the jail is NULL. At most n calls are allowed. */
struct page_cell *page_jail_cell(struct page_jail *);

/* A page that is to be read. */
struct page_unread {
	struct transfer *transfer; /* has ended */
	struct fetch_page head;    /* as for page_fill() */
	const regex_t *topic;
	enum outcome error; /* how the transfer ended */
	int is_back;        /* 1: the renderer has had the page */
	int slot;           /* private */
};

/* How a thread reads pages. */
struct page_reader {
	struct page_cell *cell; /* NULL: the thread reads them itself */
	struct page_build *build, *requisites;
	/* takes a page as page_fill() leaves it, with its links in `build`, which is to be empty afterwards */
	void (*done)(void *ctx, struct page_unread *);
	void *ctx;
};

/* Does what page_fill() does for n pages, in their order, and reads their bodies in the cell. */
void page_jail_read(struct page_reader *, struct page_unread *, size_t n);

#endif
