/* Addresses: numbers for them, requests only where they are granted, and what a server says of how
 * long it wants to be left alone. */
#include "tests/fetch/fetching.h"

#include "fetch/answer.h"

#include <arpa/inet.h>

static struct net_address v4(const char *text)
{
	struct sockaddr_in a = {.sin_family = AF_INET};

	assert_int_equal(inet_pton(AF_INET, text, &a.sin_addr), 1);
	return net_address_of((struct sockaddr *)&a);
}

static void addresses_are_numbered_as_they_come(void **state)
{
	struct net_addresses *all = net_addresses_new();
	struct net_address a = v4("127.0.0.1"), b = v4("10.1.2.3"), none = {{0}}, out;
	struct sockaddr_in6 mapped = {.sin6_family = AF_INET6};
	struct sockaddr other = {.sa_family = AF_UNIX};

	(void)state;
	assert_int_equal(net_addresses_of(all, 7, &out), 0);
	assert_int_equal(net_addresses_tell(all, 7, &none), 0);
	assert_int_equal(net_addresses_of(all, 7, &out), 0);
	assert_int_equal(net_addresses_tell(all, 7, &a), 1);
	assert_int_equal(net_addresses_tell(all, 3, &b), 2);
	assert_int_equal(net_addresses_tell(all, 70, &a), 1);
	assert_int_equal(net_addresses_of(all, 69, &out), 0);
	assert_int_equal(net_addresses_of(all, 70, &out), 1);
	assert_true(net_address_equal(&out, &a));
	assert_int_equal(net_addresses_tell(all, 70, &b), 2); /* it has moved */
	assert_int_equal(net_addresses_of(all, 70, &out), 1);
	assert_true(net_address_equal(&out, &b));
	/* IPv4 within IPv6 is the same machine */
	assert_int_equal(inet_pton(AF_INET6, "::ffff:127.0.0.1", &mapped.sin6_addr), 1);
	out = net_address_of((struct sockaddr *)&mapped);
	assert_true(net_address_equal(&out, &a));
	out = net_address_of(&other);
	assert_true(net_address_is_none(&out));
	net_addresses_free(all);
	net_addresses_free(NULL);
}

static struct fetchers *start_by_address(struct web *web, int no_robots)
{
	static char to[64];
	static const char *rules[] = {to, NULL};
	struct fetch_settings set = settings(2);

	snprintf(to, sizeof to, "a.test:80:127.0.0.1:%u", web_port(web));
	set.connect_to.at = rules;
	set.by_address = 1;
	set.no_robots = no_robots;
	return start(&set);
}

static const struct web_row rows[] = {{"/page", .headers = HTML, .body = TWO_LINKS}};

static void nothing_is_asked_before_its_address_is_granted(void **state)
{
	const struct net_address here = v4("127.0.0.1"), wrong[] = {{{0}}, v4("127.0.0.9"), {{[15] = 1}}};

	(void)state;
	for (int no_robots = 0; no_robots < 2; no_robots++) {
		struct web *web = web_open(rows, 1);
		struct fetchers *f = start_by_address(web, no_robots);
		for (size_t i = 0; i < 3; i++) {
			struct fetch_page *page = fetch_at(f, "http://a.test/page", &wrong[i]);
			assert_true(net_address_equal(&page->address, &here));
			assert_int_equal(page->result.started, page->result.ended);
			expect(page, PAGE_QUEUED, OUTCOME_ADDRESS, 0);
		}
		assert_int_equal(web_connections(web), 0);
		struct fetch_page *page = fetch_at(f, "http://a.test/page", &here);
		if (!no_robots) {
			assert_true(net_address_is_none(&page->address)); /* as granted */
			expect(page, PAGE_QUEUED, OUTCOME_ROBOTS_WAIT, 404);
			page = fetch_at(f, "http://a.test/page", &here);
		}
		expect(page, PAGE_CRAWLED, OUTCOME_CRAWLED, 200);
		/* granted once, not for ever; though a connection that is open needs no address */
		assert_int_equal(web_connections(web), 1);
		fetchers_free(f);
		web_close(web);
	}
}

/* What a robots.txt is redirected to is asked for at its own address, when that is granted, though a
 * connection there is open already; then the page's host is where it was. */
