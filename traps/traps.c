#include "traps/traps.h"
#include "base/mem.h"
#include "parser/shape.h"
#include "traps/limits.h"
#include "traps/mirrors.h"
#include "traps/sessions.h"

#include <stdlib.h>
#include <string.h>

#define SUSPECT  8  /* pages confirmed in a row make a place suspect */
#define SESSION  24 /* pages confirmed in a row, and the rest of a program's session ids is skipped */
#define HOST     3  /* times as many as for a folder, and the rest of a host is skipped */
#define DOMAIN   2  /* so many times fewer, and the rest of a domain's hosts of duplicates is, or of the web's */
#define HOLLOW   4  /* of so many pages of such a host one is its own, at most */
#define ANY_PAGE UINT32_MAX

/* The places of a page for the detector of duplicates. */
enum level { FOLDER, WHOLE_HOST, FIRST_OF_DOMAIN, FIRST_OF_WEB, WHOLE_DOMAIN, LEVELS };

/* What a key is made of its own for, so that a host and a domain of one name are two places. */
enum salt { SALT_LEVEL = 1, SALT_MIRROR = 101, SALT_SESSION = 102 };

const struct opt traps_options[] = {
	{"repeats", OPT_COUNT, 3, 0, 1000, NULL,
		"times in a row that segments of a path may stand"},
	{"depth", OPT_COUNT, 50, 0, 1000, NULL, "segments of a path"},
	{"years", OPT_COUNT, 5, 0, 10000, NULL, "a calendar's years from now on"},
	{"past", OPT_COUNT, 60, 0, 10000, NULL, "a calendar's years back from now"},
	{"queries", OPT_COUNT, 10000, 0, 1e9, NULL, "queries of one path"},
	{"hosts", OPT_COUNT, 1000, 0, 1e9, NULL, "hosts of a registrable domain"},
	{"forms", OPT_COUNT, 1, 0, 1, NULL,
		"whether session ids and the order of a query's parameters make no other page"},
	{"copies", OPT_COUNT, 80, 0, 1e9, NULL,
		"duplicates in a row that duplicates led to, and the rest of a folder is skipped"},
	{"copies-bits", OPT_COUNT, 0, 0, 32, NULL,
		"near-duplicates are also those whose simhash differs in fewer bits of 64"},
	{"mirror", OPT_COUNT, 60, 0, 1e9, NULL,
		"duplicates in a row, and the rest of a mirror is skipped"},
	{.name = NULL},
};


struct led {
	uint64_t key; /* a page */
	uint64_t root; /* the folder of the duplicate that led there */
};

struct traps {
	struct limits limits;
	struct duplicates duplicates;
	struct mirrors mirrors;
	struct sessions sessions;
	struct trap_places places;
	struct places_limits of_level[LEVELS], of_mirror, of_session;
	int has_sessions; /* two pages differed in what looks drawn, and nothing else */
	struct map led;
	struct map pardoned;       /* pages */
	struct places_freed freed; /* of the page that came last */
	struct url other, beside;  /* scratch: their texts are the world's */
	struct buf text;           /* likewise */
};

static uint32_t option(const struct opt_set *set, const char *name)
{
	return (uint32_t)opt_number(set, name);
}

static struct places_limits places_limits(uint64_t skip, enum places_skips skips)
{
	return (struct places_limits){
		.suspect = skip < SUSPECT ? (uint32_t)skip : SUSPECT,
		.skip = skip < UINT32_MAX ? (uint32_t)skip : UINT32_MAX,
		.skips = skips,
	};
}

struct traps *traps_new(const struct opt_set *set, int year)
{
	struct traps *t = mem_zero(1, sizeof *t);
	const uint32_t copies = option(set, "copies");
	const struct places_limits few =
		places_limits(copies ? copies / DOMAIN + 1 : 0, PLACES_GROWING);

	t->limits = (struct limits){.year = year,
		.repeats = option(set, "repeats"),
		.depth = option(set, "depth"),
		.years = option(set, "years"),
		.past = option(set, "past"),
		.queries = option(set, "queries"),
		.hosts = option(set, "hosts"),
		.forms = option(set, "forms")};
	limits_init(&t->limits);
	for (enum level level = FOLDER; level < LEVELS; level++)
		t->of_level[level] = few;
	t->of_level[FOLDER] = places_limits(copies, PLACES_GROWING);
	t->of_level[WHOLE_HOST] = places_limits((uint64_t)HOST * copies, PLACES_GROWING);
	t->of_mirror = places_limits(option(set, "mirror"), PLACES_ANY);
	t->of_session = places_limits(t->limits.forms ? SESSION : 0, PLACES_GROWING);
	duplicates_init(&t->duplicates, option(set, "copies-bits"));
	mirrors_init(&t->mirrors);
	sessions_init(&t->sessions);
	places_init(&t->places);
	map_init(&t->led, sizeof(struct led));
	map_init(&t->pardoned, sizeof(uint64_t));
	return t;
}

