/* The metrics server (--metrics): answers requests for http://127.0.0.1:PORT/metrics on a thread of its own, which
 * can write no file (base/sandbox.h). */
#ifndef CRAWLER_METRICS_SERVER_H
#define CRAWLER_METRICS_SERVER_H

#include "crawler/metrics.h"

struct metrics_server;

/* Starts the server on *port. If *port is 0, the system chooses a free port, and *port becomes its number. The metrics
 * must outlive the server. Returns 0, or ERR_FILE if the port is in use. */
int metrics_server_new(
	struct metrics_server **, struct metrics *, uint16_t *port, struct err_note *why) MUST_USE;

/* Ends the thread and frees the server. NULL is allowed. */
void metrics_server_free(struct metrics_server *);

#endif
