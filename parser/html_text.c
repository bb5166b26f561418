#include "parser/html_text.h"
#include "parser/decode.h"
#include "parser/html_encoding.h"
#include "parser/html_token.h"

#include <libxml/HTMLparser.h>
#include <string.h>

/* Elements without text for a reader, and elements that begin and end a line. */
static const char unseen[] = "head iframe math noscript object script style svg template";
static const char blocks[] = "address article aside blockquote body br caption dd details dialog div dl dt "
			     "fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol "
			     "option p pre section select summary table td textarea th tr ul";

struct writer {
	struct buf *text;
	size_t start; /* of the text in the buffer */
	int blank;    /* white space came since the last word */
};

static void end_line(struct writer *w)
{
	w->blank = 0;
	if (w->text->used > w->start && w->text->at[w->text->used - 1] != '\n')
		buf_byte(w->text, '\n');
}

/* Returns the bytes of the control character (C0, DEL or C1) with which a text in UTF-8 begins; 0: it begins with another. */
static size_t control_bytes(const char *text)
{
	const unsigned char first = (unsigned char)text[0], second = first ? (unsigned char)text[1] : 0;

	if (first == 0xc2 && second >= 0x80 && second < 0xa0)
		return 2;
	return first < 0x20 || first == 0x7f;
}

static void add(struct writer *w, const char *text)
{
	for (; text && *text; text++) {
		if (strchr(" \t\n\r\f", *text)) {
			w->blank = 1;
			continue;
		}
		const size_t control = control_bytes(text);
		if (control) {
			text += control - 1;
			continue;
		}
		if (w->blank && w->text->used > w->start && w->text->at[w->text->used - 1] != '\n')
			buf_byte(w->text, ' ');
		w->blank = 0;
		buf_byte(w->text, *text);
	}
}

static int is_among(const xmlNode *node, const char *names)
{
	const char *name = (const char *)node->name;

	return html_is_among(name, strlen(name), names);
}

static int is_unseen(const xmlNode *node)
{
	return is_among(node, unseen) || xmlHasProp(node, (const xmlChar *)"hidden");
}

/* Returns the node after `node` and its descendants in the document; ends the line at the end of each block between them. */
static const xmlNode *next(struct writer *w, const xmlNode *node)
{
	for (; node; node = node->parent) {
		if (node->type == XML_ELEMENT_NODE && is_among(node, blocks))
			end_line(w);
		if (node->next)
			return node->next;
	}
	return NULL;
}

static void write_tree(struct writer *w, const xmlNode *node)
{
	while (node) {
		const int is_element = node->type == XML_ELEMENT_NODE;
		if (node->type == XML_TEXT_NODE)
			add(w, (const char *)node->content);
		if (is_element && is_among(node, blocks))
			end_line(w);
		node = is_element && node->children && !is_unseen(node) ? node->children : next(w, node);
	}
	end_line(w);
}

void html_text_read(const char *bytes, size_t n, const char *content_type, struct buf *text)
{
	const struct html_encoding encoding = html_encoding_find(bytes, n, content_type);
	struct writer w = {.text = text, .start = text->used};
	struct buf utf8 = BUF_EMPTY;
	struct decoder decoder;

	if (n > HTML_TEXT_MOST)
		n = HTML_TEXT_MOST;
	decoder_init(&decoder, encoding.name);
	if (n > encoding.mark)
		decode(&decoder, bytes + encoding.mark, n - encoding.mark, &utf8);
	decoder_release(&decoder);
	htmlDocPtr document = utf8.used == 0
		? NULL
		: htmlReadMemory(utf8.at, (int)utf8.used, NULL, "UTF-8",
			  HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING | HTML_PARSE_NONET);
	if (document) {
		write_tree(&w, xmlDocGetRootElement(document));
		xmlFreeDoc(document);
	}
	buf_release(&utf8);
}
