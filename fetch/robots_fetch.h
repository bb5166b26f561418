/* Fetches the robots.txt of an origin: makes the request, follows its redirects, and tells the pages that wait for it how it
 * ended.
 *
 *     robots_fetch_ask(w, origin, job);                  UNKNOWN -> ASKED; the job waits
 *     robots_fetch_done(w, transfer, result, end);       ASKED -> KNOWN, UNKNOWN, LATER or GIVEN_UP
 *
 * The standings of an origin (enum origin_standing):
 *
 *     UNKNOWN -- robots_fetch_ask() --> ASKED
 *     ASKED   -- 2xx; 4xx other than 429; a redirect that leads nowhere --> KNOWN
 *     ASKED   -- a redirect, whose target becomes `next` --> UNKNOWN, with hops + 1
 *     ASKED   -- 429, 5xx, no answer --> LATER, or GIVEN_UP after `tries` such failures in a row
 *     LATER   -- at retry_time --> UNKNOWN
 *     KNOWN, GIVEN_UP  -- at `expires` (a day; ten minutes or ten seconds) --> UNKNOWN
 *
 * Each transition out of ASKED puts all waiting pages back, with the status and times of the request, so that the request
 * counts for the politeness of their host. The frontier takes them again, and the first one that comes makes the next
 * request. */
#ifndef FETCH_ROBOTS_FETCH_H
#define FETCH_ROBOTS_FETCH_H

#include "fetch/worker.h"

/* Says whether the robots.txt of a URL's host is ignored: by the settings of the host, or else by those of the crawl. */
int robots_fetch_is_ignored(const struct worker *w, const struct url *u);

/* Requests the robots.txt of an origin that is UNKNOWN, for a job whose page needs it. The URL is /robots.txt of w->url's origin,
 * without user and password, or origin->next. The function takes over the job, which then is in one of these states: it waits for
 * robots.txt; it waits for its host's name; it was put back with the address that is to be granted; or it has ended with the reason
 * why the host cannot be asked. */
void robots_fetch_ask(struct worker *w, struct origin *o, struct job *job);

enum robots_fetch_end {
	ROBOTS_FETCH_ENDED,
	ROBOTS_FETCH_UNCONNECTED /* there was no connection, and the host has another address */
};

/* Handles the end of a transfer of a robots.txt. If `end` is UNCONNECTED, the waiting jobs begin again, with the next
 * address; else the origin's standing changes as drawn above. */
void robots_fetch_done(struct worker *w, struct transfer *t, CURLcode result, enum robots_fetch_end end);

/* Returns the outcome with which a page is put back while the robots.txt of its origin is not known: OUTCOME_ROBOTS_WAIT;
 * or, if no redirect was followed and the last request failed without an answer, OUTCOME_ROBOTS_DNS, OUTCOME_ROBOTS_CONNECT
 * or OUTCOME_ROBOTS_TIMEOUT. */
enum outcome robots_fetch_waits(const struct origin *o);

#endif
