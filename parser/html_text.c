#include "parser/html_text.h"
#include "parser/utf8.h"

#include <string.h>

/* What an element is to a reader of the page. */
enum trait {
	UNSEEN = 1,  /* its text is not shown */
	BLOCK = 2,   /* begins and ends a line */
	HOLLOW = 4,  /* has no content, and no end tag */
	UNENDED = 8, /* may lack its end tag: the next element of the same name ends such an element, or the end of its list */
	LIST = 16,   /* contains elements of UNENDED */
};

/* The elements that have traits, by the first letter of their names. */
#define ELEMENT(name, traits) \
	{ \
		sizeof name - 1, traits, name \
	}
static const struct {
	uint8_t length, traits;
	char name[12];
} elements[26][10] = {
	['a' - 'a'] = {ELEMENT("address", BLOCK), ELEMENT("area", HOLLOW), ELEMENT("article", BLOCK), ELEMENT("aside", BLOCK)},
	['b' - 'a'] = {ELEMENT("base", HOLLOW), ELEMENT("blockquote", BLOCK), ELEMENT("body", BLOCK),
		ELEMENT("br", BLOCK | HOLLOW)},
	['c' - 'a'] = {ELEMENT("caption", BLOCK), ELEMENT("col", HOLLOW)},
	['d' - 'a'] = {ELEMENT("dd", BLOCK | UNENDED), ELEMENT("details", BLOCK), ELEMENT("dialog", BLOCK), ELEMENT("div", BLOCK),
		ELEMENT("dl", BLOCK | LIST), ELEMENT("dt", BLOCK | UNENDED)},
	['e' - 'a'] = {ELEMENT("embed", HOLLOW)},
	['f' - 'a'] = {ELEMENT("fieldset", BLOCK), ELEMENT("figcaption", BLOCK), ELEMENT("figure", BLOCK), ELEMENT("footer", BLOCK),
		ELEMENT("form", BLOCK), ELEMENT("frame", HOLLOW)},
	['h' - 'a'] = {ELEMENT("h1", BLOCK), ELEMENT("h2", BLOCK), ELEMENT("h3", BLOCK), ELEMENT("h4", BLOCK), ELEMENT("h5", BLOCK),
		ELEMENT("h6", BLOCK), ELEMENT("head", BLOCK), ELEMENT("header", BLOCK), ELEMENT("hr", BLOCK | HOLLOW)},
	['i' - 'a'] = {ELEMENT("iframe", UNSEEN), ELEMENT("img", HOLLOW), ELEMENT("input", HOLLOW)},
	['l' - 'a'] = {ELEMENT("li", BLOCK | UNENDED), ELEMENT("link", HOLLOW)},
	['m' - 'a'] = {ELEMENT("main", BLOCK), ELEMENT("math", UNSEEN), ELEMENT("menu", LIST), ELEMENT("meta", HOLLOW)},
	['n' - 'a'] = {ELEMENT("nav", BLOCK), ELEMENT("noscript", UNSEEN)},
	['o' - 'a'] = {ELEMENT("object", UNSEEN), ELEMENT("ol", BLOCK | LIST), ELEMENT("option", BLOCK | UNENDED)},
	['p' - 'a'] = {ELEMENT("p", BLOCK | UNENDED), ELEMENT("param", HOLLOW), ELEMENT("pre", BLOCK)},
	['s' - 'a'] = {ELEMENT("script", UNSEEN), ELEMENT("section", BLOCK), ELEMENT("select", BLOCK | LIST),
		ELEMENT("source", HOLLOW), ELEMENT("style", UNSEEN), ELEMENT("summary", BLOCK), ELEMENT("svg", UNSEEN)},
	['t' - 'a'] = {ELEMENT("table", BLOCK | LIST), ELEMENT("td", BLOCK | UNENDED), ELEMENT("template", UNSEEN),
		ELEMENT("textarea", BLOCK), ELEMENT("th", BLOCK | UNENDED), ELEMENT("title", UNSEEN),
		ELEMENT("tr", BLOCK | UNENDED), ELEMENT("track", HOLLOW)},
	['u' - 'a'] = {ELEMENT("ul", BLOCK | LIST)},
	['w' - 'a'] = {ELEMENT("wbr", HOLLOW)},
};

