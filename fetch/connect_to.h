/* The user's rules of where to connect to: HOST:PORT:TO:PORT, as curl's --connect-to takes them. An empty
 * HOST or PORT is any; an empty TO or second PORT is the URL's own. The first rule that fits holds.
 *
 *     struct connect_target to;
 *     connect_to_find(rules, &url, &to);      to.host, to.port: the URL's own where no rule fits
 */
#ifndef FETCH_CONNECT_TO_H
#define FETCH_CONNECT_TO_H

#include "parser/url.h"

struct connect_target {
	const char *host; /* n bytes, without the brackets of IPv6; the rule's or the URL's */
	size_t n;
	unsigned port;
};

/* Where a URL is connected to: 1 where a rule says so, 0 where it is its own host and port. `rules` is
 * NULL-terminated, or NULL. */
int connect_to_find(const char *const *rules, const struct url *u, struct connect_target *to);

#endif
