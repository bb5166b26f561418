#include "parser/css_references.h"
#include "base/ascii.h"
#include "parser/utf8.h"

#include <string.h>

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

static int digit_of(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : ascii_is_letter(c) && (c | 0x20) <= 'f' ? (c | 0x20) - 'a' + 10 : -1;
}

/* Resolves the escape behind a backslash, and returns what follows it. */
static const char *read_escape(const char *at, const char *end, struct buf *out)
{
	uint32_t c = 0;
	int digits = 0;

	if (*at == '\n')
		return at + 1;
	if (digit_of(*at) < 0) {
		buf_byte(out, *at);
		return at + 1;
	}
	for (; at < end && digits < 6 && digit_of(*at) >= 0; at++, digits++)
		c = c * 16 + (uint32_t)digit_of(*at);
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
