#include "parser/html_meta.h"
#include "base/ascii.h"
#include "base/outcome.h"
#include "parser/html.h"
#include "parser/html_token.h"
#include "parser/utf8.h"

#include <string.h>

static const char *skip_space(const char *p, const char *end)
{
	while (p < end && html_is(*p, HTML_SPACE))
		p++;
	return p;
}

/* Returns the reference after the time of a refresh: "url=x", with or without quotes, or x without "url=". */
static struct html_text read_url(const char *p, const char *end)
{
	static const char word[] = "url";
	struct html_text url = {p, (size_t)(end - p)};

	if ((*p | 0x20) == 'u') {
		if (end - p < 3 || !html_is_name(p, 3, word))
			return url;
		p = skip_space(p + 3, end);
		if (p == end || *p != '=')
			return url;
		p = skip_space(p + 1, end);
	}
	const char *close = NULL;
	if (p < end && (*p == '"' || *p == '\'')) {
		close = memchr(p + 1, *p, (size_t)(end - p - 1));
		p++;
	}
	return (struct html_text){p, (size_t)((close ? close : end) - p)};
}

int html_meta_refresh(struct html_text content, double *seconds, struct html_text *url)
{
	const char *p = content.at, *end = p + content.n, *start;
	double time = 0;

	*url = (struct html_text){NULL, 0};
	start = p = skip_space(p, end);
	for (; p < end && ascii_is_digit(*p); p++)
		if (time < 1e15)
			time = time * 10 + (*p - '0');
	if (p == start && (p == end || *p != '.'))
		return 0;
	while (p < end && (ascii_is_digit(*p) || *p == '.'))
		p++;
	*seconds = time;
	if (p == end)
		return 1;
	if (*p != ';' && *p != ',' && !html_is(*p, HTML_SPACE))
		return 0;
	p = skip_space(p, end);
	if (p < end && (*p == ';' || *p == ','))
		p = skip_space(p + 1, end);
	if (p < end)
		*url = read_url(p, end);
	return 1;
}

/* Splits off the first run of bytes that are neither white space nor commas. */
static int next_word(struct html_text *words, struct html_text *word)
{
	const char *p = words->at, *end = p + words->n, *start;

	while (p < end && (html_is(*p, HTML_SPACE) || *p == ','))
		p++;
	for (start = p; p < end && !html_is(*p, HTML_SPACE) && *p != ',';)
		p++;
	*word = (struct html_text){start, (size_t)(p - start)};
	*words = (struct html_text){p, (size_t)(end - p)};
	return word->n > 0;
}

unsigned html_meta_robots(struct html_text content)
{
	struct html_text word;
	unsigned robots = 0;

	while (next_word(&content, &word)) {
		if (ascii_is_among(word.at, word.n, "noindex none"))
			robots |= HTML_NOINDEX;
		if (ascii_is_among(word.at, word.n, "nofollow none"))
			robots |= HTML_NOFOLLOW;
	}
	return robots;
}

int html_has_word(struct html_text words, const char *word)
{
	struct html_text next;

	while (next_word(&words, &next))
		if (html_is_name(next.at, next.n, word))
			return 1;
	return 0;
}

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
