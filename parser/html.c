#include "parser/html.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/err.h"
#include "parser/html_encoding.h"
#include "parser/html_meta.h"
#include "parser/html_text.h"
#include "parser/html_token.h"
#include "parser/html_value.h"
#include "parser/requisites.h"
#include "parser/usage.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* The part of the standard's tree construction (HTML 13.2.6) that decides which tags count and how
 * the text behind them is read: foreign content, templates and framesets. No tree is built. */

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

enum html_place { HTML_ELEMENT, SVG_ELEMENT, MATH_ELEMENT };

/* Says whether a tag of any name but svg, math, template and frameset leaves the tree unchanged,
 * and html_tree_start() returns HTML_ELEMENT for it. A caller can then skip both calls. */
static inline int html_tree_is_plain(const struct html_tree *tree)
{
	return !tree->depth && !tree->templates && !tree->before_body;
}

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

/* Starts at the beginning of a document. */
static void html_tree_init(struct html_tree *tree)
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
	return ascii_is_among(name.at, name.n, words);
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

/* Takes account of a start tag, whose attributes `t` has not yet read, and returns the kind of
 * element that the tag starts. */
static enum html_place html_tree_start(struct html_tree *tree, const struct html_tokens *t, struct html_text name)
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

/* Takes account of an end tag. */
static void html_tree_end(struct html_tree *tree, struct html_text name)
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

/* A memory of the references that a document has contained so far, byte for byte as written. Menus
 * and footers repeat their references; a caller that needs only the distinct links resolves each
 * reference once. */

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

static uint64_t load_bytes(const char *p, size_t n)
{
	uint64_t word = 0;

	memcpy(&word, p, n < sizeof word ? n : sizeof word);
	return word;
}

/* Returns the slot of a reference, by a hash of its first and last bytes, since the references of a page differ there. */
static size_t slot_of(struct html_text t, unsigned flags)
{
	uint64_t hash = t.n + ((uint64_t)flags << 32);

	hash = (hash ^ load_bytes(t.at, t.n)) * 0x9e3779b97f4a7c15;
	if (t.n > 8)
		hash = (hash ^ (hash >> 29) ^ load_bytes(t.at + t.n - 8, 8)) * 0x9e3779b97f4a7c15;
	if (t.n > 16)
		hash = (hash ^ (hash >> 29) ^ load_bytes(t.at + t.n - 16, 8)) * 0x9e3779b97f4a7c15;
	return hash >> 55;
}

/* Says whether the memory contains this reference with these flags, and stores them if not. */
static int html_seen(struct html_seen *s, struct html_text reference, unsigned flags)
{
	struct html_seen_slot *slot = &s->slot[slot_of(reference, flags)];

	_Static_assert(HTML_SEEN_SLOTS == 1 << (64 - 55), "slot_of() has as many bits");
	if (slot->at && slot->n == reference.n && slot->flags == flags && memcmp(slot->at, reference.at, reference.n) == 0)
		return 1;
	if (reference.n <= UINT32_MAX)
		*slot = (struct html_seen_slot){reference.at, (uint32_t)reference.n, flags};
	return 0;
}

/* Empties the memory, for when the same bytes may mean another reference (the encoding changed). */
static void html_seen_forget(struct html_seen *s)
{
	memset(s, 0, sizeof *s);
}

/* The anchor text of a link: the text between the start tag of an a element and its end.
 *
 *	join_anchor(&tokens, &raw);                     tokens stand behind the start tag's attributes
 *	html_line(html_value(&values, (struct html_text){raw.at, raw.used}), text, sizeof text);
 *
 * Deviations: each tag within the element counts as a blank; an image has no text, whatever its alt says; only the first
 * HTML_ANCHOR_LOOK bytes behind the start tag are looked at, so that a page of tags that are never closed takes linear time. */

#define HTML_ANCHOR_LOOK 2048

/* Appends the text before a tag, and a blank. If the text contains a comment or other markup, only the part before that is
 * appended. */
static void add_before_tag(struct buf *raw, const char *at, const char *end)
{
	const char *p = at;

	while (p < end && !(p[0] == '<' && p + 1 < end && strchr("!?/", p[1])))
		p++;
	if (at < p)
		buf_add(raw, at, (size_t)(p - at));
	buf_byte(raw, ' ');
}

/* Overwrites *raw with the text of the element as the document has it: neither decoded nor free of character references. The text
 * ends before the next start or end tag of an a element, or at the end of the document. The tokens do not move. */
