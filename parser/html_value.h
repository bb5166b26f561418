/* What an attribute's value means: its bytes decoded, its character references resolved
 * (HTML 13.2.5.72 to 84, as within an attribute). */
#ifndef PARSER_HTML_VALUE_H
#define PARSER_HTML_VALUE_H

#include "parser/decode.h"
#include "parser/html_token.h"

struct html_values {
	struct decoder decoder;
	int is_utf8;
	struct buf decoded, text; /* used where the document's bytes will not do */
};

void html_values_init(struct html_values *v, const char *encoding);
void html_values_release(struct html_values *v);

/* Values from now on are in another encoding. */
void html_values_change(struct html_values *v, const char *encoding);

/* The value as UTF-8 (of a document in UTF-8 malformed bytes stay as they are): the document's own
 * bytes where they are clean, else the struct's until the next call. */
struct html_text html_value(struct html_values *v, struct html_text written);

#endif
