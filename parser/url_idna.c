/* Domain to ASCII: UTS46 as the URL standard asks for it, CheckHyphens and VerifyDnsLength off. ICU maps, normalises and judges the
 * domain by the tables of its Unicode; what later tables changed is corrected before ICU is asked, and ideographs that are younger
 * than ICU's tables have a stand-in meanwhile, an ideograph to which all rules apply in the same way. So the labels are encoded
 * here.
 *
 * Deviation: other code points that ICU's Unicode lacks are refused. */
#include "base/buf.h"
#include "parser/url_part.h"
#include "parser/utf8.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unicode/uidna.h>

/* RFC 3492, 5 */
enum { BASE = 36, T_MIN = 1, T_MAX = 26, SKEW = 38, DAMP = 700, FIRST_BIAS = 72, FIRST_POINT = 128 };

/* Adapts the bias: RFC 3492, 6.1. */
static uint32_t adapt(uint32_t delta, uint32_t points, int first)
{
	uint32_t k = 0;

	delta /= first ? DAMP : 2;
	for (delta += delta / points; delta > (BASE - T_MIN) * T_MAX / 2; k += BASE)
		delta /= BASE - T_MIN;
	return k + (BASE - T_MIN + 1) * delta / (delta + SKEW);
}

static int digit(uint32_t d)
{
	return (int)(d < 26 ? 'a' + d : '0' + (d - 26));
}

/* Appends a delta as a variable-length integer. */
static void add_delta(struct buf *out, uint32_t delta, uint32_t bias)
{
	for (uint32_t k = BASE;; k += BASE) {
		uint32_t t = k <= bias + T_MIN ? T_MIN : k >= bias + T_MAX ? T_MAX : k - bias;
		if (delta < t)
			break;
		buf_byte(out, digit(t + (delta - t) % (BASE - t)));
		delta = (delta - t) / (BASE - t);
	}
	buf_byte(out, digit(delta));
}

/* Appends a label, at most URL_IDNA_MAX code points (so that no delta overflows), in Punycode, with a delimiter behind its ASCII
 * characters if there are any: RFC 3492, 6.3. */
static void add_punycode(struct buf *out, const uint32_t *point, size_t n, const char *delimiter)
{
	uint32_t delta = 0, bias = FIRST_BIAS, next = FIRST_POINT, done = 0;

	for (size_t i = 0; i < n; i++) {
		if (point[i] < FIRST_POINT) {
			buf_byte(out, (int)point[i]);
			done++;
		}
	}
	const uint32_t basic = done;
	buf_text(out, basic ? delimiter : "");
	for (; done < n; delta++, next++) {
		uint32_t least = UINT32_MAX;
		for (size_t i = 0; i < n; i++)
			if (point[i] >= next && point[i] < least)
				least = point[i];
		delta += (least - next) * (done + 1);
		next = least;
		for (size_t i = 0; i < n; i++) {
			delta += point[i] < next;
			if (point[i] != next)
				continue;
			add_delta(out, delta, bias);
			bias = adapt(delta, done + 1, done == basic);
			delta = 0;
			done++;
		}
	}
}

enum { DROPPED = 0, STAND_IN = 0x2ebe0 };

/* Mappings of the current UTS46 that older tables lack or have otherwise: each code point from first to last becomes `to` + its
 * distance from first. */
static const struct {
	uint32_t first, last, to;
} correction[] = {
	{0x04c0, 0x04c0, 0x04cf},
	{0x10a0, 0x10c5, 0x2d00},
	{0x115f, 0x1160, DROPPED},
	{0x17b4, 0x17b5, DROPPED},
	{0x180e, 0x180e, DROPPED},
	{0x1e9e, 0x1e9e, 0x00df},
	{0x2061, 0x2063, DROPPED},
	{0x206a, 0x206f, DROPPED},
	{0x2132, 0x2132, 0x214e},
	{0x2183, 0x2183, 0x2184},
	{0x3164, 0x3164, DROPPED},
	{0xffa0, 0xffa0, DROPPED},
	{0x1d173, 0x1d17a, DROPPED},
	{0x2f868, 0x2f868, 0x36fc},
	{0x2f874, 0x2f874, 0x5f53},
	{0x2f91f, 0x2f91f, 0x243ab},
	{0x2f95f, 0x2f95f, 0x7aee},
	{0x2f9bf, 0x2f9bf, 0x45d7},
};

