#include "cli/archive/archive_rewrite.h"
#include "base/ascii.h"
#include "parser/requisites.h"
#include "parser/html.h"
#include "parser/html_encoding.h"
#include "parser/html_meta.h"
#include "parser/html_token.h"
#include "parser/html_value.h"

#include <string.h>

#define SPACES " \t\n\f\r"

static int is_space(char c)
{
	return c && strchr(SPACES, c) != NULL;
}

void rewrite_reference(const struct rewrite *r, const char *text, size_t n, struct buf *out)
{
	struct url u = URL_EMPTY;

	while (n && is_space(*text))
		text++, n--;
	const char *fragment = memchr(text, '#', n);
	if (n && *text != '#' && url_parse(&u, text, n, r->base) == URL_OK) {
		if (!r->name)
			buf_text(out, r->prefix);
		if (!r->name || !r->name(r->ctx, &u, out))
			buf_add(out, u.text.at, u.text.used);
		if (fragment)
			buf_add(out, fragment, n - (size_t)(fragment - text));
	} else {
		buf_add(out, text, n);
	}
	url_release(&u);
}

/* --- style sheets */

/* A text that is copied with its references rewritten. */
struct copying {
	const struct rewrite *rewrite;
	const char *copied; /* the bytes before it are in `out` */
	struct buf *out;
	struct buf text, value; /* scratch memory: a reference, and what becomes of it */
};

/* Appends a byte of a reference of a style sheet; as an escape, if it would end the reference, its line or a style element around
 * it. */
static void put_css_byte(struct buf *out, char c)
{
	if (c == '<' || is_space(c))
		buf_format(out, "\\%x ", c);
	else if (c && strchr("\"'()\\", c))
		buf_format(out, "\\%c", c);
	else
		buf_byte(out, c);
}

/* Puts the new value of a reference of a style sheet. */
static int put_css_reference(void *copying, const char *at, size_t n)
{
	struct copying *c = copying;

	buf_clear(&c->text);
	buf_clear(&c->value);
	css_unescape(at, n, &c->text);
	rewrite_reference(c->rewrite, c->text.used ? c->text.at : "", c->text.used, &c->value);
	if (c->value.used == c->text.used && (!c->value.used || memcmp(c->value.at, c->text.at, c->text.used) == 0))
		return 0;
	buf_add(c->out, c->copied, (size_t)(at - c->copied));
	for (size_t i = 0; i < c->value.used; i++)
		put_css_byte(c->out, c->value.at[i]);
	c->copied = at + n;
	return 0;
}

static void release_copying(struct copying *c)
{
	buf_release(&c->text);
	buf_release(&c->value);
}

void rewrite_css(const struct rewrite *r, const char *bytes, size_t n, struct buf *out)
{
	struct copying c = {.rewrite = r, .copied = bytes, .out = out, .text = BUF_EMPTY, .value = BUF_EMPTY};

	css_references(bytes, n, put_css_reference, &c);
	buf_add(out, c.copied, (size_t)(bytes + n - c.copied));
	release_copying(&c);
}

/* --- documents */

static int put_srcset_reference(void *copying, const char *at, size_t n)
{
	struct copying *c = copying;

	buf_add(c->out, c->copied, (size_t)(at - c->copied));
	rewrite_reference(c->rewrite, at, n, c->out);
	c->copied = at + n;
	return 0;
}

/* Rewrites "small.png 1x, large.png 2x". */
static void rewrite_srcset(const struct rewrite *r, const char *at, size_t n, struct buf *out)
{
	struct copying c = {.rewrite = r, .copied = at, .out = out};

	srcset_references(at, n, put_srcset_reference, &c);
	buf_add(out, c.copied, (size_t)(at + n - c.copied));
}

/* Rewrites "5; url=next.html". */
static void rewrite_refresh(const struct rewrite *r, const char *at, size_t n, struct buf *out)
{
	const char *end = at + n;
	struct html_text url;
	double seconds;

	if (!html_meta_refresh((struct html_text){at, n}, &seconds, &url) || !url.at) {
		buf_add(out, at, n);
		return;
	}
	buf_add(out, at, (size_t)(url.at - at));
	rewrite_reference(r, url.at, url.n, out);
	buf_add(out, url.at + url.n, (size_t)(end - url.at) - url.n);
}

#define REFERENCES "href xlink:href src data-src action formaction poster data background cite longdesc manifest lowsrc"

struct document {
	const struct rewrite *rewrite;
	const struct url *address; /* of the document; rewrite->base is what its base element makes of it */
	struct html_values values;
	const char *copied; /* the bytes before it are in `out` */
	struct buf *out;
	struct buf value;
	int is_refresh; /* within a meta http-equiv=refresh */
};

/* Writes the new value of the base element, which scripts use. With name() it is empty, since names of files are relative to the
 * file of the document. */
static void put_base(struct document *d, struct html_text v)
{
	struct rewrite r = *d->rewrite;

	r.base = d->address;
	if (!r.name)
		rewrite_reference(&r, v.at, v.n, &d->value);
}

