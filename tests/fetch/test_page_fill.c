/* What is read of a page once it is there: its links, whatever its media type says, and what it tells of itself. */
#include "tests/test.h"

#include "base/long_hash.h"
#include "fetch/page_fill.h"
#include "fetch/robots_cache.h"
#include "parser/fingerprint.h"

#define ALL_KINDS ((1u << LINK_KINDS) - 1)
#define PAGES     (ALL_KINDS & ~(1u << LINK_REQUISITE | 1u << LINK_LINK))

/* A page on its way: where it came from, and what came. */
struct arrival {
	const char *url, *headers, *body; /* url: NULL is http://a.test/dir/page; headers: each with its \n */
	enum page_state state;            /* PAGE_CRAWLED unless the row says otherwise */
	unsigned status, kinds, heed;     /* 0: 200, PAGES, all of heed */
};

static struct transfer_options options;
static struct transfer transfer;
static struct page_build build, requisites;
static struct robots_cache *cache;

static int begin(void **state)
{
	(void)state;
	page_build_init(&build, 100, 1);
	page_build_init(&requisites, 100, 1);
	cache = robots_cache_new("lycosa", NULL);
	transfer = (struct transfer){.options = &options, .url = URL_EMPTY};
	return 0;
}

static int end(void **state)
{
	(void)state;
	page_build_release(&build);
	page_build_release(&requisites);
	robots_cache_free(cache);
	answer_release(&transfer.answer);
	url_release(&transfer.url);
	buf_release(&transfer.body);
	return 0;
}

/* Reads the page with `set`; its links are in *page, which the caller frees. */
static struct fetch_page *read_page(const struct arrival *a, struct fetch_settings set, const regex_t *topic)
{
	const char *url = a->url ? a->url : "http://a.test/dir/page";
	struct fetch_page head = {.result.state = a->state ? a->state : PAGE_CRAWLED, .result.outcome = OUTCOME_CRAWLED};
	struct transfer *t = &transfer;

	set.kinds = a->kinds ? a->kinds : PAGES;
	set.heed = a->heed ? a->heed : HEED_NOFOLLOW | HEED_META_ROBOTS | HEED_ROBOTS_TAG | HEED_CANONICAL;
	options.set = set;
	head.result.status = (uint16_t)(a->status ? a->status : 200);
	assert_int_equal(url_parse(&t->url, url, strlen(url), NULL), URL_OK);
	if (!t->origin)
		t->origin = robots_cache_find(cache, &t->url, 0);
	answer_reset(&t->answer);
	assert_int_equal(answer_line(&t->answer, "HTTP/1.1 200 OK\n", 16, "lycosa", 0), 0);
	for (const char *line = a->headers; line && *line; line += strcspn(line, "\n") + 1)
		assert_int_equal(answer_line(&t->answer, line, strcspn(line, "\n") + 1, "lycosa", 0), 0);
	buf_clear(&t->body);
	buf_text(&t->body, a->body ? a->body : "");
	page_fill(&build, &requisites, &head, t, topic);
	return page_build_take(&build, &head);
}

/* "KIND:URL " of each link. */
static const char *links_of(const struct fetch_page *page)
{
	static char text[2000];
	size_t n = 0;

	*text = 0;
	for (uint32_t i = 0; i < page->n; i++)
		n += (size_t)snprintf(text + n, sizeof text - n, "%d:%s ", page->kinds[i], page->text + page->start[i]);
	return text;
}

#define SET_OF_URLS "<urlset><url><loc>http://a.test/dir/s</loc></url></urlset>"
#define FEED        "<rss><channel><item><link>http://a.test/f</link></item></channel></rss>"
#define HTML        "<p><a href=x>x</a>"
#define JSON_FEED   "{\"version\":\"https://jsonfeed.org/version/1.1\",\"items\":[{\"url\":\"/f\"}]}"
#define RDF         "<?xml version='1.0'?><r:RDF xmlns:r='urn:r' xmlns='http://purl.org/rss/1.0/'><item><link>/f</link></item></r:RDF>"
#define ATOM_FEED   "<feed xmlns='http://www.w3.org/2005/Atom' xml:base='/d/'><entry><link href='f'/></entry></feed>"

