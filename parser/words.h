/* The words of an HTML document, and its tags: what the hashes of pages read. */
#ifndef PARSER_WORDS_H
#define PARSER_WORDS_H

#include <stddef.h>
#include <stdint.h>

/* A word is as many letters and digits as stand together; what is beyond ASCII is a letter. */
enum words_kind { WORDS_END, WORDS_TAG, WORDS_LETTERS, WORDS_NUMBER, WORDS_MIXED };

/* A tag's text, or a comment's, ends with the next '>'; a script's and a style's has its content. */
struct words_text {
	const char *at;
	size_t length;
};

struct words {
	const char *bytes; /* of the document, kept by the user */
	size_t n, at;
	size_t block;                      /* the 64 bytes of which is known: */
	uint64_t word, digit, open, close; /* whether each is of a word, a digit, '<', '>' */
};

void words_init(struct words *, const char *bytes, size_t n);

/* The next word or tag; WORDS_END, and no text, where none is left. Time: linear in what is read. */
enum words_kind words_next(struct words *, struct words_text *);

/* A hash of one of the document's texts, without regard to case: of characters that are no letters,
 * some two are taken for one. */
uint64_t words_hash(const struct words *, struct words_text);

static inline int words_is_letter(unsigned char c)
{
	return (unsigned)(c | 0x20) - 'a' < 26 || c >= 0x80;
}

static inline int words_is_digit(unsigned char c)
{
	return (unsigned)c - '0' < 10;
}

#endif
