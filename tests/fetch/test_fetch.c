#include "tests/fetch/fetching.h"

#include "fetch/guard.h"

struct case_row {
	struct web_row row;
	enum page_state state;
	enum outcome error;
	unsigned status;
	const char *links; /* NULL: none */
};

/* clang-format off */
static const struct case_row cases[] = {
	{{"/fine", .body = TWO_LINKS}, PAGE_CRAWLED, OUTCOME_CRAWLED, 200, "/one /two?x=1"},
	{{"/chunked", .body = TWO_LINKS, .fault = WEB_CHUNKED}, PAGE_CRAWLED, OUTCOME_CRAWLED, 200, "/one /two?x=1"},
	{{"/until-close", .body = TWO_LINKS, .fault = WEB_UNTIL_CLOSE}, PAGE_CRAWLED, OUTCOME_CRAWLED, 200, "/one /two?x=1"},
	{{"/gzip", .body = TWO_LINKS, .fault = WEB_GZIP}, PAGE_CRAWLED, OUTCOME_CRAWLED, 200, "/one /two?x=1"},
	{{"/slow", .body = TWO_LINKS, .fault = WEB_DRIP, .ms = 5}, PAGE_CRAWLED, OUTCOME_CRAWLED, 200, "/one /two?x=1"},
	{{"/late", .body = TWO_LINKS, .ms = 100}, PAGE_CRAWLED, OUTCOME_CRAWLED, 200, "/one /two?x=1"},
	{{"/http-1.0", .body = "HTTP/1.0 200 OK\r\n\r\n" TWO_LINKS, .fault = WEB_RAW}, PAGE_CRAWLED, OUTCOME_CRAWLED, 200, "/one /two?x=1"},
	{{"/interim", .body = "HTTP/1.1 103 Hints\r\nLocation: /x\r\n\r\nHTTP/1.1 200\r\n\r\n" TWO_LINKS, .fault = WEB_RAW}, PAGE_CRAWLED, OUTCOME_CRAWLED, 200, "/one /two?x=1"},
	{{"/empty", .status = 200}, PAGE_CRAWLED, OUTCOME_CRAWLED, 200, NULL},
	{{"/204", .status = 204}, PAGE_CRAWLED, OUTCOME_CRAWLED, 204, NULL},
	{{"/203", .status = 203, .body = TWO_LINKS}, PAGE_CRAWLED, OUTCOME_CRAWLED, 203, "/one /two?x=1"},
	{{"/pdf", .headers = "Content-Type: application/pdf\r\n", .body = TWO_LINKS}, PAGE_CRAWLED, OUTCOME_CRAWLED, 200, NULL},
	{{"/plain", .headers = "Content-Type: text/plain\r\n", .body = "<html>" TWO_LINKS}, PAGE_CRAWLED, OUTCOME_CRAWLED, 200, NULL},
	{{"/xhtml", .headers = "Content-Type: Application/XHTML+xml;charset=utf-8\r\n", .body = TWO_LINKS}, PAGE_CRAWLED, OUTCOME_CRAWLED, 200, "/one /two?x=1"},
	{{"/untyped", .headers = "", .body = "<html>" TWO_LINKS}, PAGE_CRAWLED, OUTCOME_CRAWLED, 200, "/one /two?x=1"},
	{{"/untyped-text", .headers = "Content-Type:\r\n", .body = "text <html>" TWO_LINKS}, PAGE_CRAWLED, OUTCOME_CRAWLED, 200, NULL},
	{{"/twice", .body = "<a href=/b></a><a href=/a></a><a href=/b#x></a><a href='/%61'></a><a href=/a></a>"}, PAGE_CRAWLED, OUTCOME_CRAWLED, 200, "/b /a /%61"},
	{{"/self", .body = "<a href=self></a><a href=''></a>"}, PAGE_CRAWLED, OUTCOME_CRAWLED, 200, "/self"},
	{{"/foreign", .body = "<a href=mailto:x@y></a><a href='http://['></a><a href=//B.test:80/x></a>"}, PAGE_CRAWLED, OUTCOME_CRAWLED, 200, "http://b.test/x"},
	{{"/rel-nofollow", .body = "<a rel=nofollow href=/no></a><a href=/yes></a>"}, PAGE_CRAWLED, OUTCOME_CRAWLED, 200, "/yes"},
	{{"/meta-nofollow", .body = "<meta name=robots content='noindex,nofollow'>" TWO_LINKS}, PAGE_CRAWLED, OUTCOME_CRAWLED, 200, NULL},
	{{"/tag-nofollow", .headers = HTML "X-Robots-Tag: nofollow\r\n", .body = TWO_LINKS}, PAGE_CRAWLED, OUTCOME_CRAWLED, 200, NULL},
	{{"/tag-other", .headers = HTML "X-Robots-Tag: otherbot: nofollow\r\n", .body = TWO_LINKS}, PAGE_CRAWLED, OUTCOME_CRAWLED, 200, "/one /two?x=1"},
	{{"/tag-mine", .headers = HTML "X-Robots-Tag: TestBot: nofollow\r\n", .body = TWO_LINKS}, PAGE_CRAWLED, OUTCOME_CRAWLED, 200, NULL},

	{{"/refresh", .headers = HTML "Refresh: 5; url='r?\xe9'\r\nRefresh: 0; url=/no\r\n", .body = TWO_LINKS}, PAGE_CRAWLED, OUTCOME_CRAWLED, 200, "/r?%E9 /one /two?x=1"},
	{{"/refresh-pdf", .headers = "Content-Type: application/pdf\r\nREFRESH:0,//b.test\r\n", .body = "x"}, PAGE_CRAWLED, OUTCOME_CRAWLED, 200, "http://b.test/"},
	{{"/refresh-self", .headers = HTML "Refresh: 5\r\n", .body = TWO_LINKS}, PAGE_CRAWLED, OUTCOME_CRAWLED, 200, "/one /two?x=1"},
	{{"/refresh-bad", .headers = HTML "Refresh: url=/no\r\n", .body = TWO_LINKS}, PAGE_CRAWLED, OUTCOME_CRAWLED, 200, "/one /two?x=1"},
	{{"/refresh-base", .headers = HTML "Refresh: 0; r\r\n", .body = "<base href=//b.test/><a href=a>"}, PAGE_CRAWLED, OUTCOME_CRAWLED, 200, "/r http://b.test/a"},
	{{"/refresh-nofollow", .headers = HTML "Refresh: 0; r\r\n", .body = "<meta name=robots content=nofollow>" TWO_LINKS}, PAGE_CRAWLED, OUTCOME_CRAWLED, 200, NULL},
	{{"/refresh-tag", .headers = "Refresh: 0; r\r\nX-Robots-Tag: nofollow\r\n", .body = TWO_LINKS}, PAGE_CRAWLED, OUTCOME_CRAWLED, 200, NULL},

	{{"/301", .status = 301, .headers = "Location: /there#part\r\n"}, PAGE_REDIRECTED, OUTCOME_REDIRECTED, 301, "/there"},
	{{"/a/302", .status = 302, .headers = "Location: ../x?y\r\n", .body = TWO_LINKS}, PAGE_REDIRECTED, OUTCOME_REDIRECTED, 302, "/x?y"},
	{{"/303", .status = 303, .headers = "Location: http://Other.test\r\n"}, PAGE_REDIRECTED, OUTCOME_REDIRECTED, 303, "http://other.test/"},
	{{"/307", .status = 307, .headers = "Location: /x\r\nLocation: /y\r\n"}, PAGE_REDIRECTED, OUTCOME_REDIRECTED, 307, "/x"},
	{{"/308", .status = 308, .headers = "Location: /x\r\n", .body = "moved", .fault = WEB_TRUNCATED}, PAGE_REDIRECTED, OUTCOME_REDIRECTED, 308, "/x"},
	{{"/301-utf-8", .status = 301, .headers = "Location: /\xc3\xa9\r\n"}, PAGE_REDIRECTED, OUTCOME_REDIRECTED, 301, "/%C3%A9"},
	{{"/301-latin-1", .status = 301, .headers = "Location: /caf\xe9?\xe9\r\n"}, PAGE_REDIRECTED, OUTCOME_REDIRECTED, 301, "/caf%E9?%E9"},
	{{"/301-blanks", .status = 301, .headers = "Location: \t/a b\tc \r\n"}, PAGE_REDIRECTED, OUTCOME_REDIRECTED, 301, "/a%20bc"},
	{{"/301-host", .status = 301, .headers = "Location: http://b\xc3\xbc""cher.test/\r\n"}, PAGE_REDIRECTED, OUTCOME_REDIRECTED, 301, "http://xn--bcher-kva.test/"},
	{{"/301-bad-host", .status = 301, .headers = "Location: http://b\xfc""cher.test/\r\n"}, PAGE_FAILED, OUTCOME_NOWHERE, 301, NULL},
	{{"/301-nowhere", .status = 301}, PAGE_FAILED, OUTCOME_NOWHERE, 301, NULL},
	{{"/301-bad", .status = 301, .headers = "Location: http://[/\r\n"}, PAGE_FAILED, OUTCOME_NOWHERE, 301, NULL},
	{{"/301-foreign", .status = 301, .headers = "Location: ftp://x.test/\r\n"}, PAGE_FAILED, OUTCOME_NOWHERE, 301, NULL},
	{{"/301-empty", .status = 301, .headers = "Location:\r\n"}, PAGE_FAILED, OUTCOME_NOWHERE, 301, NULL},
	{{"/300", .status = 300}, PAGE_FAILED, OUTCOME_STATUS, 300, NULL},
	{{"/304", .status = 304}, PAGE_FAILED, OUTCOME_STATUS, 304, NULL},

	{{"/403", .status = 403, .body = TWO_LINKS}, PAGE_FAILED, OUTCOME_STATUS, 403, NULL},
	{{"/404-broken", .status = 404, .body = "no", .fault = WEB_TRUNCATED}, PAGE_FAILED, OUTCOME_STATUS, 404, NULL},
	{{"/404-huge", .status = 404, .body = "no", .fault = WEB_ENDLESS_BODY}, PAGE_FAILED, OUTCOME_STATUS, 404, NULL},
	{{"/410", .status = 410}, PAGE_FAILED, OUTCOME_STATUS, 410, NULL},
	{{"/408", .status = 408}, PAGE_QUEUED, OUTCOME_STATUS, 408, NULL},
	{{"/429", .status = 429}, PAGE_QUEUED, OUTCOME_STATUS, 429, NULL},
	{{"/500", .status = 500}, PAGE_QUEUED, OUTCOME_STATUS, 500, NULL},

	{{"/garbage", .body = "\x01\x02\xff\xfe nothing of the kind\r\n\r\n", .fault = WEB_RAW}, PAGE_QUEUED, OUTCOME_BROKEN, 0, NULL},
	{{"/http-0.9", .body = "<html>" TWO_LINKS, .fault = WEB_RAW}, PAGE_QUEUED, OUTCOME_BROKEN, 0, NULL},
	{{"/truncated", .body = TWO_LINKS, .fault = WEB_TRUNCATED}, PAGE_QUEUED, OUTCOME_BROKEN, 200, NULL},
	{{"/hang-up", .fault = WEB_HANG_UP}, PAGE_QUEUED, OUTCOME_BROKEN, 0, NULL},
	{{"/reset", .body = TWO_LINKS, .fault = WEB_RESET}, PAGE_QUEUED, OUTCOME_BROKEN, 200, NULL},
	{{"/bad-chunks", .body = "x", .fault = WEB_BAD_CHUNKS}, PAGE_QUEUED, OUTCOME_BROKEN, 200, NULL},
	{{"/bad-length", .body = "HTTP/1.1 200 OK\r\nContent-Length: zz\r\n\r\n", .fault = WEB_RAW}, PAGE_QUEUED, OUTCOME_BROKEN, 200, NULL},
	{{"/half-head", .body = "HTTP/1.1 200 OK\r\nContent-Ty", .fault = WEB_RAW}, PAGE_QUEUED, OUTCOME_BROKEN, 200, NULL},

	{{"/endless-headers", .fault = WEB_ENDLESS_HEADERS}, PAGE_FAILED, OUTCOME_TOO_BIG, 200, NULL},
	{{"/endless-body", .body = TWO_LINKS, .fault = WEB_ENDLESS_BODY}, PAGE_FAILED, OUTCOME_TOO_BIG, 200, NULL},
	{{"/bomb", .body = TWO_LINKS, .repeat = 28000, .fault = WEB_GZIP}, PAGE_FAILED, OUTCOME_TOO_BIG, 200, NULL},
	{{"/announced", .body = "HTTP/1.1 200 OK\r\nContent-Length: 9999999999\r\n\r\nx", .fault = WEB_RAW}, PAGE_FAILED, OUTCOME_TOO_BIG, 200, NULL},
};
/* clang-format on */

