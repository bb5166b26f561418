/* Reads the values of pages from a file with lines "id TAB value", in which '#' begins a comment.
 *
 *	code = seed_values_read("values.tsv", g, &value, &one, why);
 *	printf("%g\n", seed_value_real(value[0], one));
 *	free(value); */
#ifndef SEEDS_VALUES_H
#define SEEDS_VALUES_H

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

#endif
