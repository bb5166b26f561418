#include "tests/simweb/web.h"

#include "parser/url.h"

static void every_page_has_the_links_of_its_row(void **state)
{
	static const char *const literals[] = {"node.test", "NODE.test:8080", "127.0.0.1", "127.0.0.1:1", "localhost"};
	struct buf href = BUF_EMPTY;
	struct graph g;

	(void)state;
	make_graph(&g, NODES);
	struct simweb *sw = start(&(struct simweb_settings){.g = &g, .threads = 2});
	assert_int_equal(simweb_pages(sw), NODES);
	for (uint32_t u = 0; u < NODES; u++) {
		char target[32], want[32];
		snprintf(target, sizeof target, "/%u", u);
		struct reply r = get(sw, literals[u % 5], target);
		assert_int_equal(node_of(&r), u);
		assert_int_equal(r.told, r.body_length);
		assert_string_equal(header(&r, "Content-Type"), "text/html; charset=utf-8");
		const char *at = r.body;
		for (uint32_t i = 0; i < graph_outdegree(&g, u); i++) {
			snprintf(want, sizeof want, "/%u", graph_row(&g, u)[i]);
			assert_true(next_href(&at, &href));
			assert_string_equal(href.at, want);
		}
		assert_false(next_href(&at, &href));
		reply_release(&r);
	}
	buf_clear(&href);
	simweb_url(sw, 17, &href);
	assert_string_equal(href.at, "http://node.test/17");
	simweb_stop(sw);
	buf_release(&href);
	graph_release(&g);
}

static void labels_are_what_nodes_are_called(void **state)
{
	uint64_t offset[] = {0, 2, 2}, label[] = {7, 4000000000000};
	uint32_t target[] = {0, 1};
	struct graph g = {2, 2, offset, target, GRAPH_ORDERED, label, NULL, NULL};
	struct buf href = BUF_EMPTY;

	(void)state;
	struct simweb *sw = start(&(struct simweb_settings){.g = &g});
	struct reply r = get(sw, "node.test", "/7");
	const char *at = r.body;
	assert_true(next_href(&at, &href));
	assert_string_equal(href.at, "/7");
	assert_true(next_href(&at, &href));
	assert_string_equal(href.at, "/4000000000000");
	reply_release(&r);
	assert_int_equal(status_of(sw, "node.test", "/4000000000000"), 200);
	assert_int_equal(status_of(sw, "node.test", "/0"), 404);
	simweb_stop(sw);
	buf_release(&href);
}

static void what_is_not_there_is_404(void **state)
{
	static const char *const targets[] = {"/", "/200", "/007", "/-1", "/+1", "/1/", "/1?x", "/ 1", "//1",
		"/99999999999999999999999", "/18446744073709551616", "/alias/1", "/1x", "/%31", "/robots.txt", "/favicon.ico",
		"http:///1", "/x/../../etc/passwd", "*"};
	struct graph g;

	(void)state;
	make_graph(&g, NODES);
	struct simweb *sw = start(&(struct simweb_settings){.g = &g});
	for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
		int status = status_of(sw, "node.test", targets[i]);
		/* a space in a target is no HTTP, which may be said as well, or be mended */
		if (status != 404 && !((status == 400 || status == 301) && strchr(targets[i], ' ')))
			fail_msg("%s: %d", targets[i], status);
	}
	assert_int_equal(status_of(sw, "other.test", "/1"), 404);
	assert_int_equal(status_of(sw, "127.0.0.2", "/1"), 404);
	assert_int_equal(status_of(sw, "node.test", "/199"), 200);
	struct reply r = ask(sw, "POST", "node.test", "/1", "Content-Length: 0\r\n");
	assert_int_equal(r.status, 405);
	assert_string_equal(header(&r, "Allow"), "GET, HEAD");
	reply_release(&r);
	r = ask(sw, "HEAD", "node.test", "/1", "");
	assert_int_equal(r.status, 200);
	assert_true(r.told > 0 && r.body_length == 0);
	reply_release(&r);
	struct simweb_counts c;
	simweb_counts(sw, &c);
	assert_int_equal(c.pages, 2);
	assert_int_equal(c.robots, 1);
	assert_true(c.not_found >= 20 && c.requests >= c.pages + c.not_found);
	simweb_stop(sw);
	graph_release(&g);
}

