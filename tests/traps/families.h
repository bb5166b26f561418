/* Families of pages that look alike, for tests/traps/test_traps_families.c: pages that one program makes, with the same words in
 * all of them. The pages of a finite family differ in what they are about, mostly in something that is no word: each must be found.
 * Those of an endless family are worth nothing. */
#ifndef TESTS_TRAPS_FAMILIES_H
#define TESTS_TRAPS_FAMILIES_H

#include "base/buf.h"

#define EAST_SOUTH 1000000
#define ITEMS      10

struct family {
	const char *name;
	/* Writes the path, and query, of page n, from 0 on. */
	void (*path)(struct buf *, long n);
	/* Writes what page n has beside its frame and its links. */
	void (*body)(struct buf *, long n);
	enum {
		TO_NEXT = 1,
		TO_BEFORE = 2,
		TO_TWO = 4,
		TO_EAST_SOUTH = 8, /* on a plane whose rows have EAST_SOUTH pages */
		TO_ITEMS = 16,     /* one page of ITEMS + 1 is a list, which leads to the next list and to ITEMS others */
		TO_THREE = 32,
		TO_LAST = 64, /* each list leads to the one before, too, and lists behind the end are answered by the last one */
		TO_BOTH = TO_NEXT | TO_BEFORE
	} links; /* the pages that each page links to */
};

/* up to one without a name */
extern const struct family finite_families[], endless_families[];

/* Endless families of pages each of which has a text of its own, so that the links alone tell them from real pages. */
extern const struct family endless_stories[];

/* Lists, each of which only the list before leads to, with their items. */
extern const struct family listed_stories, listed_to_last;

#endif
