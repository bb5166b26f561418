/* A graph as a source of pages: synchronous, no copies, time stands still. */
#ifndef CRAWLER_GRAPH_SOURCE_H
#define CRAWLER_GRAPH_SOURCE_H

#include "crawler/source.h"
#include "graph/graph.h"

/* `host` is the host of each node, NULL: they have one. `fate` is where an earlier crawl has left each node (enum
 * page_state), and where this one leaves it: a node that is PAGE_OUTSIDE is seen and never queued; one that is
 * PAGE_FAILED or PAGE_REFUSED is taken, and fails or is refused; any other is crawled. NULL: all are crawled. All
 * must outlive the source. Free with ops->close. */
struct source *graph_source_new(const struct graph *g, const uint32_t *host, const uint8_t *fate);

/* So many pages may be in flight, not the one that most policies must have for their order to be
 * theirs (frontier_is_fifo()). They come back in the order in which they were submitted. Before the
 * crawl. */
#define GRAPH_SOURCE_PARALLEL 64
void graph_source_set_parallel(struct source *, size_t parallel);

#endif
