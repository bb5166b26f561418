/* IP addresses, their numbers, by which the frontier knows a server, and the hosts there. */
#ifndef FETCH_NET_ADDRESS_H
#define FETCH_NET_ADDRESS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/* IPv6, or IPv4 mapped into it; all zero: none. Ports do not count: they are one machine's. */
struct net_address {
	unsigned char ip[16];
};

/* None for what is neither IPv4 nor IPv6. */
struct net_address net_address_of(const struct sockaddr *);
/* "127.0.0.1", "::1", "[::1]", n bytes; none for what is not spelt so. */
struct net_address net_address_read(const char *text, size_t n);
int net_address_is_v4(const struct net_address *); /* mapped */
int net_address_is_none(const struct net_address *);
int net_address_equal(const struct net_address *, const struct net_address *);

struct net_addresses;

struct net_addresses *net_addresses_new(void);
void net_addresses_free(struct net_addresses *);

/* A host (dense ids) was found at this address from now on: the address's number, 1, 2, 3 ... as
 * they come; 0 for none, which is no news. */
uint32_t net_addresses_tell(
	struct net_addresses *, uint32_t host, const struct net_address *address);
/* Where a host is: 1 and *address, or 0 where that is not known. */
int net_addresses_of(const struct net_addresses *, uint32_t host, struct net_address *address);

#endif
