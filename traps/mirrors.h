/* Mirrors: places under which the pages of another stand again, be it a host or a folder.
 *
 * They are told by duplicates whose URLs differ in their beginnings only: http://b.test/old/x/y, a
 * duplicate of http://a.test/x/y, makes b.test/old/x a mirror of a.test/x. Of the part that the two URLs
 * have in common only its first folder counts, or the pages that stand there in no folder: two hosts that
 * share a manual are no mirrors for that. */
#ifndef TRAPS_MIRRORS_H
#define TRAPS_MIRRORS_H

#include "base/map.h"
#include "parser/url.h"

#define MIRRORS_FOLDERS 16 /* of a path that are looked at */
#define MIRRORS_SETTLED 8  /* duplicates that make a place a mirror */

struct mirrors {
	struct map places;
};

/* Where the page of a URL would stand in the original: at the first `length` bytes of the URL of the page
 * `like`, and behind them what begins at `tail` in the URL. `key`: of the mirror, as a place. */
struct mirrors_original {
	uint64_t key;
	uint32_t like, length, tail;
};

void mirrors_init(struct mirrors *);
void mirrors_release(struct mirrors *);

/* A duplicate of the page `first`, whose URL is given too, has come: 1 and the place's key; or 0 where
 * the URLs end differently, or most duplicates of the place are those of a third one. */
int mirrors_add(struct mirrors *, const struct url *copy, const struct url *original,
	uint32_t first, uint64_t *key);

/* Where a URL's originals would be, by each of the mirrors around it: how many. Of two places that have
 * duplicates of each other the one is the mirror that first had MIRRORS_SETTLED of them. */
size_t mirrors_find(const struct mirrors *, const struct url *,
	struct mirrors_original out[MIRRORS_FOLDERS]);

/* Whether a duplicate stands where the page of a mirror would: on another host under the same name, or in
 * a folder beside that of its original, as a/de/x and a/fr/x do, but not a/2025/x and
 * a/2026/x. */
int mirrors_may_be(const struct url *copy, const struct url *original);

#endif
