#include "parser/html_meta.h"
#include "base/ascii.h"
#include "parser/html.h"

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
		if (html_is_among(word.at, word.n, "noindex none"))
			robots |= HTML_NOINDEX;
		if (html_is_among(word.at, word.n, "nofollow none"))
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
