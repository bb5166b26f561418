/* References of a document that were met before, as written: sidebars and footers repeat theirs, and
 * to resolve each once is enough for whom only the distinct ones count. */
#ifndef PARSER_HTML_SEEN_H
#define PARSER_HTML_SEEN_H

#include "parser/html_token.h"

#include <stdint.h>

#define HTML_SEEN_SLOTS 512

struct html_seen_slot {
	const char *at; /* the document's; NULL: free */
	uint32_t n, flags;
};

/* Zeroed, it has seen nothing. A later reference takes the slot of an earlier one with the same
 * hash, so that what is forgotten is at worst met again. */
struct html_seen {
	struct html_seen_slot slot[HTML_SEEN_SLOTS];
};

/* Whether this reference was met with these flags, as far as is remembered; it is now. */
int html_seen(struct html_seen *s, struct html_text reference, unsigned flags);

/* Forgets all: the same text may mean something else now. */
void html_seen_forget(struct html_seen *s);

#endif