static void the_links_of_a_page_are_read_by_its_media_type(void **state)
{
	static const struct {
		struct arrival a;
		const char *links;
	} rows[] = {
		{{.headers = "Content-Type: text/html\n", .body = HTML}, "0:http://a.test/dir/x "},
		{{.headers = "Content-Type: text/html; charset=utf-8\n", .body = HTML}, "0:http://a.test/dir/x "},
		{{.headers = "Content-Type: application/xhtml+xml\n", .body = HTML}, "0:http://a.test/dir/x "},
		{{.headers = "Content-Type: text/plain\n", .body = HTML}, ""},
		{{.headers = "Content-Type: image/png\n", .body = HTML}, ""},
		{{.body = "<html>" HTML}, "0:http://a.test/dir/x "},
		{{.body = "no html <a href=x>"}, ""},
		{{.headers = "Content-Type: text/html\n", .body = ""}, ""},
		/* nofollow, of a link and of all */
		{{.headers = "Content-Type: text/html\n", .body = "<a href=x rel=nofollow></a><a href=y></a>"},
			"0:http://a.test/dir/y "},
		{{.headers = "Content-Type: text/html\n", .body = "<a href=x rel=nofollow></a>", .heed = HEED_CANONICAL},
			"128:http://a.test/dir/x "},
		{{.headers = "Content-Type: text/html\n", .body = "<meta name=robots content=nofollow>" HTML}, ""},
		{{.headers = "Content-Type: text/html\n",
			 .body = "<meta name=robots content=nofollow>" HTML,
			 .heed = HEED_ROBOTS_TAG},
			"0:http://a.test/dir/x "},
		{{.headers = "Content-Type: text/html\nX-Robots-Tag: nofollow\nRefresh: 0; url=r\n", .body = HTML}, ""},
		{{.headers = "Content-Type: text/html\nX-Robots-Tag: nofollow\n", .body = "<link rel=canonical href=c>" HTML}, ""},
		{{.headers = "Content-Type: text/html\nX-Robots-Tag: nofollow\nRefresh: 0; url=r\n",
			 .body = HTML,
			 .heed = HEED_NOFOLLOW},
			"4:http://a.test/dir/r 0:http://a.test/dir/x "},
		/* the canonical link, if it is another */
		{{.headers = "Content-Type: text/html\n", .body = "<link rel=canonical href=c>" HTML},
			"0:http://a.test/dir/x 8:http://a.test/dir/c "},
		{{.headers = "Content-Type: text/html\n", .body = "<link rel=canonical href=page>" HTML}, "0:http://a.test/dir/x "},
		{{.headers = "Content-Type: text/html\n", .body = "<link rel=canonical href=c>" HTML, .heed = HEED_NOFOLLOW},
			"0:http://a.test/dir/x "},
		/* Refresh, of any media type */
		{{.headers = "Content-Type: image/png\nRefresh: 5; url=/r\n", .body = "x"}, "4:http://a.test/r "},
		{{.headers = "Content-Type: image/png\nRefresh: 5\n", .body = "x"}, ""},
		{{.headers = "Content-Type: image/png\nRefresh: 5; url=mailto:x\n", .body = "x"}, ""},
		{{.headers = "Content-Type: image/png\nRefresh: 5; url=/r\n", .body = "x", .kinds = 1u << LINK_A}, ""},
		/* feeds and sitemaps */
		{{.headers = "Content-Type: application/rss+xml\n", .body = FEED}, "7:http://a.test/f "},
		{{.headers = "Content-Type: application/atom+xml\n", .body = FEED}, "7:http://a.test/f "},
		{{.headers = "Content-Type: application/rss+xml\n", .body = FEED, .kinds = 1u << LINK_A}, ""},
		{{.headers = "Content-Type: application/xml\n", .body = SET_OF_URLS}, "6:http://a.test/dir/s "},
		{{.headers = "Content-Type: text/xml\n", .body = SET_OF_URLS}, "6:http://a.test/dir/s "},
		{{.headers = "Content-Type: text/xml\n", .body = SET_OF_URLS, .kinds = 1u << LINK_A}, ""},
		{{.headers = "Content-Type: application/gzip\n", .body = SET_OF_URLS}, "6:http://a.test/dir/s "},
		{{.headers = "Content-Type: application/x-gzip\n", .body = SET_OF_URLS}, "6:http://a.test/dir/s "},
		{{.headers = "Content-Type: text/plain\n", .body = SET_OF_URLS}, ""},
		{{.headers = "Content-Type: application/octet-stream\n", .body = SET_OF_URLS}, ""},
		{{.url = "http://a.test/dir/m.xml", .headers = "Content-Type: text/plain\n", .body = SET_OF_URLS},
			"6:http://a.test/dir/s "},
		{{.url = "http://a.test/dir/m.xml.gz?x",
			 .headers = "Content-Type: application/octet-stream\n",
			 .body = SET_OF_URLS},
			"6:http://a.test/dir/s "},
		{{.url = "http://a.test/dir/m.xml", .body = SET_OF_URLS}, "6:http://a.test/dir/s "},
		{{.url = "http://a.test/dir/m.xml", .headers = "Content-Type: image/png\n", .body = SET_OF_URLS}, ""},
		{{.url = "http://a.test/dir/?m.xml", .headers = "Content-Type: text/plain\n", .body = SET_OF_URLS}, ""},
		/* a feed by its content, whatever the media type */
		{{.headers = "Content-Type: text/xml\n", .body = FEED}, "7:http://a.test/f "},
		{{.headers = "Content-Type: application/xml\n", .body = RDF}, "7:http://a.test/f "},
		{{.headers = "Content-Type: text/plain\n", .body = RDF}, "7:http://a.test/f "},
		{{.headers = "Content-Type: text/html\n", .body = ATOM_FEED}, "7:http://a.test/d/f "},
		{{.headers = "Content-Type: application/octet-stream\n", .body = ATOM_FEED}, "7:http://a.test/d/f "},
		{{.headers = "Content-Type: application/feed+json\n", .body = JSON_FEED}, "7:http://a.test/f "},
		{{.headers = "Content-Type: application/json\n", .body = JSON_FEED}, "7:http://a.test/f "},
		{{.body = JSON_FEED}, "7:http://a.test/f "},
		{{.headers = "Content-Type: application/json\n", .body = "{\"items\":[{\"url\":\"/f\"}]}"}, ""},
		{{.headers = "Content-Type: text/xml\n", .body = FEED, .kinds = 1u << LINK_A}, ""},
		{{.headers = "Content-Type: text/xml\n", .body = "<rssfeed><item><link>/f</link></item></rssfeed>"}, ""},
		/* the feeds that a page names come last, the canonical URL before them */
		{{.headers = "Content-Type: text/html\n",
			 .body = "<link rel=alternate type=application/rss+xml href=r><link rel='alternate' type='Application/Atom+XML;"
				 "charset=utf-8' href=r2><link rel=alternate type=application/feed+json href=j><link rel=canonical href=c>"
				 "<link rel=alternate type=text/plain href=n>" HTML},
			"0:http://a.test/dir/x 8:http://a.test/dir/c 10:http://a.test/dir/r 10:http://a.test/dir/r2 10:http://a.test/dir/j "},
		{{.headers = "Content-Type: text/html\n", .body = "<link rel=feed href=r>" HTML, .kinds = 1u << LINK_A},
			"0:http://a.test/dir/x "},
		{{.headers = "Content-Type: text/html\n", .body = "<meta name=robots content=nofollow><link rel=feed href=r>"}, ""},
		/* the Link header, of any media type */
		{{.headers = "Content-Type: image/png\nLink: <n>; rel=next\nLink: </c>; rel=\"canonical\", <s.css>; rel=preload\n",
			 .body = "x"},
			"11:http://a.test/dir/n 8:http://a.test/c "},
		{{.headers = "Content-Type: text/html\nLink: <f>; rel=alternate; type=\"application/rss+xml\", <d>; rel=alternate; "
			     "hreflang=de, <page>; rel=canonical\n",
			 .body = HTML},
			"0:http://a.test/dir/x 12:http://a.test/dir/d 10:http://a.test/dir/f "},
		{{.headers = "Content-Type: text/html\nLink: <n>; rel=next\nX-Robots-Tag: nofollow\n", .body = HTML}, ""},
		{{.headers = "Content-Type: text/html\nLink: <n>; rel=next\n", .body = "<meta name=robots content=nofollow>" HTML},
			""},
		{{.headers = "Content-Type: image/png\nLink: <n>; rel=next, </c>; rel=canonical\n",
			 .body = "x",
			 .kinds = 1u << LINK_A,
			 .heed = HEED_NOFOLLOW},
			""},
		/* what a browser asks for */
		{{.headers = "Content-Type: text/html\n", .body = "<img src=i>" HTML, .kinds = PAGES | 1u << LINK_REQUISITE},
			"9:http://a.test/dir/i 0:http://a.test/dir/x "},
		{{.headers = "Content-Type: text/css\n", .body = "p{background:url(i)}", .kinds = PAGES | 1u << LINK_REQUISITE},
			"9:http://a.test/dir/i "},
		{{.headers = "Content-Type: text/css\n", .body = "p{background:url(i)}"}, ""},
		/* no page: nothing of its body */
		{{.headers = "Content-Type: text/html\n", .body = HTML, .status = 304}, ""},
		{{.headers = "Content-Type: text/html\n", .body = HTML, .state = PAGE_FAILED}, ""},
		{{.headers = "Content-Type: text/html\nLocation: to\n", .body = HTML, .state = PAGE_REDIRECTED},
			"5:http://a.test/dir/to "},
		{{.headers = "Content-Type: text/html\nLocation: mailto:x\n", .body = HTML, .state = PAGE_REDIRECTED}, ""},
	};
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct fetch_page *page = read_page(&rows[i].a, fetch_defaults, NULL);
		if (strcmp(links_of(page), rows[i].links) != 0)
			fail_msg("%s %s: %s", rows[i].a.headers ? rows[i].a.headers : "", rows[i].a.body, links_of(page));
		if (rows[i].a.state == PAGE_REDIRECTED) {
			assert_int_equal(page->result.state, *rows[i].links ? PAGE_REDIRECTED : PAGE_FAILED);
			assert_int_equal(page->result.outcome, *rows[i].links ? OUTCOME_CRAWLED : OUTCOME_NOWHERE);
		}
		fetch_page_free(page);
	}
}

