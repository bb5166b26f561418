#include "fetch/guard.h"
#include "base/mem.h"
#include "fetch/connect_to.h"
#include "parser/match.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

/* A host and port of a seed that was granted. The key is "PORT HOST"; HOST is the 16 bytes of an address if the host is spelt as
 * one. */
struct grant {
	UT_hash_handle hh;
	int is_decided;
	int is_local;             /* 1: the host is localhost, and the grant holds every loopback address */
	struct net_address *held; /* the addresses that it holds, none of them public */
	unsigned n;
	char *origin; /* the seed's URL up to its path */
	char key[];
};

struct guard {
	struct guard_settings set;
	struct grant *grants;
	const char **private; /* origins of those that hold more than public addresses */
	size_t n_private, room;
	pthread_rwlock_t *lock; /* of the grants */
};

/* --- kinds of addresses */

enum address_class { CLASS_PUBLIC = 1, CLASS_LOOPBACK = 2, CLASS_PRIVATE = 4, CLASS_OTHER = 8 };

struct block {
	uint8_t ip[16];
	unsigned bits;
	enum address_class class;
};

#define V4(a, b, c, d) \
	{ \
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, a, b, c, d \
	}

/* The classes of addresses; the first row that an address is in counts. What is not public of IPv4 and of 2000::/3, the only IPv6
 * that is global unicast, stands in the special-purpose registries of IANA (RFC 6890 and what came since). */
static const struct block classes[] = {
	{V4(0, 0, 0, 0), 96 + 8, CLASS_OTHER},
	{V4(10, 0, 0, 0), 96 + 8, CLASS_PRIVATE},
	{V4(100, 64, 0, 0), 96 + 10, CLASS_PRIVATE},
	{V4(127, 0, 0, 0), 96 + 8, CLASS_LOOPBACK},
	{V4(169, 254, 0, 0), 96 + 16, CLASS_OTHER},
	{V4(172, 16, 0, 0), 96 + 12, CLASS_PRIVATE},
	{V4(192, 0, 0, 0), 96 + 24, CLASS_OTHER},
	{V4(192, 0, 2, 0), 96 + 24, CLASS_OTHER},
	{V4(192, 88, 99, 0), 96 + 24, CLASS_OTHER},
	{V4(192, 168, 0, 0), 96 + 16, CLASS_PRIVATE},
	{V4(198, 18, 0, 0), 96 + 15, CLASS_OTHER},
	{V4(198, 51, 100, 0), 96 + 24, CLASS_OTHER},
	{V4(203, 0, 113, 0), 96 + 24, CLASS_OTHER},
	{V4(224, 0, 0, 0), 96 + 3, CLASS_OTHER}, /* multicast and what is reserved behind it */
	{V4(0, 0, 0, 0), 96, CLASS_PUBLIC},
	{{0x20, 0x01, 0x0d, 0xb8}, 32, CLASS_OTHER},
	{{0x20, 0x01, 0x00}, 23, CLASS_OTHER}, /* protocol assignments, Teredo among them */
	{{0x3f, 0xff}, 20, CLASS_OTHER},
	{{0x20}, 3, CLASS_PUBLIC},
	{{0xfc}, 7, CLASS_PRIVATE},
};

/* IPv6 that holds an IPv4 address: where it begins. */
static const struct {
	struct block block;
	unsigned at;
} holders[] = {
	{{{0}, 96, 0}, 12},                      /* ::1.2.3.4, and :: */
	{{{0x00, 0x64, 0xff, 0x9b}, 96, 0}, 12}, /* NAT64 */
	{{{0x20, 0x02}, 16, 0}, 2},              /* 6to4 */
};

static int is_in(const struct net_address *a, const struct block *b)
{
	const unsigned bytes = b->bits / 8, rest = b->bits % 8;

	if (memcmp(a->ip, b->ip, bytes) != 0)
		return 0;
	return !rest || ((a->ip[bytes] ^ b->ip[bytes]) >> (8 - rest)) == 0;
}

