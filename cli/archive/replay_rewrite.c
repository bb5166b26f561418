#include "cli/archive/replay_rewrite.h"
#include "parser/html_encoding.h"
#include "parser/html_value.h"

#include <string.h>
#include <strings.h>

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

/* The end of a string that begins behind a quote. */
static const char *string_end(const char *at, const char *end, char quote)
{
	while (at < end && *at != quote)
		at += *at == '\\' && at + 1 < end ? 2 : 1;
	return at;
}

/* Copies a quoted string behind its opening quote, rewritten, up to its closing quote. */
static const char *copy_string(
	const struct rewrite *r, const char *at, const char *end, char quote, struct buf *out)
{
	const char *stop = string_end(at, end, quote);

	rewrite_reference(r, at, (size_t)(stop - at), out);
	return stop;
}

/* Copies what stands in url(...), behind its parenthesis. */
static const char *copy_url(
	const struct rewrite *r, const char *at, const char *end, struct buf *out)
{
	const char *stop;

	while (at < end && is_space(*at))
		at++;
	if (at < end && (*at == '"' || *at == '\'')) {
		buf_byte(out, *at);
		return copy_string(r, at + 1, end, *at, out);
	}
	stop = at;
	while (stop < end && *stop != ')')
		stop++;
	const char *last = stop;
	while (last > at && is_space(last[-1]))
		last--;
	rewrite_reference(r, at, (size_t)(last - at), out);
	return stop;
}

static int begins(const char *at, const char *end, const char *word)
{
	const size_t n = strlen(word);

	return (size_t)(end - at) >= n && strncasecmp(at, word, n) == 0;
}

void rewrite_css(const struct rewrite *r, const char *bytes, size_t n, struct buf *out)
{
	const char *at = bytes, *end = bytes + n;

	while (at < end) {
		if (begins(at, end, "/*")) {
			const char *stop = memmem(at, (size_t)(end - at), "*/", 2);
			stop = stop ? stop + 2 : end;
			buf_add(out, at, (size_t)(stop - at));
			at = stop;
		} else if (begins(at, end, "url(")) {
			buf_add(out, at, 4);
			at = copy_url(r, at + 4, end, out);
		} else if (begins(at, end, "@import")) {
			buf_add(out, at, 7);
			for (at += 7; at < end && is_space(*at); at++)
				buf_byte(out, *at);
			if (at < end && (*at == '"' || *at == '\'')) {
				const char quote = *at;
				buf_byte(out, quote);
				at = copy_string(r, at + 1, end, quote, out);
			}
		} else {
			buf_byte(out, *at++);
		}
	}
}

/* --- documents */

/* Rewrites "small.png 1x, large.png 2x". */
static void rewrite_srcset(const struct rewrite *r, const char *at, size_t n, struct buf *out)
{
	const char *end = at + n;

	while (at < end) {
		while (at < end && (is_space(*at) || *at == ','))
			buf_byte(out, *at++);
		const char *url = at;
		while (at < end && !is_space(*at))
			at++;
		const char *last = at;
		while (last > url && last[-1] == ',')
			last--;
		rewrite_reference(r, url, (size_t)(last - url), out);
		buf_add(out, last, (size_t)(at - last));
		while (at < end && *at != ',')
			buf_byte(out, *at++);
	}
}

/* Rewrites "5; url=next.html". */
static void rewrite_refresh(const struct rewrite *r, const char *at, size_t n, struct buf *out)
{
	const char *end = at + n, *equals = memchr(at, '=', n);

	if (!equals) {
		buf_add(out, at, n);
		return;
	}
	for (equals++; equals < end && (is_space(*equals) || *equals == '"' || *equals == '\'');)
		equals++;
	while (end > equals && (end[-1] == '"' || end[-1] == '\''))
		end--;
	buf_add(out, at, (size_t)(equals - at));
	rewrite_reference(r, equals, (size_t)(end - equals), out);
}

#define REFERENCES "href src action formaction poster data background cite longdesc manifest lowsrc"

struct document {
	const struct rewrite *rewrite;
	struct html_values values;
	const char *copied; /* the bytes before it are in `out` */
	struct buf *out;
	struct buf value;
	int is_refresh; /* within a meta http-equiv=refresh */
};

/* The new value of an attribute. Returns 1, or 0 if it stays. */
static int new_value(
	struct document *d, struct html_text tag, struct html_text name, struct html_text written)
{
	const struct html_text v = html_value(&d->values, written);

	buf_clear(&d->value);
	if (html_is_among(name.at, name.n, REFERENCES)) {
		rewrite_reference(d->rewrite, v.at, v.n, &d->value);
	} else if (html_is_among(name.at, name.n, "srcset imagesrcset")) {
		rewrite_srcset(d->rewrite, v.at, v.n, &d->value);
	} else if (html_is_name(name.at, name.n, "style")) {
		rewrite_css(d->rewrite, v.at, v.n, &d->value);
	} else if (html_is_name(name.at, name.n, "integrity")) {
		; /* of other bytes */
	} else if (html_is_name(tag.at, tag.n, "meta") &&
		   html_is_name(name.at, name.n, "http-equiv")) {
		d->is_refresh = html_is_name(v.at, v.n, "refresh");
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

static void read_tag(struct document *d, struct html_tokens *t, struct html_text tag)
{
	struct html_text name, value;

	d->is_refresh = 0;
	while (html_next_attribute(t, &name, &value) > 0)
		if (value.n && new_value(d, tag, name, value))
			put_value(d, value);
}

/* Skips the text of an element that is no markup; that of a style is rewritten. */
static void read_raw(struct document *d, struct html_tokens *t, struct html_text tag)
{
	static const char *const raw[] = {
		"style", "textarea", "title", "xmp", "noembed", "noframes"};
	const char *begin = t->at;

	if (html_is_name(tag.at, tag.n, "script")) {
		html_skip_script(t);
		return;
	}
	for (size_t i = 0; i < sizeof raw / sizeof *raw; i++)
		if (html_is_name(tag.at, tag.n, raw[i]))
			html_skip_raw_text(t, raw[i]);
	if (!html_is_name(tag.at, tag.n, "style"))
		return;
	buf_add(d->out, d->copied, (size_t)(begin - d->copied));
	rewrite_css(d->rewrite, begin, (size_t)(t->at - begin), d->out);
	d->copied = t->at;
}

void rewrite_html(
	const struct rewrite *r, const char *bytes, size_t n, const char *type, struct buf *out)
{
	const struct html_encoding encoding = html_encoding_find(bytes, n, type);
	struct document d = {.rewrite = r, .copied = bytes, .out = out, .value = BUF_EMPTY};
	enum html_tag_kind kind;
	struct html_tokens t;
	struct html_text tag;

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
	html_values_release(&d.values);
	buf_release(&d.value);
}
