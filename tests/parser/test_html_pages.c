/* Real pages: our links against those of another parser, libxml2's, whose errors are known. */
#include "tests/test.h"

#include "base/ascii.h"
#include "base/buf.h"
#include "base/input.h"
#include "base/mem.h"
#include "parser/html.h"

#include <archive.h>
#include <archive_entry.h>
#include <dirent.h>
#include <libxml/HTMLparser.h>

static const char address_text[] = "http://www.example.org/dir/page.html";

/* Distinct references, as texts. */
struct set {
	char **text;
	size_t n, room;
};

static void set_add(struct set *s, const char *text)
{
	s->text = mem_grow(s->text, &s->room, s->n + 1, sizeof *s->text);
	s->text[s->n++] = mem_text(text);
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void set_sort(struct set *s)
{
	size_t kept = 0;

	if (s->n)
		qsort(s->text, s->n, sizeof *s->text, compare);
	for (size_t i = 0; i < s->n; i++) {
		if (kept && strcmp(s->text[kept - 1], s->text[i]) == 0)
			free(s->text[i]);
		else
			s->text[kept++] = s->text[i];
	}
	s->n = kept;
}

static void set_release(struct set *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->text[i]);
	free(s->text);
	*s = (struct set){0};
}

static int add_link(void *ctx, const struct url *target, unsigned kind, const char *anchor)
{
	(void)anchor;
	(void)kind;
	set_add(ctx, target->text.at);
	return 0;
}

/* What libxml2 tells. Where it differs from the standard by design:
 * - it takes what is within these elements for markup of the document: in the first it is text, in
 *   a template not the document's; */
static const char *const apart[] = {"iframe", "noembed", "noframes", "textarea", "title", "xmp", "template"};

struct other {
	struct set links;
	struct url base, target;
	unsigned within; /* such elements */
};

static int is_apart(const char *element)
{
	for (size_t i = 0; i < sizeof apart / sizeof *apart; i++)
		if (strcmp(element, apart[i]) == 0)
			return 1;
	return 0;
}

static void start(void *ctx, const xmlChar *name, const xmlChar **attribute)
{
	struct other *o = ctx;
	const char *element = (const char *)name, *href = NULL;

	o->within += (unsigned)is_apart(element);
	for (; attribute && attribute[0]; attribute += 2)
		if (strcmp((const char *)attribute[0], "href") == 0)
			href = attribute[1] ? (const char *)attribute[1] : "";
	if (href && !o->within && (strcmp(element, "a") == 0 || strcmp(element, "area") == 0) &&
		url_parse(&o->target, href, strlen(href), &o->base) == URL_OK)
		set_add(&o->links, o->target.text.at);
}

static void end(void *ctx, const xmlChar *name)
{
	struct other *o = ctx;

	o->within -= (unsigned)is_apart((const char *)name);
}

static void disable(char *bytes, size_t n, const char *word)
{
	const size_t length = strlen(word);

	for (char *p = bytes; (p = memchr(p, *word, (size_t)(bytes + n - p))) != NULL; p++)
		if ((size_t)(bytes + n - p) >= length && ascii_same(p, word, length))
			p[length - 1] = 'x';
}

/* - it stops where bytes do not fit the encoding, which it thinks to be UTF-16 where it cannot be;
 * - it hears of nothing behind the end tags of body and html. */
static void make_comparable(char *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (bytes[i] & 0x80)
			bytes[i] = '~';
	disable(bytes, n, "charset");
	disable(bytes, n, "</body");
	disable(bytes, n, "</html");
}

