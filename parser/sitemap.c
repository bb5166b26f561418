#include "parser/sitemap.h"
#include "base/ascii.h"
#include "base/err.h"
#include "parser/decode.h"
#include "parser/html_value.h"
#include "base/gunzip.h"
#include "parser/html_encoding.h"
#include "parser/json_feed.h"
#include "parser/utf8.h"

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define ATOM        "http://www.w3.org/2005/Atom"
#define ATOM_OLD    "http://purl.org/atom/ns#"
#define RSS_1       "http://purl.org/rss/1.0/"
#define RSS_OLD     "/rdf/simple/0.9/"
#define HOUR        3600
#define DAY         (24 * HOUR)
#define BASES       16          /* elements with xml:base, one within the other, that are heeded */
#define SNIFF_BYTES (64u << 10) /* before the root element of a document whose media type does not tell the format */

struct reader {
	const struct url *address;
	sitemap_fn *on_entry;
	void *ctx;
	struct url target;
	uint64_t entries;
	int stopped;

	/* the entry in `target`, which is reported when the next one begins, since its date may stand behind its loc */
	int is_pending;
	enum sitemap_entry pending_kind;
	int64_t changed; /* the date of the entry that is being read */

	/* of XML */
	xmlParserCtxt *parser;
	xmlChar *root_space; /* the root's namespace, NULL for none */
	enum { ROOT_UNSEEN, ROOT_SITEMAP, ROOT_FEED, ROOT_OTHER } root;
	enum { IN_NOTHING, IN_ENTRY, IN_LOC, IN_GUID, IN_LASTMOD } place;
	enum sitemap_entry kind; /* of the entry */
	unsigned depth;          /* of elements of others within it, or of any within its loc */
	int told;                /* its loc was met, or of a feed: its link was reported */
	struct buf text;
	size_t lastmod;  /* where in `text` the lastmod begins */
	struct buf guid; /* of an item of RSS: the address that it has if it has no link */
	unsigned level;  /* the number of open elements */
	struct base {
		unsigned level; /* of the element with xml:base */
		struct url url;
	} base[BASES];
	size_t n_bases;
};

/* Says whether a character is one that people put around a URL. */
static int is_blank(uint32_t c)
{
	return c <= ' ' || c == 0x85 || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200b) || c == 0x2028 || c == 0x2029 ||
		c == 0x202f || c == 0x205f || c == 0x3000 || c == 0xfeff;
}

static void trim(const char **text, size_t *n)
{
	const char *p = *text, *end = p + *n, *stop;

	for (const char *next = p; p < end && is_blank(utf8_read(&next, end));)
		p = next;
	stop = p;
	for (const char *next = p; next < end;)
		if (!is_blank(utf8_read(&next, end)))
			stop = next;
	*text = p;
	*n = (size_t)(stop - p);
}

/* Says whether a loc begins with the sitemap's own host, so that its scheme was forgotten. */
static int begins_with_host(const struct url *address, const char *text, size_t n)
{
	size_t length = address->host_end - address->host;

	return n >= length && ascii_same(text, address->text.at + address->host, length) &&
		(n == length || strchr("/:?", text[length]));
}

static enum url_result resolve(struct reader *r, const char *text, size_t n)
{
	AUTO(buf) whole = BUF_EMPTY;
	const struct url *base = r->n_bases ? &r->base[r->n_bases - 1].url : r->address;

	if (!begins_with_host(r->address, text, n))
		return url_parse(&r->target, text, n, base);
	buf_text(&whole, "//");
	buf_add(&whole, text, n);
	return url_parse(&r->target, whole.at, whole.used, r->address);
}

/* Returns the day's number since 1970-01-01, counted without timegm(), which may open files. */
static int64_t day_of(const struct tm *tm)
{
	const int from_march = (tm->tm_mon + 10) % 12, year = tm->tm_year + 1900 - (tm->tm_mon < 2);

	return 365 * (int64_t)year + year / 4 - year / 100 + year / 400 + (153 * from_march + 2) / 5 + tm->tm_mday - 719469;
}

