#include "tests/test.h"

#include "fetch/guard.h"

#include <arpa/inet.h>
#include <netinet/in.h>

static struct net_address address(const char *text)
{
	struct sockaddr_in v4 = {.sin_family = AF_INET};
	struct sockaddr_in6 v6 = {.sin6_family = AF_INET6};

	if (inet_pton(AF_INET, text, &v4.sin_addr) == 1)
		return net_address_of((const struct sockaddr *)(const void *)&v4);
	assert_int_equal(inet_pton(AF_INET6, text, &v6.sin6_addr), 1);
	return net_address_of((const struct sockaddr *)(const void *)&v6);
}

static void public_addresses_are_told_from_all_others(void **state)
{
	static const char *const is_public[] = {"1.1.1.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0",
		"126.255.255.255", "128.0.0.1", "169.253.0.1", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.167.255.255",
		"192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255", "2600::1", "2a00:1450::1", "::ffff:8.8.8.8",
		"64:ff9b::808:808", "2002:808:808::1", "2002:808:a00::1", "2001:200::1", "3fff:1000::1"};
	static const char *const is_not[] = {"0.0.0.0", "0.1.2.3", "10.0.0.0", "10.255.255.255", "100.64.0.1", "100.127.255.255",
		"127.0.0.1", "127.255.255.255", "169.254.169.254", "172.16.0.0", "172.31.255.255", "192.0.0.8", "192.0.2.1",
		"192.168.0.1", "198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1", "240.0.0.1",
		"255.255.255.255", "::", "::1", "::7f00:1", "::ffff:127.0.0.1", "::ffff:10.1.2.3", "::ffff:169.254.169.254",
		"64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "2002:7f00:1::", "2002:c0a8:1::1", "2002:a00:808::1", "2001::1",
		"2001:db8::1", "fc00::1", "fdff::1", "fe80::1", "febf::1", "fec0::1", "ff02::1", "100::1",
		/* what no registry gives out, and what translators may make of it */
		"fbff::1", "4000::1", "1fff::1", "64:ff9b:1:7f00:0:100:808:808", "64:ff9b:1::808:808", "::ffff:0:7f00:1",
		"::ffff:0:808:808", "3fff::1"};
	(void)state;

	for (size_t i = 0; i < sizeof is_public / sizeof *is_public; i++) {
		struct net_address a = address(is_public[i]);
		if (!guard_is_public(&a))
			fail_msg("%s is public", is_public[i]);
	}
	for (size_t i = 0; i < sizeof is_not / sizeof *is_not; i++) {
		struct net_address a = address(is_not[i]);
		if (guard_is_public(&a))
			fail_msg("%s is not public", is_not[i]);
	}
	assert_false(guard_is_public(&(struct net_address){{0}})); /* of no such family */
}

/* A network as its address and its bits, one after another. */
struct network {
	uint8_t ip[16];
	unsigned bits;
};

/* Reads "2001:db8::/32", or "10.0.0.0/8" as the part behind the first `before` bits of a network. */
static struct network network(const char *text, const struct network *before)
{
	struct network n = {{0}, 0};
	char host[64];
	uint8_t v4[4];

	snprintf(host, sizeof host, "%.*s", (int)strcspn(text, "/"), text);
	n.bits = (unsigned)atoi(strchr(text, '/') + 1);
	if (!before) {
		assert_int_equal(inet_pton(AF_INET6, host, n.ip), 1);
		return n;
	}
	assert_int_equal(inet_pton(AF_INET, host, v4), 1);
	memcpy(n.ip, before->ip, 16);
	memcpy(n.ip + before->bits / 8, v4, 4);
	n.bits += before->bits;
	return n;
}

/* Bit by bit. */
static int lies_in(const uint8_t ip[16], const struct network *n)
{
	for (unsigned i = 0; i < n->bits; i++)
		if ((ip[i / 8] ^ n->ip[i / 8]) >> (7 - i % 8) & 1)
			return 0;
	return 1;
}

