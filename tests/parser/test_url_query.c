#include "tests/parser/urls.h"

static void queries_are_in_the_documents_encoding(void **state)
{
	static const struct {
		const char *encoding, *query, *want;
	} row[] = {
		{"utf-8", "\xc3\xa9", "%C3%A9"},
		{"utf-16le", "\xc3\xa9", "%C3%A9"},
		{"replacement", "\xc3\xa9", "%C3%A9"},
		{"no-such", "\xc3\xa9", "%C3%A9"},
		{"windows-1252", "a b'\"<>", "a%20b%27%22%3C%3E"},
		{"windows-1252", "\xc3\xa9\xe2\x82\xac", "%E9%80"},
		{"windows-1252", "\xc3\x83\xc2\x81", "%C3%81"},
		{"windows-1252", "\xe4\xb8\xad&x", "%26%2320013%3B&x"},
		{"windows-1252", "\xff", "%26%2365533%3B"},
		{"iso-8859-2", "\xc5\x82", "%B3"},
		{"koi8-u", "\xd1\x9e\xd1\x97", "%AE%A7"},
		{"windows-1255", "\xef\xac\xaf", "%26%2364303%3B"},
		{"windows-1258", "\xc3\xa3", "%26%23227%3B"},
		{"x-user-defined", "\xef\x9e\x80\xef\x9f\xbf\xc3\xa9", "%80%FF%26%23233%3B"},
		{"gbk", "\xe4\xb8\xad\xe2\x82\xac\xf0\x9f\x98\x80", "%D6%D0%80%26%23128512%3B"},
		{"gb18030", "\xf0\x9f\x98\x80", "%949%FC6"},
		{"big5", "\xe4\xb8\xad\xc3\x88", "%A4%A4%26%23200%3B"},
		{"euc-kr", "\xed\x95\x9c", "%C7%D1"},
		{"shift_jis", "\xe6\x97\xa5\xef\xbd\xb1\xc2\xa5\xe2\x88\x92", "%93%FA%B1\\%81|"},
		{"shift_jis", "\xe2\x80\x94", "%26%238212%3B"},
		{"euc-jp", "\xe6\x97\xa5\xef\xbd\xb1\xe2\x85\xb0\xe7\xba\x8a", "%C6%FC%8E%B1%FC%F1%F9%A1"},
		{"iso-2022-jp", "a\xe6\x97\xa5z", "a%1B$BF|%1B(Bz"},
		{"iso-2022-jp", "\xe6\x97\xa5\xf0\x9f\x98\x80\xe6\x97\xa5", "%1B$BF|%1B(B%26%23128512%3B%1B$BF|%1B(B"},
		{"iso-2022-jp", "\xc2\xa5", "%1B(J\\%1B(B"},
		{"iso-2022-jp", "\xef\xbd\xb1", "%1B$B%%22%1B(B"},
		{"iso-2022-jp", "\x1b\xe6\x97\xa5", "%26%2365533%3B%1B$BF|%1B(B"},
	};
	struct url u = URL_EMPTY;
	char input[64], want[96];

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		/* the path is in UTF-8 all the same */
		snprintf(input, sizeof input, "http://h/\xc3\xa9?%s#\xc3\xa9", row[i].query);
		snprintf(want, sizeof want, "http://h/%%C3%%A9?%s", row[i].want);
		enum url_result r = url_parse_in(&u, input, strlen(input), NULL, row[i].encoding);
		assert_int_equal(r, URL_OK);
		assert_string_equal(u.text.at, want);
		assert_parts_fit(&u);
	}
	url_release(&u);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(queries_are_in_the_documents_encoding),
	};

	return cmocka_run_group_tests_name("url_query", tests, NULL, NULL);
}
