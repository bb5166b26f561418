#include "crawler/traps.h"
#include "base/map.h"
#include "base/mem.h"
#include "crawler/alike.h"
#include "crawler/shape.h"

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
	{"copies", OPT_COUNT, 32, 0, 1e9, NULL,
		"pages of a host with the same bytes that are followed"},
	{"forms", OPT_COUNT, 1, 0, 1, NULL,
		"whether a URL known but for its session id or its query's order is left out"},
	{"alike", OPT_COUNT, 64, 0, 1e9, NULL, "copies in a row that close a shape of URLs"},
	{"alike-bits", OPT_COUNT, 0, 0, 32, NULL,
		"near-copies count, too: those whose simhash differs in fewer bits of 64"},
	{"mirror", OPT_COUNT, 0, 0, 1e9, NULL, "pages two hosts share that make one a mirror"},
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
	uint32_t pages;  /* crawled */
	uint32_t number; /* from 1, once a page was crawled */
	uint32_t is_mirror;
};

struct content {
	uint64_t key;  /* the digest's */
	uint32_t host; /* where it was first: the host's number, or 0 */
	uint32_t path; /* likewise: of the path's hash what tells two apart */
};

struct count {
	uint64_t key;
	uint32_t n;
};

struct traps {
	int year;
	uint32_t repeats, depth, years, past, queries, hosts, copies, mirror;
	int use_forms;
	size_t mirrors;
	struct alike alike;
	struct map paths, domains, known, contents;
	struct map gists; /* by host */
	struct map forms; /* of URLs known */
	struct map more;  /* copies of a content on a host, beside the very first */
	struct map twins; /* pages of the same path and content that two hosts have */
	uint64_t *host;   /* keys of the hosts numbered */
	size_t hosts_room;
	uint32_t numbered;
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
	t->copies = limit(set, "copies");
	alike_init(&t->alike, limit(set, "alike"), limit(set, "alike-bits"));
	t->mirror = limit(set, "mirror");
	t->use_forms = limit(set, "forms") != 0;
	map_init(&t->paths, sizeof(struct path));
	map_init(&t->domains, sizeof(struct domain));
	map_init(&t->known, sizeof(struct host));
	map_init(&t->gists, sizeof(struct count));
	map_init(&t->forms, sizeof(struct count));
	map_init(&t->contents, sizeof(struct content));
	map_init(&t->more, sizeof(struct count));
	map_init(&t->twins, sizeof(struct count));
	return t;
}

void traps_free(struct traps *t)
{
	if (!t)
		return;
	map_release(&t->paths);
	map_release(&t->domains);
	map_release(&t->known);
	alike_release(&t->alike);
	map_release(&t->gists);
	map_release(&t->forms);
	map_release(&t->contents);
	map_release(&t->more);
	map_release(&t->twins);
	free(t->host);
	free(t);
}

static uint64_t path_key(const struct url *u)
{
	return XXH3_64bits(u->text.at + u->host, u->query - u->host);
}

