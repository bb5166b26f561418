/* What the slow crawl of tests/lab/slow_crawl.c remembers of hosts, pages and flights: plain arrays without queues, through which
 * it looks from end to end at every step, so that it can be compared with the frontier's queues. */
#ifndef TESTS_SLOW_CRAWL_STATE_H
#define TESTS_SLOW_CRAWL_STATE_H

#include "tests/lab/slow_crawl.h"
#include "crawler/knowledge/outages.h"

/* A host, or an address, and when it may be asked. */
struct pace {
	int64_t next, was_next;
	uint32_t in_flight;
};

struct slow_host {
	struct pace pace, own; /* `own` is the pace of its address while that is unknown */
	int64_t delay;
	uint32_t address; /* 0: unknown */
	int is_named, has_rules, has_failed, failures;
	enum { NEW, ASKED, LATER, GIVEN_UP, KNOWN } robots;
	int64_t retry_time, expires, started, end;
};

struct slow_page {
	int is_queued, is_seen, tries, has_refused, has_redirected, broken;
	uint32_t seq;
	int64_t not_before;
	double key;
};

struct slow_flight {
	int is_out;
	enum { TURNED, NAME, ROBOTS, ROBOTS_ALSO, PAGE } errand;
	int64_t time;
	uint32_t order;
	struct told told;
	int64_t pause, retry_after; /* pause: absolute; 0: none */
};

struct slow {
	const struct slow_settings *set;
	struct virtual_web web;
	struct outages *outages;
	struct slow_host host[SLOW_HOSTS];
	struct pace address[SLOW_HOSTS + 1];
	struct slow_page page[SLOW_PAGES];
	struct slow_flight flight[SLOW_PAGES]; /* by page: a page flies once at a time */
	uint32_t flying, next_seq, submitted;
	int64_t now;
};

#endif
