/* A command of the user that is run for one page after the other, on a thread of its own: --exec (fetch/runner.h) and --render-cmd
 * (fetch/renderer.h), which say what the command is shown and where the page goes then.
 *
 * The shell runs the command with three arguments, which no shell interprets, whatever the network has put into them; a body as its
 * stdin, which it need not read; and the stdout of the crawl, or a buffer that takes what the command writes.
 *
 * If a command ends with another status than 0, the user gets a message, and its page has the end PAGE_COMMAND_FAILED. So it is after a
 * command that was killed with all its processes, because it took longer than it may or wrote more than the buffer takes. If the
 * command of the first page cannot be run (the status is 126 or 127), all pages have the end PAGE_COMMAND_ABORTED, and
 * page_command_failed() says why.
 *
 *     page_command_new(&c, &use, "tidy -q >/dev/null", 60000, why)       before the sandbox
 *     page_command_begin(c, ctx, &memory, 16, why)
 *     page_command_put(c, page)                                          from any thread
 *     page_command_end(c); page_command_free(c) */
#ifndef FETCH_PAGE_COMMAND_H
#define FETCH_PAGE_COMMAND_H

#include "base/buf.h"
#include "fetch/body_memory.h"
#include "fetch/user_command.h"

#include <stdint.h>

struct page_command;

enum page_command_end { PAGE_COMMAND_ENDED, PAGE_COMMAND_FAILED, PAGE_COMMAND_ABORTED };

/* What a command is shown of a page. The texts are borrowed from the page. */
struct page_shown {
	const char *argument[USER_COMMAND_ARGUMENTS]; /* the first one is the URL */
	const char *body;                             /* n bytes */
	size_t n;
	struct buf *output; /* takes what the command writes, at most `most` bytes; NULL: it writes to the stdout of the crawl */
	size_t most;
	char text[16]; /* room for an argument that is no text of the page */
};

struct page_command_use {
	const char *what; /* for messages: "command of --exec" */
	/* Writes what the command is shown of a page into a zeroed struct. */
	void (*show)(const void *page, struct page_shown *);
	/* Takes the page back, on the command's thread. */
	void (*done)(void *ctx, void *page, enum page_command_end);
	void (*free)(void *page);
};

/* Makes the struct, and forks the process that starts its commands (fetch/user_command.h). `use` is borrowed. A command may take
 * `timeout` ms; 0: as long as it likes. Returns 0, or ERR_OTHER if processes or descriptors cannot be had. */
int page_command_new(struct page_command **, const struct page_command_use *use, const char *command, int64_t timeout,
	struct err_note *why) MUST_USE;

/* Starts the thread. At most `most` pages are with it at once. `memory` counts their bodies, and must outlive the thread. Returns 0, or
 * ERR_OTHER if the thread cannot be had. */
int page_command_begin(struct page_command *, void *ctx, struct body_memory *memory, size_t most, struct err_note *why) MUST_USE;

/* Passes a page to the command. Any thread may call. */
void page_command_put(struct page_command *, void *page);

/* Ends the command that runs, and gives all pages the end PAGE_COMMAND_ABORTED, also those that are put later. NULL is allowed. */
void page_command_abort(struct page_command *);

/* Ends the thread, after all threads that call page_command_put() have ended, frees the pages that are left, and tells the user how many
 * commands have failed. NULL is allowed. */
void page_command_end(struct page_command *);

/* Returns 0, or ERR_OTHER with a note if no command can be run. Any thread may call. NULL is allowed, and does not fail. */
int page_command_failed(struct page_command *, struct err_note *why) MUST_USE;

/* Frees the struct. NULL is allowed. */
void page_command_free(struct page_command *);

#endif
