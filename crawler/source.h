/* Where pages come from. The network is one source, a graph another; the loop cannot tell them
 * apart. A source belongs to one crawl and is called by the coordinator alone. */
#ifndef CRAWLER_SOURCE_H
#define CRAWLER_SOURCE_H

#include "base/err.h"
#include "base/outcome.h"
#include "frontier/frontier.h"
#include "traps/places.h"

#include <stdint.h>

struct event {
	uint32_t id;
	enum outcome outcome;
	enum page_state state;  /* that it leaves the page in; QUEUED: it is tried again */
	uint16_t status;        /* HTTP, 0 for none */
	uint32_t target;        /* REDIRECTED; REFUSED or put off: the page that it is taken for a
				   duplicate of, UINT32_MAX for none in particular */
	int64_t not_before;     /* QUEUED: ms */
	int64_t started, ended; /* ms; of the request, equal where none was made */
	int64_t ahead; /* ms by which the wall's clock is ahead of the source's: times that are written
			  down are the source's and this. Not 0 after the machine slept, or a clock
			  was set */
	int64_t host_delay; /* ms the host asks for between requests (Crawl-delay), -1: says nothing */
	int64_t host_pause; /* the host is not to be asked before, ms; 0: says nothing */
	uint32_t address;   /* the number of the address where the host is, from 1; 0: not told */
	uint64_t bytes;     /* of the body as it came over the wire */
	uint64_t digest[2]; /* XXH3-128 of the unpacked body; 0 0 for none */
	uint64_t fingerprint, simhash;       /* see struct fetch_page */
	struct validators validators; /* CRAWLED; the source's until release */
	const uint32_t *links;        /* CRAWLED: n distinct ids, the source's until release;
				  OUTCOME_SITEMAPS: seeds that robots.txt has named */
	const uint8_t *kinds;         /* n link kinds with flags (parser/html.h), NULL: all plain */
	size_t n;
	/* CRAWLED, REDIRECTED: pages that were put off or skipped, which are to be queued as any other now; the
	 * source's until release; NULL: none */
	const struct places_freed *freed;
};

struct source {
	const struct source_ops *ops;
};

struct source_ops {
	const char *name;
	/* What the frontier of this crawl asks. */
	void (*world)(struct source *, struct frontier_world *);
	/* How many more pages may be submitted now. */
	size_t (*room)(struct source *);
	void (*submit)(struct source *, const uint32_t *ids, size_t n);
	/* Waits for events, at most until `until` (FRONTIER_NEVER: for ever): how many, in the order
	 * in which they happened, into *events, which are the source's until release; 0 where the
	 * time has come; or an error. A source need not give all it has at once. Only one with
	 * pages in flight, or a time to wait for, is asked. */
	int (*reap)(
		struct source *, const struct event **events, int64_t until, struct err_note *why);
	/* Takes back the events of the last reap and what they point to. */
	void (*release)(struct source *);
	/* ms; virtual where time is simulated. */
	int64_t (*now)(struct source *);
	/* Finish fast: what is in flight is queued again, OUTCOME_ABORTED. May be NULL. */
	void (*abort)(struct source *);
	/* Hint: the first of these may be submitted soon, the others after it. May be NULL. */
	void (*prefetch)(struct source *, const uint32_t *ids, size_t n);
	/* Whether the source gives nothing more in this sitting, however much is queued. NULL: it does. */
	int (*is_over)(struct source *);
	void (*close)(struct source *);
};

#endif
