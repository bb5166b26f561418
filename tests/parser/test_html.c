#include "tests/parser/pages.h"

#include "base/clock.h"
#include "base/rng.h"
#include "parser/html.h"
#include "parser/html_token.h"

static void tags_and_attributes_are_found_in_any_shape(void **state)
{
	static const struct row row[] = {
		{"<a href=x>", "a:/d/x"},
		{"<A HREF='x'>", "a:/d/x"},
		{"<a\n\thref = \"x\"\r>", "a:/d/x"},
		{"<a/href=x/>", "a:/d/x/"},
		{"<a href=x/ >", "a:/d/x/"},
		{"<a href='x'/>", "a:/d/x"},
		{"<a href='x'title=y>", "a:/d/x"},
		{"<a href=x href=y>", "a:/d/x"},
		{"<a title=\"a>b\" href=x>", "a:/d/x"},
		{"<a title='a\">b' href=x>", "a:/d/x"},
		{"<a title=a\"b href=x>", "a:/d/x"},
		{"<a title= href=x>", ""},
		{"<a title href=x>", "a:/d/x"},
		{"<a = href=x>", "a:/d/x"},
		{"<a ==x href=y>", "a:/d/y"},
		{"<a \"href=x>", ""},
		{"<a \" href=x>", "a:/d/x"},
		{"<a href=>x", "a:/d/p"},
		{"<a href>x", "a:/d/p"},
		{"<a href=''>", "a:/d/p"},
		{"<a href=#x>", "a:/d/p"},
		{"<a href==x>", "a:/d/=x"},
		{"<a href=a=b>", "a:/d/a=b"},
		{"<a href=<b>", "a:/d/%3Cb"},
		{"<a href=\"x\ny\">", "a:/d/xy"},
		{"<a href='x", ""},
		{"<a href=x", ""},
		{"<a href=x ", ""},
		{"<a", ""},
		{"<", ""},
		{"</", ""},
		{"</a href=x>", ""},
		{"</a title='><a href=x>'>", ""},
		{"< a href=x>", ""},
		{"<<a href=x>", "a:/d/x"},
		{"<b<a href=x>", ""},
		{"<ab href=x><b href=x><aa href=x>", ""},
		{"<area href=x><link href=y><base><frame src=z>", "area:/d/x link:/d/y frame:/d/z"},
		{"<iframe src=x></iframe>", "frame:/d/x"},
		{"<a name=x><a href=mailto:x><a href=javascript:x><a href='http://['>", ""},
		{"<a href=' http://k/ ' rel='x NoFollow'>", "!a:http://k/"},
		{"<a href=x rel=nofollows>", "a:/d/x"},
		{"<a href=x><a href=x>", "a:/d/x a:/d/x"},
		{"<!doctype html><html><p><a href=x></body></html><a href=y>", "a:/d/x a:/d/y"},
	};

	(void)state;
	assert_links(ROWS(row));
}

static void comments_and_other_markup_are_passed_over(void **state)
{
	static const struct row row[] = {
		{"<!--<a href=x>--><a href=y>", "a:/d/y"},
		{"<!--><a href=x>", "a:/d/x"},
		{"<!---><a href=x>", "a:/d/x"},
		{"<!----><a href=x>", "a:/d/x"},
		{"<!--->--><a href=x>", "a:/d/x"},
		{"<!-- --!><a href=x>", "a:/d/x"},
		{"<!----!><a href=x>", "a:/d/x"},
		{"<!---!><a href=x>--><a href=y>", "a:/d/y"},
		{"<!-- -- > -> <a href=x> --><a href=y>", "a:/d/y"},
		{"<!-- <!-- <a href=x> --><a href=y>", "a:/d/y"},
		{"<!-- <!--><a href=x>", "a:/d/x"},
		{"<!-- <!---><a href=x>", "a:/d/x"},
		{"<!-- --- --><a href=x>", "a:/d/x"},
		{"<!-- <a href=x>", ""},
		{"<!--", ""},
		{"<!-", ""},
		{"<!- <a href=x>--><a href=y>", "a:/d/y"},
		{"<!x '><a href=x>", "a:/d/x"},
		{"<!doctype html \"x><a href=y>", "a:/d/y"},
		{"<?php echo '<a href=x>' ?><a href=y>", "a:/d/y"},
		{"</ x '><a href=x>", "a:/d/x"},
		{"</><a href=x>", "a:/d/x"},
		{"<![CDATA[<a href=x>]]><a href=y>", "a:/d/y"},
		{"<![CDATA[><a href=x>]]>", "a:/d/x"},
	};

	(void)state;
	assert_links(ROWS(row));
}

