/* The virtual web: how a web behaves that exists in numbers only. It says how long each request takes, what answer it
 * gets, and which hosts are out of order when. Everything is drawn from a seed and the number of a host or a page, so
 * every run meets the same web, whatever the order of its requests.
 *
 *	virtual_web_init(&web, &settings, hosts);
 *	if (virtual_web_answers(&web, host, now))            the host is not in an outage
 *		ms = virtual_web_ms(&web, host, virtual_web_bytes(&web, page));
 *	virtual_web_release(&web);
 *
 * A distribution is log-normal: half of all hosts (or pages) have less than the median, and two thirds of them lie
 * between median / e^spread and median * e^spread. Times are in ms of the caller's clock, which begins at 0. One thread
 * uses a struct virtual_web; many may share the settings. */
#ifndef SIMWEB_VIRTUAL_WEB_H
#define SIMWEB_VIRTUAL_WEB_H

#include "base/rng.h"
#include "simweb/fault.h"

#include <stdint.h>

struct spread {
	double median;
	double spread; /* the standard deviation of the logarithm; 0: all are the median */
};

struct virtual_web_settings {
	uint64_t seed;           /* of all draws but those of the faults, which have a seed of their own */
	struct spread latency;   /* ms from a request to the first byte of its answer, by host */
	struct spread bandwidth; /* bytes a second, by host; a median of 0: no limit */
	struct spread size;      /* bytes of a page as transferred, by page */
	const uint64_t *bytes;   /* the bytes of each page, in place of `size`; borrowed; NULL: unknown */
	uint32_t addresses;      /* the hosts share so many addresses in turn; 0: each host has its own */
	double crawl_delay;      /* the share of the hosts whose robots.txt has a Crawl-delay */
	int64_t crawl_delay_ms;
	double disallow;   /* the share of the pages that robots.txt disallows */
	double dead;       /* the share of the hosts that never answer */
	double outage;     /* the share of its time that any other host is in an outage */
	int64_t outage_ms; /* the mean length of an outage; outages and the times between are exponential */
	int is_busy;       /* 1: in an outage a host answers pages with 503; 0: it does not answer */
	struct fault_settings faults;
};

struct virtual_host {
	double latency;
	double ms_per_byte;
	int64_t turn;   /* when the present outage ends, or the next one begins */
	struct rng rng; /* of the lengths of its outages */
	int is_silent;
};

struct virtual_web {
	const struct virtual_web_settings *set;
	struct virtual_host *host;
};

/* Prepares a web of so many hosts. The settings must outlive it. */
void virtual_web_init(struct virtual_web *, const struct virtual_web_settings *, uint32_t hosts);

/* Frees the memory. */
void virtual_web_release(struct virtual_web *);

/* Returns the address of a host, from 1. */
uint32_t virtual_web_address(const struct virtual_web *, uint32_t host);

/* Says whether a host serves requests that begin at `now`. For one host, `now` must not go back. */
int virtual_web_answers(struct virtual_web *, uint32_t host, int64_t now);

/* Returns the Crawl-delay of a host in ms, or -1 if its robots.txt has none. */
int64_t virtual_web_crawl_delay(const struct virtual_web *, uint32_t host);

/* Says whether the robots.txt of its host disallows a page. */
int virtual_web_disallows(const struct virtual_web *, uint32_t page);

/* Returns the bytes of a page as transferred. */
uint64_t virtual_web_bytes(const struct virtual_web *, uint32_t page);

/* Returns the ms that a request to a host takes whose answer has so many bytes, rounded down. */
int64_t virtual_web_ms(const struct virtual_web *, uint32_t host, uint64_t bytes);

#endif
