/* Whether a page is about the topic of a focused crawl (--accept-text): whether a line of what a reader sees matches a regular
 * expression.
 *
 *     if (!page_topic_matches(regex, title, body, n, content_type)) ... its links are not followed */
#ifndef FETCH_PAGE_TOPIC_H
#define FETCH_PAGE_TOPIC_H

#include <regex.h>
#include <stddef.h>

#define PAGE_TOPIC_MAX_LINE 4096         /* bytes that are matched at once; a longer line is cut at a blank */
#define PAGE_TOPIC_MAX_TEXT (256 * 1024) /* bytes of text that are looked at */

/* Says whether the title or a line of the visible text (parser/html_text.h) of an HTML document of n bytes matches. The bounds
 * above bound the time. Any thread may call. */
int page_topic_matches(const regex_t *, const char *title, const char *body, size_t n, const char *content_type);

#endif
