#include "traps/limits.h"
#include "parser/shape.h"

struct form {
	uint64_t key;
};

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

static int is_known_form(const struct limits *l, const struct url_traits *u)
{
	return l->forms && u->form && map_find(&l->forms_known, u->form);
}

static int has_too_many_hosts(const struct limits *l, const struct url_traits *u)
{
	const struct host *host = l->hosts ? map_find(&l->hosts_known, u->host) : NULL;

	if (!l->hosts || (host && (host->domain & IS_COUNTED)))
		return 0;
	const struct domain *d = map_find(&l->domains, host ? host->domain : domain_of(u->url));
	return d && d->hosts >= l->hosts;
}

/* Returns the years from the year of the crawl to the date in a URL, less than 0 for a date in the past; 0: there is none. */
static int years_to(const struct limits *l, const struct url *u)
{
	return l->year ? shape_far_year(u, l->year, SHAPE_FIRST_YEAR) - l->year : 0;
}

static int is_old(const struct limits *l, const struct url *u)
{
	const int years = l->past ? years_to(l, u) : 0;

	return years < 0 && (uint32_t)-years > l->past;
}

int limits_is_old(const struct limits *l, const struct url_traits *u)
{
	return u->may_be_dated && is_old(l, u->url);
}

/* Says whether two URLs differ in numbers only, or in their queries only. */
static int are_alike(const struct url *a, const struct url *b)
{
	const uint64_t shape = shape_of(a), path = shape_without_query(a);

	return (shape && shape == shape_of(b)) || (path && path == shape_without_query(b));
}

/* Says whether a URL is a page of a calendar, far behind the year of the crawl. A page that links to many years, and is
 * no page of the calendar itself, may be a list of events. */
static int is_calendar(const struct limits *l, const struct url *u, const struct url *from)
{
	const int years = l->years ? years_to(l, u) : 0;

	return years > 0 && (uint32_t)years > l->years && (!from || are_alike(u, from));
}

/* Says whether a URL is the page of a calendar that has gone back, page by page, to a year that would not be taken for one
 * elsewhere. */
static int is_past_the_first_year(const struct limits *l, const struct url *u, const struct url *from)
{
	return l->year && l->past && !years_to(l, u) && shape_far_year(u, l->year, 1000) < SHAPE_FIRST_YEAR && from &&
		is_old(l, from) && are_alike(u, from);
}

enum outcome limits_judge_known(const struct limits *l, const struct url_traits *u)
{
	return l->depth && u->depth > l->depth ? OUTCOME_REPEATS : OUTCOME_NONE;
}

enum outcome limits_judge_new(const struct limits *l, const struct url_traits *u, const struct url *from)
{
	const enum outcome refusal = limits_judge_known(l, u);

	if (refusal)
		return refusal;
	if (u->may_be_dated && (is_calendar(l, u->url, from) || is_past_the_first_year(l, u->url, from)))
		return OUTCOME_CALENDAR;
	if (is_known_form(l, u))
		return OUTCOME_SESSION;
	return has_too_many_hosts(l, u) ? OUTCOME_HOSTS : OUTCOME_NONE;
}

void limits_count(struct limits *l, const struct url_traits *u)
{
	if (l->forms && u->form)
		map_at(&l->forms_known, u->form);
	if (!l->hosts)
		return;
	struct host *host = host_at(l, u);
	if (!(host->domain & IS_COUNTED))
		((struct domain *)map_at(&l->domains, host->domain))->hosts++;
	host->domain |= IS_COUNTED;
}
