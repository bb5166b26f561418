/* The words of the endless web: made-up words of several languages, beside the most frequent true ones of each. The words of a text
 * follow Zipf's law, and those of one language are the same on all its pages. */
#ifndef SIMWEB_ENDLESS_WORDS_H
#define SIMWEB_ENDLESS_WORDS_H

#include "base/buf.h"
#include "base/rng.h"

#define ENDLESS_LANGUAGES  8
#define ENDLESS_VOCABULARY 65536 /* words of a language */

/* Returns the code of a language, "en". */
const char *endless_language(unsigned language);

/* Appends word `rank` of a language, in UTF-8; rank 0 is the most frequent one. */
void endless_word(unsigned language, unsigned rank, struct buf *out);

/* Appends a made-up word of ASCII letters, for a name; at most 12 bytes. */
void endless_ascii_word(uint64_t bits, struct buf *out);

/* Appends so many words with blanks between and a full stop now and then. */
void endless_text(unsigned language, unsigned words, struct rng *, struct buf *out);

#endif