static void join_anchor(const struct html_tokens *tokens, struct buf *raw)
{
	struct html_tokens t = *tokens;
	const char *from = t.at;
	struct html_text name;
	enum html_tag_kind kind;

	buf_clear(raw);
	if (t.end - t.at > HTML_ANCHOR_LOOK)
		t.end = t.at + HTML_ANCHOR_LOOK;
	while ((kind = html_next_tag(&t, &name)) != HTML_END_OF_FILE) {
		add_before_tag(raw, from, name.at - (kind == HTML_END_TAG ? 2 : 1));
		if (html_is_name(name.at, name.n, "a"))
			return;
		if (html_skip_attributes(&t) < 0)
			return;
		if (kind == HTML_START_TAG && html_is_name(name.at, name.n, "script"))
			html_skip_script(&t);
		else if (kind == HTML_START_TAG && html_is_name(name.at, name.n, "style"))
			html_skip_raw_text(&t, "style");
		from = t.at;
	}
	add_before_tag(raw, from, t.end);
}

/* The elements that mean something here; of all others only the extent matters. */
enum tag {
	TAG_OTHER,
	TAG_BASE,
	TAG_PLAINTEXT,
	TAG_RAW, /* the text within is no markup: its name is the tag's */
	TAG_SCRIPT,
	TAG_TITLE,
	TAG_TREE, /* an element that matters to the tree only */
	/* elements whose attributes matter */
	TAG_A,
	TAG_AREA,
	TAG_EMBED,
	TAG_FRAME,
	TAG_HTML,
	TAG_IFRAME,
	TAG_LINK,
	TAG_META,
	TAG_OBJECT
};

struct reader {
	struct html_tokens tokens;
	struct html_tree tree;
	struct html_values values;
	struct html_seen seen;
	struct html_page *page;
	struct url target;
	const struct url *address;
	const char *charset; /* for queries: NULL for UTF-8 */
	html_link_fn *on_link;
	void *ctx;
	struct buf anchor; /* scratch memory: the anchor text as written */
	uint64_t max_links;
	unsigned kinds;
	int certain;      /* of the encoding */
	int is_xml;       /* a self-closing script has no text */
	int foreign_base; /* the base is no http URL: relative references lead nowhere */
	int stopped;      /* the caller wants no more links */
	/* what every tag is looked at for, not only those that may be links */
	struct requisites requisites;
	struct html_visible visible;
	enum { SEES_REQUISITES = 1, SEES_TEXT = 2 } sees;
};

static enum tag tag_of(struct html_text name)
{
	static const struct {
		const char *name;
		enum tag tag;
	} known[][6] = {
		[1] = {{"a", TAG_A}},
		[3] = {{"svg", TAG_TREE}, {"xmp", TAG_RAW}},
		[4] = {{"area", TAG_AREA}, {"base", TAG_BASE}, {"html", TAG_HTML}, {"link", TAG_LINK}, {"math", TAG_TREE},
			{"meta", TAG_META}},
		[5] = {{"frame", TAG_FRAME}, {"style", TAG_RAW}, {"title", TAG_TITLE}, {"embed", TAG_EMBED}},
		[6] = {{"iframe", TAG_IFRAME}, {"script", TAG_SCRIPT}, {"object", TAG_OBJECT}},
		[7] = {{"noembed", TAG_RAW}},
		[8] = {{"frameset", TAG_TREE}, {"noframes", TAG_RAW}, {"template", TAG_TREE}, {"textarea", TAG_RAW}},
		[9] = {{"plaintext", TAG_PLAINTEXT}},
	};

	char first = (char)(*name.at | 0x20);

	if (name.n >= sizeof known / sizeof *known)
		return TAG_OTHER;
	for (size_t i = 0; i < 6 && known[name.n][i].name; i++)
		if (*known[name.n][i].name == first && html_is_name(name.at, name.n, known[name.n][i].name))
			return known[name.n][i].tag;
	return TAG_OTHER;
}

/* Returns the URL that a decoded value leads to, which belongs to the page or to the reader until the next call; NULL if it is no
 * http URL. */
static const struct url *follow(struct reader *r, struct html_text text)
{
	const struct url *base = r->foreign_base ? NULL : &r->page->base;

	if (base && text.n && text.at[0] == '#')
		return base;
	return url_parse_in(&r->target, text.at, text.n, base, r->charset) == URL_OK ? &r->target : NULL;
}

