#include "fetch/names.h"
#include "base/ascii.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/outcome.h"
#include "fetch/connect_to.h"
#include "fetch/descriptors.h"
#include "fetch/guard.h"
#include "fetch/net_address.h"
#include "fetch/proxies.h"
#include "fetch/transfer.h"

#include <assert.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#define STACK (512u * 1024) /* of a thread; what nsswitch's modules need */

struct mailbox;

/* A question, and then its answer. */
struct lookup {
	struct lookup *next;
	struct mailbox *to; /* takes the answer */
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
	struct lookup *first, **last;
	void (*wake)(void *ctx); /* called by a thread of the resolver after it has put an answer */
	void *ctx;
};

/* A resolver is used by its threads and by its maker, until resolver_free(); the last of them to leave frees it. */
struct resolver {
	pthread_mutex_t lock; /* of all that follows */
	pthread_cond_t asked;
	struct lookup *first, **last;
	unsigned most, threads, idle, queued;
	unsigned users; /* the threads, and whoever made it until it is freed */
	int closed;
};

/* --- mailboxes */

/* Takes the oldest answer, which the caller frees with free(); NULL if there is none. */
static struct lookup *take(struct mailbox *m)
{
	pthread_mutex_lock(&m->lock);
	struct lookup *answer = m->first;
	if (answer)
		m->first = answer->next;
	if (!m->first)
		m->last = &m->first;
	pthread_mutex_unlock(&m->lock);
	return answer;
}

static void put(struct lookup *answer)
{
	struct mailbox *m = answer->to;

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

static void add_address(struct lookup *a, const struct sockaddr *found)
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

static void add_loopback(struct lookup *a)
{
	const struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT};
	const struct sockaddr_in four = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};

	add_address(a, (const struct sockaddr *)&four);
	add_address(a, (const struct sockaddr *)&six);
}

static void look_up(struct lookup *a)
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

static struct lookup *next_question(struct resolver *r)
{
	struct lookup *q;

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
	struct lookup *q;

	pthread_mutex_lock(&r->lock);
	while (!r->closed && (q = next_question(r))) {
		pthread_mutex_unlock(&r->lock);
		look_up(q);
		pthread_mutex_lock(&r->lock);
		if (r->closed)
			free(q);
		else
			put(q);
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
	struct lookup *q, *next;

	if (!r)
		return;
	pthread_mutex_lock(&r->lock);
	r->closed = 1;
	for (q = r->first; q; q = next) {
		next = q->next;
		free(q);
	}
	r->first = NULL;
	pthread_cond_broadcast(&r->asked);
	leave(r);
}

/* Asks for the addresses of a host name of n bytes, without port and brackets. The answer will be put into the mailbox. Any
 * thread may call. */
static void resolver_ask(struct resolver *r, const char *name, size_t n, struct mailbox *to)
{
	struct lookup *q = mem_zero(1, sizeof *q + n + 1);

	q->to = to;
	memcpy(q->name, name, n);
	pthread_mutex_lock(&r->lock);
	const int wanted = r->queued >= r->idle && r->threads < r->most;
	if (wanted && start_thread(r) && r->threads == 0) {
		q->error = OUTCOME_NO_DESCRIPTORS;
		put(q);
	} else {
		*r->last = q;
		r->last = &q->next;
		r->queued++;
		pthread_cond_signal(&r->asked);
	}
	pthread_mutex_unlock(&r->lock);
}

struct entry {
	struct name name;  /* first: a name is its entry */
	UT_hash_handle hh; /* in the order of last use */
	size_t place;      /* among those asked, where is_asked */
	char key[];        /* by hh.keylen */
};

struct names {
	struct entry *all;
	struct entry **asked; /* n_asked: which the resolver is looking up */
	size_t n_asked, room;
	struct resolver *resolver;
	struct mailbox mailbox;
};

struct names *names_new(struct resolver *resolver, void (*wake)(void *ctx), void *ctx)
{
	struct names *names = mem_zero(1, sizeof *names);

	names->resolver = resolver;
	names->mailbox = (struct mailbox){.last = &names->mailbox.first, .wake = wake, .ctx = ctx};
	pthread_mutex_init(&names->mailbox.lock, NULL);
	return names;
}

static void forget(struct names *names, struct entry *e)
{
	HASH_DELETE(hh, names->all, e);
	free(e);
}

void names_free(struct names *names)
{
	struct entry *e, *next;
	struct lookup *answer;

	if (!names)
		return;
	for (e = names->all; e; e = next) {
		next = e->hh.next;
		assert(!e->name.waiting);
		forget(names, e);
	}
	while ((answer = take(&names->mailbox)))
		free(answer);
	pthread_mutex_destroy(&names->mailbox.lock);
	free(names->asked);
	free(names);
}

static void ask(struct names *names, struct entry *e, int64_t now)
{
	e->name.is_asked = 1;
	e->name.asked = now;
	e->place = names->n_asked;
	names->asked = mem_grow(names->asked, &names->room, names->n_asked + 1, sizeof *names->asked);
	names->asked[names->n_asked++] = e;
	resolver_ask(names->resolver, e->key, e->hh.keylen, &names->mailbox);
}

static struct entry *add(struct names *names, const char *host, size_t n)
{
	struct entry *e, *next;