#define CASES (sizeof cases / sizeof *cases)

/* All at once, so that the slow ones wait together. What a limit on time ends has a clock of its own (test_time_limits.c). */
static void every_answer_ends_in_its_event(void **state)
{
	struct fetch_settings set = settings(CASES);
	static struct web_row rows[CASES];

	(void)state;
	for (size_t i = 0; i < CASES; i++)
		rows[i] = cases[i].row;
	struct web *web = web_open(rows, CASES);
	set.tries = 2;
	set.timeout = set.connect_timeout = set.read_timeout = set.first_byte_timeout = PATIENCE;
	set.max_filesize = set.max_unpacked = 1 << 20;
	struct fetchers *f = start(&set);
	fetch_page_free(fetch(f, web_url(web, "/"), 0)); /* robots.txt */
	for (uint32_t i = 0; i < CASES; i++)
		submit(f, i, web_url(web, cases[i].row.path), 0);
	for (size_t i = 0; i < CASES; i++) {
		struct fetch_page *page = reap(f);
		const struct case_row *c = &cases[page->result.id];
		if (strcmp(links_of(page, web), c->links ? c->links : "") != 0)
			fail_msg("%s: links '%s'", c->row.path, links_of(page, web));
		if (page->result.state != c->state || page->result.outcome != c->error || page->result.status != c->status)
			fail_msg("%s: kind %d, error %d, status %u", c->row.path, (int)page->result.state,
				(int)page->result.outcome, page->result.status);
		if ((page->result.not_before - page->result.ended) != (c->state == PAGE_QUEUED ? 1000 : 0))
			fail_msg("%s: after %lld ms", c->row.path, (long long)(page->result.not_before - page->result.ended));
		assert_true(page->result.ended >= page->result.started);
		assert_int_equal(!(page->result.digest[0] | page->result.digest[1]), c->state != PAGE_CRAWLED);
		fetch_page_free(page);
	}
	fetchers_free(f);
	web_close(web);
}

