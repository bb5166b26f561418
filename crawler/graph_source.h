/* A graph as a source of pages: synchronous, no copies, time stands still. */
#ifndef CRAWLER_GRAPH_SOURCE_H
#define CRAWLER_GRAPH_SOURCE_H

#include "crawler/source.h"
#include "graph/graph.h"

/* What becomes of a node, as an earlier crawl has found it: all but the first mean that it does not
 * get its links. */
enum graph_fate {
	FATE_CRAWLED, /* 0 */
	FATE_OUTSIDE, /* out of scope: seen, never queued */
	FATE_FAILED,  /* it is taken, and fails */
	FATE_REFUSED  /* it is taken, and refused (robots.txt, a budget, a trap) */
};

/* `host` is the host of each node, `fate` what becomes of it (enum graph_fate); either may be NULL:
 * one host, all are crawled. All must outlive the source. Free with ops->close. */
struct source *graph_source_new(const struct graph *g, const uint32_t *host, const uint8_t *fate);

/* So many pages may be in flight, not the one that most policies must have for their order to be
 * theirs (frontier_is_fifo()). They come back in the order in which they were submitted. Before the
 * crawl. */
#define GRAPH_SOURCE_PARALLEL 64
void graph_source_set_parallel(struct source *, size_t parallel);

#endif
