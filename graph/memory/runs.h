/* External sort of arcs. As many arcs as fit into memory are sorted there and written to a temporary file as one
 * run; the runs are merged while they are read. A run takes two to four bytes for each arc: for each row the gap
 * to the id of the row before and its length, then the gaps between its targets.
 *
 *	runs_open(&r, &space, why);
 *	runs_add(r, from, to, n);                            several times
 *	runs_begin(r, why);
 *	while ((got = runs_next(r, &u, &v, why)) > 0) ...
 *	runs_free(r); */
#ifndef GRAPH_MEMORY_RUNS_H
#define GRAPH_MEMORY_RUNS_H

#include "graph/graph.h"

#include <stddef.h>
#include <stdint.h>

struct runs;

/* Returns how many arcs can be sorted at once within this memory, at least 2048. */
size_t runs_arcs(const struct graph_space *space);

/* Opens an empty sort. `space` is copied. Returns 0, or ERR_FILE if no temporary file can be created. */
int runs_open(struct runs **r, const struct graph_space *space, struct err_note *why) MUST_USE;

/* Frees everything. NULL is allowed. */
void runs_free(struct runs *r);

/* Adds a run of n arcs, at most runs_arcs(), in any order. An error shows up in runs_failed() and runs_begin(). */
void runs_add(struct runs *r, const uint32_t *from, const uint32_t *to, size_t n);

/* Adds a run of n arcs with ids of 64 bits, as runs_add() does. The arrays are sorted in place. */
void runs_add_wide(struct runs *r, uint64_t *from, uint64_t *to, size_t n);

/* Says whether a run could not be written, so that the caller may stop early. */
int runs_failed(const struct runs *r);

/* Begins to read at the first arc, also a second time. No arcs can be added afterwards. Returns 0 or ERR_FILE. */
int runs_begin(struct runs *r, struct err_note *why) MUST_USE;

/* Gives the next distinct arc, ordered by source and then by target. Returns 1, 0 at the end, or ERR_FILE. */
int runs_next(struct runs *r, uint64_t *from, uint64_t *to, struct err_note *why) MUST_USE;

/* Radix sort of 64-bit numbers. Its time does not depend on the input, so that no file can be made to sort slowly. */

/* Sorts n keys in ascending order by their bits from `from_bit` on, a multiple of 8; the order of keys that are
 * equal there stays. other[n] is scratch memory. Returns the one of the two arrays that contains the result. Each
 * byte in which keys differ costs one pass. */
uint64_t *radix_sort(uint64_t *key, uint64_t *other, size_t n, unsigned from_bit);

/* Removes repeated keys from n sorted keys, in place. Returns the number of distinct keys. */
size_t radix_distinct(uint64_t *key, size_t n);

#endif
