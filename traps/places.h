/* Places: parts of the web in which a detector has met nothing but duplicates, and what becomes of the
 * URLs there. A place is a key (a folder, a host, the parameters of a program); what it stands for is the
 * detector's affair.
 *
 *             `suspect` pages in a row                 `skip` pages in a row confirmed,
 *             confirmed                                and the place still grows
 *   trusted ---------------------------> suspect ------------------------------------> skipped
 *      ^                                    |                                             |
 *      +------------------------------------+---------------------------------------------+
 *               one page differs: all that was put off there, or skipped, is freed
 *
 * In a trusted place a URL is fetched when its turn comes. In a suspect one it is put off behind all
 * that is not suspect, but for one URL in PLACES_SAMPLE, drawn by its page's number. A page that was put
 * off, or freed, is fetched when its next turn comes, unless the place is skipped by then. A place grows as long as
 * the pages that were fetched there lead to more URLs there: one that does not comes to its end by
 * itself, and is never skipped.
 *
 *	struct places_limits limits = {.suspect = 8, .skip = 64, .skips = PLACES_GROWING};
 *	switch (places_state(p, key, &limits)) {
 *	case PLACE_SUSPECT:
 *		if (!places_has_met(p, id) && !places_draws(id))
 *			places_keep(p, key, id, PLACES_PUT_OFF);
 *		places_meet(p, id, &key, 1); ...
 *	}
 *	... the page has come: a duplicate?
 *	places_confirmed(p, key, &limits, original, 0);
 *	... or not?
 *	places_differed(p, key, &freed);
 *
 * Pure: no clock, no random numbers but the hash of a page's number, so the same calls in the same order
 * have the same answers. Memory: 36 to 72 bytes a place, as much for each page that was ever kept in one. */
#ifndef TRAPS_PLACES_H
#define TRAPS_PLACES_H

#include "base/map.h"

#define PLACES_SAMPLE 16

enum places_state { PLACE_TRUSTED, PLACE_SUSPECT, PLACE_SKIPPED };

/* Which places may be skipped: those that still grow, or any that has its pages confirmed. */
enum places_skips { PLACES_GROWING, PLACES_ANY };

struct places_limits {
	uint32_t suspect, skip; /* pages confirmed in a row; 0: never */
	enum places_skips skips;
};

struct trap_places {
	struct map place, page;
	struct link *link; /* n: pages in the order in which they were kept */
	size_t n, room;
	uint64_t put_off, skipped; /* pages that are kept now */
};

/* Pages that were freed, those that were put off and those that were skipped apart. */
struct places_list {
	uint32_t *id;
	size_t n, room;
};
struct places_freed {
	struct places_list put_off, skipped;
};

void places_init(struct trap_places *);
void places_release(struct trap_places *);

/* What is known of a place. */
enum places_state places_state(const struct trap_places *, uint64_t key, const struct places_limits *);

/* Whether a page of a suspect place is fetched as a sample. */
int places_draws(uint32_t id);

/* The turn of a page has come that n places suspect: they have grown if it is its first. */
void places_meet(struct trap_places *, uint32_t id, const uint64_t *keys, size_t n);
int places_has_met(const struct trap_places *, uint32_t id);
int places_has_skipped(const struct trap_places *, uint32_t id);

/* Keeps a page in a place, put off or skipped; one kept before is kept anew. */
enum places_keeping { PLACES_PUT_OFF, PLACES_SKIPPED };
void places_keep(struct trap_places *, uint64_t key, uint32_t id, enum places_keeping);

/* A page that was kept is fetched. */
void places_drop(struct trap_places *, uint32_t id);

/* A page is suspect no longer: it is freed where it was kept. */
void places_free(struct trap_places *, uint32_t id, struct places_freed *);

/* A page of the place has come: it is a duplicate of the page `original`. It leads to so many new URLs that
 * will never be asked for, by which the place has grown, too. */
void places_confirmed(struct trap_places *, uint64_t key, const struct places_limits *,
	uint32_t original, uint32_t fresh);

/* The original of the page of a place that was confirmed last. */
uint32_t places_example(const struct trap_places *, uint64_t key);

/* A page of the place has come, and is none: the place is trusted again, and the pages kept in it are
 * appended to *freed. */
void places_differed(struct trap_places *, uint64_t key, struct places_freed *);

void places_freed_release(struct places_freed *);

#endif
