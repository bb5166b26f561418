/* The part of the standard's tree construction (HTML 13.2.6) that decides which tags count and how
 * the text behind them is read: foreign content, templates and framesets. No tree is built. */
#ifndef PARSER_HTML_TREE_H
#define PARSER_HTML_TREE_H

#include "parser/html_token.h"

/* The depth up to which open elements are tracked; elements that are nested deeper are not. */
#define HTML_FOREIGN_DEPTH 32

/* One tracked open element: svg, math, or an element within them whose content is HTML again.
 * Deviation: other open elements are not tracked; among tags that do not match, a tag that is
 * plainly HTML leaves foreign content at once. */
struct html_open {
	struct html_text name;
	enum html_opened { HTML_IN_SVG, HTML_IN_MATH, HTML_IN_MATH_TEXT, HTML_BACK } kind;
};

struct html_tree {
	struct html_open open[HTML_FOREIGN_DEPTH];
	unsigned depth;     /* the number of elements in `open` */
	unsigned templates; /* the number of open templates, whose contents do not count */
	int before_body;    /* a frameset is still allowed */
	int in_frameset;    /* only frame, frameset and noframes count, to the document's end */
};

/* Starts at the beginning of a document. */
void html_tree_init(struct html_tree *tree);

enum html_place { HTML_ELEMENT, SVG_ELEMENT, MATH_ELEMENT };

/* Takes account of a start tag, whose attributes `t` has not yet read, and returns the kind of
 * element that the tag starts. */
enum html_place html_tree_start(struct html_tree *tree, const struct html_tokens *t, struct html_text name);

/* Takes account of an end tag. */
void html_tree_end(struct html_tree *tree, struct html_text name);

/* Says whether a tag of any name but svg, math, template and frameset leaves the tree unchanged,
 * and html_tree_start() returns HTML_ELEMENT for it. A caller can then skip both calls. */
static inline int html_tree_is_plain(const struct html_tree *tree)
{
	return !tree->depth && !tree->templates && !tree->before_body;
}

#endif