/* Hosts that no server answers for. */
static void unreachable_hosts_are_told_apart(void **state)
{
	struct fetch_settings set = settings(1);
	struct web *web = web_open(NULL, 0);
	char url[256];

	(void)state;
	set.no_robots = 1;
	set.tries = 2;
	struct fetchers *f = start(&set);
	unsigned port = web_port(web);
	snprintf(url, sizeof url, "https://127.0.0.1:%u/", port);
	expect(fetch(f, url, 0), PAGE_QUEUED, OUTCOME_TLS, 0);
	expect(fetch(f, url, 1), PAGE_FAILED, OUTCOME_TLS, 0);
	web_close(web);
	const int holder = hold_closed_port(&port);
	snprintf(url, sizeof url, "http://127.0.0.1:%u/", port);
	expect(fetch(f, url, 0), PAGE_QUEUED, OUTCOME_CONNECT, 0);
	expect(fetch(f, url, 1), PAGE_FAILED, OUTCOME_CONNECT, 0);
	close(holder);
	/* a label of 64 letters is in no name server */
	snprintf(url, sizeof url, "http://%064d.test/", 7);
	expect(fetch(f, url, 0), PAGE_FAILED, OUTCOME_DNS, 0);
	expect(fetch(f, "no url at all", 0), PAGE_FAILED, OUTCOME_DNS, 0);
	fetchers_free(f);
	/* with "/robots.txt" it would be no URL any more */
	char longest[URL_MAX + 1] = "http://";
	memset(longest + 7, 'a', URL_MAX - 8);
	longest[URL_MAX - 1] = '/';
	set.no_robots = 0;
	f = start(&set);
	expect(fetch(f, longest, 0), PAGE_FAILED, OUTCOME_DNS, 0);
	fetchers_free(f);
}