/* The networks that are closed, in IPv6, and those in which any other address is public. */
static size_t all_networks(struct network *all, size_t *open)
{
	static const char *const v4[] = {"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16",
		"172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15",
		"198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3"};
	static const char *const v6[] = {"2001:db8::/32", "2001::/23", "3fff::/20"};
	static const char *const holders[] = {"::/96", "::ffff:0:0/96", "64:ff9b::/96", "2002::/16", "2000::/3"};
	size_t n = 0;

	for (size_t i = 0; i < sizeof v6 / sizeof *v6; i++)
		all[n++] = network(v6[i], NULL);
	for (size_t h = 0; h < 4; h++) {
		const struct network holder = network(holders[h], NULL);
		for (size_t i = 0; i < sizeof v4 / sizeof *v4; i++)
			all[n++] = network(v4[i], &holder);
	}
	*open = n;
	for (size_t h = 0; h < 5; h++)
		all[n++] = network(holders[h], NULL);
	return n;
}

/* The address that is `step` beyond another. */
static void step_by(uint8_t ip[16], int step)
{
	for (int i = 15; i >= 0; i--) {
		ip[i] = (uint8_t)(ip[i] + step);
		if (ip[i] != (step > 0 ? 0 : 255))
			return;
	}
}

static void each_network_is_closed_from_its_first_address_to_its_last(void **state)
{
	struct network all[80];
	size_t open, n = all_networks(all, &open);
	(void)state;

	for (size_t i = 0; i < n; i++)
		for (int where = 0; where < 4; where++) {
			struct net_address a = {{0}};
			char text[64];
			int closed = 0, known = 0;
			memcpy(a.ip, all[i].ip, 16);
			for (unsigned b = all[i].bits; where >= 2 && b < 128; b++)
				a.ip[b / 8] |= (uint8_t)(128 >> b % 8);
			if (where % 2)
				step_by(a.ip, where == 1 ? -1 : 1);
			for (size_t k = 0; k < n; k++)
				*(k < open ? &closed : &known) |= lies_in(a.ip, &all[k]);
			inet_ntop(AF_INET6, a.ip, text, sizeof text);
			if (guard_is_public(&a) != (known && !closed))
				fail_msg("%s", text);
		}
}

static int allows(const struct guard *g, const char *to, const char *url)
{
	struct net_address a = address(to);
	struct url u = URL_EMPTY;

	assert_int_equal(url_parse(&u, url, strlen(url), NULL), URL_OK);
	int allowed = guard_allows(g, &a, &u);
	url_release(&u);
	return allowed;
}

static struct guard *made(const struct guard_settings *set, const char *seed)
{
	struct guard *g = guard_new(set);
	struct url u = URL_EMPTY;

	assert_int_equal(url_parse(&u, seed, strlen(seed), NULL), URL_OK);
	guard_add_seed(g, &u, GUARD_NAMED);
	guard_add_seed(g, &u, GUARD_NAMED);
	url_release(&u);
	return g;
}

/* Tells the guard that the host of a URL has been resolved to the addresses, which are separated by blanks. */
static void learn(struct guard *g, const char *url, const char *addresses)
{
	struct net_address all[8];
	struct url u = URL_EMPTY;
	char text[256], *at = NULL;
	unsigned n = 0;

	snprintf(text, sizeof text, "%s", addresses);
	for (char *word = strtok_r(text, " ", &at); word; word = strtok_r(NULL, " ", &at))
		all[n++] = address(word);
	assert_int_equal(url_parse(&u, url, strlen(url), NULL), URL_OK);
	guard_learn(g, &u, all, n);
	url_release(&u);
}

static void a_private_address_is_for_the_host_and_port_of_a_named_seed(void **state)
{
	static const struct guard_settings set = {.reach = GUARD_PUBLIC};
	struct guard *g = made(&set, "http://intra.test:8080/");
	(void)state;

	assert_true(allows(g, "8.8.8.8", "http://x.test/"));
	assert_false(allows(g, "10.0.0.7", "http://intra.test:8080/")); /* not resolved yet */
	learn(g, "http://intra.test:8080/x", "10.0.0.7");
	learn(g, "http://x.test:8080/", "10.0.0.7");
	assert_true(allows(g, "10.0.0.7", "http://intra.test:8080/"));
	assert_true(allows(g, "10.0.0.7", "https://intra.test:8080/"));
	assert_true(allows(g, "8.8.8.8", "http://intra.test:8080/"));
	assert_false(allows(g, "10.0.0.7", "http://intra.test/"));
	assert_false(allows(g, "10.0.0.7", "https://intra.test:99/"));
	assert_false(allows(g, "10.0.0.7", "http://x.test:8080/"));
	assert_false(allows(g, "127.0.0.1", "http://localhost/"));
	assert_false(allows(g, "169.254.169.254", "http://169.254.169.254/latest"));
	guard_free(g);
}

