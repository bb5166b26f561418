#include "tests/test.h"

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "parser/sitemap.h"

#include <archive.h>
#include <archive_entry.h>

/* Appends " url" or " @sitemap"; the address's origin is left out. */
static int add_entry(void *ctx, const struct url *target, enum sitemap_entry kind, int64_t changed)
{
	const char *text = target->text.at;

	if (strncmp(text, "http://h/", 9) == 0)
		text += strlen("http://h");
	buf_format(ctx, " %s%s", kind == SITEMAP_INDEX ? "@" : "", text);
	if (changed != SITEMAP_UNDATED)
		buf_format(ctx, "=%lld", (long long)changed);
	return 0;
}

static int read_entries(struct buf *entries, const char *bytes, size_t n)
{
	struct url address = URL_EMPTY;

	buf_clear(entries);
	buf_end(entries);
	assert_int_equal(url_parse(&address, "http://h/d/s.xml", 16, NULL), URL_OK);
	int result = sitemap_read(bytes, n, &address, "text/xml", add_entry, entries);
	url_release(&address);
	return result;
}

#define SPACE   "http://www.sitemaps.org/schemas/sitemap/0.9"
#define SET(in) "<urlset xmlns='" SPACE "'>" in "</urlset>"

struct row {
	const char *text, *want;
	int result;
};

static void assert_rows(const struct row *row, size_t n)
{
	struct buf entries = BUF_EMPTY;

	for (; n; n--, row++) {
		int result = read_entries(&entries, row->text, strlen(row->text));
		if (result != row->result || strcmp(entries.at, row->want) != 0)
			fail_msg("<%s>: %d <%s>, not <%s>", row->text, result, entries.at, row->want);
	}
	buf_release(&entries);
}

#define ROWS(table) table, sizeof(table) / sizeof *(table)

static void entries_of_xml_are_told_in_order(void **state)
{
	static const struct row row[] = {
		{SET("<url><loc>http://h/1</loc></url><url><loc>http://k/2</loc></url>"), " /1 http://k/2", 0},
		{"<sitemapindex><sitemap><loc>http://h/1</loc></sitemap></sitemapindex>", " @/1", 0},
		{SET(""), "", 0},
		{"\n\n<?xml version='1.0'?>" SET("<url><loc>\n /1 \n</loc></url>"), " /1", 0},
		{"\xef\xbb\xbf<?xml version='1.0'?>" SET("<url><loc>/1</loc></url>"), " /1", 0},
		{SET("<url><loc><![CDATA[ /?a&b ]]></loc></url>"), " /?a&b", 0},
		{SET("<url><loc>/?a&amp;b&#38;c</loc></url>"), " /?a&b&c", 0},
		{SET("<url><loc>/1#x</loc><lastmod>/2</lastmod></url>"), " /1", 0},
		{SET("<url><loc>/1</loc><loc>/2</loc></url>"), " /1 /2", 0},
		{SET("<url>/1</url><url><loc>/2</loc>/3</url>"), " /1 /2", 0},
		{SET("<url><loc><url>/1</url></loc></url>"), " /1", 0},
		{SET("<loc>/1</loc>"), "", 0},
		{SET("<url><loc>\xc2\xa0/1\xe3\x80\x80\xef\xbb\xbf</loc></url>"), " /1", 0},
		{SET("<url><loc>\xe2\x80\x8b</loc></url>"), "", 0},
		{SET("<url><loc>H/1</loc></url><url><loc>h</loc></url><url><loc>hh/1</loc></url>"), " /1 / /d/hh/1", 0},
		{SET("<url><loc>mailto:x</loc></url><url><loc>http://[</loc></url>"), "", 0},
		{SET("<url><i:image "
		     "xmlns:i='urn:i'><i:loc>/1</i:loc></i:image><loc>/2</loc></url>"),
			" /2", 0},
		{SET("<url><image xmlns='urn:i'><loc>/1</loc></image><loc>/2</loc></url>"), " /2", 0},
		{SET("<url><image:loc>/1</image:loc><loc>/2</loc></url>"), " /2", 0},
		{SET("<url xmlns=''><loc>/1</loc></url>"), " /1", 0},
		{"<s:urlset xmlns:s='urn:s'><s:url><s:loc>/1</s:loc></s:url></s:urlset>", " /1", 0},
		{"<urlset xmlns='urn:s'><url xmlns='" SPACE "'><loc>/1</loc></url></urlset>", " /1", 0},
	};

	(void)state;
	assert_rows(ROWS(row));
}

