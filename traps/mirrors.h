/* Mirrors: hosts or folders whose pages are duplicates of the pages of another host or folder (the *original*), with URLs
 * that differ only at their beginnings.
 *
 * If http://b.test/old/x/y is a duplicate of http://a.test/x/y, this is a vote for b.test/old/x as a mirror of a.test/x.
 * The common end of the two URLs is /x/y; the mirror has only the URLs in its first folder, /x/ (or, if the common end
 * has no folder, the URLs directly below it). So two hosts that share a manual are mirrors only as far as the manual goes.
 *
 *	if (mirrors_add(&m, &copy, &original, first, &key)) ...      a vote for the mirror `key`
 *	n = mirrors_find(&m, &url, out);                             the URL is known under n other names, perhaps
 *
 * One thread uses a struct mirrors. */
#ifndef TRAPS_MIRRORS_H
#define TRAPS_MIRRORS_H

#include "base/map.h"
#include "parser/url.h"

#define MIRRORS_FOLDERS 16 /* the folders of a path in which mirrors_find() looks for mirrors */
#define MIRRORS_SETTLED 8  /* the votes, less those for other originals, that settle a mirror */

struct mirrors {
	struct map places; /* by the key of a folder or host that may be a mirror: its original and its votes */
};

/* The original's URL for a URL in a mirror: the first `length` bytes of the URL of page `like`, followed by the bytes of
 * the mirror's URL from `tail` on. Whether this URL exists is for the caller to find out. */
struct mirrors_original {
	uint64_t key; /* the hash that identifies the mirror */
	uint32_t like, length, tail;
};

/* Makes an empty table. */
void mirrors_init(struct mirrors *);

/* Frees the memory. */
void mirrors_release(struct mirrors *);

/* Counts a vote: the page at `copy` is a duplicate of page `first` at `original`. Returns 1 with the *key of the possible
 * mirror; or 0 if the two URLs have no common end, or if more votes of this possible mirror are for another original. */
int mirrors_add(struct mirrors *, const struct url *copy, const struct url *original, uint32_t first, uint64_t *key);

/* Finds the settled mirrors that a URL is in, one for each folder of its path at most. Returns their number, with the
 * URLs of the originals in out[]. If two hosts or folders have duplicates of each other, only the first that had
 * MIRRORS_SETTLED votes is a mirror. */
size_t mirrors_find(const struct mirrors *, const struct url *, struct mirrors_original out[MIRRORS_FOLDERS]);

/* Says whether a duplicate is where the page of a mirror would be: its URL and that of its original have a common end, and their
 * beginnings are two hosts, or two folders side by side. a/de/x and a/fr/x may be mirrors of each other; a/2025/x and a/2026/x may
 * not, since two numbers are more likely years or page numbers; nor may a/this/ and a/that/, whose common end names no page. */
int mirrors_may_be(const struct url *copy, const struct url *original);

#endif
