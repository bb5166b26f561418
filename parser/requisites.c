#include "parser/requisites.h"
#include "parser/css_references.h"
#include "parser/html_meta.h"
#include "parser/srcset.h"

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

enum {
	SRC = REQUISITES_SRC,
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
	HIDDEN
};
_Static_assert(HIDDEN + 1 == REQUISITES_ATTRIBUTES, "each attribute has its place");

/* Returns which attribute this is, or REQUISITES_ATTRIBUTES if it is another. */
static size_t attribute_of(struct html_text name)
{
	static const struct {
		const char *name;
		size_t attribute;
	} known[][4] = {
		[2] = {{"as", AS}},
		[3] = {{"src", SRC}, {"rel", REL}},
		[4] = {{"href", HREF}, {"type", TYPE}, {"data", DATA}},
		[5] = {{"style", STYLE}},
		[6] = {{"srcset", SRCSET}, {"poster", POSTER}, {"hidden", HIDDEN}},
		[8] = {{"data-src", DATA_SRC}},
		[10] = {{"background", BACKGROUND}, {"xlink:href", XLINK_HREF}},
		[11] = {{"imagesrcset", IMAGESRCSET}, {"data-srcset", DATA_SRCSET}},
	};

	if (name.n < sizeof known / sizeof *known)
		for (size_t i = 0; i < 4 && known[name.n][i].name; i++)
			if (*known[name.n][i].name == (*name.at | 0x20) && html_is_name(name.at, name.n, known[name.n][i].name))
				return known[name.n][i].attribute;
	return REQUISITES_ATTRIBUTES;
}

int requisites_tag_read(struct requisites_tag *tag, struct html_tokens *t)
{
	struct html_text name, v;
	int more;

	memset(tag, 0, sizeof *tag);
	while ((more = html_next_attribute(t, &name, &v)) > 0) {
		const size_t i = attribute_of(name);
		if (i < REQUISITES_ATTRIBUTES && !tag->value[i].at) {
			tag->value[i] = v;
			tag->has_any = 1;
		}
	}
	tag->is_hidden = tag->value[HIDDEN].at != NULL;
	tag->is_empty = t->self_closing;
	return more;
}

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

	return html_is_among(v.at, v.n, words);
}

/* Says whether a link element names something that is needed to show the page. */
static int is_shown(struct requisites *r, const struct html_text value[REQUISITES_ATTRIBUTES])
{
	static const char *const words[] = {"stylesheet", "icon", "apple-touch-icon", "apple-touch-icon-precomposed", "mask-icon",
		"modulepreload"};

	if (!value[REL].at)
		return 0;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (html_has_word(html_value(r->values, value[REL]), words[i]))
			return 1;
	return html_has_word(html_value(r->values, value[REL]), "preload") && is_one_of(r, value[AS], "image font style script");
}

static void read_tag(struct requisites *r, const struct html_text *value, struct html_text tag)
{
	if ((value[SRC].at || value[DATA_SRC].at) && html_is_among(tag.at, tag.n, "img iframe")) {
		take(r, value[SRC]);
		take(r, value[DATA_SRC]);
	} else if (value[SRC].at &&
		(html_is_among(tag.at, tag.n, "script frame embed") ||
			(html_is_name(tag.at, tag.n, "input") && is_one_of(r, value[TYPE], "image")))) {
		take(r, value[SRC]);
	}
	if ((value[SRCSET].at || value[DATA_SRCSET].at) && html_is_among(tag.at, tag.n, "img source")) {
		take_set(r, value[SRCSET]);
		take_set(r, value[DATA_SRCSET]);
	}
	if (value[REL].at && html_is_name(tag.at, tag.n, "link") && is_shown(r, value)) {
		take(r, value[HREF]);
		take_set(r, value[IMAGESRCSET]);
	}
	if ((value[HREF].at || value[XLINK_HREF].at) && html_is_among(tag.at, tag.n, "image use feimage"))
		take(r, value[HREF].at ? value[HREF] : value[XLINK_HREF]);
	if (value[DATA].at && html_is_name(tag.at, tag.n, "object"))
		take(r, value[DATA]);
	if (value[POSTER].at && html_is_name(tag.at, tag.n, "video"))
		take(r, value[POSTER]);
	if (value[BACKGROUND].at && html_is_among(tag.at, tag.n, "body table tr td th"))
		take(r, value[BACKGROUND]);
	if (value[STYLE].at && !r->is_over) {
		const struct html_text v = html_value(r->values, value[STYLE]);
		css_references(v.at, v.n, report_css, r);
	}
}

void requisites_of_tag(struct requisites *r, const struct requisites_tag *tag, struct html_text name, struct html_text raw)
{
	if (tag->has_any && !r->is_over)
		read_tag(r, tag->value, name);
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
