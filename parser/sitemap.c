#include "parser/sitemap.h"
#include "parser/decode.h"
#include "parser/html_encoding.h"
#include "parser/utf8.h"

#include <archive.h>
#include <archive_entry.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <string.h>
#include <strings.h>

struct reader {
	const struct url *address;
	sitemap_fn *on_entry;
	void *ctx;
	struct url target;
	uint64_t entries;
	int stopped;

	/* of XML */
	xmlParserCtxt *parser;
	xmlChar *root_space; /* the root's namespace, NULL for none */
	enum { ROOT_UNSEEN, ROOT_SITEMAP, ROOT_FEED, ROOT_OTHER } root;
	enum { IN_NOTHING, IN_ENTRY, IN_LOC } place;
	enum sitemap_entry kind; /* of the entry */
	unsigned depth;          /* of elements of others within it, or of any within its loc */
	int told;                /* its loc was met */
	struct buf text;
};

/* What people put around a URL. */
static int is_blank(uint32_t c)
{
	return c <= ' ' || c == 0x85 || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200b) ||
	       c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000 ||
	       c == 0xfeff;
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

/* Whether a loc begins with the sitemap's own host: its scheme was forgotten. */
static int begins_with_host(const struct url *address, const char *text, size_t n)
{
	size_t length = address->host_end - address->host;

	return n >= length && strncasecmp(text, address->text.at + address->host, length) == 0 &&
	       (n == length || strchr("/:?", text[length]));
}

static enum url_result resolve(struct reader *r, const char *text, size_t n)
{
	struct buf whole = BUF_EMPTY;

	if (!begins_with_host(r->address, text, n))
		return url_parse(&r->target, text, n, r->address);
	buf_text(&whole, "//");
	buf_add(&whole, text, n);
	enum url_result result = url_parse(&r->target, whole.at, whole.used, r->address);
	buf_release(&whole);
	return result;
}

static void tell(struct reader *r, const char *text, size_t n)
{
	trim(&text, &n);
	if (!n || r->stopped || resolve(r, text, n) != URL_OK)
		return;
	r->entries++;
	r->stopped =
		r->on_entry(r->ctx, &r->target, r->kind) != 0 || r->entries >= SITEMAP_MAX_URLS;
}

static int same(const xmlChar *a, const char *b)
{
	return strcmp((const char *)a, b) == 0;
}

/* Whether an element is of the sitemap's own vocabulary, not of an extension's (images, video). */
static int is_own(const struct reader *r, const xmlChar *prefix, const xmlChar *space)
{
	if (!space)
		return !prefix;
	return (r->root_space && xmlStrEqual(space, r->root_space)) ||
	       strstr((const char *)space, "/schemas/sitemap/");
}

static void start_root(struct reader *r, const xmlChar *name, const xmlChar *space)
{
	r->root = same(name, "urlset") || same(name, "sitemapindex")             ? ROOT_SITEMAP
		  : same(name, "rss") || same(name, "feed") || same(name, "RDF") ? ROOT_FEED
										 : ROOT_OTHER;
	/* RSS 1.0 stands in a vocabulary of its own within RDF */
	r->root_space = same(name, "RDF") ? xmlCharStrdup("http://purl.org/rss/1.0/")
			: space           ? xmlStrdup(space)
					  : NULL;
	if (r->root == ROOT_OTHER)
		xmlStopParser(r->parser);
}

static int starts_entry(struct reader *r, const xmlChar *name)
{
	r->kind = SITEMAP_URL;
	if (r->root == ROOT_FEED)
		return same(name, "item") || same(name, "entry");
	if (same(name, "sitemap"))
		r->kind = SITEMAP_INDEX;
	return r->kind == SITEMAP_INDEX || same(name, "url");
}

/* A link of Atom says where in its href, unless it is not the entry's own. */
static int tell_href(struct reader *r, const xmlChar **attributes, int n)
{
	const xmlChar **href = NULL;
	int is_own_link = 1;

	for (const xmlChar **a = attributes; n > 0; n--, a += 5) {
		if (same(a[0], "href"))
			href = a;
		else if (same(a[0], "rel"))
			is_own_link = a[4] - a[3] == 9 && memcmp(a[3], "alternate", 9) == 0;
	}
	if (href && is_own_link)
		tell(r, (const char *)href[3], (size_t)(href[4] - href[3]));
	return href != NULL;
}

