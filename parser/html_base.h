/* Says quickly of most documents that they have no base element, so that html_read() need not look for one.
 *
 *	if (html_may_have_base(bytes, n))
 *		... read all tags, until the first base element with an href */
#ifndef PARSER_HTML_BASE_H
#define PARSER_HTML_BASE_H

#include <stddef.h>

/* Returns 1 if "<base" stands in n bytes, in letters of either case; may also return 1 if it does not. */
int html_may_have_base(const char *bytes, size_t n);

#endif
