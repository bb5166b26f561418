/* The index from a page to its last result and links. */
#include "tests/storage/made_crawl.h"

#include "frontier/policy.h"
#include "storage/handle.h"

/* The page that is crawled as the n-th of PAGES; one page in five was queued again before. */
#define PAGES 20000u
static uint32_t crawled_as(uint32_t n)
{
	return (uint32_t)((uint64_t)n * 7919 % PAGES);
}

static void put_tries(struct store *s, uint32_t id, enum page_state state, uint32_t tries)
{
	const struct result r = {.state = (uint8_t)state, .target = STORE_NO_PAGE, .tries = tries};

	assert_int_equal(store_put_result(s, id, &r, NULL), 0);
}

static void check_tries(struct store *s, uint32_t id)
{
	const uint32_t *links;
	struct result r;

	assert_int_equal(store_result(s, id, &r), 1);
	assert_int_equal(r.tries, 1 + (id % 5 == 0));
	assert_int_equal(r.state, PAGE_CRAWLED);
	assert_int_equal(store_links(s, id, &links, NULL), 1);
	assert_int_equal(links[0], id);
}

static void pages_are_found_in_any_order_and_those_of_the_crawl_take_no_table(void **state)
{
	struct result r;
	struct store *s;
	char dir[64], url[32];

	(void)state;
	strcpy(dir, scratch());
	s = open_store(dir, STORE_WRITE);
	for (uint32_t id = 0; id <= PAGES; id++) {
		snprintf(url, sizeof url, "http://h.test/%u", id);
		add(s, url);
	}
	for (uint32_t id = 0; id < PAGES; id += 5)
		put_tries(s, id, PAGE_QUEUED, 1);
	for (uint32_t n = 0; n < PAGES; n++) {
		const uint32_t id = crawled_as(n);
		assert_int_equal(store_result(s, id, &r), id % 5 == 0);
		put_tries(s, id, PAGE_CRAWLED, 1 + (id % 5 == 0));
		assert_int_equal(store_put_links(s, id, &id, NULL, NULL, 1, NULL), 0);
		if (n % 100 == 0)
			commit(s);
	}
	commit(s);
	for (int again = 0; again < 2; again++) {
		assert_int_equal(s->latest_result.number.used, PAGES / 5);
		for (uint32_t n = 0; n < PAGES; n++)
			check_tries(s, crawled_as(n));
		/* as of a crawl that goes on near its end */
		assert_false(s->latest_result.is_whole || s->latest_links.is_whole);
		store_drop(s);
		s = open_store(dir, again ? STORE_READ : STORE_WRITE);
		for (uint32_t n = PAGES - 300; n < PAGES; n++)
			check_tries(s, crawled_as(n));
		assert_false(s->latest_result.is_whole || s->latest_links.is_whole);
		assert_int_equal(s->latest_links.number.used, 0);
		if (again)
			break;
		store_drop(s);
		s = open_store(dir, STORE_WRITE);
		check_tries(s, 0);
	}
	for (uint32_t id = PAGES; id-- > 0;)
		check_tries(s, id);
	assert_true(s->latest_result.is_whole && s->latest_links.is_whole);
	assert_int_equal(store_result(s, PAGES, &r), 0);
	store_drop(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_are_found_in_any_order_and_those_of_the_crawl_take_no_table),
	};

	return cmocka_run_group_tests_name("latest", tests, NULL, NULL);
}
