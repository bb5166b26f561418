/* The line by which a page is shown to a score command (fetch/scorer.h): one JSON object without a line break in it.
 *
 *     {"url":"http://example.org/","status":200,"type":"text/html; charset=utf-8","body":"PGh0bWw+..."}
 *
 * `type` is the Content-Type of the answer, or null. `body` is the decompressed body in base64, since a body may be in any
 * encoding. Bytes of URL and type that are not UTF-8 become '?'. */
#ifndef FETCH_SCORE_LINE_H
#define FETCH_SCORE_LINE_H

#include "base/buf.h"

struct score_page {
	const char *url;  /* canonical */
	unsigned status;  /* HTTP */
	const char *type; /* NULL: the answer has no Content-Type */
	const char *body; /* n bytes */
	size_t n;
};

/* Appends the line of a page, with its line feed. */
void score_line_add(struct buf *out, const struct score_page *);

#endif
