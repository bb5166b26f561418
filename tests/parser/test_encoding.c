#include "tests/test.h"

#include "parser/decode.h"

#include <iconv.h>

static void labels_name_encodings(void **state)
{
	static const struct {
		const char *label, *name;
	} row[] = {{"utf-8", "utf-8"}, {"UTF8", "utf-8"}, {" \t\n\f\rLatin1 ", "windows-1252"}, {"iso-8859-1", "windows-1252"},
		{"ascii", "windows-1252"}, {"l9", "iso-8859-15"}, {"iso-8859-9", "windows-1254"}, {"tis-620", "windows-874"},
		{"gb2312", "gbk"}, {"sjis", "shift_jis"}, {"x-sjis", "shift_jis"}, {"ks_c_5601-1987", "euc-kr"},
		{"big5-hkscs", "big5"}, {"utf-16", "utf-16le"}, {"unicodefffe", "utf-16be"}, {"hz-gb-2312", "replacement"},
		{"logical", "iso-8859-8-i"}, {"koi8-ru", "koi8-u"}, {"mac", "macintosh"}, {"x-user-defined", "x-user-defined"},
		{"866", "ibm866"}, {"", NULL}, {" ", NULL}, {"utf-7", NULL}, {"latin", NULL}, {"latin1 ascii", NULL},
		{"utf -8", NULL}, {"\vutf-8", NULL}, {"x", NULL}, {"utf\xc2\xad-8", NULL}};

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		const char *name = encoding_name(row[i].label, strlen(row[i].label));
		if (row[i].name)
			assert_string_equal(name, row[i].name);
		else
			assert_null(name);
	}
	assert_null(encoding_name("utf-8\0x", 7));
	assert_string_equal(encoding_name("utf-8x", 5), "utf-8");
}

static void iconv_knows_what_it_is_asked_for(void **state)
{
	static const char *const name[] = {"utf-8", "ibm866", "iso-8859-2", "iso-8859-3", "iso-8859-4", "iso-8859-5", "iso-8859-6",
		"iso-8859-7", "iso-8859-8", "iso-8859-8-i", "iso-8859-10", "iso-8859-13", "iso-8859-14", "iso-8859-15",
		"iso-8859-16", "koi8-r", "koi8-u", "macintosh", "windows-874", "windows-1250", "windows-1251", "windows-1252",
		"windows-1253", "windows-1254", "windows-1255", "windows-1256", "windows-1257", "windows-1258", "x-mac-cyrillic",
		"gbk", "gb18030", "big5", "euc-jp", "iso-2022-jp", "shift_jis", "euc-kr", "utf-16be", "utf-16le"};

	(void)state;
	for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
		assert_string_equal(encoding_name(name[i], strlen(name[i])), name[i]);
		iconv_t cd = iconv_open("UTF-8", encoding_iconv(name[i]));
		if (cd == (iconv_t)-1)
			fail_msg("iconv does not know '%s'", encoding_iconv(name[i]));
		iconv_close(cd);
	}
	assert_null(encoding_iconv("replacement"));
	assert_null(encoding_iconv("x-user-defined"));
	assert_null(encoding_iconv("latin1"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(labels_name_encodings),
		cmocka_unit_test(iconv_knows_what_it_is_asked_for),
	};

	return cmocka_run_group_tests_name("encoding", tests, NULL, NULL);
}