/* Each row: what the name of a named seed is resolved to first, an address that it has later, and whether that is allowed. */
static void the_first_resolution_of_a_seed_decides_for_all_later_ones(void **state)
{
	static const struct {
		const char *first, *later;
		int is_allowed;
	} rows[] = {
		{"93.184.216.34", "10.0.0.5", 0},
		{"93.184.216.34", "127.0.0.1", 0},
		{"93.184.216.34", "8.8.8.8", 1},
		{"10.0.0.5 93.184.216.34", "10.0.0.5", 0},
		{"2a00:1450::1 fd00::5", "fd00::5", 0},
		{"10.0.0.5", "10.0.0.5", 1},
		{"10.0.0.5 10.0.0.9 fd00::5", "10.0.0.9", 1},
		{"10.0.0.5 10.0.0.9 fd00::5", "fd00::5", 1},
		{"10.0.0.5", "10.0.0.6", 0}, /* a name server may lead to any machine of the inner network */
		{"10.0.0.5", "192.168.3.4", 0},
		{"10.0.0.5", "fd00::5", 0},
		{"100.64.0.9", "172.16.0.9", 0},
		{"10.0.0.5", "127.0.0.1", 0},
		{"10.0.0.5", "::1", 0},
		{"10.0.0.5", "169.254.169.254", 0},
		{"10.0.0.5", "0.0.0.0", 0},
		{"10.0.0.5", "93.184.216.34", 1},
		{"127.0.0.1", "::1", 0},
		{"127.0.0.1", "127.0.0.9", 0},
		{"127.0.0.1", "10.0.0.5", 0},
		{"127.0.0.1 10.0.0.5", "10.0.0.5", 1},
		{"169.254.169.254", "169.254.169.254", 0}, /* no name leads to the services of a cloud */
		{"fe80::1", "fe80::1", 0},
		{"224.0.0.1", "224.0.0.1", 0},
		{"2002:a00:5::1", "2002:a00:5::1", 1}, /* 6to4 of 10.0.0.5 */
		{"2002:a00:5::1", "10.0.0.5", 0},
		{"64:ff9b::7f00:1", "10.0.0.5", 0},
	};
	static const struct guard_settings set = {.reach = GUARD_PUBLIC};
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct guard *g = made(&set, "http://seed.test/");
		learn(g, "http://seed.test/", rows[i].first);
		learn(g, "http://seed.test/", rows[i].later);
		if (allows(g, rows[i].later, "http://seed.test/x") != rows[i].is_allowed)
			fail_msg("first %s, later %s", rows[i].first, rows[i].later);
		guard_free(g);
	}
}

static void a_seed_of_a_list_opens_nothing_beyond_this_machine(void **state)
{
	static const char *const seeds[] = {"http://10.0.0.7/", "http://intra.test/", "http://localhost/"};
	static const struct guard_settings web = {.reach = GUARD_PUBLIC}, own = {.reach = GUARD_LOOPBACK};
	struct guard *g = guard_new(&web), *o = guard_new(&own);
	struct url u = URL_EMPTY;
	(void)state;

	for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
		assert_int_equal(url_parse(&u, seeds[i], strlen(seeds[i]), NULL), URL_OK);
		guard_add_seed(g, &u, GUARD_LISTED);
		guard_add_seed(o, &u, GUARD_LISTED);
		assert_false(guard_grants(g, &u));
		assert_true(guard_grants(o, &u));
	}
	learn(g, "http://intra.test/", "10.0.0.5");
	learn(o, "http://intra.test/", "127.0.0.3");
	assert_false(allows(g, "10.0.0.7", "http://10.0.0.7/"));
	assert_false(allows(g, "10.0.0.5", "http://intra.test/"));
	assert_false(allows(g, "127.0.0.1", "http://localhost/"));
	assert_true(allows(o, "127.0.0.3", "http://intra.test/"));
	assert_true(allows(o, "127.0.0.1", "http://localhost/"));
	/* until the user names it */
	assert_int_equal(url_parse(&u, seeds[0], strlen(seeds[0]), NULL), URL_OK);
	guard_add_seed(g, &u, GUARD_NAMED);
	assert_true(allows(g, "10.0.0.7", "http://10.0.0.7/"));
	url_release(&u);
	guard_free(g);
	guard_free(o);
}

