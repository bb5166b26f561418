/* What pages are worth, from what is known of them (Zheng, Dmitriev and Giles, section 4): 1; spam
 * -10; clicked in the results of a search 10, spam or not; and for each URL it links to that is not
 * crawled the share of new pages that are unique on its site.
 *
 * Page attributes are a file, '#' begins a comment: id TAB spam TAB clicked TAB uncrawled a line,
 * the first two 0 or 1, the last a count, which may be left out: then it is what the graph is known
 * to have, else 0. Pages that are not named are neither, with that count.
 *
 * Uniqueness is a number from 0 to 1 for all sites, or a file: site TAB share a line, or site TAB
 * unique pages TAB new pages of past crawls. Sites that are not named have 1. */
#ifndef SEEDS_ATTRIBUTES_H
#define SEEDS_ATTRIBUTES_H

#include "graph/formats/names.h"

/* Of a page, as a fraction: exact. */
struct uniqueness {
	uint64_t unique, of; /* of > 0, unique <= of */
};

struct attributes {
	const struct graph *graph;
	const struct names *names;    /* hosts 0: no sites are known, which a file needs */
	const uint32_t *uncrawled;    /* of each node, as far as the graph knows; NULL: 0 */
	const char *pages, *p_unique; /* paths, or a number; NULL: not given */
};

/* The worth of one page in millionths, what uniqueness makes of a fraction rounded to the nearest.
 */
int64_t attributes_value(int spam, int clicked, uint64_t uncrawled, struct uniqueness p);

/* In millionths into *value, `nodes` of them, the caller's to free(). ERR_USAGE, ERR_FILE,
 * ERR_FORMAT with the line, ERR_TOO_BIG. */
int attributes_read(const struct attributes *a, int64_t **value, struct err_note *why) MUST_USE;

#endif
