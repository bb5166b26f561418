/* Decides which proxy a request goes through. libcurl could decide this as well, but the guard, which judges the address of
 * each connection, must know whether the address is that of the user's proxy or of a host that a page links to.
 *
 *     const char *proxy = proxies_for(p, &url);      NULL: the URL is asked for directly
 */
#ifndef FETCH_PROXIES_H
#define FETCH_PROXIES_H

#include "parser/url.h"

struct proxies;

/* Reads the settings. `given` is the proxy for every URL; "" means no proxy; NULL means the proxies of the environment,
 * which is read now, as curl does: http_proxy, https_proxy, HTTPS_PROXY, or else all_proxy, ALL_PROXY. In each case the
 * hosts in no_proxy or NO_PROXY are asked directly. That list has commas or blanks between its entries: a domain with
 * all its subdomains, an address, a block of addresses (10.0.0.0/8), or an asterisk for every host. The caller frees
 * the result with proxies_free(). */
struct proxies *proxies_new(const char *given);

/* Frees the proxies. */
void proxies_free(struct proxies *);

/* Returns the proxy for a URL, valid until proxies_free(), or NULL if the request goes to the host itself. Any thread may
 * call. */
const char *proxies_for(const struct proxies *, const struct url *);

#endif
