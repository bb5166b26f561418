#include "base/num.h"
#include "base/ascii.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads the decimal number at the beginning of a text; hexadecimal numbers, inf, nan and leading blanks are none. Returns 0 or
 * -1. */
static int leading_real(const char *text, double *out, const char **end)
{
	const char *p = text + (*text == '-' || *text == '+');
	char *stop;

	if (!ascii_is_digit(p[0]) && !(p[0] == '.' && ascii_is_digit(p[1])))
		return -1;
	if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X'))
		return -1;
	double v = ascii_real(text, &stop);
	if (!isfinite(v))
		return -1;
	*out = v;
	*end = stop;
	return 0;
}

int num_real(const char *text, double *out)
{
	const char *end;
	double v;

	if (leading_real(text, &v, &end) || *end)
		return -1;
	*out = v;
	return 0;
}

int num_count(const char *text, uint64_t max, uint64_t *out)
{
	uint64_t v = 0;

	if (!*text)
		return -1;
	for (; *text; text++) {
		if (!ascii_is_digit(*text) || __builtin_mul_overflow(v, 10u, &v) ||
			__builtin_add_overflow(v, (uint64_t)(*text - '0'), &v))
			return -1;
	}
	if (v > max)
		return -1;
	*out = v;
	return 0;
}

int num_bytes(const char *text, uint64_t *out)
{
	static const char units[] = "KMGT";
	const char *end;
	double v;

	if (leading_real(text, &v, &end) || v < 0)
		return -1;
	if (*end) {
		const char *unit = strchr(units, ascii_upper(*end));
		if (!unit || (end[1] && strcmp(end + 1, "iB") != 0 && strcmp(end + 1, "B") != 0))
			return -1;
		v = ldexp(v, 10 * (int)(unit - units + 1));
	}
	if (v >= 0x1p63)
		return -1;
	*out = (uint64_t)v;
	return 0;
}

int num_scaled(const char *text, uint64_t *out)
{
	static const char units[] = "kMG";
	const char *end;
	double v;

	if (num_count(text, UINT64_MAX, out) == 0)
		return 0;
	if (leading_real(text, &v, &end) || v < 0 || !*end || end[1])
		return -1;
	const char *unit = strchr(units, *end == 'K' ? 'k' : *end);
	if (!unit)
		return -1;
	for (const char *u = units; u <= unit; u++)
		v *= 1000;
	const double whole = nearbyint(v);
	if (whole >= 0x1p53 || fabs(v - whole) > 1e-6 * v)
		return -1;
	*out = (uint64_t)whole;
	return 0;
}

/* Parses a number with a unit, such as "30m", moves *text behind it, and returns the time in ms; a negative value if there is
 * none. */
static double leading_time(const char **text)
{
	static const struct {
		const char *name;
		double ms;
	} unit[] = {{"s", 1000}, {"ms", 1}, {"m", 60e3}, {"h", 3600e3}, {"d", 86400e3}};
	const char *end;
	double v;

	if (leading_real(*text, &v, &end) || v < 0)
		return -1;
	const size_t n = strspn(end, "smhd");
	*text = end + n;
	for (size_t i = 0; n && i < sizeof unit / sizeof *unit; i++)
		if (strlen(unit[i].name) == n && strncmp(end, unit[i].name, n) == 0)
			return v * unit[i].ms;
	return -1;
}

int num_time(const char *text, int64_t *out)
{
	double ms = 0, part;

	if (!*text)
		return -1;
	if (num_real(text, &part) == 0) {
		if (part < 0)
			return -1;
		ms = part * 1000;
		text = "";
	}
	for (; *text; ms += part) {
		part = leading_time(&text);
		if (part < 0 || (*text && !ascii_is_digit(*text)))
			return -1;
	}
	if (ms >= 0x1p53)
		return -1;
	/* rounded up, except for the rounding error of the multiplication: 2.007 s are 2007 ms */
	const double near = nearbyint(ms);
	*out = (int64_t)(fabs(ms - near) < 1e-6 ? near : ceil(ms));
	return 0;
}

char *fingerprint_text(uint64_t fingerprint, char text[FINGERPRINT_ROOM])
{
	static const char digits[] = "0123456789abcdef";

	for (int i = FINGERPRINT_ROOM - 2; i >= 0; i--, fingerprint >>= 4)
		text[i] = digits[fingerprint & 15];
	text[FINGERPRINT_ROOM - 1] = 0;
	return text;
}