static void text_of_some_elements_is_no_markup(void **state)
{
	static const char *const element[] = {"style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "script",
		"TITLE"};
	static const char *const form[] = {"<@><a href=x></@><a href=y>", "<@/><a href=x></@ ><a href=y>",
		"<@ a='>'><a href=x></x></@/><a href=y>", "<@></@x><a href=x></@\n a='<a href=x>'><a href=y>",
		"<@><!-- <a href=x></@><a href=y>-->"};
	static const struct row row[] = {
		{"<title><a href=x></titl></title", ""},
		{"<title><a href=x></TITLE><a href=y>", "a:/d/y"},
		{"<plaintext><a href=x></plaintext><a href=y>", ""},
		{"<noscript><a href=x></noscript>", "a:/d/x"},
		{"<title><a href=x>", ""},
		{"<style", ""},
		{"<script>'<a href=x>'</script><a href=y>", "a:/d/y"},
		{"<script><!-- </script><a href=x>", "a:/d/x"},
		{"<script><!-- <script> </script><a href=x></script><a href=y>", "a:/d/y"},
		{"<script><!-- <script > --></script><a href=x>", "a:/d/x"},
		{"<script><!-- <scripts> </script><a href=x>", "a:/d/x"},
		{"<script><!-- <script> </script> <script> </script> </script><a href=x>", "a:/d/x"},
		{"<script><!--><script></script><a href=x>", "a:/d/x"},
		{"<script><!---><script></script><a href=x>", "a:/d/x"},
		{"<script><!-- <script></script><a href=x>", ""},
		{"<script><script></script><a href=x>", "a:/d/x"},
		{"<script></", ""},
	};
	struct buf html = BUF_EMPTY;

	(void)state;
	assert_links(ROWS(row));
	for (size_t i = 0; i < sizeof element / sizeof *element; i++) {
		for (size_t j = 0; j < sizeof form / sizeof *form; j++) {
			buf_clear(&html);
			for (const char *p = form[j]; *p; p++)
				buf_add(&html, *p == '@' ? element[i] : p, *p == '@' ? strlen(element[i]) : 1);
			const struct row made = {html.at, "a:/d/y"};
			assert_links(&made, 1);
		}
	}
	buf_release(&html);
}

static void foreign_content_has_its_own_rules(void **state)
{
	static const struct row row[] = {
		{"<svg><a href=x></svg>", "a:/d/x"},
		{"<svg><a xlink:href=x></svg><a xlink:href=y>", "a:/d/x"},
		{"<svg><style><a href=x></style></svg>", "a:/d/x"},
		{"<svg><title><a href=x></title></svg>", "a:/d/x"},
		{"<svg><script><a href=x></script></svg><script><a href=y></script>", "a:/d/x"},
		{"<svg/><style><a href=x></style>", ""},
		{"<svg><![CDATA[<a href=x>]]></svg><a href=y>", "a:/d/y"},
		{"<svg><![CDATA[><a href=x>", ""},
		{"<svg><p><style><a href=x></style>", ""},
		{"<svg><font><style><a href=x></style>", "a:/d/x"},
		{"<svg><font size=1><style><a href=x></style>", ""},
		{"<svg><foreignObject><style><a href=x></style></foreignObject></svg>", ""},
		{"<svg><desc><title><a href=x></title></desc><style><a href=y></style></svg>", "a:/d/y"},
		{"<svg><desc><svg></svg><style><a href=x></style>", ""},
		{"<math><mi><style><a href=x></style></mi><style><a href=y></style></math>", "a:/d/y"},
		{"<math><annotation-xml encoding='Text/HTML'><style><a href=x></style>", ""},
		{"<math><annotation-xml><style><a href=x></style>", "a:/d/x"},
		{"<math><annotation-xml><svg><desc><style><a href=x></style>", ""},
		{"<svg><link href=x><meta http-equiv=refresh content='1;y'></svg>", "refresh:/d/y"},
		{"<svg></svg></svg><style><a href=x></style>", ""},
		{"<svg><area href=x><desc><area href=y>", "area:/d/y"},
		{"<svg></body></html></head></hr></img><style><a href=x></style>", "a:/d/x"},
		{"<svg></br><style><a href=x></style>", ""},
	};

	(void)state;
	assert_links(ROWS(row));
}

