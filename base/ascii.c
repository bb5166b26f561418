#include "base/ascii.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

int ascii_same(const char *a, const char *b, size_t n)
{
	for (; n; n--, a++, b++) {
		if (ascii_lower(*a) != ascii_lower(*b))
			return 0;
		if (!*a)
			return 1;
	}
	return 1;
}

int ascii_is_among(const char *text, size_t n, const char *words)
{
	while (*words) {
		size_t i = 0;
		while (i < n && words[i] > ' ' && ascii_lower(words[i]) == ascii_lower(text[i]))
			i++;
		if (i == n && words[i] <= ' ')
			return 1;
		for (words += i; *words && *words++ != ' ';)
			continue;
	}
	return 0;
}

int ascii_order(const char *a, const char *b)
{
	while (*a && ascii_lower(*a) == ascii_lower(*b))
		a++, b++;
	return (unsigned char)ascii_lower(*a) - (unsigned char)ascii_lower(*b);
}

const char *ascii_find(const char *text, const char *part)
{
	const size_t n = strlen(part);

	for (; !ascii_same(text, part, n); text++)
		if (!*text)
			return NULL;
	return text;
}

/* The calling thread's locale becomes C's. (The GNU C library makes nothing for it: the locale is a constant.) Returns the
 * thread's own, for leave(). */
static locale_t enter(void)
{
	return uselocale(newlocale(LC_ALL_MASK, "C", (locale_t)0));
}

static void leave(locale_t own)
{
	freelocale(uselocale(own));
}

double ascii_real(const char *text, char **end)
{
	const locale_t own = enter();
	const double x = strtod(text, end);

	leave(own);
	return x;
}

int ascii_format_list(char *to, size_t room, const char *format, va_list args)
{
	const locale_t own = enter();
	const int n = vsnprintf(to, room, format, args);

	leave(own);
	return n;
}

int ascii_format(char *to, size_t room, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	const int n = ascii_format_list(to, room, format, args);
	va_end(args);
	return n;
}

int ascii_print(FILE *out, const char *format, ...)
{
	const locale_t own = enter();
	va_list args;

	va_start(args, format);
	const int n = vfprintf(out, format, args);
	va_end(args);
	leave(own);
	return n;
}

const char *ascii_error(int code)
{
	return strerror_l(code, newlocale(LC_ALL_MASK, "C", (locale_t)0));
}

int ascii_regex(regex_t *r, const char *text, int flags)
{
	const locale_t own = enter();
	const int code = regcomp(r, text, flags);

	leave(own);
	return code;
}
