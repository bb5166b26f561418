/* The log of the fake web: who was asked for what, and from when to when, a line a request in the
 * order of their ends:
 *
 *   BEGIN TAB END TAB ADDRESS TAB HOST TAB TARGET TAB ok|broken
 *
 * BEGIN is when the request line was there and END when the answer had been sent, in us of a clock
 * that never goes back; ADDRESS is the server's own that was asked, HOST and TARGET are the
 * request's ("-" for no host, controls and blanks as "?"). Thread-safe. */
#ifndef SIMWEB_REQUEST_LOG_H
#define SIMWEB_REQUEST_LOG_H

#include "base/err.h"

#include <stdint.h>

struct request_log;

/* ERR_FILE. */
int request_log_open(struct request_log **, const char *path, struct err_note *why) MUST_USE;
/* Safe on NULL. What could not be written is lost. */
void request_log_close(struct request_log *);

struct request_line {
	int64_t begin, end; /* ns */
	const char *address, *host, *target;
	int ok;
};

void request_log_add(struct request_log *, const struct request_line *);

#endif