static void the_address_of_a_seed_is_open_however_it_is_spelt(void **state)
{
	static const struct guard_settings set = {.reach = GUARD_PUBLIC};
	struct guard *g = made(&set, "http://0x7f.2:81/"), *six = made(&set, "http://[fd00::5]/"),
		     *cloud = made(&set, "http://169.254.169.254/");
	(void)state;

	assert_true(allows(g, "127.0.0.2", "http://127.0.0.2:81/"));
	assert_true(allows(g, "127.0.0.2", "http://[::ffff:127.0.0.2]:81/"));
	assert_false(allows(g, "127.0.0.2", "http://alias.test:81/"));
	assert_false(allows(g, "127.0.0.1", "http://127.0.0.1:81/"));
	assert_false(allows(g, "::1", "http://[::1]:81/"));
	assert_true(allows(six, "fd00::5", "http://[fd00:0::5]/"));
	assert_false(allows(six, "fd00::5", "http://x.test/"));
	assert_false(allows(six, "fd00::6", "http://[fd00::6]/"));
	assert_false(allows(six, "::", "http://[::]/"));
	assert_true(allows(cloud, "169.254.169.254", "http://169.254.169.254/latest"));
	guard_free(g);
	guard_free(six);
	guard_free(cloud);
}

static void a_seed_opens_its_own_port_alone(void **state)
{
	static const struct guard_settings set = {.reach = GUARD_PUBLIC};
	static const struct {
		const char *seed, *url;
		int is_allowed;
	} rows[] = {{"http://10.0.0.7:8080/", "http://10.0.0.7:8080/", 1}, {"http://10.0.0.7:8080/", "http://10.0.0.7/", 0},
		{"http://10.0.0.7:8080/", "http://10.0.0.7:9200/", 0}, {"http://10.0.0.7/", "https://10.0.0.7/", 0},
		{"https://10.0.0.7/", "http://10.0.0.7/", 0}, {"https://10.0.0.7/", "https://10.0.0.7/x", 1}};
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct guard *g = made(&set, rows[i].seed);
		assert_int_equal(allows(g, "10.0.0.7", rows[i].url), rows[i].is_allowed);
		guard_free(g);
	}
}

static void the_seeds_with_private_addresses_are_listed(void **state)
{
	static const struct guard_settings web = {.reach = GUARD_PUBLIC}, own = {.reach = GUARD_LOOPBACK};
	struct guard *g = made(&web, "http://intra.test:81/a"), *o = made(&own, "http://127.0.0.1/");
	struct url u = URL_EMPTY;
	(void)state;

	assert_null(guard_private(g, 0));
	assert_int_equal(url_parse(&u, "https://[fd00::5]/", 18, NULL), URL_OK);
	guard_add_seed(g, &u, GUARD_NAMED);
	assert_int_equal(url_parse(&u, "http://web.test/", 16, NULL), URL_OK);
	guard_add_seed(g, &u, GUARD_NAMED);
	url_release(&u);
	learn(g, "http://web.test/", "8.8.8.8");
	learn(g, "http://intra.test:81/", "10.0.0.5");
	learn(g, "http://intra.test:81/", "10.0.0.6");
	assert_string_equal(guard_private(g, 0), "https://[fd00::5]");
	assert_string_equal(guard_private(g, 1), "http://intra.test:81");
	assert_null(guard_private(g, 2));
	assert_null(guard_private(o, 0));
	guard_free(g);
	guard_free(o);
}

static enum outcome judged(const struct guard *g, const char *url, enum guard_way way)
{
	struct url u = URL_EMPTY;

	assert_int_equal(url_parse(&u, url, strlen(url), NULL), URL_OK);
	const enum outcome error = guard_judge_url(g, &u, way);
	url_release(&u);
	return error;
}

