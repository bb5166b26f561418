/* The resolver: names are looked up by threads of its own, with getaddrinfo().
 *
 *     resolver_new(&r, 8, &why);
 *     resolver_ask(r, "example.org", mailbox);          a fetcher thread goes on with other work
 *     ...
 *     while ((answer = mailbox_take(mailbox))) ...      once mailbox->wake() was called
 *
 * Why getaddrinfo() rather than a library that speaks DNS itself: what a name means on a machine is told by
 * nsswitch.conf, /etc/hosts, mDNS, a company's directory and resolv.conf together, and a crawl is to
 * reach what a browser on the same machine reaches. The price is a thread for each name being looked up,
 * so that a few dozen names that no server answers for hold the others up, for as long as resolv.conf
 * lets them; and that no time to live is told, so that fetch/names.h decides how long an answer holds.
 *
 * The threads are started as they are needed. One may be inside getaddrinfo() for a long while, and cannot
 * be broken off: resolver_free() does not wait for it, and what it finds is then dropped. */
#ifndef FETCH_RESOLVER_H
#define FETCH_RESOLVER_H

#include "base/outcome.h"
#include "fetch/net_address.h"

#include <pthread.h>

#define RESOLVER_MOST_ADDRESSES 8 /* of a name; further ones are not used */
#define RESOLVER_MOST_THREADS   32
#define RESOLVER_DESCRIPTORS    2 /* that a thread may have open at once */

struct resolver_answer {
	struct resolver_answer *next;
	enum outcome
		error; /* OUTCOME_NONE: there are addresses. OUTCOME_DNS: the name has none, which lasts.
				   OUTCOME_DNS_LATER: no name server could tell. OUTCOME_NO_DESCRIPTORS */
	unsigned n;
	struct net_address
		address[RESOLVER_MOST_ADDRESSES]; /* distinct; best first, as getaddrinfo() sorts */
	char name[];
};

/* Where the answers to one thread's questions arrive. */
struct mailbox {
	pthread_mutex_t lock; /* of `first` */
	struct resolver_answer *first, **last;
	void (*wake)(void *ctx); /* called after an answer was put, by another thread */
	void *ctx;
};

void mailbox_init(struct mailbox *m, void (*wake)(void *ctx), void *ctx);
/* Only after the resolver is gone. */
void mailbox_release(struct mailbox *m);
/* The oldest answer, the caller's to free(); NULL where there is none. */
struct resolver_answer *mailbox_take(struct mailbox *m);

struct resolver;

struct resolver *resolver_new(unsigned threads);
/* No mailbox gets an answer any more once this returns. NULL is fine. */
void resolver_free(struct resolver *r);

/* Asks for the addresses of a host name (n bytes, no port, no brackets). The answer comes to the mailbox. */
void resolver_ask(struct resolver *r, const char *name, size_t n, struct mailbox *to);

#endif
