/* What a frontier keeps of each page, in arrays by page id that grow together. Whoever needs the arrays
 * holds a pointer to this struct, since the arrays move as they grow. */
#ifndef FRONTIER_PAGES_H
#define FRONTIER_PAGES_H

#include "frontier/policy.h"

struct pages {
	uint32_t n; /* ids run below it */
	/* Borrowed from the scorer whose turn it is. NULL as long as the queue is a FIFO and only links have
	 * found pages: then the place of a page in the FIFO says all there is to say of it. */
	struct page *page;
	uint8_t *state;       /* enum page_state */
	uint32_t *host;       /* NULL: all pages are on host 0 */
	uint8_t *is_deferred; /* of a page queued or in flight; NULL: none can be */
};

static inline uint32_t pages_host(const struct pages *p, uint32_t id)
{
	return p->host ? p->host[id] : 0;
}

static inline int pages_is_deferred(const struct pages *p, uint32_t id)
{
	return p->is_deferred && p->is_deferred[id];
}

#endif