int64_t sitemap_date(const char *text, size_t n)
{
	static const struct {
		const char *form;
		int has_time;
		int64_t length; /* s */
	} forms[] = {{"%Y-%m-%dT%H:%M:%S", 1, 1}, {"%Y-%m-%dT%H:%M", 1, 60}, {"%Y-%m-%d", 0, DAY}, {"%Y-%m", 0, 31 * DAY},
		{"%Y", 0, 366 * DAY}};
	char date[48];

	trim(&text, &n);
	snprintf(date, sizeof date, "%.*s", n < sizeof date ? (int)n : 0, text);
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		struct tm tm = {.tm_mday = 1}, zone = {.tm_gmtoff = -12 * HOUR};
		const char *rest = strptime(date, forms[i].form, &tm);
		if (rest && forms[i].has_time && *rest == '.')
			rest += 1 + strspn(rest + 1, "0123456789");
		if (rest && forms[i].has_time && *rest)
			rest = strptime(rest, "%z", &zone);
		if (rest && !*rest)
			return day_of(&tm) * DAY + tm.tm_hour * HOUR + tm.tm_min * 60 + tm.tm_sec + forms[i].length - 1 -
				zone.tm_gmtoff;
	}
	return SITEMAP_UNDATED;
}

/* Reports the entry that is pending. */
static void flush(struct reader *r)
{
	if (r->is_pending && !r->stopped)
		r->stopped = r->on_entry(r->ctx, &r->target, r->pending_kind, r->changed) != 0 || r->entries >= SITEMAP_MAX_URLS;
	r->is_pending = 0;
}

static void report_entry(struct reader *r, const char *text, size_t n)
{
	flush(r);
	trim(&text, &n);
	if (!n || r->stopped || resolve(r, text, n) != URL_OK)
		return;
	r->entries++;
	r->told = 1;
	r->is_pending = 1;
	r->pending_kind = r->kind;
	if (r->entries >= SITEMAP_MAX_URLS)
		flush(r);
}

static void tell_text(struct reader *r)
{
	report_entry(r, r->text.at ? r->text.at : "", r->text.used);
}

static int same(const xmlChar *a, const char *b)
{
	return strcmp((const char *)a, b) == 0;
}

static int is_atom(const xmlChar *space)
{
	return space && (same(space, ATOM) || same(space, ATOM_OLD));
}

static int has_text(const xmlChar **attribute, const char *text)
{
	const size_t n = (size_t)(attribute[4] - attribute[3]);

	return n == strlen(text) && memcmp(attribute[3], text, n) == 0;
}

/* Returns the attribute of a name, of libxml2's five strings for each of n; NULL if there is none. */
static const xmlChar **attribute_of(const xmlChar **attributes, int n, const char *prefix, const char *name)
{
	for (const xmlChar **a = attributes; n > 0; n--, a += 5)
		if (same(a[0], name) && (prefix ? a[1] && same(a[1], prefix) : !a[1]))
			return a;
	return NULL;
}

/* Makes the value of an xml:base the base of the references within the element that begins. */
static void begin_base(struct reader *r, const xmlChar **attributes, int n)
{
	const xmlChar **base = attribute_of(attributes, n, "xml", "base");
	struct base *next = &r->base[r->n_bases];
	const struct url *outer = r->n_bases ? &next[-1].url : r->address;

	if (!base || r->n_bases == BASES ||
		url_parse(&next->url, (const char *)base[3], (size_t)(base[4] - base[3]), outer) != URL_OK)
		return;
	next->level = r->level;
	r->n_bases++;
}

/* Says whether a vocabulary is one of those in which RSS 0.9 and 1.0 stand within RDF. */
static int is_rss_of_rdf(const xmlChar *space)
{
	return same(space, RSS_1) || strstr((const char *)space, RSS_OLD);
}

/* Says whether an element belongs to the vocabulary of sitemaps, and not to an extension (images, video). */
static int is_own(const struct reader *r, const xmlChar *prefix, const xmlChar *space)
{
	if (!space)
		return !prefix;
	if (r->root == ROOT_FEED && is_rss_of_rdf(space))
		return 1;
	return (r->root_space && xmlStrEqual(space, r->root_space)) || strstr((const char *)space, "/schemas/sitemap/");
}