static void the_ports_of_other_protocols_are_not_asked(void **state)
{
	static const char *const led[] = {"b.test:25:127.0.0.1:8080", NULL};
	static const struct guard_settings set = {.reach = GUARD_PUBLIC, .connect_to = led, .allow_private = 1};
	static const unsigned others[] = {1, 22, 25, 110, 143, 6000, 6379, 6667, 9100, 10080, 11211},
			      open[] = {80, 443, 81, 591, 3000, 5000, 8000, 8080, 8443, 9200, 65535};
	struct guard *g = made(&set, "http://a.test:6667/");
	char url[64];
	(void)state;

	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		snprintf(url, sizeof url, "http://x.test:%u/", others[i]);
		assert_int_equal(judged(g, url, GUARD_DIRECT), OUTCOME_PORT);
		assert_int_equal(judged(g, url, GUARD_PROXIED), OUTCOME_PORT);
		snprintf(url, sizeof url, "http://x.test:%u/", open[i]);
		assert_int_equal(judged(g, url, GUARD_DIRECT), OUTCOME_NONE);
	}
	/* but where the user has named them */
	assert_int_equal(judged(g, "http://a.test:6667/x", GUARD_DIRECT), OUTCOME_NONE);
	assert_int_equal(judged(g, "http://a.test:6668/x", GUARD_DIRECT), OUTCOME_PORT);
	assert_int_equal(judged(g, "http://b.test:25/", GUARD_DIRECT), OUTCOME_NONE);
	guard_free(g);
}

/* The ports that a browser does not ask either (the "bad ports" of the Fetch standard), and those of Redis and memcached. */
static void every_port_is_asked_but_those_of_other_protocols(void **state)
{
	static const char closed[] = " 0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 "
				     "109 110 111 113 115 117 119 123 135 137 139 143 161 179 389 427 465 512 513 514 515 "
				     "526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719 1720 1723 2049 "
				     "3659 4045 4190 5060 5061 6000 6379 6566 6665 6666 6667 6668 6669 6679 6697 9100 10080 "
				     "11211 ";
	static const struct guard_settings set = {.reach = GUARD_PUBLIC};
	struct guard *g = guard_new(&set);
	char url[64], word[16];
	(void)state;

	for (unsigned port = 0; port < 65536; port++) {
		snprintf(url, sizeof url, "http://x.test:%u/", port);
		snprintf(word, sizeof word, " %u ", port);
		if (judged(g, url, GUARD_DIRECT) != (strstr(closed, word) ? OUTCOME_PORT : OUTCOME_NONE))
			fail_msg("port %u", port);
	}
	guard_free(g);
}

static void a_proxy_leads_to_no_private_address_that_a_link_spells(void **state)
{
	static const char *const closed[] = {"http://10.0.0.1/", "http://[::1]:8080/", "http://localhost/", "http://localhost./",
		"https://a.localhost/", "http://2130706433/", "http://[::]/", "http://169.254.169.254/latest", "http://10.0.0.9/"};
	static const char *const open[] = {"http://x.test/", "http://8.8.8.8/", "http://notlocalhost/", "http://localhost.test/",
		"http://10.0.0.9:81/"};
	static const struct guard_settings set = {.reach = GUARD_PUBLIC}, all = {.reach = GUARD_PUBLIC, .allow_private = 1};
	struct guard *g = made(&set, "http://10.0.0.9:81/"), *wide = guard_new(&all);
	(void)state;

	for (size_t i = 0; i < sizeof closed / sizeof *closed; i++) {
		assert_int_equal(judged(g, closed[i], GUARD_PROXIED), OUTCOME_PRIVATE);
		assert_int_equal(judged(g, closed[i], GUARD_DIRECT), OUTCOME_NONE); /* at the socket */
		assert_int_equal(judged(wide, closed[i], GUARD_PROXIED), OUTCOME_NONE);
	}
	for (size_t i = 0; i < sizeof open / sizeof *open; i++)
		assert_int_equal(judged(g, open[i], GUARD_PROXIED), OUTCOME_NONE);
	guard_free(g);
	guard_free(wide);
}