static void templates_and_framesets_hide_links(void **state)
{
	static const struct row row[] = {
		{"<template><a href=x><link href=x><iframe src=x></iframe></template><a href=y>", "a:/d/y"},
		{"<template><template></template><a href=x></template><a href=y>", "a:/d/y"},
		{"</template><a href=x>", "a:/d/x"},
		{"<template><base href=/b/></template><a href=x>", "a:/d/x"},
		{"<template><title></template></title><a href=x></template><a href=y>", "a:/d/y"},
		{"<frameset><frame src=x><a href=y><noframes><a href=z></noframes></frameset>", "frame:/d/x"},
		{"<title>t</title> <frameset><frame src=x></frameset><a href=y>", "frame:/d/x"},
		{"text<frameset><a href=x>", "a:/d/x"},
		{"<body><frameset><a href=x>", "a:/d/x"},
		{"<br><frameset><a href=x>", "a:/d/x"},
		{"</br><frameset><a href=x>", "a:/d/x"},
		{"</p></body></html><frameset><a href=x>", ""},
		{"<div><frameset><a href=x>", ""},
		{"<frameset></br><a href=x>", ""},
		{"<input type=Hidden><frameset><a href=x>", ""},
		{"<input type=text><frameset><a href=x>", "a:/d/x"},
		{"<frameset><script><frame src=x></script>", "frame:/d/x"},
	};

	(void)state;
	assert_links(ROWS(row));
}

static void the_first_base_counts_for_all_links(void **state)
{
	static const struct row row[] = {
		{"<base href=/b/><a href=x>", "a:/b/x"},
		{"<a href=x><base href=/b/><a href=y>", "a:/b/x a:/b/y"},
		{"<BASE HREF='http://k/l'><a href=x>", "a:http://k/x"},
		{"<base><base href=/b/><base href=/c/><a href=x>", "a:/b/x"},
		{"<base href='http://['><base href=/c/><a href=x>", "a:/d/x"},
		{"<base href=' JavaScript:x'><a href=x>", "a:/d/x"},
		{"<base href=data:x,><a href=x>", "a:/d/x"},
		{"<base href=ftp://k/><a href=x><a href=http://k/y>", "a:http://k/y"},
		{"<base href=ftp://k/><a href=#x>", ""},
		{"<base href=/b/><a href=#x>", "a:/b/"},
		{"<!--<base href=/b/>--><script><base href=/b/></script><a href=x>", "a:/d/x"},
		{"<svg><base href=/b/></svg><a href=x>", "a:/d/x"},
		{"<basefont href=/b/><a href=x>", "a:/d/x"},
		{"<a href=x><base href=/b/", "a:/d/x"},
	};
	struct buf links = BUF_EMPTY;
	struct html_page page;

	(void)state;
	assert_links(ROWS(row));
	read_page(&links, "<base href=b>", 13, NULL, &page);
	assert_string_equal(page.base.text.at, "http://h/d/b");
	html_page_release(&page);
	buf_release(&links);
}

/* Documents are searched for a base element in blocks. */
static void a_base_element_is_found_wherever_it_stands(void **state)
{
	static const char base[] = "<BaSe";
	(void)state;

	for (size_t n = 0; n < 400; n++) {
		char *exact = malloc(n + 1); /* sanitizers see what is read beyond it */
		char *text = exact + 1;
		memset(exact, '<', n + 1);
		assert_false(html_may_have_base(text, n));
		for (size_t at = 0; at + sizeof base - 1 <= n; at++) {
			memset(text, at % 2 ? 'b' : '<', n);
			memcpy(text + at, base, sizeof base - 1);
			if (!html_may_have_base(text, n))
				fail_msg("at %zu of %zu", at, n);
		}
		free(exact);
	}
}