static void tries_run_out_and_delays_grow(void **state)
{
	static const struct web_row rows[] = {
		{"/503", .status = 503},
		{"/after", .status = 503, .headers = "Retry-After: 77\r\n"},
		{"/heals", .status = 500, .times = 1},
		{"/heals", .body = TWO_LINKS},
	};
	struct web *web = web_open(rows, 4);
	struct fetch_settings set = settings(1);
	static const int64_t delay[] = {1000, 2000, 4000};

	(void)state;
	set.no_robots = 1;
	set.tries = 4;
	struct fetchers *f = start(&set);
	for (unsigned tries = 0; tries < 3; tries++) {
		struct fetch_page *page = fetch(f, web_url(web, "/503"), tries);
		assert_int_equal((page->result.not_before - page->result.ended), delay[tries]);
		expect(page, PAGE_QUEUED, OUTCOME_STATUS, 503);
	}
	expect(fetch(f, web_url(web, "/503"), 3), PAGE_FAILED, OUTCOME_STATUS, 503);
	struct fetch_page *page = fetch(f, web_url(web, "/after"), 2);
	assert_int_equal((page->result.not_before - page->result.ended), 77000);
	expect(page, PAGE_QUEUED, OUTCOME_STATUS, 503);
	expect(fetch(f, web_url(web, "/heals"), 0), PAGE_QUEUED, OUTCOME_STATUS, 500);
	expect(fetch(f, web_url(web, "/heals"), 1), PAGE_CRAWLED, OUTCOME_CRAWLED, 200);
	fetchers_free(f);
	web_close(web);
}

