#include "parser/link_kind.h"
#include "base/ascii.h"
#include "parser/html_meta.h"

#include <string.h>

const struct link_kind_row link_kinds[LINK_KINDS] = {
#define LINK_ROW(id, ...) [LINK_##id] = {__VA_ARGS__},
	LINK_TABLE(LINK_ROW)
#undef LINK_ROW
};

static int is_feed_type(struct html_text type)
{
	const char *end = memchr(type.at ? type.at : "", ';', type.n);
	size_t n = end ? (size_t)(end - type.at) : type.n;

	while (n && type.at[n - 1] == ' ')
		n--;
	return ascii_is_among(type.at, n, "application/rss+xml application/atom+xml application/feed+json application/rdf+xml");
}

enum link_kind link_kind_of(struct html_text rel, struct html_text type, int has_hreflang)
{
	if (!rel.n)
		return LINK_LINK;
	if (html_has_word(rel, "canonical"))
		return LINK_CANONICAL;
	if (html_has_word(rel, "next") || html_has_word(rel, "prev"))
		return LINK_NEXT;
	/* a "feed" is what it is without a type */
	if (html_has_word(rel, "feed") || (html_has_word(rel, "alternate") && type.n && is_feed_type(type)))
		return LINK_ALTERNATE;
	if (html_has_word(rel, "alternate") && has_hreflang && !html_has_word(rel, "stylesheet"))
		return LINK_HREFLANG;
	return LINK_LINK;
}

/* --- the Link header */

static const char *skip(const char *p, const char *end, const char *bytes)
{
	while (p < end && *p && strchr(bytes, *p))
		p++;
	return p;
}

/* Reads a parameter behind its semicolon: its name, and its value without quotes. Returns the position behind it. */
static const char *read_parameter(const char *p, const char *end, struct html_text *name, struct html_text *value)
{
	p = skip(p, end, " \t");
	*name = (struct html_text){p, 0};
	while (p < end && !strchr("=;, \t", *p))
		p++;
	name->n = (size_t)(p - name->at);
	*value = (struct html_text){p, 0};
	p = skip(p, end, " \t");
	if (p == end || *p != '=')
		return p;
	p = skip(p + 1, end, " \t");
	const int is_quoted = p < end && *p == '"';
	p += is_quoted;
	value->at = p;
	while (p < end && (is_quoted ? *p != '"' : !strchr(";, \t", *p)))
		p++;
	value->n = (size_t)(p - value->at);
	return p + (is_quoted && p < end);
}

/* Reads the parameters of a link from p on; returns the position behind them, at the comma or the end. */
static const char *read_parameters(const char *p, const char *end, enum link_kind *kind)
{
	struct html_text name, value, rel = {"", 0}, type = {"", 0};
	int has_hreflang = 0, is_of_another = 0;

	while ((p = skip(p, end, " \t")) < end && *p == ';') {
		p = read_parameter(p + 1, end, &name, &value);
		if (html_is_name(name.at, name.n, "rel") && !rel.n)
			rel = value;
		else if (html_is_name(name.at, name.n, "type"))
			type = value;
		has_hreflang |= html_is_name(name.at, name.n, "hreflang");
		is_of_another |= html_is_name(name.at, name.n, "anchor");
	}
	*kind = is_of_another ? LINK_LINK : link_kind_of(rel, type, has_hreflang);
	return p;
}

void link_header_read(const char *value, size_t n, link_header_fn *each, void *ctx)
{
	const char *p = value, *end = value + n;
	enum link_kind kind;

	while (p < end && (p = memchr(p, '<', (size_t)(end - p))) != NULL) {
		const char *close = memchr(p, '>', (size_t)(end - p));
		if (!close)
			return;
		const struct html_text reference = {p + 1, (size_t)(close - p - 1)};
		p = read_parameters(close + 1, end, &kind);
		if (kind != LINK_LINK && each(ctx, reference, kind))
			return;
	}
}
