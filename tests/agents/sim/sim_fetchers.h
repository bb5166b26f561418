/* Fetchers without a network, in the virtual time of tests/agents/sim/sim_time.h: a program that links sim_fetchers.c has these in
 * place of the fetchers of fetch/fetch.c. They answer from a web that is drawn: host I is http://hI.test/, its pages are /0, /1
 * ..., and some are not found. Each request is noted, with the times at which its server sees it, for sim_web_check(). */
#ifndef TESTS_AGENTS_SIM_FETCHERS_H
#define TESTS_AGENTS_SIM_FETCHERS_H

#include <stddef.h>
#include <stdint.h>

struct sim_web {
	uint64_t seed;
	unsigned hosts, pages; /* of each host */
	unsigned links;        /* of each page */
	unsigned addresses;    /* that the hosts share */
	int64_t latency;       /* of an answer, at most, in ms */
};

/* Sets the web of all fetchers, and forgets all requests. sim_web_end() frees their list. */
void sim_web_begin(const struct sim_web *);
void sim_web_end(void);

/* Computes which pages a crawl from page 0 of each of the first `seeds` hosts reaches. has[host * pages + page] becomes 1 for each.
 * Returns their number. */
size_t sim_web_reach(unsigned seeds, uint8_t *has);

/* Says whether a page is found. */
int sim_web_is_found(unsigned host, unsigned page);

/* The requests so far: their number; those for pages that had been asked for before; and pairs of requests at one host, or at one
 * address, of which the second began before the first had ended, or less than `delay` ms after it. */
struct sim_audit {
	size_t requests, again, at_once, too_soon;
};
struct sim_audit sim_web_audit(int64_t delay);

#endif