static void the_feeds_of_an_origin_are_bounded(void **state)
{
	char body[200], url[100];
	uint32_t named = 0, read = 0;
	(void)state;

	for (int i = 0; i < 300; i++) {
		snprintf(body, sizeof body, "<link rel=alternate type=application/rss+xml href=/feed%d>" HTML, i);
		struct fetch_page *page =
			read_page(&(struct arrival){.headers = "Content-Type: text/html\n", .body = body}, fetch_defaults, NULL);
		named += page->n - 1;
		fetch_page_free(page);
	}
	for (int i = 0; i < 300; i++) {
		snprintf(url, sizeof url, "http://a.test/f%d", i);
		struct fetch_page *page = read_page(&(struct arrival){.url = url, .body = FEED}, fetch_defaults, NULL);
		read += page->n;
		fetch_page_free(page);
	}
	assert_true(named <= ORIGIN_MAX_NAMED && named > ORIGIN_MAX_NAMED / 2);
	assert_true(read <= ORIGIN_MAX_READ && read > ORIGIN_MAX_READ / 2);
}

static void a_page_tells_its_type_language_and_title(void **state)
{
	static const struct {
		struct arrival a;
		const char *type, *language, *title;
	} rows[] = {
		{{.headers = "Content-Type: Text/HTML; charset=utf-8\nContent-Language: de\n", .body = "<title>t</title>"},
			"text/html", "de", "t"},
		{{.headers = "Content-Type: text/html\nContent-Language: de\n", .body = "<html lang=fr><title> t  u </title>"},
			"text/html", "fr", "t u"},
		{{.headers = "Content-Type: text/html\nContent-Language: de, en\n", .body = "<p>"}, "text/html", "", ""},
		{{.headers = "Content-Language: en\n", .body = "<html><title>t</title>"}, "", "en", "t"},
		{{.headers = "Content-Type: image/png\n", .body = "<title>t</title>"}, "image/png", "", ""},
		{{.headers = "Content-Type: nonsense\n", .body = "x"}, "", "", ""},
		{{.headers = "Content-Type: text/html\n", .body = "<title>t</title>", .state = PAGE_FAILED}, "text/html", "", ""},
	};
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct fetch_page *page = read_page(&rows[i].a, fetch_defaults, NULL);
		assert_string_equal(page->about.type, rows[i].type);
		assert_string_equal(page->about.language, rows[i].language);
		assert_string_equal(page->about.title, rows[i].title);
		fetch_page_free(page);
	}
}

