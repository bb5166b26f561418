/* A stream of bits, the highest of a byte first, and the codes for natural numbers that BVGraph
 * files are made of (Boldi and Vigna, "The WebGraph framework I", WWW 2004; codes of the same
 * authors' "Codes for the World-Wide Web", 2005):
 *   unary    x zeros and a one
 *   gamma    x + 1: its length less one in unary, then its bits below the highest
 *   delta    likewise, the length in gamma
 *   zeta_k   with h = floor(log2(x + 1) / k): h in unary, then how much x + 1 is over 2^hk, in
 *            minimal binary for what is below 2^(h+1)k; zeta_1 is gamma
 *   nibble   x in base 8, a digit of three bits behind a bit that is one at the last
 * Reading is stateless: eight bytes at the bit's place, shifted. */
#ifndef GRAPH_FORMATS_BITS_H
#define GRAPH_FORMATS_BITS_H

#include "base/output.h"

#include <endian.h>
#include <string.h>

enum bits_code { BITS_UNARY, BITS_GAMMA, BITS_DELTA, BITS_ZETA, BITS_NIBBLE };

struct bits {
	const uint8_t *at; /* 16 bytes more than the stream has can be read */
	uint64_t end;      /* bits; less than 2^63 */
	uint64_t place;    /* of the next bit; past `end` where a code ran out of bits */
};

/* The longest code that fits into a window however it lies. */
#define BITS_WINDOW 57

/* The next bits, the first one highest; BITS_WINDOW at least, but zeros once the stream ended. */
static inline uint64_t bits_window(const struct bits *b)
{
	uint64_t word;

	if (__builtin_expect(b->place > b->end, 0))
		return 0;
	memcpy(&word, b->at + (b->place >> 3), sizeof word);
	return be64toh(word) << (b->place & 7);
}

/* Codes that do not fit into a window. What is no number below 2^63 puts `place` past the end. */
uint64_t bits_long_unary(struct bits *b);
uint64_t bits_long_zeta(struct bits *b, unsigned k);

static inline uint64_t bits_unary(struct bits *b)
{
	const uint64_t w = bits_window(b);

	if (__builtin_expect(w >> (64 - BITS_WINDOW) == 0, 0))
		return bits_long_unary(b);
	const unsigned zeros = (unsigned)__builtin_clzll(w);
	b->place += zeros + 1;
	return zeros;
}

static inline uint64_t bits_gamma(struct bits *b)
{
	const uint64_t w = bits_window(b);

	if (__builtin_expect(w >> 35 == 0, 0)) /* more than 28 zeros */
		return bits_long_zeta(b, 1);
	const unsigned zeros = (unsigned)__builtin_clzll(w);
	b->place += 2 * zeros + 1;
	return (w >> (63 - 2 * zeros)) - 1;
}

/* 1 <= k <= 16. */
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

uint64_t bits_delta(struct bits *b);
uint64_t bits_nibble(struct bits *b);

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

/* Whether a code ran past the end, or was none: whatever was read since is worthless. */
static inline int bits_failed(const struct bits *b)
{
	return b->place > b->end;
}

/* Natural numbers to integers: 0 -1 1 -2 2 ... */
static inline int64_t bits_signed(uint64_t n)
{
	return (int64_t)(n >> 1) ^ -(int64_t)(n & 1);
}

static inline uint64_t bits_unsigned(int64_t z)
{
	return (uint64_t)z << 1 ^ (uint64_t)(z >> 63);
}

/* Writing, to a file. */
struct bits_out {
	struct output *out;
	uint64_t word;    /* the bits not yet written, lowest last */
	unsigned waiting; /* fewer than 8 */
	uint64_t written; /* bits in all */
};

void bits_put_unary(struct bits_out *b, uint64_t x);
void bits_put_gamma(struct bits_out *b, uint64_t x);
void bits_put_zeta(struct bits_out *b, uint64_t x, unsigned k);

/* Fills the last byte with zeros. */
void bits_finish(struct bits_out *b);

/* The length of a code; x < 2^63 - 1. */
static inline unsigned bits_gamma_length(uint64_t x)
{
	return 2 * (63 - (unsigned)__builtin_clzll(x + 1)) + 1;
}

static inline unsigned bits_zeta_length(uint64_t x, unsigned k)
{
	const unsigned h = (63 - (unsigned)__builtin_clzll(x + 1)) / k;

	return (h + 1) * (k + 1) - (x + 1 - ((uint64_t)1 << h * k) < (uint64_t)1 << h * k);
}

#endif
