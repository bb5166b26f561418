/* What the tests of URLs share: tables of references, the parts of a result, hostile texts. */
#ifndef TESTS_URLS_H
#define TESTS_URLS_H

#include "tests/test.h"

#include "base/rng.h"
#include "parser/url.h"

/* What a reference becomes, as a text: its URL, or why it is none. */
static inline const char *outcome(enum url_result r, const struct url *u)
{
	static const char *const name[] = {[URL_BAD] = "bad", [URL_FOREIGN] = "foreign", [URL_TOO_LONG] = "too long"};

	return r == URL_OK ? u->text.at : name[r];
}

/* The parts must lie in the text as they say. */
static inline void assert_parts_fit(const struct url *u)
{
	const char *t = u->text.at;
	const uint32_t usual = u->https ? 443 : 80;

	assert_int_equal(strlen(t), u->text.used);
	assert_true(u->text.used <= URL_MAX);
	assert_memory_equal(t, u->https ? "https://" : "http://", u->https ? 8 : 7);
	assert_true(u->host >= (u->https ? 8u : 7u) && u->host < u->host_end);
	assert_true(u->host == (u->https ? 8u : 7u) || t[u->host - 1] == '@');
	assert_true(u->host_end <= u->path && u->path < u->query && u->query <= u->text.used);
	assert_int_equal(t[u->path], '/');
	assert_true(t[u->query] == '?' || u->query == u->text.used);
	assert_null(memchr(t + u->path, '?', u->query - u->path));
	assert_null(strchr(t, '#'));
	if (u->host_end == u->path) {
		assert_int_equal(u->port, usual);
	} else {
		assert_int_equal(t[u->host_end], ':');
		assert_int_equal(u->port, strtoul(t + u->host_end + 1, NULL, 10));
		assert_int_not_equal(u->port, usual);
	}
}

struct reference {
	const char *base, *input, *want;
};

static inline void assert_references(const struct reference *row, size_t n)
{
	struct url base = URL_EMPTY, u = URL_EMPTY;

	for (size_t i = 0; i < n; i++, row++) {
		enum url_result r = URL_OK;
		if (row->base)
			r = url_parse(&base, row->base, strlen(row->base), NULL);
		assert_int_equal(r, URL_OK);
		r = url_parse(&u, row->input, strlen(row->input), row->base ? &base : NULL);
		if (strcmp(outcome(r, &u), row->want) != 0)
			fail_msg("<%s> against <%s>: <%s>, not <%s>", row->input, row->base ? row->base : "", outcome(r, &u),
				row->want);
		if (r == URL_OK)
			assert_parts_fit(&u);
	}
	url_release(&base);
	url_release(&u);
}

#define ROWS(table) table, sizeof(table) / sizeof *(table)

static const char *const scrap[] = {"http:", "https:", "/", "/", "//", "\\", "?", "#", "@", ":", ".", "..", "%2e", "%", "%41",
	"%7e", "%zz", "%C3%A9", "[", "]", "::1", "a", "b.c", "Z", "1", "0x2", "-", "_", "~", "|", "`", "'", "\"", "<", "{", "^",
	" ", "\t", "\n", "\x01", "\x7f", "\xc3\xa9", "\xe2\x80\x8d", "\xe3\x80\x82", "\xef\xbc\x8f", "\xd7\x90", "\xff", "\xe2\x82",
	"xn--", "ftp:", "file:", "x:", "80", "?q=", "&"};

/* A text made of what matters to the parser. */
static inline void scraps(struct buf *text, struct rng *r)
{
	buf_clear(text);
	if (rng_below(r, 4))
		buf_text(text, rng_below(r, 2) ? "http://h" : "https://a.b/");
	for (uint64_t n = rng_below(r, 10); n; n--)
		buf_text(text, scrap[rng_below(r, sizeof scrap / sizeof *scrap)]);
	buf_end(text);
}

#endif