static void feeds_are_sitemaps_too(void **state)
{
	static const struct row row[] = {
		{"<rss><channel><link>/0</link><item><title>t</title><link>/1</link></item></"
		 "channel>"
		 "</rss>",
			" /1", 0},
		{"<feed xmlns='http://www.w3.org/2005/Atom'><link href='/0'/><entry><link "
		 "href='/1'/>"
		 "<link rel='alternate' href='/2'/><link rel='edit' href='/3'/></entry></feed>",
			" /1 /2", 0},
		{"<!DOCTYPE feed><feed><entry><link href='/?a=1&amp;b&#38;c'/></entry></feed>", " /?a=1&b&c", 0},
		{"<!DOCTYPE f [<!ENTITY x '/y'><!ENTITY z SYSTEM 'file:///etc/hostname'>]>"
		 "<feed><entry><link href='/a&x;&z;'/></entry></feed>",
			" /a", 0},
		{"<r:RDF xmlns:r='urn:r' "
		 "xmlns='http://purl.org/rss/1.0/'><item><link>/1</link></item>"
		 "</r:RDF>",
			" /1", 0},
	};

	(void)state;
	assert_rows(ROWS(row));
}

#define ATOM "<feed xmlns='http://www.w3.org/2005/Atom'"

static void items_of_every_kind_of_feed_are_told(void **state)
{
	static const struct row row[] = {
		/* RSS 0.9 and 1.0 within RDF, whose channel is no item */
		{"<?xml version='1.0'?><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' "
		 "xmlns='http://my.netscape.com/rdf/simple/0.9/'><channel><link>/0</link></channel><item><link>/1</link></item></rdf:RDF>",
			" /1", 0},
		{"<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns:rss='http://purl.org/rss/1.0/'>"
		 "<rss:item rdf:about='/0'><rss:link>/1</rss:link></rss:item></rdf:RDF>",
			" /1", 0},
		/* the guid stands for a link that is missing, if it is an address */
		{"<rss><item><guid>http://h/1</guid></item><item><guid>x:2</guid></item><item><guid "
		 "isPermaLink='false'>http://h/3</guid></item><item><guid>http://h/4</guid><link>/5</link></item></rss>",
			" /1 /5", 0},
		{"<rss xmlns:a='http://www.w3.org/2005/Atom'><channel><a:link rel='self' href='/0'/><a:link rel='next' href='/n'/>"
		 "<item><a:link href='/2'/><link>/1</link></item></channel></rss>",
			" /n /1", 0},
		{"<feed xmlns='http://purl.org/atom/ns#' version='0.3'><entry><link rel='alternate' href='/1'/></entry></feed>",
			" /1", 0},
		{ATOM "><link href='/0'/><link rel='prev-archive' href='/p'/><entry><link href='/1'/></entry></feed>", " /p /1", 0},
		/* relative references */
		{ATOM " xml:base='/a/'><entry xml:base='b/'><link href='1'/></entry><entry><link xml:base='http://k/' href='2'/>"
		      "<link href='3'/></entry></feed>",
			" /a/b/1 http://k/2 /a/3", 0},
		{"<rss xml:base='mailto:x'><item><link>1</link></item></rss>", " /d/1", 0},
		/* JSON Feed */
		{"{\"version\":\"https://jsonfeed.org/version/1.1\",\"home_page_url\":\"/0\",\"next_url\":\"/n\",\"items\":"
		 "[{\"url\":\"/1\",\"author\":{\"url\":\"/0\"}},{\"url\" : \"2\",\"external_url\":\"http:\\/\\/k\\u002f3\"}]}",
			" /n /1 /d/2 http://k/3", 0},
		{"\xef\xbb\xbf {\"items\":[{\"id\":\"url\",\"tags\":[\"url\",\"/0\"],\"url\":\"/1\"},[\"url\",\"/0\"]],"
		 "\"x\":[[{\"url\":\"/0\"}]],\"version\":\"https:\\/\\/jsonfeed.org\\/version\\/1\"}",
			" /1", 0},
		{"{\"items\":[{\"url\":\"/1\"}]}", "", -1},
		{"{\"version\":\"https://jsonfeed.org/version/1\",\"items\":[{\"url\":\"/1\"},{\"url\":\"/2", " /1", 0},
	};

	(void)state;
	assert_rows(ROWS(row));
}

