/* Sends answers of the fake web through libmicrohttpd: whole, packed, cut off, or "unchanged" where the client has the page. */
#ifndef SIMWEB_SEND_H
#define SIMWEB_SEND_H

#include "base/buf.h"
#include "simweb/fault.h"

#include <microhttpd.h>
#include <stdint.h>

/* The state of a request. libmicrohttpd keeps the target only in its unescaped form, so answer_begin() copies it. */
struct request {
	enum { ASKED, READ, WAITED } stage;
	int64_t begin;  /* ns; begin, answer and host are for the log */
	int64_t answer; /* see struct request_line */
	char *host;
	unsigned status;     /* of the answer; 0: none yet, or none at all */
	int64_t retry_after; /* s; -1: the answer has no Retry-After */
	struct MHD_Connection *connection;
	char target[];
};

/* Queues a response, which may be NULL, with a media type and a status, and gives it up. */
enum MHD_Result send_response(struct request *, unsigned status, struct MHD_Response *, const char *type);

/* Makes a response of a text that is never freed. */
struct MHD_Response *send_fixed(const char *text);

/* Sends a status with a static page, and with a header unless its name is NULL. */
enum MHD_Result send_error(struct request *, unsigned status, const char *header, const char *value, const char *text);

/* How a body is sent. */
struct sending {
	unsigned status;
	const char *type;
	int64_t modified;     /* for Last-Modified, in s since 1970; 0: none */
	enum fault fault;     /* FAULT_TRUNCATE: the connection ends after half of the body; or FAULT_NONE */
	int gzip;             /* the body is compressed */
	const char *location; /* for Location; NULL: none */
};

/* Sends a body and takes it over. A client that says that it has the same page (If-None-Match, or If-Modified-Since with the same
 * date) gets 304, unless the status is not 200 or the body is to be cut off. */
enum MHD_Result send_body(struct request *, struct buf *body, const struct sending *);

/* Says whether the client takes gzip, at a quality other than 0. */
int send_accepts_gzip(struct request *);

#endif
