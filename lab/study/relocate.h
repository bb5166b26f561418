/* Relocates pages from an older crawl to a newer one: finds the page of the newer graph that a page of the older one is
 * now, or the page that takes its place. Seeds of an old crawl start a new one this way (`lycosa seeds --into`).
 *
 * Rules, tried in this order:
 *   1 exact      the page of the same canonical URL
 *   2 core-hub   the best other hub of the seed's core whose canonical URL is in the newer graph
 *   3 variant    the URL with the other scheme, with or without "www.", with or without the slash
 *                at the end of its path, without index.*, default.* or home.*, its path in lower
 *                case, without its query; one of these, then two at once, and so on
 *   4 directory  the page on the same host that shares the most whole segments of the path, at least
 *                one; of equal ones the page with the most links to others, then the shortest URL,
 *                then the lowest id
 *   5 root       the host's "/"
 *   6 anchor     the page that links to the most authorities of the seed's core whose canonical URLs
 *                are in the newer graph, and is on another host than they; of equal ones the page
 *                with the most links to others, then the lowest id
 *   7 lost       no page
 * Rules 4 and 5 accept both schemes. A page of the newer graph that may not be a seed is ignored.
 * Deviation: rule 4 does not go up to pages that share only the host, before rule 5. */
#ifndef LAB_STUDY_RELOCATE_H
#define LAB_STUDY_RELOCATE_H

#include "base/buf.h"
#include "lab/study/dataset.h"
#include "parser/url.h"
#include "seeds/method.h"

/* --- URLs that are likely to mean the same page as another, or one near it. */

/* Ways in which a URL is altered, together or one by one. */
enum variant {
	VARIANT_SCHEME = 1, /* http for https, and the other way */
	VARIANT_WWW = 2,    /* with "www." before the host, or without */
	VARIANT_SLASH = 4,  /* with a slash at the end of the path, or without */
	VARIANT_INDEX = 8,  /* without index.*, default.* or home.* at its end */
	VARIANT_CASE = 16,  /* the path in lower case */
	VARIANT_QUERY = 32, /* without the query */
	VARIANT_ALL = 63
};

enum relocate_rule {
	RELOCATE_EXACT = 1,
	RELOCATE_CORE_HUB,
	RELOCATE_VARIANT,
	RELOCATE_DIRECTORY,
	RELOCATE_ROOT,
	RELOCATE_ANCHOR,
	RELOCATE_LOST
};

/* Returns the name of a rule, "1-exact" to "7-lost", in static memory. */
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

/* Prepares the search. Returns ERR_USAGE if one of the two has no URLs and is no graph of hosts. The caller releases
 * the search with relocation_release() in any case. */
int relocation_init(struct relocation *s, const struct dataset *from, struct dataset *into, unsigned threads,
	struct err_note *why) MUST_USE;
void relocation_release(struct relocation *s);

/* Finds the page of the newer graph for page `seed` of the older one. Stores it in *node and returns the rule that found it,
 * or RELOCATE_LOST. `core` is the core of the seed, or NULL if it has none. */
enum relocate_rule relocate_find(struct relocation *s, uint32_t seed, const struct seed_core *core, uint32_t *node);

/* Lists URLs that a crawl may try if there is no newer graph, by rules 1 to 5. Calls tell() once for each URL, the most likely
 * first. */
void relocate_candidates(const struct dataset *from, uint32_t seed, const struct seed_core *core,
	void (*tell)(void *ctx, enum relocate_rule rule, const char *url), void *ctx);

#endif
