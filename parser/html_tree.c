#include "parser/html_tree.h"
#include "base/ascii.h"

#include <string.h>

/* Names by their length, a blank between two. */
enum { NAME_MAX_LENGTH = 10 };

/* Start tags that end foreign content: HTML 13.2.6.5. */
static const char *const breakout[NAME_MAX_LENGTH + 1] = {
	[1] = "b i p s u",
	[2] = "br dd dl dt em h1 h2 h3 h4 h5 h6 hr li ol tt ul",
	[3] = "big div img pre sub sup var",
	[4] = "body code head menu meta nobr ruby span",
	[5] = "embed small table",
	[6] = "center strong strike",
	[7] = "listing",
	[10] = "blockquote",
};

/* Start tags that set the frameset-ok flag to "not ok". */
static const char *const body_only[NAME_MAX_LENGTH + 1] = {
	[2] = "br dd dt hr li",
	[3] = "img pre wbr xmp",
	[4] = "area body",
	[5] = "embed image input table",
	[6] = "applet button iframe keygen object select",
	[7] = "listing marquee",
	[8] = "textarea",
	[9] = "plaintext",
};

void html_tree_init(struct html_tree *tree)
{
	tree->depth = tree->templates = 0;
	tree->before_body = 1;
	tree->in_frameset = 0;
}

static int is(struct html_text name, const char *known)
{
	return html_is_name(name.at, name.n, known);
}

static int is_among(struct html_text name, const char *words)
{
	return html_is_among(name.at, name.n, words);
}

static int is_in(struct html_text name, const char *const *names)
{
	const char *known = name.n <= NAME_MAX_LENGTH ? names[name.n] : NULL;
	char lower[NAME_MAX_LENGTH];

	if (!known)
		return 0;
	for (size_t i = 0; i < name.n; i++)
		lower[i] = (char)(name.at[i] | (html_is(name.at[i], HTML_ALPHA) ? 0x20 : 0));
	for (;; known += name.n + 1) {
		if (memcmp(known, lower, name.n) == 0)
			return 1;
		if (known[name.n] == 0)
			return 0;
	}
}

/* Says whether one of the next attributes has a name of `names` and, if `values` is not NULL, a value of `values`. `t` is passed
 * by value, so the caller's position does not move. */
static int has_attribute(struct html_tokens t, const char *names, const char *values)
{
	struct html_text name, value;

	while (html_next_attribute(&t, &name, &value) > 0)
		if (is_among(name, names) && (!values || is_among(value, values)))
			return 1;
	return 0;
}

static int is_self_closing(struct html_tokens t)
{
	return html_skip_attributes(&t) == 0 && t.self_closing;
}

static void push(struct html_tree *tree, const struct html_tokens *t, struct html_text name, enum html_opened kind)
{
	if (tree->depth < HTML_FOREIGN_DEPTH && !is_self_closing(*t))
		tree->open[tree->depth++] = (struct html_open){name, kind};
}

/* Says whether a tag is read by the rules for HTML, and not by those for foreign content. */
static int is_html(const struct html_tree *tree, struct html_text name)
{
	const struct html_open *top = &tree->open[tree->depth - 1];

	switch (top->kind) {
	case HTML_BACK:
		return 1;
	case HTML_IN_MATH_TEXT:
		return !is_among(name, "mglyph malignmark");
	case HTML_IN_MATH:
		return is(top->name, "annotation-xml") && is(name, "svg");
	default:
		return 0;
	}
}

static void leave_foreign(struct html_tree *tree)
{
	while (tree->depth && tree->open[tree->depth - 1].kind <= HTML_IN_MATH)
		tree->depth--;
}

/* Handles a start tag within SVG or MathML, which is read by the rules for foreign content. */
static enum html_place start_foreign(struct html_tree *tree, const struct html_tokens *t, struct html_text name)
{
	int is_svg = tree->open[tree->depth - 1].kind == HTML_IN_SVG;

	if (is_svg) {
		if (is(name, "svg"))
			push(tree, t, name, HTML_IN_SVG);
		else if (is_among(name, "foreignobject desc title"))
			push(tree, t, name, HTML_BACK);
	} else if (is_among(name, "mi mo mn ms mtext")) {
		push(tree, t, name, HTML_IN_MATH_TEXT);
	} else if (is(name, "annotation-xml")) {
		push(tree, t, name, has_attribute(*t, "encoding", "text/html application/xhtml+xml") ? HTML_BACK : HTML_IN_MATH);
	} else if (is(name, "math")) {
		push(tree, t, name, HTML_IN_MATH);
	}
	return is_svg ? SVG_ELEMENT : MATH_ELEMENT;
}

/* Handles a start tag that is read by the rules for HTML. */
static enum html_place start_html(struct html_tree *tree, const struct html_tokens *t, struct html_text name)
{
	if (is(name, "svg")) {
		push(tree, t, name, HTML_IN_SVG);
		return SVG_ELEMENT;
	}
	if (is(name, "math")) {
		push(tree, t, name, HTML_IN_MATH);
		return MATH_ELEMENT;
	}
	if (is(name, "template"))
		tree->templates++;
	else if (is(name, "frameset"))
		tree->in_frameset |= tree->before_body && t->blank && !tree->templates;
	else if (tree->before_body)
		tree->before_body =
			t->blank && (!is_in(name, body_only) || (is(name, "input") && has_attribute(*t, "type", "hidden")));
	return HTML_ELEMENT;
}

enum html_place html_tree_start(struct html_tree *tree, const struct html_tokens *t, struct html_text name)
{
	if (tree->in_frameset)
		return HTML_ELEMENT;
	if (tree->depth && !is_html(tree, name)) {
		if (!is_in(name, breakout) && !(is(name, "font") && has_attribute(*t, "color face size", NULL)))
			return start_foreign(tree, t, name);
		leave_foreign(tree);
	}
	return start_html(tree, t, name);
}

void html_tree_end(struct html_tree *tree, struct html_text name)
{
	unsigned i = tree->depth;

	if (tree->in_frameset)
		return;
	if (is(name, "br")) /* as if it were a start tag */
		tree->before_body = 0;
	while (i) {
		struct html_text open = tree->open[--i].name;
		if (open.n == name.n && ascii_same(open.at, name.at, name.n)) {
			tree->depth = i;
			return;
		}
	}
	if (is(name, "template") && tree->templates && (!tree->depth || is_html(tree, name)))
		tree->templates--;
	else if (is_in(name, breakout) && !is_among(name, "body embed head hr img meta"))
		leave_foreign(tree); /* end tags of the six names above do not leave foreign content */
}
