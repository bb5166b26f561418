/* A BVGraph while it is being read: what graph/bvgraph.c and graph/bvparallel.c share. */
#ifndef GRAPH_BVLOADING_H
#define GRAPH_BVLOADING_H

#include "graph/bvrows.h"
#include "graph/mapping.h"

struct bvloading {
	char *path; /* of the .graph file */
	struct bvproperties properties;
	struct mapping bits;
	uint64_t *offset; /* of the rows, nodes + 1 */
	uint32_t *target;
	size_t room; /* of target */
};

/* A reader of all rows, at the first. */
void bvloading_rows(const struct bvloading *l, struct bvrows *r);

/* Reads the rows on several threads, where there are offsets. Returns 1, or 0 where that did not
 * work, for whatever reason: then nothing is lost, and who reads row after row learns the reason.
 */
int bvloading_in_parallel(struct bvloading *l, unsigned threads);

#endif
