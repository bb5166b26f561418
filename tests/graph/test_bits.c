#include "tests/test.h"

#include "base/buf.h"
#include "base/rng.h"
#include "graph/formats/bits.h"

/* The codes written out as zeros and ones, by their definitions. */
static void slow_bits(struct buf *b, uint64_t x, unsigned n)
{
	while (n--)
		buf_byte(b, x >> n & 1 ? '1' : '0');
}

static void slow_unary(struct buf *b, uint64_t x)
{
	for (; x; x--)
		buf_byte(b, '0');
	buf_byte(b, '1');
}

static unsigned length_of(uint64_t x)
{
	unsigned n = 0;

	while (x >>= 1)
		n++;
	return n;
}

static void slow_code(struct buf *b, enum bits_code code, unsigned k, uint64_t x)
{
	const unsigned n = length_of(x + 1);

	if (code == BITS_UNARY) {
		slow_unary(b, x);
	} else if (code == BITS_GAMMA) {
		slow_unary(b, n);
		slow_bits(b, x + 1, n);
	} else if (code == BITS_DELTA) {
		slow_code(b, BITS_GAMMA, 0, n);
		slow_bits(b, x + 1, n);
	} else if (code == BITS_ZETA) {
		/* y below z in minimal binary: the first 2^s - z in s - 1 bits, the rest in s */
		const unsigned h = n / k;
		const uint64_t least = (uint64_t)1 << h * k, y = x + 1 - least;
		const uint64_t z = ((uint64_t)1 << (h + 1) * k) - least;
		const unsigned s = (h + 1) * k;
		const uint64_t spare = ((uint64_t)1 << s) - z;
		slow_unary(b, h);
		if (y < spare)
			slow_bits(b, y, s - 1);
		else
			slow_bits(b, y + spare, s);
	} else {
		unsigned digits = 1;
		for (uint64_t rest = x >> 3; rest; rest >>= 3)
			digits++;
		while (digits--) {
			buf_byte(b, digits ? '0' : '1');
			slow_bits(b, x >> 3 * digits & 7, 3);
		}
	}
}

/* Zeros and ones to bytes, with what a reader may touch behind them. */
static uint8_t *pack(const struct buf *text)
{
	uint8_t *bytes = calloc(text->used / 8 + 80, 1);

	assert_non_null(bytes);
	for (size_t i = 0; i < text->used; i++)
		if (text->at[i] == '1')
			bytes[i / 8] = (uint8_t)(bytes[i / 8] | 0x80 >> i % 8);
	return bytes;
}

static const struct {
	enum bits_code code;
	unsigned k;
	uint64_t most;
} codes[] = {{BITS_UNARY, 0, 300}, {BITS_GAMMA, 0, (uint64_t)1 << 61}, {BITS_DELTA, 0, (uint64_t)1 << 61},
	{BITS_ZETA, 1, (uint64_t)1 << 61}, {BITS_ZETA, 2, (uint64_t)1 << 59}, {BITS_ZETA, 3, (uint64_t)1 << 59},
	{BITS_ZETA, 4, (uint64_t)1 << 55}, {BITS_ZETA, 7, (uint64_t)1 << 55}, {BITS_ZETA, 16, (uint64_t)1 << 47},
	{BITS_NIBBLE, 0, (uint64_t)1 << 61}};

static void every_code_is_read_at_every_place_and_length(void **state)
{
	struct rng r = {4};

	(void)state;
	for (size_t c = 0; c < sizeof codes / sizeof *codes; c++) {
		struct buf text = BUF_EMPTY;
		uint64_t value[2000];
		for (size_t i = 0; i < 2000; i++) {
			value[i] = i < 200 ? i : rng_next(&r) >> rng_below(&r, 64);
			value[i] %= codes[c].most + 1;
			slow_code(&text, codes[c].code, codes[c].k, value[i]);
		}
		uint8_t *bytes = pack(&text);
		struct bits b = {bytes, text.used, 0};
		for (size_t i = 0; i < 2000; i++)
			assert_true(bits_read(&b, codes[c].code, codes[c].k) == value[i]);
		assert_int_equal(b.place, text.used);
		assert_false(bits_failed(&b));
		bits_read(&b, codes[c].code, codes[c].k);
		assert_true(bits_failed(&b));
		free(bytes);
		buf_release(&text);
	}
}

