/* What of the standard's tree construction (HTML 13.2.6) decides which tags count and how the text
 * behind them is read: foreign content, templates, framesets. No tree is built. */
#ifndef PARSER_HTML_TREE_H
#define PARSER_HTML_TREE_H

#include "parser/html_token.h"

#define HTML_FOREIGN_DEPTH 32 /* nested deeper, elements are not kept account of */

/* Kept of the open elements: svg, math, and what brings HTML back within them.
 * Deviation: the others are not tracked; of tags that do not match, those that are plainly HTML
 * leave foreign content at once. */
struct html_open {
	struct html_text name;
	enum html_opened { HTML_IN_SVG, HTML_IN_MATH, HTML_IN_MATH_TEXT, HTML_BACK } kind;
};

struct html_tree {
	struct html_open open[HTML_FOREIGN_DEPTH];
	unsigned depth;     /* of `open` */
	unsigned templates; /* open templates: what they hold is not of the document */
	int before_body;    /* nothing came yet that forbids a frameset */
	int in_frameset;    /* for good: only frame, frameset and noframes count */
};

void html_tree_init(struct html_tree *tree);

enum html_place { HTML_ELEMENT, SVG_ELEMENT, MATH_ELEMENT };

/* A start tag, its attributes not yet read by `t`: takes account of it and says what it starts. */
enum html_place html_tree_start(
	struct html_tree *tree, const struct html_tokens *t, struct html_text name);

/* An end tag, likewise. */
void html_tree_end(struct html_tree *tree, struct html_text name);

/* Whether either would change nothing and the former say HTML_ELEMENT, for any name but svg, math,
 * template and frameset. */
static inline int html_tree_is_plain(const struct html_tree *tree)
{
	return !tree->depth && !tree->templates && !tree->before_body;
}

#endif
