/* The user's rules on where to connect (--connect-to), in curl's form HOST:PORT:TO:PORT. An empty HOST or first PORT
 * matches every host or port; an empty TO or second PORT stands for the URL's own. The first rule that matches holds.
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

/* Determines the host and port to connect to for a URL. Returns 1 if a rule matches, or 0 if *to is the URL's own host and
 * port. `rules` is a list that ends with NULL, or NULL. *to points into the rule or the URL. */
int connect_to_find(const char *const *rules, const struct url *u, struct connect_target *to);

#endif
