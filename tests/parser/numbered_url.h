/* Many URLs of one pattern. */
#ifndef TESTS_NUMBERED_URL_H
#define TESTS_NUMBERED_URL_H

#include "base/buf.h"
#include "parser/url.h"
#include "tests/test.h"

/* The pattern with each '#' in it replaced by n. */
static inline struct url numbered_url(const char *pattern, int n)
{
	struct url u = URL_EMPTY;
	struct buf text = BUF_EMPTY;

	for (; *pattern; pattern++)
		if (*pattern == '#')
			buf_format(&text, "%d", n);
		else
			buf_byte(&text, *pattern);
	assert_int_equal(url_parse(&u, text.at, text.used, NULL), URL_OK);
	buf_release(&text);
	return u;
}

#endif