static void the_content_shows_a_feed(void **state)
{
	static const struct {
		const char *text;
		int want;
	} row[] = {
		{"<rss version='2.0'>", 1},
		{"\xef\xbb\xbf\r\n<?xml version='1.0'?><?xml-stylesheet href='a>b'?><!-- <html> --><rss>", 1},
		{"<!DOCTYPE rss PUBLIC '-//N//DTD RSS 0.91//EN' 'http://my.netscape.com/rss-0.91.dtd'><rss version='0.91'>", 1},
		{"<!DOCTYPE rss [<!ENTITY a 'b'>]><rss>", 1},
		{ATOM ">", 1},
		{"<a:feed xmlns:a='http://www.w3.org/2005/Atom'>", 1},
		{"<r:RDF xmlns='http://purl.org/rss/1.0/'>", 1},
		{"{\"a\":{\"version\":\"no\"},\"version\":\"https://jsonfeed.org/version/1\"}", 1},
		{"<urlset xmlns='x'>", 0},
		{"<s:sitemapindex>", 0},
		/* what only looks like these */
		{"<feed><entry/></feed>", 0},
		{"<rdf:RDF xmlns:foaf='http://xmlns.com/foaf/0.1/'>", 0},
		{"<rssfeed>", 0},
		{"<html><!-- <rss> --><p>&lt;rss>", 0},
		{"<!DOCTYPE html><rss>", 0},
		{"<!doctype HTML><rss>", 0},
		{"{\"a\":{\"version\":\"https://jsonfeed.org/version/1\"}}", 0},
		{"{\"version\":1,\"see\":\"https://jsonfeed.org/version/1\"}", 0},
		{"[\"https://jsonfeed.org/version/1\"]", 0},
		{"text <rss>", 0},
		{"<rss", 0},
		{"<!DOCTYPE", 0},
		{"<!--", 0},
		{"<", 0},
		{"", 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		char *exact = mem_part(row[i].text, strlen(row[i].text)); /* a byte too far is noticed */
		if (sitemap_is_feed(exact, strlen(row[i].text)) != row[i].want)
			fail_msg("<%s> is %d", row[i].text, !row[i].want);
		free(exact);
	}
	assert_int_equal(sitemap_is_feed("\xff\xfe<\0r\0s\0s\0>\0", 12), 1);
}

static void hostile_feeds_cost_little(void **state)
{
	struct buf deep = BUF_EMPTY, entries = BUF_EMPTY;
	const int64_t start = clock_cpu_ns();

	(void)state;
	buf_text(&deep, "{\"version\":\"https://jsonfeed.org/version/1\",\"x\":");
	for (int i = 0; i < 1000000; i++)
		buf_text(&deep, "[{\"a\":");
	assert_true(sitemap_is_feed(deep.at, deep.used));
	assert_int_equal(read_entries(&entries, deep.at, deep.used), 0);
	assert_string_equal(entries.at, "");
	buf_clear(&deep);
	for (int i = 0; i < 100; i++)
		buf_text(&deep, i ? "<item xml:base='a/'>" : "<rss>");
	buf_text(&deep, "<link>1</link>");
	assert_int_equal(read_entries(&entries, deep.at, deep.used), 0);
	buf_clear(&deep);
	for (int i = 0; i < 200000; i++)
		buf_text(&deep, "<!-- ");
	assert_false(sitemap_is_feed(deep.at, deep.used));
	assert_true(clock_cpu_ns() - start < (int64_t)1000000000 * slowness());
	buf_release(&deep);
	buf_release(&entries);
}

static void entries_before_damage_are_told(void **state)
{
	static const struct row row[] = {
		{"<urlset><url><loc>/1</loc></url><url><loc>/2", " /1", 0},
		{"<urlset><url><loc>/1</loc></url", " /1", 0},
		{"<urlset><url><loc>/1</url></urlset>", " /1", 0},
		{"<urlset", "", 0},
		{"<html><body><url><loc>/1</loc></url></body></html>", "", -1},
		{"<", "", -1},
		{"", "", -1},
		{" \n", "", -1},
		{"nothing to see", "", -1},
	};

	(void)state;
	assert_rows(ROWS(row));
}

static void an_entry_has_the_date_of_its_lastmod(void **state)
{
	static const struct row row[] = {
		{SET("<url><loc>/1</loc><lastmod> 1970-01-01T00:00:05Z </lastmod></url><url><loc>/2</loc></url>"), " /1=5 /2", 0},
		{SET("<url><lastmod>1970-01-01T00:00:05Z</lastmod><loc>/1</loc></url>"), " /1=5", 0},
		{SET("<url>/1<lastmod>1970-01-01T00:00:05Z</lastmod></url>"), " /1=5", 0},
		{SET("<url><loc>/1</loc><lastmod>1970-01-01T00:00:05Z</lastmod><url><loc>/2</loc></url>"), " /1=5 /2", 0},
		{SET("<url><loc>/1</loc><lastmod>yesterday</lastmod></url>"), " /1", 0},
		{SET("<url><loc>/1</loc><x:lastmod xmlns:x='urn:x'>1970-01-01T00:00:05Z</x:lastmod></url>"), " /1", 0},
		/* damaged XML */
		{SET("<url><loc>/1</loc><lastmod>1970-01-01T00:00:05Z</url>"), " /1=5", 0},
		{"<urlset><url><loc>/1</loc><lastmod>1970", " /1", 0},
		{"<sitemapindex><sitemap><loc>/1</loc><lastmod>1970-01-01T00:00:05Z</lastmod></sitemap></sitemapindex>", " @/1=5",
			0},
	};

	(void)state;
	assert_rows(ROWS(row));
}

static void a_date_is_the_last_second_that_it_may_mean(void **state)
{
	enum { DAY = 86400 };
	static const struct {
		const char *text;
		int64_t want;
	} row[] = {
		{"1970-01-01T00:00:00Z", 0},
		{"2000-02-29T23:59:60Z", 951868800},
		{"2024-02-29T12:34:56+00:00", 1709210096},
		{"2024-03-01T00:00:00Z", 1709251200},
		{" 2024-02-29T12:34:56.789+02:00\n", 1709202896},
		{"2024-02-29T12:34:56-0530", 1709229896},
		{"2024-02-29T12:34Z", 1709210099},
		{"1969-12-31T23:59:58Z", -2},
		{"0001-01-01T00:00:00Z", -62135596800},
		{"9999-12-31T23:59:59Z", 253402300799},
		/* without a zone, or less: in the zone farthest west */
		{"1970-01-01T00:00:00", DAY / 2},
		{"1970-01-02", 2 * DAY - 1 + DAY / 2},
		{"1970-01", 31 * DAY - 1 + DAY / 2},
		{"1970", 366 * DAY - 1 + DAY / 2},
		{"", SITEMAP_UNDATED},
		{"-2024-01-01", SITEMAP_UNDATED},
		{"-0001-01-01T00:00:00Z", SITEMAP_UNDATED},
		{"12024-01-01", SITEMAP_UNDATED},
		{"2024-13-01", SITEMAP_UNDATED},
		{"2024-01-32", SITEMAP_UNDATED},
		{"2024-00-01", SITEMAP_UNDATED},
		{"2024-01-01T25:00:00Z", SITEMAP_UNDATED},
		{"2024-01-01T10:61:00Z", SITEMAP_UNDATED},
		{"2024-01-01T10:00:00X", SITEMAP_UNDATED},
		{"2024-01-01T10:00:00+1", SITEMAP_UNDATED},
		{"2024-01-01T10", SITEMAP_UNDATED},
		{"2024-01-01Z", SITEMAP_UNDATED},
		{"20240101", SITEMAP_UNDATED},
		{"01/02/2024", SITEMAP_UNDATED},
		{"Mon, 01 Jan 2024 00:00:00 GMT", SITEMAP_UNDATED},
		{"2024-01-01T10:00:00.00000000000000000000000000000000000000000Z", SITEMAP_UNDATED},
		{"{{ page.date }}", SITEMAP_UNDATED},
	};

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof *row; i++)
		if (sitemap_date(row[i].text, strlen(row[i].text)) != row[i].want)
			fail_msg("<%s>: %lld", row[i].text, (long long)sitemap_date(row[i].text, strlen(row[i].text)));
}

