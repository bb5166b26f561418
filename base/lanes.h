/* A vector of sixteen bytes. Arithmetic and comparison act on all sixteen at once (a GCC extension);
 * a comparison gives 0xff for each byte for which it holds, and 0 for the others.
 *
 *	bits = lanes_bits((lanes)(lanes_load(p) == '<'));    bit i is 1 if p[i] is '<' */
#ifndef BASE_LANES_H
#define BASE_LANES_H

#include <endian.h>
#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define LANES 16

typedef uint8_t lanes __attribute__((vector_size(LANES)));

/* Loads 16 bytes from p, which need not be aligned. */
static inline lanes lanes_load(const char *p)
{
	lanes v;

	memcpy(&v, p, sizeof v);
	return v;
}

/* Turns the result of a comparison into 16 bits: bit i is 1 if the comparison holds for byte i. */
static inline uint64_t lanes_bits(lanes compared)
{
#ifdef __SSE2__
	return (unsigned)_mm_movemask_epi8((__m128i)compared);
#else
	uint64_t half[2];

	memcpy(half, &compared, sizeof half);
	for (int i = 0; i < 2; i++)
		half[i] = (le64toh(half[i]) & 0x8080808080808080u) * 0x0002040810204081u >> 56;
	return half[0] | half[1] << 8;
#endif
}

#endif
