/* The tags of an HTML document, as the standard's tokenizer finds them (HTML 13.2.5).
 *
 * Only tags are handed out; text, comments, doctypes and the contents of raw text elements are
 * passed over. The tokenizer is told what the standard's tree construction tells it: when raw text
 * begins, and whether CDATA sections exist. It works on bytes, for any encoding in which no byte
 * below 0x40 is part of another character; names and values lie in the document, unchanged. */
#ifndef PARSER_HTML_TOKEN_H
#define PARSER_HTML_TOKEN_H

#include <stddef.h>
#include <stdint.h>

struct html_tokens {
	const char *at, *end; /* what is still to be read */
	int self_closing;     /* of the last tag whose attributes were read to their end */
	int cdata;            /* set by the user: "<![CDATA[" is one here */
	int blank;            /* all text so far was white space, NULs; not kept up once cleared */
};

/* What a byte is between '<' and '>'. */
enum html_class {
	HTML_SPACE = 1,
	HTML_SLASH = 2,
	HTML_EQUALS = 4,
	HTML_CLOSE = 8,
	HTML_ALPHA = 16
};
extern const uint8_t html_class[256];

static inline int html_is(char c, int classes)
{
	return html_class[(uint8_t)c] & classes;
}

/* Whether n bytes are, but for their case, a lower-case name. */
int html_is_name(const char *text, size_t n, const char *name);

/* Whether they are, but for their case, a word of `words` (lower case, a blank between two). */
int html_is_among(const char *text, size_t n, const char *words);

/* The n bytes of `name`, and of `value`, lie in the document. */
struct html_text {
	const char *at;
	size_t n;
};

void html_tokens_init(struct html_tokens *t, const char *bytes, size_t n);

enum html_tag_kind { HTML_END_OF_FILE, HTML_START_TAG, HTML_END_TAG };

/* The next tag; its attributes are to be read, or skipped, next. */
enum html_tag_kind html_next_tag(struct html_tokens *t, struct html_text *name);

/* The next attribute of the tag. Returns 1; 0 at the tag's end; -1 where the document ends within
 * the tag, which then is none. `value` is as written; its `at` is never NULL. */
int html_next_attribute(struct html_tokens *t, struct html_text *name, struct html_text *value);

/* Passes over all of them: 0 or -1 likewise. The second is the first's, for when there are some. */
static inline int html_skip_attributes(struct html_tokens *t);
int html_skip_some_attributes(struct html_tokens *t);

/* The text of an element follows that only its own end tag (of that lower-case name) ends: goes
 * there, or to the document's end. The second for scripts, which may hold comments that hold
 * scripts. */
void html_skip_raw_text(struct html_tokens *t, const char *name);
void html_skip_script(struct html_tokens *t);

static inline int html_skip_attributes(struct html_tokens *t)
{
	if (t->at == t->end || *t->at != '>')
		return html_skip_some_attributes(t);
	t->self_closing = 0;
	t->at++;
	return 0;
}

#endif
