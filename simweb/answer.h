/* Answers the requests to the fake web: finds the page that a request means, applies the faults that the page
 * has (simweb/fault.h), and sends the answer. These are the callbacks of libmicrohttpd's daemon, which
 * simweb/serve.c starts. */
#ifndef SIMWEB_ANSWER_H
#define SIMWEB_ANSWER_H

#include "simweb/changing.h"
#include "simweb/endless.h"
#include "simweb/fault.h"
#include "simweb/site.h"

#include <microhttpd.h>
#include <stdatomic.h>
#include <stdio.h>

/* The state that all threads of the server share. Once the server listens, only the atomic fields change. */
struct answering {
	struct site site;
	const struct endless *endless;   /* in place of the site; NULL: there is none */
	const struct changing *changing; /* what the pages of the site are like at a time; NULL: they do not change */
	int64_t clock, started;          /* the web's time, in s, when clock_ns() was `started` */
	struct fault_settings faults;
	const char *robots;    /* see struct simweb_settings */
	struct delays *delays; /* NULL if no page has FAULT_SLOW */
	FILE *log;             /* of requests, line-buffered; NULL if there is none */
	_Atomic uint8_t
		*answers; /* of each page so far, up to FAULT_MAX_PASSING; NULL unless fault_passes(), and of an endless web */
	_Atomic uint64_t requests, pages, robots_asked, not_found, faulty; /* see struct simweb_counts */
};

/* Begins a request: libmicrohttpd calls this with the target before it parses the headers. Returns the state of
 * the request, which the next two functions get. `ctx` of all three is the struct answering. */
void *answer_begin(void *ctx, const char *target, struct MHD_Connection *);

/* Answers a request: libmicrohttpd calls this when the headers are there, again after the body, and again when a
 * delayed connection is resumed. */
enum MHD_Result answer(void *ctx, struct MHD_Connection *, const char *url, const char *method, const char *version,
	const char *upload, size_t *upload_size, void **request);

/* Ends a request: writes its line into the log, and frees its state. */
void answer_end(void *ctx, struct MHD_Connection *, void **request, enum MHD_RequestTerminationCode);

/* Starts the thread. Every connection will be delayed by `ms`. Returns NULL if the system gives no
 * thread. */
struct delays *delays_new(int64_t ms);

/* Ends the thread and frees the delays. No connection may be waiting. */
void delays_free(struct delays *);

/* Resumes all waiting connections at once, and makes delays_add() suspend no more connections. The
 * function is thread-safe. */
void delays_finish(struct delays *);

#endif
