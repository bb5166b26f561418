/* A source of pages in virtual time: a discrete-event simulation of the network. The pages are the nodes of a graph in
 * memory, the web around them is virtual (simweb/virtual_web.h), and the clock jumps from event to event, so a week takes
 * as long as its events take to compute. The frontier, the crawl loop, and the rules of politeness, retries and outages
 * are those of a live crawl.
 *
 *	struct source *s = virtual_source_new(&(struct virtual_source_settings){.world = {.g = graph},
 *		.hosts = 1, .web = &web, .parallel = 16, .tries = 3, .timeout_ms = 60000, .give_up_ms = OUTAGE_GIVE_UP_MS});
 *	... crawl_run() ...                                  ops->now() is the virtual time, from 0
 *	s->ops->close(s);
 *
 * A flight of a page is one event in a queue that is ordered by (time, order of submission):
 *
 *   submit(page at `now`), the first row that applies       its event comes                 outcome
 *     the host's address backs off                          now                             BACK_OFF
 *     the host's name is not resolved yet                   after the host's latency        ADDRESS
 *     its robots.txt is not known                           after the host's latency        ROBOTS_WAIT
 *       ... and is being fetched for another page           when this request ends          ROBOTS_WAIT
 *       ... and is not to be requested again yet            now                             ROBOTS_WAIT ...
 *       ... and was requested too often                     now                             CONNECT
 *     its robots.txt disallows the page                     now                             ROBOTS
 *     else the page is requested                            after latency + bytes / rate    CRAWLED, STATUS ...
 *
 * The page is put back into the queue, as in a live crawl, by the first four rows but the one that fails it. A host in an
 * outage refuses connections after its latency; what follows is the affair of crawler/knowledge/outages.h. A request that would
 * take longer than the time limit ends there, as OUTCOME_TIMEOUT. robots.txt is valid for a day, and a Crawl-delay is kept
 * up to ROBOTS_MAX_DELAY_MS.
 *
 * A page with FAULT_REDIRECT redirects to itself under another URL of the same host. In a live crawl the target takes over
 * the key, the seq and the private bytes of the page, and all links to the page lead to the target. So here the page
 * itself is queued again (OUTCOME_REDIRECTED with PAGE_QUEUED), and answers the next request.
 *
 * If the web changes, a page is answered as it is when the request for it begins: with the links that it has then, or with 404
 * if it is not there. What policies see of a crawled page are these links. */
#ifndef LAB_REPLAY_VIRTUAL_SOURCE_H
#define LAB_REPLAY_VIRTUAL_SOURCE_H

#include "lab/replay/graph_source.h"
#include "simweb/changing.h"
#include "simweb/virtual_web.h"

struct virtual_source_settings {
	struct graph_world world;
	uint32_t hosts; /* >= 1; those of world.host are below */
	const struct virtual_web_settings *web;
	const struct changing *changing; /* what the pages are like at a time; NULL: as in world.g, at all times */
	int64_t clock_ms;                /* with `changing`: the time since 1970 at which the crawl begins */
	uint32_t parallel;               /* the most requests at once, >= 1 */
	unsigned tries;                  /* the most tries of a page, 1 to FETCH_MAX_TRIES */
	int64_t timeout_ms;              /* the time limit of a request for a page; 0: none */
	int64_t give_up_ms;              /* of outages_new() */
};

/* Returns a source. The settings are copied; all that they point to must outlive the source, which ops->close frees. It takes 2
 * bytes for each page, about 72 for each host, and 64 for each request at once; and if the web changes, 8 bytes more for each page,
 * and 4 for each page crawled and each of its links. */
struct source *virtual_source_new(const struct virtual_source_settings *);

#endif
