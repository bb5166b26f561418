/* The fingerprint of a page: a hash of its text that ignores the differences which a program makes when it
 * prints the same page under several URLs: the date on an empty page of a calendar, the session id, the
 * requested URL in an error message. Pages with equal fingerprints are near-duplicates.
 *
 *	const struct fingerprint f = fingerprint_html(body, n, url, url_length, NULL);
 *	if (f.words >= FINGERPRINT_LEAST)
 *		... pages with the same f.hash are near-duplicates */
#ifndef PARSER_FINGERPRINT_H
#define PARSER_FINGERPRINT_H

#include "parser/words.h"

#include <stddef.h>
#include <stdint.h>

/* SimHash, a 64-bit hash for finding near-duplicates: the hashes of two texts that differ in few words
 * differ in few bits (Charikar, "Similarity estimation techniques from rounding algorithms", 2002, as
 * Manku, Jain and Das Sarma use it for crawling, 2007).
 *
 *	near = simhash_distance(simhash_html(a, n), simhash_html(b, m)) <= 3; */

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

struct fingerprint {
	uint64_t hash; /* 0 for a page without words */
	size_t words;  /* the words and pictures that the hash was computed from */
};

/* A page with fewer words has too little text for its fingerprint to mean anything. */
#define FINGERPRINT_LEAST 6

/* A word with digits of this length or more looks random. */
#define FINGERPRINT_DRAWN 16
/* The words that are judged one by one if the URL has a query or a digit in its path, and at any other URL. */
#define FINGERPRINT_WORDS  300
#define FINGERPRINT_FEWER  100
#define FINGERPRINT_LONG   16384 /* bytes: a longer page at any other URL has no fingerprint */
#define FINGERPRINT_CLOCKS 8     /* numbers of a page that may be ignored as times of day */

/* Returns the fingerprint of an HTML document of n bytes that was fetched from a URL of url_length bytes.
 *
 * The hash is computed from the words, without regard to case, and from the whole tags of pictures, videos and
 * frames, since the pages of an album differ only in these. Other tags, scripts and styles
 * are ignored, and so are these words:
 * - words that the URL contains;
 * - words with digits of FINGERPRINT_DRAWN characters or more, which look random;
 * - dates: a number from 1900 to 2199; a number below 60 beside the name of a month, beside a number that
 *   is greater or less by one (as in a calendar's table), or with only '/' or '-' between it and another
 *   number, if neither is 0;
 * - times of day: numbers below 60 with only ':' between them, for the first FINGERPRINT_CLOCKS of them (a
 *   page with more is a timetable, or a list of match results);
 * - numbers that follow from a number k in the URL: k - 1, k and k + 1; up to k + 100 if k is 60 or
 *   more; and the first and last item that page k of a list shows: 991 and 1000 for page 100;
 * - numbers that change with each view: beside a word such as "visitors", "online" or "hits", before a
 *   unit of time, the parts of a fraction such as "0.0123", and seconds or milliseconds since 1970;
 * - pictures with a side of 0 or 1 pixels, which count views.
 * After FINGERPRINT_WORDS words, the rest of the document is hashed byte for byte.
 *
 * A program that prints a page under more and more URLs mostly numbers them or gives them queries. To save time, a page at a URL
 * without a query and without a digit in its path is judged by less: the rest begins after FINGERPRINT_FEWER words, and a document
 * of more than FINGERPRINT_LONG bytes gets no fingerprint (words and hash are 0): long pages that are near-duplicates are mostly
 * equal byte for byte, and then have equal digests. Time: linear.
 *
 * The words of the document are added to `simhash`, in the same pass, unless it is NULL. */
struct fingerprint fingerprint_html(const char *bytes, size_t n, const char *url, size_t url_length, struct simhash *simhash);

#endif