static void a_robots_txt_elsewhere_needs_that_address(void **state)
{
	static const struct web_row mine[] = {{"/robots.txt", .status = 302, .headers = "Location: http://hub.test/robots.txt\r\n"},
		{"/page", .headers = HTML, .body = TWO_LINKS}};
	static const struct web_row hubs[] = {{"/robots.txt", .body = "User-agent: *\nDisallow: /no"}};
	static const char *const pages[] = {"http://a.test/page", "http://b.test/page", "http://b.test/no"};
	const struct net_address here = v4("127.0.0.1"), there = v4("127.0.0.2");
	struct web *web = web_open(mine, 2), *hub = web_open_at(2, hubs, 1);
	struct fetch_settings set = settings(1);
	char to[2][64];

	(void)state;
	snprintf(to[0], sizeof to[0], "hub.test:80:127.0.0.2:%u", web_port(hub));
	snprintf(to[1], sizeof to[1], ":80:127.0.0.1:%u", web_port(web));
	set.connect_to.at = (const char *[]){to[0], to[1], NULL};
	set.by_address = 1;
	struct fetchers *f = start(&set);
	for (size_t i = 0; i < 3; i++) {
		struct fetch_page *page;
		if (i < 2) {
			page = fetch_at(f, pages[i], &here);
			assert_true(net_address_is_none(&page->address));
			expect(page, PAGE_QUEUED, OUTCOME_ROBOTS_WAIT, 302);
			page = fetch_at(f, pages[i], &here);
			assert_true(net_address_equal(&page->address, &there));
			expect(page, PAGE_QUEUED, OUTCOME_ADDRESS, 0);
			assert_int_equal(web_count(hub, "/robots.txt"), i);
			page = fetch_at(f, pages[i], &there);
			assert_true(net_address_equal(&page->address, &here));
			expect(page, PAGE_QUEUED, OUTCOME_ROBOTS_WAIT, 200);
		}
		page = fetch_at(f, pages[i], &here);
		expect(page, i < 2 ? PAGE_CRAWLED : PAGE_REFUSED, i < 2 ? OUTCOME_CRAWLED : OUTCOME_ROBOTS, i < 2 ? 200 : 0);
	}
	fetchers_free(f);
	web_close(hub);
	/* the same where nobody is there to be asked */
	f = start(&set);
	const struct net_address steps[] = {here, here, there};
	for (size_t i = 0; i < 3; i++) {
		struct fetch_page *page = fetch_at(f, pages[0], &steps[i]);
		if (i == 2) {
			assert_true(net_address_equal(&page->address, &here));
			assert_true((page->result.not_before - page->result.ended) > 0);
		}
		expect(page, PAGE_QUEUED, i == 1 ? OUTCOME_ADDRESS : OUTCOME_ROBOTS_WAIT, i ? 0 : 302);
	}
	fetchers_free(f);
	web_close(web);
}

/* Grants each address that is told until the host's page has come. */
static void fetch_from(const char *host)
{
	struct web *web = web_open(rows, 1);
	struct fetch_settings set = settings(1);
	struct net_address granted = {{0}};
	char url[64];
	int steps = 0, done = 0;

	set.by_address = 1;
	struct fetchers *f = start(&set);
	snprintf(url, sizeof url, "http://%s:%u/page", host, web_port(web));
	while (!done) {
		assert_true(++steps < 8);
		struct fetch_page *page = fetch_at(f, url, &granted);
		if ((page->result.not_before - page->result.ended) > 0) /* robots.txt could not be had there */
			usleep((useconds_t)((page->result.not_before - page->result.ended) + 5) * 1000);
		if (!net_address_is_none(&page->address))
			granted = page->address;
		done = page->result.state == PAGE_CRAWLED;
		fetch_page_free(page);
	}
	fetchers_free(f);
	web_close(web);
}

/* However many addresses "localhost" has here, one of which is the server's. */
static void one_of_several_addresses_is_found(void **state)
{
	(void)state;
	fetch_from("localhost");
}

static void a_name_below_localhost_is_this_machine_though_no_resolver_knows_it(void **state)
{
	(void)state;
	fetch_from("spider.LOCALHOST");
}

