/* How the endless web changes: each page at random times (a Poisson process), at a rate of its host, and those without pages below
 * also come and go. What a page is like at a time depends on the seed, the page and the time only. */
#ifndef SIMWEB_ENDLESS_CHANGE_H
#define SIMWEB_ENDLESS_CHANGE_H

#include "simweb/endless_host.h"

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
