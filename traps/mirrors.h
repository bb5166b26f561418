/* Mirrors: places under which the pages of another stand again, be it a host or a folder. Learnt from
 * copies whose URLs differ in their beginnings only: what stands at http://a.test/x/y and at
 * http://b.test/old/x/y makes b.test/old/x a mirror of a.test/x (of the part that the two have in
 * common only its first folder counts, or what stands there in no folder: hosts that share a manual
 * are no mirrors for that).
 *
 * A place is one after `most` such copies; a page there that is not what the other has in its place
 * counts for four the other way. What was found there is left only where the other has it, and one URL
 * in MIRRORS_SAMPLE, by its hash, is not, so that a place that is a mirror no longer, or that shows
 * the pages of another for a while to take their place, is found out. */
#ifndef TRAPS_MIRRORS_H
#define TRAPS_MIRRORS_H

#include "base/map.h"
#include "parser/url.h"

#define MIRRORS_FOLDERS 16 /* of a path that are looked at */
#define MIRRORS_SAMPLE  32

struct mirrors {
	uint32_t most; /* 0: none is ever found */
	size_t found;
	struct map places;
};

/* Where what stands at a URL would stand in the original: the first `length` bytes of the URL of
 * the page `like`, and what begins at `tail` in the one given. */
struct mirrors_original {
	uint32_t like, length, tail;
};

void mirrors_init(struct mirrors *, uint32_t most);
void mirrors_release(struct mirrors *);

/* A copy of a page, `first`, whose URL is given too. */
void mirrors_copy(
	struct mirrors *, const struct url *copy, const struct url *original, uint32_t first);

/* The original of a URL under a place that is a mirror, but for samples; or under one that is or may
 * become one. 1 or 0. */
int mirrors_find(const struct mirrors *, const struct url *, struct mirrors_original *);
int mirrors_suspect(const struct mirrors *, const struct url *, struct mirrors_original *);

/* What stands at a URL is not what its original is. */
void mirrors_differ(struct mirrors *, const struct url *);

#endif
