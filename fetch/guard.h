/* The guard decides which addresses and ports a crawl may connect to. It judges the address that a
 * connection is about to be made to, whatever name, redirect, DNS answer or spelling led there.
 *
 *     struct guard *g = guard_new(&settings);
 *     guard_add_seed(g, &seed);
 *     if (guard_judge_url(g, &url, GUARD_DIRECT) || !guard_allows(g, &address, &url)) ... no request
 *
 * A page may link to an address that only this machine, or its network, can reach. So an address that
 * is not public (private, loopback, link-local, multicast, reserved, and IPv6 forms that hold such an
 * IPv4 address) is connected to in these cases only:
 *   - the page's host and port are those of a seed, or the address and the port are those of a seed
 *     whose host is an address. A site at port 80 may also answer at 443, and the other way round;
 *   - a rule of --connect-to leads the page's host there;
 *   - the crawl reaches this machine alone, and the user has named the host's domain. (In a crawl of
 *     the web whoever owns a domain could lead its names to any address.)
 * The user's proxy may be anywhere. What lies behind a proxy cannot be seen from here, but a host
 * spelt as an address that is not public, and localhost, are refused behind a proxy as well.
 *
 * A port at which another protocol than HTTP listens (mail, IRC, printers, databases) is asked only
 * where a seed names it, or a rule of --connect-to leads away from it: a server of lines of text may
 * take the lines of an HTTP request for its own. The ports are those that browsers refuse (WHATWG,
 * Fetch, "bad port"), and 6379, 9100 and 11211, of servers that act on what they read. */
#ifndef FETCH_GUARD_H
#define FETCH_GUARD_H

#include "base/outcome.h"
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

enum guard_way { GUARD_DIRECT, GUARD_PROXIED }; /* whether a proxy stands between */

/* What can be told of a page from its URL, before any address is known: OUTCOME_NONE, OUTCOME_PORT (the port
 * is that of another protocol), or OUTCOME_PRIVATE (the host is asked through a proxy, and is spelt as
 * an address that is not public, or as localhost). */
enum outcome guard_judge_url(const struct guard *, const struct url *u, enum guard_way way);

/* Whether `address` may be connected to for a page at `u`. */
int guard_allows(const struct guard *, const struct net_address *address, const struct url *u);
/* Whether the user's proxy at `address` may be connected to (fetch/proxies.h). */
int guard_allows_proxy(const struct guard *, const struct net_address *address);

#endif
