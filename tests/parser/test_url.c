#include "tests/parser/urls.h"

#include "base/ascii.h"
#include "base/clock.h"
#include "base/mem.h"

static const char page[] = "http://u:p@h.example:81/a/b/c?q=1";

static const struct reference relative[] = {
	{page, "", "http://u:p@h.example:81/a/b/c?q=1"},
	{page, " \t ", "http://u:p@h.example:81/a/b/c?q=1"},
	{page, "#f", "http://u:p@h.example:81/a/b/c?q=1"},
	{page, "d", "http://u:p@h.example:81/a/b/d"},
	{page, "./d", "http://u:p@h.example:81/a/b/d"},
	{page, ".", "http://u:p@h.example:81/a/b/"},
	{page, "..", "http://u:p@h.example:81/a/"},
	{page, "../", "http://u:p@h.example:81/a/"},
	{page, "../..", "http://u:p@h.example:81/"},
	{page, "../../../../d", "http://u:p@h.example:81/d"},
	{page, "d/../e", "http://u:p@h.example:81/a/b/e"},
	{page, "%2e%2E/%2e./.%2e/x", "http://u:p@h.example:81/x"},
	{page, "...", "http://u:p@h.example:81/a/b/..."},
	{page, ".d", "http://u:p@h.example:81/a/b/.d"},
	{page, "%2f", "http://u:p@h.example:81/a/b/%2f"},
	{page, "/", "http://u:p@h.example:81/"},
	{page, "/d//e/", "http://u:p@h.example:81/d//e/"},
	{page, "/d//../e", "http://u:p@h.example:81/d/e"},
	{page, "\\d\\e", "http://u:p@h.example:81/d/e"},
	{page, "?", "http://u:p@h.example:81/a/b/c?"},
	{page, "?r=2#f", "http://u:p@h.example:81/a/b/c?r=2"},
	{page, "?a/../b\\c", "http://u:p@h.example:81/a/b/c?a/../b\\c"},
	{page, "d?a?b", "http://u:p@h.example:81/a/b/d?a?b"},
	{page, "//k", "http://k/"},
	{page, "//k?q", "http://k/?q"},
	{page, "\\\\/k\\l", "http://k/l"},
	{page, "///k/l", "http://k/l"},
	{page, "//", "bad"},
	{page, "///?", "bad"},
	{page, "http:d", "http://u:p@h.example:81/a/b/d"},
	{page, "HTTP:/d", "http://u:p@h.example:81/d"},
	{page, "http:?r", "http://u:p@h.example:81/a/b/c?r"},
	{page, "http:", "http://u:p@h.example:81/a/b/c?q=1"},
	{page, "http:\\\\k", "http://k/"},
	{page, "https:d/e", "https://d/e"},
	{page, "https:/d/e", "https://d/e"},
	{page, "https:", "bad"},
	{page, "mailto:x@y", "foreign"},
	{page, "javascript:void(0)", "foreign"},
	{page, "data:text/html,<p>", "foreign"},
	{page, "d:e", "foreign"},
	{page, "./d:e", "http://u:p@h.example:81/a/b/d:e"},
	{page, "1d:e", "http://u:p@h.example:81/a/b/1d:e"},
	{page, ":", "http://u:p@h.example:81/a/b/:"},
	{"https://h/a", "//k", "https://k/"},
	{"https://h/a", "http:b", "http://b/"},
	{"https://h/a?", "", "https://h/a?"},
	{"http://h", "a", "http://h/a"},
	{NULL, "d", "bad"},
	{NULL, "", "bad"},
	{NULL, "//k", "bad"},
	{NULL, "#", "bad"},
};

static void references_are_resolved(void **state)
{
	(void)state;
	assert_references(ROWS(relative));
}

