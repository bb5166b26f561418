#include "parser/punycode.h"

#include <string.h>

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
