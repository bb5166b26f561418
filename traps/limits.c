#include "traps/limits.h"
#include "parser/shape.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

struct path {
	uint64_t key; /* host and path */
	uint32_t queries;
};

struct form {
	uint64_t key;
};

struct host {
	uint64_t key, domain;
	uint32_t is_counted;
};

struct domain {
	uint64_t key;
	uint32_t hosts;
};

/* What is asked of a URL by more than one of the rules. */
struct asked {
	uint64_t path; /* 0: without a query */
	uint64_t form; /* 0: none */
	uint64_t host;
};

void limits_init(struct limits *l)
{
	map_init(&l->paths, sizeof(struct path));
	map_init(&l->forms_known, sizeof(struct form));
	map_init(&l->hosts_known, sizeof(struct host));
	map_init(&l->domains, sizeof(struct domain));
}

void limits_release(struct limits *l)
{
	map_release(&l->paths);
	map_release(&l->forms_known);
	map_release(&l->hosts_known);
	map_release(&l->domains);
}

static struct host *host_at(struct limits *l, const struct url *u, uint64_t key)
{
	const size_t known = l->hosts_known.used;
	struct host *host = map_at(&l->hosts_known, key);

	if (l->hosts_known.used > known)
		host->domain = shape_domain(u);
	return host;
}

uint64_t limits_domain(struct limits *l, const struct url *u, uint64_t host)
{
	return host_at(l, u, host)->domain;
}

static struct asked ask(const struct limits *l, const struct url *u)
{
	struct asked a = {0, 0, 0};

	if (l->queries && u->query < u->text.used)
		a.path = XXH3_64bits(u->text.at + u->host, u->query - u->host);
	if (l->forms)
		a.form = shape_form(u);
	if (l->hosts)
		a.host = shape_host(u);
	return a;
}

static int has_too_many_queries(const struct limits *l, const struct asked *a)
{
	const struct path *p = a->path ? map_find(&l->paths, a->path) : NULL;

	return p && p->queries >= l->queries;
}

static int is_known_form(const struct limits *l, const struct asked *a)
{
	return a->form && map_find(&l->forms_known, a->form);
}

static int has_too_many_hosts(const struct limits *l, const struct asked *a, const struct url *u)
{
	const struct host *host = l->hosts ? map_find(&l->hosts_known, a->host) : NULL;

	if (!l->hosts || (host && host->is_counted))
		return 0;
	const struct domain *d = map_find(&l->domains, host ? host->domain : shape_domain(u));
	return d && d->hosts >= l->hosts;
}

static void add(struct limits *l, const struct asked *a, const struct url *u)
{
	if (a->path)
		((struct path *)map_at(&l->paths, a->path))->queries++;
	if (a->form)
		map_at(&l->forms_known, a->form);
	if (!l->hosts)
		return;
	struct host *host = host_at(l, u, a->host);
	if (!host->is_counted)
		((struct domain *)map_at(&l->domains, host->domain))->hosts++;
	host->is_counted = 1;
}

static int is_far_away(const struct limits *l, int years)
{
	return years > 0 ? l->years && (uint32_t)years > l->years
			 : l->past && (uint32_t)-years > l->past;
}

/* Whether two URLs are the same but for numbers or query. */
static int are_alike(const struct url *a, const struct url *b)
{
	const uint64_t shape = shape_of(a), path = shape_without_query(a);

	return (shape && shape == shape_of(b)) || (path && path == shape_without_query(b));
}

/* Years far away are one page's links to more of its like; a list of years leads to no trap. */
static int is_calendar(const struct limits *l, const struct url *u, const struct url *from)
{
	return l->year && is_far_away(l, shape_far_year(u, l->year) - l->year) &&
	       (!from || are_alike(u, from));
}

enum outcome limits_judge(const struct limits *l, const struct url *u)
{
	const unsigned depth = l->depth || l->repeats ? shape_depth(u) : 0;

	if ((l->depth && depth > l->depth) ||
		(l->repeats && depth > l->repeats && shape_repeats(u) > l->repeats))
		return OUTCOME_REPEATS;
	return OUTCOME_NONE;
}

enum outcome limits_judge_found(
	const struct limits *l, const struct url *u, const struct url *from)
{
	enum outcome refusal = limits_judge(l, u);

	if (refusal)
		return refusal;
	if (is_calendar(l, u, from))
		return OUTCOME_CALENDAR;
	const struct asked a = ask(l, u);
	if (has_too_many_queries(l, &a) || is_known_form(l, &a))
		return OUTCOME_QUERIES;
	return has_too_many_hosts(l, &a, u) ? OUTCOME_HOSTS : OUTCOME_NONE;
}

void limits_count(struct limits *l, const struct url *u)
{
	const struct asked a = ask(l, u);

	add(l, &a, u);
}
