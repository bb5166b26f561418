/* Text as data: letters compared without regard to case, numbers read and written, in the same way whatever
 * the locale of the process is. lycosa is also a library, and a process may have a locale in which 'I' is not
 * the capital of 'i', or 2.5 is written 2,5. The C library's functions that heed the locale are therefore
 * called nowhere but in ascii.c (build-aux/floors.sh looks).
 *
 *	if (ascii_same(line, "crawl-delay", 11))
 *		delay = ascii_real(value, &end);
 *
 * Only the 26 letters of ASCII have a case; all other bytes are compared as they are. */
#ifndef BASE_ASCII_H
#define BASE_ASCII_H

#include <regex.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

static inline char ascii_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

static inline char ascii_upper(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c & ~0x20) : c;
}

static inline int ascii_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline int ascii_is_letter(char c)
{
	return ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z';
}

static inline int ascii_is_alnum(char c)
{
	return ascii_is_digit(c) || ascii_is_letter(c);
}

static inline int ascii_is_hex(char c)
{
	return ascii_is_digit(c) || (ascii_lower(c) >= 'a' && ascii_lower(c) <= 'f');
}

/* Returns the value of a hexadecimal digit, or -1 for any other byte. */
static inline int ascii_hex(char c)
{
	return ascii_is_digit(c) ? c - '0' : ascii_is_hex(c) ? ascii_lower(c) - 'a' + 10 : -1;
}

/* Says whether a byte is a space, a tabulator, or the end of a line or page. */
static inline int ascii_is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Says whether the first n bytes of two texts are the same but for case. A text ends at its NUL, and nothing is read
 * behind the first difference. */
int ascii_same(const char *a, const char *b, size_t n);

/* Says whether a text of n bytes is one of the words of a string, which has blanks between them, without regard to case. */
int ascii_is_among(const char *text, size_t n, const char *words);

/* The order of two strings without regard to case: less than, equal to, or greater than 0. */
int ascii_order(const char *a, const char *b);

/* Returns the first place of `part` in a string without regard to case, or NULL. */
const char *ascii_find(const char *text, const char *part);

/* Reads a number as strtod() does, with a decimal point. */
double ascii_real(const char *text, char **end);

/* Write as snprintf(), vsnprintf() and fprintf() do; numbers have a decimal point. */
int ascii_format(char *to, size_t room, const char *format, ...) __attribute__((format(printf, 3, 4)));
int ascii_format_list(char *to, size_t room, const char *format, va_list) __attribute__((format(printf, 3, 0)));
int ascii_print(FILE *, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns the text of an error number in English, such as "No such file or directory", in static memory or the thread's
 * until its next call. */
const char *ascii_error(int code);

/* Compiles a regular expression as regcomp() does; it matches bytes, and [a-z] are the letters of ASCII. */
int ascii_regex(regex_t *, const char *text, int flags);

#endif
