#include "fetch/names.h"
#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

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
	mailbox_init(&names->mailbox, wake, ctx);
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

	if (!names)
		return;
	for (e = names->all; e; e = next) {
		next = e->hh.next;
		assert(!e->name.waiting);
		forget(names, e);
	}
	mailbox_release(&names->mailbox);
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

static void set_addresses(struct name *name, const struct resolver_answer *a, int64_t now)
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
	struct resolver_answer *a = mailbox_take(&names->mailbox);
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

int name_pick(const struct name *name, const struct net_address *wished, int (*allows)(void *ctx, const struct net_address *),
	void *ctx, struct net_address *picked)
{
	int found = 0;

	for (unsigned i = 0; i < name->n; i++) {
		const struct net_address *a = &name->address[i];
		if ((name->dead >> i & 1) || !allows(ctx, a))
			continue;
		if (!found || net_address_equal(a, wished))
			*picked = *a;
		found = 1;
	}
	return found;
}

int name_has_other(struct name *name, const struct net_address *failed, int (*allows)(void *ctx, const struct net_address *),
	void *ctx)
{
	struct net_address other;

	for (unsigned i = 0; i < name->n; i++)
		if (net_address_equal(&name->address[i], failed))
			name->dead |= 1u << i;
	if (name_pick(name, failed, allows, ctx, &other))
		return 1;
	name->dead = 0;
	return 0;
}