static void start_root(struct reader *r, const xmlChar *name, const xmlChar *space)
{
	r->root = same(name, "urlset") || same(name, "sitemapindex")           ? ROOT_SITEMAP
		: same(name, "rss") || same(name, "feed") || same(name, "RDF") ? ROOT_FEED
									       : ROOT_OTHER;
	if (!same(name, "RDF"))
		r->root_space = space ? xmlStrdup(space) : NULL;
	if (r->root == ROOT_OTHER)
		xmlStopParser(r->parser);
}

static int starts_entry(struct reader *r, const xmlChar *name)
{
	if (r->root == ROOT_FEED)
		return same(name, "item") || same(name, "entry");
	if (!same(name, "sitemap") && !same(name, "url"))
		return 0;
	r->kind = same(name, "url") ? SITEMAP_URL : SITEMAP_INDEX;
	return 1;
}

/* Says whether a line is an absolute URL, as the protocol demands. Prose, a path, and a URL within a line are no references. */
static int has_scheme(const char *line, size_t n)
{
	trim(&line, &n);
	return (n > 7 && ascii_same(line, "http://", 7)) || (n > 8 && ascii_same(line, "https://", 8));
}

/* Reports the href of a link element of Atom whose rel is among `rels`, which has blanks around the words; a link without a rel
 * is an "alternate". Says whether the element has an href. */
static int tell_href(struct reader *r, const xmlChar **attributes, int n, const char *rels)
{
	const xmlChar **href = attribute_of(attributes, n, NULL, "href"), **rel = attribute_of(attributes, n, NULL, "rel");
	char word[24] = " alternate ";

	if (rel)
		snprintf(word, sizeof word, " %.*s ", rel[4] - rel[3] < 20 ? (int)(rel[4] - rel[3]) : 20, (const char *)rel[3]);
	if (href && strstr(rels, word))
		report_entry(r, (const char *)href[3], (size_t)(href[4] - href[3]));
	return href != NULL;
}

/* Handles the start of an element within an entry. */
static void start_within(struct reader *r, const xmlChar *name, const xmlChar **attributes, int n)
{
	const xmlChar **permanent = attribute_of(attributes, n, NULL, "isPermaLink");
	const int is_feed = r->root == ROOT_FEED;

	if (is_feed && same(name, "guid") && (!permanent || has_text(permanent, "true"))) {
		r->place = IN_GUID;
	} else if (same(name, is_feed ? "link" : "loc") && !(is_feed && tell_href(r, attributes, n, " alternate "))) {
		r->place = IN_LOC;
		r->told |= !is_feed;
	} else if (!is_feed && same(name, "lastmod")) {
		r->place = IN_LASTMOD;
		r->lastmod = r->text.used;
		return;
	} else {
		r->depth++;
		return;
	}
	buf_clear(&r->text);
}

/* Handles the start of an element outside of all entries: an entry, or a link of the feed to its next part (RFC 5005). */
static void start_outside(struct reader *r, const xmlChar *name, const xmlChar *space, const xmlChar **attributes, int n)
{
	if (r->root == ROOT_FEED && is_atom(space) && same(name, "link"))
		tell_href(r, attributes, n, " next prev-archive next-archive ");
}

static void start_element(void *ctx, const xmlChar *name, const xmlChar *prefix, const xmlChar *space, int namespaces,
	const xmlChar **declared, int attributes, int defaulted, const xmlChar **attribute)
{
	struct reader *r = ctx;

	(void)namespaces, (void)declared, (void)defaulted;
	r->level++;
	begin_base(r, attribute, attributes);
	if (r->root == ROOT_UNSEEN) {
		start_root(r, name, space);
		return;
	}
	/* one within another is the next one, where an end tag was forgotten */
	if ((r->place == IN_NOTHING || r->root == ROOT_SITEMAP) && is_own(r, prefix, space) && starts_entry(r, name)) {
		if (r->place == IN_LOC)
			tell_text(r);
		flush(r);
		r->changed = SITEMAP_UNDATED;
		r->place = IN_ENTRY;
		r->depth = 0;
		r->told = 0;
		buf_clear(&r->text);
		buf_clear(&r->guid);
		return;
	}
	if (r->place == IN_NOTHING)
		start_outside(r, name, space, attribute, attributes);
	else if (r->place != IN_ENTRY || r->depth || !is_own(r, prefix, space))
		r->depth++;
	else
		start_within(r, name, attribute, attributes);
}

