#include "tests/parser/urls.h"

#include <arpa/inet.h>

static const struct reference host[] = {
	{NULL, "http://EXAMPLE.com.", "http://example.com./"},
	{NULL, "http://ex%41mple%2Ecom", "http://example.com/"},
	{NULL, "http://a_b-.-c..d", "http://a_b-.-c..d/"},
	{NULL, "http://a!\"$&'()*+,;=`{}~", "http://a!\"$&'()*+,;=`{}~/"},
	{NULL, "http://a b", "bad"},
	{NULL, "http://a%20b", "bad"},
	{NULL, "http://a%00b", "bad"},
	{NULL, "http://a%b", "bad"},
	{NULL, "http://a%2541", "bad"},
	{NULL, "http://a<b", "bad"},
	{NULL, "http://a^b", "bad"},
	{NULL, "http://a|b", "bad"},
	{NULL, "http://a]b", "bad"},
	{NULL,
		"http://a\x01"
		"b",
		"bad"},
	{NULL,
		"http://a\x7f"
		"b",
		"bad"},
	{NULL, "http://%2e", "http://./"},
	{NULL, "http://1.2.3.4", "http://1.2.3.4/"},
	{NULL, "http://1.2.3.4.", "http://1.2.3.4/"},
	{NULL, "http://1.2.3.4..", "http://1.2.3.4../"},
	{NULL, "http://0x7f.1", "http://127.0.0.1/"},
	{NULL, "http://0X7F.0.0.0x1", "http://127.0.0.1/"},
	{NULL, "http://0177.1", "http://127.0.0.1/"},
	{NULL, "http://2130706433", "http://127.0.0.1/"},
	{NULL, "http://0x", "http://0.0.0.0/"},
	{NULL, "http://1.0x.0.", "http://1.0.0.0/"},
	{NULL, "http://4294967295", "http://255.255.255.255/"},
	{NULL, "http://4294967296", "bad"},
	{NULL, "http://0xffffffffffffffffffffffff", "bad"},
	{NULL, "http://1.16777215", "http://1.255.255.255/"},
	{NULL, "http://1.16777216", "bad"},
	{NULL, "http://256.1", "bad"},
	{NULL, "http://1.2.3.256", "bad"},
	{NULL, "http://1.2.3.4.5", "bad"},
	{NULL, "http://1..2", "bad"},
	{NULL, "http://08", "bad"},
	{NULL, "http://a.08", "bad"},
	{NULL, "http://a.1", "bad"},
	{NULL, "http://a.0x1", "bad"},
	{NULL, "http://a.0xg", "http://a.0xg/"},
	{NULL, "http://1a", "http://1a/"},
	{NULL, "http://1.2.3.4a", "http://1.2.3.4a/"},
	{NULL, "http://%31.%32", "http://1.0.0.2/"},
	{NULL, "http://[::]", "http://[::]/"},
	{NULL, "http://[::1]:81/", "http://[::1]:81/"},
	{NULL, "http://[1::]", "http://[1::]/"},
	{NULL, "http://[0:0:1:0:0:0:0:1]", "http://[0:0:1::1]/"},
	{NULL, "http://[1:0:0:2:0:0:3:4]", "http://[1::2:0:0:3:4]/"},
	{NULL, "http://[1:0:2:3:4:5:6:7]", "http://[1:0:2:3:4:5:6:7]/"},
	{NULL, "http://[1:2:3:4:5:6:7::]", "http://[1:2:3:4:5:6:7:0]/"},
	{NULL, "http://[::1:2:3:4:5:6:7]", "http://[0:1:2:3:4:5:6:7]/"},
	{NULL, "http://[00AB:CDEF::]", "http://[ab:cdef::]/"},
	{NULL, "http://[::1.2.3.4]", "http://[::102:304]/"},
	{NULL, "http://[1:2:3:4:5:6:255.255.0.1]", "http://[1:2:3:4:5:6:ffff:1]/"},
	{NULL, "http://[::1.2.3]", "bad"},
	{NULL, "http://[::1.2.3.4.5]", "bad"},
	{NULL, "http://[::1.2.3.04]", "bad"},
	{NULL, "http://[::1.2.3.256]", "bad"},
	{NULL, "http://[::1.2.3.]", "bad"},
	{NULL, "http://[::.1.2.3]", "bad"},
	{NULL, "http://[1:2:3:4:5:6:7:1.2.3.4]", "bad"},
	{NULL, "http://[]", "bad"},
	{NULL, "http://[:]", "bad"},
	{NULL, "http://[:::]", "bad"},
	{NULL, "http://[1::2::3]", "bad"},
	{NULL, "http://[1:]", "bad"},
	{NULL, "http://[:1]", "bad"},
	{NULL, "http://[1:2:3:4:5:6:7]", "bad"},
	{NULL, "http://[1:2:3:4:5:6:7:8:9]", "bad"},
	{NULL, "http://[1:2:3:4::5:6:7:8]", "bad"},
	{NULL, "http://[12345::]", "bad"},
	{NULL, "http://[::g]", "bad"},
	{NULL, "http://[::1%25eth0]", "bad"},
	{NULL, "http://[::1", "bad"},
	{NULL, "http://[::1]a", "bad"},
	{NULL,
		"http://b\xc3\xbc"
		"cher.example/\xc3\xbc",
		"http://xn--bcher-kva.example/%C3%BC"},
	{NULL, "http://b%C3%BCcher.example/", "http://xn--bcher-kva.example/"},
	{NULL, "http://b%C3cher.example/", "bad"},
	{NULL,
		"http://b\xc3"
		"cher.example/",
		"bad"},
	{NULL, "http://\xef\xbc\x91.\xef\xbc\x92", "http://1.0.0.2/"},
	{NULL, "http://\xc2\xad/", "bad"},
};

