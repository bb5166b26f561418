/* Domain to ASCII: UTS46 as the URL standard asks for it, CheckHyphens and VerifyDnsLength off.
 *
 * libidn2 has the tables (mapping, normalisation, which code points are valid, what joins) but its
 * own rules on top: IDNA2008's disallowed characters, hyphens, lengths, Bidi by label only. So it
 * is asked about pieces, in its transitional mode, which applies the tables and nothing of
 * IDNA2008, and the labels are put together and judged here. A piece is what normalisation cannot
 * part: an ASCII character and what is not ASCII behind it. What that mode would map away (the
 * "deviations": sharp s, final sigma, the joiners) parts pieces too; it composes with nothing.
 *
 * Deviation: code points that the library's Unicode lacks are refused (but for ideographs), and so
 * are runs of more than some fifty characters that are not ASCII: it stops at what DNS can carry.
 */
#include "base/mem.h"
#include "parser/idna_bidi.h"
#include "parser/url_part.h"
#include "parser/utf8.h"

#include <idn2.h>
#include <stdlib.h>
#include <string.h>

struct points {
	uint32_t *at;
	size_t used, room;
};

static void points_add(struct points *p, uint32_t c)
{
	p->at = mem_grow(p->at, &p->room, p->used + 1, sizeof *p->at);
	p->at[p->used++] = c;
}

enum { DROPPED = 0 };

/* Corrections before libidn2 is asked: mappings of the current UTS46 that differ from libidn2's table of Unicode 14, and
 * characters mapped to hyphens and dots, which would make libidn2 judge a piece as a label. Each code point from first to last
 * becomes `to` + its distance from first. */
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
	{0x3002, 0x3002, '.'},
	{0x3164, 0x3164, DROPPED},
	{0xfe63, 0xfe63, '-'},
	{0xff01, 0xff5e, '!'},
	{0xff61, 0xff61, '.'},
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

static int is_joiner(uint32_t c)
{
	return c == 0x200c || c == 0x200d;
}

/* Says whether c is copied unchanged: the deviations, and characters that libidn2 wrongly takes for disallowed, such as the
 * ideographs of the extensions H, I and J. */
static int is_kept(uint32_t c)
{
	return c == 0xdf || c == 0x3c2 || c == 0x1806 || is_joiner(c) || (c >= 0x2ebf0 && c <= 0x2ee5d) ||
		(c >= 0x31350 && c <= 0x33479);
}

static uint32_t lower(uint32_t c)
{
	return c >= 'A' && c <= 'Z' ? c | 0x20 : c;
}

/* Says whether an ASCII character composes with a combining mark after it. */
static int composes(uint32_t c)
{
	return (lower(c) >= 'a' && lower(c) <= 'z') || (c >= '<' && c <= '>');
}

/* Returns libidn2's code for a domain of n code points, and its result in *result, which may be NULL. */
static int ask(const uint32_t *point, size_t n, int flags, char **result)
{
	char *text = mem_new(4 * n + 1, 1), *to = text;
	uint8_t *ascii = NULL;

	for (size_t i = 0; i < n; i++)
		to += utf8_write(to, point[i]);
	*to = 0;
	int code = idn2_lookup_u8((uint8_t *)text, &ascii, flags | IDN2_NFC_INPUT);
	free(text);
	if (code == IDN2_MALLOC)
		mem_exhausted();
	if (result)
		*result = (char *)ascii;
	else
		idn2_free(ascii);
	return code;
}

/* Appends the decoded labels of libidn2's answer, but for the first `skip` code points. */
static int add_answer(struct points *out, const char *answer, size_t skip)
{
	uint32_t *label = mem_new(strlen(answer) + 1, sizeof *label);

	for (;; answer++) {
		size_t n = strcspn(answer, ".");
		ptrdiff_t points = 0;
		if (n > 4 && memcmp(answer, "xn--", 4) == 0) {
			points = punycode_decode(answer + 4, n - 4, label);
		} else {
			for (; points < (ptrdiff_t)n; points++)
				label[points] = (uint8_t)answer[points];
		}
		for (ptrdiff_t i = (ptrdiff_t)skip; i < points; i++)
			points_add(out, label[i]);
		answer += n;
		skip = 0;
		if (points < 0 || !*answer) {
			free(label);
			return points < 0 ? -1 : 0;
		}
		points_add(out, '.');
	}
}

/* Maps and normalises a piece of n > 0 code points behind `lead` (0: at the start of a label),
 * which is not yet in `out`. */
static int map_piece(struct points *out, uint32_t lead, const uint32_t *point, size_t n)
{
	struct points piece = {NULL, 0, 0};
	size_t skip = lead && !composes(lead);
	char *answer;

	if (skip)
		points_add(out, lower(lead));
	if (lead)
		points_add(&piece, skip ? '0' : lead);
	for (size_t i = 0; i < n; i++)
		points_add(&piece, point[i]);
	int code = ask(piece.at, piece.used, IDN2_TRANSITIONAL | IDN2_NO_ALABEL_ROUNDTRIP, &answer);
	free(piece.at);
	if (code != IDN2_OK)
		return -1;
	code = add_answer(out, answer, skip);
	idn2_free(answer);
	return code;
}