static void a_crawled_page_has_the_digests_that_are_asked_for(void **state)
{
	static const struct arrival row = {.url = "http://a.test/a7/b",
		.headers = "Content-Type: text/html\nETag: \"e\"\nLast-Modified: Sun, 06 Nov 1994 08:49:37 GMT\n",
		.body = "<p>one two three four five six seven eight nine ten eleven twelve <a href=x>x</a>"};
	struct arrival other = row;
	struct fetch_settings set = fetch_defaults;
	uint64_t digest[2];
	(void)state;

	struct fetch_page *page = read_page(&row, set, NULL);
	long_hash_128(row.body, strlen(row.body), digest);
	assert_memory_equal(page->result.digest, digest, sizeof digest);
	assert_int_equal(page->result.fingerprint, 0);
	assert_int_equal(page->result.simhash, 0);
	assert_int_equal(page->result.validators.modified, 784111777);
	assert_int_equal(page->result.validators.etag_length, 3);
	assert_memory_equal(page->result.validators.etag, "\"e\"", 3);
	assert_null(page->shown);
	assert_int_equal(page->line_n, 0);
	fetch_page_free(page);
	set.fingerprints = set.simhash = 1;
	page = read_page(&row, set, NULL);
	assert_true(page->result.fingerprint == fingerprint_html(row.body, strlen(row.body), row.url, strlen(row.url), NULL).hash);
	assert_true(page->result.fingerprint != 0);
	assert_true(page->result.simhash == simhash_html(row.body, strlen(row.body)));
	assert_true(page->result.simhash != 0);
	fetch_page_free(page);
	/* a URL without a number has no shape, and a short text no fingerprint */
	other.url = NULL;
	page = read_page(&other, set, NULL);
	assert_true(page->result.fingerprint != 0);
	assert_int_equal(page->result.simhash, 0);
	fetch_page_free(page);
	other.body = "<p>one two three";
	page = read_page(&other, set, NULL);
	assert_int_equal(page->result.fingerprint, 0);
	fetch_page_free(page);
	other.headers = "Content-Type: text/plain\n";
	other.body = row.body;
	page = read_page(&other, set, NULL);
	assert_int_equal(page->result.fingerprint, 0);
	fetch_page_free(page);
	other.status = 304;
	page = read_page(&other, set, NULL);
	assert_int_equal(page->result.digest[0] | page->result.digest[1], 0);
	fetch_page_free(page);
}

