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
#include "parser/url_idna.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "parser/url_part.h"
#include "parser/utf8.h"

#include <idn2.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The classes of bidirectional text. Classes that the Bidi rule does not distinguish are merged: AL into R; ES, CS, ET, ON and
 * BN into OTHER. */
enum bidi { BIDI_L, BIDI_R, BIDI_AN, BIDI_EN, BIDI_OTHER, BIDI_NSM };

/* The first code point of a range << 3 | its class, ascending; L before the first. Printed by
 * build-aux/bidi-ranges.py. */
static const uint32_t range[] = {
	/* clang-format off */
	/* Unicode 14.0.0 */
	0x50c, 0x6f8, 0x7bc, 0x7c0, 0x15cc, 0x15d8, 0x1614, 0x1680, 0x1694,
	0x1770, 0x177c, 0x1805, 0x1b88, 0x1bac, 0x1bb8, 0x1fb4, 0x1fc0, 0x241d,
	0x2458, 0x2c54, 0x2c8d, 0x2df1, 0x2dfd, 0x2e01, 0x2e0d, 0x2e19, 0x2e25,
	0x2e31, 0x2e3d, 0x2e81, 0x3002, 0x3034, 0x3041, 0x304c, 0x3059, 0x3064,
	0x3069, 0x3074, 0x3085, 0x30d9, 0x325d, 0x3302, 0x3354, 0x335a, 0x3369,
	0x3385, 0x3389, 0x36b5, 0x36ea, 0x36f4, 0x36fd, 0x3729, 0x373d, 0x374c,
	0x3755, 0x3771, 0x3783, 0x37d1, 0x388d, 0x3891, 0x3985, 0x3a69, 0x3d35,
	0x3d89, 0x3f5d, 0x3fa1, 0x3fb4, 0x3fd1, 0x3fed, 0x3ff1, 0x40b5, 0x40d1,
	0x40dd, 0x4121, 0x412d, 0x4141, 0x414d, 0x4181, 0x42cd, 0x42f1, 0x4482,
	0x44c5, 0x4501, 0x4655, 0x4712, 0x471d, 0x4818, 0x49d5, 0x49d8, 0x49e5,
	0x49e8, 0x4a0d, 0x4a48, 0x4a6d, 0x4a70, 0x4a8d, 0x4b00, 0x4b15, 0x4b20,
	0x4c0d, 0x4c10, 0x4de5, 0x4de8, 0x4e0d, 0x4e38, 0x4e6d, 0x4e70, 0x4f15,
	0x4f30, 0x4f94, 0x4fa0, 0x4fdc, 0x4fe0, 0x4ff5, 0x5018, 0x51e5, 0x51f0,
	0x520d, 0x52e0, 0x5385, 0x5390, 0x53ad, 0x53b0, 0x540d, 0x5418, 0x55e5,
	0x55e8, 0x560d, 0x5648, 0x566d, 0x5680, 0x5715, 0x5730, 0x578c, 0x57c8,
	0x57d5, 0x5810, 0x59e5, 0x59e8, 0x59fd, 0x5a00, 0x5a0d, 0x5a38, 0x5a6d,
	0x5ab8, 0x5b15, 0x5b30, 0x5c15, 0x5c18, 0x5e05, 0x5e08, 0x5e6d, 0x5e80,
	0x5f9c, 0x6005, 0x6008, 0x6025, 0x6028, 0x61e5, 0x61e8, 0x61f5, 0x6208,
	0x6235, 0x62c0, 0x6315, 0x6330, 0x63c4, 0x63f8, 0x640d, 0x6410, 0x65e5,
	0x65e8, 0x6665, 0x66a8, 0x6715, 0x6730, 0x6805, 0x6810, 0x69dd, 0x69e8,
	0x6a0d, 0x6a30, 0x6a6d, 0x6a70, 0x6b15, 0x6b30, 0x6c0d, 0x6c10, 0x6e55,
	0x6e78, 0x6e95, 0x6ec0, 0x718d, 0x7190, 0x71a5, 0x71fc, 0x7200, 0x723d,
	0x7278, 0x758d, 0x7590, 0x75a5, 0x75e8, 0x7645, 0x7680, 0x78c5, 0x78d0,
	0x79ad, 0x79b0, 0x79bd, 0x79c0, 0x79cd, 0x79d4, 0x79f0, 0x7b8d, 0x7bf8,
	0x7c05, 0x7c28, 0x7c35, 0x7c40, 0x7c6d, 0x7df0, 0x7e35, 0x7e38, 0x816d,
	0x8188, 0x8195, 0x81c0, 0x81cd, 0x81d8, 0x81ed, 0x81f8, 0x82c5, 0x82d0,
	0x82f5, 0x8308, 0x838d, 0x83a8, 0x8415, 0x8418, 0x842d, 0x8438, 0x846d,
	0x8470, 0x84ed, 0x84f0, 0x9aed, 0x9b00, 0x9c84, 0x9d00, 0xa004, 0xa008,
	0xb4dc, 0xb500, 0xb895, 0xb8a8, 0xb995, 0xb9a0, 0xba95, 0xbb00, 0xbb95,
	0xbc00, 0xbda5, 0xbdb0, 0xbdbd, 0xbdf0, 0xbe35, 0xbe38, 0xbe4d, 0xbea0,
	0xbedc, 0xbee0, 0xbeed, 0xbf00, 0xbf84, 0xc05d, 0xc074, 0xc07d, 0xc080,
	0xc42d, 0xc438, 0xc54d, 0xc550, 0xc905, 0xc918, 0xc93d, 0xc948, 0xc995,
	0xc998, 0xc9cd, 0xca04, 0xca30, 0xcef4, 0xd000, 0xd0bd, 0xd0c8, 0xd0dd,
	0xd0f0, 0xd2b5, 0xd2b8, 0xd2c5, 0xd308, 0xd315, 0xd318, 0xd32d, 0xd368,
	0xd39d, 0xd400, 0xd585, 0xd820, 0xd9a5, 0xd9a8, 0xd9b5, 0xd9d8, 0xd9e5,
	0xd9e8, 0xda15, 0xda18, 0xdb5d, 0xdba0, 0xdc05, 0xdc10, 0xdd15, 0xdd30,
	0xdd45, 0xdd50, 0xdd5d, 0xdd70, 0xdf35, 0xdf38, 0xdf45, 0xdf50, 0xdf6d,
	0xdf70, 0xdf7d, 0xdf90, 0xe165, 0xe1a0, 0xe1b5, 0xe1d8, 0xe685, 0xe698,
	0xe6a5, 0xe708, 0xe715, 0xe748, 0xe76d, 0xe770, 0xe7a5, 0xe7a8, 0xe7c5,
	0xe7d0, 0xee05, 0xf008, 0x1005c, 0x10070, 0x10079, 0x10084, 0x10685, 0x10824,
	0x10a70, 0x10c54, 0x119b0, 0x11bdc, 0x11ca8, 0x11cb4, 0x13560, 0x1356c, 0x14000,
	0x14804, 0x16180, 0x1672c, 0x16760, 0x1677d, 0x16798, 0x167cc, 0x16800, 0x16bfd,
	0x16c00, 0x16f05, 0x17004, 0x18028, 0x18044, 0x18108, 0x18155, 0x18170, 0x18184,
	0x18188, 0x181bc, 0x181d8, 0x181ec, 0x18208, 0x184cd, 0x184e8, 0x18504, 0x18508,
	0x187dc, 0x187e0, 0x18e04, 0x18f80, 0x26e04, 0x27000, 0x52484, 0x52680, 0x5306c,
	0x53080, 0x5337d, 0x5339c, 0x533a5, 0x533f4, 0x53408, 0x534f5, 0x53500, 0x53785,
	0x53790, 0x53804, 0x53918, 0x53c44, 0x53c48, 0x54015, 0x54018, 0x54035, 0x54038,
	0x5405d, 0x54060, 0x5412d, 0x54138, 0x54144, 0x54165, 0x54180, 0x541c4, 0x54200,
	0x543a4, 0x54400, 0x54625, 0x54670, 0x54705, 0x54790, 0x547fd, 0x54800, 0x54935,
	0x54970, 0x54a3d, 0x54a90, 0x54c05, 0x54c18, 0x54d9d, 0x54da0, 0x54db5, 0x54dd0,
	0x54de5, 0x54df0, 0x54f2d, 0x54f30, 0x5514d, 0x55178, 0x5518d, 0x55198, 0x551ad,
	0x55200, 0x5521d, 0x55220, 0x55265, 0x55268, 0x553e5, 0x553e8, 0x55585, 0x55588,
	0x55595, 0x555a8, 0x555bd, 0x555c8, 0x555f5, 0x55600, 0x5560d, 0x55610, 0x55765,
	0x55770, 0x557b5, 0x55808, 0x55b54, 0x55e00, 0x55f2d, 0x55f30, 0x55f45, 0x55f48,
	0x55f6d, 0x55f80, 0x7d8f5, 0x7dd91, 0x7e9f4, 0x7f005, 0x7f22c, 0x7f399, 0x7f7fc,
	0x80000, 0x8080c, 0x80810, 0x80a04, 0x80c68, 0x80c84, 0x80e80, 0x80fed, 0x81400,
	0x81705, 0x8170b, 0x81800, 0x81bb5, 0x81c00, 0x84001, 0x848fc, 0x84901, 0x8500d,
	0x85081, 0x851c5, 0x85201, 0x8572d, 0x85759, 0x859cc, 0x85a01, 0x86925, 0x86982,
	0x87401, 0x8755d, 0x87569, 0x87a35, 0x87a89, 0x87c15, 0x87c31, 0x88000, 0x8800d,
	0x88010, 0x881c5, 0x88238, 0x88294, 0x88330, 0x88385, 0x88388, 0x8839d, 0x883a8,
	0x883fd, 0x88410, 0x8859d, 0x885b8, 0x885cd, 0x885d8, 0x88615, 0x88668, 0x88805,
	0x88818, 0x8893d, 0x88960, 0x8896d, 0x889b0, 0x88b9d, 0x88ba0, 0x88c05, 0x88c10,
	0x88db5, 0x88df8, 0x88e4d, 0x88e68, 0x88e7d, 0x88e80, 0x8917d, 0x89190, 0x891a5,
	0x891a8, 0x891b5, 0x891c0, 0x891f5, 0x89400, 0x896fd, 0x89700, 0x8971d, 0x89780,
	0x89805, 0x89810, 0x899dd, 0x899e8, 0x89a05, 0x89a08, 0x89b35, 0x8a000, 0x8a1c5,
	0x8a200, 0x8a215, 0x8a228, 0x8a235, 0x8a238, 0x8a2f5, 0x8a2f8, 0x8a59d, 0x8a5c8,
	0x8a5d5, 0x8a5d8, 0x8a5fd, 0x8a608, 0x8a615, 0x8a620, 0x8ad95, 0x8adc0, 0x8ade5,
	0x8adf0, 0x8adfd, 0x8ae08, 0x8aee5, 0x8b000, 0x8b19d, 0x8b1d8, 0x8b1ed, 0x8b1f0,
	0x8b1fd, 0x8b208, 0x8b304, 0x8b400, 0x8b55d, 0x8b560, 0x8b56d, 0x8b570, 0x8b585,
	0x8b5b0, 0x8b5bd, 0x8b5c0, 0x8b8ed, 0x8b900, 0x8b915, 0x8b930, 0x8b93d, 0x8b980,
	0x8c17d, 0x8c1c0, 0x8c1cd, 0x8c1d8, 0x8c9dd, 0x8c9e8, 0x8c9f5, 0x8c9f8, 0x8ca1d,
	0x8ca20, 0x8cea5, 0x8cee0, 0x8cf05, 0x8cf08, 0x8d00d, 0x8d038, 0x8d04d, 0x8d058,
	0x8d19d, 0x8d1c8, 0x8d1dd, 0x8d1f8, 0x8d23d, 0x8d280, 0x8d28d, 0x8d2b8, 0x8d2cd,
	0x8d2e0, 0x8d455, 0x8d4b8, 0x8d4c5, 0x8d4d0, 0x8e185, 0x8e1f0, 0x8e495, 0x8e548,
	0x8e555, 0x8e588, 0x8e595, 0x8e5a0, 0x8e5ad, 0x8e800, 0x8e98d, 0x8ea30, 0x8ea3d,
	0x8ea80, 0x8ec85, 0x8ec98, 0x8ecad, 0x8ecb0, 0x8ecbd, 0x8ecc0, 0x8f79d, 0x8f7a8,
	0x8feac, 0x8fff8, 0xb5785, 0xb57a8, 0xb5985, 0xb59b8, 0xb7a7d, 0xb7a80, 0xb7c7d,
	0xb7c98, 0xb7f14, 0xb7f18, 0xb7f25, 0xb7f80, 0xde4ed, 0xde4f8, 0xde504, 0xe7805,
	0xe7a80, 0xe8b3d, 0xe8b50, 0xe8b9c, 0xe8bdd, 0xe8c18, 0xe8c2d, 0xe8c60, 0xe8d55,
	0xe8d70, 0xe8f4c, 0xe9215, 0xe922c, 0xe9700, 0xe9804, 0xe9b00, 0xed005, 0xed1b8,
	0xed1dd, 0xed368, 0xed3ad, 0xed3b0, 0xed425, 0xed428, 0xed4dd, 0xef800, 0xf0005,
	0xf0800, 0xf0985, 0xf09b8, 0xf1575, 0xf1600, 0xf1765, 0xf1780, 0xf17fc, 0xf3f00,
	0xf4001, 0xf4685, 0xf4911, 0xf4a25, 0xf4a59, 0xf7784, 0xf8a80, 0xf8b6c, 0xf8b80,
	0xf8d6c, 0xf8f30, 0xf9304, 0x100000, 0x70000c, 0x700805,
	/* clang-format on */
};

