/* A source of pages for replays: the pages are the nodes of a graph in memory, and their links are its arcs. Every
 * submitted page is ready at once. The source's clock moves only when the crawl waits, and then jumps to the end of the
 * wait. The links of an event point into the graph.
 *
 *	struct source *s = graph_source_new(graph, NULL, NULL);
 *	... crawl_run() ...
 *	s->ops->close(s); */
#ifndef CRAWLER_GRAPH_SOURCE_H
#define CRAWLER_GRAPH_SOURCE_H

#include "crawler/source.h"
#include "graph/formats/names.h"
#include "graph/graph.h"

/* Returns a source for a graph. `host` has the host of each node, or is NULL if all nodes have one host. `state` has for
 * each node the state (enum page_state) in which an earlier crawl ended it, which this replay repeats: a node
 * that is PAGE_OUTSIDE is discovered but never queued; a node that is PAGE_FAILED or PAGE_REFUSED is taken, and
 * fails or is refused; any other node is crawled. If `state` is NULL, all nodes are crawled. Graph and arrays
 * must outlive the source, which ops->close frees. */
struct source *graph_source_new(const struct graph *g, const uint32_t *host, const uint8_t *state);

/* Lets policies see the URLs of the nodes and the kinds of the links (enum policy_sight). `names` is NULL, or has the names of
 * all nodes; if it has no URLs, nothing is seen of them. `kinds` has a byte for each arc, or is NULL if they are unknown.
 * Both must outlive the source. The caller calls this before it makes the frontier. */
void graph_source_show(struct source *, const struct names *names, const uint8_t *kinds);

/* Lets policies see the scores of crawled nodes. `score` has one for each node, and must outlive the source. The caller calls
 * this before it makes the frontier. */
void graph_source_show_scores(struct source *, const double *score);

/* A number of pages in flight that makes a replay fast. */
#define GRAPH_SOURCE_PARALLEL 64

/* Allows `parallel` pages in flight instead of one; their events come in the order in which they were submitted. A
 * policy that reranks would crawl in another order than with one page in flight, so a caller does this only if
 * frontier_is_fifo(). The caller calls this before the crawl. */
void graph_source_set_parallel(struct source *, size_t parallel);

#endif