static void a_page_that_its_scripts_make_is_a_shell(void **state)
{
#define WORDS "Each of these words is for a reader who has no script, and there are a good many of them. "
	static const struct {
		const char *body;
		int is_shell;
	} rows[] = {
		{"<title>App</title><div id=root></div><script src=/app.js></script>", 1},
		{"<body><noscript>You need to enable JavaScript to run this app.</noscript><div id=app></div><script>boot()</script>",
			1},
		{"<a href=/imprint>i</a><script>" WORDS WORDS WORDS "</script>", 1},
		{"<div id=root></div>", 0},
		{"<p>" WORDS WORDS WORDS "<script src=/x.js></script>", 0},
		{"<a href=1>1</a><a href=2>2</a><a href=3>3</a><script src=/x.js></script>", 0},
		{"<iframe src=/in></iframe><script src=/x.js></script>", 0},
		{"<frameset><frame src=/a></frameset><script src=/x.js></script>", 0},
	};
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct fetch_page *page = read_page(&(struct arrival){.headers = "Content-Type: text/html\n", .body = rows[i].body},
			fetch_defaults, NULL);
		if (page->result.is_shell != rows[i].is_shell)
			fail_msg("%s: %d", rows[i].body, page->result.is_shell);
		fetch_page_free(page);
	}
}