/* Appends the n code points mapped and in NFC: UTS46, processing steps 1 and 2. */
static int map(struct points *out, const uint32_t *point, size_t n)
{
	struct points in = {NULL, 0, 0};
	int failed = 0;

	for (size_t i = 0; i < n; i++) {
		uint32_t c = correct(point[i]);
		if (c != DROPPED || !point[i])
			points_add(&in, c);
	}
	for (size_t i = 0, next; i < in.used && !failed; i = next) {
		uint32_t lead = in.at[i];
		int leads = lead < 0x80 || is_kept(lead);
		size_t start = i + (leads ? 1 : 0);
		for (next = start; next < in.used && in.at[next] >= 0x80; next++) {
			if (is_kept(in.at[next]))
				break;
		}
		if (next == start || lead == '.' || !lead) {
			points_add(out, lower(lead));
			next = i + 1;
		} else {
			failed = map_piece(out, leads ? lead : 0, in.at + start, next - start);
		}
	}
	free(in.at);
	return failed;
}

/* Checks the joiners of a label: RFC 5892, A.1 and A.2. libidn2 checks them only if nothing else in the label violates IDNA2008,
 * so all such characters are first replaced by '0'. Returns 1 if the joiners are valid. */
static int joiners_fit(const uint32_t *label, size_t n)
{
	struct points text = {NULL, 0, 0};
	int any = 0;

	for (size_t i = 0; i < n; i++)
		any |= is_joiner(label[i]);
	if (!any)
		return 1;
	points_add(&text, '0');
	for (size_t i = 0; i < n; i++) {
		const uint32_t alone[2] = {'0', label[i]};
		int plain = label[i] < 0x80;
		if (!plain && !is_joiner(label[i])) {
			int code = ask(alone, 2, IDN2_NONTRANSITIONAL, NULL);
			plain = code == IDN2_DISALLOWED || code == IDN2_UNASSIGNED;
		}
		points_add(&text, plain ? '0' : label[i]);
	}
	int code = ask(text.at, text.used, IDN2_NONTRANSITIONAL, NULL);
	free(text.at);
	return code != IDN2_CONTEXTJ && code != IDN2_CONTEXTJ_NO_RULE && code != IDN2_TOO_BIG_DOMAIN;
}

static int is_ascii(const uint32_t *label, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (label[i] >= 0x80)
			return 0;
	}
	return 1;
}

static int begins_ace(const uint32_t *label, size_t n)
{
	return n >= 4 && label[0] == 'x' && label[1] == 'n' && label[2] == '-' && label[3] == '-';
}

/* Decodes a label that begins with "xn--" into point[]. Returns the number of code points, or -1 if it is malformed or if the
 * decoded label is not one that would be encoded so. */
static ptrdiff_t read_ace(const uint32_t *label, size_t n, uint32_t *point)
{
	struct points mapped = {NULL, 0, 0};
	char *text = mem_new(n + 1, 1);

	for (size_t i = 4; i < n; i++)
		text[i - 4] = (char)label[i];
	ptrdiff_t m = is_ascii(label, n) ? punycode_decode(text, n - 4, point) : -1;
	free(text);
	if (m < 0 || is_ascii(point, (size_t)m) || begins_ace(point, (size_t)m) || map(&mapped, point, (size_t)m) ||
		mapped.used != (size_t)m || memcmp(mapped.at, point, (size_t)m * sizeof *point) != 0)
		m = -1;
	free(mapped.at);
	return m;
}

/* Appends a label; *rtl is set where its domain has to keep the Bidi rule, *broken where it does
 * not. */
static int add_label(struct buf *out, const uint32_t *label, size_t n, int *rtl, int *broken)
{
	uint32_t *point = NULL;
	int failed = 0;

	if (!is_ascii(label, n) && !begins_ace(label, n)) {
		buf_text(out, "xn--");
		failed = punycode_encode(out, label, n);
	} else {
		for (size_t i = 0; i < n; i++)
			buf_byte(out, (int)label[i]);
	}
	if (begins_ace(label, n)) {
		point = mem_new(n, sizeof *point);
		ptrdiff_t m = read_ace(label, n, point);
		failed = m < 0;
		label = point;
		n = failed ? 0 : (size_t)m;
	}
	if (!failed && n) {
		failed = !joiners_fit(label, n);
		*rtl |= idna_is_rtl(label, n);
		*broken |= !idna_keeps_bidi_rule(label, n);
	}
	free(point);
	return failed ? -1 : 0;
}

int url_idna(struct buf *out, const char *domain, size_t n)
{
	struct points in = {NULL, 0, 0}, mapped = {NULL, 0, 0};
	const char *end = domain + n;
	int failed = 0, rtl = 0, broken = 0;

	while (domain < end && !failed) {
		uint32_t c = utf8_read(&domain, end);
		failed = c == UTF8_MALFORMED || in.used == URL_IDNA_MAX;
		points_add(&in, c);
	}
	failed = failed || map(&mapped, in.at, in.used) || mapped.used > URL_IDNA_MAX;
	for (size_t i = 0, stop; !failed && i <= mapped.used; i = stop + 1) {
		for (stop = i; stop < mapped.used && mapped.at[stop] != '.'; stop++)
			;
		if (i)
			buf_byte(out, '.');
		failed = add_label(out, mapped.at ? mapped.at + i : NULL, stop - i, &rtl, &broken);
	}
	free(in.at);
	free(mapped.at);
	return failed || (rtl && broken) ? -1 : 0;
}