static void read_other(struct other *o, const char *bytes, size_t n)
{
	htmlSAXHandler handler = {.startElement = start, .endElement = end};
	htmlParserCtxtPtr parser = htmlCreatePushParserCtxt(&handler, o, NULL, 0, NULL, XML_CHAR_ENCODING_NONE);

	assert_non_null(parser);
	htmlCtxtUseOptions(parser, HTML_PARSE_RECOVER | HTML_PARSE_NOERROR | HTML_PARSE_NOWARNING);
	htmlParseChunk(parser, bytes, (int)n, 0);
	htmlParseChunk(parser, NULL, 0, 1);
	if (parser->myDoc)
		xmlFreeDoc(parser->myDoc);
	htmlFreeParserCtxt(parser);
	set_sort(&o->links);
}

struct tally {
	unsigned pages, different;
	size_t links;
};

static void compare_page(struct tally *t, const char *name, char *bytes, size_t n)
{
	struct other other = {.base = URL_EMPTY, .target = URL_EMPTY};
	struct url address = URL_EMPTY;
	struct set ours = {0};
	struct html_page page;
	size_t i = 0;

	make_comparable(bytes, n);
	assert_int_equal(url_parse(&address, address_text, strlen(address_text), NULL), URL_OK);
	html_read(bytes, n, &address, "text/html; charset=utf-8", 1u << LINK_A | 1u << LINK_AREA, UINT64_MAX, add_link, &ours,
		&page);
	set_sort(&ours);
	assert_int_equal(url_parse(&other.base, page.base.text.at, page.base.text.used, NULL), URL_OK);
	read_other(&other, bytes, n);
	while (i < ours.n && i < other.links.n && strcmp(ours.text[i], other.links.text[i]) == 0)
		i++;
	if (i < ours.n || i < other.links.n) {
		print_message("# %s: %s, not %s\n", name, i < ours.n ? ours.text[i] : "no more",
			i < other.links.n ? other.links.text[i] : "no more");
		t->different++;
	}
	t->pages++;
	t->links += ours.n;
	set_release(&ours);
	set_release(&other.links);
	html_page_release(&page);
	url_release(&other.base);
	url_release(&other.target);
	url_release(&address);
}

static void crawled_pages_have_the_links_libxml2_sees(void **state)
{
	const char *path = shared("data/uci-ics-2016-html/uci-ics-2016-html.tar.xz");
	struct archive *a = archive_read_new();
	struct archive_entry *e;
	struct tally t = {0};

	(void)state;
	archive_read_support_filter_xz(a);
	archive_read_support_format_tar(a);
	assert_int_equal(archive_read_open_filename(a, path, 65536), ARCHIVE_OK);
	for (unsigned i = 0; archive_read_next_header(a, &e) == ARCHIVE_OK; i++) {
		const char *name = archive_entry_pathname(e);
		size_t n = (size_t)archive_entry_size(e);
		if (i % 3 || n == 0 || !strstr(name, "pages/"))
			continue;
		char *bytes = mem_new(n, 1);
		assert_int_equal(archive_read_data(a, bytes, n), n);
		compare_page(&t, name, bytes, n);
		free(bytes);
	}
	archive_read_free(a);
	assert_true(t.pages > 2500 && t.links > 40000);
	assert_int_equal(t.different, 0);
}

static void saved_pages_have_the_links_libxml2_sees(void **state)
{
	char folder[4096], path[4400];
	struct tally t = {0};
	struct dirent *e;

	(void)state;
	snprintf(folder, sizeof folder, "%s", shared("suites/public/pages"));
	DIR *d = opendir(folder);
	assert_non_null(d);
	while ((e = readdir(d)) != NULL) {
		char *bytes;
		size_t n;
		if (!strstr(e->d_name, ".html"))
			continue;
		snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
		assert_int_equal(input_all(path, 64 << 20, &bytes, &n, NULL), 0);
		compare_page(&t, e->d_name, bytes, n);
		free(bytes);
	}
	closedir(d);
	assert_true(t.pages > 50 && t.links > 5000);
	assert_int_equal(t.different, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(crawled_pages_have_the_links_libxml2_sees),
		cmocka_unit_test(saved_pages_have_the_links_libxml2_sees),
	};

	return cmocka_run_group_tests_name("html pages", tests, NULL, NULL);
}
