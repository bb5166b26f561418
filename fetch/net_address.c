#include "fetch/net_address.h"
#include "base/mem.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define SLOTS_FIRST 16

/* A crawl may know a million hosts, each at an address of its own: 16 bytes for an address, and 6 to 12 for its slot. */
struct net_addresses {
	struct net_address *at; /* n, by number - 1 */
	size_t n, room;
	uint32_t *slot;    /* a hash table with open addressing: the number of an address; 0: free */
	size_t slots;      /* a power of two, or 0; at most two thirds are taken */
	uint64_t seed;     /* of the hash, drawn, so that nobody can choose addresses that collide */
	uint32_t *of_host; /* n_hosts: the number of its address, 0 where it is not known */
	size_t n_hosts, hosts_room;
};

struct net_address net_address_of(const struct sockaddr *a)
{
	struct net_address out = {{0}};

	if (a->sa_family == AF_INET) {
		out.ip[10] = out.ip[11] = 0xff;
		memcpy(out.ip + 12, &((const struct sockaddr_in *)(const void *)a)->sin_addr, 4);
	} else if (a->sa_family == AF_INET6) {
		memcpy(out.ip, &((const struct sockaddr_in6 *)(const void *)a)->sin6_addr, 16);
	}
	return out;
}

struct net_address net_address_read(const char *text, size_t n)
{
	const int brackets = n >= 2 && text[0] == '[' && text[n - 1] == ']';
	struct net_address out = {{0}};
	char host[INET6_ADDRSTRLEN];

	n -= brackets ? 2 : 0;
	if (n >= sizeof host)
		return out;
	memcpy(host, text + brackets, n);
	host[n] = 0;
	if (inet_pton(AF_INET, host, out.ip + 12) == 1)
		out.ip[10] = out.ip[11] = 0xff;
	else
		inet_pton(AF_INET6, host, out.ip);
	return out;
}

int net_address_is_v4(const struct net_address *a)
{
	static const unsigned char mapped[12] = {[10] = 0xff, [11] = 0xff};

	return memcmp(a->ip, mapped, sizeof mapped) == 0;
}

int net_address_is_none(const struct net_address *a)
{
	static const struct net_address none;

	return net_address_equal(a, &none);
}

int net_address_equal(const struct net_address *a, const struct net_address *b)
{
	return memcmp(a->ip, b->ip, sizeof a->ip) == 0;
}

struct net_addresses *net_addresses_new(void)
{
	struct net_addresses *all = mem_zero(1, sizeof *all);

	(void)!getrandom(&all->seed, sizeof all->seed, 0);
	return all;
}

void net_addresses_free(struct net_addresses *all)
{
	if (!all)
		return;
	free(all->slot);
	free(all->at);
	free(all->of_host);
	free(all);
}

/* Returns the slot of an address, or the free slot where it would be inserted. */
static uint32_t *slot_of(const struct net_addresses *all, const struct net_address *address)
{
	size_t i = XXH3_64bits_withSeed(address, sizeof *address, all->seed) & (all->slots - 1);

	while (all->slot[i] && !net_address_equal(&all->at[all->slot[i] - 1], address))
		i = (i + 1) & (all->slots - 1);
	return &all->slot[i];
}

static void grow(struct net_addresses *all)
{
	free(all->slot);
	all->slots = all->slots ? 2 * all->slots : SLOTS_FIRST;
	all->slot = mem_zero(all->slots, sizeof *all->slot);
	for (size_t i = 0; i < all->n; i++)
		*slot_of(all, &all->at[i]) = (uint32_t)i + 1;
}

static uint32_t number_of(struct net_addresses *all, const struct net_address *address)
{
	if (3 * (all->n + 1) > 2 * all->slots)
		grow(all);
	uint32_t *slot = slot_of(all, address);
	if (!*slot) {
		all->at = mem_grow(all->at, &all->room, all->n + 1, sizeof *all->at);
		all->at[all->n++] = *address;
		*slot = (uint32_t)all->n;
	}
	return *slot;
}

uint32_t net_addresses_tell(struct net_addresses *all, uint32_t host, const struct net_address *address)
{
	if (net_address_is_none(address))
		return 0;
	all->of_host = mem_grow(all->of_host, &all->hosts_room, (size_t)host + 1, sizeof *all->of_host);
	while (all->n_hosts <= host)
		all->of_host[all->n_hosts++] = 0;
	return all->of_host[host] = number_of(all, address);
}

uint32_t net_addresses_number(const struct net_addresses *all, uint32_t host)
{
	return host < all->n_hosts ? all->of_host[host] : 0;
}

int net_addresses_of(const struct net_addresses *all, uint32_t host, struct net_address *address)
{
	const uint32_t number = net_addresses_number(all, host);

	if (number)
		*address = all->at[number - 1];
	return number != 0;
}