void traps_free(struct traps *t)
{
	if (!t)
		return;
	limits_release(&t->limits);
	duplicates_release(&t->duplicates);
	mirrors_release(&t->mirrors);
	sessions_release(&t->sessions);
	places_release(&t->places);
	places_freed_release(&t->freed);
	map_release(&t->led);
	map_release(&t->pardoned);
	buf_release(&t->text);
	free(t);
}

/* --- the URL alone */

enum outcome traps_judge_found(
	const struct traps *t, const struct url *u, const struct url *from)
{
	return limits_judge_found(&t->limits, u, from);
}

enum outcome traps_judge(const struct traps *t, const struct url *u)
{
	return limits_judge(&t->limits, u);
}

void traps_count(struct traps *t, const struct url *u)
{
	limits_count(&t->limits, u);
}

/* --- places */

static uint64_t salted(uint64_t key, unsigned salt)
{
	return (key ^ salt) * 0x9e3779b97f4a7c15u + salt;
}

static struct page_stand stand_of(const struct url *u)
{
	return (struct page_stand){.host = shape_host(u), .root = shape_root(u)};
}

static uint64_t level_key(
	struct traps *t, enum level level, const struct url *u, const struct page_stand *at)
{
	switch (level) {
	case FOLDER:
		return salted(at->root, SALT_LEVEL + FOLDER);
	case WHOLE_HOST:
		return salted(at->host, SALT_LEVEL + WHOLE_HOST);
	case FIRST_OF_WEB:
		return salted(0, SALT_LEVEL + FIRST_OF_WEB);
	default:
		return salted(limits_domain(&t->limits, u, at->host), SALT_LEVEL + level);
	}
}

static int is_on(const struct traps *t, enum level level)
{
	return t->of_level[level].suspect != 0;
}

/* Whether a host has next to nothing of its own. */
static int is_hollow(const struct duplicates_counts *host)
{
	return host->own <= host->pages / HOLLOW;
}

/* The levels whose state matters to a URL: the first pages of hosts for their domain, those of domains for the
 * web, the pages of a host of duplicates for all of their domain. */
static unsigned levels_of(struct traps *t, const struct url *u, const struct page_stand *at)
{
	const struct duplicates_counts host = duplicates_count(&t->duplicates, at->host);
	unsigned levels = 1u << FOLDER | 1u << WHOLE_HOST;

	if (is_hollow(&host))
		levels |= 1u << WHOLE_DOMAIN;
	if (host.pages)
		return levels;
	const uint64_t domain = limits_domain(&t->limits, u, at->host);
	return levels | 1u << (duplicates_count(&t->duplicates, ~domain).pages ? FIRST_OF_DOMAIN
									       : FIRST_OF_WEB);
}

/* What the places say of a URL there: the first of those that say most. */
struct suspicion {
	enum places_state state;
	uint64_t key;
	enum outcome detector;
	uint32_t original;
	size_t n; /* places that suspect it */
	uint64_t keys[1 + LEVELS + MIRRORS_FOLDERS];
};

static void suspect(struct suspicion *s, const struct traps *t, uint64_t key,
	const struct places_limits *limits, enum outcome detector, uint32_t original)
{
	const enum places_state state = places_state(&t->places, key, limits);

	if (state == PLACE_TRUSTED)
		return;
	s->keys[s->n++] = key;
	if (state <= s->state)
		return;
	s->state = state;
	s->key = key;
	s->detector = detector;
	s->original = original != ANY_PAGE ? original : places_example(&t->places, key);
}

static void suspect_duplicate(struct suspicion *s, struct traps *t, const struct url *u)
{
	const struct page_stand at = stand_of(u);
	const unsigned levels = levels_of(t, u, &at);

	for (enum level level = FOLDER; level < LEVELS; level++)
		if (levels >> level & 1)
			suspect(s, t, level_key(t, level, u, &at), &t->of_level[level],
				OUTCOME_COPY, ANY_PAGE);
}

static void suspect_session(struct suspicion *s, const struct traps *t, const struct url *u)
{
	const struct sessions_match match = sessions_find(&t->sessions, u);

	if (match.is_known)
		suspect(s, t, salted(match.place, SALT_SESSION), &t->of_session, OUTCOME_QUERIES,
			match.first);
}

