/* What the files of the traps share: the struct, and the two halves of the work. traps.c is the door,
 * suspicion.c says what the places hold of a URL, learning.c says what a page tells of places. */
#ifndef TRAPS_INSIDE_H
#define TRAPS_INSIDE_H

#include "base/buf.h"
#include "traps/limits.h"
#include "traps/mirrors.h"
#include "traps/sessions.h"
#include "traps/traps.h"

/* The places of a URL for the detector of duplicates, in the order of enum traps_cover. */
#define LEVELS (TRAPS_DOMAIN + 1)

struct traps {
	struct limits limits;
	struct duplicates duplicates;
	struct mirrors mirrors;
	struct sessions sessions;
	struct trap_places places;
	struct places_limits of_level[LEVELS], of_mirror, of_session, of_repeats, of_queries;
	uint32_t repeats, queries; /* options */
	int has_sessions; /* two pages differed in what looks drawn, and in nothing else */
	struct map paths; /* how many queries of each were crawled */
	struct map led;   /* pages to which duplicates alone have led */
	struct places_freed freed; /* by the last fact */
	struct url other, beside;  /* scratch: their texts are the world's */
	struct buf text;           /* likewise */
};

/* Whether duplicates alone have led to a page; shape_root() of the first of them, or 0. */
int traps_is_led(const struct traps *, uint32_t id);
uint64_t traps_led_from(const struct traps *, uint32_t id);

/* Notes that a duplicate in the folder `root` is the first to lead to a page. */
void traps_lead(struct traps *, uint32_t id, uint64_t root);

/* Notes that a page which is no duplicate leads to the page, too, which is freed. */
void traps_trust(struct traps *, uint32_t id);

/* The key of a place of a level; and of the places of the other detectors. */
uint64_t place_of_level(struct traps *, enum traps_cover level, const struct url_traits *);
uint64_t place_of_root(uint64_t root);
uint64_t place_of_mirror(uint64_t mirror);
uint64_t place_of_session(uint64_t parameters);
uint64_t place_of_repeats(const struct url_traits *);
uint64_t place_of_queries(const struct url_traits *);

/* Whether a path repeats itself more often than the option allows; whether the path has had that many queries. */
int has_repeats(const struct traps *, const struct url_traits *);
int has_queries(const struct traps *, const struct url_traits *);

/* Finds the page that stands where a URL's original would: 1 and *id, or 0 where none is known. */
int find_original(struct traps *, const struct traps_world *, const struct url *,
	const struct mirrors_original *, uint32_t *id);

/* What the places say of a URL: the first of those that say most. */
struct suspicion {
	enum places_state state;
	uint64_t key;
	struct traps_verdict verdict; /* without its action */
	size_t n;                     /* places that suspect the URL */
	uint64_t keys[3 + LEVELS + MIRRORS_FOLDERS];
};
struct suspicion suspicion_of(struct traps *, const struct traps_world *, uint32_t id,
	const struct url_traits *);

/* Takes TRAPS_CRAWLED. */
void learn(struct traps *, const struct traps_world *, const struct traps_fact *);

#endif
