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

/* A job needs the robots.txt of an origin that is UNKNOWN: of the origin of w->url, without its user and
 * password, or of where the last one was redirected to. The job waits for it, or until its host's name
 * has been resolved, or is handed back: with the address to be granted first, or with why the host cannot
 * be asked. */
void robots_fetch_ask(struct worker *w, struct origin *o, struct job *job);

enum robots_fetch_end { ROBOTS_FETCH_ENDED, ROBOTS_FETCH_UNCONNECTED };

/* A transfer of a robots.txt has ended; UNCONNECTED: its host has another address to be tried, and the jobs
 * that wait begin anew. */
void robots_fetch_done(
	struct worker *w, struct transfer *t, CURLcode result, enum robots_fetch_end end);

#endif
