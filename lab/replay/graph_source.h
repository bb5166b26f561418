/* A source of pages for replays: the pages are the nodes of a graph in memory, and their links are its arcs. Every
 * submitted page is ready at once. The source's clock moves only when the crawl waits, and then jumps to the end of the
 * wait. The links of an event point into the graph.
 *
 *	struct source *s = graph_source_new(&(struct graph_world){.g = graph});
 *	... crawl_run() ...
 *	s->ops->close(s); */
#ifndef LAB_REPLAY_GRAPH_SOURCE_H
#define LAB_REPLAY_GRAPH_SOURCE_H

#include "crawler/source.h"
#include "graph/formats/names.h"
#include "graph/graph.h"
#include "scope/rules.h"

/* --- What a source whose pages are the nodes of a graph tells the frontier of them, and policies that ask to see it. So does
 * lab/replay/virtual_source.h.
 *
 *	const struct graph_world world = {.g = graph, .host = hosts};
 *	struct source *s = graph_source_new(&world);                 the source copies the struct */

/* All that the fields point to must outlive the source. Any field but `g` may be NULL. */
struct graph_world {
	const struct graph *g;
	const uint32_t *host; /* the host of each node; NULL: all nodes have one host */
	/* The state (enum page_state) in which an earlier crawl ended each node, which this crawl repeats: a node that is
	 * PAGE_OUTSIDE is discovered but never queued; a node that is PAGE_FAILED or PAGE_REFUSED is taken, and fails
	 * or is refused; any other node is crawled. NULL: all nodes are crawled. */
	const uint8_t *state;
	/* What policies may ask to see (enum policy_sight) */
	const struct names *names; /* the URLs of all nodes; if NULL or without URLs, none are seen */
	const uint8_t *kinds;      /* a byte for each arc; NULL: unknown */
	const double *score;       /* of each node; NULL: none */
	/* the anchor text of each arc is at anchors + anchor_start[arc], with a NUL behind it; NULL: unknown */
	const char *anchors;
	const size_t *anchor_start;
	/* of a web that changes: the links of each crawled page as they were when it was crawled; NULL: the rows of `g` */
	struct seen_rows *seen;
	/* rules that refuse nodes by their URLs and order the others, as in a live crawl; with `names` alone; NULL: none */
	const struct rules *rules;
};

/* The links of crawled pages. A row is added once, and found by the id of its page. */
struct seen_rows {
	size_t *start;   /* of the row of each page, + 1; 0: the page has none */
	uint32_t *links; /* a row after the other, each behind its length */
	size_t used, room;
};

/* Makes room for the rows of n pages. */
void seen_rows_init(struct seen_rows *, uint32_t n);
void seen_rows_release(struct seen_rows *);

/* Keeps the links of a page. */
void seen_rows_add(struct seen_rows *, uint32_t id, const uint32_t *links, uint32_t n);

/* Gives the links of a page, valid until the next row is added. Returns their number, 0 if none were kept. */
size_t seen_rows_of(const struct seen_rows *, uint32_t id, const uint32_t **links);

/* Fills in the functions by which the frontier asks for hosts, links, URLs, scores and anchor texts. The graph_world must outlive
 * the frontier. */
void graph_world_tell(struct graph_world *, struct frontier_world *);

static inline uint32_t graph_world_host(const struct graph_world *w, uint32_t id)
{
	return w->host ? w->host[id] : 0;
}

/* Fills in the links of the event's page, and their kinds if they are known. */
static inline void graph_world_links(const struct graph_world *w, struct result *e)
{
	e->links = graph_row(w->g, e->id);
	e->n = graph_outdegree(w->g, e->id);
	if (w->kinds)
		e->kinds = w->kinds + w->g->offset[e->id];
}

/* Makes the event that of a page which ends in a state of graph_world.state: it fails or is refused, without links, or it is
 * crawled. */
void graph_world_end(struct result *, enum page_state);

/* Fetches memory for pages that are likely to be taken soon: first where a row is, then the row. */
static inline void graph_world_prefetch(const struct graph_world *w, const uint32_t *ids, size_t n)
{
	if (n) {
		__builtin_prefetch(graph_row(w->g, ids[0]));
		__builtin_prefetch(graph_row(w->g, ids[0]) + 16);
	}
	for (size_t i = 1; i < n; i++)
		__builtin_prefetch(&w->g->offset[ids[i]]);
}

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
