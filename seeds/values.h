/* Reads the values of pages from a file with lines "id TAB value", in which '#' begins a comment.
 *
 *	code = seed_values_read("values.tsv", g, &value, &one, why);
 *	printf("%g\n", seed_value_real(value[0], one));
 *	free(value); */
#ifndef SEEDS_VALUES_H
#define SEEDS_VALUES_H

#include "graph/formats/names.h"
#include "graph/graph.h"

/* The greatest absolute value of a page, and the greatest sum of absolute values, so that sums of millionths fit
 * into 64 bits. */
#define SEED_VALUE_MAX     1e12
#define SEED_VALUE_SUM_MAX 9e12

/* Reads a file into an array with the value of each node as a whole number, in which *one stands for the value 1; the
 * caller frees the array with free(). *one is a power of ten: SEED_VALUE_ONE if the values have no more than six
 * decimals, or else as large as it must be for all their digits, up to 1e18 and as far as sums fit into 64 bits;
 * what is finer is rounded to the nearest. The ids in the file are the data set's labels. A page that the file does
 * not name has the value 1; of two lines for one page the last one counts. Returns 0; ERR_FILE; ERR_FORMAT, with the
 * line in the note, for an id that is no node and a value that is no number; or ERR_TOO_BIG. *value is NULL after an
 * error. */
int seed_values_read(const char *path, const struct graph *g, int64_t **value, int64_t *one, struct err_note *why) MUST_USE;

/* Returns a value, or a sum of values, as a number. */
double seed_value_real(int64_t value, int64_t one);

/* Returns ERR_TOO_BIG if the sum of the absolute values exceeds SEED_VALUE_SUM_MAX, or else 0. `path` is used in
 * the note only. */
int seed_values_check(const int64_t *value, uint32_t nodes, const char *path, struct err_note *why) MUST_USE;

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
