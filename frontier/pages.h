/* The arrays of a frontier with an element for each page id. The arrays grow together, and move as they grow; so other
 * structs keep a pointer to struct pages, and not to an array.
 *
 *	const uint32_t host = pages_host(pages, id);
 *	if (pages->state[id] == PAGE_QUEUED && pages_is_deferred(pages, id)) ... */
#ifndef FRONTIER_PAGES_H
#define FRONTIER_PAGES_H

#include "frontier/policy.h"

struct pages {
	uint32_t n; /* the length of each array: all ids are below it */
	/* Keys, seqs and slots; borrowed from the ranker whose turn it is. NULL while the queue is a FIFO that needs
	 * no structs page (frontier/pile.h) */
	struct page *page;
	uint8_t *state; /* enum page_state; written by pages_set_state() */
	/* A bit for each page. 1: a link to the page changes nothing, because the page is not in one of the states
	 * `heard`. Most links lead to such pages, and the bits of all pages stay in the cache. */
	uint64_t *ignored;
	unsigned heard; /* a sum of 1 << state, with PAGE_UNSEEN */
	uint32_t *host; /* NULL: all pages are on host 0 */
	/* What a policy asked to see (enum policy_sight); NULL if no policy did */
	struct policy_found *found;
	uint8_t *rank;    /* base/rank.h, of each page that was queued; NULL: all pages have the same */
	uint32_t *order;  /* the pages that were crawled, in their order; the rest is 0 */
	uint64_t *proven; /* a bit for each page to which a second page led before its turn; NULL: hosts have no limits */
	uint64_t *
		deferred; /* a bit for each page, which has a meaning while it is queued or in flight; NULL: none can be deferred */
};

/* Returns the number of words of bits for n pages. */
static inline size_t pages_words(uint32_t n)
{
	return ((size_t)n + 63) / 64;
}

static inline int pages_bit(const uint64_t *bits, uint32_t id)
{
	return bits[id / 64] >> id % 64 & 1;
}

/* Writes the state of a page. */
static inline void pages_set_state(struct pages *p, uint32_t id, enum page_state state)
{
	const uint64_t bit = (uint64_t)1 << id % 64, is_heard = p->heard >> state & 1;

	p->state[id] = (uint8_t)state;
	p->ignored[id / 64] = (p->ignored[id / 64] | bit) ^ is_heard << id % 64;
}

/* Returns the host of a page. */
static inline uint32_t pages_host(const struct pages *p, uint32_t id)
{
	return p->host ? p->host[id] : 0;
}

/* Says whether a page that is queued or in flight is deferred. */
static inline int pages_is_deferred(const struct pages *p, uint32_t id)
{
	return p->deferred && pages_bit(p->deferred, id);
}

/* Writes whether a page is deferred, where pages can be. */
static inline void pages_set_deferred(struct pages *p, uint32_t id, int is_deferred)
{
	const uint64_t bit = (uint64_t)1 << id % 64;

	p->deferred[id / 64] = (p->deferred[id / 64] & ~bit) | (is_deferred ? bit : 0);
}

#endif
