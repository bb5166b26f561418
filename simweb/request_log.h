/* The request log of the fake web: one line for each request, in the order in which the answers were finished:
 *
 *   BEGIN TAB ANSWER TAB ADDRESS TAB HOST TAB TARGET TAB ok|broken TAB STATUS TAB RETRY
 *
 * BEGIN is the time at which the server had read the request line, ANSWER the time just before it began to send the
 * answer, both in us of a clock that never goes back. The client sent the request no later than at BEGIN, and had the
 * answer no earlier than at ANSWER, however busy the machine is. So a client that waits for the delay after each
 * answer is seen to do so: from the ANSWER of a request to the BEGIN of the next there is at least the delay.
 *
 * ADDRESS is the server's address that the client connected to. HOST and TARGET are the request's, with "-" for no
 * host and "?" for each blank and control character. The next field is "broken" if the connection ended before the whole
 * answer was sent. STATUS is the HTTP status of the answer, 0 if there was none. RETRY is the answer's Retry-After in
 * seconds, "-" if it had none. */
#ifndef SIMWEB_REQUEST_LOG_H
#define SIMWEB_REQUEST_LOG_H

#include "base/err.h"

#include <stdint.h>

struct request_log;

/* Opens a log and empties the file if it exists. Returns 0, or ERR_FILE; *out is NULL after an error. */
int request_log_open(struct request_log **, const char *path, struct err_note *why) MUST_USE;

/* Closes a log. NULL is allowed. Lines that could not be written are lost without an error. */
void request_log_close(struct request_log *);

struct request_line {
	int64_t begin, answer; /* ns of clock_ns() */
	const char *address, *host, *target;
	int ok;              /* 1 if the whole answer was sent */
	unsigned status;     /* 0: there was no answer */
	int64_t retry_after; /* s; -1: the answer had none */
};

/* Adds a line. Any thread may call. */
void request_log_add(struct request_log *, const struct request_line *);

#endif
