/* Answers http://127.0.0.1:PORT/metrics on a thread of its own. The crawler's only user of
 * libmicrohttpd. */
#ifndef CRAWLER_METRICS_SERVER_H
#define CRAWLER_METRICS_SERVER_H

#include "crawler/metrics.h"

struct metrics_server;

/* Port 0: one is chosen; *port is the one it is. The metrics must outlive it. ERR_FILE where the
 * port is taken. */
int metrics_server_new(
	struct metrics_server **, struct metrics *, uint16_t *port, struct err_note *why) MUST_USE;
void metrics_server_free(struct metrics_server *); /* NULL is allowed */

#endif