static void references_that_xml_lacks_are_mended(void **state)
{
	static const struct row row[] = {
		{SET("<url><loc>/1&nbsp;</loc></url><url><loc>/2</loc></url>"), " /1 /2", 0},
		{SET("<url><loc>/caf&eacute;</loc></url>"), " /caf%C3%A9", 0},
		{SET("<url><loc>/?a=1&b=2&amp;c&copy=3&AMP;d&</loc></url>"), " /?a=1&b=2&c&copy=3&d&", 0},
		{SET("<url><loc>/?&x;&#x;&#;&#xg;&#38;&#x3c;</loc></url>"), " /?&x;&", 0},
		{SET("<url><loc>/?&bne;&lt;&NotEqualTilde;</loc></url>"), " /?=%E2%83%A5%3C%E2%89%82%CC%B8", 0},
		{SET("<!-- & <loc>&nbsp; --><?x &?><url><loc><![CDATA[/?&eacute;&]]></loc></url>"), " /?&eacute;&", 0},
		{"<feed><title>Q&A &mdash; R&amp;D</title><entry><link href='/?a&b&eacute;'/></entry></feed>", " /?a&b%C3%A9", 0},
		{SET("<url><loc>/1</loc></url><!-- &nbsp;"), " /1", 0},
		{SET("<url><loc>/1</loc></url>") "&", " /1", 0},
	};

	(void)state;
	assert_rows(ROWS(row));
}