static enum bidi bidi_class(uint32_t c)
{
	size_t low = 0, high = sizeof range / sizeof *range;

	if (c < 0x80) {
		if ((c | 0x20) >= 'a' && (c | 0x20) <= 'z')
			return BIDI_L;
		return c >= '0' && c <= '9' ? BIDI_EN : BIDI_OTHER;
	}
	while (low < high) { /* the ranges below `low` begin at or before c */
		size_t middle = low + (high - low) / 2;
		if (range[middle] >> 3 <= c)
			low = middle + 1;
		else
			high = middle;
	}
	return low ? (enum bidi)(range[low - 1] & 7) : BIDI_L;
}

int idna_is_rtl(const uint32_t *label, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		enum bidi class = bidi_class(label[i]);
		if (class == BIDI_R || class == BIDI_AN)
			return 1;
	}
	return 0;
}

int idna_keeps_bidi_rule(const uint32_t *label, size_t n)
{
	unsigned seen = 0;
	const enum bidi first = bidi_class(label[0]);
	enum bidi last = first;

	for (size_t i = 0; i < n; i++) {
		enum bidi class = bidi_class(label[i]);
		seen |= 1u << class;
		if (class != BIDI_NSM)
			last = class;
	}
	const unsigned numbers = 1u << BIDI_AN | 1u << BIDI_EN;
	if (first == BIDI_R) /* 2, 3, 4 */
		return !(seen & 1u << BIDI_L) && last != BIDI_OTHER && (seen & numbers) != numbers;
	if (first == BIDI_L) /* 5, 6 */
		return !(seen & (1u << BIDI_R | 1u << BIDI_AN)) && last != BIDI_OTHER;
	return 0; /* 1 */
}

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

