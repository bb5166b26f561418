#include "parser/html_about.h"
#include "parser/utf8.h"

#include <string.h>

/* Controls and what only directs the display of other text: C0, DEL, C1, and bidirectional overrides, with which one
 * title could change how its neighbours in a list are shown. */
static int is_control(uint32_t c)
{
	return c < 0x20 || (c >= 0x7f && c < 0xa0) || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

static int is_blank(uint32_t c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r' || c == 0xa0 || c == 0x2028 || c == 0x2029;
}

void html_line(struct html_text text, char *line, size_t room)
{
	const char *at = text.at, *end = at + text.n;
	size_t n = 0;
	int blank = 0;

	while (at < end) {
		char bytes[5] = " ";
		uint32_t c = utf8_read(&at, end);
		if (is_blank(c)) {
			blank = n > 0;
			continue;
		}
		if (is_control(c))
			continue;
		const size_t before = blank ? 1 : 0;
		const size_t m = before + utf8_write(bytes + before, c == UTF8_MALFORMED ? UTF8_REPLACEMENT : c);
		if (n + m >= room)
			break;
		memcpy(line + n, bytes, m);
		n += m;
		blank = 0;
	}
	line[n] = 0;
}

void html_title(struct html_text text, char title[ABOUT_TITLE])
{
	html_line(text, title, ABOUT_TITLE);
}

static int is_tag_byte(char c)
{
	return (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') || c == '-';
}

void html_language(struct html_text text, char language[ABOUT_LANGUAGE])
{
	while (text.n && is_blank((uint8_t)*text.at)) {
		text.at++;
		text.n--;
	}
	while (text.n && is_blank((uint8_t)text.at[text.n - 1]))
		text.n--;
	if (text.n == 0 || text.n >= ABOUT_LANGUAGE)
		return;
	for (size_t i = 0; i < text.n; i++)
		if (!is_tag_byte(text.at[i]))
			return;
	memcpy(language, text.at, text.n);
	language[text.n] = 0;
}
