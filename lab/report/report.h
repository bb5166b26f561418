/* A comparison as a page: one file that needs nothing else, readable in dark and light. */
#ifndef LAB_REPORT_REPORT_H
#define LAB_REPORT_REPORT_H

#include "lab/measure/summary.h"

struct report_graph {
	const struct compare *compare; /* with profiles */
	const char *name;              /* as it was named */
	uint64_t fingerprint;
};

struct report {
	const struct report_graph *graphs; /* a section each; of more than one a summary, too */
	size_t n;                          /* >= 1 */
	const char *version;
	int with_cost; /* CPU time, which differs from run to run */
	int ties;      /* pages of equal rank were hot together */
};

/* Appends the page. Where drawings cannot be made it goes without, says so, and so does `why`
 * (ERR_OTHER). */
int report_write(struct buf *html, const struct report *, struct err_note *why) MUST_USE;

/* The page up to its heading; `title` is escaped. */
void report_begin_page(struct buf *html, const char *title);

/* Opens what is wider than a small screen, "Table 3", to be closed by "</div>": it scrolls by itself,
 * by keys as well. */
void report_begin_scroll(struct buf *html, const char *what, int number);

/* A drawing, NULL where there is nothing to draw, and what it shows. */
void report_figure(struct buf *html, int number, const char *drawing, const char *caption);

#endif
