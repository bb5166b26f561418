/* What a browser asks for to show a document. */
#include "tests/test.h"

#include "base/buf.h"
#include "parser/requisites.h"

struct list {
	struct buf text;
	size_t n, most;
};

static int add(struct list *l, const char *at, size_t n)
{
	buf_add(&l->text, at, n);
	buf_byte(&l->text, '\n');
	buf_end(&l->text);
	return ++l->n == l->most;
}

static int add_url(void *ctx, const struct url *target, unsigned kind, const char *anchor)
{
	assert_int_equal(kind, LINK_REQUISITE);
	assert_string_equal(anchor, "");
	return add(ctx, target->text.at, target->text.used);
}

static int add_text(void *ctx, const char *at, size_t n)
{
	return add(ctx, at, n);
}

enum form { AS_HTML, AS_CSS };

static void check_most(enum form form, const char *type, const char *bytes, size_t n, size_t most, const char *want)
{
	struct list l = {BUF_EMPTY, 0, most};
	struct url address = URL_EMPTY;
	struct html_page page;

	buf_text(&l.text, "");
	assert_int_equal(url_parse(&address, "http://a.test/d/page", 20, NULL), URL_OK);
	if (form == AS_HTML) {
		html_read(bytes, n, &address, type, 1u << LINK_REQUISITE, 0, add_url, &l, &page);
		assert_int_equal(page.links, 0);
		html_page_release(&page);
	} else {
		requisites_of_css(bytes, n, &address, add_url, &l);
	}
	assert_string_equal(l.text.at, want);
	buf_release(&l.text);
	url_release(&address);
}

static void check(enum form form, const char *text, const char *want)
{
	check_most(form, "text/html", text, strlen(text), 0, want);
}

#define D "http://a.test/d/"

static void documents_need_what_they_show(void **state)
{
	static const struct {
		const char *text, *want;
	} table[] = {
		{"<img src=a.png srcset='b.png 1x, /c.png 2x'>", D "a.png\n" D "b.png\nhttp://a.test/c.png\n"},
		{"<link rel=stylesheet href=s.css><link rel='shortcut icon' href=i.ico>"
		 "<link rel=canonical href=x><link rel=next href=y><link href=z>",
			D "s.css\n" D "i.ico\n"},
		{"<link rel=preload as=font href=f.woff><link rel=preload as=fetch href=data.json>"
		 "<link rel=preload as=image imagesrcset='p.png 2x'>",
			D "f.woff\n" D "p.png\n"},
		{"<script src=s.js>document.write('<img src=no.png>')</script><img src=yes.png>", D "s.js\n" D "yes.png\n"},
		{"<a href=no><form action=no><input src=no><input type=image src=go.png>", D "go.png\n"},
		{"<img data-src=l.png data-srcset='m.png 2x' src=data:,x><div data-src=no>", D "l.png\n" D "m.png\n"},
		{"<picture><source srcset='w.webp'></picture><video src=no.mp4 poster=v.jpg><source src=no.mp4>"
		 "<audio src=no.mp3></audio></video>",
			D "w.webp\n" D "v.jpg\n"},
		{"<iframe src=in.html><img src=no></iframe><object data=o.svg></object><embed src=e.svg>",
			D "in.html\n" D "o.svg\n" D "e.svg\n"},
		{"<style>@import 'm.css';a{b:url(u.png)}</style><p style='background:url(&quot;q.png&quot;)'>",
			D "m.css\n" D "u.png\n" D "q.png\n"},
		{"<body background=b.gif><svg><image xlink:href=i.svg /><use href='#x'/></svg>", D "b.gif\n" D "i.svg\n"},
		{"<base href='//b.test/x/'><img src=i>", "http://b.test/x/i\n"},
		{"<noscript><img src=n.png></noscript><!-- <img src=no> --><textarea><img src=no></textarea>", D "n.png\n"},
		{"<img src=data:image/png,x><img src=''><img src='#'><img><img src=", ""},
		{"", ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		check(AS_HTML, table[i].text, table[i].want);
}

static void style_sheets_need_their_references(void **state)
{
	(void)state;
	check(AS_CSS,
		"@import url(one.css) screen; @IMPORT \"two.css\"; @font-face{src:url(f.woff) format('woff'), url( 'g.ttf' )}",
		D "one.css\n" D "two.css\n" D "f.woff\n" D "g.ttf\n");
	check(AS_CSS, "/* url(no) */ a{content:'url(no)'} b{c:xurl(no) url(data:,x)} d{e:url(\\66.png)}", D "f.png\n");
	check(AS_CSS, "a{b:url(", "");
	check(AS_CSS, "a{b:url(x", D "x\n");
	check(AS_CSS, "a{b:'open\n} c{d:url(y)}", D "y\n");
	check(AS_CSS, "\\", "");
	check(AS_CSS, "/", "");
}

static void documents_in_utf_16_need_what_they_show(void **state)
{
	static const char bytes[] = "\xff\xfe<\0i\0m\0g\0 \0s\0r\0c\0=\0x\0>\0";

	(void)state;
	check_most(AS_HTML, "text/html; charset=utf-16", bytes, sizeof bytes - 1, 0, D "x\n");
}

static void the_search_ends_when_its_caller_has_enough(void **state)
{
	static const char html[] = "<img src=a srcset='b 1x, c 2x'><p style='x:url(d)'><img src=e>",
			  css[] = "@import 'a';b{c:url(b) url(c)}";

	(void)state;
	check_most(AS_HTML, NULL, html, sizeof html - 1, 2, D "a\n" D "b\n");
	check_most(AS_CSS, NULL, css, sizeof css - 1, 2, D "a\n" D "b\n");
}

static void candidates_of_a_srcset_end_at_commas(void **state)
{
	static const struct {
		const char *text, *want;
	} table[] = {
		{"a.png 1x, b.png 2x", "a.png\nb.png\n"},
		{"a.png, b.png", "a.png\nb.png\n"},
		{"a,b.png 100w", "a,b.png\n"},
		{"a.png x(1,2), b.png", "a.png\nb.png\n"},
		{" , ,a ", "a\n"},
		{"", ""},
		{",", ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		struct list l = {BUF_EMPTY, 0, 0};
		buf_text(&l.text, "");
		srcset_references(table[i].text, strlen(table[i].text), add_text, &l);
		assert_string_equal(l.text.at, table[i].want);
		buf_release(&l.text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(documents_need_what_they_show),
		cmocka_unit_test(style_sheets_need_their_references),
		cmocka_unit_test(documents_in_utf_16_need_what_they_show),
		cmocka_unit_test(the_search_ends_when_its_caller_has_enough),
		cmocka_unit_test(candidates_of_a_srcset_end_at_commas),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