static void an_origin_that_cannot_pack_is_asked_not_to(void **state)
{
	static const struct web_row rows[] = {
		{"/bad", .body = TWO_LINKS, .fault = WEB_BAD_GZIP},
		{"/odd", .headers = HTML "Content-Encoding: utf-8\r\n", .body = TWO_LINKS},
		{"/still", .body = TWO_LINKS, .fault = WEB_GZIP},
		{"/bomb", .body = TWO_LINKS, .repeat = 28000, .fault = WEB_GZIP},
		{"/cut", .body = TWO_LINKS, .fault = WEB_CUT_GZIP},
		{"/other", .headers = HTML "Content-Encoding: br\r\n", .body = TWO_LINKS},
	};
	struct web *web = web_open(rows, 6);
	struct fetch_settings set = settings(1);

	(void)state;
	set.no_robots = 1;
	set.tries = 3;
	set.max_unpacked = 1 << 20;
	struct fetchers *f = start(&set);
	expect(fetch(f, web_url(web, "/bad"), 0), PAGE_QUEUED, OUTCOME_CODING, 200);
	struct fetch_page *page = fetch(f, web_url(web, "/bad"), 1);
	assert_string_equal(links_of(page, web), "/one /two?x=1");
	expect(page, PAGE_CRAWLED, OUTCOME_CRAWLED, 200);
	page = fetch(f, web_url(web, "/odd"), 0);
	assert_int_equal(page->n, 2);
	expect(page, PAGE_CRAWLED, OUTCOME_CRAWLED, 200);
	page = fetch(f, web_url(web, "/still"), 0);
	assert_int_equal(page->n, 2);
	expect(page, PAGE_CRAWLED, OUTCOME_CRAWLED, 200);
	expect(fetch(f, web_url(web, "/bomb"), 0), PAGE_FAILED, OUTCOME_TOO_BIG, 200);
	expect(fetch(f, web_url(web, "/cut"), 0), PAGE_FAILED, OUTCOME_CODING, 200);
	expect(fetch(f, web_url(web, "/other"), 0), PAGE_FAILED, OUTCOME_CODING, 200);
	fetchers_free(f);
	web_close(web);
}