/* The page that stands where a URL's original would: 1, or 0 where none is known. */
static int find_original(struct traps *t, const struct traps_world *w, const struct url *u,
	const struct mirrors_original *o, uint32_t *id)
{
	if (!w->url(w->ctx, o->like, &t->beside) || t->beside.text.used < o->length)
		return 0;
	buf_clear(&t->text);
	buf_add(&t->text, t->beside.text.at, o->length);
	buf_add(&t->text, u->text.at + o->tail, u->text.used - o->tail);
	return w->find(w->ctx, t->text.at, t->text.used, id);
}

/* A place with a page that stands nowhere else is skipped by nobody. */
static int has_own(const struct traps *t, const struct url *u, const struct mirrors_original *o)
{
	const struct page_stand at = stand_of(u);
	const int is_host = o->tail == u->path &&
			    (t->beside.path != u->path ||
				    memcmp(t->beside.text.at, u->text.at, u->path) != 0);

	return duplicates_count(&t->duplicates, is_host ? at.host : at.root).alone > 0;
}

static void suspect_mirror(struct suspicion *s, struct traps *t, const struct traps_world *w,
	const struct url *u)
{
	struct mirrors_original o[MIRRORS_FOLDERS];
	const size_t n = mirrors_find(&t->mirrors, u, o);

	for (size_t i = 0; i < n; i++) {
		const uint64_t key = salted(o[i].key, SALT_MIRROR);
		struct places_limits limits = t->of_mirror;
		uint32_t id;
		if (places_state(&t->places, key, &limits) == PLACE_TRUSTED ||
			!find_original(t, w, u, &o[i], &id))
			continue;
		if (has_own(t, u, &o[i]) || !w->is_crawled(w->ctx, id))
			limits.skip = UINT32_MAX;
		suspect(s, t, key, &limits, OUTCOME_MIRROR, id);
	}
}

static struct suspicion suspicion_of(
	struct traps *t, const struct traps_world *w, const struct url *u, int is_led)
{
	struct suspicion s = {.state = PLACE_TRUSTED, .original = ANY_PAGE};

	if (t->has_sessions)
		suspect_session(&s, t, u);
	if (is_led && is_on(t, FOLDER))
		suspect_duplicate(&s, t, u);
	if (t->of_mirror.suspect)
		suspect_mirror(&s, t, w, u);
	return s;
}

static struct traps_verdict verdict_of(const struct traps *t, uint32_t id, const struct suspicion *s)
{
	if (s->state == PLACE_SKIPPED)
		return (struct traps_verdict){TRAPS_SKIP, s->detector, s->original};
	if (s->state == PLACE_SUSPECT && !places_has_met(&t->places, id) && !places_draws(id))
		return (struct traps_verdict){TRAPS_PUT_OFF, s->detector, s->original};
	return (struct traps_verdict){TRAPS_FETCH, OUTCOME_NONE, ANY_PAGE};
}

static int is_pardoned(const struct traps *t, uint32_t id)
{
	return t->pardoned.used && map_find(&t->pardoned, id);
}

struct traps_verdict traps_ask(struct traps *t, const struct traps_world *w, uint32_t id,
	const struct url *u, int is_led)
{
	struct suspicion s = {.state = PLACE_TRUSTED};

	if (!is_pardoned(t, id))
		s = suspicion_of(t, w, u, is_led);
	return verdict_of(t, id, &s);
}

void traps_taken(struct traps *t, const struct traps_world *w, uint32_t id, const struct url *u,
	int is_led)
{
	if (is_pardoned(t, id))
		return;
	const struct suspicion s = suspicion_of(t, w, u, is_led);
	const struct traps_verdict v = verdict_of(t, id, &s);
	if (s.state != PLACE_TRUSTED)
		places_meet(&t->places, id, s.keys, s.n);
	if (v.action == TRAPS_FETCH)
		places_drop(&t->places, id);
	else
		places_keep(&t->places, s.key, id,
			v.action == TRAPS_SKIP ? PLACES_SKIPPED : PLACES_PUT_OFF);
}

/* --- pages that have come */

/* How a page stands to the one with its content that came first. */
struct told {
	const struct traps_page *page;
	struct page_stand at;
	struct page_copied copied;
	int has_original;
	const struct url *original; /* the URL of that page, where it has one */
};

/* A link to a URL that a limit refuses is as good as one to a URL that is put off: the place grows. */
static void confirm(struct traps *t, uint64_t key, const struct places_limits *limits,
	const struct told *p)
{
	if (limits->suspect)
		places_confirmed(
			&t->places, key, limits, p->copied.first, p->page->new_refused != 0);
}

static void differ(struct traps *t, uint64_t key)
{
	places_differed(&t->places, key, &t->freed);
}

/* The levels that a page tells something of. A duplicate that stands where a mirror's page would says
 * nothing of folder and host. */