static uint32_t threshold(uint32_t k, uint32_t bias)
{
	return k <= bias + T_MIN ? T_MIN : k >= bias + T_MAX ? T_MAX : k - bias;
}

static int digit(uint32_t d)
{
	return (int)(d < 26 ? 'a' + d : '0' + (d - 26));
}

static uint32_t digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return (uint32_t)(c - '0') + 26;
	c |= 0x20;
	return c >= 'a' && c <= 'z' ? (uint32_t)(c - 'a') : BASE;
}

/* Appends a delta as a variable-length integer. */
static void add_delta(struct buf *out, uint32_t delta, uint32_t bias)
{
	for (uint32_t k = BASE;; k += BASE) {
		uint32_t t = threshold(k, bias);
		if (delta < t)
			break;
		buf_byte(out, digit(t + (delta - t) % (BASE - t)));
		delta = (delta - t) / (BASE - t);
	}
	buf_byte(out, digit(delta));
}

int punycode_encode(struct buf *out, const uint32_t *point, size_t n)
{
	uint32_t delta = 0, bias = FIRST_BIAS, next = FIRST_POINT, done = 0;

	for (size_t i = 0; i < n; i++) {
		if (point[i] < FIRST_POINT) {
			buf_byte(out, (int)point[i]);
			done++;
		}
	}
	const uint32_t basic = done;
	if (basic)
		buf_byte(out, '-');
	while (done < n) {
		uint32_t least = UINT32_MAX, step;
		for (size_t i = 0; i < n; i++) {
			if (point[i] >= next && point[i] < least)
				least = point[i];
		}
		if (__builtin_mul_overflow(least - next, done + 1, &step) || __builtin_add_overflow(delta, step, &delta))
			return -1;
		next = least;
		for (size_t i = 0; i < n; i++) {
			if (point[i] < next && ++delta == 0)
				return -1;
			if (point[i] != next)
				continue;
			add_delta(out, delta, bias);
			bias = adapt(delta, done + 1, done == basic);
			delta = 0;
			done++;
		}
		delta++;
		next++;
	}
	return 0;
}

