/* Which nodes of a graph belong together: those of one host, or of one registrable domain as the
 * Public Suffix List has it ("example.co.uk"). */
#ifndef CLI_SITES_H
#define CLI_SITES_H

#include "graph/formats/names.h"

enum site_by { SITE_HOST, SITE_DOMAIN };

#define SITE_WORDS "host|domain" /* of a FLAG_CHOICE */

/* Writes to site[h], for each host h of names->hosts, the number of the host's site: the lowest number of
 * a host that belongs to the same site. A host without a registrable domain (an address, "localhost",
 * "co.uk") is a site of its own. The port belongs to a host, and does not to a domain. */
void sites_of_hosts(const struct names *names, enum site_by by, uint32_t *site);

#endif
