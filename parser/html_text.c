#include "parser/html_text.h"
#include "parser/utf8.h"

/* elements whose text a reader does not see */
static const char unseen[] = "iframe math noscript object script style svg template title";
/* elements that begin and end a line */
static const char blocks[] = "address article aside blockquote body br caption dd details dialog div dl dt "
			     "fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hr li main nav ol "
			     "option p pre section select summary table td textarea th tr ul";
/* elements that have no content, and no end tag */
static const char hollow[] = "area base br col embed frame hr img input link meta param source track wbr";
/* elements that may lack their end tag: the next element of the same name ends such an element, or the end of its list */
static const char unended[] = "dd dt li option p td th tr";
/* elements that contain elements of `unended` */
static const char lists[] = "dl menu ol select table ul";

static int is_among(struct html_text name, const char *names)
{
	return html_is_among(name.at, name.n, names);
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
	const int is_block = is_among(name, blocks);

	if (v->hidden.n && !v->lists &&
		((is_same(v->hidden, name) && is_among(name, unended)) || (is_block && is_paragraph(v->hidden))))
		v->hidden.n = 0;
	if (v->hidden.n) {
		v->inner += !is_empty && is_same(v->hidden, name) ? 1 : 0;
		v->lists += is_among(name, lists) != 0;
		return;
	}
	if (is_block)
		end_line(v);
	if (!is_empty && (is_hidden || is_among(name, unseen)) && !is_among(name, hollow)) {
		v->hidden = name;
		v->inner = v->lists = 0;
	}
}

void html_visible_end(struct html_visible *v, struct html_text name)
{
	const int is_block = is_among(name, blocks);

	if (v->hidden.n) {
		const int is_list = is_among(name, lists), is_own = is_same(v->hidden, name);
		if (is_list && v->lists)
			v->lists--;
		else if ((is_list && is_among(v->hidden, unended)) || (is_block && is_paragraph(v->hidden)))
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
