/* The classes of the bytes of an HTML document, as masks of 64 bits: which of 64 bytes are parts of words, digits, '<' and
 * '>'.
 *
 *	struct classes of[4];
 *	classes_find(bytes, 4, of);
 *	if (of[1].open & 1)
 *		... bytes[64] is '<' */
#ifndef PARSER_CLASSES_H
#define PARSER_CLASSES_H

#include <stddef.h>
#include <stdint.h>

#define CLASSES_BLOCK 64 /* the bytes that one struct describes */

/* Bit i of each mask is byte i of the block. A byte is part of a word if it is an ASCII letter or digit or is beyond ASCII. */
struct classes {
	uint64_t word, digit, open, close;
};

/* Fills out[0] to out[blocks - 1] for the first blocks * CLASSES_BLOCK bytes. Runs on vectors of 32 bytes where the processor
 * has them (AVX2), else on vectors of 16. */
void classes_find(const char *bytes, size_t blocks, struct classes *out);

/* Does what classes_find() does, without AVX2; tests compare both. */
void classes_find_plainly(const char *bytes, size_t blocks, struct classes *out);

#endif