static void commands_are_shown_the_page(void **state)
{
	static const struct arrival row = {.headers = "Content-Type: text/html\n", .body = HTML}, empty = {.body = ""},
				    unchanged = {.status = 304, .body = ""};
	static const char shown[] = "http://a.test/dir/page\0" HTML;
	static char any; /* neither is called */
	struct fetch_settings set = fetch_defaults;
	(void)state;

	set.scorer = (struct page_service *)(void *)&any;
	set.runner = (struct page_service *)(void *)&any;
	struct fetch_page *page = read_page(&row, set, NULL);
	assert_int_equal(page->shown_n, sizeof shown - 1);
	assert_memory_equal(page->shown, shown, sizeof shown - 1);
	assert_memory_equal(page->line, "{\"url\":\"http://a.test/dir/page\",\"status\":200,\"type\":\"text/html\"", 60);
	assert_int_equal(page->line[page->line_n - 1], '\n');
	fetch_page_free(page);
	page = read_page(&empty, set, NULL);
	assert_int_equal(page->shown_n, 23);
	assert_non_null(strstr(page->line, "\"type\":null,\"body\":\"\"}\n"));
	fetch_page_free(page);
	page = read_page(&unchanged, set, NULL);
	assert_null(page->shown);
	assert_int_equal(page->line_n, 0);
	fetch_page_free(page);
}

static void a_page_off_the_topic_keeps_no_links(void **state)
{
	static const struct arrival on = {.headers = "Content-Type: text/html\n", .body = "<title>t</title><p>topic " HTML},
				    off = {.headers = "Content-Type: text/html\n", .body = "<p>other " HTML},
				    plain = {.headers = "Content-Type: application/xml\n", .body = SET_OF_URLS};
	regex_t topic;
	(void)state;

	assert_int_equal(regcomp(&topic, "topic", REG_EXTENDED | REG_NOSUB), 0);
	struct fetch_page *page = read_page(&on, fetch_defaults, &topic);
	assert_int_equal(page->n, 1);
	assert_false(page->result.is_off_topic);
	fetch_page_free(page);
	page = read_page(&off, fetch_defaults, &topic);
	assert_int_equal(page->n, 0);
	assert_true(page->result.is_off_topic);
	fetch_page_free(page);
	page = read_page(&plain, fetch_defaults, &topic);
	assert_int_equal(page->n, 1);
	assert_false(page->result.is_off_topic);
	fetch_page_free(page);
	regfree(&topic);
}

static void requisites_are_told_beside_the_links(void **state)
{
	static const struct arrival html = {.headers = "Content-Type: text/html\n",
					    .body = "<img src=i><img src=j><img src=i>" HTML},
				    css = {.headers = "Content-Type: text/css\n", .body = "p{background:url(k)}"};
	static const char want[] = "http://a.test/dir/i\0http://a.test/dir/j";
	struct fetch_settings set = fetch_defaults;
	(void)state;

	struct fetch_page *page = read_page(&html, set, NULL);
	assert_int_equal(page->result.requisites_n, 0);
	fetch_page_free(page);
	set.requisites = 1;
	page = read_page(&html, set, NULL);
	assert_string_equal(links_of(page), "0:http://a.test/dir/x ");
	assert_int_equal(page->result.requisites_n, sizeof want);
	assert_memory_equal(page->result.requisites, want, sizeof want);
	fetch_page_free(page);
	page = read_page(&css, set, NULL);
	assert_int_equal(page->n, 0);
	assert_string_equal(page->result.requisites, "http://a.test/dir/k");
	fetch_page_free(page);
}

