/* The resolver: threads of its own resolve host names with getaddrinfo().
 *
 *     struct resolver *r = resolver_new(8);
 *     resolver_ask(r, "example.org", 11, &mailbox);     the fetcher thread goes on with other work
 *     ...
 *     while ((answer = mailbox_take(&mailbox))) ...     after mailbox.wake() was called
 *
 * The resolver uses getaddrinfo() rather than a DNS library because the meaning of a name on a machine depends on
 * nsswitch.conf, /etc/hosts, mDNS, a company's directory and resolv.conf together, and a crawl should reach the same
 * hosts as a browser on the same machine. This has two costs. Each name that is being resolved occupies a thread, so
 * a few dozen names for which no server answers delay all others, for as long as resolv.conf allows. And getaddrinfo()
 * does not tell a time to live, so fetch/names.h decides how long an answer is valid.
 *
 * Threads are started as they are needed. A thread may be inside getaddrinfo() for a long time and cannot be stopped there;
 * resolver_free() does not wait for it, and its answer is dropped. */
#ifndef FETCH_RESOLVER_H
#define FETCH_RESOLVER_H

#include "base/outcome.h"
#include "fetch/net_address.h"

#include <pthread.h>

#define RESOLVER_MOST_ADDRESSES 8 /* further addresses of a name are ignored */
#define RESOLVER_MOST_THREADS   32
#define RESOLVER_DESCRIPTORS    2 /* file descriptors that a thread may have open at once */

struct resolver_answer {
	struct resolver_answer *next;
	/* OUTCOME_NONE: there are addresses. OUTCOME_DNS: the name has no address, which is permanent.
	 * OUTCOME_DNS_LATER: no name server answered. OUTCOME_NO_DESCRIPTORS: this process had no descriptor. */
	enum outcome error;
	unsigned n;                                          /* the number of addresses */
	struct net_address address[RESOLVER_MOST_ADDRESSES]; /* distinct, in getaddrinfo()'s order: best first */
	char name[];
};

/* The queue of answers to one thread's questions. */
struct mailbox {
	pthread_mutex_t lock; /* protects `first` and `last` */
	struct resolver_answer *first, **last;
	void (*wake)(void *ctx); /* called by a thread of the resolver after it has put an answer */
	void *ctx;
};

/* Makes an empty mailbox. */
void mailbox_init(struct mailbox *m, void (*wake)(void *ctx), void *ctx);

/* Frees the answers in a mailbox, after the resolver has been freed. */
void mailbox_release(struct mailbox *m);

/* Takes the oldest answer, which the caller frees with free(); NULL if there is none. */
struct resolver_answer *mailbox_take(struct mailbox *m);

struct resolver;

/* Returns a resolver with at most `threads` threads; the caller frees it with resolver_free(). */
struct resolver *resolver_new(unsigned threads);

/* Frees a resolver. After this call no mailbox gets an answer any more. NULL is allowed. */
void resolver_free(struct resolver *r);

/* Asks for the addresses of a host name of n bytes, without port and brackets. The answer will be put into the mailbox. Any
 * thread may call. */
void resolver_ask(struct resolver *r, const char *name, size_t n, struct mailbox *to);

#endif
