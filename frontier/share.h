/* The shares of the hosts in a crawl with a budget of pages or bytes: how much of the budget one host may take, so that a host
 * without end does not take what the others have no use for. doc/traps.md has the rule in words, with figures.
 *
 * Of a budget B and H hosts that the crawl has found, each host has a share of its own, B / H. Of the rest, R = B - B / H, any host
 * may take a tenth, and then as many pages as it has *proven*: a page is proven if a second page led to it before its turn. The
 * setting `most` is the part of the rest beyond which no host comes in any case:
 *
 *	limit = max(1,000 pages, B / H + min(most R, R / 10 + proven pages))
 *
 * In bytes a proven page counts as much as the pages of its host did on average. A host at its limit is *spent*: its pages stay
 * queued, and none is taken until the host has proven more. If the seeds that the crawl began with are all of one host, the crawl
 * is about this host, which has no limit.
 *
 *	share_init(&s, &budget);
 *	share_starts(&s, id, host);               a seed, before the first page is taken
 *	share_meets(&s, host);                    a page of the host is queued
 *	share_proves(&s, host);                   a second page leads to a queued page
 *	if (!share_is_over(&s, host, in_flight))  ... a page may be taken
 *	share_ends(&s, host, PAGE_CRAWLED, bytes);
 *
 * The limit depends on these calls alone, so a resumed crawl has the limits of an unbroken one. (The bytes are those of one
 * sitting, as those of --max-bytes.) One thread calls all functions. */
#ifndef FRONTIER_SHARE_H
#define FRONTIER_SHARE_H

#include "frontier/frontier.h"

/* One part in so many of what is beyond its own share a host may take without proof. */
#define SHARE_FREE 10

/* The pages that any host may take, so that a section of this size is crawled whole, and that a small budget is not shared. */
#define SHARE_LEAST 1000

/* `start` of struct share */
#define SHARE_NO_START   UINT32_MAX       /* there was no seed yet */
#define SHARE_MANY_START (UINT32_MAX - 1) /* the seeds are of several hosts */

struct share_host {
	uint32_t crawled, proven; /* pages */
	uint32_t ended;           /* the flights of this sitting that brought bytes */
	uint64_t bytes;           /* of this sitting */
	uint8_t is_known, is_spent;
};

struct share {
	struct frontier_budget budget;
	int is_on;             /* 0: hosts have no limits, and nothing is kept */
	struct share_host *at; /* room, by host */
	size_t room;
	uint32_t hosts; /* the hosts of which a page was queued */
	/* a page of the one host of all seeds that the crawl began with; or see above */
	uint32_t start, start_host;
};

/* Makes a struct without hosts. With a budget of nothing, or with all of it for any host, hosts have no limits. */
void share_init(struct share *, const struct frontier_budget *);

/* Frees the memory. */
void share_release(struct share *);

/* Notes a seed that the crawl begins with. */
void share_starts(struct share *, uint32_t id, uint32_t host);

/* Notes that a page redirects to another: if no page of the starting host was crawled, the crawl begins at the target's host. */
void share_redirects(struct share *, uint32_t host, uint32_t target, uint32_t target_host);

/* Notes that a page of the host is queued. */
void share_meets(struct share *, uint32_t host);

/* Notes that a page of the host is proven; the caller does so once for each page. */
void share_proves(struct share *, uint32_t host);

/* Notes the end of a flight, which brought so many bytes. */
void share_ends(struct share *, uint32_t host, enum page_state, uint64_t bytes);

/* Says whether a host with so many pages in flight may take no further page. */
int share_is_over(const struct share *, uint32_t host, uint32_t in_flight);

#endif
