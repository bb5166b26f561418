/* The hosts and the servers that they are at: which host may be asked now, and which of those has the
 * best page. A host is known by its number and its standing, the (key, seq) of its best queued page;
 * the pages themselves are kept elsewhere (frontier/queue.h).
 *
 *	hosts_need(&hosts, h);                  host h exists
 *	hosts_stand(&hosts, h, &best);          it has pages queued, of which `best` is the first
 *	hosts_wake(&hosts, now);                the hosts whose rest has ended are ready again
 *	if (hosts.ready.n)                      hosts.ready.at[0].id is the host to ask:
 *		hosts_take(&hosts, h, 1, &next);    one of its pages is in flight, `next` is its best now
 *	hosts_back(&hosts, h, took, 0, now);    the page is back; the host and its server rest
 *
 * A server is what stands at one address, be it one host or a hundred thousand names. Its hosts share
 * the number of requests in flight there and the time of the next. Every host has a server: its own
 * until its address is known, from then on the server of that address. So a host is asked where both
 * it and its server may be; the server keeps the politeness that an address is owed, the host what the
 * host itself has asked for (Crawl-delay, Retry-After).
 *
 * Where a host stands (enum host_where):
 *
 *             its rest ends                 it is the best host of its server
 *   WAITING -----------------> BEHIND ------------------------------------------> READY
 *      ^                         |  <--------------------------------------------   |
 *      |  a rest begins          |     another is better, or the server rests       |
 *      +-------------------------+--------------------------------------------------+
 *   IDLE: nothing is queued, or as many of its pages are in flight as may be
 *
 * The ready heap holds one host of a server at most, the others stand behind it in a heap of the
 * server's own. So a busy server takes one host out of the ready heap, however many it has, and a page
 * costs no more with many names on a server than with one on each.
 *
 *  S1 a host HOST_BEHIND is in its server's heap; a host HOST_READY is its server's `best`.
 *  S2 a server has a `best` if and only if it may be asked and one of its hosts may.
 *  S3 a server is in the heap of resting servers if and only if hosts stand behind it, fewer
 *     requests than may be are in flight there, and its time has not come.
 *  S4 a host's own server may be asked whenever the host may; no other host is behind it. */
#ifndef FRONTIER_HOSTS_H
#define FRONTIER_HOSTS_H

#include "base/rng.h"
#include "frontier/heap.h"

#define HOSTS_NONE UINT32_MAX

/* The politeness that every host and server is shown. */
struct politeness {
	int64_t delay;      /* ms between two requests */
	uint32_t in_flight; /* requests at once; >= 1 */
	double slow_factor; /* see struct frontier_settings */
	double jitter;      /* likewise */
	struct rng rng;     /* the stream of the jitter */
};

/* When a host or a server may be asked. */
struct pace {
	int64_t next;       /* no request before this time */
	int64_t was_next;   /* `next` as it would be if the page last taken had not been */
	uint32_t in_flight; /* requests */
};

struct server {
	struct pace pace;
	uint32_t best;      /* the host that is ready for it, or HOSTS_NONE */
	uint32_t place;     /* its place in the heap of resting servers, or HOSTS_NONE */
	struct heap behind; /* its other hosts that may be asked, by their standings */
};

enum host_where { HOST_IDLE, HOST_WAITING, HOST_BEHIND, HOST_READY };

struct host {
	struct pace pace;
	int64_t delay;         /* ms between two requests: the one for all, or what it asks for */
	struct entry standing; /* of the host among others; of no meaning while it has no pages */
	uint32_t address;      /* the number of its address; 0: not known */
	uint32_t place;        /* in the heap where it stands */
	uint8_t where;         /* enum host_where */
	uint8_t has_pages;
	struct server own; /* as long as its address is not known */
};

struct hosts {
	struct host *at; /* n */
	size_t n, room;
	struct server *servers; /* n_servers, by address; there is no address 0 */
	size_t n_servers, servers_room;
	struct heap ready;   /* hosts, by their standings */
	struct heap waiting; /* hosts, by time */
	struct heap resting; /* servers, by time */
	uint64_t behind;     /* hosts behind any server */
	int64_t now;         /* the latest time that was told */
	struct politeness politeness;
};

void hosts_init(struct hosts *, const struct politeness *);
void hosts_release(struct hosts *);

/* Makes the hosts up to this number exist. */
void hosts_need(struct hosts *, uint32_t host);

/* Tells the standing of a host: (key, seq) of its best page, NULL if no page of it is queued. */
void hosts_stand(struct hosts *, uint32_t host, const struct entry *best);

/* Moves the clock to `now`, unless it is later already, and makes ready what has rested till then. */
void hosts_wake(struct hosts *, int64_t now);

/* Says whether a host and its server may be asked. */
int hosts_may_ask(const struct hosts *, uint32_t host);

/* Counts n pages of a host as in flight, whose requests begin now; `best` is what is left of its
 * pages, as for hosts_stand(). Where requests are a delay apart, n is 1. */
void hosts_take(struct hosts *, uint32_t host, uint32_t n, const struct entry *best);

/* Counts a page as in flight whose request began long ago: it starts no rest. */
void hosts_retake(struct hosts *, uint32_t host);

/* Ends the flight of a page at `now`, after a request that took so many ms; `hung` are the ms of a request
 * that was never answered: they slow down this host alone, not the others of its server. */
void hosts_back(struct hosts *, uint32_t host, int64_t took, int64_t hung, int64_t now);

/* Ends the flight of a page for which nothing was asked: its host may be asked as if it had not been taken. */
void hosts_back_unasked(struct hosts *, uint32_t host, int64_t now);

/* Sets the ms between two requests to a host; less than all are shown is not given. */
void hosts_delay(struct hosts *, uint32_t host, int64_t delay);

/* Makes a host rest until `time` at least. */
void hosts_pause(struct hosts *, uint32_t host, int64_t time);

/* Moves a host to the server at the address of this number, from 1. */
void hosts_move(struct hosts *, uint32_t host, uint32_t address);

/* Returns the time when the first host or server has rested, INFINITY if none rests. */
double hosts_next_time(const struct hosts *);

#endif