	for (e = names->all; e && HASH_COUNT(names->all) >= NAMES_MOST; e = next) {
		next = e->hh.next;
		if (!e->name.is_asked)
			forget(names, e);
	}
	e = mem_zero(1, sizeof *e + n + 1);
	memcpy(e->key, host, n);
	e->name.standing = NAME_ASKED;
	e->name.waiting_end = &e->name.waiting;
	HASH_ADD_KEYPTR(hh, names->all, e->key, n, e);
	return e;
}

struct name *names_find(struct names *names, const char *host, size_t n, int64_t now)
{
	struct entry *e;

	HASH_FIND(hh, names->all, host, n, e);
	if (!e) {
		e = add(names, host, n);
		ask(names, e, now);
		return &e->name;
	}
	if (e->hh.next) { /* moves the name to the end of the order of last use */
		HASH_DELETE(hh, names->all, e);
		HASH_ADD_KEYPTR(hh, names->all, e->key, e->hh.keylen, e);
	}
	if (!e->name.is_asked && now >= e->name.expires) {
		if (e->name.standing == NAME_NONE)
			e->name.standing = NAME_ASKED;
		ask(names, e, now);
	}
	return &e->name;
}

static void set_addresses(struct name *name, const struct lookup *a, int64_t now)
{
	const int lasts = a->error == OUTCOME_NONE || a->error == OUTCOME_DNS;

	name->expires = now + (lasts ? NAMES_LIVE_MS : NAMES_AGAIN_MS);
	if (!lasts && name->standing == NAME_KNOWN)
		return;
	name->standing = a->error ? NAME_NONE : NAME_KNOWN;
	name->error = a->error;
	name->n = a->n;
	name->dead = 0;
	memcpy(name->address, a->address, sizeof name->address);
}

struct name *names_answer(struct names *names, int64_t now)
{
	struct lookup *a = take(&names->mailbox);
	struct entry *e;

	if (!a)
		return NULL;
	HASH_FIND(hh, names->all, a->name, strlen(a->name), e);
	assert(e && e->name.is_asked);
	e->name.is_asked = 0;
	names->asked[e->place] = names->asked[--names->n_asked];
	names->asked[e->place]->place = e->place;
	set_addresses(&e->name, a, now);
	free(a);
	return &e->name;
}

struct name *names_overdue(struct names *names, int64_t before)
{
	for (size_t i = 0; i < names->n_asked; i++)
		if (names->asked[i]->name.waiting && names->asked[i]->name.asked <= before)
			return &names->asked[i]->name;
	return NULL;
}

/* Chooses the address to connect to for a URL, among those that are not dead and that the guard (NULL: there is none) allows: the
 * address `wished` if it is one of these, else the first. Returns 1 with *picked, or 0 if there is no such address. */
static int name_pick(const struct name *name, const struct net_address *wished, const struct guard *guard, const struct url *u,
	struct net_address *picked)
{
	int found = 0;

	for (unsigned i = 0; i < name->n; i++) {
		const struct net_address *a = &name->address[i];
		if ((name->dead >> i & 1) || (guard && !guard_allows(guard, a, u)))
			continue;
		if (!found || net_address_equal(a, wished))
			*picked = *a;
		found = 1;
	}
	return found;
}

/* Says whether a host is spelt as an address. "::" is recognised by its colon, since its bytes are those of no address. */
static int is_literal(const struct connect_target *to, struct net_address *address)
{
	*address = net_address_read(to->host, to->n);
	return !net_address_is_none(address) || memchr(to->host, ':', to->n);
}

enum located locate(struct names *names, const struct transfer_options *o, const struct url *u, const struct net_address *granted,
	struct spot *spot)
{
	struct name literal = {.standing = NAME_KNOWN, .n = 1};
	struct connect_target to;

	*spot = (struct spot){.name = &literal};
	if (proxies_for(o->proxies, u))
		return LOCATE_HERE;
	const int is_led = connect_to_find(o->set.connect_to.at, u, &to);
	spot->port = to.port;
	if (!is_literal(&to, &literal.address[0]))
		spot->name = names_find(names, to.host, to.n, clock_ms());
	if (spot->name->standing == NAME_ASKED)
		return LOCATE_WAITS;
	spot->error = spot->name->standing == NAME_NONE ? spot->name->error : OUTCOME_PRIVATE;
	if (spot->name->standing == NAME_KNOWN && o->set.guard && !is_led)
		guard_learn(o->set.guard, u, spot->name->address, spot->name->n);
	if (spot->name->standing == NAME_NONE || !name_pick(spot->name, granted, o->set.guard, u, &spot->at))
		return LOCATE_NOWHERE;
	spot->error = OUTCOME_NONE;
	return o->set.by_address && !net_address_equal(&spot->at, granted) ? LOCATE_ELSEWHERE : LOCATE_HERE;
}

int locate_other(struct names *names, const struct transfer_options *o, const struct url *u, const struct net_address *failed)
{
	struct net_address literal, other;
	struct connect_target to;

	connect_to_find(o->set.connect_to.at, u, &to);
	if (is_literal(&to, &literal))
		return 0;
	struct name *name = names_find(names, to.host, to.n, clock_ms());
	if (name->standing != NAME_KNOWN)
		return 0;
	for (unsigned i = 0; i < name->n; i++)
		if (net_address_equal(&name->address[i], failed))
			name->dead |= 1u << i;
	if (name_pick(name, failed, o->set.guard, u, &other))
		return 1;
	name->dead = 0; /* all of them are tried again */
	return 0;
}