/* Writes the anchor text of the a element whose start tag was read last. */
static void read_anchor(struct reader *r, char text[LINK_ANCHOR])
{
	join_anchor(&r->tokens, &r->anchor);
	html_line(html_value(&r->values, (struct html_text){r->anchor.at, r->anchor.used}), text, LINK_ANCHOR);
}

static void report(struct reader *r, struct html_text text, unsigned kind, unsigned flags)
{
	char anchor[LINK_ANCHOR] = "";

	if (r->stopped || !(r->kinds >> kind & 1) || r->page->links >= r->max_links)
		return;
	const struct url *target = follow(r, text);
	if (!target)
		return;
	r->page->links++;
	if (kind == LINK_A && (r->kinds & HTML_ANCHORS))
		read_anchor(r, anchor);
	r->stopped = r->on_link(r->ctx, target, kind | flags, anchor) != 0;
}

static void read_link(struct reader *r, unsigned kind, enum html_place place, const struct html_text *v)
{
	const struct html_text href = v[HTML_HREF].at || place == HTML_ELEMENT ? v[HTML_HREF] : v[HTML_XLINK_HREF];

	if (!href.at || r->tree.templates)
		return;
	int nofollow = v[HTML_REL].at && html_has_word(html_value(&r->values, v[HTML_REL]), "nofollow");
	if ((r->kinds & HTML_DISTINCT) && html_seen(&r->seen, href, kind + 2 * (unsigned)nofollow))
		return;
	report(r, html_value(&r->values, href), kind, nofollow ? LINK_NOFOLLOW : 0);
}

/* Returns the kind of a link element. Another kind than LINK_LINK that the caller does not want is LINK_LINK, if he wants that. */
static unsigned kind_of_element(struct reader *r, struct html_text rel, struct html_text type, int has_hreflang)
{
	char media[64] = "";

	if (type.at) {
		type = html_value(&r->values, type);
		type.n = type.n < sizeof media ? type.n : sizeof media - 1;
		memcpy(media, type.at, type.n);
		type.at = media;
	}
	const enum link_kind kind = rel.at ? link_kind_of(html_value(&r->values, rel), type, has_hreflang) : LINK_LINK;
	return (r->kinds >> kind & 1) || kind == LINK_CANONICAL ? kind : LINK_LINK;
}

static void read_link_element(struct reader *r, const struct html_text *v)
{
	if (!v[HTML_HREF].at || r->tree.templates)
		return;
	unsigned kind = kind_of_element(r, v[HTML_REL], v[HTML_TYPE], v[HTML_HREFLANG].at != NULL);
	struct html_text href = html_value(&r->values, v[HTML_HREF]);
	if (kind == LINK_CANONICAL) {
		const struct url *target = r->page->canonical.text.used ? NULL : follow(r, href);
		if (target)
			url_copy(&r->page->canonical, target);
		kind = LINK_LINK;
	}
	report(r, href, kind, 0);
}

static void read_reference(struct reader *r, struct html_text written, unsigned kind)
{
	if (written.at && !r->tree.templates)
		report(r, html_value(&r->values, written), kind, 0);
}

/* Receives a link of a document within the document. */
static int on_inner_link(void *ctx, const struct url *target, unsigned kind_and_flags, const char *anchor)
{
	struct reader *r = ctx;

	if (r->page->links >= r->max_links)
		return 1;
	r->page->links++;
	r->stopped = r->on_link(r->ctx, target, LINK_SRCDOC | (kind_and_flags & LINK_NOFOLLOW), anchor) != 0;
	return r->stopped;
}

/* Reads the links of the document that an iframe has in its attribute. Such documents within it are not read. */
static void read_srcdoc(struct reader *r, struct html_text v)
{
	const unsigned kinds = r->kinds & (1u << LINK_A | 1u << LINK_AREA | 1u << LINK_FRAME | 1u << LINK_REFRESH | HTML_DISTINCT);
	struct html_page inner;

	if (r->stopped || !(r->kinds >> LINK_SRCDOC & 1) || !v.at || r->tree.templates)
		return;
	v = html_value(&r->values, v);
	html_read(v.at, v.n, &r->page->base, "text/html; charset=utf-8", kinds, UINT64_MAX, on_inner_link, r, &inner);
	html_page_release(&inner);
}

static void set_encoding(struct reader *r, const char *name)
{
	html_values_change(&r->values, name);
	html_seen_forget(&r->seen);
	r->charset = r->values.is_utf8 ? NULL : name;
	strcpy(r->page->charset, name);
}

