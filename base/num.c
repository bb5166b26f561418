#include "base/num.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The number a text begins with, written in decimal only (no hexadecimal, inf, nan, blanks). */
static int leading_real(const char *text, double *out, const char **end)
{
	const char *p = text + (*text == '-' || *text == '+');
	char *stop;

	if (!isdigit((unsigned char)p[0]) && !(p[0] == '.' && isdigit((unsigned char)p[1])))
		return -1;
	if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X'))
		return -1;
	double v = strtod(text, &stop);
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
		if (!isdigit((unsigned char)*text) || __builtin_mul_overflow(v, 10u, &v) ||
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
		const char *unit = strchr(units, toupper((unsigned char)*end));
		if (!unit || (end[1] && strcmp(end + 1, "iB") != 0 && strcmp(end + 1, "B") != 0))
			return -1;
		v = ldexp(v, 10 * (int)(unit - units + 1));
	}
	if (v >= 0x1p63)
		return -1;
	*out = (uint64_t)v;
	return 0;
}

int num_time(const char *text, int64_t *out)
{
	static const struct {
		const char *name;
		double ms;
	} unit[] = {{"", 1000}, {"s", 1000}, {"ms", 1}, {"m", 60e3}, {"h", 3600e3}, {"d", 86400e3}};
	const char *end;
	double v;

	if (leading_real(text, &v, &end) || v < 0)
		return -1;
	for (size_t i = 0; i < sizeof unit / sizeof *unit; i++) {
		if (strcmp(end, unit[i].name) == 0 && v * unit[i].ms < 0x1p53) {
			*out = (int64_t)ceil(v * unit[i].ms);
			return 0;
		}
	}
	return -1;
}
