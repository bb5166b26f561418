#include "parser/requisites.h"
#include "parser/css_references.h"
#include "parser/html_meta.h"
#include "parser/html_value.h"
#include "parser/srcset.h"

#include <string.h>

struct reading {
	struct html_tokens tokens;
	struct html_values values;
	const struct url *base;
	const char *charset; /* for queries: NULL for UTF-8 */
	requisite_fn *each;
	void *ctx;
	struct url target;
	struct buf text; /* scratch memory: a reference of a style sheet */
	int is_over;
};

/* --- references */

static int report(void *reading, const char *at, size_t n)
{
	struct reading *r = reading;

	while (n && html_is(*at, HTML_SPACE))
		at++, n--;
	if (n && *at != '#' && url_parse_in(&r->target, at, n, r->base, r->charset) == URL_OK)
		r->is_over |= r->each(r->ctx, &r->target) != 0;
	return r->is_over;
}

static int report_css(void *reading, const char *at, size_t n)
{
	struct reading *r = reading;

	buf_clear(&r->text);
	css_unescape(at, n, &r->text);
	return report(r, r->text.at, r->text.used);
}

/* --- documents */

/* The attributes that mean something here. */
enum attribute {
	SRC,
	SRCSET,
	HREF,
	XLINK_HREF,
	REL,
	TYPE,
	AS,
	POSTER,
	BACKGROUND,
	DATA,
	IMAGESRCSET,
	STYLE,
	DATA_SRC, /* these two by custom: a script makes src and srcset of them when the image comes into view */
	DATA_SRCSET,
	ATTRIBUTES
};

/* Keeps the first of each attribute of a tag as written; the others' `at` is NULL. Returns -1 if the document ends within the
 * tag. */
static int read_attributes(struct reading *r, struct html_text value[ATTRIBUTES])
{
	static const char *const names[ATTRIBUTES] = {"src", "srcset", "href", "xlink:href", "rel", "type", "as", "poster",
		"background", "data", "imagesrcset", "style", "data-src", "data-srcset"};
	struct html_text name, v;
	int more;

	memset(value, 0, ATTRIBUTES * sizeof *value);
	while ((more = html_next_attribute(&r->tokens, &name, &v)) > 0)
		for (size_t i = 0; i < ATTRIBUTES; i++)
			if (!value[i].at && html_is_name(name.at, name.n, names[i]))
				value[i] = v;
	return more;
}

static void take(struct reading *r, struct html_text written)
{
	if (!written.at || r->is_over)
		return;
	const struct html_text v = html_value(&r->values, written);
	report(r, v.at, v.n);
}

static void take_set(struct reading *r, struct html_text written)
{
	if (!written.at || r->is_over)
		return;
	const struct html_text v = html_value(&r->values, written);
	srcset_references(v.at, v.n, report, r);
}

static int is_one_of(struct reading *r, struct html_text written, const char *words)
{
	const struct html_text v = written.at ? html_value(&r->values, written) : (struct html_text){"", 0};

	return html_is_among(v.at, v.n, words);
}

/* Says whether a link element names something that is needed to show the page. */
static int is_shown(struct reading *r, const struct html_text value[ATTRIBUTES])
{
	static const char *const words[] = {"stylesheet", "icon", "apple-touch-icon", "apple-touch-icon-precomposed", "mask-icon",
		"modulepreload"};

	if (!value[REL].at)
		return 0;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (html_has_word(html_value(&r->values, value[REL]), words[i]))
			return 1;
	return html_has_word(html_value(&r->values, value[REL]), "preload") && is_one_of(r, value[AS], "image font style script");
}

/* Reports the references of a tag to what a browser loads in order to show the page. */
static void read_tag(struct reading *r, struct html_text tag)
{
	struct html_text value[ATTRIBUTES];

	if (read_attributes(r, value) < 0)
		return;
	if (html_is_among(tag.at, tag.n, "img script iframe frame embed") ||
		(html_is_name(tag.at, tag.n, "input") && is_one_of(r, value[TYPE], "image")))
		take(r, value[SRC]);
	if (html_is_among(tag.at, tag.n, "img iframe"))
		take(r, value[DATA_SRC]);
	if (html_is_among(tag.at, tag.n, "img source")) {
		take_set(r, value[SRCSET]);
		take_set(r, value[DATA_SRCSET]);
	}
	if (html_is_name(tag.at, tag.n, "link") && is_shown(r, value)) {
		take(r, value[HREF]);
		take_set(r, value[IMAGESRCSET]);
	}
	if (html_is_among(tag.at, tag.n, "image use feimage"))
		take(r, value[HREF].at ? value[HREF] : value[XLINK_HREF]);
	if (html_is_name(tag.at, tag.n, "object"))
		take(r, value[DATA]);
	if (html_is_name(tag.at, tag.n, "video"))
		take(r, value[POSTER]);
	if (html_is_among(tag.at, tag.n, "body table tr td th"))
		take(r, value[BACKGROUND]);
	if (value[STYLE].at && !r->is_over) {
		const struct html_text v = html_value(&r->values, value[STYLE]);
		css_references(v.at, v.n, report_css, r);
	}
}

static void read_document(struct reading *r, const char *bytes, size_t n)
{
	enum html_tag_kind kind;
	struct html_text tag;

	html_tokens_init(&r->tokens, bytes, n);
	while (!r->is_over && (kind = html_next_tag(&r->tokens, &tag)) != HTML_END_OF_FILE) {
		if (kind == HTML_END_TAG) {
			(void)!html_skip_attributes(&r->tokens);
			continue;
		}
		read_tag(r, tag);
		const char *text = r->tokens.at;
		html_skip_text(&r->tokens, tag);
		if (!r->is_over && html_is_name(tag.at, tag.n, "style"))
			css_references(text, (size_t)(r->tokens.at - text), report_css, r);
	}
}

void requisites_of_html(const char *bytes, size_t n, const struct url *base, const char *charset, requisite_fn *each, void *ctx)
{
	struct reading r = {.base = base, .each = each, .ctx = ctx, .target = URL_EMPTY, .text = BUF_EMPTY};
	struct buf decoded = BUF_EMPTY;

	bytes = n ? bytes : "";
	html_values_init(&r.values, charset);
	r.charset = r.values.is_utf8 ? NULL : charset;
	if (!decoder_keeps_ascii(&r.values.decoder)) {
		decode(&r.values.decoder, bytes, n, &decoded);
		html_values_change(&r.values, "utf-8");
		bytes = decoded.used ? decoded.at : "";
		n = decoded.used;
	}
	read_document(&r, bytes, n);
	html_values_release(&r.values);
	buf_release(&decoded);
	buf_release(&r.text);
	url_release(&r.target);
}

void requisites_of_css(const char *bytes, size_t n, const struct url *base, requisite_fn *each, void *ctx)
{
	struct reading r = {.base = base, .each = each, .ctx = ctx, .target = URL_EMPTY, .text = BUF_EMPTY};

	css_references(n ? bytes : "", n, report_css, &r);
	buf_release(&r.text);
	url_release(&r.target);
}