static void read_refresh(struct reader *r, struct html_text content)
{
	struct html_page *page = r->page;
	struct html_text reference;
	double seconds;

	if (page->has_refresh || !html_meta_refresh(content, &seconds, &reference))
		return;
	const struct url *target = reference.at ? follow(r, reference) : r->address;
	if (!target)
		return;
	page->has_refresh = 1;
	page->refresh_seconds = seconds;
	url_copy(&page->refresh, target);
	if (reference.at)
		report(r, reference, LINK_REFRESH, 0);
}

/* Handles the encoding that a meta element declares, when the parser itself meets the element: it counts, unless the encoding is
 * certain already: HTML 13.2.6.4.4. */
static void read_meta_encoding(struct reader *r, struct html_text charset, struct html_text content, int is_pragma)
{
	const char *name = NULL;

	if (r->certain)
		return;
	if (charset.at) {
		charset = html_value(&r->values, charset);
		name = html_encoding_of_charset(charset.at, charset.n);
	}
	if (!name && is_pragma && content.at) {
		content = html_value(&r->values, content);
		name = html_encoding_of_content(content.at, content.n);
	}
	if (!name)
		return;
	r->certain = 1;
	if (strcmp(name, r->page->charset) != 0)
		set_encoding(r, name);
}

/* Reads a meta element: the encoding, the robots directives or a refresh. */
static void read_meta(struct reader *r, const struct html_text *v)
{
	struct html_text text;

	if (r->tree.templates)
		return;
	int is_refresh = 0, is_type = 0, is_robots = 0, is_reserved = 0;
	if (v[HTML_HTTP_EQUIV].at) {
		text = html_value(&r->values, v[HTML_HTTP_EQUIV]);
		is_refresh = html_is_name(text.at, text.n, "refresh");
		is_type = html_is_name(text.at, text.n, "content-type");
	}
	if (v[HTML_NAME].at) {
		text = html_value(&r->values, v[HTML_NAME]);
		is_robots = ascii_is_among(text.at, text.n, "robots lycosa");
		is_reserved = html_is_name(text.at, text.n, "tdm-reservation");
	}
	read_meta_encoding(r, v[HTML_CHARSET], v[HTML_CONTENT], is_type);
	if (!v[HTML_CONTENT].at)
		return;
	if (is_robots || is_reserved) {
		text = html_value(&r->values, v[HTML_CONTENT]);
		r->page->robots |= is_robots ? html_meta_robots(text) : 0;
		r->page->usage |= is_robots                  ? usage_parse(text.at, text.n)
			: html_is_name(text.at, text.n, "1") ? USAGE_RESERVED
							     : 0;
	}
	if (is_refresh)
		read_refresh(r, html_value(&r->values, v[HTML_CONTENT]));
}

/* Passes over the text behind a tag where that is no markup. */
static void pass_over(struct reader *r, enum tag tag, struct html_text name)
{
	char end_tag[16];

	if (r->is_xml && r->tokens.self_closing)
		return;
	switch (tag) {
	case TAG_PLAINTEXT:
		r->tokens.at = r->tokens.end;
		break;
	case TAG_SCRIPT:
		html_skip_script(&r->tokens);
		break;
	case TAG_IFRAME:
	case TAG_RAW:
	case TAG_TITLE:
		for (size_t i = 0; i < name.n; i++)
			end_tag[i] = (char)(name.at[i] | 0x20);
		end_tag[name.n] = 0;
		html_skip_raw_text(&r->tokens, end_tag);
		break;
	default:
		break;
	}
}

/* Reads the text within a title element. */
static void read_title(struct reader *r, struct html_text name)
{
	const char *from = r->tokens.at;

	pass_over(r, TAG_TITLE, name);
	const struct html_text text = {from, (size_t)(r->tokens.at - from)};
	if (!*r->page->title && !r->tree.templates && text.n)
		html_title(html_value(&r->values, text), r->page->title);
}

