/* A source of pages for replays: the pages are the nodes of a graph in memory, and their links are its arcs. Every
 * submitted page is ready at once. The source's clock moves only when the crawl waits, and then jumps to the end of the
 * wait. The links of an event point into the graph.
 *
 *	struct source *s = graph_source_new(&(struct graph_world){.g = graph});
 *	... crawl_run() ...
 *	s->ops->close(s); */
#ifndef CRAWLER_GRAPH_SOURCE_H
#define CRAWLER_GRAPH_SOURCE_H

#include "crawler/replay/graph_world.h"

/* Returns a source for a graph. The struct is copied; all that it points to must outlive the source, which ops->close
 * frees. */
struct source *graph_source_new(const struct graph_world *);

/* A number of pages in flight that makes a replay fast. */
#define GRAPH_SOURCE_PARALLEL 64

/* Allows `parallel` pages in flight instead of one; their events come in the order in which they were submitted. A
 * policy that reranks would crawl in another order than with one page in flight, so a caller does this only if
 * frontier_is_fifo(). The caller calls this before the crawl. */
void graph_source_set_parallel(struct source *, size_t parallel);

#endif
