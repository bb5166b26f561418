#include "traps/traps_internal.h"
#include "base/mem.h"
#include "parser/shape.h"

#include <stdlib.h>
#include <string.h>

#define DEFER 8 /* the pages confirmed in a row after which the pages of a place are deferred */

/* The limits of duplicates in a row after which the other pages of a growing place are skipped: */
#define SESSION 24 /* for URLs that differ in a session id */
#define REPEATS 3  /* for the folder of paths that repeat their segments */
#define PAST    80 /* for the folder of URLs with dates of long ago */
#define HOST    3  /* for a host: this many times the limit of a folder */
#define DOMAIN  2  /* for the hosts of a domain, or the domains of the web: the limit of a folder divided by this, plus one */

const struct opt traps_options[] = {
	{"repeats", OPT_COUNT, 3, 0, 1000, NULL, "times in a row that segments of a path may stand; a URL with more is deferred"},
	{"depth", OPT_COUNT, 50, 0, 1000, NULL, "segments of a path"},
	{"years", OPT_COUNT, 5, 0, 10000, NULL, "a calendar's years from now on"},
	{"past", OPT_COUNT, 60, 0, 10000, NULL, "years back from now; a URL with an earlier date is deferred"},
	{"queries", OPT_COUNT, 0, 0, 1e9, NULL,
		"queries of one path that are crawled before the others are deferred; 0: any number"},
	{"hosts", OPT_COUNT, 1000, 0, 1e9, NULL, "hosts of a registrable domain"},
	{"session-ids", OPT_COUNT, 1, 0, 1, NULL,
		"1: URLs that differ in session ids, or in the order of parameters, are one page"},
	{"duplicates", OPT_COUNT, 80, 0, 1e9, NULL,
		"duplicates in a row, linked from duplicates only, after which the rest of a folder is skipped"},
	{"simhash-bits", OPT_COUNT, 0, 0, 32, NULL, "near-duplicates are also those whose simhash differs in fewer bits of 64"},
	{"mirror", OPT_COUNT, 60, 0, 1e9, NULL, "duplicates in a row after which the rest of a mirror is skipped"},
	{.name = NULL},
};

int traps_give(struct opt_set *set, const char *assignment, struct err_note *why)
{
	static const struct {
		const char *before, *now;
	} names[] = {{"copies=", "duplicates="}, {"copies-bits=", "simhash-bits="}, {"forms=", "session-ids="}};
	struct buf text = BUF_EMPTY;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const size_t n = strlen(names[i].before);
		if (strncmp(assignment, names[i].before, n) == 0)
			buf_format(&text, "%s%s", names[i].now, assignment + n);
	}
	const int err = opt_give(set, text.used ? text.at : assignment, why);
	buf_release(&text);
	return err;
}

/* A page to which a duplicate was the first to link. */
struct led {
	uint64_t key;    /* the id */
	uint64_t root;   /* the first folder of this duplicate */
	uint64_t is_led; /* 1: all crawled pages that link to it are duplicates */
};

struct path {
	uint64_t key;
	uint64_t queries; /* the crawled pages with this path and a query */
};

static uint32_t option(const struct opt_set *set, const char *name)
{
	return (uint32_t)opt_number(set, name);
}

/* Returns the limits of a detector that skips after `skip` pages; 0: it is off. */
static struct places_limits limits_of(uint64_t skip, enum places_skips skips)
{
	return (struct places_limits){
		.defer = skip < DEFER ? (uint32_t)skip : DEFER,
		.skip = skip < UINT32_MAX ? (uint32_t)skip : UINT32_MAX,
		.skips = skips,
	};
}

/* Returns the limits of a detector that defers the pages of a place from the start; skip = 0: none is skipped. */
static struct places_limits limits_of_doubted(uint32_t is_on, uint32_t skip, enum places_skips skips)
{
	return (struct places_limits){
		.defer = is_on ? DEFER : 0,
		.skip = skip ? skip : UINT32_MAX,
		.skips = skips,
		.begins = PLACES_DOUBTED,
	};
}

static void make_limits(struct traps *t, const struct opt_set *set)
{
	const uint32_t duplicates = option(set, "duplicates");
	const struct places_limits few = limits_of(duplicates ? duplicates / DOMAIN + 1 : 0, PLACES_GROWING);

	for (enum traps_cover level = TRAPS_FOLDER; level < LEVELS; level++)
		t->of_level[level] = few;
	t->of_level[TRAPS_FOLDER] = limits_of(duplicates, PLACES_GROWING);
	t->of_level[TRAPS_HOST] = limits_of((uint64_t)HOST * duplicates, PLACES_GROWING);
	t->of_mirror = limits_of(option(set, "mirror"), PLACES_WAITING);
	t->of_session = limits_of(t->limits.forms ? SESSION : 0, PLACES_GROWING);
	t->repeats = option(set, "repeats");
	t->of_repeats = limits_of_doubted(t->repeats, REPEATS, PLACES_GROWING);
	t->of_past = limits_of_doubted(t->limits.past, PAST, PLACES_GROWING);
	t->queries = option(set, "queries");
	t->of_queries = limits_of_doubted(t->queries, duplicates, PLACES_GROWING);
}

struct traps *traps_new(const struct opt_set *set, int year)
{
	struct traps *t = mem_zero(1, sizeof *t);

