/* A memory of the references that a document has contained so far, byte for byte as written. Menus
 * and footers repeat their references; a caller that needs only the distinct links resolves each
 * reference once. */
#ifndef PARSER_HTML_SEEN_H
#define PARSER_HTML_SEEN_H

#include "parser/html_token.h"

#include <stdint.h>

#define HTML_SEEN_SLOTS 512

struct html_seen_slot {
	const char *at; /* points into the document; NULL for a free slot */
	uint32_t n, flags;
};

/* The memory, which is empty when zeroed. A later reference replaces an earlier reference with the
 * same hash; at worst, the replaced reference is taken for a new one when it occurs again. */
struct html_seen {
	struct html_seen_slot slot[HTML_SEEN_SLOTS];
};

/* Says whether the memory contains this reference with these flags, and stores them if not. */
int html_seen(struct html_seen *s, struct html_text reference, unsigned flags);

/* Empties the memory, for when the same bytes may mean another reference (the encoding changed). */
void html_seen_forget(struct html_seen *s);

#endif
