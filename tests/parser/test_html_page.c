#include "tests/parser/pages.h"

#include <iconv.h>
#include <libxml/HTMLparser.h>

static void character_references_are_resolved_as_in_attributes(void **state)
{
	static const struct row row[] = {
		{"<a href='?a&amp;b'>", "a:/d/p?a&b"},
		{"<a href='?a&ampb=&amp=&amp'>", "a:/d/p?a&ampb=&amp=&"},
		{"<a href=?&lt&gt;>", "a:/d/p?%3C%3E"},
		{"<a href=?&copy&copy1&copy=&COPY;>", "a:/d/p?%C2%A9&copy1&copy=%C2%A9"},
		{"<a href=?&notin&notin;&notit;&not;>", "a:/d/p?&notin%E2%88%89&notit;%C2%AC"},
		{"<a href=?&acE;&x;&;&&#>", "a:/d/p?%E2%88%BE%CC%B3&x;&;&&"},
		{"<a href=?&#65;&#66&#x43;&#X44x>", "a:/d/p?ABCDx"},
		{"<a href=/&#0;&#x80;&#xD800;&#x110000;&#9999999999999;>", "a:/%EF%BF%BD%E2%82%AC%EF%BF%BD%EF%BF%BD%EF%BF%BD"},
		{"<a href=/&#;&#x;&#xg>", "a:/&"},
		{"<a href='/&CounterClockwiseContourIntegral;&ZZZZ;'>", "a:/%E2%88%B3&ZZZZ;"},
		{"<a href=&#x2f;x>", "a:/x"},
		{"<a href='x&#x22;'>", "a:/d/x%22"},
		{"<a href=x rel=no&#102;ollow>", "!a:/d/x"},
	};

	(void)state;
	assert_links(ROWS(row));
}

/* HTML 4's names are a part of HTML 5's, with one meaning but for two. */
static void entities_agree_with_those_of_html_4(void **state)
{
	struct buf links = BUF_EMPTY, html = BUF_EMPTY, want = BUF_EMPTY;
	unsigned known = 0;

	(void)state;
	for (unsigned c = 161; c < 0x10000; c++) {
		const htmlEntityDesc *e = htmlEntityValueLookup(c);
		if (!e || c == 0x2329 || c == 0x232a)
			continue;
		buf_clear(&html);
		buf_clear(&want);
		buf_format(&html, "<a href='/&%s;'><a href='/&#%u;'>", e->name, c);
		read_page(&links, html.at, html.used, "text/html; charset=utf-8", NULL);
		const char *second = strstr(links.at + 1, " a:");
		assert_non_null(second);
		buf_add(&want, links.at, (size_t)(second - links.at));
		assert_string_equal(want.at, second);
		assert_null(strchr(second, '&'));
		known++;
	}
	assert_true(known > 240);
	buf_release(&links);
	buf_release(&html);
	buf_release(&want);
}

static void nul_bytes_become_replacement_characters(void **state)
{
	static const char html[] = "<a\0href=x><a h\0ref=x><a href=x\0y><\0a href=x><a href=z>";
	struct buf links = BUF_EMPTY;

	(void)state;
	read_page(&links, html, sizeof html - 1, "text/html; charset=utf-8", NULL);
	assert_string_equal(links.at, " a:/d/x%EF%BF%BDy a:/d/z");
	buf_release(&links);
}

