#include "base/err.h"
#include "base/ascii.h"

#include <stdio.h>
#include <string.h>

static const struct {
	int status;
	const char *text;
} table[] = {
#define ERR_ROW(name, status, text) {status, text},
	ERR_TABLE(ERR_ROW)
#undef ERR_ROW
};

size_t err_printable(const char *text)
{
	const unsigned char *p = (const unsigned char *)text;

	if (p[0] < 0x20 || p[0] == 0x7f)
		return 0;
	if (p[0] < 0x80)
		return 1;
	size_t n = p[0] >= 0xf0 && p[0] < 0xf5 ? 4 : p[0] >= 0xe0 ? 3 : p[0] >= 0xc2 ? 2 : 0;
	if (p[0] >= 0xf5)
		n = 0;
	for (size_t i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if (n == 2 && p[0] == 0xc2 && p[1] < 0xa0) /* C1 controls */
		return 0;
	if (n == 3 && ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f)))
		return 0;
	if (n == 4 && ((p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f)))
		return 0;
	/* directional overrides turn a terminal's line around */
	if (n == 3 && p[0] == 0xe2 && p[1] == 0x80 && p[2] >= 0xaa && p[2] <= 0xae)
		return 0;
	if (n == 3 && p[0] == 0xe2 && p[1] == 0x81 && p[2] >= 0xa6 && p[2] <= 0xa9)
		return 0;
	return n;
}

void err_escape(char *text)
{
	while (*text) {
		size_t n = err_printable(text);
		if (n == 0) {
			*text = '?';
			n = 1;
		}
		text += n;
	}
}

int err_set(struct err_note *why, enum err code, const char *format, ...)
{
	va_list args;

	if (!why)
		return code;
	va_start(args, format);
	ascii_format_list(why->text, sizeof why->text, format, args);
	va_end(args);
	err_escape(why->text);
	return code;
}

const char *err_text(int code)
{
	size_t i = (size_t)-code - 1;

	if (code == 0)
		return "no error";
	return code < 0 && i < sizeof table / sizeof *table ? table[i].text : "unknown error";
}

int err_status(int code)
{
	size_t i = (size_t)-code - 1;

	if (code == 0)
		return 0;
	return code < 0 && i < sizeof table / sizeof *table ? table[i].status : 1;
}
