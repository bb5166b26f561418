/* An audit: proves from the log of a web server that a crawler was polite, or names the requests with which it was not.
 *
 *	audit = audit_new(&(struct audit_rules){.delay = 1000000, .rest = 1000000, .at_once = 1});
 *	while (access_log_next(log, &line, why) > 0)
 *		audit_add(audit, &line);
 *	audit_judge(audit);
 *	for (r = 0; r < AUDIT_RULES; r++)
 *		... audit_count(audit, r) ... audit_breach(audit, i) ...
 *	audit_free(audit);
 *
 * The rules (enum audit_rule). A request is *between* BEGIN and END of its line, so the server's clock alone decides:
 *
 *   HOST_AT_ONCE, ADDRESS_AT_ONCE   no more requests than `at_once` to a host, to an address, at any time
 *   HOST_DELAY, ADDRESS_DELAY       from the BEGIN of a request to the BEGIN of the next at least `delay`, and from its
 *                                   END at least `rest`; of a host also the Crawl-delay of its robots.txt
 *   ROBOTS_FIRST                    no page of a host begins before a request for its robots.txt has ended
 *   ROBOTS_OBEYED                   no page is asked for that robots.txt disallows, and none after a robots.txt that was
 *                                   answered with 5xx or 429
 *   TWICE                           no URL is requested again, unless the last request for it had no answer or a broken one,
 *                                   or the status 408, 429, 5xx or 304; robots.txt may also be requested again a day (less
 *                                   a second) after the last answer
 *   RETRY_AFTER                     after 429 or 503 with Retry-After the host is left alone for that time
 *
 * `tolerance` is taken off every time that a crawler has to wait. Times are in us. */
#ifndef LAB_MEASURE_AUDIT_H
#define LAB_MEASURE_AUDIT_H

#include "base/err.h"
#include "parser/robots.h"

#include <stddef.h>
#include <stdint.h>

/* --- Reads the log of a web server, line by line: the request log of the fake web (simweb/answer.c), or a log of nginx
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

enum audit_rule {
	AUDIT_HOST_AT_ONCE,
	AUDIT_ADDRESS_AT_ONCE,
	AUDIT_HOST_DELAY,
	AUDIT_ADDRESS_DELAY,
	AUDIT_ROBOTS_FIRST,
	AUDIT_ROBOTS_OBEYED,
	AUDIT_TWICE,
	AUDIT_RETRY_AFTER,
	AUDIT_RULES
};

/* Returns the name of a rule, as in results ("host-at-once"). */
const char *audit_rule_name(enum audit_rule);

/* Whether the crawler knew which hosts share an address. A crawler behind a proxy does not, and can keep the rules of hosts
 * alone. */
enum audit_addresses { AUDIT_ADDRESSES_KNOWN, AUDIT_ADDRESSES_HIDDEN };

struct audit_rules {
	int64_t delay, rest;         /* us; 0: not asked for */
	int64_t tolerance;           /* us */
	uint32_t at_once;            /* >= 1 */
	const struct robots *robots; /* the rules of every host whose robots.txt was answered with 2xx; NULL: unknown */
	/* In place of `robots`: makes the rules of a host, which the audit frees; NULL: unknown. */
	struct robots *(*robots_of)(void *ctx, const char *host);
	void *robots_ctx;
	enum audit_addresses addresses; /* HIDDEN: the two rules about addresses are not judged */
};

struct audit;

/* Returns an empty audit; the caller frees it. The rules are copied, struct robots is borrowed. */
struct audit *audit_new(const struct audit_rules *);

/* Frees an audit. */
void audit_free(struct audit *);

/* Adds a request; the requests may come in any order. Memory: 64 bytes for each, and its target once for each URL. */
void audit_add(struct audit *, const struct access *);

/* Judges all requests that were added. Call it once. */
void audit_judge(struct audit *);

/* What an audit has seen. */
struct audit_size {
	uint64_t requests, pages, robots; /* pages: all that is not robots.txt */
	uint64_t hosts, addresses;
	int64_t us; /* from the first BEGIN to the last END */
};

struct audit_size audit_size(const struct audit *);

/* How a rule has fared. */
struct audit_count {
	uint64_t looked; /* how often there was something to judge */
	uint64_t breaches;
	/* the shortest time between two requests, for the rules of delays and Retry-After; INT64_MAX: there was none */
	int64_t least;
};

struct audit_count audit_count(const struct audit *, enum audit_rule);

/* One breach of a rule. Texts belong to the audit. */
struct audit_breach {
	enum audit_rule rule;
	uint64_t line;    /* of the request that breaks the rule */
	uint64_t because; /* of the earlier request that makes it one; 0: none */
	const char *host, *address, *target;
	int64_t us; /* the time between the two, for the rules of delays and Retry-After; else 0 */
};

/* Returns breach i, ordered by the BEGIN of the request, or NULL beyond the last. */
const struct audit_breach *audit_breach(const struct audit *, size_t i);

#endif
