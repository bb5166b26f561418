/* What is left of a page when it is compared with others. */
#include "tests/test.h"

#include "base/buf.h"
#include "parser/fingerprint.h"

static uint64_t hash_of(const char *text)
{
	return simhash_html(text, strlen(text));
}

static uint64_t print(const char *text, const char *url)
{
	return fingerprint_html(text, strlen(text), url, strlen(url), NULL).hash;
}

static void fingerprint_is_the_same_where_a_program_says_the_same_again(void **state)
{
	static const struct {
		const char *a, *b; /* at http://a.test/x/a and b */
		int same;
	} rows[] = {
		{"<p>No events on May 12, 2031", "<P class=x>no EVENTS <b>on</b> may 31 2032", 1},
		{"No events in May", "No events in June", 0},
		{"Sorry, /x/a was not found", "sorry, /x/b was not found", 1},
		{"Hello<script>1</script>", "Hello<script>2</script>", 1},
		{"Your session: 9f86d081884c7d65", "Your session: 60303ae22b998861", 1},
		{"part AB12", "part AB13", 0},
		{"<img src=1.jpg> a photo of mine", "<img src=2.jpg> a photo of mine", 0},
		{"<image src=1.jpg> a photo", "<image src=2.jpg> a photo", 1},
		{"It costs 170 euros", "It costs 180 euros", 0},
		{"one two", "two one", 0},
		{"12:30, 1999", "", 1},
		{"request 5577557642009203", "request 9f86d081884c7d65", 1},
		{"It costs 17 euros", "It costs 18 euros", 0},
		{"It costs 3.17", "It costs 3.18", 0},
		{"Monday, 17 May", "Monday, 19 june", 0},
		{"Monday, 17 May", "Monday, 19 may", 1},
		{"17/05/2031", "1/12/2030", 1},
		{"<td>27<td>28<td>1<td>2", "<td>30<td>31<td>1<td>2<td>3", 1},
		{"it took 0.0123 s", "it took 0.4567 s", 1},
		{"it took 0.01 s", "it took 0.35 s", 1},
		{"You are visitor 81234", "You are visitor 81299", 1},
		{"17 users online: 5", "29 users online: 371", 1},
		{"in 12 hours, 371 minutes", "in 7 hours, 410 minutes", 1},
		{"35 ms at 1763729384", "481 ms at 1763729999123", 1},
		{"telephone 2763729384", "telephone 2763729999", 0},
		{"room 17", "room 29", 0},
		{"k 3:1 l 2:0 m 4:4 n 1:5 o 3:0", "k 3:1 l 2:0 m 4:4 n 1:5 o 5:3", 0},
		{"k 12:31 l 2:20 m 4:44 n 1:15", "k 11:13 l 12:20 m 4:41 n 1:59", 1},
		{"k 3-0", "k 5-0", 0},
		{"k 30-11", "k 5-7", 1},
		{"<img src=/p?1 width=1 height=1>x", "<img src=/p?2 height='0'>x", 1},
		{"<img src=/p?1 width=\"1\"/>x", "x", 1},
		{"<img src=/p?1 width=100>x", "<img src=/p?2 width=100>x", 0},
		{"<img src=/p?1 width=1%>x", "<img src=/p?2 width=1%>x", 0},
		{"<img width=", "<img height='1", 0},
	};
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if ((print(rows[i].a, "http://a.test/x/a") == print(rows[i].b, "http://a.test/x/b")) != rows[i].same)
			fail_msg("%s", rows[i].a);
	/* a URL's numbers, and those beside them */
	assert_int_equal(print("on the 7th, 7, 8, of", "http://a.test/07"), print("on the 7th, 20, 19, of", "http://a.test/20"));
	assert_int_not_equal(print("on 9", "http://a.test/07"), print("on", "http://a.test/07"));
}

static void fingerprint_is_the_same_on_all_pages_of_a_list_that_differ_in_their_place(void **state)
{
	(void)state;

	assert_int_equal(print("things 991 to 1000, page 100", "http://a.test/?page=100"),
		print("things 91 to 100, page 10", "http://a.test/?page=10"));
	assert_int_equal(print("things 991 to 1000, page 100", "http://a.test/?start=990"),
		print("things 2021 to 2030, page 203", "http://a.test/?start=2020"));
	assert_int_not_equal(print("things 997 to 1003", "http://a.test/?page=100"), print("things to", "http://a.test/?page=100"));
}

static void fingerprint_of_little_is_little(void **state)
{
	(void)state;

	assert_int_equal(print("", ""), 0);
	assert_int_equal(print("<", ""), 0);
	assert_int_equal(print("http://a.test/", "http://a.test/"), 0);
	assert_int_not_equal(print("a\xff\xfe", ""), 0);
}

/* The words are looked for in blocks of 64 bytes, and read by sixteen. */
static void fingerprint_is_the_same_wherever_the_words_stand(void **state)
{
	static const char text[] = "Antidisestablishmentarianism of ab12 <b>b</b>\xc3\xa4h <!-- a --> 1234567890 170"
				   "<script>var x = '<b>';</script><img src=1> from-end-to-end < a <s>to</s> 7 <p end";
	char padded[sizeof text + 300];
	(void)state;

	for (size_t before = 0; before < 140; before++)
		for (size_t behind = 0; behind < 140; behind += 1 + before % 7) {
			const size_t n = before + sizeof text - 1 + behind;
			memset(padded, ' ', sizeof padded);
			memcpy(padded + before, text, sizeof text - 1);
			char *exact = malloc(n); /* sanitizers see what is read beyond it */
			memcpy(exact, padded, n);
			assert_int_equal(fingerprint_html(exact, n, "", 0, NULL).hash, print(text, ""));
			assert_int_equal(simhash_html(exact, n), hash_of(text));
			free(exact);
		}
}