/* Reads a start tag that matters, and skips the text of an element that has no markup in it. */
static void read_element(struct reader *r, enum tag tag, enum html_place place, struct html_text name, const struct html_text *v)
{
	switch (tag) {
	case TAG_A:
		read_link(r, LINK_A, place, v);
		break;
	case TAG_AREA:
		read_link(r, LINK_AREA, place, v);
		break;
	case TAG_LINK:
		read_link_element(r, v);
		break;
	case TAG_META:
		read_meta(r, v);
		break;
	case TAG_FRAME:
		read_reference(r, v[HTML_SRC], LINK_FRAME);
		break;
	case TAG_EMBED:
		read_reference(r, v[HTML_SRC], LINK_OBJECT);
		break;
	case TAG_OBJECT:
		read_reference(r, v[HTML_DATA], LINK_OBJECT);
		break;
	case TAG_HTML:
		if (v[HTML_LANG].at && !*r->page->language)
			html_language(html_value(&r->values, v[HTML_LANG]), r->page->language);
		break;
	case TAG_TITLE:
		read_title(r, name);
		break;
	case TAG_IFRAME:
		read_reference(r, v[HTML_SRC], LINK_FRAME);
		read_srcdoc(r, v[HTML_SRCDOC]);
		pass_over(r, tag, name);
		break;
	default:
		pass_over(r, tag, name);
		break;
	}
}

/* Adds to the visible text what stands between `from` and a tag, whose name stands `before` bytes behind its '<'. */
static void see_text(struct reader *r, const char *from, struct html_text name, size_t before)
{
	struct html_tokens between = r->tokens;
	struct html_text text;

	between.at = from;
	between.end = name.at - before;
	while (html_next_text(&between, &text))
		html_visible_add(&r->visible, html_value(&r->values, text));
}

/* Looks at a start tag, and at the text behind it that is no markup, for requisites and the visible text. */
static void see_element(struct reader *r, struct html_text name, const struct html_attributes *attributes)
{
	struct html_tokens t = r->tokens;
	struct html_text raw = {t.at, 0};

	html_skip_text(&t, name);
	raw.n = (size_t)(t.at - raw.at);
	if (r->sees & SEES_REQUISITES) {
		r->requisites.base = r->foreign_base ? NULL : &r->page->base;
		r->requisites.charset = r->charset;
		requisites_of_tag(&r->requisites, attributes, name, raw);
	}
	if (r->sees & SEES_TEXT) {
		html_visible_start(&r->visible, name, attributes->value[HTML_HIDDEN].at != NULL, t.self_closing);
		if (raw.n && ascii_is_among(name.at, name.n, "textarea xmp"))
			html_visible_add(&r->visible, html_value(&r->values, raw));
	}
}

/* Finds the next start tag that matters; *tag is TAG_OTHER if only its extent does. Returns 0 at the end of the document. */
static int next_element(struct reader *r, enum tag *tag, enum html_place *place, struct html_text *name)
{
	const char *from = r->tokens.at;
	enum html_tag_kind kind;

	while ((kind = html_next_tag(&r->tokens, name)) == HTML_END_TAG) {
		if (r->sees & SEES_TEXT) {
			see_text(r, from, *name, 2);
			html_visible_end(&r->visible, *name);
		}
		if (!html_tree_is_plain(&r->tree)) {
			html_tree_end(&r->tree, *name);
			r->tokens.cdata = r->tree.depth || r->is_xml;
		}
		html_skip_attributes(&r->tokens);
		from = r->tokens.at;
	}
	if (r->sees & SEES_TEXT)
		see_text(r, from, kind == HTML_START_TAG ? *name : (struct html_text){r->tokens.end, 0}, kind == HTML_START_TAG);
	if (kind == HTML_END_OF_FILE)
		return 0;
	*tag = tag_of(*name);
	*place = HTML_ELEMENT;
	if (html_tree_is_plain(&r->tree) && *tag != TAG_TREE)
		return 1;
	*place = html_tree_start(&r->tree, &r->tokens, *name);
	r->tokens.cdata = r->tree.depth || r->is_xml;
	if (*place != HTML_ELEMENT && *tag != TAG_A)
		*tag = TAG_OTHER;
	if (r->tree.in_frameset && *tag != TAG_FRAME && !html_is_name(name->at, name->n, "noframes"))
		*tag = TAG_OTHER;
	return 1;
}

static void start(struct reader *r, const char *bytes, size_t n)
{
	html_tokens_init(&r->tokens, bytes, n);
	r->tokens.cdata = r->is_xml;
	html_tree_init(&r->tree);
}

/* Says whether the caller wants anything of the rest of the document. */
static int is_wanted(const struct reader *r)
{
	return !r->stopped || (r->sees & SEES_TEXT) || ((r->sees & SEES_REQUISITES) && !r->requisites.is_over);
}

