/* The cache of host addresses of one fetcher thread.
 *
 *     struct name *n = names_find(names, "example.org", 11, now);
 *     switch (n->standing) ...
 *
 *                            +-- addresses --> KNOWN --+
 *   (new) --names_find()--> ASKED                      +-- NAMES_LIVE_MS later --> resolved again
 *                            +-- no address --> NONE --+
 *
 * A name that is KNOWN stays KNOWN with its old addresses while it is resolved again, and also if no name server answers
 * then. An address to which no connection was possible counts as dead. When all addresses of a name are dead, all of them count as
 * alive again. When there are more than NAMES_MOST names, the least recently used ones are dropped. */
#ifndef FETCH_NAMES_H
#define FETCH_NAMES_H

#include "base/outcome.h"
#include "fetch/net_address.h"
#include "fetch/transfer.h"

/* The resolver: threads of its own resolve host names with getaddrinfo().
 *
 * The resolver uses getaddrinfo() rather than a DNS library because the meaning of a name on a machine depends on
 * nsswitch.conf, /etc/hosts, mDNS, a company's directory and resolv.conf together, and a crawl should reach the same
 * hosts as a browser on the same machine. This has two costs. Each name that is being resolved occupies a thread, so
 * a few dozen names for which no server answers delay all others, for as long as resolv.conf allows. And getaddrinfo()
 * does not tell a time to live, so fetch/names.h decides how long an answer is valid.
 *
 * Threads are started as they are needed. A thread may be inside getaddrinfo() for a long time and cannot be stopped there;
 * resolver_free() does not wait for it, and its answer is dropped. */

#define RESOLVER_MOST_ADDRESSES 8 /* further addresses of a name are ignored */
#define RESOLVER_MOST_THREADS   32
#define RESOLVER_DESCRIPTORS    2 /* file descriptors that a thread may have open at once */

struct resolver;

/* Returns a resolver with at most `threads` threads; the caller frees it with resolver_free(). */
struct resolver *resolver_new(unsigned threads);

/* Frees a resolver. After this call no mailbox gets an answer any more. NULL is allowed. */
void resolver_free(struct resolver *r);

#define NAMES_LIVE_MS  300000 /* how long an answer is valid */
#define NAMES_AGAIN_MS 1000   /* the wait before a name is resolved again after no name server answered */
#define NAMES_MOST     16384

enum name_standing {
	NAME_ASKED, /* the resolver is resolving the name, and no addresses are known from before */
	NAME_KNOWN, /* addresses are known */
	NAME_NONE,  /* the name has no address; `error` says why */
};

struct job;

struct name {
	enum name_standing standing;
	enum outcome error; /* NONE: why */
	int is_asked;       /* the resolver has been asked and has not answered yet */
	int64_t asked;      /* ms of clock_ms() at which it was asked */
	int64_t expires;    /* KNOWN, NONE: when the name is to be resolved again */
	unsigned n;         /* KNOWN: the number of addresses */
	unsigned dead;      /* KNOWN: bit i is 1 if address i is dead */
	struct net_address address[RESOLVER_MOST_ADDRESSES];
	struct job *waiting, **waiting_end; /* ASKED: the jobs that wait for the addresses */
};

struct names;

/* Returns an empty cache. When the resolver has answered, wake(ctx) is called on one of the resolver's threads; the fetcher
 * thread then calls names_answer(). */
struct names *names_new(struct resolver *resolver, void (*wake)(void *ctx), void *ctx);

/* Frees the cache. No job may wait for a name, and the resolver must have been freed. */
void names_free(struct names *names);

/* Returns the entry for a host name of n bytes, without port and brackets, and asks the resolver if the entry is new or has
 * expired. The entry is valid until the next call, or while it is ASKED. */
struct name *names_find(struct names *names, const char *host, size_t n, int64_t now);

/* Takes one answer of the resolver into the cache. Returns the entry that it is for, whose waiting jobs may now begin, or
 * NULL if there is no answer. */
struct name *names_answer(struct names *names, int64_t now);

/* Returns an entry with waiting jobs for which the resolver was asked at the time `before` or earlier, so that the caller
 * can end the wait of these jobs; NULL if there is none. */
struct name *names_overdue(struct names *names, int64_t before);

/* Locates the target of a request: the user's proxy, the target of a rule of --connect-to, or an address of the URL's
 * host; and asks the guard whether the request may go there.
 *
 *     switch (locate(names, options, &url, &granted, &spot)) {
 *     case LOCATE_HERE:      ... the request goes to spot.at and spot.port
 *     case LOCATE_WAITS:     ... the request waits until spot.name has been resolved
 *     case LOCATE_ELSEWHERE: ... the page is put back, for the crawl to grant the address spot.at
 *     case LOCATE_NOWHERE:   ... no request is possible: spot.error
 *     }
 *
 * The first page of a new host takes these steps in a crawl that grants addresses (by_address in struct
 * fetch_settings). An arrow to the left returns the page to the crawl's loop, and it comes again when the frontier
 * takes it.
 *
 *     the crawl's loop                      the fetcher thread
 *     taken, no address known    ------->   locate(): the name is looked up; the page waits
 *     put back, the host's address <-----   locate(): ELSEWHERE
 *     taken, with the address    ------->   its robots.txt is asked for there
 *     put back, to wait          <-------   the rules are known
 *     taken, with the address    ------->   the page is asked for
 *     crawled, failed ...        <-------
 *
 * If no connection to the address is possible, the address counts as dead for a while, and the page is put back with
 * the next address of the host, as with LOCATE_ELSEWHERE, until the host has no other address. */
enum located { LOCATE_HERE, LOCATE_WAITS, LOCATE_ELSEWHERE, LOCATE_NOWHERE };

/* The target of a request. The comments say for which results of locate() a field is set. */
struct spot {
	struct net_address at; /* HERE, ELSEWHERE; none if the request goes through a proxy */
	unsigned port;         /* HERE */
	struct name *name;     /* WAITS */
	/* NOWHERE: OUTCOME_DNS, which is permanent; OUTCOME_PRIVATE, if the guard allows none of the host's
	 * addresses; or an outcome of this machine (outcome_is_local()) */
	enum outcome error;
};

/* Locates the target for a URL. `granted` is the address that the crawl has granted, or none. */
enum located locate(struct names *names, const struct transfer_options *o, const struct url *u, const struct net_address *granted,
	struct spot *spot);

/* Notes that no connection to the address `failed` of a URL's host was possible. Returns 1 if the host has another address,
 * so that the caller should call locate() again, or 0. */
int locate_other(struct names *names, const struct transfer_options *o, const struct url *u, const struct net_address *failed);

#endif
