/* The answer to each request: which page is meant, what its faults make of it, and the sending. */
#ifndef SIMWEB_ANSWER_H
#define SIMWEB_ANSWER_H

#include "simweb/delay.h"
#include "simweb/fault.h"
#include "simweb/request_log.h"
#include "simweb/site.h"

#include <microhttpd.h>
#include <stdatomic.h>

/* Shared by all threads of the server; only what is atomic changes once it listens. */
struct answering {
	struct site site;
	struct fault_settings faults;
	const char *robots;
	struct delays *delays;     /* NULL where no page is slow */
	struct request_log *log;   /* NULL: none is kept */
	_Atomic uint64_t *refused; /* a bit a page: it has had its 503; NULL where none has one */
	_Atomic uint64_t requests, pages, robots_asked, not_found, faulty;
};

/* The three callbacks of the daemon; ctx is the struct answering. */
void *answer_begin(void *ctx, const char *target, struct MHD_Connection *);
enum MHD_Result answer(void *ctx, struct MHD_Connection *, const char *url, const char *method,
	const char *version, const char *upload, size_t *upload_size, void **request);
void answer_end(
	void *ctx, struct MHD_Connection *, void **request, enum MHD_RequestTerminationCode);

#endif
