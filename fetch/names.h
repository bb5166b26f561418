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

#include "fetch/resolver.h"

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

/* Chooses the address to connect to, among those that are not dead and for which allows(ctx, address) is not 0: the address
 * `wished` if it is one of these, else the first. Returns 1 with *picked, or 0 if there is no such address. */
int name_pick(const struct name *name, const struct net_address *wished, int (*allows)(void *ctx, const struct net_address *),
	void *ctx, struct net_address *picked);

/* Marks the address `failed` as dead. Returns 1 if another address is allowed and not dead. Otherwise the function marks all
 * addresses as not dead, and returns 0. */
int name_has_other(struct name *name, const struct net_address *failed, int (*allows)(void *ctx, const struct net_address *),
	void *ctx);

#endif