static const struct reference absolute[] = {
	{NULL, "http://h", "http://h/"},
	{NULL, "HtTpS://H.Example/A", "https://h.example/A"},
	{NULL, "  http://h/a b  ", "http://h/a%20b"},
	{NULL, "http://h/ #f", "http://h/%20"},
	{NULL, "ht\ntp:/\t/h\r\n/a\tb?c\nd", "http://h/ab?cd"},
	{NULL, "\x01\x1f http://h/\x1f", "http://h/"},
	{NULL, "http:h", "http://h/"},
	{NULL, "http:////h//a", "http://h//a"},
	{NULL, "http:\\\\h\\a", "http://h/a"},
	{NULL, "http://h?q", "http://h/?q"},
	{NULL, "http://h\\a", "http://h/a"},
	{NULL, "http://h:80/", "http://h/"},
	{NULL, "http://h:443/", "http://h:443/"},
	{NULL, "https://h:443/", "https://h/"},
	{NULL, "https://h:000080/", "https://h:80/"},
	{NULL, "http://h:/", "http://h/"},
	{NULL, "http://h:0/", "http://h:0/"},
	{NULL, "http://h:65535/", "http://h:65535/"},
	{NULL, "http://h:65536/", "bad"},
	{NULL, "http://h:99999999999999999999/", "bad"},
	{NULL, "http://h:8 0/", "bad"},
	{NULL, "http://h:a/", "bad"},
	{NULL, "http://:80/", "bad"},
	{NULL, "http://", "bad"},
	{NULL, "http:///", "bad"},
	{NULL, "http://#", "bad"},
	{NULL, "http://u@/", "bad"},
	{NULL, "http://u@:80/", "bad"},
	{NULL, "http://@h/", "http://h/"},
	{NULL, "http://:@h/", "http://h/"},
	{NULL, "http://u:@h/", "http://u@h/"},
	{NULL, "http://:p@h/", "http://:p@h/"},
	{NULL, "http://u:p:q@h:81/", "http://u:p%3Aq@h:81/"},
	{NULL, "http://a@b@h/", "http://a%40b@h/"},
	{NULL, "http://u;=[]^|{}`'\"<>%@h/", "http://u%3B%3D%5B%5D%5E%7C%7B%7D%60'%22%3C%3E%@h/"},
	{NULL, "http://\xc3\xa9@h/", "http://%C3%A9@h/"},
	{NULL, "http://h/\"<>^`{}|[]'%%zz\x7f\xc3\xa9", "http://h/%22%3C%3E^%60%7B%7D|[]'%%zz%7F%C3%A9"},
	{NULL, "http://h/?\"<>^`{}|[]'%%zz\x7f\xc3\xa9", "http://h/?%22%3C%3E^`{}|[]%27%%zz%7F%C3%A9"},
	{NULL, "http://h/a;b,c=d&e+f!g$h(i)*j@k:l~m", "http://h/a;b,c=d&e+f!g$h(i)*j@k:l~m"},
	{NULL, "ftp://h/", "foreign"},
	{NULL, "ws:h", "foreign"},
	{NULL, "wss://h:443/", "foreign"},
	{NULL, "ftp://", "bad"},
	{NULL, "ftp://h:99999/", "bad"},
	{NULL, "wss://a b/", "bad"},
	{NULL, "ftp:\\\\[::1]\\", "foreign"},
	{NULL, "file:", "foreign"},
	{NULL, "file:///etc/passwd", "foreign"},
	{NULL, "file://h/", "foreign"},
	{NULL, "file://c:/", "foreign"},
	{NULL, "file://a:b/", "bad"},
	{NULL, "file://%zz/", "bad"},
	{NULL, "foo:bar", "foreign"},
	{NULL, "foo://", "foreign"},
	{NULL, "foo:///x", "foreign"},
	{NULL, "foo://A b/", "bad"},
	{NULL, "foo://a\\b/", "bad"},
	{NULL, "foo://%zz/", "foreign"},
	{NULL, "foo://h:80:80/", "bad"},
	{NULL, "foo://:80/", "bad"},
	{NULL, "foo://[::1]:80/", "foreign"},
	{NULL, "foo://[::1/", "bad"},
	{NULL, "blob:http://h/", "foreign"},
	{NULL, "view-source:http://h/", "foreign"},
	{NULL, "h", "bad"},
	{NULL, "/a", "bad"},
};

static void absolute_urls_become_canonical(void **state)
{
	(void)state;
	assert_references(ROWS(absolute));
}

/* What is not UTF-8 counts as U+FFFD, one for each start of a sequence that breaks off; a dropped
 * line feed does not mend one. */
