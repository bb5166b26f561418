/* Which proxy a request goes through. This is decided here and not by libcurl, since the guard, which judges the
 * address of a connection, must know whether the user's proxy is there or a host that a page has led to.
 *
 *     const char *proxy = proxies_for(p, &url);      NULL: the URL is asked for directly
 */
#ifndef FETCH_PROXIES_H
#define FETCH_PROXIES_H

#include "parser/url.h"

struct proxies;

/* Reads the settings. `given` is the proxy for every URL; "" is no proxy; NULL leaves it to the environment, in curl's
 * way: http_proxy, https_proxy, HTTPS_PROXY, or else all_proxy, ALL_PROXY. In each case the hosts that no_proxy or
 * NO_PROXY lists are asked directly: domains with all below them, addresses, blocks of addresses (10.0.0.0/8),
 * an asterisk for all, with commas or blanks between. The environment is read now. */
struct proxies *proxies_new(const char *given);
void proxies_free(struct proxies *);

/* The proxy a URL is asked for through, until proxies_free(); NULL: it is asked for directly. */
const char *proxies_for(const struct proxies *, const struct url *);

#endif
