#include "parser/html_value.h"
#include "base/ascii.h"
#include "parser/utf8.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void html_values_init(struct html_values *v, const char *encoding)
{
	*v = (struct html_values){.is_utf8 = strcmp(encoding, "utf-8") == 0};
	decoder_init(&v->decoder, encoding);
}

void html_values_release(struct html_values *v)
{
	decoder_release(&v->decoder);
	buf_release(&v->decoded);
	buf_release(&v->text);
}

void html_values_change(struct html_values *v, const char *encoding)
{
	decoder_release(&v->decoder);
	decoder_init(&v->decoder, encoding);
	v->is_utf8 = strcmp(encoding, "utf-8") == 0;
}

static int digit_of(char c, unsigned base)
{
	return base == 16 ? ascii_hex(c) : ascii_is_digit(c) ? c - '0' : -1;
}

static void add(struct buf *out, uint32_t c)
{
	out->used += utf8_write(buf_room(out, 4), c);
}

/* Reads the numeric reference at p, after "&#". Returns the position after it, or NULL if there is none. */
static const char *read_number(const char *p, const char *end, struct buf *out)
{
	unsigned base = p < end && (*p == 'x' || *p == 'X') ? 16 : 10;
	uint32_t c = 0;

	p += base == 16;
	if (p == end || digit_of(*p, base) < 0)
		return NULL;
	for (; p < end && digit_of(*p, base) >= 0; p++)
		if (c < 0x110000)
			c = c * base + (uint32_t)digit_of(*p, base);
	if (c == 0 || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
		c = UTF8_REPLACEMENT;
	add(out, c < 0x100 ? decode_windows_1252((uint8_t)c) : c);
	return p < end && *p == ';' ? p + 1 : p;
}

/* Reads a named reference after '&'. A name without a semicolon counts only if neither '=' nor a letter or digit follows, so the
 * longest run of letters and digits is the name, or there is no reference. */
static const char *read_name(const char *p, const char *end, struct buf *out)
{
	const char *stop = p;
	uint32_t code[2];

	while (stop < end && ascii_is_alnum(*stop))
		stop++;
	int semicolon = stop < end && *stop == ';';
	enum entity_kind kind = entity_find(p, (size_t)(stop - p), code);
	if (kind == ENTITY_NONE)
		return NULL;
	if (!semicolon && (kind != ENTITY_LEGACY || (stop < end && *stop == '=')))
		return NULL;
	add(out, code[0]);
	if (code[1])
		add(out, code[1]);
	return stop + semicolon;
}

/* Copies a text with its character references resolved and NULs replaced. */
static void resolve(const char *p, const char *end, struct buf *out)
{
	while (p < end) {
		const char *start = p, *next = NULL;
		while (p < end && *p && *p != '&')
			p++;
		buf_add(out, start, (size_t)(p - start));
		if (p == end)
			break;
		if (*p == 0) {
			add(out, UTF8_REPLACEMENT);
			p++;
			continue;
		}
		p++;
		if (p < end && *p == '#')
			next = read_number(p + 1, end, out);
		else if (p < end && html_is(*p, HTML_ALPHA))
			next = read_name(p, end, out);
		if (next)
			p = next;
		else
			buf_byte(out, '&');
	}
	buf_end(out);
}

/* Returns the high bits of the zero bytes among eight; bytes after the first zero may be marked by mistake. */
static uint64_t zeros(uint64_t bytes)
{
	return (bytes - 0x0101010101010101u) & ~bytes & 0x8080808080808080u;
}

/* Looks through n bytes, eight at a time: *high becomes 1 if one is 0x80 or above, *odd if one is '&' or NUL. The last step
 * takes the last eight bytes, some of them for the second time. */
static void survey(const char *p, size_t n, int *high, int *odd)
{
	uint64_t some_high = 0, some_odd = 0, eight = 0x2020202020202020u;

	if (n < sizeof eight)
		memcpy(&eight, p, n);
	for (size_t i = 0; i < n; i += sizeof eight) {
		if (n >= sizeof eight)
			memcpy(&eight, p + (i + sizeof eight <= n ? i : n - sizeof eight), sizeof eight);
		some_high |= eight & 0x8080808080808080u;
		some_odd |= zeros(eight) | zeros(eight ^ 0x2626262626262626u);
	}
	*high = some_high != 0;
	*odd = some_odd != 0;
}

struct html_text html_value(struct html_values *v, struct html_text written)
{
	int high, odd;

	survey(written.at, written.n, &high, &odd);
	if (high && !v->is_utf8) {
		buf_clear(&v->decoded);
		decode(&v->decoder, written.at, written.n, &v->decoded);
		written = (struct html_text){v->decoded.at, v->decoded.used};
	}
	if (odd) {
		buf_clear(&v->text);
		resolve(written.at, written.at + written.n, &v->text);
		written = (struct html_text){v->text.at, v->text.used};
	}
	return written;
}

/* HTML 13.5, every name once, a line each: "name=code points", with '!' for '=' where the semicolon may be missing; in byte
 * order. */
static const char entities[] = {
#include "parser/entities.txt.inc"
};

/* Orders a name against the entry at `entry`: as strcmp. */
static int compare(const char *name, size_t n, const char *entry)
{
	size_t length = strcspn(entry, "=!");
	int order = memcmp(name, entry, n < length ? n : length);

	return order ? order : (n > length) - (n < length);
}

enum entity_kind entity_find(const char *name, size_t n, uint32_t code[2])
{
	const char *low = entities, *high = entities + sizeof entities;

	while (low < high) {
		const char *entry = low + (high - low) / 2, *next = entry;
		while (*next++ != '\n')
			continue;
		while (entry > low && entry[-1] != '\n')
			entry--;
		const int order = compare(name, n, entry);
		if (order < 0)
			high = entry;
		else if (order > 0)
			low = next;
		if (order)
			continue;
		char *end;
		code[0] = (uint32_t)strtoul(entry + n + 1, &end, 16);
		code[1] = *end == ',' ? (uint32_t)strtoul(end + 1, NULL, 16) : 0;
		return entry[n] == '!' ? ENTITY_LEGACY : ENTITY_FOUND;
	}
	return ENTITY_NONE;
}