static void malformed_text_is_replaced(void **state)
{
	static const struct reference row[] = {
		{NULL, "http://h/\xff", "http://h/%EF%BF%BD"},
		{NULL, "http://h/\xe2\x82", "http://h/%EF%BF%BD"},
		{NULL, "http://h/\xe2\x82z", "http://h/%EF%BF%BDz"},
		{NULL, "http://h/\xf0\x80\x80", "http://h/%EF%BF%BD%EF%BF%BD%EF%BF%BD"},
		{NULL, "http://h/\xed\xa0\x80", "http://h/%EF%BF%BD%EF%BF%BD%EF%BF%BD"},
		{NULL, "http://h/\xf4\x90\x80\x80", "http://h/%EF%BF%BD%EF%BF%BD%EF%BF%BD%EF%BF%BD"},
		{NULL, "http://h/\xc3\n\xa9", "http://h/%EF%BF%BD%EF%BF%BD"},
		{NULL, "http://h/?\xc0\xaf", "http://h/?%EF%BF%BD%EF%BF%BD"},
		{NULL, "http://\xe9@h/", "http://%EF%BF%BD@h/"},
		{NULL, "http://h/\xf0\x9f\x98\x80", "http://h/%F0%9F%98%80"},
	};

	(void)state;
	assert_references(ROWS(row));
}

static void a_base_may_be_of_any_scheme(void **state)
{
	static const struct reference row[] = {
		{"http://h/a/b", "c", "http://h/a/c"},
		{"h\nttp://h/a/b", "c", "http://h/a/c"},
		{"nonsense", "http://h/", "bad"},
		{"http://a b/", "http://h/", "bad"},
		{"file:///a/b", "http:c", "http://c/"},
		{"file:///a/b", "c", "foreign"},
		{"file:///a/b", "//h/", "foreign"},
		{"file:///a/b", "//a:b/", "bad"},
		{"file:///a/b", "//C|/", "foreign"},
		{"mailto:x", "c", "bad"},
		{"mailto:x", "", "bad"},
		{"mailto:x", "#", "foreign"},
		{"mailto:x", "c#", "bad"},
		{"mailto:x", "https://h", "https://h/"},
		{"ftp://h/a", "b", "foreign"},
		{"ftp://h/a", "//a b", "bad"},
		{"ftp://h/a", "\\\\a b", "bad"},
		{"ftp://h/a", "ftp:a b", "foreign"},
		{"ftp://h/a", "ws:a b", "bad"},
		{"foo://h/a", "b", "foreign"},
		{"foo://h/a", "//a b", "bad"},
		{"foo://h/a", "\\\\a b", "foreign"},
		{"foo:/a", "b", "foreign"},
		{"foo:a", "b", "bad"},
	};
	struct url u = URL_EMPTY;

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		enum url_result r = url_parse_text(&u, row[i].input, strlen(row[i].input), row[i].base, strlen(row[i].base));
		if (strcmp(outcome(r, &u), row[i].want) != 0)
			fail_msg("<%s> against <%s>: <%s>", row[i].input, row[i].base, outcome(r, &u));
	}
	url_release(&u);
}

static void what_is_too_long_is_refused(void **state)
{
	const size_t n = 2u << 20;
	char *text = mem_new(n, 1);
	struct url u = URL_EMPTY;

	(void)state;
	memset(text, 'a', n);
	memcpy(text, "http://h/", 9);
	assert_int_equal(url_parse(&u, text, URL_MAX, NULL), URL_OK);
	assert_int_equal(u.text.used, URL_MAX);
	assert_int_equal(url_parse(&u, text, URL_MAX + 1, NULL), URL_TOO_LONG);
	assert_int_equal(url_parse(&u, text, n, NULL), URL_TOO_LONG);
	/* a fragment counts for nothing */
	text[100] = '#';
	assert_int_equal(url_parse(&u, text, n, NULL), URL_OK);
	assert_int_equal(u.text.used, 100);
	/* nor does what dots take away, within the limit of the input */
	for (size_t i = 9; i + 5 <= n; i += 5)
		memcpy(text + i, "b/../", 5);
	assert_int_equal(url_parse(&u, text, 9 + 5 * 6000, NULL), URL_OK);
	assert_string_equal(u.text.at, "http://h/");
	assert_int_equal(url_parse(&u, text, 9 + 5 * 7000, NULL), URL_TOO_LONG);
	/* escapes count as what they become */
	memset(text + 9, ' ', n - 9);
	text[9 + 2731] = 'a';
	assert_int_equal(url_parse(&u, text, 9 + 2731 + 1, NULL), URL_TOO_LONG);
	memcpy(text, "data:,,,,", 9);
	assert_int_equal(url_parse(&u, text, n, NULL), URL_FOREIGN);
	url_release(&u);
	free(text);
}