/* libcurl takes a body's first member and no more; RFC 1952 allows several, and padding has no
 * meaning. A robots.txt counts as much as a page. */
static void gzip_of_two_members_comes_whole(void **state)
{
	static const struct web_row rows[] = {
		{"/robots.txt", .body = "User-agent: *\nDisallow: /no\n", .headers = "Retry-After: 0\r\n", .fault = WEB_GZIP_TWICE},
		{"/two", .body = TWO_LINKS, .repeat = 5000, .fault = WEB_GZIP_TWICE},
		{"/plain", .body = TWO_LINKS, .repeat = 10000},
	};
	struct web *web = web_open(rows, 3);
	struct fetch_settings set = settings(1);

	(void)state;
	set.tries = 2;
	struct fetchers *f = start(&set);
	struct fetch_page *page = fetch_politely(f, web_url(web, "/two"));
	struct fetch_page *plain = fetch_politely(f, web_url(web, "/plain"));
	assert_int_equal(page->result.state, PAGE_CRAWLED);
	assert_int_equal(page->n, 2);
	assert_memory_equal(plain->result.digest, page->result.digest, sizeof page->result.digest);
	fetch_page_free(page);
	fetch_page_free(plain);
	expect(fetch_politely(f, web_url(web, "/no")), PAGE_REFUSED, OUTCOME_ROBOTS, 0);
	fetchers_free(f);
	assert_int_equal(web_count(web, "/robots.txt"), 2);
	web_close(web);
}

static void bytes_are_packed_and_the_digest_is_of_the_unpacked(void **state)
{
	static const struct web_row rows[] = {
		{"/plain", .body = "abc ", .repeat = 1000},
		{"/packed", .body = "abc ", .repeat = 1000, .fault = WEB_GZIP},
		{"/abc", .body = "abc"},
	};
	struct web *web = web_open(rows, 3);
	struct fetch_settings set = settings(1);

	(void)state;
	set.no_robots = 1;
	struct fetchers *f = start(&set);
	struct fetch_page *plain = fetch(f, web_url(web, "/plain"), 0);
	struct fetch_page *packed = fetch(f, web_url(web, "/packed"), 0);
	struct fetch_page *abc = fetch(f, web_url(web, "/abc"), 0);
	assert_int_equal(plain->result.bytes, 4000);
	assert_in_range(packed->result.bytes, 20, 400);
	assert_memory_equal(plain->result.digest, packed->result.digest, sizeof plain->result.digest);
	/* as xxhsum -H128 prints it */
	assert_true(abc->result.digest[1] == 0x06b05ab6733a6185 && abc->result.digest[0] == 0x78af5f94892f3950);
	fetch_page_free(plain);
	fetch_page_free(packed);
	fetch_page_free(abc);
	fetchers_free(f);
	web_close(web);
}

