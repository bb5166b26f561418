/* A graph as a source of pages: synchronous, one page in flight, no copies, time stands still. */
#ifndef CRAWLER_GRAPH_SOURCE_H
#define CRAWLER_GRAPH_SOURCE_H

#include "crawler/source.h"
#include "graph/graph.h"

/* `host` is the host of each node; `outside` tells (non-zero) which a crawl refuses; either may be
 * NULL. All must outlive the source. Free with ops->close. */
struct source *graph_source_new(
	const struct graph *g, const uint32_t *host, const uint8_t *outside);

#endif
