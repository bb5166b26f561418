#include "tests/test.h"

#include "base/rng.h"
#include "parser/url_idna.h"
#include "parser/url_part.h"
#include "parser/utf8.h"

/* RFC 3492, 7.1, and the least cases */
static void punycode_gives_the_samples_of_its_rfc(void **state)
{
	static const struct {
		const char *text, *code;
	} row[] = {
		{"", ""},
		{"a", "a-"},
		{"\xc3\xbc", "tda"},
		{"b\xc3\xbc"
		 "cher",
			"bcher-kva"},
		{"-> $1.00 <-", "-> $1.00 <--"},
		{"\xe4\xbb\x96\xe4\xbb\xac\xe4\xb8\xba\xe4\xbb\x80\xe4\xb9\x88\xe4\xb8\x8d\xe8\xaf"
		 "\xb4"
		 "\xe4\xb8\xad\xe6\x96\x87",
			"ihqwcrb4cv8a8dqg056pqjye"},
		{"3\xe5\xb9\xb4"
		 "b\xe7\xb5\x84\xe9\x87\x91\xe5\x85\xab\xe5\x85\x88\xe7\x94\x9f",
			"3b-ww4c5e180e575a65lsy2b"},
		{"\xe3\x81\xb2\xe3\x81\xa8\xe3\x81\xa4\xe5\xb1\x8b\xe6\xa0\xb9\xe3\x81\xae\xe4\xb8"
		 "\x8b"
		 "2",
			"2-u9tlzr9756bt3uc0v"},
		{"\xf0\x9f\x98\x80", "e28h"},
		{"-\xc3\xa9", "--bga"},
	};
	struct buf code = BUF_EMPTY;
	uint32_t point[64], again[64];

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		const char *p = row[i].text, *end = p + strlen(p);
		size_t n = 0;
		while (p < end)
			point[n++] = utf8_read(&p, end);
		buf_clear(&code);
		buf_end(&code);
		assert_int_equal(punycode_encode(&code, point, n), 0);
		assert_string_equal(code.at, row[i].code);
		assert_int_equal(punycode_decode(code.at, code.used, again), (ptrdiff_t)n);
		assert_memory_equal(again, point, n * sizeof *point);
	}
	buf_release(&code);
}

static void punycode_refuses_what_it_never_writes(void **state)
{
	/* not ASCII, no digits, broken off, too large, "-" alone, a surrogate (U+D800) */
	static const char *const bad[] = {"\xc3\xa9", "\xc3\xa9-a", "a-b!", "ab-9", "99999999", "0zzzzzzz", "ls8h=", "-", "-a",
		"ib9b"};
	uint32_t point[16];

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		ptrdiff_t n = punycode_decode(bad[i], strlen(bad[i]), point);
		if (n >= 0)
			fail_msg("'%s' was read as %td code points", bad[i], n);
	}
	/* beside U+D800 */
	assert_int_equal(punycode_decode("hb9b", 4, point), 1);
	assert_int_equal(point[0], 0xd7ff);
	/* all before the last hyphen is as it stands */
	assert_int_equal(punycode_decode("a-b-", 4, point), 3);
}

static void punycode_comes_back(void **state)
{
	struct buf code = BUF_EMPTY;
	uint32_t point[40], again[160];
	struct rng r = {11};

	(void)state;
	for (int i = 0; i < 20000; i++) {
		size_t n = rng_below(&r, 40);
		for (size_t k = 0; k < n; k++) {
			do
				point[k] = (uint32_t)rng_below(&r, rng_below(&r, 2) ? 0x180 : 0x110000);
			while (point[k] >= 0xd800 && point[k] < 0xe000);
		}
		buf_clear(&code);
		buf_end(&code);
		assert_int_equal(punycode_encode(&code, point, n), 0);
		assert_int_equal(punycode_decode(code.at, code.used, again), (ptrdiff_t)n);
		assert_memory_equal(again, point, n * sizeof *point);
		/* damaged, it is refused or something else: never beyond its room */
		if (code.used)
			code.at[rng_below(&r, code.used)] = (char)rng_below(&r, 128);
		(void)!punycode_decode(code.at, code.used, again);
	}
	buf_release(&code);
}