static void links_have_kinds_and_hosts_and_a_bound(void **state)
{
	static const struct web_row rows[] = {
		{"/kinds",
			.body = "<a href=http://u:p@x.test:81/a?b></a><iframe src=/f></iframe>"
				"<map><area href=//[::1]/></map><link href=/css>"
				"<meta http-equiv=refresh content='0;url=/r'>"},
		{"/many", .body = "<a href=1></a><a href=2></a><a href=1></a><a href=3></a>"},
		{"/nofollow", .body = "<a rel=nofollow href=/n></a>"},
	};
	struct web *web = web_open(rows, 3);
	struct fetch_settings set = settings(1);

	(void)state;
	set.no_robots = 1;
	set.max_links = 4;
	struct fetchers *f = start(&set);
	struct fetch_page *page = fetch(f, web_url(web, "/kinds"), 0);
	assert_string_equal(links_of(page, web), "http://x.test:81/a?b /f http://[::1]/ /r");
	static const uint8_t kinds[] = {LINK_A, LINK_FRAME, LINK_AREA, LINK_REFRESH};
	assert_memory_equal(page->kinds, kinds, 4);
	assert_memory_equal(page->text + page->host[0], "x.test:81/", 10);
	assert_int_equal(page->host_end[0] - page->host[0], 9);
	assert_memory_equal(page->text + page->start[2] + page->host[2], "[::1]/", 6);
	assert_int_equal(page->host_end[2] - page->host[2], 5);
	fetch_page_free(page);
	fetchers_free(f);

	set.max_links = 2;
	set.kinds = 1u << LINK_A;
	set.heed = 0;
	f = start(&set);
	page = fetch(f, web_url(web, "/many"), 0);
	assert_string_equal(links_of(page, web), "/1 /2");
	fetch_page_free(page);
	page = fetch(f, web_url(web, "/nofollow"), 0); /* no_robots heeds no nofollow */
	assert_int_equal(page->n, 1);
	assert_int_equal(page->kinds[0], LINK_A | LINK_NOFOLLOW);
	fetch_page_free(page);
	fetchers_free(f);
	web_close(web);
}

static void only_wanted_types_are_read(void **state)
{
	static const struct {
		struct web_row row;
		enum page_state state;
		enum outcome error;
	} kinds[] = {
		{{"/html", .body = TWO_LINKS}, PAGE_CRAWLED, OUTCOME_CRAWLED},
		{{"/spelt", .headers = "Content-Type: TEXT/html;charset=x\r\n", .body = TWO_LINKS}, PAGE_CRAWLED, OUTCOME_CRAWLED},
		{{"/png", .headers = "Content-Type: image/png\r\n", .body = "x"}, PAGE_CRAWLED, OUTCOME_CRAWLED},
		{{"/pdf", .headers = "Content-Type: application/pdf\r\n", .body = "x"}, PAGE_FAILED, OUTCOME_TYPE},
		{{"/plain", .headers = "Content-Type: text/plain\r\n", .body = "x"}, PAGE_FAILED, OUTCOME_TYPE},
		{{"/longer", .headers = "Content-Type: text/html5\r\n", .body = "x"}, PAGE_FAILED, OUTCOME_TYPE},
		{{"/missing", .status = 404, .headers = "Content-Type: text/plain\r\n", .body = "x"}, PAGE_FAILED, OUTCOME_STATUS},
	};
	enum { N = sizeof kinds / sizeof *kinds };
	struct web_row rows[N];
	struct fetch_settings set = settings(1);

	(void)state;
	for (size_t i = 0; i < N; i++)
		rows[i] = kinds[i].row;
	struct web *web = web_open(rows, N);
	set.no_robots = 1;
	set.accept_type = "text/html, image/*";
	struct fetchers *f = start(&set);
	for (size_t i = 0; i < N; i++)
		expect(fetch(f, web_url(web, rows[i].path), 0), kinds[i].state, kinds[i].error, rows[i].status ? 404 : 200);
	fetchers_free(f);
	web_close(web);
}

