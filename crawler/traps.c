#include "crawler/traps.h"
#include "base/map.h"
#include "base/mem.h"
#include "crawler/shape.h"
#include "parser/simhash.h"

#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define RECENT 4 /* pages of a shape that a new one is compared with */

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

struct shape {
	uint64_t key;
	uint64_t recent[RECENT]; /* simhashes; 0: none */
	uint32_t next;
	uint32_t run; /* copies in a row */
	uint32_t is_closed;
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
	uint32_t repeats, depth, years, past, queries, hosts, copies, alike, near, mirror;
	size_t closed; /* shapes and hosts */
	struct map paths, domains, known, shapes, contents;
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
	t->alike = limit(set, "alike");
	t->near = limit(set, "alike-bits");
	t->mirror = limit(set, "mirror");
	map_init(&t->paths, sizeof(struct path));
	map_init(&t->domains, sizeof(struct domain));
	map_init(&t->known, sizeof(struct host));
	map_init(&t->shapes, sizeof(struct shape));
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
	map_release(&t->shapes);
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

static int is_closed(const struct traps *t, uint64_t key)
{
	const struct shape *shape = key ? map_find(&t->shapes, key) : NULL;

	return shape && shape->is_closed;
}

enum refusal traps_closed(const struct traps *t, const struct url *u)
{
	if (!t->closed)
		return REFUSAL_NONE;
	if (is_closed(t, shape_of(u)) || is_closed(t, shape_without_query(u)))
		return REFUSAL_ALIKE;
	const struct host *host = map_find(&t->known, shape_host(u));
	return host && host->is_mirror ? REFUSAL_MIRROR : REFUSAL_NONE;
}

int traps_are_found(const struct traps *t)
{
	return t->closed > 0;
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
	if (t->year && is_far_away(t, shape_far_year(u, t->year) - t->year))
		return REFUSAL_CALENDAR;
	return REFUSAL_NONE;
}

enum refusal traps_judge(const struct traps *t, const struct url *u)
{
	const enum refusal refusal = traps_judge_url(t, u);

	if (refusal)
		return refusal;
	if (has_too_many_queries(t, u))
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
	const uint64_t key = shape_host(u);
	if (map_find(&t->known, key))
		return;
	map_at(&t->known, key);
	if (t->hosts)
		((struct domain *)map_at(&t->domains, shape_domain(u)))->hosts++;
}

int traps_wants_simhash(const struct traps *t)
{
	return t->alike && t->near;
}

/* Whether it is near to one of the last of its shape, among which it is from now on. */
static int is_near(const struct traps *t, struct shape *s, uint64_t simhash)
{
	int near = 0;

	if (!t->near || !simhash)
		return 0;
	for (unsigned i = 0; i < RECENT; i++)
		near |= s->recent[i] && simhash_distance(simhash, s->recent[i]) < t->near;
	s->recent[s->next++ % RECENT] = simhash;
	return near;
}

static void learn_shape(struct traps *t, uint64_t key, int copy, uint64_t simhash)
{
	if (!t->alike || !key)
		return;
	struct shape *s = map_at(&t->shapes, key);
	copy |= is_near(t, s, simhash);
	s->run = copy ? s->run + 1 : 0;
	if (s->run >= t->alike && !s->is_closed) {
		s->is_closed = 1;
		t->closed++;
	}
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
		t->closed++;
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

int traps_crawled(struct traps *t, const struct url *u, const uint64_t digest[2], uint64_t simhash,
	size_t links)
{
	const uint64_t host = shape_host(u), content_key = digest[0] ^ digest[1];
	const uint32_t path = (uint32_t)XXH3_64bits(u->text.at + u->path, u->text.used - u->path);
	const uint32_t number = count_page(t, host);
	int copy = 0;
	uint32_t copies = 0;

	if (content_key) {
		struct content *c = map_at(&t->contents, content_key);
		copy = c->host != 0;
		if (!copy) {
			c->host = number;
			c->path = path;
		} else {
			copies = ++((struct count *)map_at(&t->more, both(host, content_key)))->n;
			if (t->mirror && c->host != number && c->path == path)
				learn_twin(t, host, t->host[c->host - 1]);
		}
	}
	if (links) {
		learn_shape(t, shape_of(u), copy, simhash);
		learn_shape(t, shape_without_query(u), copy, simhash);
	}
	return t->copies && links && copies >= t->copies;
}
