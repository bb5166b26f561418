/* The tokenizer: finds the tags of an HTML document as the standard's tokenizer does (HTML
 * 13.2.5).
 *
 * The tokenizer returns only tags; it skips text, comments, doctypes and the contents of raw text
 * elements. The caller tells it the facts that the standard's tree construction would tell: when
 * raw text begins, and whether CDATA sections exist. It works on bytes, in any encoding in which
 * no byte below 0x40 is part of another character. Names and values are unchanged bytes of the
 * document. */
#ifndef PARSER_HTML_TOKEN_H
#define PARSER_HTML_TOKEN_H

#include <stddef.h>
#include <stdint.h>

struct html_tokens {
	const char *at, *end; /* the rest of the document, which is still to be read */
	int self_closing;     /* whether the last tag with fully read attributes ended in "/>" */
	int cdata;            /* set by the caller: "<![CDATA[" begins a CDATA section here */
	int blank;            /* all text so far was white space or NULs; 0 is for good */
};

/* The classes of a byte between '<' and '>'. */
enum html_class { HTML_SPACE = 1, HTML_SLASH = 2, HTML_EQUALS = 4, HTML_CLOSE = 8, HTML_ALPHA = 16 };
extern const uint8_t html_class[256];

static inline int html_is(char c, int classes)
{
	return html_class[(uint8_t)c] & classes;
}

/* Says whether n bytes equal `name`, which is in lower case, without regard to case. */
int html_is_name(const char *text, size_t n, const char *name);

/* A name or a value: n bytes within the document. */
struct html_text {
	const char *at;
	size_t n;
};

/* Starts at the first of n bytes. */
void html_tokens_init(struct html_tokens *t, const char *bytes, size_t n);

enum html_tag_kind { HTML_END_OF_FILE, HTML_START_TAG, HTML_END_TAG };

/* Finds the next tag. The caller must then read or skip the attributes of the tag. */
enum html_tag_kind html_next_tag(struct html_tokens *t, struct html_text *name);

/* Finds the next text in a part of the document that has no tags, which is all of *t: what is no comment and no other markup.
 * Returns 1, or 0 if there is no more. `text` is as written, and may be only the first part of what stands there. */
int html_next_text(struct html_tokens *t, struct html_text *text);

/* Reads the next attribute of the tag. Returns 1, or 0 at the end of the tag, or -1 if the
 * document ends within the tag; such a tag does not count. `value` is as written; value->at is
 * never NULL. */
int html_next_attribute(struct html_tokens *t, struct html_text *name, struct html_text *value);

/* The attributes that mean something to a reader of this folder, by the lengths of their names. */
/* clang-format off */
#define HTML_ATTRIBUTE_TABLE(ROW) \
	ROW(AS, "as") ROW(REL, "rel") ROW(SRC, "src") ROW(DATA, "data") ROW(HREF, "href") ROW(LANG, "lang") ROW(NAME, "name") \
	ROW(TYPE, "type") ROW(STYLE, "style") ROW(HIDDEN, "hidden") ROW(POSTER, "poster") ROW(SRCDOC, "srcdoc") ROW(SRCSET, "srcset") \
	ROW(CHARSET, "charset") ROW(CONTENT, "content") ROW(DATA_SRC, "data-src") ROW(HREFLANG, "hreflang") \
	ROW(BACKGROUND, "background") ROW(HTTP_EQUIV, "http-equiv") ROW(XLINK_HREF, "xlink:href") ROW(DATA_SRCSET, "data-srcset") \
	ROW(IMAGESRCSET, "imagesrcset")
/* clang-format on */
enum html_attribute {
#define HTML_ATTRIBUTE_ENUM(id, name) HTML_##id,
	HTML_ATTRIBUTE_TABLE(HTML_ATTRIBUTE_ENUM)
#undef HTML_ATTRIBUTE_ENUM
		HTML_ATTRIBUTES
};

/* The attributes of a tag by their names: the first of each as written; value[i].at is NULL for one that is not there. */
struct html_attributes {
	struct html_text value[HTML_ATTRIBUTES];
};

/* Reads all attributes of the tag. Returns 0, or -1 if the document ends within the tag. */
int html_attributes_read(struct html_attributes *, struct html_tokens *);

/* Skips all attributes of the tag. Returns 0, or -1 if the document ends within the tag. */
static inline int html_skip_attributes(struct html_tokens *t);

/* Skips the attributes of a tag that has some; only html_skip_attributes() calls this function. */
int html_skip_some_attributes(struct html_tokens *t);

/* Skips the raw text of an element, which only the element's own end tag ends, and stops at this
 * end tag or at the end of the document. `name` is the element's name in lower case. */
void html_skip_raw_text(struct html_tokens *t, const char *name);

/* Skips the raw text of a script, which may contain comments that contain scripts, and stops at the
 * script's end tag or at the end of the document. */
void html_skip_script(struct html_tokens *t);

/* Skips the text behind the start tag of an element of this name, if such text is no markup (script, style, title ...), and
 * stops at the element's end tag or at the end of the document. */
void html_skip_text(struct html_tokens *t, struct html_text tag);

static inline int html_skip_attributes(struct html_tokens *t)
{
	if (t->at == t->end || *t->at != '>')
		return html_skip_some_attributes(t);
	t->self_closing = 0;
	t->at++;
	return 0;
}

/* Says quickly of most documents that they have no base element, so that html_read() need not look for one.
 *
 *	if (html_may_have_base(bytes, n))
 *		... read all tags, until the first base element with an href */

/* Returns 1 if "<base" stands in n bytes, in letters of either case; may also return 1 if it does not. */
int html_may_have_base(const char *bytes, size_t n);

#endif
