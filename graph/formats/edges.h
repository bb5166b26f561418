/* Edge lists (SNAP's format and its variants): text with one arc on each line, in any order, with repeats; plain
 * or compressed (gz, xz, zst, bz2). graph/formats/arctext.h describes the lines, and graph/formats/arcs.h says
 * which ids are nodes. Besides:
 *   - A comment "# Nodes: N Edges: M" announces N nodes. If there are fewer than M lines, the reader notes it in
 *     `odd` (more lines are not noted, since some files count repeats and some do not). A file without any arc
 *     then is ERR_FORMAT, because it was cut short; so is a file that ends within a comment before its first arc.
 *   - A comment "# Isolated: ID ..." lists nodes without arcs. edges_save() writes it if the graph has labels.
 *   - A first line of words is a heading. It is ERR_FORMAT if a column other than the first is named "from" or
 *     "source", or a column other than the second is named "to" or "target".
 *   - If some lines are longer than others, the reader notes it in `odd`, since the file may have another format.
 *   - A first line "N M" or "N N M", in a file whose comments announce no nodes, is a heading if exactly M arcs
 *     follow, M >= N / 64, and either all ids are below N, or M >= N and all ids are in 1..N. "N M" also needs M
 *     >= N, because otherwise it may be the arc from N to M ("N N M" could only be a link of N to itself). The
 *     reader notes in `odd` that it took the line for a heading, and also if it took a line for an arc that nearly
 *     satisfies these conditions. */
#ifndef GRAPH_FORMATS_EDGES_H
#define GRAPH_FORMATS_EDGES_H

#include "graph/formats/format.h"

int edges_detect(const char *path);
int edges_load(const char *path, const struct graph_load *load, struct graph *g, struct err_note *why) MUST_USE;
int edges_save(const struct graph *g, const char *path, struct err_note *why) MUST_USE;

#endif
