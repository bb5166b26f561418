/* Which proxy a request goes through. It is decided here rather than by libcurl, since whoever looks
 * at the address of a connection must know whether it is the user's proxy or what a page led to. */
#ifndef FETCH_PROXIES_H
#define FETCH_PROXIES_H

#include "parser/url.h"

struct proxies;

/* `given` for every URL; "": none; NULL: as the environment says, in curl's way: http_proxy,
 * https_proxy, HTTPS_PROXY, else all_proxy, ALL_PROXY. In any case not for what no_proxy or NO_PROXY
 * lists: domains with all below them, addresses, blocks of addresses (10.0.0.0/8), an asterisk for
 * all; with commas or blanks between. The environment is read now. */
struct proxies *proxies_new(const char *given);
void proxies_free(struct proxies *);

/* The proxy a URL is asked for through, until proxies_free(); NULL: it is asked for directly. */
const char *proxies_for(const struct proxies *, const struct url *);

#endif