static void an_end_tag_forgotten_costs_no_other_entry(void **state)
{
	static const struct row row[] = {
		{SET("<url><loc>/1<url><loc>/2</loc></url>"), " /1 /2", 0},
		{SET("<url><loc>/1</url><url><loc>/2</loc></url>"), " /1 /2", 0},
		{SET("<url><loc>/1</loc><url><loc>/2</loc></url>"), " /1 /2", 0},
		{SET("<url><loc>/1<br></loc></url><url><loc>/2</loc></url>"), " /1 /2", 0},
		{SET("<url><lastmod><x>/0</url><url><loc>/2</loc></url>"), " /2", 0},
		{"<sitemapindex><sitemap><loc>/1</loc><lastmod/><sitemap><loc>/2</loc></sitemapindex>", " @/1 @/2", 0},
	};

	(void)state;
	assert_rows(ROWS(row));
}

static void text_has_a_url_a_line(void **state)
{
	static const struct row row[] = {
		{"http://h/1\nhttps://k/2\r\n\r\n  http://h/3 ", " /1 https://k/2 /3", 0},
		{"\xef\xbb\xbfhttp://h/1", " /1", 0},
		{"# a comment\nhttp://h/1\rftp://h/2\n", " /1", 0},
		/* a line without a scheme is no URL, whatever it has within */
		{"/a\nb.html\n/go?to=http://h/x\nsee http://h/y\n//h/z?http://\nh/w\nHTTPS://k/1\n", " https://k/1", 0},
	};

	(void)state;
	assert_rows(ROWS(row));
}

static void entities_are_neither_expanded_nor_fetched(void **state)
{
	static const struct row row[] = {
		{"<!DOCTYPE u [<!ENTITY a '/x'><!ENTITY b SYSTEM 'file:///etc/hostname'>]>"
		 "<urlset><url><loc>/1&a;&b;</loc></url></urlset>",
			" /1", 0},
		{"<!DOCTYPE urlset SYSTEM 'http://127.0.0.1:9/x.dtd'><urlset><url><loc>/1&x;</loc>"
		 "</url></urlset>",
			" /1", 0},
	};
	struct buf bomb = BUF_EMPTY, entries = BUF_EMPTY;
	int64_t start = clock_cpu_ns();

	(void)state;
	assert_rows(ROWS(row));
	buf_text(&bomb, "<!DOCTYPE u [<!ENTITY e0 'xxxxxxxxxx'>");
	for (int i = 1; i < 30; i++) {
		buf_format(&bomb, "<!ENTITY e%d '", i);
		for (int j = 0; j < 10; j++)
			buf_format(&bomb, "&e%d;", i - 1);
		buf_text(&bomb, "'>");
	}
	buf_text(&bomb, "]><urlset a='&e29;'><url><loc>/1&e29;</loc></url></urlset>");
	read_entries(&entries, bomb.at, bomb.used);
	assert_true(entries.used < 100);
	assert_true(clock_cpu_ns() - start < (int64_t)1000000000 * slowness());
	buf_release(&bomb);
	buf_release(&entries);
}

static void utf_16_is_read(void **state)
{
	static const char ascii[] = "<urlset><url><loc>/1</loc></url></urlset>";
	struct buf wide = BUF_EMPTY, entries = BUF_EMPTY;

	(void)state;
	for (int big = 0; big < 2; big++) {
		buf_clear(&wide);
		buf_add(&wide, big ? "\xfe\xff" : "\xff\xfe", 2);
		for (const char *p = ascii; *p; p++) {
			buf_byte(&wide, big ? 0 : *p);
			buf_byte(&wide, big ? *p : 0);
		}
		assert_int_equal(read_entries(&entries, wide.at, wide.used), 0);
		assert_string_equal(entries.at, " /1");
	}
	buf_release(&wide);
	buf_release(&entries);
}

