/* The commands of the user that are run for one page after the other, on a thread of their own: --exec, for each crawled page, by
 * the runner; and --render-cmd, for the pages that need a browser, by the renderer.
 *
 * The shell runs a command with three arguments, which no shell interprets, whatever the network has put into them, and with the
 * page's body as its stdin, which it need not read:
 *
 *     --exec         URL, HTTP status, media type, which may be empty    its stdout is that of the crawl
 *     --render-cmd   URL, host, address and port                         its stdout is the rendered HTML
 *
 * The host has its port unless that is the default one, and the address is that from which the page came, "" behind a proxy. A
 * browser that maps this host to this address, and knows no other host, cannot reach what the address guard has not let through.
 * The HTML takes the place of the body: its links, its words and its digest are those of the page. Of a command that fails, or
 * writes nothing, the page stays as it was sent.
 *
 *     fetcher threads --runner_pass()--> inbox --> the runner's thread --scorer_pass()--> scorer, or outbox
 *     fetcher thread --renderer_put()--> the renderer's thread --rendering->back--> the same fetcher thread
 *
 * A page is held back until its command has ended, and counts as in flight meanwhile; so the crawl fetches no faster than the
 * commands run, the host of a page that is rendered has no other request as far as --parallel-per-host says, and a page is in the
 * store only if its command has ended. A crawl that is killed runs the commands of the pages in flight again when it goes on. A
 * page with the status 304 has no body, and no command. The bodies of the pages that wait count for the bound on the memory of
 * bodies (fetch/body_memory.h).
 *
 * If a command ends with another status than 0, the user gets a message, and its page has the end PAGE_COMMAND_FAILED: it counts as
 * crawled nevertheless. So it is after a command that was killed with all its processes, because it took longer than it may or
 * wrote more than is taken. If the command of the first page cannot be run (the status is 126 or 127), all pages have the end
 * PAGE_COMMAND_ABORTED: they are queued again, and page_service_failed() says why.
 *
 *     runner_new(&s, "tidy -q >/dev/null", 60000, why)   before the sandbox
 *     settings.runner = s; fetchers_new(&f, &settings, why)
 *     fetchers_free(f); page_service_free(s) */
#ifndef FETCH_PAGE_COMMAND_H
#define FETCH_PAGE_COMMAND_H

#include "fetch/body_memory.h"
#include "fetch/fetch.h"
#include "fetch/page_service.h"

enum page_command_end { PAGE_COMMAND_ENDED, PAGE_COMMAND_FAILED, PAGE_COMMAND_ABORTED };

/* Make a runner, and a renderer (page_service_new()). A command may take `timeout` ms; 0: as long as it likes. */
int runner_new(struct page_service **, const char *command, int64_t timeout, struct err_note *why) MUST_USE;
int renderer_new(struct page_service **, const char *command, int64_t timeout, struct err_note *why) MUST_USE;

/* Start their threads (page_service_begin()). At most `most` pages are in flight; a page whose command has ended goes from the
 * runner to the scorer, or, if that is NULL, to `outbox`. `memory` must outlive the thread. */
int runner_begin(struct page_service *, struct page_service *scorer, struct channel *outbox, struct body_memory *memory,
	size_t most, struct err_note *why) MUST_USE;
int renderer_begin(struct page_service *, struct body_memory *memory, size_t most, struct err_note *why) MUST_USE;

/* Passes a page on: to the runner if the page has a body to show, and else, or if the runner is NULL, to the scorer or the outbox.
 * Any thread may call. */
void runner_pass(struct page_service *, struct fetch_page *, struct page_service *scorer, struct channel *outbox);

/* A page that is rendered. The texts and `back` must stay until it has come back. */
struct rendering {
	const char *url, *body; /* n bytes of body */
	size_t n;
	char host[300], address[64];
	size_t most;     /* bytes of HTML that are taken */
	struct buf html; /* when it has come back with PAGE_COMMAND_ENDED: what the command has written, not empty */
	enum page_command_end end;
	struct channel *back; /* takes the struct */
	void (*wake)(void *); /* is called then with `wake_ctx` */
	void *wake_ctx;
};

/* Passes a page to the renderer, with which it stays until it comes back. Any thread may call. */
void renderer_put(struct page_service *, struct rendering *);

#endif
