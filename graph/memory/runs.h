/* Arcs sorted on the disk: what fits into memory is sorted there and written as a run to a
 * temporary file, and the runs are merged while they are read. A run takes two to four bytes an
 * arc: of each row the gap to the last one's id and its length, then the gaps of its targets. */
#ifndef GRAPH_MEMORY_RUNS_H
#define GRAPH_MEMORY_RUNS_H

#include "graph/graph.h"

#include <stddef.h>

struct runs;

/* How many arcs sorting takes at once, within that memory; 2048 at least. */
size_t runs_arcs(const struct graph_space *space);

/* `space` is copied. ERR_FILE where there can be no temporary file. */
int runs_open(struct runs **r, const struct graph_space *space, struct err_note *why) MUST_USE;
void runs_free(struct runs *r); /* NULL is allowed */

/* Adds n arcs, at most runs_arcs(), in any order; what fails is told by runs_begin(). The arrays of
 * runs_add_wide() are sorted in place. */
void runs_add(struct runs *r, const uint32_t *from, const uint32_t *to, size_t n);
void runs_add_wide(struct runs *r, uint64_t *from, uint64_t *to, size_t n);

/* 1 where a run could not be written: the work can end. */
int runs_failed(const struct runs *r);

/* (Again) from the first arc on. Nothing can be added any more. ERR_FILE. */
int runs_begin(struct runs *r, struct err_note *why) MUST_USE;

/* The next arc, by source, then target, repeats left out: 1, 0 at the end, or ERR_FILE. */
int runs_next(struct runs *r, uint64_t *from, uint64_t *to, struct err_note *why) MUST_USE;

#endif
