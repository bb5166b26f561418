/* What pages are worth, from a file: id TAB value a line, '#' begins a comment. */
#ifndef SEEDS_VALUES_H
#define SEEDS_VALUES_H

#include "graph/graph.h"

/* The greatest value, and the greatest sum of values without their signs: what 64 bits hold. */
#define SEED_VALUE_MAX     1e12
#define SEED_VALUE_SUM_MAX 9e12

/* In millionths (rounded to the nearest) into *value, `nodes` of them, the caller's to free(); a
 * page that the file does not name is worth 1, one that it names twice what was said last. Ids are
 * the data set's own. ERR_FORMAT with the line for one that is no node, or no number; ERR_TOO_BIG.
 */
int seed_values_read(
	const char *path, const struct graph *g, int64_t **value, struct err_note *why) MUST_USE;

/* ERR_TOO_BIG where the sum of values is more than that; `path` is for the note. */
int seed_values_check(
	const int64_t *value, uint32_t nodes, const char *path, struct err_note *why) MUST_USE;

#endif