static void each_way_to_link_has_its_kind(void **state)
{
	static const struct row row[] = {
		{"<link rel=next href=n><link rel='prev x' href=p><link rel=stylesheet href=s>", "next:/d/n next:/d/p link:/d/s"},
		{"<link rel='ALTERNATE' type='application/rss+xml' href=r><link rel=alternate type=text/x href=x>",
			"alternate:/d/r link:/d/x"},
		{"<link rel=alternate hreflang=de href=de><link rel='alternate stylesheet' hreflang=de href=s>",
			"hreflang:/d/de link:/d/s"},
		{"<link rel='alternate' type='application/atom+xml' hreflang=de href=f>", "alternate:/d/f"},
		{"<object data=o></object><embed src=e><object></object>", "object:/d/o object:/d/e"},
		{"<iframe src=f srcdoc='<a href=&quot;1?a&amp;amp;b&quot;>x</a><a rel=nofollow href=2>'></iframe><a href=3>",
			"frame:/d/f srcdoc:/d/1?a&b !srcdoc:/d/2 a:/d/3"},
		{"<iframe srcdoc='<base href=/b/><iframe src=f srcdoc=\"<a href=1>\"></iframe>'></iframe>", "srcdoc:/b/f"},
		{"<base href=/e/><iframe srcdoc='<a href=1>'></iframe>", "srcdoc:/e/1"},
		{"<template><object data=o></object><iframe srcdoc='<a href=1>'></iframe></template>", ""},
	};
	struct buf links = BUF_EMPTY;
	struct url address = URL_EMPTY;
	struct html_page page;

	(void)state;
	assert_links(ROWS(row));
	/* a caller that wants link elements alone gets all of them, as that kind */
	static const char html[] = "<link rel=next href=n><link rel=alternate hreflang=de href=d><object data=o>";
	assert_int_equal(url_parse(&address, "http://h/", 9, NULL), URL_OK);
	html_read(html, strlen(html), &address, NULL, 1u << LINK_LINK, 9, add_link, &links, &page);
	assert_string_equal(links.at, " link:/n link:/d");
	html_page_release(&page);
	url_release(&address);
	buf_release(&links);
}

static int take_two(void *ctx, const struct url *target, unsigned kind, const char *anchor)
{
	(void)anchor;
	(void)target, (void)kind;
	return ++*(int *)ctx == 2;
}

static void only_links_asked_for_are_told(void **state)
{
	static const char html[] = "<a href=1><area href=2><link href=3><a href=4><a href=5>";
	static const struct {
		unsigned kinds, most;
		int calls;
	} row[] = {{1u << LINK_A, 100, 2}, {1u << LINK_AREA, 100, 1}, {1u << LINK_A, 1, 1}, {0, 100, 0}, {ALL_KINDS, 0, 0}};
	struct url address = URL_EMPTY;
	struct html_page page;

	(void)state;
	assert_int_equal(url_parse(&address, "http://h", 8, NULL), URL_OK);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		int calls = 0;
		html_read(html, sizeof html - 1, &address, NULL, row[i].kinds, row[i].most, take_two, &calls, &page);
		assert_int_equal(calls, row[i].calls);
		assert_int_equal(page.links, calls);
		html_page_release(&page);
	}
	url_release(&address);
}

static void title_and_language_are_what_the_document_declares(void **state)
{
	static const struct {
		const char *html, *title, *language;
	} row[] = {
		{"<html lang=de-CH><title>  Die\n\t Seite </title>", "Die Seite", "de-CH"},
		{"<title>one</title><title>two</title>", "one", ""},
		{"<html><html lang=' fr '><title></title><title>a &amp; &lt;b&gt; &#233;</title>", "a & <b> \xc3\xa9", "fr"},
		{"<html lang='en<script>'><title>x</title>", "x", ""},
		{"<html lang='a-language-tag-that-is-far-too-long-for-any'><title>x", "x", ""},
		{"<svg><title>a drawing</title></svg><title>x</title>", "x", ""},
		{"<template><title>a part</title></template><title>x</title>", "x", ""},
		{"<!-- <title>no</title> --><script>'<title>no</title>'</script><title>x</title>", "x", ""},
		{"<meta charset=utf-8><title>bell\x07 and \xe2\x80\xae"
		 "override\xe2\x80\xac</title>",
			"bell and override", ""},
		{"<meta charset=iso-8859-1><title>caf\xe9</title>", "caf\xc3\xa9", ""},
		{"<meta charset=utf-8><title>caf\xe9</title>", "caf\xef\xbf\xbd", ""},
		{"<title lang=en>x</title>", "x", ""},
		{"<p>no title", "", ""},
	};
	struct url address = URL_EMPTY;
	struct html_page page;

	(void)state;
	assert_int_equal(url_parse(&address, "http://h", 8, NULL), URL_OK);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		int calls = 0;
		html_read(row[i].html, strlen(row[i].html), &address, NULL, 0, 0, take_two, &calls, &page);
		assert_string_equal(page.title, row[i].title);
		assert_string_equal(page.language, row[i].language);
		html_page_release(&page);
	}
	url_release(&address);
}

