/* A web that changes: what the pages of a graph are like at a time. Its pages are the nodes of the graph. A page is there or not,
 * and has other links, or another content, in each version.
 *
 *	struct changing *web = changing_by_rate(&graph, names.host, 24, seed);
 *	struct changing_look look = {.links = NULL};
 *	changing_see(web, u, now, &look);                   look.links[look.n] are the links of page u at the time `now`
 *	changing_look_release(&look);
 *	changing_graph(web, now, &then);                    the whole web at that time
 *	changing_free(web);
 *
 * Times are in s, from 0 to 10^12. There are three kinds of changing webs, which the three functions below make. All of them are
 * functions of the time, so a page can be asked for at any times in any order, and the server (simweb/serve.h) and a crawl in
 * virtual time (lab/replay/virtual_source.h) see the same pages. Threads may share a struct changing, each with a look of its
 * own. */
#ifndef SIMWEB_CHANGING_H
#define SIMWEB_CHANGING_H

#include "graph/graph.h"
#include "simweb/endless_graph.h"

#include <stddef.h>

/* A page at a time. */
struct changing_look {
	const uint32_t *links; /* distinct, ascending; valid until the next look, and as long as the web */
	uint32_t n;
	uint64_t version; /* a number of the version; it differs between versions with different links or content */
	int64_t modified; /* when this version came, in s; 0: unknown */
	int is_there;     /* 0: the page does not exist at this time; then it has no links */
	uint32_t *own;    /* the memory of `links`, or NULL */
	size_t room;
};

struct changing {
	uint32_t pages;
	void (*see)(const struct changing *, uint32_t page, int64_t now, struct changing_look *);
	void (*release)(struct changing *);
};

/* Makes the pages of a graph change. A page of the median host changes `rate` > 0 times a day, as simweb/page_change.h says, and
 * pages without links also come and go. A share ENDLESS_FRESH of the links of the other pages is fickle: such a link is on the page
 * in half of the versions. `host` has the host of each page; NULL: all pages are of one host. Graph and hosts are borrowed. */
struct changing *changing_by_rate(const struct graph *, const uint32_t *host, double rate, uint64_t seed);

/* Makes a part of an endless web change as the served web does (simweb/page_change.h), at `rate` in place of the web's own
 * `changes`. Links that lead out of the part are left out. The part is borrowed. */
struct changing *changing_endless(const struct endless_part *, double rate);

/* Makes a web of n >= 1 graphs of the same nodes, which it takes over: snapshot[i] is the web from time i * seconds on, and the
 * last one stays. seconds >= 1. A page that has no links and that none leads to in a snapshot is not there. */
struct changing *changing_series(struct graph *snapshot, size_t n, int64_t seconds);

void changing_free(struct changing *);

/* Looks at a page at a time. The look is zeroed or was used before. */
void changing_see(const struct changing *, uint32_t page, int64_t now, struct changing_look *);
void changing_look_release(struct changing_look *);

/* Makes the graph of the web at a time. Links to pages that are not there are left out. The caller releases it. */
void changing_graph(const struct changing *, int64_t now, struct graph *out);

#endif
