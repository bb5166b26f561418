/* What is finite of an endless web. What a crawl gets of it is compared in tests/policies/e2e_expected.sh. */
#include "tests/test.h"

#include "simweb/endless_expected.h"

#include <string.h>

static int write_of(const char *settings, struct endless_reader reader, struct err_note *why)
{
	const struct fault_settings faults = {.seed = 0};
	struct endless web;

	assert_int_equal(endless_parse(&web, settings, why), 0);
	reader.threads = 1;
	return endless_expected_write(&web, &faults, &reader, "/dev/null", why);
}

static void a_reader_who_comes_upon_too_much_is_told(void **state)
{
	struct err_note why;

	(void)state;
	assert_int_equal(write_of("7,hosts=100,traps=0", (struct endless_reader){.most = 150}, &why), ERR_TOO_BIG);
	assert_non_null(strstr(why.text, "more than 150 URLs"));
	assert_int_equal(write_of("7,hosts=100,traps=0", (struct endless_reader){.most = 150, .max_depth = 1}, &why), 0);
}

static void a_web_without_end_needs_a_depth(void **state)
{
	static const struct {
		const char *web, *why;
	} endless[] = {
		{"7,hosts=100", "traps=0, or --max-depth N, is wanted"},
		{"7,hosts=1001,traps=0", "more than 1000 hosts"},
	};
	struct err_note why;

	(void)state;
	for (size_t i = 0; i < sizeof endless / sizeof *endless; i++) {
		assert_int_equal(write_of(endless[i].web, (struct endless_reader){.most = 1000}, &why), ERR_USAGE);
		assert_non_null(strstr(why.text, endless[i].why));
		assert_int_equal(write_of(endless[i].web, (struct endless_reader){.most = 1000, .max_depth = 1}, &why), 0);
	}
	assert_int_equal(write_of("7,changes=1", (struct endless_reader){.most = 1000, .max_depth = 1}, &why), ERR_USAGE);
	assert_non_null(strstr(why.text, "depends on the time"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_reader_who_comes_upon_too_much_is_told),
		cmocka_unit_test(a_web_without_end_needs_a_depth),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