static uint64_t both(uint64_t a, uint64_t b)
{
	const uint64_t pair[2] = {a, b};

	return XXH3_64bits(pair, sizeof pair);
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

enum refusal traps_closed(const struct traps *t, const struct url *u)
{
	if (alike_is_closed(&t->alike, u))
		return REFUSAL_ALIKE;
	const struct host *host = t->mirrors ? map_find(&t->known, shape_host(u)) : NULL;
	return host && host->is_mirror ? REFUSAL_MIRROR : REFUSAL_NONE;
}

int traps_are_found(const struct traps *t)
{
	return t->alike.closed + t->mirrors > 0;
}

static int is_far_away(const struct traps *t, int years)
{
	return years > 0 ? t->years && (uint32_t)years > t->years
			 : t->past && (uint32_t)-years > t->past;
}

enum refusal traps_judge_url(const struct traps *t, const struct url *u)
{
	if ((t->repeats && shape_repeats(u) > t->repeats) ||
		(t->depth && shape_depth(u) > t->depth))
		return REFUSAL_REPEATS;
	return REFUSAL_NONE;
}

/* Years far away are one page's links to more of its like; what a list of years leads to is none. */
static int is_calendar(const struct traps *t, const struct url *u)
{
	return t->year && is_far_away(t, shape_far_year(u, t->year) - t->year) &&
	       alike_shares(&t->alike, u) != 0;
}

static int is_form_of_another(const struct traps *t, const struct url *u)
{
	const uint64_t form = t->use_forms ? shape_form(u) : 0;

	return form && map_find(&t->forms, form);
}

enum refusal traps_judge(const struct traps *t, const struct url *u)
{
	const enum refusal refusal = traps_judge_url(t, u);

	if (refusal)
		return refusal;
	if (is_calendar(t, u))
		return REFUSAL_CALENDAR;
	if (has_too_many_queries(t, u) || is_form_of_another(t, u))
		return REFUSAL_QUERIES;
	if (has_too_many_hosts(t, u))
		return REFUSAL_HOSTS;
	return traps_closed(t, u);
}

void traps_seen(struct traps *t, const struct url *u, enum refusal refusal)
{
	if (refusal)
		return;
	if (t->queries && has_query(u))
		((struct path *)map_at(&t->paths, path_key(u)))->queries++;
	const uint64_t form = t->use_forms ? shape_form(u) : 0;
	if (form)
		map_at(&t->forms, form);
	const uint64_t key = shape_host(u);
	if (map_find(&t->known, key))
		return;
	map_at(&t->known, key);
	if (t->hosts)
		((struct domain *)map_at(&t->domains, shape_domain(u)))->hosts++;
}

int traps_wants_simhash(const struct traps *t)
{
	return t->alike.most && t->alike.near;
}

/* Two hosts have the same page under the same path. The one with fewer pages is the mirror, where
 * four fifths of what it has are the other's. */
static void learn_twin(struct traps *t, uint64_t a, uint64_t b)
{
	struct count *twins = map_at(&t->twins, a < b ? both(a, b) : both(b, a));
	const struct host *x = map_find(&t->known, a), *y = map_find(&t->known, b);

	twins->n++;
	if (!x || !y || twins->n < t->mirror)
		return;
	struct host *fewer = map_at(&t->known, y->pages < x->pages ? b : a);
	if (5ull * twins->n >= 4ull * fewer->pages && !fewer->is_mirror) {
		fewer->is_mirror = 1;
		t->mirrors++;
	}
}

/* Counts a page of a host, and returns the host's number. */
static uint32_t count_page(struct traps *t, uint64_t key)
{
	struct host *host = map_at(&t->known, key);

	host->pages++;
	if (!host->number) {
		t->host =
			mem_grow(t->host, &t->hosts_room, (size_t)t->numbered + 1, sizeof *t->host);
		t->host[t->numbered] = key;
		host->number = ++t->numbered;
	}
	return host->number;
}

/* Whether the very bytes were seen before; *copies: how often on this host. */
static int is_copy(
	struct traps *t, const struct url *u, uint64_t content, uint64_t host, uint32_t *copies)
{
	const uint32_t path = (uint32_t)XXH3_64bits(u->text.at + u->path, u->text.used - u->path);
	const uint32_t number = count_page(t, host);

	*copies = 0;
	if (!content)
		return 0;
	struct content *c = map_at(&t->contents, content);
	if (!c->host) {
		c->host = number;
		c->path = path;
		return 0;
	}
	*copies = ++((struct count *)map_at(&t->more, both(host, content)))->n;
	if (t->mirror && c->host != number && c->path == path)
		learn_twin(t, host, t->host[c->host - 1]);
	return 1;
}

/* Whether the host has said it before. */
static int is_old(struct traps *t, uint64_t host, uint64_t gist)
{
	return gist && ((struct count *)map_at(&t->gists, both(host, gist)))->n++ > 0;
}

int traps_crawled(
	struct traps *t, const struct url *u, const struct page_marks *marks, size_t links)
{
	const uint64_t host = shape_host(u);
	uint32_t copies;
	int copy = is_copy(t, u, marks->digest[0] ^ marks->digest[1], host, &copies);

	if (!links)
		return 0;
	copy |= is_old(t, host, marks->gist);
	alike_begin(&t->alike, u, copy, marks->simhash);
	return t->copies && copies >= t->copies;
}

int traps_ask(const struct traps *t)
{
	return alike_asks(&t->alike);
}

void traps_led(struct traps *t, const struct url *u)
{
	alike_led(&t->alike, u);
}

void traps_read(struct traps *t)
{
	alike_end(&t->alike);
}

void traps_redirected(struct traps *t, const struct url *from, const struct url *to)
{
	alike_redirected(&t->alike, from, to);
}

void traps_recall(struct traps *t, const struct url *left)
{
	if (!t->mirror)
		alike_recall(&t->alike, left);
}
