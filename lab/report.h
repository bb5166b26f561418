/* A comparison as a page: one file that needs nothing else, readable in dark and light. */
#ifndef LAB_REPORT_H
#define LAB_REPORT_H

#include "lab/summary.h"

struct report {
	const struct compare *compare; /* with profiles */
	const char *graph;             /* as it was named */
	const char *version;
	uint64_t fingerprint; /* of the graph */
	int with_cost;        /* CPU time, which differs from run to run */
};

/* Appends the page. Where drawings cannot be made it goes without, says so, and so does `why`
 * (ERR_OTHER). */
int report_write(struct buf *html, const struct report *, struct err_note *why) MUST_USE;

/* The page up to its heading; `title` is escaped. */
void report_begin_page(struct buf *html, const char *title);

#endif
