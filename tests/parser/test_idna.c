#include "tests/test.h"

#include "base/rng.h"
#include "parser/url_part.h"

/* RFC 3492, 7.1, and the least cases */
static void labels_become_the_samples_of_the_rfc_of_punycode(void **state)
{
	static const struct {
		const char *text, *code;
	} row[] = {
		{"\xc3\xbc", "tda"},
		{"b\xc3\xbc"
		 "cher",
			"bcher-kva"},
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
	struct buf out = BUF_EMPTY;

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		buf_clear(&out);
		assert_int_equal(url_idna(&out, row[i].text, strlen(row[i].text)), 0);
		assert_memory_equal(out.at, "xn--", 4);
		assert_string_equal(out.at + 4, row[i].code);
	}
	buf_release(&out);
}

/* Behind "xn--": no digits, broken off, too large, nothing, a surrogate (U+D800). */
static void labels_that_punycode_never_writes_are_refused(void **state)
{
	static const char *const bad[] = {"a-b!", "ab-9", "99999999", "0zzzzzzz", "ls8h=", "", "-", "-a", "a-", "ib9b"};
	struct buf domain = BUF_EMPTY, out = BUF_EMPTY;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		buf_clear(&domain);
		buf_format(&domain, "xn--%s.\xc3\xa9", bad[i]);
		buf_clear(&out);
		if (url_idna(&out, domain.at, domain.used) == 0)
			fail_msg("'%s' was read", domain.at);
	}
	buf_release(&domain);
	buf_release(&out);
}

/* The longest domain passes, whatever it becomes; a longer one does not. */
static void a_domain_is_of_a_thousand_characters_at_most(void **state)
{
	struct buf domain = BUF_EMPTY, out = BUF_EMPTY;

	(void)state;
	for (int i = 0; i < URL_IDNA_MAX; i++)
		buf_text(&domain,
			i % 64 == 63    ? "."
				: i % 2 ? "\xf0\x90\x80\x80"
					: "\xef\xb7\xba"); /* which becomes 18 characters */
	(void)!url_idna(&out, domain.at, domain.used);
	buf_clear(&domain);
	for (int i = 0; i < URL_IDNA_MAX; i++)
		buf_text(&domain, i % 64 == 63 ? "." : "\xf0\xa0\x80\x80");
	buf_clear(&out);
	assert_int_equal(url_idna(&out, domain.at, domain.used), 0);
	buf_text(&domain, "a");
	assert_int_equal(url_idna(&out, domain.at, domain.used), -1);
	buf_release(&domain);
	buf_release(&out);
}

static const struct {
	const char *domain, *want; /* NULL: none */
} pair[] = {
	{"\xf0\xb2\xa4\xb1"
	 "20.\xe9\x9f\xb3",
		"xn--20-9802c.xn--0w5a"}, /* of Unicode 17 */
	{"\xe1\xa0\x86\xc3\xa9\xf0\xae\xaf\xa0.\xf0\xae\xaf\xb0", "xn--9ca749iol62c.xn--8g0n"}, {"xn--xn---epa.\xc3\xa9", NULL},
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
		int keeps;
	} row[] = {
		{"abc", 1}, {"a1-b", 1}, {"a-", 0}, /* 6 */
		{"1a", 0},                          /* 1 */
		{"a1", 1}, {"-a", 0},               /* 1 */
		{"\xd7\x90\xd7\x91", 1},
		{"\xd7\x90"
		 "1",
			1},
		{"\xd7\x90-\xd7\x90", 1},
		{"\xd7\x90"
		 "b\xd7\x90",
			0},                      /* 2 */
		{"\xd7\x90-", 0},                /* 3 */
		{"\xd7\x90\xd6\xb0\xd6\xb0", 1}, /* marks behind */
		{"\xd7\x90-\xd6\xb0", 0},        /* 3, marks behind */
		{"\xd8\xa7\xd9\xa1", 1},
		{"\xd8\xa7\xd9\xa1"
		 "1",
			0},                                  /* 4 */
		{"a\xd9\xa1", 0},                            /* 5 */
		{"a\xcc\x81\xcc\x81", 1}, {"a-\xcc\x81", 0}, /* 6, marks behind */
		{"\xd9\xa1", 0},                             /* 1 */
	};
	struct buf domain = BUF_EMPTY, out = BUF_EMPTY;

	(void)state;
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		buf_clear(&domain);
		buf_format(&domain, "%s.\xd7\x90", row[i].label);
		buf_clear(&out);
		if ((url_idna(&out, domain.at, domain.used) == 0) != row[i].keeps)
			fail_msg("row %zu: '%s'", i, row[i].label);
	}
	buf_release(&domain);
	buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(labels_become_the_samples_of_the_rfc_of_punycode),
		cmocka_unit_test(labels_that_punycode_never_writes_are_refused),
		cmocka_unit_test(a_domain_is_of_a_thousand_characters_at_most),
		cmocka_unit_test(domains_become_ascii),
		cmocka_unit_test(domains_stay_as_they_were_made),
		cmocka_unit_test(the_bidi_rule_has_six_conditions),
	};

	return cmocka_run_group_tests_name("idna", tests, NULL, NULL);
}
