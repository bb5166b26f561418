/* What the owner of a page asks of those who use it: words of X-Robots-Tag and of meta robots (noai, noimageai, noarchive,
 * noindex), the preferences of Content-Usage (IETF AIPREF, in headers and in robots.txt: "train-ai=n"), and TDM-Reservation (W3C
 * TDMRep). A crawl records them with each page, and obeys none of them: they are addressed to whoever trains, indexes or
 * republishes.
 *
 *	usage_parse("noai, train-ai=N", 16)   is USAGE_NOAI | USAGE_NO_TRAIN
 *	usage_write(mask, &out)               appends "noai, train-ai=n" */
#ifndef PARSER_USAGE_H
#define PARSER_USAGE_H

#include "base/buf.h"

#include <stddef.h>
#include <stdint.h>

/* Each row: the symbol, and the word, which is compared without regard to case. The order is that of bits in stores. */
#define USAGES(X) \
	X(NOINDEX, "noindex") \
	X(NOARCHIVE, "noarchive") \
	X(NOAI, "noai") \
	X(NOIMAGEAI, "noimageai") \
	X(NO_TRAIN, "train-ai=n") \
	X(TRAIN, "train-ai=y") \
	X(NO_SEARCH, "search=n") \
	X(SEARCH, "search=y") \
	X(NO_BOTS, "bots=n") \
	X(BOTS, "bots=y") \
	X(RESERVED, "tdm-reservation=1")

enum usage_place {
#define USAGE_PLACE(symbol, word) USAGE_PLACE_##symbol,
	USAGES(USAGE_PLACE)
#undef USAGE_PLACE
		USAGE_PLACES
};

enum usage {
#define USAGE_BIT(symbol, word) USAGE_##symbol = 1 << USAGE_PLACE_##symbol,
	USAGES(USAGE_BIT)
#undef USAGE_BIT
		USAGE_ALL = (1 << USAGE_PLACES) - 1
};

/* Returns the mask of the words in n bytes, which commas or blanks divide; "none" is noindex, too. Other words are ignored. */
uint16_t usage_parse(const char *text, size_t n);

/* Appends the words of a mask, with ", " between them; nothing for 0. */
void usage_write(uint16_t mask, struct buf *out);

#endif