ptrdiff_t punycode_decode(const char *text, size_t n, uint32_t *point)
{
	uint32_t i = 0, bias = FIRST_BIAS, next = FIRST_POINT, count = 0;
	const char *p = text, *end = text + n;
	const char *hyphen = n ? memrchr(text, '-', n) : NULL;

	if (hyphen && hyphen > text) {
		for (; p < hyphen; p++) {
			if ((uint8_t)*p >= FIRST_POINT)
				return -1;
			point[count++] = (uint8_t)*p;
		}
		p++;
	}
	while (p < end) {
		uint32_t old = i, weight = 1;
		for (uint32_t k = BASE;; k += BASE) {
			uint32_t d = p < end ? digit_value(*p++) : BASE, step;
			uint32_t t = threshold(k, bias);
			if (d >= BASE || __builtin_mul_overflow(d, weight, &step) || __builtin_add_overflow(i, step, &i))
				return -1;
			if (d < t)
				break;
			if (__builtin_mul_overflow(weight, BASE - t, &weight))
				return -1;
		}
		bias = adapt(i - old, count + 1, old == 0);
		next += i / (count + 1);
		i %= count + 1;
		if (next > 0x10ffff || (next >= 0xd800 && next < 0xe000))
			return -1;
		memmove(point + i + 1, point + i, (count - i) * sizeof *point);
		point[i++] = next;
		count++;
	}
	return count;
}

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
