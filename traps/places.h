/* Places: parts of the web that a trap detector judges as a whole (a folder, a host, the URLs of one program), and the
 * state of each. This file knows a place by a 64-bit key; the detector knows which URLs belong to the place.
 *
 *             `defer` pages in a row                   pages of the weight `skip` confirmed in a row,
 *             confirmed                                and the place grows, or many pages wait
 *   trusted ---------------------------> deferred -----------------------------------> skipped
 *      ^                                    |                                             |
 *      +------------------------------------+---------------------------------------------+
 *               one page differs: all pages kept in the place are freed
 *
 * A fetched page of a place is *confirmed* if the detector finds that it is a duplicate, and *differs* if it is none; the
 * detector reports which, by places_confirmed() or places_differed(). The turn of a page is the moment at which it is taken
 * from the frontier. What happens then depends on the state of its place:
 *
 *   trusted   the page is fetched
 *   deferred  one page in PLACES_SAMPLE is fetched, as a sample, and fewer the longer the row is; every other page is *deferred*:
 *             it is queued again behind the pages of its host that are not deferred, and is fetched at its next turn, unless its
 *             place is skipped by then
 *   skipped   the page is not fetched, unless the place is freed or the user asks for it
 *
 * The pages that were deferred or skipped are *kept* in the place. When the place becomes trusted, they are *freed*: they
 * are queued like any other page, and are judged again at their turn.
 *
 * A confirmed page has a weight: the more it has added in spite of all, the less it weighs. A page whose bytes an earlier page has
 * weighs many times as much as a page whose bytes no earlier page has, although its words are like those of an earlier page. A row
 * of copies ends with the next page that has bytes of its own: then the copies weigh as little as that page.
 *
 * A place *grows* if the pages fetched there lead to at least as many new pages of the place. A place that does not
 * grow comes to its end by itself, so a place with PLACES_GROWING is skipped only if it grows.
 *
 *	struct places_limits limits = {8, 64, PLACES_GROWING, PLACES_BELIEVED};
 *	if (places_state(p, key, &limits) == PLACE_DEFERRED && places_kept(p, id) == PLACES_FREE &&
 *		!places_draws(id, places_row(p, key)))
 *		places_keep(p, key, id, PLACES_DEFERRED);
 *	places_meet(p, id, &key, 1);
 *	...
 *	places_confirmed(p, key, &limits, &met);          the page was fetched, and is a duplicate of `original`
 *	places_differed(p, key, &limits, &freed);         or it is not: the pages in `freed` are queued again
 *
 * The functions read no clock and no random numbers (samples are drawn by a hash of the page's id), so the same calls
 * in the same order give the same results. Memory: 55 to 110 bytes for each place; 36 to 72 for each page that had a
 * turn while its place was deferred, and 8 to 16 each time that it is kept. One thread uses a struct trap_places. */
#ifndef TRAPS_PLACES_H
#define TRAPS_PLACES_H

#include "base/image.h"
#include "base/map.h"

/* One page in so many of a deferred place is fetched as a sample; if the row has PLACES_LONG pages or more, one in twice as many,
 * and so on with each doubling of the row. */
#define PLACES_SAMPLE 16
#define PLACES_LONG   64

/* Mixed into the keys, so that the places of two detectors or levels have different keys even if their hashes are equal. A place
 * is, of a mirror and of a session id, what struct mirrors_original and struct sessions_match say; of a form, the host; of repeats,
 * the first folder; of far dates, the family; of queries, the path. */
enum places_salt {
	PLACES_OF_LEVEL = 1,
	PLACES_OF_MIRROR = 101,
	PLACES_OF_SESSION,
	PLACES_OF_FORM,
	PLACES_OF_REPEATS,
	PLACES_OF_QUERIES,
	PLACES_OF_DATES,
	PLACES_OF_SINK,
	PLACES_OF_CHAIN
};

/* Returns the key of a place. */
static inline uint64_t places_key(uint64_t hash, unsigned salt)
{
	return (hash ^ salt) * 0x9e3779b97f4a7c15u + salt;
}

enum places_state { PLACE_TRUSTED, PLACE_DEFERRED, PLACE_SKIPPED };

/* When a place with confirmed pages of the weight `skip` in a row is skipped: PLACES_GROWING: if it grows. PLACES_WAITING: if it
 * keeps at least a quarter as many pages as are in the row, so that the last few pages of a place are fetched. PLACES_ANYWAY: at
 * once. */
enum places_skips { PLACES_GROWING, PLACES_WAITING, PLACES_ANYWAY };

/* The state of a new place. PLACES_BELIEVED: trusted. PLACES_DOUBTED: deferred, until its first page differs. */
enum places_begins { PLACES_BELIEVED, PLACES_DOUBTED };

/* The limits of a detector; all calls for one place must pass the same ones, but `skip` may be raised. */
struct places_limits {
	uint32_t defer; /* the pages confirmed in a row after which a place is deferred; 0: it is always trusted */
	uint32_t skip;  /* the weight of the pages confirmed in a row from which on it may be skipped */
	enum places_skips skips;
	enum places_begins begins;
};

