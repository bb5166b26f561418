#include "tests/test.h"

#include "base/image.h"
#include "base/mem.h"

struct record {
	uint64_t key;
	uint32_t value;
};

struct box {
	uint32_t count;
	struct map known;
	uint64_t *id;
	size_t n, room;
};

static void box_image(struct box *b, struct image *im)
{
	image_bytes(im, &b->count, sizeof b->count);
	image_map(im, &b->known);
	b->id = image_array(im, b->id, &b->n, &b->room, sizeof *b->id);
}

static struct box box_of(uint32_t records)
{
	struct box b = {.count = 7 + records};

	map_init(&b.known, sizeof(struct record));
	for (uint32_t i = 0; i < records; i++)
		((struct record *)map_at(&b.known, (uint64_t)i * 12345))->value = i;
	for (uint32_t i = 0; i < 3 * records; i++) {
		b.id = mem_grow(b.id, &b.room, b.n + 1, sizeof *b.id);
		b.id[b.n++] = (uint64_t)i << 33;
	}
	return b;
}

static void box_release(struct box *b)
{
	map_release(&b->known);
	free(b->id);
}

static void take(void *ctx, const void *bytes, size_t n)
{
	buf_add(ctx, bytes, n);
}

static void save(struct box *b, struct buf *out)
{
	struct image im = image_to(take, out);

	buf_clear(out);
	box_image(b, &im);
	image_end(&im);
}

static void what_was_written_is_read_and_grows_further(void **state)
{
	static const uint32_t sizes[] = {0, 1, 10, 11, 5000, 100000};

	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct box b = box_of(sizes[i]), c = {.count = 0};
		struct buf bytes = BUF_EMPTY, again = BUF_EMPTY;
		save(&b, &bytes);
		map_init(&c.known, sizeof(struct record));
		struct image im = image_of(bytes.at, bytes.used);
		box_image(&c, &im);
		assert_int_equal(image_end(&im), 0);
		assert_int_equal(c.count, b.count);
		assert_int_equal(c.known.used, b.known.used);
		assert_int_equal(c.n, b.n);
		for (uint32_t k = 0; k < sizes[i]; k++)
			assert_int_equal(((struct record *)map_find(&c.known, (uint64_t)k * 12345))->value, k);
		for (size_t k = 0; k < b.n; k++)
			assert_true(c.id[k] == b.id[k]);
		save(&c, &again);
		assert_int_equal(again.used, bytes.used);
		((struct record *)map_at(&c.known, 5))->value = 1;
		c.id = mem_grow(c.id, &c.room, c.n + 1, sizeof *c.id);
		assert_int_equal(c.known.used, b.known.used + 1);
		box_release(&b);
		box_release(&c);
		buf_release(&bytes);
		buf_release(&again);
	}
}

static void an_image_that_is_cut_short_or_goes_on_is_none(void **state)
{
	struct box b = box_of(40);
	struct buf bytes = BUF_EMPTY;

	(void)state;
	save(&b, &bytes);
	for (size_t n = 0; n <= bytes.used; n++) {
		/* memory of exactly n bytes, so that a byte too far is noticed */
		uint8_t *part = mem_copy(bytes.at, n);
		struct box c = {.count = 0};
		map_init(&c.known, sizeof(struct record));
		struct image im = image_of(part, n);
		box_image(&c, &im);
		assert_int_equal(image_end(&im), n == bytes.used ? 0 : -1);
		box_release(&c);
		free(part);
	}
	buf_byte(&bytes, 0);
	struct box c = {.count = 0};
	map_init(&c.known, sizeof(struct record));
	struct image im = image_of(bytes.at, bytes.used);
	box_image(&c, &im);
	assert_int_equal(image_end(&im), -1);
	box_release(&c);
	box_release(&b);
	buf_release(&bytes);
}

static void a_text_is_compared(void **state)
{
	struct buf bytes = BUF_EMPTY;
	struct image im = image_to(take, &bytes);

	(void)state;
	assert_true(image_same(&im, "year=2026", 9));
	assert_true(image_same(&im, "", 0));
	image_end(&im);
	im = image_of(bytes.at, bytes.used);
	assert_true(image_same(&im, "year=2026", 9));
	assert_true(image_same(&im, "", 0));
	assert_int_equal(image_end(&im), 0);
	im = image_of(bytes.at, bytes.used);
	assert_false(image_same(&im, "year=2027", 9));
	image_end(&im);
	im = image_of(bytes.at, bytes.used);
	assert_false(image_same(&im, "year=202", 8));
	image_end(&im);
	buf_release(&bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_written_is_read_and_grows_further),
		cmocka_unit_test(an_image_that_is_cut_short_or_goes_on_is_none),
		cmocka_unit_test(a_text_is_compared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
