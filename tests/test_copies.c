#include "tests/test.h"

#include "traps/copies.h"

static struct url parsed(const char *text)
{
	struct url u = URL_EMPTY;

	assert_int_equal(url_parse(&u, text, strlen(text), NULL), URL_OK);
	return u;
}

/* A page that says `gist`, with bytes of its own, under a number of its own. */
static struct page_copied come(
	struct copies *c, const char *url, uint64_t gist, int is_doubtful, size_t links)
{
	static uint32_t id;
	struct url u = parsed(url);
	const struct page_marks marks = {{0x1000000u + ++id, 0}, gist, 0};
	const struct page_came came = {id, is_doubtful, links};
	const struct page_copied copied = copies_add(c, &u, &marks, &came);

	url_release(&u);
	return copied;
}

static int is_left(const struct copies *c, const char *url)
{
	struct url u = parsed(url);
	const int left = copies_leave(c, &u);

	url_release(&u);
	return left;
}

static void a_copy_has_the_bytes_or_says_what_another_page_does(void **state)
{
	static const struct {
		uint64_t digest, gist;
		uint32_t first;
	} rows[] = {{1, 10, 0}, {2, 20, 1}, {3, 10, 0}, {2, 30, 1}, {4, 30, 3}, {0, 0, 5},
		{0, 0, 6}, {4, 0, 4}, {1, 20, 0}};
	struct copies c;
	struct url u = parsed("http://a.test/");
	(void)state;

	copies_init(&c, 8, 0);
	for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct page_marks marks = {{rows[i].digest, 0}, rows[i].gist, 0};
		const struct page_came came = {i, 0, 1};
		const struct page_copied copied = copies_add(&c, &u, &marks, &came);
		assert_int_equal(copied.first, rows[i].first);
		assert_int_equal(copied.is_copy, rows[i].first != i);
	}
	url_release(&u);
	copies_release(&c);
}

static void a_folder_is_left_after_doubtful_copies_in_a_row(void **state)
{
	struct copies c;
	(void)state;

	copies_init(&c, 8, 0);
	come(&c, "http://a.test/", 5, 0, 1);
	for (int i = 0; i < 100; i++) {
		come(&c, "http://a.test/found-elsewhere", 5, 0, 1);
		come(&c, "http://a.test/leads-nowhere", 5, 1, 0);
	}
	for (int i = 0; i < 7; i++)
		come(&c, "http://a.test/x", 5, 1, 1);
	come(&c, "http://a.test/new", 6, 1, 0); /* begin again */
	for (int i = 0; i < 8; i++) {
		assert_false(is_left(&c, "http://a.test/y"));
		come(&c, "http://b.test/x", 100 + (uint64_t)i, 1, 1);
		come(&c, "http://a.test/x", 5, 1, 1);
		come(&c, "http://a.test/no-matter", 200 + (uint64_t)i, 0, 1);
	}
	assert_true(is_left(&c, "http://a.test/y"));
	assert_true(is_left(&c, "http://a.test/?a=b"));
	assert_false(is_left(&c, "http://a.test/z/y"));
	assert_false(is_left(&c, "http://b.test/y"));
	come(&c, "http://a.test/in-flight", 7, 1, 1);
	assert_true(is_left(&c, "http://a.test/y"));
	copies_release(&c);
}

static void a_host_is_left_after_four_times_as_many(void **state)
{
	struct copies c;
	char url[64];
	(void)state;

	copies_init(&c, 8, 0);
	come(&c, "http://a.test/", 5, 0, 1);
	for (int i = 0; i < 8 * COPIES_HOST; i++) {
		assert_false(is_left(&c, "http://a.test/new/y"));
		snprintf(url, sizeof url, "http://a.test/%d/x", i);
		come(&c, url, 5, 1, 1);
		assert_false(is_left(&c, "http://b.test/new/y"));
	}
	assert_true(is_left(&c, "http://a.test/new/y"));
	assert_true(is_left(&c, "http://a.test/"));
	copies_release(&c);
}

static void first_pages_of_hosts_count_for_their_domain_and_of_domains_for_the_web(void **state)
{
	struct copies c;
	char url[64];
	(void)state;

	copies_init(&c, 8, 0);
	come(&c, "http://1.farm.test/", 5, 0, 1);
	for (int i = 0; i < 8; i++) {
		assert_false(is_left(&c, "http://new.farm.test/"));
		snprintf(url, sizeof url, "http://%d.farm.test/", 10 + i);
		come(&c, url, 5, 1, 1);
	}
	assert_true(is_left(&c, "http://new.farm.test/"));
	assert_false(is_left(&c, "http://1.farm.test/more")); /* has a page */
	assert_false(is_left(&c, "http://other.test/"));
	for (int i = 0; i < 7; i++) { /* farm.test was the first */
		assert_false(is_left(&c, "http://other.test/"));
		snprintf(url, sizeof url, "http://www.farm%d.test/", i);
		come(&c, url, 5, 1, 1);
		come(&c, url, 5, 1, 1);
	}
	come(&c, "http://another.test/", 5, 1, 1);
	assert_true(is_left(&c, "http://other.test/"));
	assert_false(is_left(&c, "http://www.farm1.test/more"));
	copies_release(&c);
}