/* Handles the end of an element of an entry, or of the entry itself. */
static void end_within(struct reader *r)
{
	if (r->place == IN_LASTMOD) {
		r->changed = sitemap_date(r->text.at ? r->text.at + r->lastmod : "", r->text.used - r->lastmod);
		r->text.used = r->lastmod;
		r->place = IN_ENTRY;
		return;
	}
	if (r->place == IN_GUID)
		buf_add(&r->guid, r->text.at ? r->text.at : "", r->text.used);
	/* a sitemap without loc elements has the URLs in their stead */
	else if (r->place == IN_LOC || (!r->told && r->root == ROOT_SITEMAP))
		tell_text(r);
	else if (r->place == IN_ENTRY && !r->told && r->guid.used && has_scheme(r->guid.at, r->guid.used))
		report_entry(r, r->guid.at, r->guid.used);
	buf_clear(&r->text);
	r->place = r->place == IN_ENTRY ? IN_NOTHING : IN_ENTRY;
}

static void end_element(void *ctx, const xmlChar *name, const xmlChar *prefix, const xmlChar *space)
{
	struct reader *r = ctx;

	(void)name, (void)prefix, (void)space;
	if (r->place != IN_NOTHING && r->depth)
		r->depth--;
	else if (r->place != IN_NOTHING)
		end_within(r);
	if (r->n_bases && r->base[r->n_bases - 1].level == r->level)
		r->n_bases--;
	r->level--;
	if (r->stopped)
		xmlStopParser(r->parser);
}

static void characters(void *ctx, const xmlChar *text, int n)
{
	struct reader *r = ctx;
	const int is_wanted = r->place > IN_ENTRY || (r->place == IN_ENTRY && !r->depth && r->root == ROOT_SITEMAP);

	if (is_wanted && r->text.used + (size_t)n <= URL_INPUT_MAX)
		buf_add(&r->text, text, (size_t)n);
}

#define NAME_MAX_LENGTH 32 /* of a reference, with its semicolon */

/* Writes, for the ampersand before p, text that XML understands without a DTD: a numeric reference stays, a named reference of HTML
 * becomes a numeric one, and any other ampersand becomes "&amp;". Returns the position from which the text is to be copied on. */
static const char *write_reference(const char *p, const char *end, struct buf *out)
{
	const size_t left = (size_t)(end - p);
	const char *stop = memchr(p, ';', left < NAME_MAX_LENGTH ? left : NAME_MAX_LENGTH);
	const size_t n = stop ? (size_t)(stop - p) : 0;
	const size_t digits = n > 2 && p[1] == 'x' ? 2 : 1;
	uint32_t code[2];

	if (n > digits && *p == '#' && strspn(p + digits, digits == 2 ? "0123456789abcdefABCDEF" : "0123456789") == n - digits) {
		buf_byte(out, '&');
		return p;
	}
	if (!n || entity_find(p, n, code) == ENTITY_NONE) {
		buf_text(out, "&amp;");
		return p;
	}
	buf_format(out, "&#%u;", code[0]);
	if (code[1])
		buf_format(out, "&#%u;", code[1]);
	return stop + 1;
}

/* Returns the end mark of the CDATA section, comment or processing instruction that begins at p, in which '&' has no special
 * meaning; NULL if none begins there. */
static const char *end_of_literal(const char *p, const char *end)
{
	static const char *const literals[][2] = {{"<![CDATA[", "]]>"}, {"<!--", "-->"}, {"<?", "?>"}};

	for (size_t i = 0; i < sizeof literals / sizeof *literals; i++) {
		const size_t n = strlen(literals[i][0]);
		if ((size_t)(end - p) > n && memcmp(p, literals[i][0], n) == 0)
			return literals[i][1];
	}
	return NULL;
}

/* Copies the text with HTML's named references and unescaped ampersands replaced by what libxml2 reads; it would drop them, and
 * names after them. A text with a document type, which may declare entities, is copied unchanged. */
