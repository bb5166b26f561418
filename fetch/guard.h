/* The guard decides which addresses and ports a crawl may connect to. It judges the address that a
 * connection is about to be made to, whatever name, redirect, DNS answer or spelling led there.
 *
 *     struct guard *g = guard_new(&settings);
 *     guard_add_seed(g, &seed, GUARD_NAMED);
 *     guard_learn(g, &url, addresses, n);             what the name of the URL's host has been resolved to
 *     if (guard_judge_url(g, &url, GUARD_DIRECT) || !guard_allows(g, &address, &url)) ... no request
 *
 * A page may link to an address that only this machine, or its network, can reach. So an address that
 * is not public (private, loopback, link-local, multicast, reserved, and IPv6 forms that hold such an
 * IPv4 address) is connected to in these cases only:
 *   - the page's host and port are those of a seed that was granted, and the address is one that the grant holds;
 *   - a rule of --connect-to leads the page's host there;
 *   - the crawl reaches this machine alone, and the user has named the host's domain. (In a crawl of
 *     the web whoever owns a domain could lead its names to any address.)
 *
 * A seed is granted if the user has named it on the command line of this sitting (GUARD_NAMED). Whoever publishes pages can
 * get a name of theirs into a file that `lycosa seeds` writes, into a sitemap or into a store, so a seed of these (GUARD_LISTED)
 * is only granted in a crawl that reaches this machine alone. A grant is for one host and one port. It holds:
 *   - the address itself, if the seed's host is spelt as an address, in whatever spelling; any loopback address for localhost;
 *   - for another name, the loopback and private addresses of its first resolution in this sitting, if none of the
 *     addresses was public. So a public name never turns private later, and whoever answers for a name of the inner
 *     network cannot lead it on to other machines there. Other addresses (link-local, multicast, reserved) are not granted by a
 *     name.
 *
 *     seed named --> no resolution yet: nothing is granted
 *                       |-- guard_learn(): a public address among them --> public addresses only, for this sitting
 *                       +-- guard_learn(): none is public -------------> these addresses, for this sitting
 *
 * The user's proxy may be anywhere. What lies behind a proxy cannot be seen from here, but a host
 * spelt as an address that is not public, and localhost, are refused behind a proxy as well.
 *
 * A port at which another protocol than HTTP listens (mail, IRC, printers, databases) is asked only
 * where a seed that was granted names it, or a rule of --connect-to leads away from it: a server of lines of text may
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

/* Returns a guard without seeds. The texts of the settings must be valid until guard_free(). The caller frees it with
 * guard_free(). */
struct guard *guard_new(const struct guard_settings *);

/* Frees a guard. NULL is allowed. */
void guard_free(struct guard *);

/* Who has given a seed: the user on the command line, or a file, a store, another agent or the monitor. */
enum guard_origin { GUARD_NAMED, GUARD_LISTED };

/* Adds a seed. One thread adds seeds, at any time; fetcher threads may judge meanwhile. */
void guard_add_seed(struct guard *, const struct url *, enum guard_origin);

/* Says whether the host and port of a URL are those of a seed that was granted. */
int guard_grants(const struct guard *, const struct url *u);

/* Tells the guard the n > 0 addresses that the host of a URL was resolved to. The first call for a seed that was granted
 * decides what the grant holds. Any thread may call. */
void guard_learn(struct guard *, const struct url *u, const struct net_address *addresses, unsigned n);

/* Returns the i-th grant that holds an address that is not public, in the order of decision: the seed's URL up to its path,
 * valid until guard_free(). Returns NULL if there are no more, and always in a crawl that reaches this machine alone. */
const char *guard_private(const struct guard *, size_t i);

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
