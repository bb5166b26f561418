/* A second simulator of a crawl in virtual time, for tests: the rules of frontier/hosts.h, lab/replay/virtual_source.h and
 * the policies bfs and backlink, written down as plainly as possible. It has no heaps: every page taken and every event
 * is found by looking at all of them. */
#ifndef TESTS_SLOW_CRAWL_H
#define TESTS_SLOW_CRAWL_H

#include "lab/replay/virtual_source.h"

#define SLOW_PAGES  200
#define SLOW_HOSTS  40
#define SLOW_EVENTS 4000

/* An event, as both simulators tell it. */
struct told {
	uint32_t id;
	unsigned outcome, state, status;
	int64_t started, ended;
};

struct slow_settings {
	const struct graph *g; /* up to SLOW_PAGES nodes */
	const uint32_t *host;  /* below `hosts` */
	uint32_t hosts;        /* up to SLOW_HOSTS */
	/* The web of each of n_months >= 1 spans of month_ms, in place of g; NULL: nothing changes */
	const struct graph *month;
	size_t n_months;
	int64_t month_ms;
	const struct virtual_web_settings *web;
	uint32_t parallel, per_host;
	unsigned tries;
	int64_t timeout_ms, give_up_ms, delay_ms;
	double slow_factor;
	int by_backlinks; /* 1: the policy backlink; 0: bfs */
	const uint32_t *seeds;
	size_t n_seeds;
};

/* Crawls, and writes the events into told[SLOW_EVENTS]. Returns their number. */
size_t slow_crawl(const struct slow_settings *, struct told *told);

#endif