	t->limits = (struct limits){.year = year,
		.depth = option(set, "depth"),
		.years = option(set, "years"),
		.past = option(set, "past"),
		.hosts = option(set, "hosts"),
		.forms = option(set, "session-ids")};
	limits_init(&t->limits);
	make_limits(t, set);
	duplicates_init(&t->duplicates, option(set, "simhash-bits"));
	mirrors_init(&t->mirrors);
	sessions_init(&t->sessions);
	places_init(&t->places);
	map_init_paged(&t->led, sizeof(struct led));
	map_init_paged(&t->paths, sizeof(struct path));
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
	map_release(&t->paths);
	buf_release(&t->text);
	free(t);
}

enum outcome traps_judge(const struct traps *t, const struct url_traits *u, enum traps_url is, const struct url *from)
{
	return is == TRAPS_URL_NEW ? limits_judge_new(&t->limits, u, from) : limits_judge_known(&t->limits, u);
}

int traps_has_repeats(const struct traps *t, const struct url_traits *u)
{
	return t->repeats && u->depth > t->repeats && shape_repeats(u->url) > t->repeats;
}

int traps_has_queries(const struct traps *t, const struct url_traits *u)
{
	const struct path *path = t->queries && u->path ? map_find(&t->paths, u->path) : NULL;

	return path && path->queries >= t->queries;
}

/* --- turns */

/* Decides about a page that belongs to deferred or skipped places. */
static enum traps_action action_of(const struct traps *t, uint32_t id, const struct url_places *s)
{
	const enum places_keeping kept = places_kept(&t->places, id);

	if (kept == PLACES_PARDONED || s->state == PLACE_TRUSTED)
		return TRAPS_FETCH;
	if (s->state == PLACE_SKIPPED)
		return TRAPS_SKIP;
	return kept != PLACES_FREE || places_draws(id) ? TRAPS_FETCH : TRAPS_DEFER;
}

struct traps_verdict traps_turn(struct traps *t, const struct traps_world *w, uint32_t id, const struct url_traits *u)
{
	const struct url_places s = traps_url_places(t, w, id, u);
	struct traps_verdict verdict = s.verdict;

	verdict.action = action_of(t, id, &s);
	return verdict;
}

enum traps_action traps_kept(const struct traps *t, uint32_t id)
{
	switch (places_kept(&t->places, id)) {
	case PLACES_DEFERRED:
		return TRAPS_DEFER;
	case PLACES_SKIPPED:
		return TRAPS_SKIP;
	default:
		return TRAPS_FETCH;
	}
}

/* Handles a fact TRAPS_TAKEN. */
static void take(struct traps *t, const struct traps_world *w, const struct traps_fact *f)
{
	const struct url_places s = traps_url_places(t, w, f->id, f->traits);
	const enum traps_action action = action_of(t, f->id, &s);

	if (s.state != PLACE_TRUSTED)
		places_meet(&t->places, f->id, s.keys, s.n);
	if (action == TRAPS_FETCH)
		places_grant(&t->places, f->id);
	else
		places_keep(&t->places, s.key, f->id, action == TRAPS_SKIP ? PLACES_SKIPPED : PLACES_DEFERRED);
}

/* --- pages to which only duplicates link */

int traps_linked_by_duplicates_only(const struct traps *t, uint32_t id)
{
	const struct led *led = t->led.used ? map_find(&t->led, id) : NULL;

	return led && led->is_led;
}

uint64_t traps_led_from(const struct traps *t, uint32_t id)
{
	const struct led *led = t->led.used ? map_find(&t->led, id) : NULL;

	return led ? led->root : 0;
}

void traps_lead(struct traps *t, uint32_t id, uint64_t root)
{
	if (!t->of_level[TRAPS_FOLDER].defer)
		return;
	struct led *led = map_at(&t->led, id);
	led->root = root;
	led->is_led = 1;
}

void traps_trust(struct traps *t, uint32_t id)
{
	struct led *led = t->led.used ? map_find(&t->led, id) : NULL;

	if (!led || !led->is_led)
		return;
	led->is_led = 0;
	places_free(&t->places, id, &t->freed);
}

/* --- facts */

/* Handles a fact TRAPS_FOUND. */
static void find(struct traps *t, const struct traps_fact *f)
{
	limits_count(&t->limits, f->traits);
	if (f->target != TRAPS_NO_PAGE && traps_linked_by_duplicates_only(t, f->target))
		traps_lead(t, f->id, traps_led_from(t, f->target));
}

static void count_query(struct traps *t, const struct url_traits *u)
{
	if (t->queries && u->path)
		((struct path *)map_at(&t->paths, u->path))->queries++;
}

const struct places_freed *traps_apply(struct traps *t, const struct traps_world *w, const struct traps_fact *f)
{
	t->freed.deferred.n = t->freed.skipped.n = 0;
	switch (f->kind) {
	case TRAPS_FOUND:
		find(t, f);
		break;
	case TRAPS_TAKEN:
		take(t, w, f);
		break;
	case TRAPS_CRAWLED:
		traps_learn(t, w, f);
		count_query(t, f->traits);
		break;
	case TRAPS_REDIRECTED:
		if (!traps_linked_by_duplicates_only(t, f->id))
			traps_trust(t, f->target);
		break;
	case TRAPS_RETRIED:
		if (places_kept(&t->places, f->id) == PLACES_SKIPPED)
			places_pardon(&t->places, f->id);
		break;
	}
	return &t->freed;
}

unsigned traps_wants(const struct traps *t)
{
	const int has_duplicates = t->of_level[TRAPS_FOLDER].defer != 0;
	unsigned wants = 0;

	if (has_duplicates || t->of_mirror.defer || t->of_session.defer)
		wants |= TRAPS_WANT_FINGERPRINTS;
	if (has_duplicates && t->duplicates.near)
		wants |= TRAPS_WANT_SIMHASHES;
	return wants;
}
