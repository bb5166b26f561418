#include "tests/test.h"

#include "base/mem.h"
#include "base/rng.h"
#include "simweb/address.h"

static const char *nth_url(const void *ctx, uint32_t i)
{
	return ((char *const *)ctx)[i];
}

/* Against a linear scan, on URLs of which many are the same. */
static void the_table_finds_the_first_of_equal_urls(void **state)
{
	enum { N = 3000 };
	char **list = mem_new(N, sizeof *list);
	struct address_table t;
	struct rng r = {11};
	uint32_t found = 0, page;
	struct address a;

	(void)state;
	for (uint32_t i = 0; i < N; i++) {
		char text[64];
		snprintf(text, sizeof text, "http://h%d.test:%d/%d%s", (int)rng_below(&r, 8), 80 + (int)rng_below(&r, 2),
			(int)rng_below(&r, 150), i % 3 ? "" : "?q");
		list[i] = mem_text(i % 50 ? text : "no url");
	}
	address_table_init(&t, (struct address_list){list, N, nth_url});
	for (uint32_t i = 0; i < 2 * N; i++) {
		char text[64];
		snprintf(text, sizeof text, "http://h%d.test:%d/%d%s", (int)rng_below(&r, 8), 80 + (int)rng_below(&r, 2),
			(int)rng_below(&r, 300), i % 2 ? "" : "?q");
		uint32_t want = 0;
		while (want < N && strcmp(list[want], text) != 0)
			want++;
		assert_true(address_of_url(&a, text));
		if (want < N) {
			assert_true(address_table_find(&t, &a, &page));
			assert_int_equal(page, want);
			found++;
		} else if (address_table_find(&t, &a, &page)) {
			/* the other port's */
			assert_string_equal(strrchr(list[page], '/'), strrchr(text, '/'));
		}
	}
	assert_true(found > 1000 && found < 2 * N - 1000);
	address_table_release(&t);
	for (uint32_t i = 0; i < N; i++)
		free(list[i]);
	free(list);
}

/* Would take hours if equal URLs were all compared with each other. */
static void equal_urls_without_end_cost_linear_time(void **state)
{
	enum { N = 30000 };
	char **list = mem_new(N, sizeof *list);
	struct address_table t;
	struct address a;
	uint32_t page;

	(void)state;
	for (uint32_t i = 0; i < N; i++) {
		char text[64];
		snprintf(text, sizeof text, "http://u%u@h.test:%u/%%%s", i, i % 65536, i % 2 ? "61" : "41");
		list[i] = mem_text(text);
	}
	address_table_init(&t, (struct address_list){list, N, nth_url});
	assert_true(address_of_request(&a, "/a", "h.test"));
	assert_true(address_table_find(&t, &a, &page));
	assert_int_equal(page, 1);
	address_table_release(&t);
	for (uint32_t i = 0; i < N; i++)
		free(list[i]);
	free(list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_table_finds_the_first_of_equal_urls),
		cmocka_unit_test(equal_urls_without_end_cost_linear_time),
	};

	return cmocka_run_group_tests_name("address", tests, NULL, NULL);
}