static void hosts_are_parsed(void **state)
{
	(void)state;
	assert_references(ROWS(host));
}

static void ipv6_addresses_are_those_of_inet_pton(void **state)
{
	static const char *const piece[] = {"0", "0", "0:0", "1", "ab", "FFFF", "00a", "::", ":", ":", "1.2.3.4", "9.9.255.0"};
	struct url u = URL_EMPTY;
	struct buf text = BUF_EMPTY;
	struct rng r = {4};
	int good = 0;

	(void)state;
	for (int i = 0; i < 100000; i++) {
		unsigned char want[16], got[16];
		buf_clear(&text);
		buf_text(&text, "http://[");
		for (uint64_t n = 1 + rng_below(&r, 8); n; n--) {
			buf_text(&text, piece[rng_below(&r, sizeof piece / sizeof *piece)]);
			if (n > 1 && rng_below(&r, 8))
				buf_byte(&text, ':');
		}
		const int valid = inet_pton(AF_INET6, text.at + 8, want) == 1;
		buf_byte(&text, ']');
		assert_int_equal(url_parse(&u, text.at, text.used, NULL) == URL_OK, valid);
		if (!valid)
			continue;
		good++;
		u.text.at[u.host_end - 1] = 0;
		assert_int_equal(inet_pton(AF_INET6, u.text.at + u.host + 1, got), 1);
		assert_memory_equal(got, want, 16);
	}
	assert_true(good > 1000);
	buf_release(&text);
	url_release(&u);
}

static void ipv4_numbers_of_any_radix_are_the_same_address(void **state)
{
	struct url u = URL_EMPTY;
	struct rng r = {5};

	(void)state;
	for (int i = 0; i < 20000; i++) {
		const uint32_t address = (uint32_t)rng_next(&r);
		const unsigned parts = 1 + (unsigned)rng_below(&r, 4);
		char text[96] = "http://", part[32], want[32];
		for (unsigned k = 0; k < parts; k++) {
			/* the last part takes all the bytes that are left */
			unsigned value = address >> (24 - 8 * k) & 255;
			if (k + 1 == parts)
				value = address & (k ? UINT32_MAX >> 8 * k : UINT32_MAX);
			switch (rng_below(&r, 4)) {
			case 0:
				snprintf(part, sizeof part, "%u", value);
				break;
			case 1:
				snprintf(part, sizeof part, "00%o", value);
				break;
			case 2:
				snprintf(part, sizeof part, "0x%x", value);
				break;
			default:
				snprintf(part, sizeof part, "0X00%X", value);
			}
			strcat(text, part);
			strcat(text, k + 1 < parts ? "." : "");
		}
		snprintf(want, sizeof want, "http://%u.%u.%u.%u/", address >> 24, address >> 16 & 255, address >> 8 & 255,
			address & 255);
		assert_int_equal(url_parse(&u, text, strlen(text), NULL), URL_OK);
		assert_string_equal(u.text.at, want);
	}
	url_release(&u);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hosts_are_parsed),
		cmocka_unit_test(ipv6_addresses_are_those_of_inet_pton),
		cmocka_unit_test(ipv4_numbers_of_any_radix_are_the_same_address),
	};

	return cmocka_run_group_tests_name("url_host", tests, NULL, NULL);
}
