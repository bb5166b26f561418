#include "fetch/net_address.h"
#include "base/mem.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

struct numbered {
	struct net_address address;
	uint32_t number;
	UT_hash_handle hh;
};

struct net_addresses {
	struct numbered *table;
	struct numbered **at; /* n, by number - 1 */
	size_t n, room;
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
	return mem_zero(1, sizeof(struct net_addresses));
}

void net_addresses_free(struct net_addresses *all)
{
	if (!all)
		return;
	HASH_CLEAR(hh, all->table);
	for (size_t i = 0; i < all->n; i++)
		free(all->at[i]);
	free(all->at);
	free(all->of_host);
	free(all);
}

static uint32_t number_of(struct net_addresses *all, const struct net_address *address)
{
	struct numbered *found;

	HASH_FIND(hh, all->table, address, sizeof *address, found);
	if (found)
		return found->number;
	found = mem_zero(1, sizeof *found);
	found->address = *address;
	all->at = mem_grow(all->at, &all->room, all->n + 1, sizeof *all->at);
	all->at[all->n++] = found;
	found->number = (uint32_t)all->n;
	HASH_ADD(hh, all->table, address, sizeof *address, found);
	return found->number;
}

uint32_t net_addresses_tell(
	struct net_addresses *all, uint32_t host, const struct net_address *address)
{
	if (net_address_is_none(address))
		return 0;
	all->of_host =
		mem_grow(all->of_host, &all->hosts_room, (size_t)host + 1, sizeof *all->of_host);
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
		*address = all->at[number - 1]->address;
	return number != 0;
}