/* Costs that an adversary chooses must not grow faster than the text: each of these would take
 * minutes. */
static void no_text_takes_long(void **state)
{
	static const char *const piece[] = {"../", "a/../", "%2e%2e/", "@", ":", "[", "\xc3\xa9", "\xc3\xa9.", "a\xcc\x81",
		"%C3%A9", "xn--a.\xc3\xa9", "\xef\xb7\xba", "\xff", "\n", "\xe2\x80\x8d", "1.", "0", "\xd7\x90\xe2\x80\x8c"};
	struct url u = URL_EMPTY;
	struct buf text = BUF_EMPTY;
	const int64_t start = clock_cpu_ns();

	(void)state;
	for (size_t i = 0; i < sizeof piece / sizeof *piece; i++) {
		buf_clear(&text);
		buf_text(&text, "http://");
		while (text.used < URL_INPUT_MAX)
			buf_text(&text, piece[i]);
		(void)!url_parse(&u, text.at, text.used, NULL);
		(void)!url_parse(&u, text.at, URL_INPUT_MAX / 4, NULL);
		(void)!url_parse(&u, text.at, 1000, NULL);
		(void)!url_parse_in(&u, text.at, text.used, NULL, "iso-2022-jp");
	}
	assert_true(clock_cpu_ns() - start < (int64_t)4000000000 * slowness());
	buf_release(&text);
	url_release(&u);
}

static void plain_links_need_no_memory(void **state)
{
	static const char *const link[] = {"a.html", "/b/c", "../d?e=f", "http://h.example/i/j", "https://k:8080/", "#l", "?m",
		"//n/", "mailto:o"};
	struct url base = URL_EMPTY, u = URL_EMPTY;

	(void)state;
	assert_int_equal(url_parse(&base, page, strlen(page), NULL), URL_OK);
	memset(buf_room(&u.text, 255), 'x', 255);
	const char *at = u.text.at;
	const size_t room = u.text.room;
	for (size_t i = 0; i < sizeof link / sizeof *link; i++) {
		(void)!url_parse(&u, link[i], strlen(link[i]), &base);
		assert_ptr_equal(u.text.at, at);
		assert_int_equal(u.text.room, room);
	}
	url_release(&base);
	url_release(&u);
}

/* Paths by the book: a list of segments. */
static void slow_path(const char *path, struct buf *out)
{
	const char *segment[64];
	size_t length[64], n = 0;
	int ends_in_slash = 0;

	for (const char *p = path + 1;; p++) {
		size_t m = strcspn(p, "/");
		int one = (m == 1 && *p == '.') || (m == 3 && ascii_same(p, "%2e", 3));
		int two = (m == 2 && memcmp(p, "..", 2) == 0) || (m == 4 && ascii_same(p, ".%2e", 4)) ||
			(m == 4 && ascii_same(p, "%2e.", 4)) || (m == 6 && ascii_same(p, "%2e%2e", 6));
		if (two && n)
			n--;
		if (!one && !two) {
			segment[n] = p;
			length[n++] = m;
		}
		p += m;
		if (!*p) {
			ends_in_slash = one || two;
			break;
		}
	}
	for (size_t i = 0; i < n; i++) {
		buf_byte(out, '/');
		buf_add(out, segment[i], length[i]);
	}
	if (ends_in_slash)
		buf_byte(out, '/');
}

