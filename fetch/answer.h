/* An HTTP answer: parses its header lines, and judges what the answer means for the page. Any bytes are accepted as
 * header lines; lines with an unknown field or a malformed value are ignored. The functions do no I/O.
 *
 *     answer_line(&a, line, n, "lycosa", time(NULL));      for each line that libcurl reports
 *     struct verdict v = answer_judge(&a, error, TRANSIENT, tries, allowed);
 */
#ifndef FETCH_ANSWER_H
#define FETCH_ANSWER_H

#include "base/buf.h"
#include "base/outcome.h"

#define ANSWER_MAX_HEADERS (256u * 1024) /* the most bytes of all header lines, unless the settings allow fewer */
#define ANSWER_MAX_ETAG    256           /* a longer ETag, in bytes, is ignored */
#define ANSWER_MAX_DELAY   3600000       /* ms; a longer Retry-After is shortened to this */

struct answer {
	uint16_t status; /* of the last status line; 0 before the first one */
	int has_headers; /* the blank line behind the headers has come */
	int has_type, has_location, has_refresh;
	int nofollow;   /* X-Robots-Tag says nofollow or none */
	uint16_t usage; /* what X-Robots-Tag, Content-Usage and TDM-Reservation ask of users (parser/usage.h) */
	int has_length;
	int contradicts;     /* there are two Content-Length lines with different values */
	unsigned packed;     /* the number of codings in Content-Encoding that must be undone */
	unsigned gzipped;    /* the number of these that are gzip */
	int64_t retry_after; /* Retry-After in ms; -1 if there is none */
	uint64_t length;     /* a hash of Content-Length's text */
	int64_t modified;    /* Last-Modified in s since 1970, if answer_date() writes the same text; 0: none */
	size_t header_bytes;
	size_t max_headers;           /* bytes; answer_reset() keeps the value; 0 means ANSWER_MAX_HEADERS */
	char type[512];               /* the start of Content-Type */
	char language[64];            /* Content-Language; "" if there is none, or if it is longer */
	struct buf links;             /* the values of all Link fields, with commas between, bytes beyond ASCII as %HH */
	struct buf location, refresh; /* the first field of each name, with bytes beyond ASCII written as %HH */
	struct buf etag;
};

/* Frees the memory. */
void answer_release(struct answer *a);

/* Prepares the struct for the next answer and keeps its memory. A zeroed struct is prepared, too. */
void answer_reset(struct answer *a);

/* Parses one line of n bytes, with or without its line end. The lines of an interim answer (1xx) are forgotten at the
 * next status line, and lines behind the blank line (trailers) are ignored. `agent` is the product token that
 * X-Robots-Tag may name; `now` is the time in s since 1970. Returns 0, or -1 if the headers are too large. */
int answer_line(struct answer *a, const char *line, size_t n, const char *agent, int64_t now);

struct verdict {
	enum outcome outcome;
	enum page_state state; /* of the page; for REDIRECTED the caller has to resolve `location` */
	int64_t retry_after;   /* QUEUED: ms from now */
};

/* Whether an error may be gone at the next try (TRANSIENT), or would occur again (PERMANENT). */
enum permanence { TRANSIENT, PERMANENT };

/* Judges an answer. `error` is how the transfer ended, OUTCOME_NONE if nothing went wrong; `permanence` says whether the
 * error will occur again; `tries` requests were made for the page before this one, and `allowed` may be made in all. A
 * status other than 2xx decides even if the body is incomplete. If the page may be tried again, its state is
 * PAGE_QUEUED with the delay of answer_delay(). */
struct verdict answer_judge(const struct answer *a, enum outcome error, enum permanence permanence, unsigned tries,
	unsigned allowed);

/* Returns the delay in ms before the next try of a page that had `tries` requests before this one: the server's
 * Retry-After, or else 1 s, 2 s, 4 s ... up to ANSWER_MAX_DELAY. */
int64_t answer_delay(const struct answer *a, unsigned tries);

/* Says whether a status means that the host is out of order or overloaded, whichever page it is an answer to: 429, 502, 503,
 * 504. */
int answer_blames_host(unsigned status);

/* The room for the text of answer_date(), in bytes. */
#define ANSWER_DATE_SIZE 40

/* Writes a time in s since 1970 in HTTP's form, "Sun, 06 Nov 1994 08:49:37 GMT", into text[size], in any locale. */
void answer_date(int64_t time, char *text, size_t size);

/* The room for a product token, in bytes. */
#define ANSWER_PRODUCT_SIZE 64

/* Writes the product token of a user agent, which ends at the first '/' or blank, into token[size]; a longer token is
 * cut. */
void answer_product(const char *user_agent, char *token, size_t size);

#endif