static void the_encoding_is_found(void **state)
{
	static const struct {
		const char *html;
		size_t n;
		const char *type, *want;
	} row[] = {
#define HTML(text) text, sizeof(text) - 1
		{HTML("x"), NULL, "windows-1252"},
		{HTML(""), "text/html", "windows-1252"},
		{HTML("x"), "text/html; charset=KOI8-R", "koi8-r"},
		{HTML("x"), "text/html; charset=nonsense", "windows-1252"},
		{HTML("x"), "text/html; charset=\"latin1\"", "windows-1252"},
		{HTML("<meta charset=utf-8>"), "text/html; charset=koi8-r", "koi8-r"},
		{HTML("\xef\xbb\xbf<meta charset=koi8-r>"), "text/html; charset=koi8-r", "utf-8"},
		{HTML("\xff\xfe<\0"), "text/html", "utf-16le"},
		{HTML("\xfe\xff\0<"), "text/html", "utf-16be"},
		{HTML("<\0?\0x\0m\0l\0"), "text/html", "utf-16le"},
		{HTML("<meta charset=' UTF-8 '>"), NULL, "utf-8"},
		{HTML("<meta charset=utf-16>"), NULL, "utf-8"},
		{HTML("<meta charset=x-user-defined>"), NULL, "windows-1252"},
		{HTML("<meta charset=x><meta charset=gbk>"), NULL, "gbk"},
		{HTML("<!-- <meta charset=utf-8> --><meta charset=gbk>"), NULL, "gbk"},
		{HTML("<p title='<meta charset=utf-8>'><meta charset=gbk>"), NULL, "gbk"},
		{HTML("<meta http-equiv=content-type content='text/html; charset=gbk'>"), NULL, "gbk"},
		{HTML("<meta content='charset = \"gbk\"' http-equiv=Content-Type>"), NULL, "gbk"},
		{HTML("<meta content='charset charset=gbk;' http-equiv=Content-Type>"), NULL, "gbk"},
		{HTML("<meta content='charset=\"gbk' http-equiv=Content-Type>"), NULL, "windows-1252"},
		{HTML("<meta content='charset=gbk'>"), NULL, "windows-1252"},
		{HTML("<meta name=content-type content='charset=gbk'>"), NULL, "windows-1252"},
		{HTML("<meta charset=gbk"), NULL, "windows-1252"},
		{HTML("<?xml version='1.0' encoding='koi8-r'?>"), NULL, "koi8-r"},
		{HTML("<?xml encoding='koi8-r'?><meta charset=gbk>"), NULL, "gbk"},
		{HTML("<?xml encoding='koi8 r'?>"), NULL, "windows-1252"},
		{HTML("x"), "application/xhtml+xml", "utf-8"},
	};
	struct buf links = BUF_EMPTY;
	struct html_page page;

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		read_page(&links, row[i].html, row[i].n, row[i].type, &page);
		if (strcmp(page.charset, row[i].want) != 0)
			fail_msg("<%s>: %s, not %s", row[i].html, page.charset, row[i].want);
		html_page_release(&page);
	}
	buf_release(&links);
}

/* Beyond the prescan it is the parser that meets a meta, and only a real one counts. */
static void a_late_meta_tells_the_encoding(void **state)
{
	struct buf links = BUF_EMPTY, html = BUF_EMPTY;
	struct html_page page;

	(void)state;
	buf_text(&html, "<script>'<meta charset=koi8-r>'</script>");
	while (html.used < 2000)
		buf_byte(&html, ' ');
	read_page(&links, html.at, html.used, NULL, &page);
	assert_string_equal(page.charset, "koi8-r");
	html_page_release(&page);
	buf_text(&html, "<a href=\xe9><meta charset=gbk><meta charset=utf-8>");
	read_page(&links, html.at, html.used, NULL, &page);
	assert_string_equal(page.charset, "gbk");
	html_page_release(&page);
	buf_release(&links);
	buf_release(&html);
}

static void convert(struct buf *out, const char *text, const char *to)
{
	iconv_t cd = iconv_open(to, "UTF-8");
	char *in = (char *)(uintptr_t)text, *at = buf_room(out, 1000);
	size_t left = strlen(text), room = 1000;

	assert_true(cd != (iconv_t)-1);
	assert_int_equal(iconv(cd, &in, &left, &at, &room), 0);
	assert_int_equal(iconv(cd, NULL, NULL, &at, &room), 0);
	out->used += 1000 - room;
	buf_end(out);
	iconv_close(cd);
}

