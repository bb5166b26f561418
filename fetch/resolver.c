#include "fetch/resolver.h"
#include "base/ascii.h"
#include "base/mem.h"
#include "fetch/descriptors.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#define STACK (512u * 1024) /* of a thread; what nsswitch's modules need */

struct question {
	struct question *next;
	struct mailbox *to;
	struct resolver_answer *answer; /* to be filled */
};

/* A resolver is used by its threads and by its maker, until resolver_free(); the last of them to leave frees it. */
struct resolver {
	pthread_mutex_t lock; /* of all that follows */
	pthread_cond_t asked;
	struct question *first, **last;
	unsigned most, threads, idle, queued;
	unsigned users; /* the threads, and whoever made it until it is freed */
	int closed;
};

/* --- mailboxes */

void mailbox_init(struct mailbox *m, void (*wake)(void *ctx), void *ctx)
{
	pthread_mutex_init(&m->lock, NULL);
	m->first = NULL;
	m->last = &m->first;
	m->wake = wake;
	m->ctx = ctx;
}

void mailbox_release(struct mailbox *m)
{
	struct resolver_answer *answer;

	while ((answer = mailbox_take(m)))
		free(answer);
	pthread_mutex_destroy(&m->lock);
}

struct resolver_answer *mailbox_take(struct mailbox *m)
{
	pthread_mutex_lock(&m->lock);
	struct resolver_answer *answer = m->first;
	if (answer)
		m->first = answer->next;
	if (!m->first)
		m->last = &m->first;
	pthread_mutex_unlock(&m->lock);
	return answer;
}

static void put(struct mailbox *m, struct resolver_answer *answer)
{
	answer->next = NULL;
	pthread_mutex_lock(&m->lock);
	*m->last = answer;
	m->last = &answer->next;
	pthread_mutex_unlock(&m->lock);
	m->wake(m->ctx);
}

/* --- looking up */

static enum outcome error_of(int code, int os_error)
{
	switch (code) {
	case 0:
		return OUTCOME_NONE;
	case EAI_MEMORY:
		return OUTCOME_NO_DESCRIPTORS;
	case EAI_SYSTEM:
		return descriptors_are_short(os_error) ? OUTCOME_NO_DESCRIPTORS : OUTCOME_DNS_LATER;
	case EAI_AGAIN:
	case EAI_FAIL: /* a name server has refused to answer */
		return OUTCOME_DNS_LATER;
	default:
		return OUTCOME_DNS;
	}
}

static void add_address(struct resolver_answer *a, const struct sockaddr *found)
{
	const struct net_address address = net_address_of(found);

	if (found->sa_family != AF_INET && found->sa_family != AF_INET6)
		return;
	for (unsigned i = 0; i < a->n; i++)
		if (net_address_equal(&a->address[i], &address))
			return;
	if (a->n < RESOLVER_MOST_ADDRESSES)
		a->address[a->n++] = address;
}

/* Says whether a name is "localhost" or below it. RFC 6761: these names are this machine, even if no /etc/hosts and no name server
 * says so. */
static int is_localhost(const char *name)
{
	static const char localhost[] = "localhost";
	const size_t n = strlen(name), m = sizeof localhost - 1;

	return n >= m && ascii_order(name + n - m, localhost) == 0 && (n == m || name[n - m - 1] == '.');
}

static void add_loopback(struct resolver_answer *a)
{
	const struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
	const struct sockaddr_in four = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};

	add_address(a, (const struct sockaddr *)&four);
	add_address(a, (const struct sockaddr *)&six);
}

static void look_up(struct resolver_answer *a)
{
	const struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM};
	struct addrinfo *found = NULL;

	errno = 0;
	const int code = getaddrinfo(a->name, NULL, &hints, &found);
	a->error = error_of(code, errno);
	if (code && is_localhost(a->name)) {
		add_loopback(a);
		a->error = OUTCOME_NONE;
	}
	if (code)
		return;
	for (const struct addrinfo *f = found; f; f = f->ai_next)
		add_address(a, f->ai_addr);
	freeaddrinfo(found);
	if (!a->n)
		a->error = OUTCOME_DNS;
}

/* --- threads. What follows is called with the lock held, where nothing else is said. */

/* Ends one use of the resolver and unlocks it; the last user frees it. */
static void leave(struct resolver *r)
{
	const unsigned users = --r->users;

	pthread_mutex_unlock(&r->lock);
	if (users)
		return;
	pthread_cond_destroy(&r->asked);
	pthread_mutex_destroy(&r->lock);
	free(r);
}

static struct question *next_question(struct resolver *r)
{
	struct question *q;

	while (!(q = r->first) && !r->closed) {
		r->idle++;
		pthread_cond_wait(&r->asked, &r->lock);
		r->idle--;
	}
	if (q) {
		r->queued--;
		if (!(r->first = q->next))
			r->last = &r->first;
	}
	return q;
}

static void *run(void *resolver)
{
	struct resolver *r = resolver;
	struct question *q;

	pthread_mutex_lock(&r->lock);
	while (!r->closed && (q = next_question(r))) {
		pthread_mutex_unlock(&r->lock);
		look_up(q->answer);
		pthread_mutex_lock(&r->lock);
		if (r->closed)
			free(q->answer);
		else
			put(q->to, q->answer);
		free(q);
	}
	r->threads--;
	leave(r);
	return NULL;
}

static int start_thread(struct resolver *r)
{
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attributes, STACK);
	const int failed = pthread_create(&thread, &attributes, run, r);
	pthread_attr_destroy(&attributes);
	if (failed)
		return -1;
	r->threads++;
	r->users++;
	return 0;
}

struct resolver *resolver_new(unsigned threads)
{
	struct resolver *r = mem_zero(1, sizeof *r);

	pthread_mutex_init(&r->lock, NULL);
	pthread_cond_init(&r->asked, NULL);
	r->last = &r->first;
	r->most = threads;
	r->users = 1;
	return r;
}

void resolver_free(struct resolver *r)
{
	struct question *q, *next;

	if (!r)
		return;
	pthread_mutex_lock(&r->lock);
	r->closed = 1;
	for (q = r->first; q; q = next) {
		next = q->next;
		free(q->answer);
		free(q);
	}
	r->first = NULL;
	pthread_cond_broadcast(&r->asked);
	leave(r);
}

void resolver_ask(struct resolver *r, const char *name, size_t n, struct mailbox *to)
{
	struct question *q = mem_zero(1, sizeof *q);

	q->to = to;
	q->answer = mem_zero(1, sizeof *q->answer + n + 1);
	memcpy(q->answer->name, name, n);
	pthread_mutex_lock(&r->lock);
	const int wanted = r->queued >= r->idle && r->threads < r->most;
	if (wanted && start_thread(r) && r->threads == 0) {
		q->answer->error = OUTCOME_NO_DESCRIPTORS;
		put(to, q->answer);
		free(q);
	} else {
		*r->last = q;
		r->last = &q->next;
		r->queued++;
		pthread_cond_signal(&r->asked);
	}
	pthread_mutex_unlock(&r->lock);
}
