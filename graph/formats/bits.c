#include "graph/formats/bits.h"

static uint64_t fail(struct bits *b)
{
	b->place = b->end + 1;
	return 0;
}

/* Reads n <= 63 bits as a number. */
static uint64_t take(struct bits *b, unsigned n)
{
	uint64_t x = 0;

	if (n > 32) {
		x = bits_window(b) >> 32;
		b->place += 32;
		n -= 32;
		x <<= n;
	}
	if (n) {
		x |= bits_window(b) >> (64 - n);
		b->place += n;
	}
	return x;
}

uint64_t bits_long_unary(struct bits *b)
{
	uint64_t zeros = 0;

	while (!bits_failed(b)) {
		const uint64_t w = bits_window(b) >> (64 - BITS_WINDOW);
		if (w) {
			const unsigned more = (unsigned)__builtin_clzll(w) - (64 - BITS_WINDOW);
			b->place += more + 1;
			return zeros + more;
		}
		b->place += BITS_WINDOW;
		zeros += BITS_WINDOW;
	}
	return fail(b);
}

uint64_t bits_long_zeta(struct bits *b, unsigned k)
{
	const uint64_t h = bits_long_unary(b);

	if (bits_failed(b) || h >= 63 || h * k + k > 63)
		return fail(b);
	const uint64_t least = (uint64_t)1 << h * k, x = take(b, (unsigned)h * k + k - 1);
	return (x < least ? x + least : x << 1 | take(b, 1)) - 1;
}

uint64_t bits_delta(struct bits *b)
{
	const uint64_t length = bits_gamma(b);

	if (bits_failed(b) || length > 62)
		return fail(b);
	return ((uint64_t)1 << length | take(b, (unsigned)length)) - 1;
}

uint64_t bits_nibble(struct bits *b)
{
	uint64_t x = 0, last;

	do {
		const uint64_t four = take(b, 4);
		if (bits_failed(b) || x >> 60)
			return fail(b);
		x = x << 3 | (four & 7);
		last = four & 8;
	} while (!last);
	return x;
}

/* Writes the lowest n <= 56 bits of x, which has no others. */
static void put(struct bits_out *b, uint64_t x, unsigned n)
{
	uint8_t byte[8];
	size_t bytes = 0;

	b->word = b->word << n | x;
	b->waiting += n;
	b->written += n;
	while (b->waiting >= 8) {
		b->waiting -= 8;
		byte[bytes++] = (uint8_t)(b->word >> b->waiting);
	}
	output_bytes(b->out, byte, bytes);
}

static void put_long(struct bits_out *b, uint64_t x, unsigned n)
{
	if (n > 32) {
		put(b, x >> 32, n - 32);
		x &= UINT32_MAX;
		n = 32;
	}
	put(b, x, n);
}

void bits_put_unary(struct bits_out *b, uint64_t x)
{
	for (; x >= 32; x -= 32)
		put(b, 0, 32);
	put(b, 1, (unsigned)x + 1);
}

void bits_put_gamma(struct bits_out *b, uint64_t x)
{
	const unsigned length = 63 - (unsigned)__builtin_clzll(x + 1);

	bits_put_unary(b, length);
	put_long(b, x + 1 - ((uint64_t)1 << length), length);
}

void bits_put_zeta(struct bits_out *b, uint64_t x, unsigned k)
{
	const unsigned h = (63 - (unsigned)__builtin_clzll(x + 1)) / k;
	const uint64_t least = (uint64_t)1 << h * k, rest = x + 1 - least;

	bits_put_unary(b, h);
	if (rest < least)
		put_long(b, rest, h * k + k - 1);
	else
		put_long(b, x + 1, h * k + k);
}

void bits_finish(struct bits_out *b)
{
	const unsigned gap = (8 - b->waiting) % 8;

	if (gap)
		put(b, 0, gap);
	b->written -= gap;
}
