#include "parser/requisites.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "parser/html_meta.h"
#include "parser/html_token.h"
#include "parser/utf8.h"

#include <stddef.h>
#include <string.h>

/* --- references */

static int report(void *requisites, const char *at, size_t n)
{
	struct requisites *r = requisites;

	while (n && html_is(*at, HTML_SPACE))
		at++, n--;
	if (n && *at != '#' && url_parse_in(&r->target, at, n, r->base, r->charset) == URL_OK)
		r->is_over |= r->each(r->ctx, &r->target, LINK_REQUISITE, "") != 0;
	return r->is_over;
}

static int report_css(void *requisites, const char *at, size_t n)
{
	struct requisites *r = requisites;

	buf_clear(&r->text);
	css_unescape(at, n, &r->text);
	return report(r, r->text.at, r->text.used);
}

/* --- documents */

static void take(struct requisites *r, struct html_text written)
{
	if (!written.at || r->is_over)
		return;
	const struct html_text v = html_value(r->values, written);
	report(r, v.at, v.n);
}

static void take_set(struct requisites *r, struct html_text written)
{
	if (!written.at || r->is_over)
		return;
	const struct html_text v = html_value(r->values, written);
	srcset_references(v.at, v.n, report, r);
}

static int is_one_of(struct requisites *r, struct html_text written, const char *words)
{
	const struct html_text v = written.at ? html_value(r->values, written) : (struct html_text){"", 0};

	return ascii_is_among(v.at, v.n, words);
}

/* Says whether a link element names something that is needed to show the page. */
static int is_shown(struct requisites *r, const struct html_text value[HTML_ATTRIBUTES])
{
	static const char *const words[] = {"stylesheet", "icon", "apple-touch-icon", "apple-touch-icon-precomposed", "mask-icon",
		"modulepreload"};

	if (!value[HTML_REL].at)
		return 0;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (html_has_word(html_value(r->values, value[HTML_REL]), words[i]))
			return 1;
	return html_has_word(html_value(r->values, value[HTML_REL]), "preload") &&
		is_one_of(r, value[HTML_AS], "image font style script");
}

static void read_tag(struct requisites *r, const struct html_text *value, struct html_text tag)
{
	if ((value[HTML_SRC].at || value[HTML_DATA_SRC].at) && ascii_is_among(tag.at, tag.n, "img iframe")) {
		take(r, value[HTML_SRC]);
		take(r, value[HTML_DATA_SRC]);
	} else if (value[HTML_SRC].at &&
		(ascii_is_among(tag.at, tag.n, "script frame embed") ||
			(html_is_name(tag.at, tag.n, "input") && is_one_of(r, value[HTML_TYPE], "image")))) {
		take(r, value[HTML_SRC]);
	}
	if ((value[HTML_SRCSET].at || value[HTML_DATA_SRCSET].at) && ascii_is_among(tag.at, tag.n, "img source")) {
		take_set(r, value[HTML_SRCSET]);
		take_set(r, value[HTML_DATA_SRCSET]);
	}
	if (value[HTML_REL].at && html_is_name(tag.at, tag.n, "link") && is_shown(r, value)) {
		take(r, value[HTML_HREF]);
		take_set(r, value[HTML_IMAGESRCSET]);
	}
	if ((value[HTML_HREF].at || value[HTML_XLINK_HREF].at) && ascii_is_among(tag.at, tag.n, "image use feimage"))
		take(r, value[HTML_HREF].at ? value[HTML_HREF] : value[HTML_XLINK_HREF]);
	if (value[HTML_DATA].at && html_is_name(tag.at, tag.n, "object"))
		take(r, value[HTML_DATA]);
	if (value[HTML_POSTER].at && html_is_name(tag.at, tag.n, "video"))
		take(r, value[HTML_POSTER]);
	if (value[HTML_BACKGROUND].at && ascii_is_among(tag.at, tag.n, "body table tr td th"))
		take(r, value[HTML_BACKGROUND]);
	if (value[HTML_STYLE].at && !r->is_over) {
		const struct html_text v = html_value(r->values, value[HTML_STYLE]);
		css_references(v.at, v.n, report_css, r);
	}
}

void requisites_of_tag(struct requisites *r, const struct html_attributes *attributes, struct html_text name, struct html_text raw)
{
	if (!r->is_over)
		read_tag(r, attributes->value, name);
	if (raw.n && !r->is_over && html_is_name(name.at, name.n, "style"))
		css_references(raw.at, raw.n, report_css, r);
}

void requisites_init(struct requisites *r, struct html_values *values, html_link_fn *each, void *ctx)
{
	*r = (struct requisites){.values = values, .each = each, .ctx = ctx, .target = URL_EMPTY, .text = BUF_EMPTY};
}

void requisites_release(struct requisites *r)
{
	buf_release(&r->text);
	url_release(&r->target);
}