static void a_code_cut_anywhere_fails(void **state)
{
	static const uint64_t value[] = {0, 1, 6, 100, 70000, 5000000000};

	(void)state;
	for (size_t c = 0; c < sizeof codes / sizeof *codes; c++) {
		for (size_t v = 0; v < sizeof value / sizeof *value && value[v] <= codes[c].most; v++) {
			struct buf text = BUF_EMPTY;
			slow_code(&text, codes[c].code, codes[c].k, value[v]);
			uint8_t *bytes = pack(&text);
			for (uint64_t n = 0; n < text.used; n++) {
				struct bits b = {bytes, n, 0};
				bits_read(&b, codes[c].code, codes[c].k);
				assert_true(bits_failed(&b));
			}
			free(bytes);
			buf_release(&text);
		}
	}
}

static void noise_is_read_without_harm(void **state)
{
	uint8_t bytes[200];
	struct rng r = {6};

	(void)state;
	for (int round = 0; round < 2000; round++) {
		memset(bytes, round % 3 ? 0 : 0xff, sizeof bytes);
		for (int i = 0; i < round % 7; i++)
			bytes[rng_below(&r, 100)] = (uint8_t)rng_next(&r);
		struct bits b = {bytes, 8 * rng_below(&r, 100), 0};
		for (int i = 0; i < 2000 && !bits_failed(&b); i++)
			bits_read(&b, (enum bits_code)rng_below(&r, 5), 1 + (unsigned)rng_below(&r, 16));
		assert_true(b.place <= b.end + 200);
	}
}

static void what_is_written_is_what_the_definition_says(void **state)
{
	struct buf text = BUF_EMPTY;
	struct rng r = {8};
	struct bits_out b = {0};
	char path[128];

	(void)state;
	snprintf(path, sizeof path, "%s/bits", scratch());
	assert_int_equal(output_open(&b.out, path, NULL), 0);
	for (int i = 0; i < 20000; i++) {
		const uint64_t x = i < 300 ? (uint64_t)i : rng_next(&r) >> (4 + rng_below(&r, 60));
		const size_t before = text.used;
		const unsigned k = 1 + (unsigned)rng_below(&r, 7);
		const int kind = (int)rng_below(&r, 3);
		if (kind == 0) {
			slow_code(&text, BITS_UNARY, 0, x % 200);
			bits_put_unary(&b, x % 200);
		} else if (kind == 1) {
			slow_code(&text, BITS_GAMMA, 0, x);
			bits_put_gamma(&b, x);
			assert_int_equal(bits_gamma_length(x), text.used - before);
		} else {
			slow_code(&text, BITS_ZETA, k, x >> 8);
			bits_put_zeta(&b, x >> 8, k);
			assert_int_equal(bits_zeta_length(x >> 8, k), text.used - before);
		}
		assert_int_equal(b.written, text.used);
	}
	bits_finish(&b);
	assert_int_equal(b.written, text.used);
	assert_int_equal(output_close(b.out, NULL), 0);
	const size_t n = (text.used + 7) / 8;
	uint8_t *want = pack(&text), *got = malloc(n + 1);
	FILE *f = fopen(path, "rb");
	assert_non_null(f);
	assert_int_equal(fread(got, 1, n + 1, f), n);
	fclose(f);
	assert_memory_equal(got, want, n);
	free(want);
	free(got);
	buf_release(&text);
	unlink(path);
}

static void signs_come_back(void **state)
{
	static const int64_t z[] = {0, -1, 1, -2, 2};

	(void)state;
	for (uint64_t i = 0; i < 5; i++) {
		assert_true(bits_signed(i) == z[i]);
		assert_true(bits_unsigned(z[i]) == i);
	}
	assert_true(bits_signed(UINT64_MAX) == INT64_MIN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_code_is_read_at_every_place_and_length),
		cmocka_unit_test(a_code_cut_anywhere_fails),
		cmocka_unit_test(noise_is_read_without_harm),
		cmocka_unit_test(what_is_written_is_what_the_definition_says),
		cmocka_unit_test(signs_come_back),
	};

	return cmocka_run_group_tests_name("bits", tests, NULL, NULL);
}
