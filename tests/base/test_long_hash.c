#include "tests/test.h"

#include "base/long_hash.h"
#include "base/rng.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#define MOST 5000

/* The lengths at which XXH3 changes its method are 16, 128, 240 and multiples of 1,024. */
static void hashes_are_those_of_xxh3_for_every_length_and_alignment(void **state)
{
	static char text[MOST + 8];
	struct rng rng = {.state = 7};
	(void)state;

	for (size_t i = 0; i < sizeof text; i++)
		text[i] = (char)rng_next(&rng);
	for (size_t n = 0; n < MOST; n++) {
		const char *at = text + n % 8;
		const XXH128_hash_t known = XXH3_128bits(at, n);
		uint64_t h[2];
		long_hash_128(at, n, h);
		assert_int_equal(long_hash(at, n), XXH3_64bits(at, n));
		assert_int_equal(h[0], known.low64);
		assert_int_equal(h[1], known.high64);
	}
	assert_int_equal(long_hash(NULL, 0), XXH3_64bits("", 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hashes_are_those_of_xxh3_for_every_length_and_alignment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
