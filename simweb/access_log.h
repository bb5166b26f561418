/* Reads the log of a web server, line by line: the request log of the fake web (simweb/request_log.h), or a log of nginx
 * whose log_format is stated.
 *
 *	access_log_open(&log, "access.log", "$msec $request_time $server_addr $host \"$request\" $status", why);
 *	while ((got = access_log_next(log, &line, why)) > 0) ...
 *	access_log_close(log);
 *
 * A log_format is text with variables, as in nginx.conf. These variables are used, and all others are skipped:
 *
 *   $msec                      when the answer had been sent, in s; required
 *   $request_time              how long the request took, in s; the beginning is $msec less this
 *   $host or $http_host        the host, in lower case; required
 *   $server_addr               the address that was asked; without it the host stands for its address
 *   $request or $request_uri   "GET /a HTTP/1.1", or its target; required
 *   $status
 *   $request_completion        "OK" if the whole answer was sent, else empty
 *   $sent_http_retry_after     of the answer
 *   $http_user_agent           the client
 *
 * A target with scheme and host, as a proxy is asked for it, loses them. The value of a variable ends where the text
 * behind the variable in the format begins, so between two variables there must be some text. */
#ifndef SIMWEB_ACCESS_LOG_H
#define SIMWEB_ACCESS_LOG_H

#include "base/err.h"

#include <stdint.h>

/* One request. The texts are valid until the next call. */
struct access {
	uint64_t line;                               /* its number, from 1 */
	int64_t begin, end;                          /* us, of a clock of the server's */
	const char *host, *address, *target, *agent; /* agent: "" if the log does not say */
	unsigned status;                             /* 0: no answer, or the log does not say */
	int64_t retry_after;                         /* us; -1: none */
	int is_whole;                                /* the whole answer was sent, or the log does not say */
};

struct access_log;

/* Opens a log ("-" is stdin; compressed files are read, too). `format` is a log_format of nginx, or NULL for the request log of
 * the fake web. Returns 0; ERR_USAGE if the format lacks a required variable or has two without text between; ERR_FILE. */
int access_log_open(struct access_log **, const char *path, const char *format, struct err_note *why) MUST_USE;

/* Closes a log. NULL is allowed. */
void access_log_close(struct access_log *);

/* Reads the next line that is not empty. Returns 1; 0 at the end; ERR_FORMAT, with the line's number, for a line that
 * is not of the format; or ERR_FILE. */
int access_log_next(struct access_log *, struct access *, struct err_note *why) MUST_USE;

#endif