static void documents_in_any_encoding_have_the_same_links(void **state)
{
	static const struct {
		const char *charset, *iconv, *text;
	} row[] = {
		{"utf-8", "UTF-8", "日本 é"},
		{"utf-16le", "UTF-16LE", "日本 é 𝄞"},
		{"utf-16be", "UTF-16BE", "日本 é 𝄞"},
		{"shift_jis", "CP932", "日本表ソ"},
		{"euc-jp", "EUC-JP", "日本"},
		{"iso-2022-jp", "ISO-2022-JP", "日本 x <"},
		{"gbk", "GBK", "日本 é"},
		{"gb18030", "GB18030", "日本 é"},
		{"big5", "BIG5", "日本"},
		{"euc-kr", "CP949", "한국 똠"},
		{"windows-1251", "CP1251", "Привет №"},
		{"koi8-r", "KOI8-R", "Привет"},
		{"iso-8859-1", "ISO-8859-1", "é"},
		{"windows-1252", "CP1252", "é€"},
		{"iso-8859-15", "ISO-8859-15", "é€"},
		{"windows-874", "CP874", "ไทย"},
	};
	struct buf want = BUF_EMPTY, got = BUF_EMPTY, html = BUF_EMPTY, bytes = BUF_EMPTY;

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		char type[64];
		buf_clear(&html);
		buf_clear(&bytes);
		buf_format(&html, "<p>%s<a href='/%s' title='%s'><!--%s--><a href=x&amp;%s>", row[i].text, row[i].text, row[i].text,
			row[i].text, row[i].text);
		snprintf(type, sizeof type, "text/html; charset=%s", row[i].charset);
		convert(&bytes, html.at, row[i].iconv);
		read_page(&want, html.at, html.used, "text/html; charset=utf-8", NULL);
		read_page(&got, bytes.at, bytes.used, type, NULL);
		if (strcmp(got.at, want.at) != 0)
			fail_msg("%s: <%s>, not <%s>", row[i].charset, got.at, want.at);
	}
	buf_release(&want);
	buf_release(&got);
	buf_release(&html);
	buf_release(&bytes);
}

static void malformed_bytes_decode_as_the_standard_says(void **state)
{
	static const struct {
		const char *charset, *bytes, *want;
	} row[] = {
		{"windows-1252", "\x81\x8d", "%C2%81%C2%8D"},
		{"windows-1253", "\xaa", "%EF%BF%BD"},
		{"shift_jis", "\x81\x21", "%EF%BF%BD!"},
		{"shift_jis", "\x80", "%C2%80"},
		{"gbk", "\x80", "%E2%82%AC"},
		{"euc-kr", "\xc8", "%EF%BF%BD"},
		{"x-user-defined", "\x80\xff", "%EF%9E%80%EF%9F%BF"},
	};
	struct buf links = BUF_EMPTY;

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		char type[64], html[64], want[64];
		snprintf(type, sizeof type, "text/html; charset=%s", row[i].charset);
		snprintf(html, sizeof html, "<a href='/%s'>", row[i].bytes);
		snprintf(want, sizeof want, " a:/%s", row[i].want);
		read_page(&links, html, strlen(html), type, NULL);
		assert_string_equal(links.at, want);
	}
	read_page(&links, "<a href=x>", 10, "text/html; charset=iso-2022-kr", NULL);
	assert_string_equal(links.at, "");
	buf_release(&links);
}

