/* Politeness: which hosts may be asked now, and which of them has the best page. This file knows a host by its
 * number and by its standing, which is the (key, seq) of its best queued page; frontier/queue.h has the pages.
 *
 *	hosts_need(&hosts, h);                  host h exists
 *	hosts_stand(&hosts, h, &best);          host h has queued pages; its best page has the entry `best`
 *	hosts_wake(&hosts, now);                hosts whose rest has ended become ready
 *	if (hosts.ready.n)                      hosts.ready.at[0].id is the host to ask:
 *		hosts_take(&hosts, h, 1, &next);    its best page is in flight; `next` is the best remaining page
 *	hosts_back(&hosts, h, took, 0, now);    the request has ended; host and server rest
 *
 * A server stands for one IP address; it may have one host or a hundred thousand host names. The hosts of a
 * server share its limit of requests in flight and its delay between requests. As long as the address of a host
 * is unknown, the host has no server, and shares nothing. A host may be asked if both the host and its server may be asked:
 * the server keeps the delay that every address gets, and the host also keeps its Crawl-delay and Retry-After.
 *
 * The states of a host (enum host_where):
 *
 *               its rest ends       it is the best host of a server that may be asked
 *   WAITING -----------------> BEHIND ------------------------------------------> READY
 *      ^                         |  <--------------------------------------------   |
 *      |  a rest begins          |   another host is better, or the server rests    |
 *      +-------------------------+--------------------------------------------------+
 *   any <--> IDLE: no page of the host is queued, its limit of pages in flight is reached, or it is held or spent
 *
 * The ready heap has at most one host of each server. The other hosts that may be asked are behind the server,
 * in a heap that belongs to the server. So a server that begins to rest removes one host from the ready heap,
 * however many hosts it has, and the cost of a page does not grow with the number of hosts of a server.
 *
 *  S1 a host that is HOST_BEHIND is in its server's heap `behind`; a host that is HOST_READY is its server's
 *     `best`.
 *  S2 a server has a `best` if and only if the server and at least one of its hosts may be asked.
 *  S3 a server is in the heap of resting servers if and only if at least one host is behind it, its requests
 *     in flight are below the limit, and its time `next` has not come.
 *  S4 a host without a server is HOST_READY whenever it may be asked, and never HOST_BEHIND.
 *
 * Times are in ms of the caller's clock. One thread calls all functions. */
#ifndef FRONTIER_HOSTS_H
#define FRONTIER_HOSTS_H

#include "base/map.h"
#include "base/rng.h"
#include "frontier/heap.h"

#include <assert.h>

#define HOSTS_NONE UINT32_MAX

/* The politeness settings of all hosts and servers; hosts_set_manners() gives a host values of its own. */
struct politeness {
	int64_t delay;      /* ms between two requests */
	uint32_t in_flight; /* the most requests at once; >= 1 */
	double slow_factor; /* see struct frontier_settings */
	double jitter;      /* see struct frontier_settings */
	struct rng rng;     /* the random numbers of the jitter */
};

/* When a host or a server may be asked. */
struct pace {
	int64_t next;       /* no request begins before this time */
	int64_t was_next;   /* the value that `next` returns to if the page taken last leads to no request */
	uint32_t in_flight; /* the number of requests in flight */
	uint32_t most;      /* the most requests at once; a server has the greatest limit of its hosts */
};

/* The manners of a host that differ from the crawl's politeness: frontier/frontier.h. */
struct frontier_manners;

struct server {
	struct pace pace;
	uint32_t best;       /* the host of this server that is in the ready heap, or HOSTS_NONE */
	uint32_t rest_index; /* its index in the heap of resting servers, or HOSTS_NONE */
	struct heap behind;  /* its other hosts that may be asked, by their standings */
};

enum host_where { HOST_IDLE, HOST_WAITING, HOST_BEHIND, HOST_READY };

struct host {
	struct pace pace;
	int64_t delay;         /* its Crawl-delay in ms, which counts where it is longer than the politeness delay; 0: none */
	struct entry standing; /* (key, seq) of its best page, and the host's number; no meaning without pages */
	uint32_t address;      /* the number of its address; 0: unknown, the host has no server */
	uint8_t where;         /* enum host_where */
	uint8_t has_pages;     /* 1: a page of the host is queued */
	uint8_t is_held;       /* 1: see hosts_hold() */
	uint8_t is_spent;      /* 1: see hosts_spend() */
	uint8_t has_manners;   /* 1: see hosts_set_manners() */
};

