/* The faults of the fake web: which pages answer wrongly, and how. The user gives the share of the pages for each
 * fault. A hash of the page's number decides whether the page has the fault, so that the same pages have it in
 * every run with the same seed.
 *
 *	fault_parse(&f, "404=0.01,slow=0.05:200ms", why);
 *	fault_answer(&f, page)                               FAULT_404 for 1% of the pages
 *	fault_now(&f, page, answers)                         what the next answer has */
#ifndef SIMWEB_FAULT_H
#define SIMWEB_FAULT_H

#include "base/buf.h"
#include "base/err.h"

#include <stdint.h>

enum fault {
	FAULT_NONE,
	/* Faults of the answer; a page has at most one of these. */
	FAULT_404,      /* every answer is 404 */
	FAULT_500,      /* every answer is 500 */
	FAULT_503,      /* the first answer is 503 with Retry-After; later answers have no fault */
	FAULT_BUSY,     /* every answer is 503, without Retry-After */
	FAULT_REDIRECT, /* every answer is 302 to /alias/N on the same host, which answers with the page */
	FAULT_TRUNCATE, /* the connection ends after half of the body */
	FAULT_DROP,     /* the connection ends without an answer */
	/* Transient faults: the first one or two answers, as is drawn for each page, have the fault, later ones have none. */
	FAULT_TRANSIENT_500,
	FAULT_TRANSIENT_TRUNCATE,
	FAULT_TRANSIENT_DROP,
	/* Extra faults; a page has each of these or not, whatever its other faults are. */
	FAULT_SLOW, /* the answer is delayed by slow_ms */
	FAULT_GZIP, /* the body is compressed (Content-Encoding: gzip) if the client accepts it */
	FAULTS
};

struct fault_settings {
	double share[FAULTS]; /* of the pages, 0..1; the sum of FAULT_404..FAULT_TRANSIENT_DROP is at most 1 */
	int64_t slow_ms;
	int64_t retry_after; /* seconds */
	uint64_t seed;
};

/* Parses a list such as "404=0.01,503=0.02:5s,slow=0.05:200ms,seed=7". The names of the shares are 404, 500, 503
 * (with the time for Retry-After, 1 s by default), busy, redirect, truncate, drop, transient-500,
 * transient-truncate, transient-drop, slow (with the delay, 200 ms by
 * default) and gzip; the seed is 0 by default. NULL and "" mean no faults. Returns 0, or ERR_USAGE with the
 * nearest name or the allowed range in the note. */
int fault_parse(struct fault_settings *, const char *text, struct err_note *why) MUST_USE;

/* Says whether a text is the name of a share or "seed". */
int fault_is_name(const char *text);

/* Appends the list from which fault_parse() makes the same settings; nothing if there are no faults. */
void fault_describe(const struct fault_settings *, struct buf *out);

/* Returns the fault of a page's answers, FAULT_404..FAULT_TRANSIENT_DROP, or FAULT_NONE. The result depends on the
 * seed and the page only. */
enum fault fault_answer(const struct fault_settings *, uint32_t page);

/* The most faulty answers of a page whose fault passes. */
#define FAULT_MAX_PASSING 2

/* Returns the fault of the answer that follows `answers` earlier answers of the page: FAULT_404..FAULT_DROP, or FAULT_NONE.
 * A transient fault is returned as the fault it looks like, and as FAULT_NONE once it has passed. After FAULT_MAX_PASSING
 * answers the result no longer changes. */
enum fault fault_now(const struct fault_settings *, uint32_t page, unsigned answers);

/* Says whether some pages have a fault that passes (503 or a transient one), so that earlier answers must be counted. */
int fault_passes(const struct fault_settings *);

/* Says whether a page has the extra fault `which`, FAULT_SLOW or FAULT_GZIP. */
int fault_extra(const struct fault_settings *, uint32_t page, enum fault which);

/* Returns the HTTP status of the answer to a page with this fault; 0: the connection ends without an answer. */
uint16_t fault_status(enum fault);

#endif
