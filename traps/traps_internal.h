/* The struct of the traps, and the functions that their files share. Only these files include this header:
 *
 *   traps.c       has the functions of traps/traps.h
 *   url_places.c  finds the places of a URL that are deferred or skipped, and changes nothing
 *   learning.c    updates the places after a page was crawled
 *   image.c       writes and reads what the traps know */
#ifndef TRAPS_TRAPS_INTERNAL_H
#define TRAPS_TRAPS_INTERNAL_H

#include "base/buf.h"
#include "traps/limits.h"
#include "traps/mirrors.h"
#include "traps/sessions.h"
#include "traps/traps.h"

/* The duplicate detector has a place for a URL at each of these levels: TRAPS_FOLDER to TRAPS_DOMAIN. */
#define LEVELS (TRAPS_DOMAIN + 1)

struct traps {
	struct limits limits;
	struct duplicates duplicates;
	struct mirrors mirrors;
	struct sessions sessions;
	struct trap_places places;
	struct places_limits of_level[LEVELS], of_mirror, of_session, of_repeats, of_past, of_queries;
	uint32_t repeats, queries; /* options */
	int has_sessions;          /* 1: two URLs that differed only in drawn parts have had the same content */
	struct map paths;          /* by path: the number of crawled pages with this path and a query */
	struct map led;            /* by page: whether only duplicates have linked to it, and from which folder */
	struct places_freed freed; /* the pages that the last fact has freed */
	struct url other, beside;  /* scratch memory, whose texts belong to the traps_world */
	struct buf text;           /* scratch memory */
};

/* Says whether all crawled pages that link to a page are duplicates. */
int traps_linked_by_duplicates_only(const struct traps *, uint32_t id);

/* Returns the first folder (shape_root()) of the duplicate that was the first to link to a page, or 0 if no duplicate
 * was the first. */
uint64_t traps_led_from(const struct traps *, uint32_t id);

/* Notes that the first page to link to page `id` is a duplicate, in the first folder `root`. */
void traps_lead(struct traps *, uint32_t id, uint64_t root);

/* Notes that a page that is not a duplicate links to page `id`, which is freed if it was kept. */
void traps_trust(struct traps *, uint32_t id);

/* Returns the key of the place to which a URL belongs at a level of the duplicate detector. */
uint64_t traps_place_of_level(struct traps *, enum traps_cover level, const struct url_traits *);

/* Returns the key of the level TRAPS_FOLDER for a shape_root(). */
uint64_t traps_place_of_root(uint64_t root);

/* Returns the key of the place for the `key` of struct mirrors_original. */
uint64_t traps_place_of_mirror(uint64_t mirror);

/* Returns the key of the place for the `place` of struct sessions_match. */
uint64_t traps_place_of_session(uint64_t parameters);

/* Returns the key of the place of the repeats detector: the first folder of the URL. */
uint64_t traps_place_of_repeats(const struct url_traits *);

/* Returns the key of the place of the detector of old dates: the first folder of the URL. */
uint64_t traps_place_of_past(const struct url_traits *);

/* Returns the key of the place of the queries detector: the path of the URL. */
uint64_t traps_place_of_queries(const struct url_traits *);

/* Says whether the segments of a URL's path repeat more often in a row than the option `repeats` allows. */
int traps_has_repeats(const struct traps *, const struct url_traits *);

/* Says whether at least as many pages with the URL's path and a query were crawled as the option `queries` allows. */
int traps_has_queries(const struct traps *, const struct url_traits *);

/* Looks up the page at the URL of the original of a mirrored URL. Returns 1 with *id, or 0 if the crawl does not know
 * this URL. */
int traps_find_original(struct traps *, const struct traps_world *, const struct url *, const struct mirrors_original *,
	uint32_t *id);

/* The places of a URL that are deferred or skipped. `state`, `key` and `verdict` are those of the place with the most severe
 * state, and of several such places those of the first. */
struct url_places {
	enum places_state state;
	uint64_t key;
	struct traps_verdict verdict; /* all fields but `action` */
	size_t n;                     /* the number of places */
	uint64_t keys[4 + LEVELS + MIRRORS_FOLDERS];
};

/* Finds the deferred and skipped places of the URL of page `id`. */
struct url_places traps_url_places(struct traps *, const struct traps_world *, uint32_t id, const struct url_traits *);

/* Handles a fact TRAPS_CRAWLED: finds out whether the page is a duplicate, and confirms or trusts its places. */
void traps_learn(struct traps *, const struct traps_world *, const struct traps_fact *);

#endif