static const struct {
	const char *domain, *want; /* NULL: none */
} pair[] = {
	{"b\xc3\xbc"
	 "cher.example",
		"xn--bcher-kva.example"},
	{"B\xc3\x9c"
	 "CHER.EXAMPLE",
		"xn--bcher-kva.example"},
	{"bu\xcc\x88"
	 "cher",
		"xn--bcher-kva"},
	{"fa\xc3\x9f", "xn--fa-hia"}, {"FA\xe1\xba\x9e", "xn--fa-hia"}, {"\xcf\x83\xcf\x82", "xn--3xab"},
	{"\xe2\x98\x95.example", "xn--53h.example"}, {"\xef\xbc\xa1.\xc3\xa9", "a.xn--9ca"},
	{"\xc3\xa9\xe3\x80\x82"
	 "b",
		"xn--9ca.b"},
	{"\xc3\xa9\xef\xbc\x8e\xef\xbd\xa1"
	 "b",
		"xn--9ca..b"},
	{"a\xc2\xad"
	 "b",
		"ab"},
	{"\xc2\xad"
	 "a",
		"a"},
	{"\xe2\x81\xa3\xc3\xa9", "xn--9ca"}, {"-\xc3\xa9-", "xn-----bja"}, {"a\xef\xb9\xa3\xc3\xa9", "xn--a--cja"},
	{"ab--\xc3\xa9", "xn--ab---epa"}, {"\xc3\xa9..a.", "xn--9ca..a."}, {"=\xcc\xb8", "xn--1ch"}, {"\xe1\x82\xa0", "xn--rkj"},
	{"\xf0\xb1\x8d\x90", "xn--8o8n"},
	{"1234567890123456789012345678901234567890123456789012345678901234.\xc3\xa9",
		"1234567890123456789012345678901234567890123456789012345678901234.xn--9ca"},
	{"\xc3\xa9"
	 "1234567890123456789012345678901234567890123456789012345678901234",
		"xn--1234567890123456789012345678901234567890123456789012345678901234-9tf"},
	/* what stands for something is checked, where anything is */
	{"xn--9ca.\xc3\xa9", "xn--9ca.xn--9ca"}, {"XN--9CA.\xc3\xa9", "xn--9ca.xn--9ca"}, {"xn--9c\xc3\xa9", NULL},
	{"xn--.\xc3\xa9", NULL}, {"xn--a-.\xc3\xa9", NULL}, {"xn--a.\xc3\xa9", NULL},
	{"xn--bcher-KVA.\xc3\xa9", "xn--bcher-kva.xn--9ca"}, {"xn--8i7caa.\xc3\xa9", NULL}, /* full-width letters */
	{"\xef\xbd\x98n--9ca.\xc3\xa9", "xn--9ca.xn--9ca"},
	{"\xcc\x81"
	 "a.\xc3\xa9",
		NULL},                                                                          /* begins with a mark */
	{"a.\xcc\x81", NULL}, {"a\xef\xbf\xbd", NULL}, {"a\xff", NULL}, {"\xee\x80\x80", NULL}, /* private */
	/* joiners */
	{"\xe0\xa4\x95\xe0\xa5\x8d\xe2\x80\x8d\xe0\xa4\xb7", "xn--11b2ezcw70k"},
	{"\xd9\x86\xd8\xa7\xd9\x85\xd9\x87\xe2\x80\x8c\xd8\xa7\xdb\x8c", "xn--mgba3gch31f060k"},
	{"a\xe2\x80\x8d"
	 "b",
		NULL},
	{"a\xe2\x80\x8c"
	 "b",
		NULL},
	/* a macron, once in order, stands between virama and joiner */
	{"$\xcc\x84\xe0\xa9\x8d\xe2\x80\x8d", NULL}, {"\xe2\x98\x95\xe0\xa4\x95\xe0\xa5\x8d\xe2\x80\x8d", "xn--11b6iy14enqf"},
	/* right to left */
	{"\xd7\x90\xd7\x91.\xd7\x92", "xn--4dbc.xn--6db"},
	{"\xd7\x90"
	 "1",
		"xn--1-zhc"},
	{"1\xd7\x90", NULL},
	{"\xd7\x90"
	 "a",
		NULL},
	{"a\xd7\x90", NULL}, {"\xd7\x90-", NULL}, {"\xd7\x90.a", "xn--4db.a"}, {"\xd7\x90.1", NULL}, {"\xd7\x90.a1", "xn--4db.a1"},
	{"\xd7\x90.a-", NULL}, {"\xc3\xa9.1", "xn--9ca.1"}, {"\xd7\x90..a", "xn--4db..a"},
	{"\xd8\xa7"
	 "1\xd9\xa1",
		NULL}, /* both kinds of digits */
};

