#include "tests/test.h"

#include "cli/sites.h"

static void check(enum site_by by, const uint32_t *want)
{
	static char text[] = "a.example.org\0b.example.org\0x.co.uk\0y.co.uk\0www.x.co.uk:8080\0"
			     "127.0.0.1\0001.127.0.0.1\0localhost\0co.uk\0\0[::1]:80\0x.co.uk:443";
	uint64_t start[12];
	uint32_t site[12];
	size_t at = 0;

	for (size_t h = 0; h < 12; h++) {
		start[h] = at;
		at += strlen(text + at) + 1;
	}
	struct names names = {.hosts = 12, .host_text = text, .host_start = start};
	assert_int_equal(at, sizeof text);
	sites_of_hosts(&names, by, site);
	for (size_t h = 0; h < 12; h++)
		if (site[h] != want[h])
			fail_msg("'%s' is of site %u, not %u", text + start[h], site[h], want[h]);
}

static void hosts_are_their_own_sites(void **state)
{
	static const uint32_t want[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};

	(void)state;
	check(SITE_HOST, want);
}

static void hosts_of_one_registrable_domain_are_one_site(void **state)
{
	static const uint32_t want[] = {0, 0, 2, 3, 2, 5, 6, 7, 8, 9, 10, 2};

	(void)state;
	check(SITE_DOMAIN, want);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hosts_are_their_own_sites),
		cmocka_unit_test(hosts_of_one_registrable_domain_are_one_site),
	};

	return cmocka_run_group_tests_name("sites", tests, NULL, NULL);
}
