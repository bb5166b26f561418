/* A thread that passes pages to a command of the user, one for the crawl: the scorer (fetch/scorer.h), the runner and the renderer
 * (fetch/page_command.h). Their structs begin with this one, which has what all three need: the command, the pages that wait,
 * orders that are never taken back, and a failure that ends the crawl.
 *
 *     runner_new(&s, "tidy -q >/dev/null", 60000, why)       before the sandbox
 *     runner_begin(s, ...)                                   the thread runs
 *     page_service_end(s); page_service_free(s) */
#ifndef FETCH_PAGE_SERVICE_H
#define FETCH_PAGE_SERVICE_H

#include "fetch/channel.h"
#include "fetch/user_command.h"

#include <stdatomic.h>

/* ABORT: all pages come back at once, without the command. QUIT: the thread ends. */
enum page_orders { PAGES_GO_ON, PAGES_ABORT, PAGES_QUIT };

struct page_service {
	const char *what; /* for messages: "score command" */
	struct user_command command;
	int64_t timeout;           /* ms that the command may take for a page */
	struct channel inbox;      /* pages, after page_service_begin() */
	int wake;                  /* an eventfd, which can be read once there are orders */
	_Atomic int orders;        /* enum page_orders */
	void (*ended)(void *self); /* frees the pages that are left when the thread has ended, and tells the user how it went */
	pthread_t thread;
	int runs;             /* 1: the thread has been started */
	pthread_mutex_t lock; /* protects the two fields below */
	struct err_note failure;
	int is_failed;
};

/* Makes a struct of `size` bytes, zeroed but for the service that it begins with, and forks the process that starts its command
 * (fetch/user_command.h). Returns 0, or ERR_OTHER if processes or descriptors cannot be had; *out is NULL then. */
int page_service_new(struct page_service **out, size_t size, const char *what, const char *command, int64_t timeout,
	struct err_note *why) MUST_USE;

/* Starts the thread, which calls run(service). At most `most` pages are with it at once. Returns 0, or ERR_OTHER if it cannot be
 * had. */
int page_service_begin(struct page_service *, void *(*run)(void *self), size_t most, struct err_note *why) MUST_USE;

/* Returns the orders. */
static inline enum page_orders page_service_orders(const struct page_service *s)
{
	return (enum page_orders)atomic_load(&s->orders);
}

/* Wakes a thread that waits for `wake`. */
void page_service_wake(const struct page_service *);

/* Notes that the service has failed, and gives the order to abort. */
void page_service_fail(struct page_service *, const struct err_note *why);

/* Returns 0, or ERR_OTHER with a note if the service has failed. Any thread may call. NULL is allowed, and does not fail. */
int page_service_failed(struct page_service *, struct err_note *why) MUST_USE;

/* Ends the command if it runs. The pages that wait for the service, and those that are handed to it afterwards, come back as
 * aborted. NULL is allowed. */
void page_service_abort(struct page_service *);

/* Ends the thread, after all threads that pass pages to it have ended, and frees the pages that are left. NULL is allowed. */
void page_service_end(struct page_service *);

/* Closes the command's stdin, waits two seconds at most for the command to end, and frees the service. NULL is allowed. */
void page_service_free(struct page_service *);

#endif
