/* Links between hosts, month by month: "YYYYMM FROM TO COUNT", TABs between them; the count may be
 * missing and is passed over. Each host is a node, numbered as they first appear, whose name is as
 * it stands there, but for blanks around it. A link of several months is one arc.
 *
 * A path may have months behind it, "x.txt#201001" or "x.txt#201001-201012": only these, and the
 * hosts that they name, are the graph then. Read, not written. */
#ifndef GRAPH_FORMATS_DATED_H
#define GRAPH_FORMATS_DATED_H

#include "graph/formats/format.h"

int dated_detect(const char *path);

/* ERR_USAGE where what follows the # is no range of months, ERR_NOTHING where it names no link. */
int dated_load(const char *path, const struct graph_load *load, struct graph *g,
	struct err_note *why) MUST_USE;

/* The hosts. */
int dated_names(const char *path, struct names *names, struct err_note *why) MUST_USE;

#endif
