#include "fetch/score_line.h"
#include "base/base64.h"
#include "base/err.h"
#include "base/mem.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static json_t *text_or_null(const char *text)
{
	if (!text)
		return json_null();
	json_t *value = json_string(text);
	if (!value) {
		char *copy = mem_text(text);
		err_escape(copy);
		value = json_string(copy);
		free(copy);
	}
	return value;
}

void score_line_add(struct buf *out, const struct score_page *p)
{
	json_t *line = json_object();

	json_object_set_new(line, "url", text_or_null(p->url));
	json_object_set_new(line, "status", json_integer((json_int_t)p->status));
	json_object_set_new(line, "type", text_or_null(p->type));
	char *text = json_dumps(line, JSON_COMPACT | JSON_ENSURE_ASCII);
	json_decref(line);
	if (!text)
		mem_exhausted();
	buf_add(out, text, strlen(text) - 1); /* without the brace, since the body is no affair of jansson's */
	buf_text(out, ",\"body\":\"");
	base64_add(out, p->body, p->n);
	buf_text(out, "\"}\n");
	free(text);
}