static void pages_stand_on_their_hosts(void **state)
{
	static const char *const hosts[] = {"a.test", "a.test", "b.test", "", "x\"<y>.test"};
	static const char *const from_a[] = {"/0", "/1", "http://b.test/2", "http://node.test/3", "http://x\"<y>.test/4"};
	static const uint32_t from[] = {0, 0, 0, 0, 0, 3, 3}, to[] = {0, 1, 2, 3, 4, 0, 3};
	struct buf href = BUF_EMPTY;
	struct names names;
	struct graph g;

	(void)state;
	graph_from_arcs(&g, 5, from, to, 7);
	make_names(&names, NULL, hosts, 5);
	struct simweb *sw = start(&(struct simweb_settings){.g = &g, .names = &names});
	struct reply r = get(sw, "A.TEST:99", "/0");
	assert_int_equal(node_of(&r), 0);
	const char *at = r.body;
	for (size_t i = 0; i < 5; i++) {
		assert_true(next_href(&at, &href));
		assert_string_equal(href.at, from_a[i]);
	}
	reply_release(&r);
	assert_int_equal(status_of(sw, "b.test", "/0"), 404);
	assert_int_equal(status_of(sw, "127.0.0.1", "/0"), 404);
	assert_int_equal(node_at(sw, "b.test", "/2"), 2);
	assert_int_equal(node_at(sw, "127.0.0.1", "/3"), 3);
	/* the proxy's form: its host counts, not the header's */
	assert_int_equal(node_at(sw, "b.test", "http://a.test/1"), 1);
	assert_int_equal(node_at(sw, "127.0.0.1", "http://b.test:80/2"), 2);
	assert_int_equal(status_of(sw, "a.test", "http://b.test/1"), 404);
	int fd = dial(sw);
	say(fd, "GET http://a.test/1 HTTP/1.0\r\n\r\n");
	hear(fd, &r);
	assert_int_equal(node_of(&r), 1);
	reply_release(&r);
	simweb_stop(sw);
	free_names(&names);
	buf_release(&href);
	graph_release(&g);
}

/* What the request for each URL is, as a client would make it. */
static const struct {
	const char *url, *host, *target;
} urls[] = {
	{"http://a.test/", "a.test", "/"},
	{"http://a.test/x?q=1&r=\"2\"", "a.test", "/x?q=1&r=%222%22"},
	{"http://a.test//double", "a.test", "//double"},
	{"http://a.test/\\b", "a.test", "//b"},
	{"http://a.test/<script>alert('&amp;')</script>", "a.test", "/%3Cscript%3Ealert('&amp;')%3C/script%3E"},
	{"http://a.test/\r\t\x01'z", "a.test", "/%01'z"},
	{"http://A.test/upper", "a.test", "/upper"},
	{"http://a.test/d/../up", "a.test", "/up"},
	{"http://a.test/d/./e/..", "a.test", "/d/"},
	{"http://a.test/.?m=load", "a.test", "/?m=load"},
	{"http://a.test/%7Etilde", "a.test", "/%7Etilde"},
	{"http://a.test/~tilde", "a.test", "/~tilde"},
	{"http://a.test/f#part", "a.test", "/f"},
	{"http://a.test/caf\xc3\xa9 au lait", "a.test", "/caf%C3%A9%20au%20lait"},
	{"http://b.test", "b.test", "/"},
	{"http://b.test?empty=path", "b.test", "/?empty=path"},
	{"https://b.test/secret", "b.test", "/secret"},
	{"http://b.test:8080/port", "b.test:8080", "/port"},
	{"http://b.test:8081/port", "b.test:8081", "/port"},
	{"http://user:pw@b.test/u", "b.test", "/u"},
	{"http://[::1]:99/six", "[::1]:99", "/six"},
	{"  http://c.test/spaces  ", "c.test", "/spaces"},
	{"http://c.test/\xff\xfe", "c.test", "/%FF%FE"},
	{"http://c.test/%", "c.test", "/%"},
	{"http://c.test/a?", "c.test", "/a"},
	{"http://c.test/?a=/../b", "c.test", "/?a=/../b"},
	{"not a url", "node.test", "/26"},
	{"mailto:x@y.test", "node.test", "/27"},
	{"", "node.test", "/28"},
};
#define URLS (sizeof urls / sizeof *urls)

