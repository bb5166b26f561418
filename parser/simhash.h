/* SimHash, a 64-bit hash for finding near-duplicates: the hashes of two texts that differ in few words
 * differ in few bits (Charikar, "Similarity estimation techniques from rounding algorithms", 2002, as
 * Manku, Jain and Das Sarma use it for crawling, 2007).
 *
 *	near = simhash_distance(simhash_html(a, n), simhash_html(b, m)) <= 3; */
#ifndef PARSER_SIMHASH_H
#define PARSER_SIMHASH_H

#include <stddef.h>
#include <stdint.h>

/* A document of fewer words has no hash. */
#define SIMHASH_WORDS 8

/* Returns the SimHash of an HTML document of n bytes, or 0 if it has fewer than SIMHASH_WORDS words. The
 * features are the pairs of neighbouring words. A word is a run of letters and of bytes beyond ASCII,
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
