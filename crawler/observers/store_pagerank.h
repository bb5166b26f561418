/* The PageRank of the pages of a store, by the links of the pages that are crawled so far. */
#ifndef CRAWLER_STORE_PAGERANK_H
#define CRAWLER_STORE_PAGERANK_H

#include "storage/store.h"

/* Returns the PageRank of all pages by id (graph/kernels/pagerank.h, damping 0.85), whose sum is 1; the caller frees it with
 * free(). Pages that are not crawled have no links. Memory meanwhile: about 30 bytes for each page, and 8 for each link. Time: some
 * tens of passes over all links. */
double *store_pagerank(struct store *);

#endif
