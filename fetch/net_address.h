/* IP addresses, and the numbers under which the frontier knows a server and the hosts at it.
 *
 *     struct net_address a = net_address_read("::1", 3);
 *     uint32_t server = net_addresses_tell(all, host, &a);     1, 2, 3 ... for each new address
 */
#ifndef FETCH_NET_ADDRESS_H
#define FETCH_NET_ADDRESS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/* IPv6, or IPv4 mapped into it; all zero: none. Ports do not count: they are one machine's. */
struct net_address {
	unsigned char ip[16];
};

/* The address of a socket address; none where it is neither IPv4 nor IPv6. */
struct net_address net_address_of(const struct sockaddr *);
/* Reads "127.0.0.1", "::1" or "[::1]" (n bytes); none where the text is no address. */
struct net_address net_address_read(const char *text, size_t n);
int net_address_is_v4(const struct net_address *); /* mapped */
int net_address_is_none(const struct net_address *);
int net_address_equal(const struct net_address *, const struct net_address *);

struct net_addresses;

struct net_addresses *net_addresses_new(void);
void net_addresses_free(struct net_addresses *);

/* Tells that a host (dense ids) is at this address from now on. Returns the address's number: 1, 2, 3 ... in the
 * order in which addresses are first told; 0 where the address is none, and nothing has changed. */
uint32_t net_addresses_tell(
	struct net_addresses *, uint32_t host, const struct net_address *address);
/* The address of a host: 1 and *address, or 0 where the address is not known. */
int net_addresses_of(const struct net_addresses *, uint32_t host, struct net_address *address);

#endif
