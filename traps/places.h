/* Places: parts of the web that a detector judges as a whole, and the state of each. A place is a 64-bit key; which
 * URLs belong to it (those of a folder, a host, a program) is the detector's affair.
 *
 *             `suspect` pages in a row                 `skip` pages in a row confirmed, and
 *             confirmed                                the place grows, or many pages wait
 *   trusted ---------------------------> suspect ------------------------------------> skipped
 *      ^                                    |                                             |
 *      +------------------------------------+---------------------------------------------+
 *               one page differs: all pages kept in the place are freed
 *
 * A page of a place is *confirmed* where it has come and was a duplicate, and *differs* where it was none.
 * In a trusted place a page is fetched at its turn. In a suspect place the caller keeps it back: the page is
 * put off behind all pages that are not suspect, but for one page in PLACES_SAMPLE, which is fetched at its
 * turn as a sample. In a skipped place the page is not fetched. A page that was put off is fetched when its
 * next turn comes, unless its place is skipped by then; a page that was freed is judged anew.
 *
 * A place *grows* where the pages fetched there lead to as many new pages of the place. A place that does not
 * grow comes to its end by itself, so PLACES_GROWING never skips it.
 *
 *	struct places_limits limits = {8, 64, PLACES_GROWING, PLACES_BELIEVED};
 *	if (places_state(p, key, &limits) == PLACE_SUSPECT && places_kept(p, id) == PLACES_FREE &&
 *		!places_draws(id))
 *		places_keep(p, key, id, PLACES_PUT_OFF);
 *	places_meet(p, id, &key, 1);
 *	...
 *	places_confirmed(p, key, &limits, original, 0);   the page has come, a duplicate of `original`
 *	places_differed(p, key, &limits, &freed);         or it is none: fetch what stands in `freed`
 *
 * Pure: no clock, no random numbers but the hash of a page's number, so the same calls in the same order
 * have the same answers. Memory: 48 to 96 bytes a place; 36 to 72 for each page that was ever asked for
 * or kept in one, and 8 to 16 each time that one is kept. */
#ifndef TRAPS_PLACES_H
#define TRAPS_PLACES_H

#include "base/map.h"

#define PLACES_SAMPLE 16

enum places_state { PLACE_TRUSTED, PLACE_SUSPECT, PLACE_SKIPPED };

/* Which places may be skipped: those that still grow; or those in which at least a quarter of `skip` pages are
 * kept, so that the few last pages of a place are fetched. */
enum places_skips { PLACES_GROWING, PLACES_WAITING };

/* How a place begins: trusted, or suspect until a first page differs. */
enum places_begins { PLACES_BELIEVED, PLACES_DOUBTED };

struct places_limits {
	uint32_t suspect, skip; /* pages confirmed in a row; `suspect` 0: always trusted */
	enum places_skips skips;
	enum places_begins begins;
};

struct trap_places {
	struct map place, page;
	struct link *link; /* n: pages in the order in which they were kept */
	size_t n, room;
	uint64_t put_off, skipped; /* how many pages are kept now */
};

struct places_list {
	uint32_t *id;
	size_t n, room;
};

/* Pages that are kept no longer: those that had been put off, and those that had been skipped. */
struct places_freed {
	struct places_list put_off, skipped;
};
void places_freed_release(struct places_freed *);

void places_init(struct trap_places *);
void places_release(struct trap_places *);

/* Returns the state of a place under these limits. */
enum places_state places_state(const struct trap_places *, uint64_t key, const struct places_limits *);

/* How many pages of the place were confirmed in a row, and the original of the last of them; UINT32_MAX where
 * there is none. */
uint32_t places_row(const struct trap_places *, uint64_t key);
uint32_t places_example(const struct trap_places *, uint64_t key);

/* Whether a page of a suspect place is fetched at its turn, as a sample. */
int places_draws(uint32_t id);

/* Notes that the turn of a page has come that n places suspect: each has grown by it, if it is its first. */
void places_meet(struct trap_places *, uint32_t id, const uint64_t *keys, size_t n);

/* Keeps a page back in a place; a page that was kept before is kept there instead. */
enum places_keeping {
	PLACES_FREE,    /* never kept, or freed */
	PLACES_PUT_OFF,
	PLACES_SKIPPED,
	PLACES_GRANTED,  /* its deferred turn has come: it is not put off again */
	PLACES_PARDONED, /* it is fetched, whatever becomes of its place */
};
void places_keep(struct trap_places *, uint64_t key, uint32_t id, enum places_keeping);

/* How a page is kept now. */
enum places_keeping places_kept(const struct trap_places *, uint32_t id);

/* Keeps a page no longer, if it was kept: its deferred turn has come. */
void places_grant(struct trap_places *, uint32_t id);

/* Keeps a page no longer, if it was kept: the user wants it. */
void places_pardon(struct trap_places *, uint32_t id);

/* Keeps a page no longer, and appends it to *freed if it was kept. */
void places_free(struct trap_places *, uint32_t id, struct places_freed *freed);

/* Notes that a page of the place is confirmed as a duplicate of the page `original`. `fresh`: links of the page
 * to new URLs that will never be fetched, by which the place has grown, too. */
void places_confirmed(struct trap_places *, uint64_t key, const struct places_limits *,
	uint32_t original, uint32_t fresh);

/* Notes that a page of the place differs: the place is trusted from now on, and all pages kept in it are
 * appended to *freed. */
void places_differed(struct trap_places *, uint64_t key, const struct places_limits *,
	struct places_freed *freed);

#endif
