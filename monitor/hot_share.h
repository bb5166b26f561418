/* An estimate of the share of the hot pages that a crawl has, while the crawl runs. Only the laboratory knows which pages are hot
 * (lab/measure/throughput.h): of the pages that lead to a hot page most are not crawled yet, and some hot pages are not even
 * discovered. The estimate is made of two counts that every crawl has:
 *
 *	share = crawled / (crawled + 1.5 waiting)
 *
 * `waiting` are the pages that are queued or in flight, without the deferred ones, which are likely to be worth little. Each of
 * them stands for one page and a half: for itself, and for half a page that no crawled page links to. All these pages are taken to
 * be as hot as the crawled ones. The two assumptions are wrong in opposite directions: far more pages are undiscovered early in a
 * crawl, and a policy takes the hotter pages first.
 *
 * The share is meant of the hot pages that the crawl can reach within its scope, where as many pages are hot as are crawled
 * ("discoverable throughput"); PageRank mass comes close to it.
 *
 * The factor and the interval are fitted to 24 replays: six web graphs, each from five random seeds, under bfs, opic, ieca and
 * echo. doc/control.md has the errors. What else a crawl knows did not make them smaller, with each graph in turn left out of the
 * fit: the in-links of crawled pages against those of waiting ones, the links of the last pages that lead to crawled pages, and
 * the pages discovered by each page crawled of late. (Links are local: after a tenth of a graph, most of the links of crawled pages
 * lead to crawled pages already.)
 *
 * Source: our own. */
#ifndef MONITOR_HOT_SHARE_H
#define MONITOR_HOT_SHARE_H

#include "frontier/frontier.h"

/* Shares from 0 to 1. */
struct hot_share {
	double share;     /* the estimate; NAN before the first page is crawled */
	double low, high; /* the truth was between them at eight of ten points of the replays; NAN with `share` */
};

/* Estimates the share from the counts of a crawl. If no page waits, all three are 1: the crawl has all that it can reach. In a
 * crawl by several agents the estimate is about the pages of one agent. Cost: O(1). */
struct hot_share hot_share_of(const struct frontier_counts *);

#endif
