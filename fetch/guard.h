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
 *     whose host is an address. A seed at port 80 also allows port 443 of its host, and a seed at port 443 port 80;
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
	GUARD_LOOPBACK, /* addresses of this machine only */
	GUARD_PUBLIC,   /* addresses of this machine, and public ones */
};

/* Says whether an address is this machine's own: 127.0.0.0/8 or ::1. */
int guard_is_loopback(const struct net_address *);

/* Says whether an address is public, by the rules above. */
int guard_is_public(const struct net_address *);

struct guard_settings {
	enum guard_reach reach;
	int allow_private;             /* 1: every address is allowed, for any page (--allow-private) */
	const char *domains;           /* the domains that the user named, with commas between; may be NULL */
	const char *const *connect_to; /* curl's HOST:PORT:TO:PORT, NULL-terminated; may be NULL */
};

struct guard;

/* Returns a guard without seeds. The settings and their texts are copied. The caller frees it with guard_free(). */
struct guard *guard_new(const struct guard_settings *);

/* Frees a guard. NULL is allowed. */
void guard_free(struct guard *);

/* Adds a seed. One thread adds seeds, at any time; fetcher threads may judge meanwhile. */
void guard_add_seed(struct guard *, const struct url *);

/* Whether a request goes to the host itself or through a proxy. */
enum guard_way { GUARD_DIRECT, GUARD_PROXIED };

/* Judges a page by its URL, before an address is known. Returns OUTCOME_NONE; OUTCOME_PORT if the port is that of another
 * protocol; or OUTCOME_PRIVATE if the request would go through a proxy and the host is spelt as an address that is
 * not public, or as localhost. */
enum outcome guard_judge_url(const struct guard *, const struct url *u, enum guard_way way);

/* Says whether a connection to `address` is allowed for the page at `u`. */
int guard_allows(const struct guard *, const struct net_address *address, const struct url *u);

/* Says whether a connection to the user's proxy at `address` is allowed (fetch/proxies.h). */
int guard_allows_proxy(const struct guard *, const struct net_address *address);

#endif
