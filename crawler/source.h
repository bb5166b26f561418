/* The interface of a source of pages: the network (crawler/network/net_source.h), a graph (crawler/replay/graph_source.h), or a
 * virtual web (crawler/replay/virtual_source.h). The crawl loop uses only this interface. A source belongs to one crawl; only the
 * coordinator thread calls it. The loop is, without limits and observers:
 *
 *	n = ops->room(s);                                    up to n pages are taken from the frontier:
 *	ops->submit(s, ids, n);
 *	n = ops->reap(s, &events, until, why);               their events, some time later
 *	... observers and frontier ...
 *	ops->release(s); */
#ifndef CRAWLER_SOURCE_H
#define CRAWLER_SOURCE_H

#include "base/err.h"
#include "base/outcome.h"
#include "frontier/frontier.h"
#include "storage/warc.h"
#include "traps/places.h"

#include <stdint.h>

/* What a visit of a crawled page has shown. */
enum visit {
	VISIT_NONE,
	VISIT_SAME,    /* the page has the same content as at the last visit, or is still gone, or is still redirected */
	VISIT_CHANGED, /* the page was fetched with another content, or was fetched after it had been gone or redirected */
	VISIT_GONE,    /* the page, which was there or redirected at the last visit, is gone (404, 410) */
	VISIT_MOVED,   /* a redirect leads to another page, `target` */
	VISIT_FAILED,  /* nothing: the attempt has failed, or the page is disallowed now */
	VISIT_PUT_BACK /* nothing yet: the attempt is to be repeated, at `not_before` */
};

/* The end of one attempt at a page. A comment that begins with a state or an outcome describes a field that is set only for
 * it. Times are in ms of the source's clock. */
struct event {
	uint32_t id;
	enum outcome outcome;
	enum page_state state; /* the page's state after the event */
	uint16_t status;       /* the HTTP status; 0: none */
	/* REDIRECTED: the target. REFUSED, OUTCOME_DEFERRED: the page that this one is taken for a duplicate of, or
	 * UINT32_MAX */
	uint32_t target;
	int64_t not_before;     /* QUEUED: the page must not be taken before this time */
	int64_t started, ended; /* of the request; equal if there was none */
	/* The difference between wall-clock time and the source's clock, which is not 0 after the machine has slept or a
	 * clock was set. A time that is written to a file is the source's time plus this. */
	int64_t ahead;
	int64_t host_delay;            /* the Crawl-delay of the host in ms; -1: unknown */
	int64_t host_pause;            /* the host must not be asked before this time; 0: no such time */
	uint32_t address;              /* the number of the host's address, from 1 (fetch/net_address.h); 0: unknown */
	uint64_t bytes;                /* of the body as transferred */
	uint64_t digest[2];            /* XXH3-128 of the decompressed body; 0 0: none */
	uint64_t fingerprint, simhash; /* see struct fetch_page */
	struct validators validators;  /* CRAWLED; they belong to the source until release() */
	struct warc_location archived; /* where the answer stands in the crawl's archive; path NULL: nowhere */
	int is_off_topic;              /* CRAWLED: see struct fetch_page */
	int is_scored;                 /* CRAWLED: 1 if a score command has given the page a score */
	double score;
	/* CRAWLED, and the visit of a page: the URLs of the page's requisites, each with its NUL, requisites_n bytes in all; the
	 * source's until release() */
	const char *requisites;
	size_t requisites_n;
	const struct page_about *about; /* what the page says of itself; the source's until release(); NULL: nothing */
	/* CRAWLED: the n distinct targets of the page. OUTCOME_SITEMAPS: the sitemaps that robots.txt names, which become
	 * seeds. The array belongs to the source and is valid until release(). */
	const uint32_t *links;
	const uint8_t *kinds; /* the kinds of the links with their flags (parser/html.h); NULL: all 0 */
	const char *anchors;  /* their anchor texts, each with its NUL; NULL: all are "" */
	size_t n;
	/* VISIT_NONE for a page that had not been crawled. Else the event ends an attempt to visit a crawled page again, whose
	 * state stays PAGE_CRAWLED whatever `state` says of the attempt; `links` are the pages that are new, and have no kinds. */
	enum visit visit;
	/* CRAWLED, REDIRECTED: pages that the traps have freed: a deferred page loses its deferral, and one that
	 * was skipped is queued again. The lists belong to the source until release(); NULL: none */
	const struct places_freed *freed;
};

struct source {
	const struct source_ops *ops;
};

struct source_ops {
	const char *name;
	/* Fills in the functions by which the frontier asks for hosts, links, URLs, scores and anchor texts
	 * (frontier/frontier.h). */
	void (*world)(struct source *, struct frontier_world *);
	/* Returns how many more pages may be submitted now. */
	size_t (*room)(struct source *);
	/* Submits n pages, at most room(). Each of them gets exactly one event. */
	void (*submit)(struct source *, const uint32_t *ids, size_t n);
	/* Waits for events until the time `until` (FRONTIER_NEVER: without a limit). Returns the number of *events, in the
	 * order in which they happened; 0 at that time; or a negative error. The events belong to the source until
	 * release(). The source may keep some events for the next call. The caller has pages in flight, or a limit. */
	int (*reap)(struct source *, const struct event **events, int64_t until, struct err_note *why);
	/* Takes back the events of the last reap() and all memory that they point to. */
	void (*release)(struct source *);
	/* Returns the time of the source's clock in ms, which may be a simulated one. */
	int64_t (*now)(struct source *);
	/* Ends the pages in flight soon: they come as PAGE_QUEUED with OUTCOME_ABORTED. May be NULL. */
	void (*abort)(struct source *);
	/* Hints that these pages may be submitted soon, the first one first. May be NULL. */
	void (*prefetch)(struct source *, const uint32_t *ids, size_t n);
	/* Says whether the source gives no more pages in this sitting. NULL: it always does. */
	int (*is_over)(struct source *);
	/* Returns the number of hosts that have stopped answering, and that the source tries again from time to time. NULL:
	 * hosts always answer. */
	uint64_t (*silent_hosts)(const struct source *);
	/* Frees the source. */
	void (*close)(struct source *);
};

#endif
