/* Sixteen bytes side by side: what is compared holds for each, and makes 0xff or 0 of it. */
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

/* Wherever they lie. */
static inline lanes lanes_load(const char *p)
{
	lanes v;

	memcpy(&v, p, sizeof v);
	return v;
}

/* Bit i: what was compared holds for byte i. */
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
