/* What policies share that recompute the keys of all queued pages as the crawl grows: when this is due, and how the keys are
 * written.
 *
 *	if (rerank_is_due(view, s->ranked))      at the crawled pages at which a batch ends
 *		rerank_queued(c, key_of);        every queued page v gets the key key_of(c, v) */
#ifndef POLICIES_RERANK_H
#define POLICIES_RERANK_H

#include "frontier/policy.h"

#include <math.h>

/* A key above all keys that a policy computes: pages that come before all other pages, in order of discovery. */
#define RERANK_FIRST_OF_ALL 1e12

/* Says whether a batch of pages is complete, and the crawl has grown by a fortieth since `ranked` pages were crawled. Each
 * reranking costs as much as the crawl is large, so the work of a long crawl grows little faster than its links. */
int rerank_is_due(const struct policy_view *, uint64_t ranked);

/* Returns the crawled pages in the order of their discovery, *n of them, in memory of view->ids elements that the caller frees with
 * paged_free(). Sums over pages in this order are the same, to the last bit, in equal crawls, whatever ids their pages have. */
uint32_t *rerank_crawled(const struct policy_call *, uint32_t *n);

/* Writes the key of every queued page, and counts the pages as work of the policy. */
void rerank_queued(const struct policy_call *, double (*key_of)(const struct policy_call *, uint32_t v));

/* Returns a key as a whole number of steps, rounded, so that pages whose values differ less than a step are taken in the order of
 * their discovery, and not of rounding errors. */
static inline double rerank_steps(double key, double step)
{
	return floor(key / step + 0.5);
}

#endif
