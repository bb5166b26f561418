/* Streams of bits, highest bit of each byte first, and the codes for natural numbers that BVGraph files use (Boldi
 * and Vigna, "The WebGraph framework I", WWW 2004; and "Codes for the World-Wide Web", 2005):
 *   unary    x zeros and a one
 *   gamma    of x + 1: the number of its bits less one in unary, then its bits below the highest
 *   delta    of x + 1: the number of its bits less one in gamma, then its bits below the highest
 *   zeta_k   with h = floor(log2(x + 1) / k): h in unary, then x + 1 - 2^(hk) in the minimal binary code for numbers
 *            below 2^((h+1)k) - 2^(hk); zeta_1 is gamma
 *   nibble   x in base 8, each digit of three bits after one bit, which is 1 for the last digit
 *
 *	struct bits b = {.at = bytes, .end = 8 * n, .place = 0};
 *	x = bits_gamma(&b);
 *	if (bits_failed(&b)) ... the stream ended too early ... */
#ifndef GRAPH_FORMATS_BITS_H
#define GRAPH_FORMATS_BITS_H

#include "base/output.h"

#include <endian.h>
#include <string.h>

enum bits_code { BITS_UNARY, BITS_GAMMA, BITS_DELTA, BITS_ZETA, BITS_NIBBLE };

struct bits {
	const uint8_t *at; /* the stream; 16 bytes behind its end must be readable */
	uint64_t end;      /* the length of the stream in bits; less than 2^63 */
	uint64_t place;    /* the position of the next bit; greater than `end` after a failure */
};

/* The longest code, in bits, that a window contains at any position. */
#define BITS_WINDOW 57

/* Returns the next bits, at least BITS_WINDOW of them, the first one as the highest bit; 0 after the end of the
 * stream. */
static inline uint64_t bits_window(const struct bits *b)
{
	uint64_t word;

	if (__builtin_expect(b->place > b->end, 0))
		return 0;
	memcpy(&word, b->at + (b->place >> 3), sizeof word);
	return be64toh(word) << (b->place & 7);
}

/* Reads a unary code that does not fit into a window. The functions that read a code return the number; after a
 * failure (the stream ends within the code, or the number is 2^63 or more) `place` is greater than `end`. */
uint64_t bits_long_unary(struct bits *b);

/* Reads a zeta_k code that does not fit into a window. */
uint64_t bits_long_zeta(struct bits *b, unsigned k);

/* Reads a unary code. */
static inline uint64_t bits_unary(struct bits *b)
{
	const uint64_t w = bits_window(b);

	if (__builtin_expect(w >> (64 - BITS_WINDOW) == 0, 0))
		return bits_long_unary(b);
	const unsigned zeros = (unsigned)__builtin_clzll(w);
	b->place += zeros + 1;
	return zeros;
}

/* Reads a gamma code. */
static inline uint64_t bits_gamma(struct bits *b)
{
	const uint64_t w = bits_window(b);

	if (__builtin_expect(w >> 35 == 0, 0)) /* more than 28 zeros */
		return bits_long_zeta(b, 1);
	const unsigned zeros = (unsigned)__builtin_clzll(w);
	b->place += 2 * zeros + 1;
	return (w >> (63 - 2 * zeros)) - 1;
}

/* Reads a zeta_k code; 1 <= k <= 16. */
static inline uint64_t bits_zeta(struct bits *b, unsigned k)
{
	const uint64_t w = bits_window(b);
	const unsigned h = (unsigned)__builtin_clzll(w | 1);

	if (__builtin_expect((h + 1) * (k + 1) > BITS_WINDOW, 0))
		return bits_long_zeta(b, k);
	/* h * k + k bits, the last of which is the next code's where the number is short */
	const uint64_t both = w << (h + 1) >> (64 - (h + 1) * k), least = (uint64_t)1 << h * k;
	const unsigned is_short = both >> 1 < least;
	b->place += (h + 1) * (k + 1) - is_short;
	return (is_short ? (both >> 1) + least : both) - 1;
}

/* Reads a delta code. */
uint64_t bits_delta(struct bits *b);

/* Reads a nibble code. */
uint64_t bits_nibble(struct bits *b);

/* Reads a code of any kind; k is used for BITS_ZETA only. */
static inline uint64_t bits_read(struct bits *b, enum bits_code code, unsigned k)
{
	switch (code) {
	case BITS_UNARY:
		return bits_unary(b);
	case BITS_GAMMA:
		return bits_gamma(b);
	case BITS_ZETA:
		return bits_zeta(b, k);
	case BITS_DELTA:
		return bits_delta(b);
	default:
		return bits_nibble(b);
	}
}

/* Says whether a read has failed. The numbers read since then are meaningless. */
static inline int bits_failed(const struct bits *b)
{
	return b->place > b->end;
}

/* Converts a natural number to an integer: 0, 1, 2, 3, 4 ... to 0, -1, 1, -2, 2 ... */
static inline int64_t bits_signed(uint64_t n)
{
	return (int64_t)(n >> 1) ^ -(int64_t)(n & 1);
}

/* Converts an integer to a natural number, the inverse of bits_signed(). */
static inline uint64_t bits_unsigned(int64_t z)
{
	return (uint64_t)z << 1 ^ (uint64_t)(z >> 63);
}

/* A stream of bits that is written to a file. */
struct bits_out {
	struct output *out;
	uint64_t word;    /* the bits not yet written to `out`, lowest last */
	unsigned waiting; /* their number, below 8 */
	uint64_t written; /* all bits of the stream so far */
};

/* Writes a unary code. */
void bits_put_unary(struct bits_out *b, uint64_t x);

/* Writes a gamma code. */
void bits_put_gamma(struct bits_out *b, uint64_t x);

/* Writes a zeta_k code. */
void bits_put_zeta(struct bits_out *b, uint64_t x, unsigned k);

/* Fills the last byte with zeros and writes it. */
void bits_finish(struct bits_out *b);

/* Returns the length of the gamma code of x in bits; x < 2^63 - 1. */
static inline unsigned bits_gamma_length(uint64_t x)
{
	return 2 * (63 - (unsigned)__builtin_clzll(x + 1)) + 1;
}

/* Returns the length of the zeta_k code of x in bits; x < 2^63 - 1. */
static inline unsigned bits_zeta_length(uint64_t x, unsigned k)
{
	const unsigned h = (63 - (unsigned)__builtin_clzll(x + 1)) / k;

	return (h + 1) * (k + 1) - (x + 1 - ((uint64_t)1 << h * k) < (uint64_t)1 << h * k);
}

#endif