/* Returns the traits of an element. Documents have millions of tags, so each name is looked up once, among few. */
static unsigned traits_of(struct html_text name)
{
	const unsigned letter = name.n ? ((unsigned char)*name.at | 0x20u) - 'a' : 26;

	for (size_t i = 0; letter < 26 && elements[letter][i].length; i++)
		if (elements[letter][i].length == name.n && html_is_name(name.at, name.n, elements[letter][i].name))
			return elements[letter][i].traits;
	return 0;
}

static int is_same(struct html_text a, struct html_text b)
{
	if (a.n != b.n)
		return 0;
	for (size_t i = 0; i < a.n; i++)
		if ((a.at[i] | 0x20) != (b.at[i] | 0x20))
			return 0;
	return 1;
}

/* Says whether the element ends where a block begins or ends. */
static int is_paragraph(struct html_text name)
{
	return html_is_name(name.at, name.n, "p");
}

void html_visible_init(struct html_visible *v, struct buf *text)
{
	*v = (struct html_visible){.text = text};
}

static void end_line(struct html_visible *v)
{
	v->blank = 0;
	if (v->text->used && v->text->at[v->text->used - 1] != '\n')
		buf_byte(v->text, '\n');
}

void html_visible_start(struct html_visible *v, struct html_text name, int is_hidden, int is_empty)
{
	const unsigned is = traits_of(name), is_block = is & BLOCK;

	if (v->hidden.n && !v->lists && ((is_same(v->hidden, name) && (is & UNENDED)) || (is_block && is_paragraph(v->hidden))))
		v->hidden.n = 0;
	if (v->hidden.n) {
		v->inner += !is_empty && is_same(v->hidden, name) ? 1 : 0;
		v->lists += (is & LIST) != 0;
		return;
	}
	if (is_block)
		end_line(v);
	if (!is_empty && (is_hidden || (is & UNSEEN)) && !(is & HOLLOW)) {
		v->hidden = name;
		v->inner = v->lists = 0;
	}
}

void html_visible_end(struct html_visible *v, struct html_text name)
{
	const unsigned is = traits_of(name), is_block = is & BLOCK;

	if (v->hidden.n) {
		const int is_list = (is & LIST) != 0, is_own = is_same(v->hidden, name);
		if (is_list && v->lists)
			v->lists--;
		else if ((is_list && (traits_of(v->hidden) & UNENDED)) || (is_block && is_paragraph(v->hidden)))
			v->hidden.n = 0;
		if (is_own && v->inner)
			v->inner--;
		else if (is_own)
			v->hidden.n = 0;
	}
	if (!v->hidden.n && is_block)
		end_line(v);
}

static void begin_character(struct html_visible *v)
{
	if (v->blank && v->text->used && v->text->at[v->text->used - 1] != '\n')
		buf_byte(v->text, ' ');
	v->blank = 0;
}

/* Says whether a byte is a character of a word by itself. */
static int is_plain(char c)
{
	return c > ' ' && c < 0x7f;
}

void html_visible_add(struct html_visible *v, struct html_text text)
{
	const char *at = text.at, *end = at + text.n;

	while (!v->hidden.n && at < end) {
		const char *plain = at;
		while (at < end && (is_plain(*at) || (*at == ' ' && at > plain && at + 1 < end && is_plain(at[1]))))
			at++;
		if (at > plain) {
			begin_character(v);
			buf_add(v->text, plain, (size_t)(at - plain));
		} else if (html_is(*at, HTML_SPACE)) {
			v->blank = 1;
			at++;
		} else {
			uint32_t c = utf8_read(&at, end);
			if (c < 0x20 || (c >= 0x7f && c < 0xa0))
				continue;
			begin_character(v);
			v->text->used += utf8_write(buf_room(v->text, 4), c == UTF8_MALFORMED ? UTF8_REPLACEMENT : c);
		}
	}
}

void html_visible_finish(struct html_visible *v)
{
	end_line(v);
	buf_end(v->text);
}
