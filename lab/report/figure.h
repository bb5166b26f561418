/* Drawings by gnuplot, a program that need not be there. */
#ifndef LAB_REPORT_FIGURE_H
#define LAB_REPORT_FIGURE_H

#include "base/buf.h"
#include "base/err.h"

/* Runs gnuplot on a script and appends the SVG that it draws, to stand in an HTML page: the element
 * alone, without namespaces. `label` says what is drawn, for who cannot see it. ERR_OTHER where
 * there is no gnuplot, ERR_FORMAT where it drew nothing; then nothing is appended. */
int figure_draw(struct buf *svg, const struct buf *script, const char *label,
	struct err_note *why) MUST_USE;

/* Appends text to be text in a page. */
void figure_escape(struct buf *html, const char *text);

/* Appends text as a string in a script. */
void figure_quote(struct buf *script, const char *text);

#endif
