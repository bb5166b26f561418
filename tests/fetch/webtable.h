/* A web server for tests, on 127.0.0.1, fed by a table, that can misbehave as real ones do. It runs
 * on threads of its own and writes down what it was asked. */
#ifndef TESTS_WEBTABLE_H
#define TESTS_WEBTABLE_H

#include "base/buf.h"

#include <stddef.h>
#include <stdint.h>

enum web_fault {
	WEB_FINE,
	WEB_RAW,             /* the body is the whole answer, head and all; then it closes */
	WEB_TRUNCATED,       /* announces 1,000 bytes more than come, and closes */
	WEB_UNTIL_CLOSE,     /* announces no length, and closes */
	WEB_HANG_UP,         /* closes without a byte */
	WEB_RESET,           /* head, half of the body, and the connection is reset */
	WEB_SILENT,          /* nothing ever comes */
	WEB_STALL,           /* head, half of the body, and then nothing */
	WEB_DRIP,            /* the body byte by byte, `ms` apart */
	WEB_ENDLESS_HEADERS, /* header lines without end */
	WEB_ENDLESS_BODY,    /* the body again and again, without end */
	WEB_CHUNKED,         /* chunks of seven bytes, with a trailer that says Location: /trailer */
	WEB_BAD_CHUNKS,      /* a chunk, then a size that is none */
	WEB_GZIP,            /* packed */
	WEB_GZIP_TWICE,      /* packed, and once more: two members, one behind the other */
	WEB_CUT_GZIP,        /* half of that */
	WEB_BAD_GZIP,        /* says that it is packed where gzip was asked for, but is not */
};

/* "{port}" in headers and body becomes the server's port. */
struct web_row {
	const char *path;    /* with its query */
	int status;          /* 0: 200 */
	const char *headers; /* "Name: value\r\n" ...; NULL: Content-Type: text/html */
	const char *body;    /* NULL: empty */
	enum web_fault fault;
	int ms;                  /* waits so long before it answers; DRIP: between bytes */
	unsigned times;          /* after so many requests the next row of the path serves; 0: never */
	unsigned repeat;         /* the body so many times; 0: once */
	const char *host;        /* for this host only, as in the Host header without port; NULL: any */
	const char *when;        /* for requests only whose head has this text; NULL: any */
	const _Atomic int *gate; /* does not answer before this is 1; NULL: at once */
};

struct web_request {
	const char *path;
	const char *head;    /* request line and headers */
	int64_t time;        /* ms of clock_ms() when it was read */
	unsigned connection; /* 0, 1, ... */
};

struct web;

/* `rows` must outlive it. What is not in the table is 404, or the maker's. Fails the test where no
 * socket can be had. */
struct web *web_open(const struct web_row *rows, size_t n);
/* At 127.0.0.`number`. */
struct web *web_open_at(unsigned number, const struct web_row *rows, size_t n);
void web_close(struct web *);
unsigned web_port(const struct web *);

/* Called for a path that is not in the table, by several threads at once: writes the body of an
 * HTML page and returns its status, or 0 for 404. Set before the first request. */
typedef int web_maker(void *ctx, const char *path, struct buf *body);
void web_make(struct web *, web_maker *make, void *ctx);

/* What was asked so far, in order; the web's until closed, and to be looked at when nothing is
 * asked any more. */
const struct web_request *web_requests(struct web *, size_t *n);
/* How often a path was asked for. */
size_t web_count(struct web *, const char *path);
/* Connections that were made. */
unsigned web_connections(struct web *);

/* "http://127.0.0.1:port" and path; static memory, four at once. */
const char *web_url(const struct web *, const char *path);

#endif