static void refreshes_are_read_by_the_standards_steps(void **state)
{
	static const struct {
		const char *content, *want;
		double seconds;
	} row[] = {
		{"5", "http://h/d/p", 5},
		{" 5 ", "http://h/d/p", 5},
		{"5;", "http://h/d/p", 5},
		{"0;x", "http://h/d/x", 0},
		{"0 x", "http://h/d/x", 0},
		{"0,x", "http://h/d/x", 0},
		{"0;;x", "http://h/d/;x", 0},
		{".5;x", "http://h/d/x", 0},
		{"1.9.9;x", "http://h/d/x", 1},
		{"1;url=x", "http://h/d/x", 1},
		{"1;URL = 'x'y", "http://h/d/x", 1},
		{"1;url=\"x'y", "http://h/d/x'y", 1},
		{"1;'x'", "http://h/d/x", 1},
		{"1;url", "http://h/d/url", 1},
		{"1;urx", "http://h/d/urx", 1},
		{"1;url x", "http://h/d/url%20x", 1},
		{"1;url=", "http://h/d/p", 1},
		{"1;url=http://k/", "http://k/", 1},
		{"1;url=mailto:x", NULL, 0},
		{"1;url=http://[", NULL, 0},
		{"", NULL, 0},
		{"x", NULL, 0},
		{"-1", NULL, 0},
		{"+1", NULL, 0},
		{"1x", NULL, 0},
		{"1e3;x", NULL, 0},
	};
	struct buf links = BUF_EMPTY;
	struct html_page page;

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		char html[128];
		snprintf(html, sizeof html, "<meta content=\"%s\" HTTP-EQUIV=Refresh>", row[i].content);
		if (strchr(row[i].content, '"'))
			snprintf(html, sizeof html, "<meta http-equiv=refresh content=%s>", row[i].content);
		read_page(&links, html, strlen(html), NULL, &page);
		if (page.has_refresh != (row[i].want != NULL))
			fail_msg("<%s>: %d", row[i].content, page.has_refresh);
		if (row[i].want) {
			assert_string_equal(page.refresh.text.at, row[i].want);
			assert_true(page.refresh_seconds == row[i].seconds);
		}
		html_page_release(&page);
	}
	static const char two[] = "<meta http-equiv=refresh content=x><meta http-equiv=refresh "
				  "content=2;y><meta http-equiv=refresh content=3;z>";
	read_page(&links, two, sizeof two - 1, NULL, &page);
	assert_string_equal(links.at, " refresh:/d/y");
	assert_true(page.refresh_seconds == 2);
	html_page_release(&page);
	buf_release(&links);
}

static void robots_and_canonical_are_told(void **state)
{
	static const struct {
		const char *html;
		unsigned robots;
	} row[] = {
		{"<meta name=robots content=noindex>", HTML_NOINDEX},
		{"<meta name=ROBOTS content='NOFOLLOW,noindex'>", HTML_NOINDEX | HTML_NOFOLLOW},
		{"<meta name=lycosa content='index , none'>", HTML_NOINDEX | HTML_NOFOLLOW},
		{"<meta name=lycosa content=nofollow><meta name=robots content=noindex>", HTML_NOINDEX | HTML_NOFOLLOW},
		{"<meta name=other content=none><meta name=robots content='all nonesuch'>", 0},
		{"<template><meta name=robots content=none></template>", 0},
	};
	static const char canonical[] = "<link rel=canonical href=mailto:x><link rel='x CANONICAL' "
					"href='/c#f'><link rel=canonical href=/e>";
	struct buf links = BUF_EMPTY;
	struct html_page page;

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		read_page(&links, row[i].html, strlen(row[i].html), NULL, &page);
		assert_int_equal(page.robots, row[i].robots);
		assert_int_equal(page.canonical.text.used, 0);
		html_page_release(&page);
	}
	read_page(&links, canonical, sizeof canonical - 1, NULL, &page);
	assert_string_equal(page.canonical.text.at, "http://h/c");
	html_page_release(&page);
	buf_release(&links);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(character_references_are_resolved_as_in_attributes),
		cmocka_unit_test(entities_agree_with_those_of_html_4),
		cmocka_unit_test(nul_bytes_become_replacement_characters),
		cmocka_unit_test(the_encoding_is_found),
		cmocka_unit_test(a_late_meta_tells_the_encoding),
		cmocka_unit_test(documents_in_any_encoding_have_the_same_links),
		cmocka_unit_test(malformed_bytes_decode_as_the_standard_says),
		cmocka_unit_test(refreshes_are_read_by_the_standards_steps),
		cmocka_unit_test(robots_and_canonical_are_told),
	};

	return cmocka_run_group_tests_name("html page", tests, NULL, NULL);
}
