#include "parser/classes.h"
#include "base/lanes.h"

#include <string.h>

#if defined __x86_64__ && defined __GNUC__
#define CHOOSES_AVX2
#include <immintrin.h>
#endif

void classes_find_plainly(const char *bytes, size_t blocks, struct classes *out)
{
	for (; blocks; blocks--, bytes += CLASSES_BLOCK) {
		struct classes m = {0, 0, 0, 0};
#pragma GCC unroll 4
		for (unsigned i = 0; i < CLASSES_BLOCK; i += LANES) {
			const lanes c = lanes_load(bytes + i);
			const lanes is_digit = (lanes)((lanes)(c - '0') < 10);
			const lanes is_letter = (lanes)((lanes)((c | 0x20) - 'a') < 26);
			const lanes is_high = c & 0x80; /* beyond ASCII */
			m.word |= lanes_bits(is_letter | is_digit | is_high) << i;
			m.digit |= lanes_bits(is_digit) << i;
			m.open |= lanes_bits((lanes)(c == '<')) << i;
			m.close |= lanes_bits((lanes)(c == '>')) << i;
		}
		*out++ = m;
	}
}

#ifdef CHOOSES_AVX2
typedef uint8_t wide __attribute__((vector_size(32)));

__attribute__((target("avx2"))) static inline uint64_t wide_bits(wide compared)
{
	return (uint32_t)_mm256_movemask_epi8((__m256i)compared);
}

__attribute__((target("avx2"))) static void find_wide(const char *bytes, size_t blocks, struct classes *out)
{
	for (; blocks; blocks--, bytes += CLASSES_BLOCK) {
		struct classes m = {0, 0, 0, 0};
#pragma GCC unroll 2
		for (unsigned i = 0; i < CLASSES_BLOCK; i += sizeof(wide)) {
			wide c;
			memcpy(&c, bytes + i, sizeof c);
			const wide is_digit = (wide)((wide)(c - '0') < 10);
			const wide is_letter = (wide)((wide)((c | 0x20) - 'a') < 26);
			/* wide_bits() takes the highest bit of each byte; in c it is set for bytes beyond ASCII, which count as
			 * letters */
			m.word |= wide_bits(is_letter | is_digit | c) << i;
			m.digit |= wide_bits(is_digit) << i;
			m.open |= wide_bits((wide)(c == '<')) << i;
			m.close |= wide_bits((wide)(c == '>')) << i;
		}
		*out++ = m;
	}
}
#endif

void classes_find(const char *bytes, size_t blocks, struct classes *out)
{
#ifdef CHOOSES_AVX2
	if (__builtin_cpu_supports("avx2")) {
		find_wide(bytes, blocks, out);
		return;
	}
#endif
	classes_find_plainly(bytes, blocks, out);
}