static size_t pack(char *to, size_t room, const char *bytes, size_t n)
{
	struct archive *a = archive_write_new();
	struct archive_entry *e = archive_entry_new();
	size_t used = 0;

	archive_write_add_filter_gzip(a);
	archive_write_set_format_raw(a);
	archive_write_set_bytes_in_last_block(a, 1);
	assert_int_equal(archive_write_open_memory(a, to, room, &used), ARCHIVE_OK);
	archive_entry_set_filetype(e, AE_IFREG);
	archive_write_header(a, e);
	assert_int_equal(archive_write_data(a, bytes, n), n);
	archive_entry_free(e);
	archive_write_close(a);
	archive_write_free(a);
	return used;
}

static void gzip_is_unpacked_up_to_the_limit(void **state)
{
	static const char text[] = SET("<url><loc>/1</loc></url>");
	static char packed[1 << 20];
	struct buf entries = BUF_EMPTY, large = BUF_EMPTY;

	(void)state;
	size_t n = pack(packed, sizeof packed, text, sizeof text - 1);
	assert_int_equal(read_entries(&entries, packed, n), 0);
	assert_string_equal(entries.at, " /1");
	read_entries(&entries, packed, n / 2); /* whatever is left of it */
	assert_int_equal(read_entries(&entries, packed, 2), -1);

	buf_text(&large, "<urlset><url><loc>/1</loc></url>");
	memset(buf_room(&large, SITEMAP_MAX_BYTES), ' ', SITEMAP_MAX_BYTES);
	large.used += SITEMAP_MAX_BYTES;
	buf_text(&large, "<url><loc>/2</loc></url></urlset>");
	n = pack(packed, sizeof packed, large.at, large.used);
	assert_int_equal(read_entries(&entries, packed, n), 0);
	assert_string_equal(entries.at, " /1");
	buf_release(&entries);
	buf_release(&large);
}

static int count(void *ctx, const struct url *target, enum sitemap_entry kind, int64_t changed)
{
	(void)target, (void)kind, (void)changed;
	return ++*(unsigned *)ctx == 70000;
}

static int count_three(void *ctx, const struct url *target, enum sitemap_entry kind, int64_t changed)
{
	(void)target, (void)kind, (void)changed;
	return ++*(unsigned *)ctx == 3;
}

static void no_more_are_told_than_allowed(void **state)
{
	struct buf xml = BUF_EMPTY, text = BUF_EMPTY;
	struct url address = URL_EMPTY;
	unsigned n = 0;

	(void)state;
	buf_text(&xml, "<urlset>");
	for (unsigned i = 0; i < SITEMAP_MAX_URLS + 100; i++) {
		buf_text(&xml, "<url><loc>/1</loc></url>");
		buf_text(&text, "http://h/1\n");
	}
	assert_int_equal(url_parse(&address, "http://h/", 9, NULL), URL_OK);
	assert_int_equal(sitemap_read(xml.at, xml.used, &address, NULL, count, &n), 0);
	assert_int_equal(n, SITEMAP_MAX_URLS);
	n = 0;
	assert_int_equal(sitemap_read(text.at, text.used, &address, NULL, count, &n), 0);
	assert_int_equal(n, SITEMAP_MAX_URLS);
	n = 0;
	assert_int_equal(sitemap_read(xml.at, xml.used, &address, NULL, count_three, &n), 0);
	assert_int_equal(n, 3);
	url_release(&address);
	buf_release(&xml);
	buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(entries_of_xml_are_told_in_order),
		cmocka_unit_test(feeds_are_sitemaps_too),
		cmocka_unit_test(items_of_every_kind_of_feed_are_told),
		cmocka_unit_test(the_content_shows_a_feed),
		cmocka_unit_test(hostile_feeds_cost_little),
		cmocka_unit_test(entries_before_damage_are_told),
		cmocka_unit_test(an_entry_has_the_date_of_its_lastmod),
		cmocka_unit_test(a_date_is_the_last_second_that_it_may_mean),
		cmocka_unit_test(references_that_xml_lacks_are_mended),
		cmocka_unit_test(an_end_tag_forgotten_costs_no_other_entry),
		cmocka_unit_test(text_has_a_url_a_line),
		cmocka_unit_test(entities_are_neither_expanded_nor_fetched),
		cmocka_unit_test(utf_16_is_read),
		cmocka_unit_test(gzip_is_unpacked_up_to_the_limit),
		cmocka_unit_test(no_more_are_told_than_allowed),
	};

	return cmocka_run_group_tests_name("sitemap", tests, NULL, NULL);
}
