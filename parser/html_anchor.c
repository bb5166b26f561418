#include "parser/html_anchor.h"

#include <string.h>

/* Appends the text before a tag, and a blank. If the text contains a comment or other markup, only the part before that is
 * appended. */
static void add(struct buf *raw, const char *at, const char *end)
{
	const char *p = at;

	while (p < end && !(p[0] == '<' && p + 1 < end && strchr("!?/", p[1])))
		p++;
	if (at < p)
		buf_add(raw, at, (size_t)(p - at));
	buf_byte(raw, ' ');
}

void html_anchor_read(const struct html_tokens *tokens, struct buf *raw)
{
	struct html_tokens t = *tokens;
	const char *from = t.at;
	struct html_text name;
	enum html_tag_kind kind;

	buf_clear(raw);
	if (t.end - t.at > HTML_ANCHOR_LOOK)
		t.end = t.at + HTML_ANCHOR_LOOK;
	while ((kind = html_next_tag(&t, &name)) != HTML_END_OF_FILE) {
		add(raw, from, name.at - (kind == HTML_END_TAG ? 2 : 1));
		if (html_is_name(name.at, name.n, "a"))
			return;
		if (html_skip_attributes(&t) < 0)
			return;
		if (kind == HTML_START_TAG && html_is_name(name.at, name.n, "script"))
			html_skip_script(&t);
		else if (kind == HTML_START_TAG && html_is_name(name.at, name.n, "style"))
			html_skip_raw_text(&t, "style");
		from = t.at;
	}
	add(raw, from, t.end);
}
