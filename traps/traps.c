#include "traps/traps.h"
#include "base/map.h"
#include "base/mem.h"
#include "traps/copies.h"
#include "traps/forms.h"
#include "traps/mirrors.h"
#include "parser/shape.h"

#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

const struct opt traps_options[] = {
	{"repeats", OPT_COUNT, 3, 0, 1000, NULL,
		"times in a row that segments of a path may stand"},
	{"depth", OPT_COUNT, 50, 0, 1000, NULL, "segments of a path"},
	{"years", OPT_COUNT, 5, 0, 10000, NULL, "a calendar's years from now on"},
	{"past", OPT_COUNT, 60, 0, 10000, NULL, "a calendar's years back from now"},
	{"queries", OPT_COUNT, 10000, 0, 1e9, NULL, "queries of one path"},
	{"hosts", OPT_COUNT, 1000, 0, 1e9, NULL, "hosts of a registrable domain"},
	{"forms", OPT_COUNT, 1, 0, 1, NULL,
		"whether a URL known but for its session id or its query's order is left out"},
	{"copies", OPT_COUNT, 64, 0, 1e9, NULL,
		"copies in a row that copies led to, and what else they lead to is left"},
	{"copies-bits", OPT_COUNT, 0, 0, 32, NULL,
		"near-copies count, too: those whose simhash differs in fewer bits of 64"},
	{"mirror", OPT_COUNT, 32, 0, 1e9, NULL, "copies under the same names that make a mirror"},
	{.name = NULL},
};

struct path {
	uint64_t key; /* host and path */
	uint32_t queries;
};

struct domain {
	uint64_t key;
	uint32_t hosts;
};

struct host {
	uint64_t key;
};

struct traps {
	int year;
	uint32_t repeats, depth, years, past, queries, hosts;
	struct copies copies;
	struct forms forms;
	struct mirrors mirrors;
	struct map paths, domains;
	struct map known; /* hosts */
	struct {          /* of the page being read */
		int is_read;
		uint64_t shape, without_query;
	} page;
};

static uint32_t limit(const struct opt_set *set, const char *name)
{
	return (uint32_t)opt_number(set, name);
}

struct traps *traps_new(const struct opt_set *set, int year)
{
	struct traps *t = mem_zero(1, sizeof *t);

	t->year = year;
	t->repeats = limit(set, "repeats");
	t->depth = limit(set, "depth");
	t->years = limit(set, "years");
	t->past = limit(set, "past");
	t->queries = limit(set, "queries");
	t->hosts = limit(set, "hosts");
	copies_init(&t->copies, limit(set, "copies"), limit(set, "copies-bits"));
	forms_init(&t->forms, limit(set, "forms") != 0);
	mirrors_init(&t->mirrors, limit(set, "mirror"));
	map_init(&t->paths, sizeof(struct path));
	map_init(&t->domains, sizeof(struct domain));
	map_init(&t->known, sizeof(struct host));
	return t;
}

void traps_free(struct traps *t)
{
	if (!t)
		return;
	copies_release(&t->copies);
	forms_release(&t->forms);
	mirrors_release(&t->mirrors);
	map_release(&t->paths);
	map_release(&t->domains);
	map_release(&t->known);
	free(t);
}

static uint64_t path_key(const struct url *u)
{
	return XXH3_64bits(u->text.at + u->host, u->query - u->host);
}

static int has_query(const struct url *u)
{
	return u->query < u->text.used;
}

static int has_too_many_queries(const struct traps *t, const struct url *u)
{
	if (!t->queries || !has_query(u))
		return 0;
	const struct path *p = map_find(&t->paths, path_key(u));
	return p && p->queries >= t->queries;
}

static int has_too_many_hosts(const struct traps *t, const struct url *u)
{
	if (!t->hosts || map_find(&t->known, shape_host(u)))
		return 0;
	const struct domain *d = map_find(&t->domains, shape_domain(u));
	return d && d->hosts >= t->hosts;
}

static int is_far_away(const struct traps *t, int years)
{
	return years > 0 ? t->years && (uint32_t)years > t->years
			 : t->past && (uint32_t)-years > t->past;
}

enum outcome traps_judge_url(const struct traps *t, const struct url *u)
{
	if ((t->repeats && shape_repeats(u) > t->repeats) ||
		(t->depth && shape_depth(u) > t->depth))
		return OUTCOME_REPEATS;
	return OUTCOME_NONE;
}

/* Whether a URL is that of the page being read but for numbers or query. */
static int is_like_page(const struct traps *t, const struct url *u)
{
	const uint64_t shape = shape_of(u), without_query = shape_without_query(u);

	return (shape && shape == t->page.shape) ||
	       (without_query && without_query == t->page.without_query);
}

/* Years far away are one page's links to more of its like; what a list of years leads to is none. */
static int is_calendar(const struct traps *t, const struct url *u)
{
	return t->year && is_far_away(t, shape_far_year(u, t->year) - t->year) &&
	       (!t->page.is_read || is_like_page(t, u));
}

enum outcome traps_judge(const struct traps *t, const struct url *u)
{
	const enum outcome refusal = traps_judge_url(t, u);

	if (refusal)
		return refusal;
	if (is_calendar(t, u))
		return OUTCOME_CALENDAR;
	if (has_too_many_queries(t, u) || forms_has(&t->forms, u))
		return OUTCOME_QUERIES;
	return has_too_many_hosts(t, u) ? OUTCOME_HOSTS : OUTCOME_NONE;
}

enum outcome traps_judge_queued(const struct traps *t, const struct url *u)
{
	return forms_came_before(&t->forms, u) ? OUTCOME_QUERIES : OUTCOME_NONE;
}

enum outcome traps_judge_doubtful(const struct traps *t, const struct url *u)
{
	return copies_leave(&t->copies, u) ? OUTCOME_COPY : OUTCOME_NONE;
}

int traps_original(const struct traps *t, const struct url *u, struct mirrors_original *out)
{
	return mirrors_find(&t->mirrors, u, out);
}

int traps_are_found(const struct traps *t)
{
	return t->copies.closed + t->forms.learnt + t->mirrors.found > 0;
}

void traps_seen(struct traps *t, const struct url *u, enum outcome refusal)
{
	if (refusal)
		return;
	if (t->queries && has_query(u))
		((struct path *)map_at(&t->paths, path_key(u)))->queries++;
	forms_seen(&t->forms, u);
	const uint64_t key = shape_host(u);
	if (!t->hosts || map_find(&t->known, key))
		return;
	map_at(&t->known, key);
	((struct domain *)map_at(&t->domains, shape_domain(u)))->hosts++;
}

void traps_doubted(struct traps *t, uint32_t id)
{
	if (t->page.is_read)
		copies_led(&t->copies, id);
}

int traps_wants_fingerprints(const struct traps *t)
{
	return t->copies.most || t->mirrors.most || t->forms.is_on;
}

int traps_wants_simhash(const struct traps *t)
{
	return t->copies.most && t->copies.near;
}

struct page_copied traps_came(struct traps *t, const struct url *u, const struct page_marks *marks,
	const struct page_came *came)
{
	const struct page_copied copied = copies_add(&t->copies, u, marks, came);

	if (marks->gist)
		forms_came(&t->forms, u, copied.first);
	t->page.is_read = 1;
	t->page.shape = shape_of(u);
	t->page.without_query = shape_without_query(u);
	return copied;
}

void traps_read(struct traps *t)
{
	t->page.is_read = 0;
	t->page.shape = t->page.without_query = 0;
}

struct mirrors *traps_mirrors(struct traps *t)
{
	return &t->mirrors;
}
