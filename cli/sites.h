/* Which nodes of a graph belong together: those of one host, or of one registrable domain as the
 * Public Suffix List has it ("example.co.uk"). */
#ifndef CLI_SITES_H
#define CLI_SITES_H

#include "graph/formats/names.h"

enum site_by { SITE_HOST, SITE_DOMAIN };

#define SITE_WORDS "host|domain" /* of a FLAG_CHOICE */

/* A number for each host, equal where the site is: the lowest host of it. `site[names->hosts]`. A
 * host that has no registrable domain (an address, "localhost", "co.uk") is a site of its own;
 * ports make no difference to a domain. */
void sites_of_hosts(const struct names *names, enum site_by by, uint32_t *site);

#endif
