#include "traps/traps_internal.h"
#include "parser/shape.h"

#include <string.h>

#define HOLLOW 4 /* a host is hollow if at most one in HOLLOW of its pages has new content */

/* Mixed into the keys, so that the places of two detectors or levels have different keys even if their hashes are equal. */
enum salt { SALT_LEVEL = 1, SALT_MIRROR = 101, SALT_SESSION, SALT_REPEATS, SALT_QUERIES, SALT_PAST };

static uint64_t key_with_salt(uint64_t key, unsigned salt)
{
	return (key ^ salt) * 0x9e3779b97f4a7c15u + salt;
}

uint64_t traps_place_of_root(uint64_t root)
{
	return key_with_salt(root, SALT_LEVEL + TRAPS_FOLDER);
}

uint64_t traps_place_of_level(struct traps *t, enum traps_cover level, const struct url_traits *u)
{
	const unsigned salt = SALT_LEVEL + level;

	switch (level) {
	case TRAPS_FOLDER:
		return traps_place_of_root(shape_root(u->url));
	case TRAPS_HOST:
		return key_with_salt(u->host, salt);
	case TRAPS_WEB_STARTS:
		return key_with_salt(0, salt);
	default:
		return key_with_salt(limits_domain(&t->limits, u), salt);
	}
}

uint64_t traps_place_of_mirror(uint64_t mirror)
{
	return key_with_salt(mirror, SALT_MIRROR);
}

uint64_t traps_place_of_session(uint64_t parameters)
{
	return key_with_salt(parameters, SALT_SESSION);
}

uint64_t traps_place_of_repeats(const struct url_traits *u)
{
	return key_with_salt(shape_root(u->url), SALT_REPEATS);
}

uint64_t traps_place_of_past(const struct url_traits *u)
{
	return key_with_salt(shape_root(u->url), SALT_PAST);
}

uint64_t traps_place_of_queries(const struct url_traits *u)
{
	return key_with_salt(u->path, SALT_QUERIES);
}

/* Says whether nearly all pages of a host are duplicates, or none is crawled. Such a host is *hollow*. */
static int is_hollow(const struct duplicates_counts *host)
{
	return host->own <= host->pages / HOLLOW;
}

/* Returns the levels at which a URL belongs to a place, as a mask: its folder and host always; its domain, if its host is
 * hollow; TRAPS_DOMAIN_STARTS, if it is the first page of its host; TRAPS_WEB_STARTS, if it is the first of its domain. */
static unsigned levels_of(struct traps *t, const struct url_traits *u)
{
	const struct duplicates_counts host = duplicates_count(&t->duplicates, u->host);
	unsigned levels = 1u << TRAPS_FOLDER | 1u << TRAPS_HOST;

	if (is_hollow(&host))
		levels |= 1u << TRAPS_DOMAIN;
	if (host.pages)
		return levels;
	const uint64_t domain = limits_domain(&t->limits, u);
	return levels | 1u << (duplicates_count(&t->duplicates, ~domain).pages ? TRAPS_DOMAIN_STARTS : TRAPS_WEB_STARTS);
}

/* The fields of the verdict on a URL, if a place is deferred or skipped. */
struct judged_by {
	enum outcome detector;
	enum traps_cover cover;
	uint32_t original; /* the original of the page that was confirmed last in the place, or TRAPS_NO_PAGE */
	uint32_t prefix;   /* as in struct traps_verdict */
};

/* Adds a place of the URL to *s, if it is deferred or skipped. */
static void add_place(struct url_places *s, const struct traps *t, uint64_t key, const struct places_limits *limits,
	const struct judged_by *by)
{
	const enum places_state state = places_state(&t->places, key, limits);

	if (state == PLACE_TRUSTED)
		return;
	s->keys[s->n++] = key;
	if (state <= s->state)
		return;
	s->state = state;
	s->key = key;
	s->verdict = (struct traps_verdict){
		.detector = by->detector,
		.cover = by->cover,
		.original = by->original != TRAPS_NO_PAGE ? by->original : places_example(&t->places, key),
		.prefix = by->prefix,
		.row = places_row(&t->places, key),
	};
}