static uint32_t correct(uint32_t c)
{
	for (size_t i = 0; i < sizeof correction / sizeof *correction; i++) {
		if (c >= correction[i].first && c <= correction[i].last)
			return correction[i].to ? correction[i].to + (c - correction[i].first) : DROPPED;
	}
	return c;
}

/* Says whether c is replaced by the stand-in, or the stand-in itself: the ideographs of the extensions H, I and J, and the soft
 * hyphen of Mongolian, which older tables refuse. */
static int has_stand_in(uint32_t c)
{
	return c == STAND_IN || c == 0x1806 || (c >= 0x2ebf0 && c <= 0x2ee5d) || (c >= 0x31350 && c <= 0x33479);
}

/* Appends to `text` the domain as ICU is asked about it, and writes to young[] what has a stand-in there, in its order. Returns the
 * number of these, or -1 if the domain is malformed or too long. */
static ptrdiff_t prepare(struct buf *text, const char *domain, size_t n, uint32_t young[URL_IDNA_MAX])
{
	const char *end = domain + n;
	ptrdiff_t replaced = 0;

	for (int points = 0; domain < end; points++) {
		const uint32_t read = utf8_read(&domain, end), c = correct(read);
		if (read == UTF8_MALFORMED || points == URL_IDNA_MAX)
			return -1;
		if (has_stand_in(c))
			young[replaced++] = c;
		if (c != DROPPED || !read)
			text->used += utf8_write(buf_room(text, 4), has_stand_in(c) ? STAND_IN : c);
	}
	buf_end(text);
	return replaced;
}

/* Appends to `unicode` the domain with its labels mapped, decoded and found valid. Returns 0 or -1. */
static int process(struct buf *unicode, const struct buf *text)
{
	const uint32_t allowed = UIDNA_ERROR_EMPTY_LABEL | UIDNA_ERROR_LABEL_TOO_LONG | UIDNA_ERROR_DOMAIN_NAME_TOO_LONG |
		UIDNA_ERROR_LEADING_HYPHEN | UIDNA_ERROR_TRAILING_HYPHEN | UIDNA_ERROR_HYPHEN_3_4;
	const size_t room = 32 * text->used; /* one character becomes eighteen at most */
	UIDNAInfo info = UIDNA_INFO_INITIALIZER;
	UErrorCode code = U_ZERO_ERROR;
	UIDNA *idna = uidna_openUTS46(UIDNA_CHECK_BIDI | UIDNA_CHECK_CONTEXTJ | UIDNA_NONTRANSITIONAL_TO_UNICODE, &code);
	const int32_t used =
		uidna_nameToUnicodeUTF8(idna, text->at, (int32_t)text->used, buf_room(unicode, room), (int32_t)room, &info, &code);

	uidna_close(idna);
	unicode->used = U_SUCCESS(code) ? (size_t)used : 0;
	buf_end(unicode);
	return U_SUCCESS(code) && !(info.errors & ~allowed) ? 0 : -1;
}

/* Appends a domain of Unicode with each label in ASCII, and with young[] for the stand-ins. Returns 0, or -1 if a label begins as
 * encoded ones do, if the labels are too long, or if the stand-ins are not as many. */
static int encode(struct buf *out, const struct buf *unicode, const uint32_t *young, ptrdiff_t replaced)
{
	const char *at = unicode->at, *end = at + unicode->used;
	uint32_t label[URL_IDNA_MAX];

	for (;; at++) {
		size_t n = 0;
		int ascii = 1;
		for (; at < end && *at != '.'; ascii &= label[n++] < FIRST_POINT) {
			if (n == URL_IDNA_MAX)
				return -1;
			label[n] = utf8_read(&at, end);
			if (label[n] == STAND_IN && replaced-- > 0)
				label[n] = *young++;
		}
		if (n >= 4 && label[0] == 'x' && label[1] == 'n' && label[2] == '-' && label[3] == '-')
			return -1;
		buf_text(out, ascii ? "" : "xn--");
		add_punycode(out, label, n, ascii ? "" : "-");
		if (at == end)
			return replaced ? -1 : 0;
		buf_byte(out, '.');
	}
}

int url_idna(struct buf *out, const char *domain, size_t n)
{
	AUTO(buf) text = BUF_EMPTY, unicode = BUF_EMPTY;
	uint32_t young[URL_IDNA_MAX];
	const ptrdiff_t replaced = prepare(&text, domain, n, young);
	const int failed = replaced < 0 || (text.used && process(&unicode, &text)) || encode(out, &unicode, young, replaced);

	return failed ? -1 : 0;
}
