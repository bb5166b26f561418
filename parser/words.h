/* Splits an HTML document into its words and the tags that show something else than words, for the hashes of pages
 * (fingerprint.h).
 *
 *	words_init(&w, body, n);
 *	while ((kind = words_next(&w, &text)) != WORDS_END)
 *		if (kind == WORDS_LETTERS)
 *			h ^= words_hash(&w, text); */
#ifndef PARSER_WORDS_H
#define PARSER_WORDS_H

#include "base/lanes.h"

#include <stddef.h>
#include <stdint.h>

/* The classes of the bytes of an HTML document, as masks of 64 bits: which of 64 bytes are parts of words, digits, '<' and
 * '>'.
 *
 *	struct classes of[4];
 *	classes_find(bytes, 4, of);
 *	if (of[1].open & 1)
 *		... bytes[64] is '<' */

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

/* A word is a maximal run of letters and digits; every byte beyond ASCII counts as a letter. The kinds of words are:
 * letters only, digits only, both. WORDS_MEDIA is a tag that shows a picture, a video, a sound or another document
 * (img, source, video, audio, iframe, frame, embed, object). No words are looked for in tags, comments, scripts and
 * styles: a tag or a comment ends with the next '>', a script or style with its end tag. */
enum words_kind { WORDS_END, WORDS_MEDIA, WORDS_LETTERS, WORDS_NUMBER, WORDS_MIXED };

/* The text of a word or a tag, within the document. */
struct words_text {
	const char *at;
	size_t length;
};

#define WORDS_BLOCKS 16 /* blocks whose classes are found at once */

struct words {
	const char *bytes, *end; /* the document, borrowed */
	const char *block;       /* the 64 bytes that the masks describe */
	uint64_t word, digit;    /* bit i: byte i of the block is part of a word, is a digit */
	uint64_t texts;          /* bit i: the next words or media tags begin at byte i */
	int is_open;             /* 1: the end of the block is within a tag */
	/* the classes of `found` blocks from found_at on */
	struct classes classes[WORDS_BLOCKS];
	const char *found_at;
	size_t found;
};

/* Starts at the beginning of a document of n bytes, which must outlive the struct. `bytes` may be NULL if n is 0. */
void words_init(struct words *, const char *bytes, size_t n);

/* The parts of words_next() that are seldom needed: words_look() goes on to the next block with a text and returns 1,
 * or 0 at the end of the document; words_rest() reads a text that begins at `text->at` and is a tag or goes beyond its
 * block, and returns its kind, or WORDS_END if it is no word and no media tag. */
int words_look(struct words *);
enum words_kind words_rest(struct words *, struct words_text *text);

/* Finds the next word or media tag. At the end of the document the kind is WORDS_END, and the text is empty.
 * Time: linear in the bytes passed. */
static inline enum words_kind words_next(struct words *w, struct words_text *text)
{
	while (w->texts || words_look(w)) {
		const unsigned at = (unsigned)__builtin_ctzll(w->texts);
		const uint64_t gaps = ~w->word >> at, digits = w->digit >> at;
		w->texts &= w->texts - 1;
		text->at = w->block + at;
		if (gaps && !(gaps & 1)) {
			const uint64_t run = (gaps & -gaps) - 1;
			text->length = (size_t)__builtin_ctzll(gaps);
			return !(run & digits) ? WORDS_LETTERS : run & ~digits ? WORDS_MIXED : WORDS_NUMBER;
		}
		const enum words_kind kind = words_rest(w, text);
		if (kind != WORDS_END)
			return kind;
	}
	*text = (struct words_text){w->end, 0};
	return WORDS_END;
}

#define WORDS_HASH_START 0xcbf29ce484222325u

/* Parts of words_hash(). words_stir() returns the hash of a text of n bytes, at most LANES, behind texts with the given
 * hash; LANES bytes must be readable at `at`. words_hash_any() does what words_hash() does, for a text of any length. */
static inline uint64_t words_stir(uint64_t hash, const char *at, size_t n)
{
	static const char keep[2 * LANES] = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";
	const uint64_t prime = 0x9e3779b97f4a7c15u;
	const lanes x = (lanes_load(at) | 0x20) & lanes_load(keep + LANES - n);
	uint64_t half[2];

	memcpy(half, &x, sizeof half);
	hash = (hash ^ half[0]) * prime + half[1];
	hash = (hash ^ hash >> 32) * prime;
	return hash ^ hash >> 29;
}
uint64_t words_hash_any(const struct words *, struct words_text);

/* Returns a hash of a text that words_next() gave, without regard to case. (The hash ignores bit 0x20 of
 * every byte, so that a few pairs of other characters, as '[' and '{', hash alike as well.) */
static inline uint64_t words_hash(const struct words *w, struct words_text text)
{
	if (text.length <= LANES && w->end - text.at >= LANES)
		return words_stir(WORDS_HASH_START + text.length, text.at, text.length);
	return words_hash_any(w, text);
}

/* Says whether a byte counts as a letter. */
static inline int words_is_letter(unsigned char c)
{
	return (unsigned)(c | 0x20) - 'a' < 26 || c >= 0x80;
}

/* Says whether a byte is a digit. */
static inline int words_is_digit(unsigned char c)
{
	return (unsigned)c - '0' < 10;
}

#endif
