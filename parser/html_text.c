#include "parser/html_text.h"
#include "parser/utf8.h"

#include <string.h>

/* What an element is to a reader of the page. */
enum trait {
	UNSEEN = 1,  /* u: its text is not shown */
	BLOCK = 2,   /* b: begins and ends a line */
	HOLLOW = 4,  /* h: has no content, and no end tag */
	UNENDED = 8, /* n: may lack its end tag: the next element of the same name ends such an element, or the end of its list */
	LIST = 16,   /* l: contains elements of UNENDED */
};

/* The elements that have traits, by the first letter of their names, with the letters of the traits. */
static const char *const elements[26] = {
	['a' - 'a'] = "address=b area=h article=b aside=b",
	['b' - 'a'] = "base=h blockquote=b body=b br=bh",
	['c' - 'a'] = "caption=b col=h",
	['d' - 'a'] = "dd=bn details=b dialog=b div=b dl=bl dt=bn",
	['e' - 'a'] = "embed=h",
	['f' - 'a'] = "fieldset=b figcaption=b figure=b footer=b form=b frame=h",
	['h' - 'a'] = "h1=b h2=b h3=b h4=b h5=b h6=b head=b header=b hr=bh",
	['i' - 'a'] = "iframe=u img=h input=h",
	['l' - 'a'] = "li=bn link=h",
	['m' - 'a'] = "main=b math=u menu=l meta=h",
	['n' - 'a'] = "nav=b noscript=u",
	['o' - 'a'] = "object=u ol=bl option=bn",
	['p' - 'a'] = "p=bn param=h pre=b",
	['s' - 'a'] = "script=u section=b select=bl source=h style=u summary=b svg=u",
	['t' - 'a'] = "table=bl td=bn template=u textarea=b th=bn title=u tr=bn track=h",
	['u' - 'a'] = "ul=bl",
	['w' - 'a'] = "wbr=h",
};

/* Returns the traits of an element. Documents have millions of tags, so each name is looked up once, among few. */
static unsigned traits_of(struct html_text name)
{
	static const char letters[] = "ubhnl";
	const unsigned first = name.n ? ((unsigned char)*name.at | 0x20u) - 'a' : 26;
	const char *at = first < 26 && elements[first] ? elements[first] : "";
	unsigned traits = 0;

	while (*at) {
		size_t i = 0;
		while (i < name.n && at[i] == (name.at[i] | (html_is(name.at[i], HTML_ALPHA) ? 0x20 : 0)))
			i++;
		if (i == name.n && at[i] == '=') {
			for (at += i + 1; *at > ' '; at++)
				traits |= 1u << (strchr(letters, *at) - letters);
			break;
		}
		at += strcspn(at, " ");
		at += *at == ' ';
	}
	return traits;
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

void html_visible_add(struct html_visible *v, struct html_text text)
{
	const char *at = text.at, *end = at + text.n;

	while (!v->hidden.n && at < end) {
		const char *plain = at;
		while (at < end && (*at > ' ' && *at < 0x7f))
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
