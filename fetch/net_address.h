/* IP addresses, and the numbers that stand for them in the frontier, which counts the requests to each address for
 * politeness.
 *
 *     struct net_address a = net_address_read("::1", 3);
 *     uint32_t number = net_addresses_tell(all, host, &a);     1, 2, 3 ... for each new address
 */
#ifndef FETCH_NET_ADDRESS_H
#define FETCH_NET_ADDRESS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

/* An IPv6 address, or an IPv4 address mapped into one. All bytes 0 is "none". An address has no port, since all ports
 * belong to one machine. */
struct net_address {
	unsigned char ip[16];
};

/* Returns the address of a socket address; none if it is neither IPv4 nor IPv6. */
struct net_address net_address_of(const struct sockaddr *);

/* Parses "127.0.0.1", "::1" or "[::1]", n bytes; the result is none if the text is no address. */
struct net_address net_address_read(const char *text, size_t n);

/* Says whether an address is a mapped IPv4 address. */
int net_address_is_v4(const struct net_address *);

/* Says whether an address is none. */
int net_address_is_none(const struct net_address *);

/* Says whether two addresses are equal. */
int net_address_equal(const struct net_address *, const struct net_address *);

/* A table of hosts and their addresses, for one thread. */
struct net_addresses;

/* Returns an empty table; the caller frees it with net_addresses_free(). */
struct net_addresses *net_addresses_new(void);

/* Frees a table. */
void net_addresses_free(struct net_addresses *);

/* Sets the address of a host (hosts have dense ids). Returns the number of the address: 1, 2, 3 ... in the order in which
 * addresses were first set; or 0 if the address is none, in which case nothing changes. */
uint32_t net_addresses_tell(struct net_addresses *, uint32_t host, const struct net_address *address);

/* Looks up the number of the address of a host. Returns 0 if the address is not known. */
uint32_t net_addresses_number(const struct net_addresses *, uint32_t host);

/* Looks up the address of a host. Returns 1 with *address, or 0 if it is not known. */
int net_addresses_of(const struct net_addresses *, uint32_t host, struct net_address *address);

#endif