void requisites_of_css(const char *bytes, size_t n, const struct url *base, html_link_fn *each, void *ctx)
{
	struct requisites r;

	requisites_init(&r, NULL, each, ctx);
	r.base = base;
	css_references(n ? bytes : "", n, report_css, &r);
	requisites_release(&r);
}

static int is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

/* Says whether a byte may be part of a name, so that no word begins after it. */
static int is_name(char c)
{
	return ascii_is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_' || (c & 0x80);
}

static const char *skip_space(const char *at, const char *end)
{
	while (at < end && is_space(*at))
		at++;
	return at;
}

/* Returns the closing quote of a string that begins behind its quote. A line end closes it, too: such a string is an error. */
static const char *string_end(const char *at, const char *end, char quote)
{
	while (at < end && *at != quote && *at != '\n')
		at += *at == '\\' && at + 1 < end ? 2 : 1;
	return at;
}

static int begins(const char *at, const char *end, const char *word)
{
	const size_t n = strlen(word);

	return (size_t)(end - at) >= n && ascii_same(at, word, n);
}

struct reading {
	css_reference_fn *each;
	void *ctx;
	int is_over;
};

static const char *read_string(struct reading *r, const char *quote, const char *end)
{
	const char *stop = string_end(quote + 1, end, *quote);

	r->is_over = r->each(r->ctx, quote + 1, (size_t)(stop - quote - 1));
	return stop < end ? stop + 1 : stop;
}

/* Reads what follows "url(". */
static const char *read_url(struct reading *r, const char *at, const char *end)
{
	const char *stop, *last;

	at = skip_space(at, end);
	if (at < end && (*at == '"' || *at == '\''))
		return read_string(r, at, end);
	for (stop = at; stop < end && *stop != ')';)
		stop += *stop == '\\' && stop + 1 < end ? 2 : 1;
	for (last = stop; last > at && is_space(last[-1]);)
		last--;
	r->is_over = r->each(r->ctx, at, (size_t)(last - at));
	return stop;
}

static const char *read_import(struct reading *r, const char *at, const char *end)
{
	at = skip_space(at, end);
	return at < end && (*at == '"' || *at == '\'') ? read_string(r, at, end) : at;
}

void css_references(const char *bytes, size_t n, css_reference_fn *each, void *ctx)
{
	struct reading r = {each, ctx, 0};
	const char *at = bytes, *end = bytes + n;

	while (at < end && !r.is_over) {
		if (begins(at, end, "/*")) {
			const char *stop = memmem(at + 2, (size_t)(end - at - 2), "*/", 2);
			at = stop ? stop + 2 : end;
		} else if (*at == '"' || *at == '\'') {
			at = string_end(at + 1, end, *at);
			at += at < end;
		} else if (begins(at, end, "url(") && (at == bytes || !is_name(at[-1]))) {
			at = read_url(&r, at + 4, end);
		} else if (begins(at, end, "@import")) {
			at = read_import(&r, at + 7, end);
		} else {
			at += *at == '\\' && at + 1 < end ? 2 : 1;
		}
	}
}

/* Resolves the escape behind a backslash, and returns what follows it. */
static const char *read_escape(const char *at, const char *end, struct buf *out)
{
	uint32_t c = 0;
	int digits = 0;

	if (*at == '\n')
		return at + 1;
	if (ascii_hex(*at) < 0) {
		buf_byte(out, *at);
		return at + 1;
	}
	for (; at < end && digits < 6 && ascii_hex(*at) >= 0; at++, digits++)
		c = c * 16 + (uint32_t)ascii_hex(*at);
	if (c == 0 || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		c = UTF8_REPLACEMENT;
	out->used += utf8_write(buf_room(out, 4), c);
	return at < end && is_space(*at) ? at + 1 : at;
}

void css_unescape(const char *at, size_t n, struct buf *out)
{
	const char *end = at + n;

	while (at < end)
		if (*at == '\\' && at + 1 < end)
			at = read_escape(at + 1, end, out);
		else
			buf_byte(out, *at++);
	buf_end(out);
}

/* Skips the descriptors of a candidate, up to its comma; commas within parentheses are part of them. */
static const char *skip_descriptors(const char *at, const char *end)
{
	int depth = 0;

	for (; at < end && (*at != ',' || depth); at++)
		depth += (*at == '(') - (*at == ')' && depth);
	return at;
}

void srcset_references(const char *at, size_t n, srcset_fn *each, void *ctx)
{
	const char *end = at + n;
	int is_over = 0;

	while (!is_over) {
		while (at < end && (html_is(*at, HTML_SPACE) || *at == ','))
			at++;
		const char *url = at;
		while (at < end && !html_is(*at, HTML_SPACE))
			at++;
		const char *last = at;
		while (last > url && last[-1] == ',')
			last--;
		if (last == url)
			return;
		is_over = each(ctx, url, (size_t)(last - url));
		if (last == at)
			at = skip_descriptors(at, end);
	}
}
