/* The cores of hits, as a file. */
#ifndef CLI_LAB_SEED_CORES_H
#define CLI_LAB_SEED_CORES_H

#include "graph/graph.h"
#include "seeds/method.h"

/* Writes the cores, a JSON object in each line (doc/formats.md); "-" is stdout. Returns 0 or ERR_FILE. */
int seed_cores_write(const char *path, const struct seed_output *found, const struct graph *g, struct err_note *why) MUST_USE;

#endif
