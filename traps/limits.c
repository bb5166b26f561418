#include "traps/limits.h"
#include "parser/shape.h"

struct form {
	uint32_t key[2];
	uint32_t first;
};

/* Numbers before this one are no years. */
#define FIRST_YEAR 1000

/* Most of the hosts that a crawl knows are in this table: so the lowest bit of the domain, which is a hash, says whether the host
 * is counted, and is 0 in the hash itself. */
#define IS_COUNTED 1u

struct host {
	uint64_t key, domain;
};

struct domain {
	uint32_t key[2];
	uint32_t hosts;
};

void limits_init(struct limits *l)
{
	map_init_paged(&l->forms_known, sizeof(struct form));
	map_init_paged(&l->hosts_known, sizeof(struct host));
	map_init_paged(&l->domains, sizeof(struct domain));
}

void limits_release(struct limits *l)
{
	map_release(&l->forms_known);
	map_release(&l->hosts_known);
	map_release(&l->domains);
}

static uint64_t domain_of(const struct url *u)
{
	return shape_domain(u) & ~(uint64_t)IS_COUNTED;
}

/* Returns the record of the URL's host, and computes its domain if the record is new. */
static struct host *host_at(struct limits *l, const struct url_traits *u)
{
	const size_t known = l->hosts_known.used;
	struct host *host = map_at(&l->hosts_known, u->host);

	if (l->hosts_known.used > known)
		host->domain = domain_of(u->url);
	return host;
}

uint64_t limits_domain(struct limits *l, const struct url_traits *u)
{
	return host_at(l, u)->domain & ~(uint64_t)IS_COUNTED;
}

int limits_has_form(const struct limits *l, const struct url_traits *u, uint32_t id, uint32_t *first)
{
	const struct form *form = l->forms && u->form ? map_find(&l->forms_known, u->form) : NULL;

	if (!form || form->first == id)
		return 0;
	*first = form->first;
	return 1;
}

static int has_too_many_hosts(const struct limits *l, const struct url_traits *u)
{
	const struct host *host = l->hosts ? map_find(&l->hosts_known, u->host) : NULL;

	if (!l->hosts || (host && (host->domain & IS_COUNTED)))
		return 0;
	const struct domain *d = map_find(&l->domains, host ? host->domain : domain_of(u->url));
	return d && d->hosts >= l->hosts;
}

int limits_is_odd(const struct limits *l, const struct url_traits *u)
{
	return (l->depth && u->depth > l->depth) || (l->repeats && u->depth > l->repeats && shape_repeats(u->url) > l->repeats);
}

int limits_is_far(const struct limits *l, const struct url_traits *u)
{
	if (!l->year || !u->may_be_dated)
		return 0;
	const int years = shape_far_year(u->url, l->year, FIRST_YEAR) - l->year;
	return years < 0 ? l->past && (uint32_t)-years > l->past : l->years && (uint32_t)years > l->years;
}

enum outcome limits_judge(const struct limits *l, const struct url_traits *u)
{
	return has_too_many_hosts(l, u) ? OUTCOME_HOSTS : OUTCOME_NONE;
}

void limits_count(struct limits *l, const struct url_traits *u, uint32_t id)
{
	const size_t known = l->forms_known.used;

	if (l->forms && u->form) {
		struct form *form = map_at(&l->forms_known, u->form);
		if (l->forms_known.used > known)
			form->first = id;
	}
	if (!l->hosts)
		return;
	struct host *host = host_at(l, u);
	if (!(host->domain & IS_COUNTED))
		((struct domain *)map_at(&l->domains, host->domain))->hosts++;
	host->domain |= IS_COUNTED;
}
