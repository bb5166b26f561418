/* Reads formats of text in which each line describes an arc or a node. The readers of such a format provide only
 * the function that parses a line. */
#ifndef GRAPH_FORMATS_LISTS_H
#define GRAPH_FORMATS_LISTS_H

#include "graph/formats/arcs.h"
#include "graph/formats/format.h"

/* Parses a line that is neither empty nor a comment, without the blanks before it, and adds its arcs to `a`.
 * Returns NULL, or the position of an error within the line. */
typedef const char *lists_take(void *ctx, struct arcs *a, const char *line, const char *end);

/* Says whether take() accepts the first line of a file that is no comment. */
int lists_detect(const char *path, lists_take *take, void *ctx);

/* Passes each line of a file to take(). Returns 0; ERR_FILE; or ERR_FORMAT for a line that take() does not accept,
 * with the note "FILE:LINE: 'TEXT' COMPLAINT". */
int lists_read(const char *path, struct arcs *a, lists_take *take, void *ctx, const char *complaint, struct err_note *why) MUST_USE;

/* Reads a file as lists_read() does, and makes the graph. Returns 0, or an error of lists_read() or arcs_to_graph(). */
int lists_load(const char *path, const struct graph_load *load, lists_take *take, void *ctx, const char *complaint, struct graph *g,
	struct err_note *why) MUST_USE;

/* Returns the first position from p on that is no blank or tab, or `end`. */
const char *lists_skip_blanks(const char *p, const char *end);

#endif