struct hosts {
	struct host *at; /* n, by host */
	/* n, by host: its index in the heap that `where` names. The indexes of many hosts change each time that one moves, so
	 * they lie together. */
	uint32_t *index;
	size_t n, room;
	struct server *servers; /* n_servers, by address; servers[0] is not used */
	size_t n_servers, servers_room;
	struct heap ready;   /* hosts, by their standings */
	struct heap waiting; /* hosts, by the end of their rest */
	struct heap resting; /* servers, by the end of their rest */
	uint64_t behind;     /* the number of hosts behind all servers */
	int64_t now;         /* the latest time that a call has passed */
	struct politeness politeness;
	uint32_t *held; /* n_held: the hosts that are held, in no order */
	size_t n_held, held_room;
	struct map manners; /* the delays of the hosts that have manners of their own */
};

/* Makes a struct with host 0. The politeness holds for every host without manners of its own. */
void hosts_init(struct hosts *, const struct politeness *);

/* Frees the memory. */
void hosts_release(struct hosts *);

/* Makes all hosts with numbers up to `host` exist. */
void hosts_need(struct hosts *, uint32_t host);

/* Sets the standing of a host: the (key, seq) of its best queued page, or NULL if it has no queued page. */
void hosts_stand(struct hosts *, uint32_t host, const struct entry *best);

/* Moves the clock forward to `now` (never back), and ends the rests that are over by then. */
void hosts_wake(struct hosts *, int64_t now);

/* Returns the server of a host, or NULL if it has none. */
static inline struct server *hosts_server(const struct hosts *all, const struct host *h)
{
	return h->address ? &all->servers[h->address] : NULL;
}

/* Returns the time at which the rests of a host and of its server are over; it may have passed. */
static inline int64_t hosts_rest_end(const struct hosts *all, const struct host *h)
{
	const struct server *s = hosts_server(all, h);

	return s && s->pace.next > h->pace.next ? s->pace.next : h->pace.next;
}

/* Says whether both a host and its server may be asked at the clock's time. */
int hosts_may_ask(const struct hosts *, uint32_t host);

/* Counts n pages of a host as in flight, with requests that begin now; `best` is its best remaining page, as for
 * hosts_stand(). n is 1 if there is a delay between requests. */
void hosts_take(struct hosts *, uint32_t host, uint32_t n, const struct entry *best);

/* Counts a page as in flight in a restore from a log. The page was taken in the past, so no rest begins. */
void hosts_retake(struct hosts *, uint32_t host);

/* Does what hosts_back() below does, for any politeness. */
void hosts_back_to_rest(struct hosts *, uint32_t host, int64_t took, int64_t hung, int64_t now);

/* Ends the flight of a page at `now`, after a request: the host and its server rest. `took` is the time in ms of a
 * request that was answered, `hung` of a request that was not; `hung` makes only the host's rest longer, and not
 * that of its server. In a replay without delays there is no rest, and a page less in flight changes nothing for a
 * host that is ready; this is decided here, since a replay ends flights by the ten million a second. */
static inline void hosts_back(struct hosts *all, uint32_t host, int64_t took, int64_t hung, int64_t now)
{
	struct host *h = &all->at[host];

	if (all->politeness.delay > 0 || h->delay > 0 || h->has_manners || h->where != HOST_READY || h->address) {
		hosts_back_to_rest(all, host, took, hung, now);
		return;
	}
	assert(h->pace.in_flight > 0);
	h->pace.in_flight--;
	if (now > all->now)
		all->now = now;
}

/* Ends the flight of a page at `now` without a request. If no other request of the host is in flight, the rest that
 * hosts_take() began is undone; the same holds for its server. */
void hosts_back_unasked(struct hosts *, uint32_t host, int64_t now);

/* Sets the Crawl-delay of a host in ms. The politeness delay is kept where it is longer. */
void hosts_delay(struct hosts *, uint32_t host, int64_t delay);

/* Gives a host manners of its own, which replace the politeness of the crawl; its Crawl-delay is kept where it is longer. After a
 * request to the host, its server rests as long as the host does, but at most as long as after a request to a host without manners.
 * The server allows as many requests at once as the host of the server with the greatest limit. The caller calls this before the
 * first page of the host is queued (asserted). */
void hosts_set_manners(struct hosts *, uint32_t host, const struct frontier_manners *);

/* Holds a host: none of its pages is taken before hosts_let_go(). Its pages stay queued, and its rests go on. */
void hosts_hold(struct hosts *, uint32_t host);

/* Ends the hold of a host. */
void hosts_let_go(struct hosts *, uint32_t host);

/* Makes a host spent (1: none of its pages is taken, and its rests go on), or ends that (0). */
void hosts_spend(struct hosts *, uint32_t host, int is_spent);

/* Makes a host rest until `time`, unless it rests longer already. */
void hosts_pause(struct hosts *, uint32_t host, int64_t time);

/* Sets the address of a host, from 1: the host moves to the server of this address, with its requests in flight. */
void hosts_move(struct hosts *, uint32_t host, uint32_t address);

/* Returns the earliest time at which a rest of a waiting host or a resting server ends, or INFINITY if there is none. */
double hosts_next_time(const struct hosts *);

#endif
