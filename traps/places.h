/* Places: parts of the web that a trap detector judges as a whole (a folder, a host, the URLs of one program), and the
 * state of each. This file knows a place by a 64-bit key; the detector knows which URLs belong to the place.
 *
 *             `defer` pages in a row                   `skip` pages in a row confirmed, and
 *             confirmed                                the place grows, or many pages wait
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
 *   deferred  one page in PLACES_SAMPLE is fetched, as a sample; every other page is *deferred*: it is queued again
 *             behind all pages that are not deferred, and is fetched at its next turn, unless its place is skipped by then
 *   skipped   the page is not fetched
 *
 * The pages that were deferred or skipped are *kept* in the place. When the place becomes trusted, they are *freed*: they
 * are queued like any other page, and are judged again at their turn.
 *
 * A place *grows* if the pages fetched there lead to at least as many new pages of the place. A place that does not
 * grow comes to its end by itself, so a place with PLACES_GROWING is skipped only if it grows.
 *
 *	struct places_limits limits = {8, 64, PLACES_GROWING, PLACES_BELIEVED};
 *	if (places_state(p, key, &limits) == PLACE_DEFERRED && places_kept(p, id) == PLACES_FREE &&
 *		!places_draws(id))
 *		places_keep(p, key, id, PLACES_DEFERRED);
 *	places_meet(p, id, &key, 1);
 *	...
 *	places_confirmed(p, key, &limits, original, 0);   the page was fetched, and is a duplicate of `original`
 *	places_differed(p, key, &limits, &freed);         or it is not: the pages in `freed` are queued again
 *
 * The functions read no clock and no random numbers (samples are drawn by a hash of the page's id), so the same calls
 * in the same order give the same results. Memory: 48 to 96 bytes for each place; 36 to 72 for each page that had a
 * turn while its place was deferred, and 8 to 16 each time that it is kept. One thread uses a struct trap_places. */
#ifndef TRAPS_PLACES_H
#define TRAPS_PLACES_H

#include "base/image.h"
#include "base/map.h"

#define PLACES_SAMPLE 16 /* one page in so many of a deferred place is fetched as a sample */

enum places_state { PLACE_TRUSTED, PLACE_DEFERRED, PLACE_SKIPPED };

/* When a place with `skip` confirmed pages in a row is skipped: PLACES_GROWING: if it grows. PLACES_WAITING: if it keeps
 * at least skip / 4 pages, so that the last few pages of a place are fetched. */
enum places_skips { PLACES_GROWING, PLACES_WAITING };

/* The state of a new place. PLACES_BELIEVED: trusted. PLACES_DOUBTED: deferred, until its first page differs. */
enum places_begins { PLACES_BELIEVED, PLACES_DOUBTED };

/* The limits of a detector; all calls for one place must pass the same ones, but `skip` may be raised. */
struct places_limits {
	uint32_t defer; /* the pages confirmed in a row after which a place is deferred; 0: it is always trusted */
	uint32_t skip;  /* the pages confirmed in a row after which it may be skipped */
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

/* Returns the original of the last page in this row; UINT32_MAX if the row is empty. */
uint32_t places_example(const struct trap_places *, uint64_t key);

/* Says whether a page of a deferred place is fetched as a sample. The answer depends on the id only. */
int places_draws(uint32_t id);

/* Notes the turn of a page that belongs to n deferred or skipped places. If it is the first turn of the page that is
 * noted, it counts for the growth of each of these places. */
void places_meet(struct trap_places *, uint32_t id, const uint64_t *keys, size_t n);

/* How a page is kept. */
enum places_keeping {
	PLACES_FREE,     /* it is not kept: it never was, or it was freed */
	PLACES_DEFERRED, /* it is kept, and queued behind all pages that are not deferred */
	PLACES_SKIPPED,  /* it is kept, and not queued */
	PLACES_GRANTED, /* the page was deferred, and was then taken when only deferred pages were queued: it is not deferred again */
	PLACES_PARDONED, /* it is not kept, and is fetched whatever the state of its place is */
};

/* Keeps a page in a place as PLACES_DEFERRED or PLACES_SKIPPED. A page is kept in one place only, the last one. */
void places_keep(struct trap_places *, uint64_t key, uint32_t id, enum places_keeping);

/* Returns how a page is kept now. */
enum places_keeping places_kept(const struct trap_places *, uint32_t id);

/* Makes a page that was in a deferred place PLACES_GRANTED, unless it is pardoned. */
void places_grant(struct trap_places *, uint32_t id);

/* Makes a page that was in a deferred place PLACES_PARDONED, for --retry-skipped. */
void places_pardon(struct trap_places *, uint32_t id);

/* Frees a page and appends it to *freed, if it is kept. */
void places_free(struct trap_places *, uint32_t id, struct places_freed *freed);

/* Notes that a page of a place is confirmed: it is a duplicate of page `original`. `fresh` is the number of its links to
 * new URLs that were refused; they count for the growth of the place although they have no turn. */
void places_confirmed(struct trap_places *, uint64_t key, const struct places_limits *, uint32_t original, uint32_t fresh);

/* Notes that a page of a place differs: the place becomes trusted, and all pages kept in it are freed and appended to
 * *freed. */
void places_differed(struct trap_places *, uint64_t key, const struct places_limits *, struct places_freed *freed);

#endif