/* The sitemaps that the indexes of an origin name are bounded, and one that an index has named is no index. */
static void endless_sitemaps_end(void **state)
{
	struct arrival row = {.headers = "Content-Type: text/xml\n"};
	struct buf body = BUF_EMPTY;
	struct fetch_page *page;
	(void)state;

	buf_text(&body, "<sitemapindex>");
	for (int i = 0; i < ORIGIN_MAX_NAMED + 10 && i < 90; i++)
		buf_format(&body, "<sitemap><loc>http://a.test/dir/%d.xml</loc></sitemap>", i);
	buf_text(&body, "</sitemapindex>");
	row.body = body.at;
	page = read_page(&row, fetch_defaults, NULL);
	assert_int_equal(page->n, 90);
	fetch_page_free(page);
	/* named: no index, but a set of URLs as any other */
	row.url = "http://a.test/dir/7.xml";
	page = read_page(&row, fetch_defaults, NULL);
	assert_int_equal(page->n, 0);
	fetch_page_free(page);
	row.body = SET_OF_URLS;
	page = read_page(&row, fetch_defaults, NULL);
	assert_int_equal(page->n, 1);
	fetch_page_free(page);
	/* another index may name what is left, and name again what is named */
	buf_clear(&body);
	buf_text(&body, "<sitemapindex>");
	for (int i = 80; i < ORIGIN_MAX_NAMED + 20; i++)
		buf_format(&body, "<sitemap><loc>http://a.test/dir/%d.xml</loc></sitemap>", i);
	buf_text(&body, "</sitemapindex>");
	row.body = body.at;
	row.url = "http://a.test/other.xml";
	page = read_page(&row, fetch_defaults, NULL);
	assert_int_equal(page->n, ORIGIN_MAX_NAMED - 80);
	fetch_page_free(page);
	/* so many are read of an origin, and no more */
	row.body = SET_OF_URLS;
	for (int read = 4; read < ORIGIN_MAX_READ + 3; read++) {
		page = read_page(&row, fetch_defaults, NULL);
		if (page->n != (read < ORIGIN_MAX_READ))
			fail_msg("document %d", read);
		fetch_page_free(page);
	}
	buf_release(&body);
}

static void what_robots_txt_names_is_a_sitemap(void **state)
{
	static const char robots[] = "Sitemap: /a\nSitemap: http://a.test/dir/page\nSitemap: http://b.test/x\n";
	static const struct arrival named = {.headers = "Content-Type: text/plain\n", .body = SET_OF_URLS},
				    other = {.url = "http://a.test/dir/pag",
					    .headers = "Content-Type: text/plain\n",
					    .body = SET_OF_URLS};
	(void)state;

	struct fetch_page *page = read_page(&named, fetch_defaults, NULL);
	assert_int_equal(page->n, 0);
	fetch_page_free(page);
	robots_cache_rules(cache, transfer.origin, robots, strlen(robots), 0);
	page = read_page(&named, fetch_defaults, NULL);
	assert_int_equal(page->n, 1);
	fetch_page_free(page);
	page = read_page(&other, fetch_defaults, NULL);
	assert_int_equal(page->n, 0);
	fetch_page_free(page);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(the_links_of_a_page_are_read_by_its_media_type),
		TEST(a_page_tells_its_type_language_and_title),
		TEST(a_crawled_page_has_the_digests_that_are_asked_for),
		TEST(a_page_that_its_scripts_make_is_a_shell),
		TEST(commands_are_shown_the_page),
		TEST(a_page_off_the_topic_keeps_no_links),
		TEST(requisites_are_told_beside_the_links),
		TEST(endless_sitemaps_end),
		TEST(what_robots_txt_names_is_a_sitemap),
		TEST(the_feeds_of_an_origin_are_bounded),
	};

	return cmocka_run_group_tests_name("page_fill", tests, NULL, NULL);
}
