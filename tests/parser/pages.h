/* What the tests of documents share: the links of one as a text, tables of them. */
#ifndef TESTS_PAGES_H
#define TESTS_PAGES_H

#include "tests/test.h"

#include "base/buf.h"
#include "parser/html.h"

#define ALL_KINDS (((1u << LINK_KINDS) - 1) & ~(1u << LINK_REQUISITE))

/* Appends " kind:/path", '!' before it for nofollow; the address's origin is left out. */
static inline int add_link(void *ctx, const struct url *target, unsigned kind, const char *anchor)
{
	const char *text = target->text.at;

	(void)anchor;
	if (strncmp(text, "http://h/", 9) == 0)
		text += strlen("http://h");
	buf_format(ctx, " %s%s:%s", kind & LINK_NOFOLLOW ? "!" : "", link_kinds[kind & ~(unsigned)LINK_NOFOLLOW].name, text);
	return 0;
}

/* The links of a document at http://h/d/p, as one text; `page` may be NULL. */
static inline void read_page(struct buf *links, const char *bytes, size_t n, const char *type, struct html_page *page)
{
	struct url address = URL_EMPTY;
	struct html_page own;

	buf_clear(links);
	assert_int_equal(url_parse(&address, "http://h/d/p", 12, NULL), URL_OK);
	html_read(bytes, n, &address, type, ALL_KINDS, UINT64_MAX, add_link, links, page ? page : &own);
	buf_end(links);
	if (!page)
		html_page_release(&own);
	url_release(&address);
}

struct row {
	const char *html, *want;
};

static inline void assert_links(const struct row *row, size_t n)
{
	struct buf links = BUF_EMPTY;

	for (; n; n--, row++) {
		/* exactly as many bytes, so that ASan sees a step beyond */
		size_t length = strlen(row->html);
		char *bytes = malloc(length);
		memcpy(bytes, row->html, length);
		read_page(&links, bytes, length, "text/html; charset=utf-8", NULL);
		free(bytes);
		const char *got = links.used ? links.at + 1 : "";
		if (strcmp(got, row->want) != 0)
			fail_msg("<%s>: <%s>, not <%s>", row->html, got, row->want);
	}
	buf_release(&links);
}

#define ROWS(table) table, sizeof(table) / sizeof *(table)

#endif
