/* What goes wrong on the fake web, and for which pages: a share of them for each fault, drawn by
 * hash of the page's number, so that the same pages are bad in every run with the same seed. */
#ifndef SIMWEB_FAULT_H
#define SIMWEB_FAULT_H

#include "base/buf.h"
#include "base/err.h"

#include <stdint.h>

enum fault {
	FAULT_NONE,
	/* These exclude each other: a page has one of them or none. */
	FAULT_404,      /* every answer is 404 */
	FAULT_500,      /* every answer is 500 */
	FAULT_503,      /* the first answer is 503 with Retry-After, then all is well */
	FAULT_REDIRECT, /* 302 to /alias/N on the same host, where the page stands */
	FAULT_TRUNCATE, /* half the body comes, then the connection ends */
	FAULT_DROP,     /* the connection ends without an answer */
	/* These come on top, drawn on their own. */
	FAULT_SLOW, /* the answer takes its time */
	FAULT_GZIP, /* Content-Encoding: gzip, where the client accepts it */
	FAULTS
};

struct fault_settings {
	double share[FAULTS]; /* of the pages, 0..1; FAULT_404..FAULT_DROP sum up to at most 1 */
	int64_t slow_ms;
	int64_t retry_after; /* seconds */
	uint64_t seed;
};

/* Reads "404=0.01,503=0.02:5s,slow=0.05:200ms,seed=7": shares by the names 404, 500, 503 (with
 * the time to wait, 1 s), redirect, truncate, drop, slow (with the time taken, 200 ms), gzip; and
 * the seed, 0. NULL or "" is no fault at all. ERR_USAGE, with the nearest name or the range. */
int fault_parse(struct fault_settings *, const char *text, struct err_note *why) MUST_USE;

/* Appends what fault_parse() reads back as the same; nothing where there are no faults. */
void fault_describe(const struct fault_settings *, struct buf *out);

/* Which of FAULT_404..FAULT_DROP a page has, or FAULT_NONE. Exactly one draw a page. */
enum fault fault_answer(const struct fault_settings *, uint32_t page);

/* Whether a page has this one of FAULT_SLOW and FAULT_GZIP. */
int fault_extra(const struct fault_settings *, uint32_t page, enum fault which);

#endif
