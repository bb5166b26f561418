/* Links between hosts by month: lines "YYYYMM TAB FROM TAB TO TAB COUNT"; the count is ignored and may be missing.
 * Each host is a node, in the order of first occurrence, and its name is the text in the file without blanks
 * around it. A link of several months becomes one arc. The format is read, not written.
 *
 * A path may have a range of months behind it, "x.txt#201001" or "x.txt#201001-201012". The graph then has only
 * the links of these months, and the hosts in these links. */
#ifndef GRAPH_FORMATS_DATED_H
#define GRAPH_FORMATS_DATED_H

#include "graph/formats/format.h"

int dated_detect(const char *path);

/* Reads a file. Returns 0; ERR_USAGE if the text behind # is no range of months; ERR_NOTHING if no link is in the
 * range; or ERR_FILE, ERR_FORMAT or ERR_TOO_BIG. */
int dated_load(const char *path, const struct graph_load *load, struct graph *g, struct err_note *why) MUST_USE;

/* Reads the graph of each month of a file (of the months behind #, if there are any), in the order of the months, into a new array
 * of *n graphs. All of them have the nodes of the graph that dated_load() makes. The caller releases the graphs and frees the
 * array. Returns 0 or an error of dated_load(). */
int dated_snapshots(const char *path, struct graph **snapshot, size_t *n, struct err_note *why) MUST_USE;

#endif
