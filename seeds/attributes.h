/* The values of pages from their attributes (Zheng, Dmitriev and Giles, section 4). The value of a page is 1; or
 * -10 if the page is spam; or 10 if users clicked on it in search results, spam or not. For each link of the page
 * to a URL that is not crawled, the uniqueness of its site is added: the share of the site's new pages that are no
 * duplicates.
 *
 * The attributes come from a file with lines "id TAB spam TAB clicked TAB uncrawled", in which '#' begins a comment. spam and
 * clicked are 0 or 1; uncrawled is the number of links to URLs that are not crawled. If uncrawled is missing, the number is taken
 * from the graph (`uncrawled` of struct attributes), or is 0 if the graph has none. A page that the file does not name is neither
 * spam nor clicked, and has the graph's number of uncrawled links.
 *
 * Uniqueness is a number from 0 to 1 for all sites, or a file with lines "site TAB share" or "site TAB unique
 * pages TAB new pages" from past crawls. A site that the file does not name has 1. */
#ifndef SEEDS_ATTRIBUTES_H
#define SEEDS_ATTRIBUTES_H

#include "graph/formats/names.h"

/* The uniqueness of a site, as an exact fraction. */
struct uniqueness {
	uint64_t unique, of; /* of > 0, unique <= of */
};

struct attributes {
	const struct graph *graph;
	const struct names *names; /* with hosts, if p_unique is a file */
	const uint32_t *uncrawled; /* for each node, the number from the graph; NULL: 0 for all */
	const char *pages;         /* the path of the attributes; NULL: none */
	const char *p_unique;      /* a number, or the path of a file; NULL: 1 for all sites */
};

/* Returns the value of one page in millionths, rounded to the nearest. */
int64_t attributes_value(int spam, int clicked, uint64_t uncrawled, struct uniqueness p);

/* Reads the files and computes the values in millionths into an array with one entry for each node, which the
 * caller frees with free(). Returns 0, ERR_USAGE, ERR_FILE, ERR_FORMAT with the line in the note, or ERR_TOO_BIG. */
int attributes_read(const struct attributes *a, int64_t **value, struct err_note *why) MUST_USE;

#endif