int guard_is_loopback(const struct net_address *a)
{
	static const struct block v4 = {V4(127, 0, 0, 0), 96 + 8, CLASS_LOOPBACK};
	static const struct block v6 = {{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, 128, CLASS_LOOPBACK};

	return is_in(a, &v4) || is_in(a, &v6);
}

static enum address_class class_of(const struct net_address *a)
{
	if (guard_is_loopback(a))
		return CLASS_LOOPBACK;
	for (size_t i = 0; i < sizeof holders / sizeof *holders; i++)
		if (is_in(a, &holders[i].block)) {
			struct net_address held = {V4(0, 0, 0, 0)};
			memcpy(held.ip + 12, a->ip + holders[i].at, 4);
			return class_of(&held);
		}
	for (size_t i = 0; i < sizeof classes / sizeof *classes; i++)
		if (is_in(a, &classes[i]))
			return classes[i].class;
	return CLASS_OTHER;
}

int guard_is_public(const struct net_address *a)
{
	return class_of(a) == CLASS_PUBLIC;
}

/* --- the guard */

struct guard *guard_new(const struct guard_settings *set)
{
	struct guard *g = mem_zero(1, sizeof *g);

	g->set = *set;
	g->lock = mem_new(1, sizeof *g->lock);
	pthread_rwlock_init(g->lock, NULL);
	return g;
}

void guard_free(struct guard *g)
{
	struct grant *grant, *next;

	if (!g)
		return;
	for (grant = g->grants; grant; grant = next) {
		next = grant->hh.next;
		HASH_DELETE(hh, g->grants, grant);
		free(grant->origin);
		free(grant->held);
		free(grant);
	}
	free(g->private);
	pthread_rwlock_destroy(g->lock);
	free(g->lock);
	free(g);
}

/* Returns the host of a URL, without the brackets of an IPv6 address. */
static const char *host_of(const struct url *u, size_t *n)
{
	const char *host = u->text.at + u->host;
	const int bracket = *host == '[';

	*n = u->host_end - u->host - (bracket ? 2 : 0);
	return host + bracket;
}

/* Says whether a host is localhost or a name below it. */
static int is_localhost(const struct url *u)
{
	static const char localhost[] = "localhost";
	const size_t m = sizeof localhost - 1;
	size_t n;
	const char *host = host_of(u, &n);

	n -= n && host[n - 1] == '.';
	return n >= m && memcmp(host + n - m, localhost, m) == 0 && (n == m || host[n - m - 1] == '.');
}

/* Says whether a host is spelt as an address, or is localhost or a name below it; sets *address to that address. */
static int spells_address(const struct url *u, struct net_address *address)
{
	size_t n;
	const char *host = host_of(u, &n);

	n -= n && host[n - 1] == '.';
	*address = is_localhost(u) ? net_address_read("127.0.0.1", 9) : net_address_read(host, n);
	/* [::] is an address although its bytes are all zero, which otherwise means that there is none */
	return !net_address_is_none(address) || u->text.at[u->host] == '[';
}

/* --- grants */

#define KEY_MAX (URL_MAX + 8)

static size_t write_key(char key[KEY_MAX], const struct url *u)
{
	const int used = snprintf(key, KEY_MAX, "%u ", u->port);
	size_t n;
	const char *host = host_of(u, &n);
	const struct net_address address = net_address_read(host, n);
	const int is_name = net_address_is_none(&address);

	n = is_name ? n : sizeof address.ip;
	memcpy(key + used, is_name ? host : (const char *)address.ip, n);
	return (size_t)used + n;
}

/* Returns the grant for the host and port of a URL, or NULL. The caller holds the lock. */
static struct grant *find(const struct guard *g, const struct url *u)
{
	struct grant *grant;
	char key[KEY_MAX];
	const size_t length = write_key(key, u);

	HASH_FIND(hh, g->grants, key, length, grant);
	return grant;
}

/* Decides that a grant holds those of the addresses whose classes are in the mask. */
static void decide(struct guard *g, struct grant *grant, const struct net_address *addresses, unsigned n, unsigned mask)
{
	grant->is_decided = 1;
	grant->held = mem_new(n, sizeof *grant->held);
	for (unsigned i = 0; i < n; i++)
		if (class_of(&addresses[i]) & mask)
			grant->held[grant->n++] = addresses[i];
	if (!grant->n || g->set.reach == GUARD_LOOPBACK)
		return;
	g->private = mem_grow(g->private, &g->room, g->n_private + 1, sizeof *g->private);
	g->private[g->n_private++] = grant->origin;
}

static void add_grant(struct guard *g, const struct url *u)
{
	struct net_address spelt;
	char key[KEY_MAX];
	const size_t length = write_key(key, u);
	struct grant *grant = mem_zero(1, sizeof *grant + length);

	memcpy(grant->key, key, length);
	grant->origin = mem_part(u->text.at, u->path);
	HASH_ADD_KEYPTR(hh, g->grants, grant->key, length, grant);
	grant->is_local = is_localhost(u);
	if (spells_address(u, &spelt))
		decide(g, grant, &spelt, 1, ~(unsigned)CLASS_PUBLIC);
}

void guard_add_seed(struct guard *g, const struct url *u, enum guard_origin origin)
{
	if (origin == GUARD_LISTED && g->set.reach == GUARD_PUBLIC)
		return;
	pthread_rwlock_wrlock(g->lock);
	if (!find(g, u))
		add_grant(g, u);
	pthread_rwlock_unlock(g->lock);
}

int guard_grants(const struct guard *g, const struct url *u)
{
	pthread_rwlock_rdlock(g->lock);
	const int found = find(g, u) != NULL;
	pthread_rwlock_unlock(g->lock);
	return found;
}

void guard_learn(struct guard *g, const struct url *u, const struct net_address *addresses, unsigned n)
{
	unsigned seen = 0;

	for (unsigned i = 0; i < n; i++)
		seen |= class_of(&addresses[i]);
	pthread_rwlock_wrlock(g->lock);
	struct grant *grant = find(g, u);
	if (grant && !grant->is_decided)
		decide(g, grant, addresses, n, seen & CLASS_PUBLIC ? 0 : CLASS_LOOPBACK | CLASS_PRIVATE);
	pthread_rwlock_unlock(g->lock);
}

const char *guard_private(const struct guard *g, size_t i)
{
	pthread_rwlock_rdlock(g->lock);
	const char *origin = i < g->n_private ? g->private[i] : NULL;
	pthread_rwlock_unlock(g->lock);
	return origin;
}

/* Says whether there is a grant for the host and port of the URL, and it holds the address. */
static int holds(const struct guard *g, const struct net_address *address, const struct url *u)
{
	pthread_rwlock_rdlock(g->lock);
	const struct grant *grant = find(g, u);
	int held = grant && grant->is_local && guard_is_loopback(address);
	for (unsigned i = 0; grant && i < grant->n && !held; i++)
		held = net_address_equal(&grant->held[i], address);
	pthread_rwlock_unlock(g->lock);
	return held;
}

/* --- the judgement */

static int is_led(const struct guard *g, const struct url *u)
{
	struct connect_target to;

	return connect_to_find(g->set.connect_to, u, &to);
}

/* Says whether the host of a URL is in one of the domains of the settings. */
static int is_named(const struct guard *g, const struct url *u)
{
	const char *host = u->text.at + u->host, *at = g->set.domains;
	char domain[256];
	int found = 0;

	while (at && *at && !found) {
		const size_t n = strcspn(at, ",");
		if (n < sizeof domain) {
			memcpy(domain, at, n);
			domain[n] = 0;
			found = match_domain(host, u->host_end - u->host, domain + strspn(domain, " "));
		}
		at += n + (at[n] == ',');
	}
	return found;
}

static int is_open(const struct guard *g, const struct net_address *address, const struct url *u)
{
	if (g->set.reach == GUARD_LOOPBACK && is_named(g, u))
		return 1;
	return guard_is_public(address) || g->set.allow_private || is_led(g, u) || holds(g, address, u);
}

int guard_allows(const struct guard *g, const struct net_address *address, const struct url *u)
{
	if (g->set.reach == GUARD_LOOPBACK && !guard_is_loopback(address))
		return 0;
	return is_open(g, address, u);
}

int guard_allows_proxy(const struct guard *g, const struct net_address *address)
{
	return g->set.reach == GUARD_PUBLIC || guard_is_loopback(address);
}

/* --- what a URL tells by itself */

static int is_port_of_others(unsigned port)
{
	static const uint16_t others[] = {0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95,
		101, 102, 103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513,
		514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
		3659, 4045, 4190, 5060, 5061, 6000, 6379, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 9100, 10080, 11211};

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (others[i] == port)
			return 1;
	return 0;
}

enum outcome guard_judge_url(const struct guard *g, const struct url *u, enum guard_way way)
{
	struct net_address spelt;

	if (is_port_of_others(u->port) && !guard_grants(g, u) && !is_led(g, u))
		return OUTCOME_PORT;
	if (way == GUARD_PROXIED && spells_address(u, &spelt) && !is_open(g, &spelt, u))
		return OUTCOME_PRIVATE;
	return OUTCOME_NONE;
}
