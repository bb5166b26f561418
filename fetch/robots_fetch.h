/* Fetching an origin's robots.txt: the request, its redirects, and what its end means for the pages that
 * wait for it.
 *
 *     robots_fetch_ask(w, origin, job)       UNKNOWN -> ASKED; pages of the origin wait
 *     robots_fetch_done(w, transfer, result) ASKED -> KNOWN, LATER or GIVEN_UP; they come back
 *
 *            +--------------- a day later ---------------------------------+
 *            v                                                             |
 *         UNKNOWN --ask--> ASKED --2xx, other 4xx, lost redirect--> KNOWN -+
 *            ^               |
 *            |               +--redirect: `next` is where it leads--> UNKNOWN (hops + 1)
 *            |               +--429, 5xx, no answer--> LATER --retry_time--> UNKNOWN
 *            |               +--so often as a page would be asked--> GIVEN_UP
 *            +--------------- ten minutes later --------------------------+
 *
 * Each arrow out of ASKED hands all the pages that wait back, so that the request ticks their host's
 * clock and the frontier takes them again; the next one taken makes the next request. */
#ifndef FETCH_ROBOTS_FETCH_H
#define FETCH_ROBOTS_FETCH_H

#include "fetch/worker.h"

/* Starts the request for the robots.txt of an origin that is UNKNOWN: of the origin of w->url, without
 * its user and password, or of where the last one was redirected to. 0, or -1 where the host is so long
 * that no URL can be made. */
int robots_fetch_ask(struct worker *w, struct origin *o, const struct job *job) MUST_USE;

/* A transfer of a robots.txt has ended. */
void robots_fetch_done(struct worker *w, struct transfer *t, CURLcode result);

#endif
