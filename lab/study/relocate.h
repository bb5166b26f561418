/* Relocates pages from an older crawl to a newer one: finds the page of the newer graph that a page of the older one is
 * now, or the page that takes its place. Seeds of an old crawl start a new one this way (`lycosa seeds --into`).
 *
 * Rules, tried in this order:
 *   1 exact      the page of the same canonical URL
 *   2 core-hub   the best other hub of the seed's core that is there exactly
 *   3 variant    the URL with the other scheme, with or without "www.", with or without the slash
 *                at the end of its path, without index.*, default.* or home.*, its path in lower
 *                case, without its query; one of these, then two at once, and so on
 *   4 directory  on the same host the page that shares most whole segments of the path, one at
 *                least; of equal ones that with most links to others, the shortest URL, the lowest
 *                id
 *   5 root       the host's "/"
 *   6 anchor     of the authorities of the seed's core those that are there exactly: the page of
 *                another host than theirs that links to most of them, of equal ones that with most
 *                links to others, the lowest id
 *   7 lost
 * Rules 4 and 5 hold for both schemes. A page that may be no seed is as if it were not there.
 * Deviation: rule 4 does not go up to pages that share only the host, before rule 5. */
#ifndef LAB_STUDY_RELOCATE_H
#define LAB_STUDY_RELOCATE_H

#include "base/buf.h"
#include "lab/study/dataset.h"
#include "seeds/method.h"

enum relocate_rule {
	RELOCATE_EXACT = 1,
	RELOCATE_CORE_HUB,
	RELOCATE_VARIANT,
	RELOCATE_DIRECTORY,
	RELOCATE_ROOT,
	RELOCATE_ANCHOR,
	RELOCATE_LOST
};

/* "1-exact" ... "7-lost". Static memory. */
const char *relocate_rule_name(enum relocate_rule rule);

/* The pages of the newer graph by their canonical URL. */
struct relocation {
	const struct dataset *from; /* borrowed, both */
	struct dataset *into;
	unsigned threads;
	char *text;       /* canonical URLs, each followed by a NUL */
	uint64_t *start;  /* of a node's */
	uint32_t *by_url; /* n nodes in the order of their URLs, of equal ones by id */
	uint32_t n;
};

/* Writes the name of a page to *out: its URL, or "http://HOST/" in a graph of hosts. */
void relocate_url(const struct dataset *d, uint32_t v, struct buf *out);

/* Prepares the search. Returns ERR_USAGE if one of the two has no URLs and is no graph of hosts. Follow with relocation_release() in any case. */
int relocation_init(struct relocation *s, const struct dataset *from, struct dataset *into,
	unsigned threads, struct err_note *why) MUST_USE;
void relocation_release(struct relocation *s);

/* The page of the newer graph that page `seed` of the older one is now, into *node, and the rule
 * that found it; RELOCATE_LOST without one. `core` is the seed's, NULL where it has none. */
enum relocate_rule relocate_find(
	struct relocation *s, uint32_t seed, const struct seed_core *core, uint32_t *node);

/* What a crawl that has no newer graph may try, by rules 1 to 5: tell() is called for each URL, the
 * most likely first, each once. */
void relocate_candidates(const struct dataset *from, uint32_t seed, const struct seed_core *core,
	void (*tell)(void *ctx, enum relocate_rule rule, const char *url), void *ctx);

#endif
