/* Reads pages in a jail: processes that have nothing but memory (base/sandbox.h), so that a defect in a parser gives a stranger
 * nothing.
 *
 * A jail has cells, one for each fetcher thread. A cell is a process, and memory that the process shares with the thread. The
 * thread writes questions into memory that the process can only read, and waits until the process has written its replies into
 * other memory (the links and texts of the pages). Both have no name, and the process has closed their descriptors. Most bodies lie
 * in the memory of the questions from their first byte on (fetch/body_memory.h); others are copied there. The thread passes on all
 * pages that have come at the same time together, since each change from thread to process and back costs a tenth of reading a
 * page, and both use one processor by turns. It copies each reply, and takes it only if it is one that page_read() can give:
 * whoever has taken a cell over can read the bodies that his thread receives and has received, and name other links on his pages
 * and those beside them, but reach nothing else.
 *
 *     thread   |--- questions -->|                       |<-- replies ---|
 *     process                    |-- page_read() ... ----|
 *
 * A page whose process dies, writes no sound reply, or finishes no page for PAGE_JAIL_PATIENCE has failed with OUTCOME_PARSER. The
 * next page of the thread gets a new process. Processes are forked by another one, the nursery (fetch/user_command.h), which was
 * forked before the crawl had other threads, knew any page or had read its settings and files of passwords and cookies; so a cell
 * has no copy of these, and no lock of another thread is held in it for ever. Only if somebody kills the nursery is another one
 * forked, from the crawl as it is then.
 *
 *     page_nursery_new(&nursery, why);                      first of all
 *     page_jail_new(&jail, nursery, 2, &settings, why);
 *     settings.jail = jail; fetchers_new(&f, &settings, why);
 *     ... fetchers_free(f); page_jail_free(jail); page_nursery_free(nursery);
 *
 *     reader = (struct page_reader){page_jail_cell(jail), &build, &requisites, done, ctx};     for each thread
 *     page_jail_read(&reader, pages, n); */
#ifndef FETCH_PAGE_JAIL_H
#define FETCH_PAGE_JAIL_H

#include "fetch/page_fill.h"

#define PAGE_JAIL_PATIENCE 300000 /* ms that a page may take, which pages of some MB do by a hundredth */

struct page_nursery;
struct page_jail;
struct page_cell;

/* Forks the process that forks the processes of cells. Returns 0, or ERR_OTHER if it cannot be had. */
int page_nursery_new(struct page_nursery **, struct err_note *why) MUST_USE;

/* Ends the process, after the last jail. NULL is allowed. */
void page_nursery_free(struct page_nursery *);

/* Makes n cells of processes of the nursery, which must outlive the jail and has no other. The settings bound the sizes of pages:
 * max_unpacked, and max_links; no fetcher that uses a cell may have higher ones, or another topic. Returns 0, or ERR_OTHER if
 * memory cannot be had. If the kernel has no filters of system calls, the user gets a message, and the processes are not
 * confined. */
int page_jail_new(struct page_jail **, struct page_nursery *, unsigned n, const struct fetch_settings *,
	struct err_note *why) MUST_USE;

/* Ends the processes and frees the jail. NULL is allowed. */
void page_jail_free(struct page_jail *);

/* Returns a cell that no other thread has; NULL if the jail is NULL. At most n calls are allowed. */
struct page_cell *page_jail_cell(struct page_jail *);

/* Returns the memory for bodies that the process of a cell can read, of the cell's thread until the jail is freed; NULL if the cell
 * is NULL. */
struct body_windows *page_cell_windows(struct page_cell *);

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
