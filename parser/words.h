/* Splits an HTML document into words and tags, for the hashes of pages (fingerprint.h, simhash.h).
 *
 *	words_init(&w, body, n);
 *	while ((kind = words_next(&w, &text)) != WORDS_END)
 *		if (kind == WORDS_LETTERS)
 *			h ^= words_hash(&w, text); */
#ifndef PARSER_WORDS_H
#define PARSER_WORDS_H

#include <stddef.h>
#include <stdint.h>

/* A word is a maximal run of letters and digits; every byte beyond ASCII counts as a letter. The kinds of
 * words are: letters only, digits only, both. */
enum words_kind { WORDS_END, WORDS_TAG, WORDS_LETTERS, WORDS_NUMBER, WORDS_MIXED };

/* The text of a word or a tag, within the document. The text of a tag or a comment ends with the next '>';
 * the text of a script or style element includes its contents and its end tag. */
struct words_text {
	const char *at;
	size_t length;
};

struct words {
	const char *bytes; /* the document, n bytes, borrowed */
	size_t n, at;
	size_t block;                      /* the number of the 64-byte block that the masks describe */
	uint64_t word, digit, open, close; /* bit i: byte i of the block is part of a word, a digit, '<', '>' */
};

/* Starts at the beginning of a document, which must outlive the struct. */
void words_init(struct words *, const char *bytes, size_t n);

/* Finds the next word or tag. At the end of the document the kind is WORDS_END, and the text is empty.
 * Time: linear in the bytes passed. */
enum words_kind words_next(struct words *, struct words_text *);

/* Returns a hash of a text that words_next() gave, without regard to case. (The hash ignores bit 0x20 of
 * every byte, so that a few pairs of other characters, as '[' and '{', hash alike as well.) */
uint64_t words_hash(const struct words *, struct words_text);

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