static void put_frame(struct document *d, struct html_text v)
{
	struct rewrite r = *d->rewrite;

	r.prefix = r.frame ? r.frame : r.prefix;
	rewrite_reference(&r, v.at, v.n, &d->value);
}

/* Computes the new value of an attribute into d->value. Returns 1, or 0 if the attribute keeps its value. */
static int new_value(struct document *d, struct html_text tag, struct html_text name, struct html_text written)
{
	const struct html_text v = html_value(&d->values, written);

	buf_clear(&d->value);
	if (html_is_name(tag.at, tag.n, "base") && html_is_name(name.at, name.n, "href")) {
		put_base(d, v);
	} else if (ascii_is_among(tag.at, tag.n, "iframe frame") && html_is_name(name.at, name.n, "src")) {
		put_frame(d, v);
	} else if (ascii_is_among(name.at, name.n, REFERENCES)) {
		rewrite_reference(d->rewrite, v.at, v.n, &d->value);
	} else if (ascii_is_among(name.at, name.n, "srcset imagesrcset data-srcset")) {
		rewrite_srcset(d->rewrite, v.at, v.n, &d->value);
	} else if (html_is_name(name.at, name.n, "style")) {
		rewrite_css(d->rewrite, v.at, v.n, &d->value);
	} else if (html_is_name(name.at, name.n, "integrity")) {
		; /* the value is removed: the rewritten document has other bytes than its hash says */
	} else if (html_is_name(tag.at, tag.n, "meta") && html_is_name(name.at, name.n, "http-equiv")) {
		if (!html_is_name(v.at, v.n, "content-security-policy"))
			return 0;
	} else if (d->is_refresh && html_is_name(name.at, name.n, "content")) {
		rewrite_refresh(d->rewrite, v.at, v.n, &d->value);
	} else {
		return 0;
	}
	return d->value.used != v.n || memcmp(d->value.at ? d->value.at : "", v.at, v.n) != 0;
}

/* Copies the document up to a value, and then the new value. */
static void put_value(struct document *d, struct html_text written)
{
	const char before = written.at[-1];
	const int is_quoted = before == '"' || before == '\'';

	buf_add(d->out, d->copied, (size_t)(written.at - d->copied));
	if (!is_quoted)
		buf_byte(d->out, '"');
	for (size_t i = 0; i < d->value.used; i++) {
		const char c = d->value.at[i];
		if (c == '"' || c == '\'' || c == '&' || c == '<')
			buf_format(d->out, "&#%d;", c);
		else
			buf_byte(d->out, c);
	}
	if (!is_quoted)
		buf_byte(d->out, '"');
	d->copied = written.at + written.n;
}

/* Says whether a tag whose attributes come next is a meta http-equiv=refresh; its content may stand before http-equiv. */
static int is_refresh(struct document *d, struct html_tokens ahead, struct html_text tag)
{
	struct html_text name, value;
	int is = 0;

	while (html_is_name(tag.at, tag.n, "meta") && !is && html_next_attribute(&ahead, &name, &value) > 0)
		if (html_is_name(name.at, name.n, "http-equiv")) {
			const struct html_text v = html_value(&d->values, value);
			is = html_is_name(v.at, v.n, "refresh");
		}
	return is;
}

static void read_tag(struct document *d, struct html_tokens *t, struct html_text tag)
{
	struct html_text name, value;

	d->is_refresh = is_refresh(d, *t, tag);
	while (html_next_attribute(t, &name, &value) > 0)
		if (value.n && new_value(d, tag, name, value))
			put_value(d, value);
}

/* Skips the text of an element that is no markup; that of a style is rewritten. */
static void read_raw(struct document *d, struct html_tokens *t, struct html_text tag)
{
	const char *begin = t->at;

	html_skip_text(t, tag);
	if (!html_is_name(tag.at, tag.n, "style"))
		return;
	buf_add(d->out, d->copied, (size_t)(begin - d->copied));
	rewrite_css(d->rewrite, begin, (size_t)(t->at - begin), d->out);
	d->copied = t->at;
}

void rewrite_html(const struct rewrite *r, const char *bytes, size_t n, const char *type, struct buf *out)
{
	const struct html_encoding encoding = html_encoding_find(bytes, n, type);
	struct html_page page = {.base = URL_EMPTY};
	struct rewrite by_base = *r;
	struct document d = {.rewrite = &by_base, .address = r->base, .copied = bytes, .out = out, .value = BUF_EMPTY};
	enum html_tag_kind kind;
	struct html_tokens t;
	struct html_text tag;

	if (html_may_have_base(bytes, n)) {
		html_read(bytes, n, r->base, type, 0, 0, NULL, NULL, &page);
		by_base.base = &page.base;
	}
	html_values_init(&d.values, encoding.name);
	html_tokens_init(&t, bytes, n);
	while ((kind = html_next_tag(&t, &tag)) != HTML_END_OF_FILE) {
		if (kind == HTML_END_TAG) {
			(void)!html_skip_attributes(&t);
			continue;
		}
		read_tag(&d, &t, tag);
		read_raw(&d, &t, tag);
	}
	buf_add(out, d.copied, (size_t)(bytes + n - d.copied));
	html_page_release(&page);
	html_values_release(&d.values);
	buf_release(&d.value);
}
