/* Which addresses a crawl may connect to: judged by the address that a connection is about to be
 * made to, whatever name, redirect, DNS answer or spelling led there.
 *
 * A page may link to what only this machine, or its network, can reach. So addresses that are not
 * public (private, loopback, link-local, multicast, reserved, and IPv6 forms that hold such an IPv4
 * address) are connected to only where a seed is there itself: where the host is one of the seeds'
 * hosts, or the address is that of a seed whose host is an address; or where the user has said so,
 * with a rule of --connect-to for the host, or a proxy (it decides then, what lies behind it cannot
 * be seen from here), or, in a crawl of this machine alone, by naming its domain. (Elsewhere whoever
 * owns a domain could lead its names to any address.) */
#ifndef FETCH_GUARD_H
#define FETCH_GUARD_H

#include "fetch/net_address.h"
#include "parser/url.h"

enum guard_reach {
	GUARD_LOOPBACK, /* this machine alone */
	GUARD_PUBLIC,   /* and what is public */
};

/* The kinds of an address. */
int guard_is_loopback(const struct net_address *); /* 127.0.0.0/8, ::1 */
int guard_is_public(const struct net_address *);

struct guard_settings {
	enum guard_reach reach;
	int allow_private;             /* to all that `reach` says, seed or not */
	const char *domains;           /* that the user named, commas between; may be NULL */
	const char *const *connect_to; /* curl's HOST:PORT:TO:PORT, NULL-terminated; may be NULL */
};

struct guard;

/* Copies what the settings point to. */
struct guard *guard_new(const struct guard_settings *);
void guard_free(struct guard *);

/* A seed: before the first transfer starts; afterwards threads share the guard, and only read. */
void guard_add_seed(struct guard *, const struct url *);

/* Whether `address` may be connected to for a page at `u`. */
int guard_allows(const struct guard *, const struct net_address *address, const struct url *u);
/* Likewise where it is the user's proxy that is connected to (fetch/proxies.h). */
int guard_allows_proxy(const struct guard *, const struct net_address *address);

#endif
