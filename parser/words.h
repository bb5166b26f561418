/* Where the words of a document are: what the hashes of texts read. */
#ifndef PARSER_WORDS_H
#define PARSER_WORDS_H

static inline int words_is_letter(unsigned char c) /* or a byte beyond ASCII */
{
	return (unsigned)(c | 0x20) - 'a' < 26 || c >= 0x80;
}

static inline int words_is_digit(unsigned char c)
{
	return (unsigned)c - '0' < 10;
}

/* Whether a tag, or a comment, begins at `at`, a '<'. */
int words_is_tag(const char *at, const char *end);

/* Behind the end of the element whose tag begins at `at`, where it is one whose content is no text;
 * else behind the tag. */
const char *words_behind_tag(const char *at, const char *end);

#endif
