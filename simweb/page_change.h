/* When the pages of a changing web change: each at random times (a Poisson process) at a rate of its host, and some of them come
 * and go. What a page is like at a time is a function of a seed, the host, the page and the time, so that a server and a crawl in
 * virtual time see the same web without being told.
 *
 *	const double pace = page_change_pace(seed, host, 24);
 *	const struct page_change c = page_change_at(seed, host, page, pace, now);
 *	if (!c.is_away || !may_be_away) ... the page has its version c.version ...
 *
 * The last functions here apply it to the endless web, simweb/changing.h to any graph. */
#ifndef SIMWEB_PAGE_CHANGE_H
#define SIMWEB_PAGE_CHANGE_H

#include "simweb/endless_host.h"

#include <stdint.h>

struct page_change {
	uint64_t version; /* the number of the page's version, which each change makes another one; never 0 */
	int64_t modified; /* when this version came, in s */
	int is_away;      /* 1: a page that comes and goes is not there now */
};

/* Returns the changes of a page of this host a day: log-normal over the hosts, with this median. */
double page_change_pace(uint64_t seed, uint64_t host, double median);

/* Tells the state of a page that has `pace` > 0 changes a day at a time in s since 1970, from 0 to 10^12. */
struct page_change page_change_at(uint64_t seed, uint64_t host, uint32_t page, double pace, int64_t now);

/* --- How the endless web changes: each page at random times (a Poisson process), at a rate of its host, and those without pages
 * below also come and go. What a page is like at a time depends on the seed, the page and the time only. */

struct endless_state {
	uint64_t version; /* the number of the page's version, which each change makes another one; 0 if the web never changes */
	int64_t modified; /* when this version came, in s; 0 if the web never changes, or the host does not say */
	int is_there;     /* 0: the page is gone, for a time */
};

/* Returns the changes of a page of this host a day: log-normal, with the median `changes` of the settings. */
double endless_pace(const struct endless *, const struct endless_host *);

/* Tells the state of a page at a time in s since 1970, from 0 to 10^12. */
struct endless_state endless_state(const struct endless *, const struct endless_host *, uint32_t page, int64_t now);

#endif