static void dots_are_resolved_as_by_a_list_of_segments(void **state)
{
	static const char *const piece[] = {"/", "/", "/", ".", ".", "..", "%2e", "%2E", "a", "%"};
	struct buf path = BUF_EMPTY, want = BUF_EMPTY;
	struct url u = URL_EMPTY;
	struct rng r = {3};

	(void)state;
	for (int i = 0; i < 50000; i++) {
		buf_clear(&path);
		buf_clear(&want);
		buf_text(&path, "http://h/");
		for (uint64_t n = rng_below(&r, 14); n; n--)
			buf_text(&path, piece[rng_below(&r, sizeof piece / sizeof *piece)]);
		slow_path(path.at + 8, &want);
		assert_int_equal(url_parse(&u, path.at, path.used, NULL), URL_OK);
		assert_string_equal(u.text.at + u.path, want.at);
	}
	buf_release(&path);
	buf_release(&want);
	url_release(&u);
}

static void assert_splits_as(const struct url *u)
{
	struct url parts;
	size_t n;

	assert_int_equal(url_split(&parts, u->text.at, u->text.used), URL_OK);
	assert_true(parts.text.at == u->text.at && parts.text.used == u->text.used);
	assert_true(parts.host == u->host && parts.host_end == u->host_end && parts.port == u->port && parts.path == u->path &&
		parts.query == u->query && parts.https == u->https);
	assert_ptr_equal(url_authority(&parts, &n), u->text.at + u->host);
	assert_true(n == u->path - u->host);
}

static void what_is_written_is_read_as_itself(void **state)
{
	struct url base = URL_EMPTY, u = URL_EMPTY, again = URL_EMPTY, other = URL_EMPTY;
	struct buf text = BUF_EMPTY;
	struct rng r = {6};
	int good = 0;

	(void)state;
	assert_int_equal(url_parse(&base, "http://x/y/z?q", 14, NULL), URL_OK);
	for (int i = 0; i < 100000; i++) {
		scraps(&text, &r);
		enum url_result result = url_parse(&u, text.at, text.used, &base);
		assert_int_equal(result, url_parse_text(&other, text.at, text.used, "http://x/y/z?q", 14));
		if (result != URL_OK)
			continue;
		good++;
		assert_parts_fit(&u);
		assert_string_equal(u.text.at, other.text.at);
		assert_int_equal(url_parse(&again, u.text.at, u.text.used, NULL), URL_OK);
		assert_string_equal(again.text.at, u.text.at);
		assert_true(again.host == u.host && again.host_end == u.host_end && again.port == u.port && again.path == u.path &&
			again.query == u.query && again.https == u.https);
		assert_splits_as(&u);
	}
	assert_true(good > 10000);
	url_release(&base);
	url_release(&u);
	url_release(&again);
	url_release(&other);
	buf_release(&text);
}

static void a_canonical_url_is_split_as_it_was_read(void **state)
{
	static const char *const urls[] = {"http://a/", "https://a/", "http://u:p@a.test:81/x?y", "http://[::1]/",
		"http://[::1]:8080/a?b?c", "https://u@h:0/?", "http://a.b:65535/:80?:90/@"};
	static const char *const bad[] = {"", "http://", "http:///", "ftp://a/", "http://a", "http://u@/x", "http://a:65536/",
		"http://:80/", "https:/a/"};
	struct url u = URL_EMPTY, parts;

	(void)state;
	for (size_t i = 0; i < sizeof urls / sizeof *urls; i++) {
		assert_int_equal(url_parse(&u, urls[i], strlen(urls[i]), NULL), URL_OK);
		assert_splits_as(&u);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		if (url_split(&parts, bad[i], strlen(bad[i])) != URL_BAD)
			fail_msg("'%s' was split", bad[i]);
	url_release(&u);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(references_are_resolved),
		cmocka_unit_test(absolute_urls_become_canonical),
		cmocka_unit_test(malformed_text_is_replaced),
		cmocka_unit_test(a_base_may_be_of_any_scheme),
		cmocka_unit_test(what_is_too_long_is_refused),
		cmocka_unit_test(no_text_takes_long),
		cmocka_unit_test(plain_links_need_no_memory),
		cmocka_unit_test(dots_are_resolved_as_by_a_list_of_segments),
		cmocka_unit_test(what_is_written_is_read_as_itself),
		cmocka_unit_test(a_canonical_url_is_split_as_it_was_read),
	};

	return cmocka_run_group_tests_name("url", tests, NULL, NULL);
}