static unsigned levels_told(const struct told *p)
{
	unsigned levels = 0;

	if (!p->copied.is_copy || p->copied.stand.host != p->at.host)
		levels |= 1u << WHOLE_DOMAIN;
	if (!p->copied.is_copy ||
		(p->has_original && !mirrors_may_be(p->page->url, p->original)))
		levels |= 1u << FOLDER | 1u << WHOLE_HOST;
	if (p->copied.is_first_of_host)
		levels |= 1u << FIRST_OF_DOMAIN;
	if (p->copied.is_first_of_domain)
		levels |= 1u << FIRST_OF_WEB;
	return levels;
}

static void learn_duplicate(struct traps *t, const struct told *p)
{
	const unsigned told = is_on(t, FOLDER) && p->page->is_led ? levels_told(p) : 0;

	for (enum level level = FOLDER; level < LEVELS; level++) {
		if (!(told >> level & 1))
			continue;
		const uint64_t key = level_key(t, level, p->page->url, &p->at);
		if (p->copied.is_copy)
			confirm(t, key, &t->of_level[level], p);
		else
			differ(t, key);
	}
	/* the folder whose duplicates led here has led to something new */
	const struct led *led = map_find(&t->led, p->page->id);
	if (led && told && !p->copied.is_copy)
		differ(t, salted(led->root, SALT_LEVEL + FOLDER));
}

static void learn_session(struct traps *t, const struct told *p)
{
	if (!t->of_session.suspect || !(p->page->marks.gist || p->page->marks.digest[0]))
		return;
	const struct sessions_match match =
		sessions_add(&t->sessions, p->page->url, p->page->id, p->copied.first);
	if (!match.is_known)
		return;
	const uint64_t key = salted(match.place, SALT_SESSION);
	t->has_sessions |= match.content == p->copied.first;
	if (match.content == p->copied.first)
		confirm(t, key, &t->of_session, p);
	else
		differ(t, key);
}

/* A page that is none but stands where a mirror's would, beside an original that has come. */
static void learn_no_mirror(struct traps *t, const struct traps_world *w, const struct url *u)
{
	struct mirrors_original o[MIRRORS_FOLDERS];
	const size_t n = mirrors_find(&t->mirrors, u, o);

	for (size_t i = 0; i < n; i++) {
		uint32_t id;
		if (find_original(t, w, u, &o[i], &id) && w->is_crawled(w->ctx, id))
			differ(t, salted(o[i].key, SALT_MIRROR));
	}
}

static void learn_mirror(struct traps *t, const struct traps_world *w, const struct told *p)
{
	uint64_t key;

	if (!t->of_mirror.suspect)
		return;
	if (!p->copied.is_copy)
		learn_no_mirror(t, w, p->page->url);
	else if (p->has_original &&
		 mirrors_add(&t->mirrors, p->page->url, p->original, p->copied.first, &key))
		confirm(t, salted(key, SALT_MIRROR), &t->of_mirror, p);
}

void traps_crawled(struct traps *t, const struct traps_world *w, const struct traps_page *page,
	struct traps_learnt *learnt)
{
	struct told p = {.page = page, .at = stand_of(page->url), .original = &t->other};

	t->freed.put_off.n = t->freed.skipped.n = 0;
	p.at.domain = ~limits_domain(&t->limits, page->url, p.at.host);
	p.copied = duplicates_add(&t->duplicates, page->id, page->url, &p.at, &page->marks,
		page->new_outside);
	p.has_original = p.copied.first != page->id && w->url(w->ctx, p.copied.first, &t->other);
	learn_duplicate(t, &p);
	learn_session(t, &p);
	learn_mirror(t, w, &p);
	*learnt = (struct traps_learnt){
		.is_duplicate = p.copied.is_copy,
		.original = p.copied.first,
		.root = p.at.root,
		.freed = &t->freed,
	};
}

void traps_trust(struct traps *t, uint32_t id)
{
	places_free(&t->places, id, &t->freed);
}

void traps_led(struct traps *t, const struct traps_learnt *learnt, uint32_t id)
{
	if (is_on(t, FOLDER))
		((struct led *)map_at(&t->led, id))->root = learnt->root;
}

void traps_pardon(struct traps *t, uint32_t id)
{
	map_at(&t->pardoned, id);
	places_drop(&t->places, id);
}

int traps_has_skipped(const struct traps *t, uint32_t id)
{
	return places_has_skipped(&t->places, id);
}

void traps_retry(struct traps *t, uint32_t id)
{
	if (traps_has_skipped(t, id))
		traps_pardon(t, id);
}

int traps_wants_fingerprints(const struct traps *t)
{
	return is_on(t, FOLDER) || t->of_mirror.suspect || t->of_session.suspect;
}

int traps_wants_simhash(const struct traps *t)
{
	return is_on(t, FOLDER) && t->duplicates.near;
}
