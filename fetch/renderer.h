/* A command of the user that renders the pages which need a browser (--render-cmd), such as a browser without a window.
 *
 * The shell runs the command with the arguments $1, the page's URL; $2, its host, with the port unless it is the default one; and $3, the
 * address and port from which the page came, "" behind a proxy. A browser that maps $2 to $3, and knows no other host, cannot reach what
 * the address guard has not let through. Its stdin is the page's body as it was sent, its stdout the rendered HTML, which takes the
 * place of this body: its links, its words and its digest are those of the page. If the command fails (fetch/page_command.h), or writes
 * nothing, the page stays as it was sent.
 *
 * Commands run one after the other. A page is in flight until its command has ended, so that its host has no other request meanwhile, as
 * far as --parallel-per-host says, and its delay begins at the end of the command.
 *
 *     fetcher thread --renderer_put()--> the command's thread --rendering->back--> the same fetcher thread
 */
#ifndef FETCH_RENDERER_H
#define FETCH_RENDERER_H

#include "fetch/channel.h"
#include "fetch/page_command.h"

struct renderer;

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

/* Makes a renderer, and forks the process that starts its commands. A command may take `timeout` ms; 0: as long as it likes. Returns 0, or
 * ERR_OTHER if processes or descriptors cannot be had. */
int renderer_new(struct renderer **, const char *command, int64_t timeout, struct err_note *why) MUST_USE;

/* Starts the renderer's thread. At most `most` pages are rendered or wait. Returns 0, or ERR_OTHER if the thread cannot be had. */
int renderer_begin(struct renderer *, struct body_memory *memory, size_t most, struct err_note *why) MUST_USE;

/* Passes a page to the renderer, with which it stays until it comes back. */
void renderer_put(struct renderer *, struct rendering *);

/* Ends the command that runs, and makes all pages come back with PAGE_COMMAND_ABORTED, also those that are put later. NULL is allowed. */
void renderer_abort(struct renderer *);

/* Ends the thread, after all pages have come back. NULL is allowed. */
void renderer_end(struct renderer *);

/* Returns 0, or ERR_OTHER with a note if the renderer has failed. NULL is allowed, and does not fail. */
int renderer_failed(struct renderer *, struct err_note *why) MUST_USE;

/* Frees the renderer. NULL is allowed. */
void renderer_free(struct renderer *);

#endif
