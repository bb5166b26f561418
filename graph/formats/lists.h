/* Text that names an arc or a node a line, in words of its own: what all its readers share. */
#ifndef GRAPH_FORMATS_LISTS_H
#define GRAPH_FORMATS_LISTS_H

#include "graph/formats/arcs.h"
#include "graph/formats/format.h"

/* Takes a line, which is not empty and no comment, without blanks before it. Returns NULL, or where
 * it stops making sense. */
typedef const char *lists_take(void *ctx, struct arcs *a, const char *line, const char *end);

/* Whether the first line that is no comment is taken. */
int lists_detect(const char *path, lists_take *take, void *ctx);

/* Each line of a file. ERR_FORMAT with file, line and what was not taken, which
 * "%s:%u: '%s' <complaint>" tells. */
int lists_read(const char *path, struct arcs *a, lists_take *take, void *ctx, const char *complaint,
	struct err_note *why) MUST_USE;

/* A graph of the arcs and single ids that were taken. Errors as of lists_read(), and of
 * arcs_to_graph(). */
int lists_load(const char *path, const struct graph_load *load, lists_take *take, void *ctx,
	const char *complaint, struct graph *g, struct err_note *why) MUST_USE;

const char *lists_skip_blanks(const char *p, const char *end);

#endif
