/* An HTTP answer: its header lines as they come in, and what the answer means for the page. Any bytes are accepted as
 * header lines; lines that are not understood are passed over. No I/O.
 *
 *     answer_line(&a, line, n, "lycosa", time(NULL));  ...
 *     struct verdict v = answer_judge(&a, error, WILL_PASS, tries, allowed);
 */
#ifndef FETCH_ANSWER_H
#define FETCH_ANSWER_H

#include "base/buf.h"
#include "base/outcome.h"

#define ANSWER_MAX_HEADERS (256u * 1024) /* bytes of all header lines, where no less is allowed */
#define ANSWER_MAX_ETAG    256           /* bytes of an ETag; longer ones are passed over */
#define ANSWER_MAX_DELAY   3600000       /* ms: what a Retry-After is cut down to */

struct answer {
	uint16_t status; /* of the last status line, 0 before */
	int has_headers; /* the blank line after them was seen */
	int has_type, has_location, has_refresh;
	int nofollow; /* X-Robots-Tag */
	int has_length;
	int contradicts;     /* Content-Length comes twice, and says two things */
	unsigned packed;     /* codings that Content-Encoding names and that must be undone, */
	unsigned gzipped;    /* those of them that are gzip */
	int64_t retry_after; /* ms, -1: not said */
	uint64_t length;     /* a hash of Content-Length's text */
	int64_t modified; /* Last-Modified, s since 1970, of a form that can be said again; 0: none */
	size_t header_bytes;
	size_t max_headers;           /* bytes, kept by answer_reset(); 0: ANSWER_MAX_HEADERS */
	char type[512];               /* Content-Type, cut where it is longer */
	struct buf location, refresh; /* the first; bytes beyond ASCII as %HH, as browsers do */
	struct buf etag;
};

void answer_release(struct answer *a);

/* Makes the struct ready for the next answer, and keeps its memory. A zeroed struct is ready, too. */
void answer_reset(struct answer *a);

/* Takes a line with or without its line end. An interim answer (1xx) is forgotten at the next
 * status line; lines after the blank one (trailers) are passed over. `agent` is the product token
 * for which X-Robots-Tag is read, `now` the time in s since 1970. 0, or -1 where the headers are
 * larger than allowed. */
int answer_line(struct answer *a, const char *line, size_t n, const char *agent, int64_t now);

struct verdict {
	enum outcome outcome;
	enum page_state state; /* REDIRECTED: location is still to be resolved */
	int64_t retry_after;   /* QUEUED: ms */
};

enum lasting { WILL_PASS, WILL_LAST }; /* whether another try may help */

/* What an answer amounts to for a page of which `tries` requests were made before, `allowed` in
 * all. `error` is how the transfer ended, OUTCOME_NONE where nothing went wrong. A status other than 2xx counts even where the body broke
 * off. The delay before the next try is the server's Retry-After, or 1 s, 2 s, 4 s ... */
struct verdict answer_judge(const struct answer *a, enum outcome error, enum lasting lasting,
	unsigned tries, unsigned allowed);

/* The delay in ms before the next try, after so many tries: the server's Retry-After, or 1 s, 2 s, 4 s ... */
int64_t answer_delay(const struct answer *a, unsigned tries);

/* A time in s since 1970 as HTTP writes it, "Sun, 06 Nov 1994 08:49:37 GMT", into text[size]
 * (ANSWER_DATE_SIZE is enough), whatever the locale. */
#define ANSWER_DATE_SIZE 40
void answer_date(int64_t time, char *text, size_t size);

/* The product token of a user agent, up to the first '/' or blank, into token[size]. */
void answer_product(const char *user_agent, char *token, size_t size);

#endif