static int keep_anchor(void *ctx, const struct url *target, unsigned kind, const char *anchor)
{
	(void)target, (void)kind;
	buf_format(ctx, "%s|", anchor);
	return 0;
}

static void the_anchor_text_of_a_link_is_the_text_of_its_element(void **state)
{
	static const struct row row[] = {
		{"<a href=1>one</a> out <a href=2> two\n words </a>", "one|two words|"},
		{"<a href=1>one<a href=2>two</a>", "one|two|"},
		{"<a href=1>the <b>bold</b> <br>one &amp; only</a>", "the bold one & only|"},
		{"<a href=1><img src=x alt=picture></a><a href=2></a>", "||"},
		{"<a href=1>before<!-- a comment > --></a>", "before|"},
		{"<a href=1>if a < b<script>'</a>no'</script><style>no</style> end</a>", "if a < b end|"},
		{"<area href=1>text</area><iframe src=2>text</iframe><a href=3>c</a>", "||c|"},
		{"<a href=1>bell\x07 \xe2\x82\xac</a>", "bell \xe2\x82\xac|"},
		{"<a href=1>never closed", "never closed|"},
		{"<a href=1>cut in a tag <b", "cut in a tag|"},
		{"<a name=1>no link</a><a href=1", ""},
	};
	struct buf got = BUF_EMPTY;
	struct url address = URL_EMPTY;
	struct html_page page;

	(void)state;
	assert_int_equal(url_parse(&address, "http://h", 8, NULL), URL_OK);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		buf_clear(&got);
		html_read(row[i].html, strlen(row[i].html), &address, "text/html; charset=utf-8", ALL_KINDS | HTML_ANCHORS,
			UINT64_MAX, keep_anchor, &got, &page);
		buf_end(&got);
		assert_string_equal(got.at, row[i].want);
		html_page_release(&page);
	}
	buf_release(&got);
	url_release(&address);
}

static void anchor_texts_are_bounded_and_told_only_when_asked_for(void **state)
{
	struct buf html = BUF_EMPTY, got = BUF_EMPTY;
	struct url address = URL_EMPTY;
	struct html_page page;

	(void)state;
	assert_int_equal(url_parse(&address, "http://h", 8, NULL), URL_OK);
	buf_text(&html, "<a href=1>");
	for (int i = 0; i < 300; i++)
		buf_text(&html, "\xe2\x82\xac");
	buf_text(&html, "</a>");
	html_read(html.at, html.used, &address, "text/html; charset=utf-8", ALL_KINDS | HTML_ANCHORS, UINT64_MAX, keep_anchor, &got,
		&page);
	assert_int_equal(got.used, (LINK_ANCHOR - 1) / 3 * 3 + 1);
	html_page_release(&page);
	buf_clear(&got);
	html_read(html.at, html.used, &address, "text/html; charset=utf-8", ALL_KINDS, UINT64_MAX, keep_anchor, &got, &page);
	assert_int_equal(got.used, 1);
	html_page_release(&page);
	buf_release(&html);
	buf_release(&got);
	url_release(&address);
}

static void a_long_title_is_cut_behind_a_whole_character(void **state)
{
	struct url address = URL_EMPTY;
	struct buf html = BUF_EMPTY;
	struct html_page page;
	int calls = 0;

	(void)state;
	assert_int_equal(url_parse(&address, "http://h", 8, NULL), URL_OK);
	for (int more = 0; more < 3; more++) {
		buf_clear(&html);
		buf_text(&html, "<title>");
		for (int i = 0; i < more; i++)
			buf_text(&html, "x");
		for (int i = 0; i < 300; i++)
			buf_text(&html, "\xe2\x82\xac");
		html_read(html.at, html.used, &address, "text/html; charset=utf-8", 0, 0, take_two, &calls, &page);
		assert_int_equal(strlen(page.title), (size_t)more + (255 - (size_t)more) / 3 * 3);
		html_page_release(&page);
	}
	buf_release(&html);
	url_release(&address);
}

static void xhtml_closes_what_it_says_it_closes(void **state)
{
	static const char html[] = "<title/><script src='x'/><a href='y'/><![CDATA[<a href='z'>]]>";
	struct buf links = BUF_EMPTY;

	(void)state;
	read_page(&links, html, sizeof html - 1, "application/xhtml+xml", NULL);
	assert_string_equal(links.at, " a:/d/y");
	read_page(&links, html, sizeof html - 1, "text/html", NULL);
	assert_string_equal(links.at, "");
	buf_release(&links);
}

