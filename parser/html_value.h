/* Converts the value of an attribute, as the document has it, to UTF-8: decodes its bytes and resolves
 * its character references (HTML 13.2.5.72 to 84, by the rules for attributes).
 *
 *	html_values_init(&v, "windows-1252");
 *	value = html_value(&v, written);                     "a&amp;b" becomes "a&b"
 *	html_values_release(&v); */
#ifndef PARSER_HTML_VALUE_H
#define PARSER_HTML_VALUE_H

#include "parser/decode.h"
#include "parser/html_token.h"

#include <stddef.h>
#include <stdint.h>

struct html_values {
	struct decoder decoder;
	int is_utf8;
	struct buf decoded, text; /* scratch memory for values that differ from the document's bytes */
};

/* Prepares for values of a document in this encoding, which is a name from encoding_name(). */
void html_values_init(struct html_values *v, const char *encoding);

/* Frees the memory. */
void html_values_release(struct html_values *v);

/* Changes the encoding of all later values, for a document whose meta element declares it late. */
void html_values_change(struct html_values *v, const char *encoding);

/* Returns the value `written` in UTF-8. The result points to the document's own bytes if nothing had
 * to be converted, and else to memory of *v that is valid until the next call. Malformed bytes become
 * U+FFFD, but in a document that is declared as UTF-8 they stay as they are. */
struct html_text html_value(struct html_values *v, struct html_text written);

/* The named character references of HTML (13.5): "&amp;", "&eacute;" ... */

enum entity_kind {
	ENTITY_NONE,  /* no reference has this name */
	ENTITY_FOUND, /* the reference needs its semicolon */
	ENTITY_LEGACY /* the reference is also valid without its semicolon */
};

/* Looks up a name of n bytes, without '&' and ';'; case matters. Unless the result is ENTITY_NONE,
 * code[0] is the reference's code point, and code[1] its second one or 0. Any thread may call. */
enum entity_kind entity_find(const char *name, size_t n, uint32_t code[2]);

#endif