/* Page `id` was found on the one that came last. */
static struct page_copied come_as(
	struct copies *c, const char *url, uint64_t gist, uint32_t id, int is_doubtful)
{
	struct url u = parsed(url);
	const struct page_marks marks = {{0x2000000u + id, 0}, gist, 0};
	const struct page_came came = {id, is_doubtful, 1};
	const struct page_copied copied = copies_add(c, &u, &marks, &came);

	url_release(&u);
	return copied;
}

static void a_folder_whose_copies_lead_to_something_new_begins_again(void **state)
{
	struct copies c;
	(void)state;

	copies_init(&c, 8, 0);
	come_as(&c, "http://a.test/list/0", 5, 0, 0);
	for (uint32_t i = 1; i < 40; i++) {
		come_as(&c, "http://a.test/list/1", 5, 2 * i, 1);
		copies_led(&c, 2 * i + 1);
		if (i % 7 == 0)
			come_as(&c, "http://a.test/thing/1", 100 + i, 2 * i + 1, 1);
	}
	assert_false(is_left(&c, "http://a.test/list/2"));
	for (uint32_t i = 40; i < 49; i++) {
		come_as(&c, "http://a.test/list/1", 5, 2 * i, 1);
		come_as(&c, "http://a.test/thing/1", 100 + i, 2 * i + 1, 1); /* found elsewhere */
	}
	assert_true(is_left(&c, "http://a.test/list/2"));
	assert_false(is_left(&c, "http://a.test/thing/2"));
	copies_release(&c);
}

static void hosts_of_copies_are_left_when_their_domain_says_nothing_new(void **state)
{
	char url[64];
	struct copies c;
	(void)state;

	copies_init(&c, 8, 0);
	for (int page = 0; page < 4; page++) {
		snprintf(url, sizeof url, "http://own.a.test/%d", page);
		come(&c, url, 1000 + (uint64_t)page, 0, 1);
	}
	for (int i = 0; i < 4 * COPIES_HOST * 8; i++) { /* four pages of each, in a folder each */
		snprintf(url, sizeof url, "http://h%d.a.test/%d/", i / 4, i % 4);
		assert_int_equal(is_left(&c, url), i >= 4 * 8);
		assert_false(is_left(&c, "http://own.a.test/x"));
		if (i >= 4 * 8)
			break;
		come(&c, url, 1000 + (uint64_t)i % 4, 1, 1);
	}
	assert_true(is_left(&c, "http://h1.a.test/x"));
	assert_true(is_left(&c, "http://fresh.a.test/x"));
	assert_false(is_left(&c, "http://a.b.test/x"));
	copies_release(&c);
}

static void near_copies_are_told_from_the_last_of_their_shape(void **state)
{
	struct copies plain, near;
	struct url u = parsed("http://a.test/p?sid=1"), other = parsed("http://a.test/q?sid=1");
	(void)state;

	copies_init(&plain, 8, 0);
	copies_init(&near, 8, 4);
	for (uint32_t i = 0; i < 9; i++) {
		const uint64_t simhash = 0xf0f0f0f0f0f0f0f0u ^ 1ull << i; /* two bits apart */
		const struct page_marks marks = {{50 + i, 0}, 0, simhash},
					far = {{90 + i, 0}, 0, 0x0101010101010101u * i};
		const struct page_came came = {i, 0, 1};
		assert_false(copies_add(&plain, &u, &marks, &came).is_copy);
		assert_int_equal(copies_add(&near, &u, &marks, &came).is_copy, i > 0);
		assert_false(copies_add(&near, &other, &far, &came).is_copy);
	}
	url_release(&u);
	url_release(&other);
	copies_release(&plain);
	copies_release(&near);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_copy_has_the_bytes_or_says_what_another_page_does),
		cmocka_unit_test(a_folder_is_left_after_doubtful_copies_in_a_row),
		cmocka_unit_test(a_host_is_left_after_four_times_as_many),
		cmocka_unit_test(
			first_pages_of_hosts_count_for_their_domain_and_of_domains_for_the_web),
		cmocka_unit_test(a_folder_whose_copies_lead_to_something_new_begins_again),
		cmocka_unit_test(hosts_of_copies_are_left_when_their_domain_says_nothing_new),
		cmocka_unit_test(near_copies_are_told_from_the_last_of_their_shape),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