static void fingerprint_takes_the_end_of_long_pages_as_it_stands(void **state)
{
	static const struct {
		const char *url;
		const char *a, *b; /* dates */
		size_t words;      /* between them and the page's beginning */
		int same;
	} rows[] = {
		{"http://a.test/b?c", "May 12", "may 13", FINGERPRINT_WORDS - 1, 1},
		{"http://a.test/b?c", "May 12", "may 12", FINGERPRINT_WORDS + 1, 0},
		{"http://a.test/b?c", "May 12", "May 13", FINGERPRINT_WORDS + 1, 0},
		{"http://a.test/b?c", "May 12", "May 12", FINGERPRINT_WORDS + 1, 1},
		{"http://a.test/b4", "May 12", "may 13", FINGERPRINT_WORDS - 1, 1},
		{"http://a.test/b4", "May 12", "May 13", FINGERPRINT_WORDS + 1, 0},
		{"http://a4.test:80/b/c", "May 12", "may 13", FINGERPRINT_FEWER - 1, 1},
		{"http://a4.test:80/b/c", "May 12", "May 13", FINGERPRINT_FEWER + 1, 0},
		{"http://a4.test:80/b/c", "May 12", "May 12", FINGERPRINT_FEWER + 1, 1},
		{"", "May 12", "May 13", FINGERPRINT_FEWER + 1, 0},
	};
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		uint64_t prints[2];
		for (int k = 0; k < 2; k++) {
			struct buf page = BUF_EMPTY;
			for (size_t w = 1; w < rows[i].words; w++)
				buf_text(&page, k ? "<b>WORD</b>" : "<i x=y>word</b>");
			buf_text(&page, k ? rows[i].b : rows[i].a);
			for (size_t w = 0; w < 100; w++)
				buf_text(&page, " and so on");
			prints[k] = fingerprint_html(page.at, page.used, rows[i].url, strlen(rows[i].url), NULL).hash;
			buf_release(&page);
		}
		if ((prints[0] == prints[1]) != rows[i].same)
			fail_msg("%s behind %zu words at '%s'", rows[i].b, rows[i].words, rows[i].url);
	}
}

static void fingerprint_of_a_long_page_needs_a_numbered_url(void **state)
{
	static const char word[] = "word ";
	struct buf page = BUF_EMPTY;
	(void)state;

	while (page.used + sizeof word <= FINGERPRINT_LONG)
		buf_text(&page, word);
	assert_int_not_equal(fingerprint_html(page.at, page.used, "http://a1.test/b", 16, NULL).words, 0);
	buf_text(&page, word);
	assert_int_equal(fingerprint_html(page.at, page.used, "http://a1.test/b", 16, NULL).words, 0);
	assert_int_equal(fingerprint_html(page.at, page.used, "http://a1.test/b", 16, NULL).hash, 0);
	assert_int_not_equal(fingerprint_html(page.at, page.used, "http://a1.test/1", 16, NULL).words, 0);
	assert_int_not_equal(fingerprint_html(page.at, page.used, "http://a1.test/?", 16, NULL).words, 0);
	buf_release(&page);
}

static void simhash_sees_words_and_neither_tags_nor_numbers(void **state)
{
	static const char text[] = "<p>The quick brown fox jumps over the lazy dog of May 12</p>";
	(void)state;

	assert_int_equal(hash_of(text),
		hash_of("<div class=x><b>the QUICK brown</b> fox jumps over<script>if (a<b) evil"
			"</script> the <!-- x --> lazy dog of may 31 2024</div>"));
	assert_int_not_equal(hash_of(text), 0);
	assert_int_equal(hash_of("<p>one two three four five six seven"), 0);
	assert_int_equal(hash_of(""), 0);
	assert_int_equal(hash_of("<"), 0);
	assert_int_equal(hash_of("<script>no end of it a b c d e f g h i j"), 0);
}

static void simhash_is_near_for_near_texts_only(void **state)
{
	struct buf a = BUF_EMPTY, b = BUF_EMPTY, c = BUF_EMPTY;
	(void)state;

	for (int i = 0; i < 400; i++) {
		char word[8] = {(char)('a' + i % 26), (char)('a' + i / 26), 'x', ' ', 0};
		char wrong[8] = {(char)('a' + i * 7 % 26), 'q', (char)('a' + i / 26), ' ', 0};
		buf_text(&a, word);
		buf_text(&b, i == 200 ? "other " : word);
		buf_text(&c, wrong);
	}
	uint64_t x = simhash_html(a.at, a.used), y = simhash_html(b.at, b.used), z = simhash_html(c.at, c.used);
	assert_true(simhash_distance(x, y) <= 6);
	assert_true(simhash_distance(x, z) >= 16);
	buf_release(&a);
	buf_release(&b);
	buf_release(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fingerprint_is_the_same_where_a_program_says_the_same_again),
		cmocka_unit_test(fingerprint_is_the_same_on_all_pages_of_a_list_that_differ_in_their_place),
		cmocka_unit_test(fingerprint_of_little_is_little),
		cmocka_unit_test(fingerprint_is_the_same_wherever_the_words_stand),
		cmocka_unit_test(fingerprint_takes_the_end_of_long_pages_as_it_stands),
		cmocka_unit_test(fingerprint_of_a_long_page_needs_a_numbered_url),
		cmocka_unit_test(simhash_sees_words_and_neither_tags_nor_numbers),
		cmocka_unit_test(simhash_is_near_for_near_texts_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