static void a_busy_server_is_left_alone_for_a_while(void **state)
{
	static const struct web_row busy[] = {
		{"/told", .status = 503, .headers = "Retry-After: 7\r\n"},
		{"/untold", .status = 429},
		{"/broken", .status = 500},
		{"/long", .status = 429, .headers = "Retry-After: 999999\r\n"},
	};
	static const int64_t pause[] = {7000, 2000, 0, ANSWER_MAX_DELAY};
	struct web *web = web_open(busy, 4);
	struct fetch_settings set = settings(1);

	(void)state;
	set.no_robots = 1;
	struct fetchers *f = start(&set);
	for (size_t i = 0; i < 4; i++) {
		/* the second try of three, and the last, which comes to the same for its host */
		for (unsigned tries = 1; tries < (i == 1 ? 2u : 3u); tries++) {
			struct fetch_page *page = fetch(f, web_url(web, busy[i].path), tries);
			assert_int_equal(page->result.state, tries == 1 ? PAGE_QUEUED : PAGE_FAILED);
			assert_int_equal(page->result.host_pause, pause[i] ? page->result.ended + pause[i] : 0);
			fetch_page_free(page);
		}
	}
	fetchers_free(f);
	web_close(web);
}

static struct net_address address_number(uint32_t i)
{
	struct net_address a = {{0}};

	/* some of version 4, the others of version 6 */
	if (i % 3)
		a.ip[10] = a.ip[11] = 0xff;
	else
		a.ip[0] = 0x20;
	memcpy(a.ip + 12, &i, sizeof i);
	return a;
}

static void many_addresses_keep_their_numbers(void **state)
{
	enum { HOSTS = 50000, SHARED = 7 };
	struct net_addresses *all = net_addresses_new();
	struct net_address out;

	(void)state;
	for (uint32_t host = 0; host < HOSTS; host++) {
		const struct net_address a = address_number(host / SHARED);
		assert_int_equal(net_addresses_tell(all, host, &a), host / SHARED + 1);
	}
	for (uint32_t host = 0; host < HOSTS; host++) {
		const struct net_address a = address_number(host / SHARED);
		assert_int_equal(net_addresses_number(all, host), host / SHARED + 1);
		assert_int_equal(net_addresses_of(all, host, &out), 1);
		assert_true(net_address_equal(&out, &a));
	}
	net_addresses_free(all);
}

static void an_address_is_read_with_brackets_and_without(void **state)
{
	static const char *const spelt[][2] = {{"127.0.0.1", "::ffff:127.0.0.1"}, {"[127.0.0.1]", "::ffff:127.0.0.1"},
		{"10.20.30.255", "::ffff:10.20.30.255"}, {"2001:db8::25", "2001:db8::25"}, {"[2001:db8::25]", "2001:db8::25"},
		{"[::1]", "::1"}, {"1111:2222:3333:4444:5555:6666:7777:8888", "1111:2222:3333:4444:5555:6666:7777:8888"},
		{"[::1", "::"}, {"::1]", "::"}, {"[]", "::"}, {"[", "::"}, {"", "::"}, {"1.2.3", "::"}, {"1.2.3.4.5", "::"},
		{"a.test", "::"}, {"1111:2222:3333:4444:5555:6666:7777:8888:9999:aaaa", "::"}};
	char text[INET6_ADDRSTRLEN];
	(void)state;

	for (size_t i = 0; i < sizeof spelt / sizeof *spelt; i++) {
		const struct net_address a = net_address_read(spelt[i][0], strlen(spelt[i][0]));
		inet_ntop(AF_INET6, a.ip, text, sizeof text);
		if (strcmp(text, spelt[i][1]) != 0)
			fail_msg("%s is %s", spelt[i][0], text);
		assert_int_equal(net_address_is_none(&a), strcmp(text, "::") == 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_address_is_read_with_brackets_and_without),
		cmocka_unit_test(many_addresses_keep_their_numbers),
		cmocka_unit_test(addresses_are_numbered_as_they_come),
		cmocka_unit_test(nothing_is_asked_before_its_address_is_granted),
		cmocka_unit_test(a_robots_txt_elsewhere_needs_that_address),
		cmocka_unit_test(one_of_several_addresses_is_found),
		cmocka_unit_test(a_name_below_localhost_is_this_machine_though_no_resolver_knows_it),
		cmocka_unit_test(a_busy_server_is_left_alone_for_a_while),
	};

	return cmocka_run_group_tests_name("net_address", tests, NULL, NULL);
}