/* Whether an href on a page of `own` means `wanted`, as the URL standard reads them. */
static int leads_to(const char *href, const char *own, const char *wanted)
{
	struct url base = URL_EMPTY, a = URL_EMPTY, b = URL_EMPTY;

	assert_int_equal(url_parse(&base, own, strlen(own), NULL), URL_OK);
	assert_int_equal(url_parse(&b, wanted, strlen(wanted), NULL), URL_OK);
	int same = url_parse(&a, href, strlen(href), &base) == URL_OK && strcmp(a.text.at, b.text.at) == 0;
	url_release(&base);
	url_release(&a);
	url_release(&b);
	return same;
}

static void pages_stand_at_their_urls_and_link_to_them(void **state)
{
	const char *list[URLS];
	uint32_t from[URLS * URLS], to[URLS * URLS], n = 0;
	struct buf href = BUF_EMPTY, url = BUF_EMPTY;
	struct names names;
	struct graph g;

	(void)state;
	for (uint32_t i = 0; i < URLS; i++) {
		list[i] = urls[i].url;
		for (uint32_t j = 0; j < URLS; j++) {
			from[n] = i;
			to[n++] = j;
		}
	}
	graph_from_arcs(&g, URLS, from, to, n);
	make_names(&names, list, NULL, URLS);
	struct simweb *sw = start(&(struct simweb_settings){.g = &g, .names = &names});
	for (uint32_t i = 0; i < URLS; i++) {
		struct reply r = get(sw, urls[i].host, urls[i].target);
		if (node_of(&r) != (long)i)
			fail_msg("%s: node %ld at status %d", urls[i].url, node_of(&r), r.status);
		buf_clear(&url);
		simweb_url(sw, i, &url);
		char *own = buf_take(&url);
		const char *at = r.body;
		for (uint32_t j = 0; j < URLS; j++) {
			buf_clear(&url);
			simweb_url(sw, j, &url);
			assert_true(next_href(&at, &href));
			if (!leads_to(href.at, own, url.at))
				fail_msg("on '%s': '%s' for '%s'", own, href.at, url.at);
		}
		assert_false(next_href(&at, &href));
		free(own);
		reply_release(&r);
		/* and through a proxy */
		buf_clear(&url);
		buf_format(&url, "http://%s%s", urls[i].host, urls[i].target);
		assert_int_equal(node_at(sw, "127.0.0.1", url.at), i);
	}
	assert_int_equal(status_of(sw, "127.0.0.1", "/up"), 404);
	assert_int_equal(status_of(sw, "a.test", "/28"), 404);
	assert_int_equal(status_of(sw, "a.test", "/0"), 404);
	simweb_stop(sw);
	free_names(&names);
	buf_release(&url);
	buf_release(&href);
	graph_release(&g);
}

static void a_page_that_the_client_has_is_not_sent_again(void **state)
{
	struct simweb_settings set = {.threads = 2};
	struct graph g;
	char etag[512], condition[640];

	(void)state;
	make_graph(&g, NODES);
	set.g = &g;
	assert_int_equal(fault_parse(&set.faults, "gzip=0.5,seed=2", NULL), 0);
	struct simweb *sw = start(&set);
	for (uint32_t u = 0; u < 20; u++) {
		char target[32];
		snprintf(target, sizeof target, "/%u", u);
		struct reply whole = get(sw, "node.test", target);
		snprintf(etag, sizeof etag, "%s", header(&whole, "ETag"));
		assert_true(strlen(etag) > 2 && *etag == '"');
		snprintf(condition, sizeof condition, "Accept-Encoding: gzip\r\nIf-None-Match: %s\r\n", etag);
		struct reply none = ask(sw, "GET", "node.test", target, condition);
		assert_int_equal(none.status, 304);
		assert_int_equal(none.body_length, 0);
		assert_string_equal(header(&none, "ETag"), etag);
		struct reply other = ask(sw, "GET", "node.test", target, "If-None-Match: \"other\"\r\n");
		assert_int_equal(other.status, 200);
		assert_int_equal(other.body_length, whole.body_length);
		reply_release(&whole);
		reply_release(&none);
		reply_release(&other);
	}
	simweb_stop(sw);
	graph_release(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_page_has_the_links_of_its_row),
		cmocka_unit_test(labels_are_what_nodes_are_called),
		cmocka_unit_test(what_is_not_there_is_404),
		cmocka_unit_test(a_page_that_the_client_has_is_not_sent_again),
		cmocka_unit_test(pages_stand_on_their_hosts),
		cmocka_unit_test(pages_stand_at_their_urls_and_link_to_them),
	};

	return cmocka_run_group_tests_name("simweb", tests, NULL, NULL);
}