static void mend_references(const char *text, size_t n, struct buf *out)
{
	const char *end = text + n, *from = text;

	for (const char *p = memmem(text, n, "<!DOCTYPE", 9) ? NULL : text; p && p < end; p++) {
		const char *literal = *p == '<' ? end_of_literal(p, end) : NULL;
		if (literal) {
			p = memmem(p, (size_t)(end - p), literal, strlen(literal));
			if (!p)
				break;
		} else if (*p == '&') {
			buf_add(out, from, (size_t)(p - from));
			from = write_reference(p + 1, end, out);
			p = from - 1;
		}
	}
	buf_add(out, from, (size_t)(end - from));
}

/* Entities that the document declares are not heard of, so there is nothing to expand or fetch. */
static int read_xml(struct reader *r, const char *bytes, size_t n)
{
	xmlSAXHandler handler = {.initialized = XML_SAX2_MAGIC,
		.startElementNs = start_element,
		.endElementNs = end_element,
		.characters = characters,
		.cdataBlock = characters};
	xmlParserCtxt *parser = xmlCreateMemoryParserCtxt(bytes, (int)n);

	if (!parser)
		return -1;
	xmlSAXHandler *old = parser->sax;
	parser->sax = &handler;
	parser->userData = r;
	r->parser = parser;
	xmlCtxtUseOptions(parser,
		XML_PARSE_RECOVER | XML_PARSE_NONET | XML_PARSE_IGNORE_ENC | XML_PARSE_NOERROR | XML_PARSE_NOWARNING |
			XML_PARSE_NOENT); /* or "&amp;" in an href stays one */
	xmlParseDocument(parser);
	parser->sax = old;
	if (parser->myDoc)
		xmlFreeDoc(parser->myDoc);
	parser->myDoc = NULL;
	xmlFreeParserCtxt(parser);
	xmlFree(r->root_space);
	return r->root == ROOT_SITEMAP || r->root == ROOT_FEED ? 0 : -1;
}

static int read_text(struct reader *r, const char *bytes, size_t n)
{
	const char *end = bytes + n;

	r->kind = SITEMAP_URL;
	while (bytes < end && !r->stopped) {
		const char *stop = bytes;
		while (stop < end && *stop != '\n' && *stop != '\r')
			stop++;
		if (has_scheme(bytes, (size_t)(stop - bytes)))
			report_entry(r, bytes, (size_t)(stop - bytes));
		bytes = stop + (stop < end);
	}
	return r->entries ? 0 : -1;
}

/* Converts the text to well-formed UTF-8, without the leading blanks, which XML does not allow. If libxml2 decoded the text itself,
 * it would end at the first malformed byte, and write to stderr. */
static void decode_text(const char *bytes, size_t n, const char *content_type, struct buf *out)
{
	while (n && (*bytes == ' ' || (*bytes >= '\t' && *bytes <= '\r'))) {
		bytes++;
		n--;
	}
	struct html_encoding encoding = html_encoding_of_xml(bytes, n, content_type);
	struct decoder decoder;
	decoder_init(&decoder, encoding.name);
	decode(&decoder, bytes + encoding.mark, n - encoding.mark, out);
	decoder_release(&decoder);
}

/* Returns the first position from p on, or `end`, whose byte is among `stops` (is_in is 1) or is not among them (0). */
static const char *scan(const char *p, const char *end, const char *stops, int is_in)
{
	while (p < end && (*p && strchr(stops, *p) != NULL) != is_in)
		p++;
	return p;
}

/* Returns the position behind a document type at p, which may have declarations in brackets; NULL if it has no end, or is
 * HTML's. */
static const char *behind_doctype(const char *p, const char *end)
{
	const char *name = scan(p + strlen("<!DOCTYPE"), end, " \t\r\n", 0);

	if (end - name > 4 && ascii_same(name, "html", 4))
		return NULL;
	p = scan(name, end, "[>", 1);
	if (p < end && *p == '[')
		p = scan(scan(p, end, "]", 1), end, ">", 1);
	return p < end ? p + 1 : NULL;
}

/* Returns the start tag of the root element of an XML document, behind its '<'; NULL if there is none before `end`, or if the
 * document type is HTML's. */
static const char *root_tag(const char *p, const char *end)
{
	while (p && (p = scan(p, end, " \t\r\n\f", 0)) < end && *p == '<') {
		const char *literal = end_of_literal(p, end);
		if (literal) {
			p = memmem(p, (size_t)(end - p), literal, strlen(literal));
			p = p ? p + strlen(literal) : NULL;
		} else if (end - p > 9 && ascii_same(p, "<!DOCTYPE", 9)) {
			p = behind_doctype(p, end);
		} else {
			return p + 1;
		}
	}
	return NULL;
}