struct trap_places {
	struct map place, page; /* places by key; pages by id */
	struct link *link;      /* n: pages in the order in which they were kept */
	size_t n, room;
	uint64_t deferred, skipped; /* the numbers of pages that are deferred and skipped now */
};

/* A list of page ids; zeroed: empty. */
struct places_list {
	uint32_t *id;
	size_t n, room;
};

/* Pages that were freed, by the way in which they were kept before. */
struct places_freed {
	struct places_list deferred, skipped;
};

/* Frees the memory of both lists. */
void places_freed_release(struct places_freed *);

/* Makes a table without places. */
void places_init(struct trap_places *);

/* Frees the memory. */
void places_release(struct trap_places *);

/* Writes the places and pages into an image, or reads them into a table without places. */
void places_image(struct trap_places *, struct image *);

/* Returns the state of a place under these limits. */
enum places_state places_state(const struct trap_places *, uint64_t key, const struct places_limits *);

/* Returns the number of pages of a place that were confirmed in a row. */
uint32_t places_row(const struct trap_places *, uint64_t key);

/* Returns their weight. */
uint32_t places_weight(const struct trap_places *, uint64_t key);

/* Returns the original of the last page in this row; UINT32_MAX if the row is empty. */
uint32_t places_example(const struct trap_places *, uint64_t key);

/* Says whether a page of a deferred place, with so many confirmed pages in a row, is fetched as a sample. The answer depends on
 * these two numbers only. */
int places_draws(uint32_t id, uint32_t row);

/* Notes the turn of a page that belongs to n deferred or skipped places. If it is the first turn of the page that is
 * noted, it counts for the growth of each of these places. */
void places_meet(struct trap_places *, uint32_t id, const uint64_t *keys, size_t n);

/* How a page is kept. */
enum places_keeping {
	PLACES_FREE,     /* it is not kept: it never was, or it was freed */
	PLACES_DEFERRED, /* it is kept, and queued behind all pages that are not deferred */
	PLACES_SKIPPED,  /* it is kept, and not queued */
	PLACES_GRANTED,  /* the page was deferred, and taken when only deferred pages were queued: it is not deferred again */
	PLACES_PARDONED, /* it is not kept, and is fetched whatever the state of its place is */
};

/* Keeps a page in a place as PLACES_DEFERRED or PLACES_SKIPPED. A page is kept in one place only, the last one. */
void places_keep(struct trap_places *, uint64_t key, uint32_t id, enum places_keeping);

/* Returns how a page is kept now. */
enum places_keeping places_kept(const struct trap_places *, uint32_t id);

/* Says whether a page is PLACES_DEFERRED or PLACES_SKIPPED. */
int places_is_kept(const struct trap_places *, uint32_t id);

/* Makes a page that was in a deferred place PLACES_GRANTED, unless it is pardoned. */
void places_grant(struct trap_places *, uint32_t id);

/* Makes a page that was in a deferred place PLACES_PARDONED, for --retry-skipped. */
void places_pardon(struct trap_places *, uint32_t id);

/* Frees a page and appends it to *freed, if it is kept. */
void places_free(struct trap_places *, uint32_t id, struct places_freed *freed);

/* As places_free(), but only a page that is kept in this place. */
void places_free_from(struct trap_places *, uint64_t key, uint32_t id, struct places_freed *freed);

/* A page that confirms a place. */
struct places_met {
	uint32_t original; /* the page that it is a duplicate of */
	uint32_t fresh;    /* its links to new URLs that were refused: they count for the growth of the place, and have no turn */
	uint32_t weight;   /* at least 1; with a row of pages of the weight 1, `skip` counts pages */
	/* The weight that it would have with bytes of its own, at most `weight`. If both are equal, the page has them, and the
	 * pages of the row before it weigh no more than their `least` from now on. */
	uint32_t least;
};

/* Notes that a page of a place is confirmed. */
void places_confirmed(struct trap_places *, uint64_t key, const struct places_limits *, const struct places_met *);

/* Counts a page that tells nothing (by = 1), or none (by = 0), in a place whose row is empty. Returns how many were counted since a
 * row of the place has ended, with the pages of that row, 128 at most; 0 if the row has begun. */
uint32_t places_pass(struct trap_places *, uint64_t key, int by);

/* Adds a gain of 1, 0 or -1 to the score of a row, to which the page was added before, and says whether the score is still an
 * eighth of the row's pages or more (or, of a long row, of 1,024 pages); it is 160 at most, so that a row of any length ends after
 * 33 pages that lose a point each. */
int places_lean(struct trap_places *, uint64_t key, int gain);

/* Notes that a page of a place differs: the place becomes trusted, and all pages kept in it are freed and appended to
 * *freed. */
void places_differed(struct trap_places *, uint64_t key, const struct places_limits *, struct places_freed *freed);

#endif