static const char *const scrap[] = {"<a href=", "<a ", "href='x'", "<!--", "-->", "--!>", "<script>", "</script>", "<title>",
	"</title>", "<svg>", "</svg>", "<math>", "<![CDATA[", "]]>", "<base ", "<meta charset=", "gbk", "utf-16", ">", "'", "\"",
	"&amp;", "&#x", "&", "=", "/", "\xff", "\xc3", "<template>", "</template>", "<frameset>", "<p>", " ", "x", "<", "</",
	"<style>", "<meta http-equiv=refresh content=", "1;url=", "<plaintext", "iso-2022-jp", "\x1b$B"};

/* Cut anywhere, garbage is read without harm, and what was told of its beginning is told again:
 * an end only takes away. */
static void garbage_is_read_to_its_end(void **state)
{
	struct buf whole = BUF_EMPTY, part = BUF_EMPTY, html = BUF_EMPTY;
	struct rng r = {9};

	(void)state;
	for (int round = 0; round < 3000; round++) {
		buf_clear(&html);
		for (uint64_t n = rng_below(&r, 30); n; n--)
			buf_text(&html, scrap[rng_below(&r, sizeof scrap / sizeof *scrap)]);
		buf_end(&html);
		size_t n = (size_t)rng_below(&r, html.used + 1);
		char *cut = malloc(n + !n);
		memcpy(cut, html.at, n);
		/* a base behind the cut would move the links before it, an encoding their bytes */
		read_page(&part, cut, n, "text/html; charset=utf-8", NULL);
		read_page(&whole, html.at, html.used, "text/html; charset=utf-8", NULL);
		if (!strstr(html.at, "<base "))
			assert_memory_equal(part.used ? part.at : "", whole.at, part.used);
		read_page(&part, cut, n, NULL, NULL);
		free(cut);
	}
	buf_release(&whole);
	buf_release(&part);
	buf_release(&html);
}

static void hostile_documents_take_linear_time(void **state)
{
	static const char *const unit[] = {"<", "<a ", "<!--", "<a href='", "&", "&a", "<a href=&x", "<script><!--<script>", "</",
		"<svg><desc>", "<math><mi>", "<template>", "<svg><g>", "<base ", "<title>", "<meta charset=", "<a href=x>", "--!",
		"<a x=1 ", "<![CDATA[", "<svg><![CDATA[", "]]", "\xff", "&#1"};
	struct buf html = BUF_EMPTY, links = BUF_EMPTY;

	(void)state;
	for (size_t i = 0; i < sizeof unit / sizeof *unit; i++) {
		buf_clear(&html);
		buf_text(&html, i % 2 ? "<a href='" : "");
		while (html.used < 300000)
			buf_text(&html, unit[i]);
		int64_t start = clock_cpu_ns();
		read_page(&links, html.at, html.used, "text/html; charset=gbk", NULL);
		if (clock_cpu_ns() - start > (int64_t)500000000 * slowness())
			fail_msg("%s", unit[i]);
	}
	buf_release(&html);
	buf_release(&links);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tags_and_attributes_are_found_in_any_shape),
		cmocka_unit_test(comments_and_other_markup_are_passed_over),
		cmocka_unit_test(text_of_some_elements_is_no_markup),
		cmocka_unit_test(foreign_content_has_its_own_rules),
		cmocka_unit_test(templates_and_framesets_hide_links),
		cmocka_unit_test(the_first_base_counts_for_all_links),
		cmocka_unit_test(a_base_element_is_found_wherever_it_stands),
		cmocka_unit_test(each_way_to_link_has_its_kind),
		cmocka_unit_test(only_links_asked_for_are_told),
		cmocka_unit_test(title_and_language_are_what_the_document_declares),
		cmocka_unit_test(the_anchor_text_of_a_link_is_the_text_of_its_element),
		cmocka_unit_test(anchor_texts_are_bounded_and_told_only_when_asked_for),
		cmocka_unit_test(a_long_title_is_cut_behind_a_whole_character),
		cmocka_unit_test(xhtml_closes_what_it_says_it_closes),
		cmocka_unit_test(garbage_is_read_to_its_end),
		cmocka_unit_test(hostile_documents_take_linear_time),
	};

	return cmocka_run_group_tests_name("html", tests, NULL, NULL);
}
