/* The cores of hits, as a file. */
#ifndef CLI_LAB_SEED_CORES_H
#define CLI_LAB_SEED_CORES_H

#include "graph/graph.h"
#include "seeds/method.h"

/* A JSON object a line, see doc/formats.md; "-" is stdout. ERR_FILE. */
int seed_cores_write(const char *path, const struct seed_output *found, const struct graph *g,
	struct err_note *why) MUST_USE;

#endif
