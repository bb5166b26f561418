#include "fetch/page_topic.h"
#include "base/buf.h"
#include "parser/html_text.h"
#include "parser/match.h"

#include <string.h>

/* Returns how many bytes of a line are matched at once. */
static size_t piece(const char *line, size_t n)
{
	const char *blank = n > PAGE_TOPIC_MAX_LINE ? memrchr(line, ' ', PAGE_TOPIC_MAX_LINE) : NULL;

	if (n <= PAGE_TOPIC_MAX_LINE)
		return n;
	return blank && blank > line ? (size_t)(blank - line) : PAGE_TOPIC_MAX_LINE;
}

static int line_matches(const regex_t *r, const char *line, size_t n)
{
	char text[PAGE_TOPIC_MAX_LINE + 1];

	while (n) {
		const size_t m = piece(line, n);
		memcpy(text, line, m);
		text[m] = 0;
		if (match_regex(r, text))
			return 1;
		line += m;
		n -= m;
	}
	return 0;
}

int page_topic_matches(const regex_t *r, const char *title, const char *body, size_t n, const char *content_type)
{
	struct buf text = BUF_EMPTY;
	int found = line_matches(r, title, strlen(title));

	if (found || !n)
		return found;
	html_text_read(body, n, content_type, &text);
	const size_t most = text.used < PAGE_TOPIC_MAX_TEXT ? text.used : PAGE_TOPIC_MAX_TEXT;
	for (size_t at = 0, end; !found && at < most; at = end + 1) {
		const char *feed = memchr(text.at + at, '\n', most - at);
		end = feed ? (size_t)(feed - text.at) : most;
		found = line_matches(r, text.at + at, end - at);
	}
	buf_release(&text);
	return found;
}