static void without_a_contact_nothing_but_this_machine_is_reached(void **state)
{
	static const struct guard_settings set = {.reach = GUARD_LOOPBACK}, open = {.reach = GUARD_LOOPBACK, .allow_private = 1};
	struct guard *g = made(&set, "http://a.test/"), *wide = made(&open, "http://a.test/");
	(void)state;

	learn(g, "http://a.test/", "127.0.0.1");
	assert_true(allows(g, "127.0.0.1", "http://a.test/"));
	assert_false(allows(g, "8.8.8.8", "http://a.test/"));
	assert_false(allows(g, "10.0.0.1", "http://a.test/"));
	assert_false(allows(g, "127.0.0.1", "http://b.test/"));
	assert_true(allows(wide, "127.9.9.9", "http://b.test/"));
	assert_false(allows(wide, "10.0.0.1", "http://b.test/"));
	/* nor where its domain is named; what is named on this machine is the user's */
	static const struct guard_settings named = {.reach = GUARD_LOOPBACK, .domains = "x, b.test"},
					   far = {.reach = GUARD_PUBLIC, .domains = "b.test"};
	struct guard *n = made(&named, "http://a.test/"), *f = made(&far, "http://a.test/");
	assert_true(allows(n, "127.0.1.5", "http://c.b.test/"));
	assert_false(allows(n, "127.0.1.5", "http://cb.test/"));
	assert_false(allows(n, "10.0.0.1", "http://b.test/"));
	assert_false(allows(f, "127.0.0.1", "http://b.test/"));
	guard_free(n);
	guard_free(f);
	guard_free(g);
	guard_free(wide);
}

static void what_the_user_led_there_is_allowed(void **state)
{
	static const char *const one[] = {"b.test:80:127.0.0.1:8080", "[::2]::127.0.0.1:1", NULL},
				 *const all[] = {"::127.0.0.1:8080", NULL};
	static const struct guard_settings some = {.reach = GUARD_PUBLIC, .connect_to = one},
					   every = {.reach = GUARD_PUBLIC, .connect_to = all};
	struct guard *g = made(&some, "http://a.test/"), *e = made(&every, "http://a.test/");
	(void)state;

	assert_true(allows(g, "127.0.0.1", "http://b.test/"));
	assert_true(allows(g, "127.0.0.1", "http://B.test/"));
	assert_false(allows(g, "127.0.0.1", "http://b.test:81/"));
	assert_false(allows(g, "127.0.0.1", "https://b.test/"));
	assert_false(allows(g, "127.0.0.1", "http://bb.test/"));
	assert_true(allows(g, "127.0.0.1", "http://[::2]:7/"));
	assert_true(allows(e, "127.0.0.1", "https://x.test:7/"));
	guard_free(g);
	guard_free(e);
}

static void a_proxy_may_be_where_no_page_may(void **state)
{
	static const struct guard_settings open = {.reach = GUARD_PUBLIC}, own = {.reach = GUARD_LOOPBACK};
	struct guard *g = guard_new(&open), *o = guard_new(&own);
	struct net_address private = address("10.0.0.1"), loopback = address("::1");
	(void)state;

	assert_true(guard_allows_proxy(g, &private));
	assert_true(guard_allows_proxy(g, &loopback));
	assert_false(guard_allows_proxy(o, &private));
	assert_true(guard_allows_proxy(o, &loopback));
	guard_free(g);
	guard_free(o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(public_addresses_are_told_from_all_others),
		cmocka_unit_test(each_network_is_closed_from_its_first_address_to_its_last),
		cmocka_unit_test(a_private_address_is_for_the_host_and_port_of_a_named_seed),
		cmocka_unit_test(the_first_resolution_of_a_seed_decides_for_all_later_ones),
		cmocka_unit_test(a_seed_of_a_list_opens_nothing_beyond_this_machine),
		cmocka_unit_test(the_seeds_with_private_addresses_are_listed),
		cmocka_unit_test(the_address_of_a_seed_is_open_however_it_is_spelt),
		cmocka_unit_test(a_seed_opens_its_own_port_alone),
		cmocka_unit_test(the_ports_of_other_protocols_are_not_asked),
		cmocka_unit_test(every_port_is_asked_but_those_of_other_protocols),
		cmocka_unit_test(a_proxy_leads_to_no_private_address_that_a_link_spells),
		cmocka_unit_test(without_a_contact_nothing_but_this_machine_is_reached),
		cmocka_unit_test(what_the_user_led_there_is_allowed),
		cmocka_unit_test(a_proxy_may_be_where_no_page_may),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
