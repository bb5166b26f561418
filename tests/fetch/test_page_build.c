#include "tests/test.h"

#include "base/rng.h"
#include "fetch/page_build.h"

static int add(struct page_build *b, const char *text, unsigned kind)
{
	struct url u = URL_EMPTY;

	assert_int_equal(url_parse(&u, text, strlen(text), NULL), URL_OK);
	int full = page_build_add(b, &u, kind, "");
	url_release(&u);
	return full;
}

static struct fetch_page *take(struct page_build *b, uint32_t id)
{
	const struct fetch_page head = {.result.id = id, .result.state = PAGE_CRAWLED, .result.status = 200, .result.bytes = 5};

	return page_build_take(b, &head);
}

static const char *link_at(const struct fetch_page *page, uint32_t i)
{
	const char *text = page->text + page->start[i];

	assert_int_equal(strlen(text), page->start[i + 1] - page->start[i] - 1);
	return text;
}

static void a_link_has_the_anchor_text_with_which_it_first_came(void **state)
{
	static const char want[] = "\0\0third\0\0fifth";
	static const char *const row[][2] = {{"http://a.test/1", ""}, {"http://a.test/2", ""}, {"http://a.test/3", "third"},
		{"http://a.test/1", "late"}, {"http://a.test/4", ""}, {"http://a.test/5", "fifth"}, {"http://a.test/3", "again"}};
	struct page_build b;

	(void)state;
	page_build_init(&b, 100, 1);
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct url u = URL_EMPTY;
		assert_int_equal(url_parse(&u, row[i][0], strlen(row[i][0]), NULL), URL_OK);
		assert_int_equal(page_build_add(&b, &u, LINK_A, row[i][1]), 0);
		url_release(&u);
	}
	struct fetch_page *page = take(&b, 1);
	assert_int_equal(page->n, 5);
	assert_memory_equal(page->anchors, want, sizeof want);
	fetch_page_free(page);
	add(&b, "http://a.test/1", LINK_A);
	page = take(&b, 2);
	assert_null(page->anchors);
	fetch_page_free(page);
	page_build_release(&b);
}

static void pages_come_whole_and_leave_nothing_behind(void **state)
{
	struct page_build b;

	(void)state;
	page_build_init(&b, 100, 1);
	assert_int_equal(add(&b, "http://a.test/x", LINK_A), 0);
	assert_int_equal(add(&b, "https://u:p@b.test:81/?y", LINK_AREA), 0);
	assert_int_equal(add(&b, "http://a.test/x", LINK_FRAME), 0);
	assert_int_equal(add(&b, "http://u@a.test/x", LINK_A), 0); /* the same page */
	assert_int_equal(add(&b, "https://b.test:81/?y", LINK_A), 0);
	struct fetch_page *page = take(&b, 7);
	struct fetch_page *none = take(&b, 8);
	assert_int_equal(page->result.id, 7);
	assert_int_equal(page->result.bytes, 5);
	assert_int_equal(page->n, 2);
	assert_string_equal(link_at(page, 0), "http://a.test/x");
	assert_string_equal(link_at(page, 1), "https://b.test:81/?y");
	assert_int_equal(page->kinds[0], LINK_A);
	assert_int_equal(page->kinds[1], LINK_AREA);
	assert_int_equal(page->host[1], 8);
	assert_int_equal(page->host_end[1], 17);
	assert_int_equal(none->n, 0);
	assert_int_equal(none->start[0], 0);
	add(&b, "http://a.test/x", LINK_A); /* forgotten, so new */
	page_build_reset(&b);
	add(&b, "http://a.test/x", LINK_LINK);
	struct fetch_page *again = take(&b, 9);
	assert_int_equal(again->n, 1);
	assert_int_equal(again->kinds[0], LINK_LINK);
	fetch_page_free(page);
	fetch_page_free(none);
	fetch_page_free(again);
	page_build_release(&b);
}

/* Random links of many pages, small and large, against a plain table. */
static void links_are_distinct_in_document_order(void **state)
{
	static uint32_t number[60000];
	static uint8_t seen[100000];
	struct rng rng = {5};
	struct page_build b;
	char text[64];

	(void)state;
	page_build_init(&b, 1000000, 99);
	for (unsigned p = 0; p < 60; p++) {
		unsigned links = p == 30 ? 150000 : 200, of = p == 30 ? 100000 : 150;
		uint32_t n = 0;
		memset(seen, 0, sizeof seen);
		struct url u = URL_EMPTY;
		for (unsigned i = 0; i < links && n < 60000; i++) {
			uint32_t v = (uint32_t)rng_below(&rng, of);
			int length = snprintf(text, sizeof text, "http://a.test/%u", v);
			assert_int_equal(url_parse(&u, text, (size_t)length, NULL), URL_OK);
			assert_int_equal(page_build_add(&b, &u, LINK_A, ""), 0);
			if (!seen[v])
				number[n++] = v;
			seen[v] = 1;
		}
		url_release(&u);
		struct fetch_page *page = take(&b, p);
		assert_int_equal(page->n, n);
		for (uint32_t i = 0; i < n; i++)
			assert_int_equal(strtoul(link_at(page, i) + 14, NULL, 10), number[i]);
		fetch_page_free(page);
	}
	page_build_release(&b);
}

static void links_and_their_text_are_capped(void **state)
{
	static char text[8000] = "http://a.test/";
	struct page_build b;
	unsigned n = 0;

	(void)state;
	page_build_init(&b, 2, 1);
	assert_int_equal(add(&b, "http://a.test/1", LINK_A), 0);
	assert_int_equal(add(&b, "http://a.test/2", LINK_A), 0);
	assert_int_equal(add(&b, "http://a.test/2", LINK_A), 0);
	assert_int_equal(add(&b, "http://a.test/3", LINK_A), 1);
	page_build_release(&b);

	page_build_init(&b, UINT32_MAX, 1);
	memset(text + 14, 'x', sizeof text - 15);
	do {
		snprintf(text + 14, 10, "%08u", n);
		text[22] = 'x';
	} while (add(&b, text, LINK_A) == 0 && ++n < 10000);
	assert_int_equal(n, PAGE_MAX_TEXT / sizeof text);
	struct fetch_page *page = take(&b, 1);
	assert_int_equal(page->n, n);
	assert_int_equal(strlen(link_at(page, n - 1)), sizeof text - 1);
	fetch_page_free(page);
	page_build_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_link_has_the_anchor_text_with_which_it_first_came),
		cmocka_unit_test(pages_come_whole_and_leave_nothing_behind),
		cmocka_unit_test(links_are_distinct_in_document_order),
		cmocka_unit_test(links_and_their_text_are_capped),
	};

	return cmocka_run_group_tests_name("page build", tests, NULL, NULL);
}
