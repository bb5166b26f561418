/* A data set: a graph with the names of its nodes, read from a file of any format or from the store of a crawl. It is
 * what --graph names. */
#ifndef LAB_STUDY_DATASET_H
#define LAB_STUDY_DATASET_H

#include "graph/formats/format.h"
#include "graph/formats/names.h"

struct dataset {
	struct graph graph;
	struct graph reverse; /* made by dataset_reverse() */
	struct names names;   /* nodes 0 where there are none */
	const char *format;   /* "edges", "bvgraph", ... or "store" */
	/* From a store: where the crawl left a node that it did not get, PAGE_OUTSIDE, PAGE_FAILED or
	 * PAGE_REFUSED, and 0 for all others. A replay plays it. Else NULL. */
	uint8_t *outside;
	uint8_t *crawled; /* from a store: whether a node was fetched. Else NULL */
	/* From a store: how many distinct pages a page links to that are neither crawled nor refused
	 * nor failed: what the next crawl may find. Else NULL. */
	uint32_t *uncrawled;
	struct err_note odd; /* what should be known of the file; empty where there is nothing */
	uint32_t *alias; /* from a store: what a node redirects to, itself elsewhere. Else NULL */
};

struct dataset_where {
	const char *graph;        /* path, "-" */
	const char *urls, *hosts; /* paths or NULL: what lies beside the graph is found by itself */
	unsigned threads;
};

/* Opens a data set. Errors are those of graph_open() and, of a store, those of storage/. Release it with dataset_release(). */
int dataset_open(struct dataset *, const struct dataset_where *, struct err_note *why) MUST_USE;

/* Likewise within a bounded memory, but for a store, whose pages' names take more than its links. */
int dataset_open_within(struct dataset *, const struct dataset_where *,
	const struct graph_space *space, struct err_note *why) MUST_USE;
void dataset_release(struct dataset *);

/* Returns the transpose, which the first call makes; the data set's until it is released. */
const struct graph *dataset_reverse(struct dataset *, unsigned threads);

/* 1 where the page was fetched, else 0: any node of a graph file; of a store the pages whose links are known. */
static inline uint32_t dataset_fetched(const struct dataset *d, uint32_t node)
{
	return !d->crawled || d->crawled[node] ? 1 : 0;
}

/* Returns the URL of a node, or NULL in a data set without URLs. */
const char *dataset_url(const struct dataset *, uint32_t node);

#endif
