/* SimHash, a 64-bit hash for finding near-duplicates: the hashes of two texts that differ in few words
 * differ in few bits (Charikar, "Similarity estimation techniques from rounding algorithms", 2002, as
 * Manku, Jain and Das Sarma use it for crawling, 2007).
 *
 *	near = simhash_distance(simhash_html(a, n), simhash_html(b, m)) <= 3; */
#ifndef PARSER_SIMHASH_H
#define PARSER_SIMHASH_H

#include "parser/words.h"

#include <stddef.h>
#include <stdint.h>

/* A document of fewer words has no hash. */
#define SIMHASH_WORDS 8

/* The votes of the words read so far, zeroed at first. The features are the pairs of neighbouring words; for each bit, the votes
 * count the pairs whose hash has it. */
struct simhash {
	uint64_t count[32]; /* bit i of element k is bit k of the count of bit i */
	uint64_t last;      /* word */
	size_t words;
};

/* Adds a word of letters, by its hash (words_hash()). */
static inline void simhash_add(struct simhash *s, uint64_t word)
{
	uint64_t x = word + 3 * s->last;

	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	x ^= x >> 31;
	s->last = word;
	if (!s->words++)
		return;
	for (size_t k = 0; x && k < 32; k++) {
		const uint64_t carry = s->count[k] & x;
		s->count[k] ^= x;
		x = carry;
	}
}

/* Adds the words that are still to be read. */
void simhash_rest(struct simhash *, struct words *);

/* Returns the SimHash of the words added, or 0 if there are fewer than SIMHASH_WORDS. */
uint64_t simhash_of(const struct simhash *);

/* Returns the SimHash of an HTML document of n bytes. A word is a run of letters and of bytes beyond ASCII,
 * without regard to case; tags, scripts and styles contain no words. Words with digits are ignored, so
 * pages that differ only in numbers have the same hash. The function is pure. Time: linear.
 * Deviation: each occurrence of a pair has the weight 1. */
uint64_t simhash_html(const char *bytes, size_t n);

/* Returns the number of bits in which two hashes differ. */
static inline unsigned simhash_distance(uint64_t a, uint64_t b)
{
	return (unsigned)__builtin_popcountll(a ^ b);
}

#endif