/* Adds the places of a URL to which only duplicates link. */
static void add_levels(struct url_places *s, struct traps *t, const struct url_traits *u)
{
	const unsigned levels = levels_of(t, u);

	for (enum traps_cover level = TRAPS_FOLDER; level < LEVELS; level++)
		if (levels >> level & 1)
			add_place(s, t, traps_place_of_level(t, level, u), &t->of_level[level],
				&(struct judged_by){OUTCOME_DUPLICATE, level, TRAPS_NO_PAGE, 0});
}

/* Adds the place of a URL that differs from a crawled page's in parts that look random only. */
static void add_session(struct url_places *s, const struct traps *t, const struct url *u)
{
	const struct sessions_match match = sessions_find(&t->sessions, u);

	if (match.is_known)
		add_place(s, t, traps_place_of_session(match.place), &t->of_session,
			&(struct judged_by){OUTCOME_SESSION, TRAPS_PARAMETERS, match.first, 0});
}

int traps_find_original(struct traps *t, const struct traps_world *w, const struct url *u, const struct mirrors_original *o,
	uint32_t *id)
{
	if (!w->url(w->ctx, o->like, &t->beside) || t->beside.text.used < o->length)
		return 0;
	buf_clear(&t->text);
	buf_add(&t->text, t->beside.text.at, o->length);
	buf_add(&t->text, u->text.at + o->tail, u->text.used - o->tail);
	return w->find(w->ctx, t->text.at, t->text.used, id);
}

/* Says whether a mirror has a page whose content no other host or folder has; such a mirror is not skipped. `beside` is
 * the URL of a page of the original. */
static int has_own(const struct traps *t, const struct url_traits *traits, const struct mirrors_original *o)
{
	const struct url *u = traits->url;
	const int is_host =
		o->tail == u->path && (t->beside.path != u->path || memcmp(t->beside.text.at, u->text.at, u->path) != 0);

	return duplicates_count(&t->duplicates, is_host ? traits->host : shape_root(u)).alone > 0;
}

/* Adds the mirrors that a URL is in, if the crawl knows the page of the original. */
static void add_mirrors(struct url_places *s, struct traps *t, const struct traps_world *w, const struct url_traits *u)
{
	struct mirrors_original o[MIRRORS_FOLDERS];
	const size_t n = mirrors_find(&t->mirrors, u->url, o);

	for (size_t i = 0; i < n; i++) {
		const uint64_t key = traps_place_of_mirror(o[i].key);
		struct places_limits limits = t->of_mirror;
		uint32_t id;
		if (places_state(&t->places, key, &limits) == PLACE_TRUSTED || !traps_find_original(t, w, u->url, &o[i], &id))
			continue;
		if (has_own(t, u, &o[i]) || !w->is_crawled(w->ctx, id))
			limits.skip = UINT32_MAX;
		add_place(s, t, key, &limits, &(struct judged_by){OUTCOME_MIRROR, TRAPS_MIRROR, id, o[i].tail});
	}
}

struct url_places traps_url_places(struct traps *t, const struct traps_world *w, uint32_t id, const struct url_traits *u)
{
	struct url_places s = {.state = PLACE_TRUSTED, .verdict = {.original = TRAPS_NO_PAGE}};

	if (t->has_sessions)
		add_session(&s, t, u->url);
	/* before add_levels(): a page is kept in the first of its places with the same state, and whether a mirror
	 * is skipped depends on the number of pages that it keeps */
	if (t->of_mirror.defer)
		add_mirrors(&s, t, w, u);
	if (t->of_level[TRAPS_FOLDER].defer && traps_linked_by_duplicates_only(t, id))
		add_levels(&s, t, u);
	if (traps_has_repeats(t, u))
		add_place(&s, t, traps_place_of_repeats(u), &t->of_repeats,
			&(struct judged_by){OUTCOME_REPEATS, TRAPS_FOLDER, TRAPS_NO_PAGE, 0});
	if (limits_is_old(&t->limits, u))
		add_place(&s, t, traps_place_of_past(u), &t->of_past,
			&(struct judged_by){OUTCOME_CALENDAR, TRAPS_FOLDER, TRAPS_NO_PAGE, 0});
	if (traps_has_queries(t, u))
		add_place(&s, t, traps_place_of_queries(u), &t->of_queries,
			&(struct judged_by){OUTCOME_QUERIES, TRAPS_PATH, TRAPS_NO_PAGE, 0});
	return s;
}
