#include "cli/sites.h"
#include "base/mem.h"
#include "parser/shape.h"

#include <stdlib.h>
#include <string.h>

struct entry {
	char *domain;
	uint32_t host;
};

/* Returns the registrable domain of "name" or "name:port", or the name without the port if it has none. The caller frees it. */
static char *domain_of(const char *host)
{
	const char *bracket = strchr(host, ']');
	const size_t n = bracket ? (size_t)(bracket - host) + 1 : strcspn(host, ":");
	const size_t start = domain_start(host, n);

	return mem_part(host + start, n - start);
}

static int by_domain(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = strcmp(x->domain, y->domain);

	return order ? order : x->host < y->host ? -1 : 1;
}

void sites_of_hosts(const struct names *names, enum site_by by, uint32_t *site)
{
	if (by == SITE_HOST) {
		for (uint32_t h = 0; h < names->hosts; h++)
			site[h] = h;
		return;
	}
	AUTO_FREE struct entry *e = mem_new(names->hosts, sizeof *e);
	for (uint32_t h = 0; h < names->hosts; h++)
		e[h] = (struct entry){domain_of(names->host_text + names->host_start[h]), h};
	qsort(e, names->hosts, sizeof *e, by_domain);
	for (uint32_t i = 0, first = 0; i < names->hosts; i++) {
		if (strcmp(e[i].domain, e[first].domain) != 0)
			first = i;
		site[e[i].host] = e[first].host;
	}
	for (uint32_t i = 0; i < names->hosts; i++)
		free(e[i].domain);
}
