/* A finite part of the endless web as a graph, so that a replay or a study can crawl it without a network.
 *
 *	endless_graph(&web, 100000, &g, &names);
 *	... names_url(&names, u), graph_row(&g, u) ...
 *	names_release(&names);
 *	graph_release(&g); */
#ifndef SIMWEB_ENDLESS_GRAPH_H
#define SIMWEB_ENDLESS_GRAPH_H

#include "graph/formats/names.h"
#include "graph/graph.h"
#include "simweb/endless.h"

/* Makes the graph of the first n pages that a breadth-first search from the home page of host 0 comes upon, in this order, and of
 * the links between them; and the names of the pages. There are fewer pages if the search finds no more. A link to a redirect
 * counts as a link to its target. Links that lead nowhere, calendars and the ids of sessions are left out, as is robots.txt. If
 * the web changes, these are the links of version 0. Memory: about 120 bytes for each page, and 8 for each link. */
void endless_graph(const struct endless *, uint32_t n, struct graph *g, struct names *names);

#endif