static void domains_become_ascii(void **state)
{
	struct buf out = BUF_EMPTY;

	(void)state;
	for (size_t i = 0; i < sizeof pair / sizeof *pair; i++) {
		buf_clear(&out);
		int failed = url_idna(&out, pair[i].domain, strlen(pair[i].domain));
		if (failed != (pair[i].want ? 0 : -1) || (pair[i].want && strcmp(out.at, pair[i].want) != 0))
			fail_msg("row %zu <%s>: <%s>, not <%s>", i, pair[i].domain, failed ? "nothing" : out.at,
				pair[i].want ? pair[i].want : "nothing");
	}
	buf_release(&out);
}

/* A domain that was made is taken for itself when something in it makes the parser look. */
static void domains_stay_as_they_were_made(void **state)
{
	static const char *const piece[] = {"a", "B", "1", "-", ".", "\xc3\xa9", "\xc3\x9f", "\xcc\x81", "\xe2\x80\x8d",
		"\xe0\xa4\x95", "\xe0\xa5\x8d", "\xd7\x90", "\xd9\xa1", "\xe4\xb8\xad", "\xef\xbc\xa1", "\xe2\x98\x95", "\xc2\xad",
		"xn--", "\xea\xb0\x80"};
	struct buf domain = BUF_EMPTY, out = BUF_EMPTY, again = BUF_EMPTY;
	struct rng r = {12};
	int good = 0;

	(void)state;
	for (int i = 0; i < 4000; i++) {
		buf_clear(&domain);
		for (uint64_t n = 1 + rng_below(&r, 6); n; n--)
			buf_text(&domain, piece[rng_below(&r, sizeof piece / sizeof *piece)]);
		buf_clear(&out);
		if (url_idna(&out, domain.at, domain.used))
			continue;
		buf_text(&out, ".\xd7\x90");
		buf_clear(&again);
		if (url_idna(&again, out.at, out.used)) /* the Bidi rule holds it to more now */
			continue;
		good++;
		buf_text(&domain, ".\xd7\x90");
		buf_clear(&out);
		assert_int_equal(url_idna(&out, domain.at, domain.used), 0);
		assert_string_equal(again.at, out.at);
	}
	assert_true(good > 200);
	buf_release(&domain);
	buf_release(&out);
	buf_release(&again);
}

static void the_bidi_rule_has_six_conditions(void **state)
{
	static const struct {
		const char *label;
		int rtl, keeps;
	} row[] = {
		{"abc", 0, 1}, {"a1-b", 0, 1}, {"a-", 0, 0}, /* 6 */
		{"1a", 0, 0},                                /* 1 */
		{"a1", 0, 1}, {"-a", 0, 0},                  /* 1 */
		{"\xd7\x90\xd7\x91", 1, 1},
		{"\xd7\x90"
		 "1",
			1, 1},
		{"\xd7\x90-\xd7\x90", 1, 1},
		{"\xd7\x90"
		 "b\xd7\x90",
			1, 0},                      /* 2 */
		{"\xd7\x90-", 1, 0},                /* 3 */
		{"\xd7\x90\xd6\xb0\xd6\xb0", 1, 1}, /* marks behind */
		{"\xd7\x90-\xd6\xb0", 1, 0},        /* 3, marks behind */
		{"\xd8\xa7\xd9\xa1", 1, 1},
		{"\xd8\xa7\xd9\xa1"
		 "1",
			1, 0},                                     /* 4 */
		{"a\xd9\xa1", 1, 0},                               /* 5 */
		{"a\xcc\x81\xcc\x81", 0, 1}, {"a-\xcc\x81", 0, 0}, /* 6, marks behind */
		{"\xd9\xa1", 1, 0},                                /* 1 */
	};
	uint32_t point[16];

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		const char *p = row[i].label, *end = p + strlen(p);
		size_t n = 0;
		while (p < end)
			point[n++] = utf8_read(&p, end);
		assert_int_equal(idna_is_rtl(point, n), row[i].rtl);
		assert_int_equal(idna_keeps_bidi_rule(point, n), row[i].keeps);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(punycode_gives_the_samples_of_its_rfc),
		cmocka_unit_test(punycode_refuses_what_it_never_writes),
		cmocka_unit_test(punycode_comes_back),
		cmocka_unit_test(domains_become_ascii),
		cmocka_unit_test(domains_stay_as_they_were_made),
		cmocka_unit_test(the_bidi_rule_has_six_conditions),
	};

	return cmocka_run_group_tests_name("idna", tests, NULL, NULL);
}