static int holds(const char *tag, const char *end, const char *name)
{
	return memmem(tag, (size_t)(end - tag), name, strlen(name)) != NULL;
}

static int is_xml_feed(const char *text, const char *end)
{
	const char *tag = root_tag(text, end), *close = tag ? memchr(tag, '>', (size_t)(end - tag)) : NULL;

	if (!close)
		return 0;
	const char *stop = scan(tag, close, " \t\r\n/", 1), *colon = memchr(tag, ':', (size_t)(stop - tag));
	const char *name = colon ? colon + 1 : tag;
	const size_t n = (size_t)(stop - name);
	if (n == 4 && memcmp(name, "feed", n) == 0)
		return holds(tag, close, ATOM) || holds(tag, close, ATOM_OLD);
	if (n == 3 && memcmp(name, "RDF", n) == 0)
		return holds(tag, close, RSS_1) || holds(tag, close, RSS_OLD);
	return n == 3 && memcmp(name, "rss", n) == 0;
}

/* Says whether a text is UTF-16, by a mark or by its first character, which is '<' or '{'. */
static int is_wide(const char *bytes, size_t n)
{
	return n > 3 && (memcmp(bytes, "\xff\xfe", 2) == 0 || memcmp(bytes, "\xfe\xff", 2) == 0 || !bytes[0] || !bytes[1]);
}

int sitemap_is_feed(const char *bytes, size_t n)
{
	AUTO(buf) text = BUF_EMPTY;
	int is_feed = 0;

	if (is_wide(bytes, n)) {
		decode_text(bytes, n < SNIFF_BYTES ? n : SNIFF_BYTES, NULL, &text);
		bytes = text.at;
		n = text.used;
	}
	const char *end = bytes + n, *near = bytes + (n < SNIFF_BYTES ? n : SNIFF_BYTES);
	const char *p = scan(n >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? bytes + 3 : bytes, near, " \t\r\n\f", 0);
	if (p < near && *p == '<')
		is_feed = is_xml_feed(p, near);
	else if (p < near && *p == '{')
		is_feed = json_feed_is(p, (size_t)(end - p));
	return is_feed;
}

static int on_reference(void *ctx, const char *text, size_t n)
{
	struct reader *r = ctx;

	report_entry(r, text, n);
	return r->stopped;
}

static int read_json(struct reader *r, const char *text, size_t n)
{
	if (!json_feed_is(text, n))
		return -1;
	json_feed_read(text, n, on_reference, r);
	return 0;
}

int sitemap_read(const char *bytes, size_t n, const struct url *address, const char *content_type, sitemap_fn *on_entry, void *ctx)
{
	struct reader r = {.address = address, .on_entry = on_entry, .ctx = ctx, .target = URL_EMPTY, .changed = SITEMAP_UNDATED};
	struct buf unpacked = BUF_EMPTY, text = BUF_EMPTY, mended = BUF_EMPTY;

	if (n >= 2 && memcmp(bytes, "\x1f\x8b", 2) == 0) {
		(void)gzip_unpack(bytes, n, SITEMAP_MAX_BYTES, &unpacked); /* some is better than none */
		bytes = unpacked.at;
		n = unpacked.used;
	}
	decode_text(n ? bytes : "", n < SITEMAP_MAX_BYTES ? n : SITEMAP_MAX_BYTES, content_type, &text);
	buf_release(&unpacked);
	size_t start = strspn(text.at, " \t\r\n\f");
	int err;
	if (text.at[start] == '<') {
		mend_references(text.at + start, text.used - start, &mended);
		err = read_xml(&r, mended.at, mended.used);
	} else if (text.at[start] == '{') {
		err = read_json(&r, text.at + start, text.used - start);
	} else {
		err = read_text(&r, text.at, text.used);
	}
	flush(&r);
	buf_release(&text);
	buf_release(&mended);
	buf_release(&r.text);
	buf_release(&r.guid);
	for (size_t i = 0; i < BASES; i++)
		url_release(&r.base[i].url);
	url_release(&r.target);
	return err;
}
