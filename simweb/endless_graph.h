/* A finite part of the endless web as a graph, so that a replay or a study can crawl it without a network.
 *
 *	endless_part_make(&part, &web, 100000, &g, &names);
 *	... names_url(&names, u), graph_row(&g, u) ...
 *	endless_part_release(&part);
 *	names_release(&names);
 *	graph_release(&g); */
#ifndef SIMWEB_ENDLESS_GRAPH_H
#define SIMWEB_ENDLESS_GRAPH_H

#include "base/map.h"
#include "graph/formats/names.h"
#include "graph/graph.h"
#include "simweb/endless.h"

/* Which pages belong to the part. Page u of the graph is page number[u] of host[u]. Threads may share it. */
struct endless_part {
	struct endless web;
	uint32_t pages;
	uint64_t *host;
	uint32_t *number;
	struct map known; /* from host and number to u */
};

/* Makes the graph of the first n pages that a breadth-first search from the home page of host 0 comes upon, in this order, and of
 * the links between them; and the names of the pages. There are fewer pages if the search finds no more. A link to a redirect
 * counts as a link to its target. Links that lead nowhere, calendars and the ids of sessions are left out, as is robots.txt. If
 * the web changes, these are the links of version 0. Memory: about 120 bytes for each page, and 8 for each link. */
void endless_part_make(struct endless_part *, const struct endless *, uint32_t n, struct graph *g, struct names *names);
void endless_part_release(struct endless_part *);

/* Finds the links of a version of page u that lead to pages of the part, as pages of the graph, distinct and ascending. They
 * stand in *links, an array of *room elements that grows. Returns their number. */
size_t endless_part_links(const struct endless_part *, uint32_t u, uint64_t version, uint32_t **links, size_t *room);

/* Makes graph and names as endless_part_make() does. */
void endless_graph(const struct endless *, uint32_t n, struct graph *g, struct names *names);

#endif
