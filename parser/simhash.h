/* Near-duplicates: a 64-bit hash that differs in few bits where texts differ in few words
 * (Charikar, "Similarity estimation techniques from rounding algorithms", 2002, as Manku, Jain and
 * Das Sarma use it for crawling, 2007). */
#ifndef PARSER_SIMHASH_H
#define PARSER_SIMHASH_H

#include <stddef.h>
#include <stdint.h>

/* Of the pairs of neighbouring words of a document: runs of letters (and of bytes beyond ASCII), in
 * lower case, tags, scripts and styles left out. Numbers are no words, so that pages which differ in
 * their numbers alone are the same. 0 for a document of fewer than SIMHASH_WORDS words. Time:
 * linear; pure. Deviation: every pair has the weight 1, once for each time it stands there. */
#define SIMHASH_WORDS 8
uint64_t simhash_html(const char *bytes, size_t n);

/* Bits in which two differ. */
static inline unsigned simhash_distance(uint64_t a, uint64_t b)
{
	return (unsigned)__builtin_popcountll(a ^ b);
}

#endif