static void read_document(struct reader *r)
{
	struct html_attributes attributes;
	enum html_place place;
	struct html_text name;
	enum tag tag;

	while (is_wanted(r) && next_element(r, &tag, &place, &name)) {
		const int is_read = r->sees || tag >= TAG_A;
		if ((is_read ? html_attributes_read(&attributes, &r->tokens) : html_skip_attributes(&r->tokens)) < 0)
			break;
		if (r->sees)
			see_element(r, name, &attributes);
		if (tag != TAG_OTHER)
			read_element(r, tag, place, name, attributes.value);
	}
}

/* Says whether a base element with this href is ignored: HTML 4.2.3. */
static int is_inert(struct html_text href)
{
	while (href.n && (uint8_t)*href.at <= ' ') {
		href.at++;
		href.n--;
	}
	const char *colon = href.n ? memchr(href.at, ':', href.n) : NULL;
	return colon && ascii_is_among(href.at, (size_t)(colon - href.at), "data javascript");
}

static void set_base(struct reader *r, struct html_text href)
{
	enum url_result result;

	href = html_value(&r->values, href);
	result = url_parse_in(&r->target, href.at, href.n, &r->page->base, r->charset);
	if (result == URL_OK)
		url_copy(&r->page->base, &r->target);
	r->foreign_base = result == URL_FOREIGN && !is_inert(href);
}

/* Finds the base URL of the document before its links are read, since the first base element with an href determines it for all
 * links, wherever it stands. */
static void find_base(struct reader *r)
{
	struct html_attributes attributes;
	struct html_text name;
	enum html_place place;
	enum tag tag;

	while (next_element(r, &tag, &place, &name)) {
		if (tag != TAG_BASE) {
			html_skip_attributes(&r->tokens);
			pass_over(r, tag, name);
			continue;
		}
		if (html_attributes_read(&attributes, &r->tokens) == 0 && attributes.value[HTML_HREF].at && !r->tree.templates) {
			set_base(r, attributes.value[HTML_HREF]);
			return;
		}
	}
}

static void read_in(struct reader *r, const char *bytes, size_t n)
{
	if (html_may_have_base(bytes, n)) {
		start(r, bytes, n);
		find_base(r);
	}
	start(r, bytes, n);
	if (r->kinds & 1u << LINK_REQUISITE)
		r->sees |= SEES_REQUISITES;
	if (r->kinds & HTML_TEXT)
		r->sees |= SEES_TEXT;
	read_document(r);
	if (r->sees & SEES_TEXT)
		html_visible_finish(&r->visible);
}

/* Reads a document in an encoding that hides the tags (UTF-16, ISO-2022-JP): decodes all of it to UTF-8 first; a meta element then
 * no longer changes the encoding. */
static void read_decoded(struct reader *r, const char *bytes, size_t n)
{
	AUTO(buf) text = BUF_EMPTY;

	decode(&r->values.decoder, bytes, n, &text);
	html_values_change(&r->values, "utf-8");
	r->certain = 1;
	read_in(r, text.at, text.used);
}

void html_read(const char *bytes, size_t n, const struct url *address, const char *content_type, unsigned kinds, uint64_t max_links,
	html_link_fn *on_link, void *ctx, struct html_page *page)
{
	bytes = n ? bytes : "";
	struct html_encoding encoding = html_encoding_find(bytes, n, content_type);
	struct reader r = {.page = page,
		.target = URL_EMPTY,
		.anchor = BUF_EMPTY,
		.address = address,
		.on_link = on_link,
		.ctx = ctx,
		.max_links = max_links,
		.kinds = kinds,
		.certain = encoding.certain,
		.is_xml = encoding.is_xml};

	*page = (struct html_page){.base = URL_EMPTY, .text = BUF_EMPTY};
	requisites_init(&r.requisites, &r.values, on_link, ctx);
	html_visible_init(&r.visible, &page->text);
	url_copy(&page->base, address);
	html_values_init(&r.values, encoding.name);
	r.charset = r.values.is_utf8 ? NULL : encoding.name;
	strcpy(page->charset, encoding.name);
	if (decoder_keeps_ascii(&r.values.decoder))
		read_in(&r, bytes + encoding.mark, n - encoding.mark);
	else
		read_decoded(&r, bytes + encoding.mark, n - encoding.mark);
	html_values_release(&r.values);
	requisites_release(&r.requisites);
	buf_release(&r.anchor);
	url_release(&r.target);
}

void html_page_release(struct html_page *page)
{
	url_release(&page->base);
	url_release(&page->refresh);
	url_release(&page->canonical);
	buf_release(&page->text);
}
