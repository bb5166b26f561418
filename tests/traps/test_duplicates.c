#include "tests/test.h"

#include "traps/duplicates.h"

/* The location of each page by its id, for stand_of(). */
static struct page_stand stands[16];

static int stand_of(void *ctx, uint32_t id, struct page_stand *out)
{
	(void)ctx;
	assert_in_range(id, 0, 15);
	*out = stands[id];
	return 1;
}

static struct page_copied add_at(struct duplicates *d, uint32_t id, const struct url *u, const struct page_stand *stand,
	const struct page_marks *marks, size_t new_outside)
{
	stands[id] = *stand;
	return duplicates_add(d,
		&(struct page_met){.id = id,
			.url = u,
			.stand = *stand,
			.marks = marks,
			.new_outside = new_outside,
			.stand_of = stand_of});
}

static struct page_copied add(struct duplicates *d, uint32_t id, uint64_t digest, uint64_t fingerprint, size_t new_outside)
{
	static const char text[] = "http://a.test/p?sid=1";
	const struct page_marks marks = {{digest, 0}, fingerprint, 0, 0};
	const struct page_stand stand = {.host = 1, .root = 2, .domain = 3};
	struct url u = URL_EMPTY;

	assert_int_equal(url_parse(&u, text, strlen(text), NULL), URL_OK);
	const struct page_copied copied = add_at(d, id, &u, &stand, &marks, new_outside);
	url_release(&u);
	return copied;
}

static void a_duplicate_has_the_bytes_or_the_fingerprint_of_a_page_before(void **state)
{
	static const struct {
		uint64_t digest, fingerprint;
		uint32_t first;
	} rows[] = {{1, 10, 0}, {2, 20, 1}, {3, 10, 0}, {2, 30, 1}, {4, 30, 3}, {0, 0, 5}, {0, 0, 6}, {4, 0, 4}, {1, 20, 0}};
	struct duplicates d;
	(void)state;

	duplicates_init(&d, 0);
	for (uint32_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct page_copied copied = add(&d, i, rows[i].digest, rows[i].fingerprint, 0);
		assert_int_equal(copied.first, rows[i].first);
		assert_int_equal(copied.is_copy, rows[i].first != i);
	}
	duplicates_release(&d);
}

static void a_near_duplicate_that_leads_out_to_a_new_url_is_none(void **state)
{
	struct duplicates d;
	(void)state;

	duplicates_init(&d, 0);
	add(&d, 0, 1, 10, 1);
	assert_false(add(&d, 1, 2, 10, 1).is_copy);
	assert_true(add(&d, 2, 3, 10, 0).is_copy);
	assert_true(add(&d, 3, 1, 10, 1).is_copy); /* the same bytes */
	duplicates_release(&d);
}

static void pages_of_their_own_are_counted_and_those_that_stand_nowhere_else(void **state)
{
	const struct page_stand here = {.host = 1, .root = 11, .domain = 21}, there = {.host = 2, .root = 12, .domain = 21};
	struct url u = URL_EMPTY;
	struct duplicates d;
	(void)state;

	assert_int_equal(url_parse(&u, "http://a.test/", 14, NULL), URL_OK);
	duplicates_init(&d, 0);
	for (uint32_t id = 0; id < 5; id++) {
		const struct page_marks marks = {{100 + id, 0}, 0, 0, 0};
		assert_int_equal(add_at(&d, id, &u, &here, &marks, 0).is_first_of_host, id == 0);
	}
	for (uint32_t id = 5; id < 8; id++) {
		const struct page_marks marks = {{100 + id % 5, 0}, 0, 0, 0};
		const struct page_copied copied = add_at(&d, id, &u, &there, &marks, 0);
		assert_int_equal(copied.is_first_of_host, id == 5);
		assert_false(copied.is_first_of_domain);
	}
	const struct duplicates_counts a = duplicates_count(&d, 11), b = duplicates_count(&d, 2), all = duplicates_count(&d, 21);
	assert_int_equal(a.pages, 5);
	assert_int_equal(a.own, 5);
	assert_int_equal(a.alone, 2);
	assert_int_equal(b.pages, 3);
	assert_int_equal(b.own, 0);
	assert_int_equal(all.pages, 8);
	assert_int_equal(duplicates_count(&d, 99).pages, 0);
	duplicates_release(&d);
	url_release(&u);
}

static void near_simhashes_are_told_from_the_last_of_their_shape(void **state)
{
	struct duplicates plain, near;
	const struct page_stand stand = {.host = 1, .root = 2, .domain = 3};
	struct url u = URL_EMPTY, other = URL_EMPTY;
	(void)state;

	assert_int_equal(url_parse(&u, "http://a.test/p?sid=1", 21, NULL), URL_OK);
	assert_int_equal(url_parse(&other, "http://a.test/q?sid=1", 21, NULL), URL_OK);
	duplicates_init(&plain, 0);
	duplicates_init(&near, 4);
	for (uint32_t i = 0; i < 9; i++) {
		const uint64_t simhash = 0xf0f0f0f0f0f0f0f0u ^ 1ull << i; /* two bits apart */
		const struct page_marks marks = {{50 + i, 0}, 0, simhash, 0}, far = {{90 + i, 0}, 0, 0x0101010101010101u * i, 0};
		assert_false(add_at(&plain, i, &u, &stand, &marks, 0).is_copy);
		assert_int_equal(add_at(&near, i, &u, &stand, &marks, 0).is_copy, i > 0);
		assert_false(add_at(&near, i, &other, &stand, &far, 0).is_copy);
	}
	url_release(&u);
	url_release(&other);
	duplicates_release(&plain);
	duplicates_release(&near);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_duplicate_has_the_bytes_or_the_fingerprint_of_a_page_before),
		cmocka_unit_test(a_near_duplicate_that_leads_out_to_a_new_url_is_none),
		cmocka_unit_test(pages_of_their_own_are_counted_and_those_that_stand_nowhere_else),
		cmocka_unit_test(near_simhashes_are_told_from_the_last_of_their_shape),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