/* 0.0.0.0 leads to this machine, too, but is no loopback address: a stand-in for all that is not. */
static void nothing_but_loopback_is_connected_to_where_so_told(void **state)
{
	static const struct web_row rows[] = {{"/", .body = "here"}};
	struct web *web = web_open(rows, 1);
	struct fetch_settings set = settings(1);
	char elsewhere[64];

	(void)state;
	snprintf(elsewhere, sizeof elsewhere, "http://0.0.0.0:%u/", web_port(web));
	set.no_robots = 1;
	set.tries = 1;
	static const struct guard_settings here = {.reach = GUARD_LOOPBACK, .allow_private = 1};
	struct guard *guard = guard_new(&here);
	for (int only = 0; only < 2; only++) {
		set.guard = only ? guard : NULL;
		struct fetchers *f = start(&set);
		expect(fetch(f, web_url(web, "/"), 0), PAGE_CRAWLED, OUTCOME_CRAWLED, 200);
		if (only)
			expect(fetch(f, elsewhere, 0), PAGE_FAILED, OUTCOME_PRIVATE, 0);
		else
			expect(fetch(f, elsewhere, 0), PAGE_CRAWLED, OUTCOME_CRAWLED, 200);
		fetchers_free(f);
	}
	assert_int_equal(web_count(web, "/"), 3);
	guard_free(guard);
	web_close(web);
}

static void a_port_of_another_protocol_gets_no_request(void **state)
{
	static const struct guard_settings open = {.reach = GUARD_PUBLIC, .allow_private = 1};
	struct guard *guard = guard_new(&open);
	struct fetch_settings set = settings(1);

	(void)state;
	set.guard = guard;
	struct fetchers *f = start(&set);
	expect(fetch(f, "http://127.0.0.1:25/", 0), PAGE_REFUSED, OUTCOME_PORT, 0);
	fetchers_free(f);
	guard_free(guard);
}

/* What a link writes before the host would be sent by libcurl as a password. */
static void the_user_and_password_of_a_link_are_not_sent(void **state)
{
	struct web *web = web_open(NULL, 0);
	struct fetch_settings set = settings(1);
	char url[128];
	size_t n;

	(void)state;
	struct fetchers *f = start(&set);
	snprintf(url, sizeof url, "http://user:secret@127.0.0.1:%u/page", web_port(web));
	expect(fetch_politely(f, url), PAGE_FAILED, OUTCOME_STATUS, 404);
	fetchers_free(f);
	const struct web_request *request = web_requests(web, &n);
	assert_int_equal(n, 2);
	for (size_t i = 0; i < n; i++) {
		assert_null(strstr(request[i].head, "Authorization"));
		assert_null(strstr(request[i].head, "secret"));
	}
	assert_string_equal(request[1].path, "/page");
	web_close(web);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_answer_ends_in_its_event),
		cmocka_unit_test(unreachable_hosts_are_told_apart),
		cmocka_unit_test(only_wanted_types_are_read),
		cmocka_unit_test(tries_run_out_and_delays_grow),
		cmocka_unit_test(an_origin_that_cannot_pack_is_asked_not_to),
		cmocka_unit_test(gzip_of_two_members_comes_whole),
		cmocka_unit_test(bytes_are_packed_and_the_digest_is_of_the_unpacked),
		cmocka_unit_test(links_have_kinds_and_hosts_and_a_bound),
		cmocka_unit_test(a_port_of_another_protocol_gets_no_request),
		cmocka_unit_test(the_user_and_password_of_a_link_are_not_sent),
		cmocka_unit_test(nothing_but_loopback_is_connected_to_where_so_told),
	};

	return cmocka_run_group_tests_name("fetch", tests, NULL, NULL);
}
