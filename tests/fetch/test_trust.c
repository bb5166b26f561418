#include "tests/test.h"

#include "fetch/trust.h"

static void missing_certificates_are_told_with_what_to_do(void **state)
{
	struct err_note why;
	const char *folder = scratch();

	(void)state;
	assert_int_equal(trust_check_at("/nowhere/ca.crt", folder, &why), ERR_FILE);
	assert_non_null(strstr(why.text, "'/nowhere/ca.crt': No such file"));
	assert_non_null(strstr(why.text, "ca-certificates"));
	assert_non_null(strstr(why.text, "--cacert"));
	assert_int_equal(trust_check_at(NULL, "/nowhere", &why), ERR_FILE);
	assert_int_equal(trust_check_at(NULL, folder, &why), 0);
	assert_int_equal(trust_check_at("/dev/null", "/nowhere", &why), 0);
	assert_int_equal(trust_check_at(NULL, NULL, &why), 0);
	assert_int_equal(trust_check("/nowhere/mine.pem", &why), ERR_FILE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(missing_certificates_are_told_with_what_to_do),
	};

	return cmocka_run_group_tests_name("trust", tests, NULL, NULL);
}