static void start_element(void *ctx, const xmlChar *name, const xmlChar *prefix,
	const xmlChar *space, int namespaces, const xmlChar **declared, int attributes,
	int defaulted, const xmlChar **attribute)
{
	struct reader *r = ctx;

	(void)namespaces, (void)declared, (void)defaulted;
	if (r->root == ROOT_UNSEEN) {
		start_root(r, name, space);
		return;
	}
	if (r->place == IN_LOC ||
		(r->place == IN_ENTRY && (r->depth || !is_own(r, prefix, space)))) {
		r->depth++;
		return;
	}
	if (r->place == IN_NOTHING) {
		if (is_own(r, prefix, space) && starts_entry(r, name)) {
			r->place = IN_ENTRY;
			r->told = 0;
			buf_clear(&r->text);
		}
		return;
	}
	if (!same(name, r->root == ROOT_FEED ? "link" : "loc") ||
		(r->root == ROOT_FEED && tell_href(r, attribute, attributes))) {
		r->depth++;
		return;
	}
	r->place = IN_LOC;
	r->told = 1;
	buf_clear(&r->text);
}

static void end_element(void *ctx, const xmlChar *name, const xmlChar *prefix, const xmlChar *space)
{
	struct reader *r = ctx;

	(void)name, (void)prefix, (void)space;
	if (r->place == IN_NOTHING)
		return;
	if (r->depth) {
		r->depth--;
		return;
	}
	/* a sitemap without loc elements has the URLs in their stead */
	if (r->place == IN_LOC || (!r->told && r->root == ROOT_SITEMAP))
		tell(r, r->text.at ? r->text.at : "", r->text.used);
	buf_clear(&r->text);
	r->place = r->place == IN_LOC ? IN_ENTRY : IN_NOTHING;
	if (r->stopped)
		xmlStopParser(r->parser);
}

static void characters(void *ctx, const xmlChar *text, int n)
{
	struct reader *r = ctx;

	if ((r->place == IN_LOC || (r->place == IN_ENTRY && !r->depth)) &&
		r->text.used + (size_t)n <= URL_INPUT_MAX)
		buf_add(&r->text, text, (size_t)n);
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
	xmlCtxtUseOptions(parser, XML_PARSE_RECOVER | XML_PARSE_NONET | XML_PARSE_IGNORE_ENC |
					  XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
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
		/* prose is not to be taken for relative references */
		if (memmem(bytes, (size_t)(stop - bytes), "://", 3))
			tell(r, bytes, (size_t)(stop - bytes));
		bytes = stop + (stop < end);
	}
	return r->entries ? 0 : -1;
}

/* Unpacks gzip; of a damaged stream what comes before the damage. */
static void unpack(const char *bytes, size_t n, struct buf *out)
{
	struct archive *a = archive_read_new();
	struct archive_entry *entry;
	la_ssize_t got = 0;

	archive_read_support_filter_gzip(a);
	archive_read_support_format_raw(a);
	if (archive_read_open_memory(a, bytes, n) == ARCHIVE_OK &&
		archive_read_next_header(a, &entry) == ARCHIVE_OK) {
		do {
			size_t room = SITEMAP_MAX_BYTES - out->used;
			room = room < 65536 ? room : 65536;
			got = room ? archive_read_data(a, buf_room(out, room), room) : 0;
			out->used += got > 0 ? (size_t)got : 0;
		} while (got > 0);
	}
	buf_end(out);
	archive_read_free(a);
}

/* The text as UTF-8 without fault, and without the blanks before it, which XML allows nowhere. That
 * libxml2 is not left to decode it keeps it from giving up, and from complaining on stderr. */
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

int sitemap_read(const char *bytes, size_t n, const struct url *address, const char *content_type,
	sitemap_fn *on_entry, void *ctx)
{
	struct reader r = {
		.address = address, .on_entry = on_entry, .ctx = ctx, .target = URL_EMPTY};
	struct buf unpacked = BUF_EMPTY, text = BUF_EMPTY;

	if (n >= 2 && memcmp(bytes, "\x1f\x8b", 2) == 0) {
		unpack(bytes, n, &unpacked);
		bytes = unpacked.at;
		n = unpacked.used;
	}
	decode_text(
		n ? bytes : "", n < SITEMAP_MAX_BYTES ? n : SITEMAP_MAX_BYTES, content_type, &text);
	buf_release(&unpacked);
	size_t start = strspn(text.at, " \t\r\n\f");
	int err = text.at[start] == '<' ? read_xml(&r, text.at + start, text.used - start)
					: read_text(&r, text.at, text.used);
	buf_release(&text);
	buf_release(&r.text);
	url_release(&r.target);
	return err;
}
