/* Spider traps: pages without end that a program makes, on purpose or not, and how a crawl gets out of them
 * without losing a page that is none of theirs.
 *
 * There are two kinds of detectors. *Rules on the URL alone* (traps/limits.h) refuse a URL when it is found.
 * *What is learnt from pages* refuses nothing: it makes URLs suspect, and a suspect URL is put off behind all
 * URLs that are not (the states of a place are drawn in traps/places.h).
 *
 *   detector    suspect URLs                                    confirmed by              place
 *   duplicate   those to which duplicates alone have led        a duplicate               folder, host, domain, web
 *   mirror      those whose page is known under the other       a duplicate of it         the mirror
 *               name of the place (traps/mirrors.h)
 *   session id  those that differ from a page crawled in what   the same content          host and parameters
 *               looks drawn at random (traps/sessions.h)
 *   repeats     those whose path repeats itself                 a duplicate that leads    folder
 *                                                               to new URLs
 *   queries     those of a path that has had many queries       a duplicate               the path
 *
 * Judging changes nothing; traps_know() alone changes what is known. A crawl calls them in this order:
 *
 *   a link leads to a new URL ----> traps_judge() ----> refused by a rule on the URL
 *        | no rule                                        ^
 *        v                                                | (what is learnt never leads here)
 *   TRAPS_FOUND: queued <------------------------------------------------+
 *        | its turn comes: traps_turn()                                  |
 *        |                                                               |
 *        +--> TRAPS_FETCH ----> it comes: TRAPS_CRAWLED, which frees ----+
 *        |                         ^                     pages of both:  |
 *        +--> TRAPS_PUT_OFF -------+ when nothing else is queued --------+
 *        +--> TRAPS_SKIP ------------------------------------------------+   (TRAPS_RETRIED: by the user)
 *
 *	const struct url_traits traits = url_traits(&url);
 *	if (traps_judge(t, &traits, TRAPS_URL_NEW, &page_url) == OUTCOME_NONE)
 *		traps_know(t, &world, &(struct traps_fact){.kind = TRAPS_FOUND, .id = id, .traits = &traits,
 *			.target = TRAPS_NO_PAGE});
 *	...
 *	struct traps_verdict verdict = traps_turn(t, &world, id, &traits);
 *	traps_know(t, &world, &(struct traps_fact){.kind = TRAPS_TAKEN, .id = id, .traits = &traits});
 *	switch (verdict.action) ...
 *
 * Given the same facts in the same order the answers are the same, so a crawl that comes back from its log
 * knows what it knew. Memory: 50 to 100 bytes a page crawled, and as much for each URL that has a form, each
 * path that has queries, and each host; half as much for each URL to which duplicates alone have led. */
#ifndef TRAPS_TRAPS_H
#define TRAPS_TRAPS_H

#include "base/opt.h"
#include "base/outcome.h"
#include "parser/traits.h"
#include "traps/duplicates.h"
#include "traps/places.h"

#define TRAPS_NO_PAGE UINT32_MAX

/* repeats, depth, years, past, queries, hosts, session-ids, duplicates, simhash-bits, mirror: 0 turns one off. */
extern const struct opt traps_options[];

/* Sets one option from a text "key=value", as opt_give() does; the names that options had in earlier versions
 * (copies, copies-bits, forms) are understood, too. */
int traps_give(struct opt_set *, const char *assignment, struct err_note *why) MUST_USE;

struct traps;

/* What the traps ask the crawl of its pages. */
struct traps_world {
	void *ctx;
	/* Finds the page of a URL that the crawl knows and has not refused: 1 and *id, or 0. */
	int (*find)(void *ctx, const char *url, size_t n, uint32_t *id);
	/* Gives the URL of a page, whose text stays the crawl's: 1 and *out, or 0 where there is none. */
	int (*url)(void *ctx, uint32_t id, struct url *out);
	int (*is_crawled)(void *ctx, uint32_t id);
};

/* Makes traps that know nothing yet. The options are read now. `year` is the crawl's, by which calendars are
 * judged; 0: they are not. */
struct traps *traps_new(const struct opt_set *options, int year);
void traps_free(struct traps *);

/* --- judging: nothing changes */

/* Returns why a rule on the URL alone refuses a URL, or OUTCOME_NONE. A new URL was found on the page `from`
 * (NULL: on none that is known); of a URL that is known already (TRAPS_FOUND) only the depth is judged. */
enum traps_url { TRAPS_URL_NEW, TRAPS_URL_KNOWN };
enum outcome traps_judge(
	const struct traps *, const struct url_traits *, enum traps_url, const struct url *from);

enum traps_action { TRAPS_FETCH, TRAPS_PUT_OFF, TRAPS_SKIP };

/* What a place covers, seen from one of its URLs. */
enum traps_cover {
	TRAPS_FOLDER, /* the URLs below the first folder of the path */
	TRAPS_HOST,
	TRAPS_DOMAIN_STARTS, /* the first pages of new hosts of the registrable domain */
	TRAPS_WEB_STARTS,    /* the first pages of new registrable domains */
	TRAPS_DOMAIN,        /* the hosts of the domain that have next to nothing of their own */
	TRAPS_MIRROR,        /* the URLs below `prefix` bytes of the URL */
	TRAPS_PARAMETERS,    /* the URLs of the host with something drawn at random in the same parts */
	TRAPS_PATH,          /* the queries of the path */
};

struct traps_verdict {
	enum traps_action action;
	/* Where a place suspects the page, even if it is fetched: the detector, the page's original
	 * (TRAPS_NO_PAGE: none in particular), what the place covers, and in how many pages in a row the
	 * suspicion was confirmed. Else OUTCOME_NONE, and nothing. */
	enum outcome detector;
	uint32_t original;
	enum traps_cover cover;
	uint32_t prefix, row;
};

/* Returns what is to become of a page whose turn has come. */
struct traps_verdict traps_turn(struct traps *, const struct traps_world *, uint32_t id,
	const struct url_traits *);

/* Returns how a page is kept now: put off, skipped, or not at all (TRAPS_FETCH). */
enum traps_action traps_kept(const struct traps *, uint32_t id);

/* Which hashes of pages are compared, as bits. */
enum traps_wants { TRAPS_WANT_FINGERPRINTS = 1, TRAPS_WANT_SIMHASHES = 2 };
unsigned traps_wants(const struct traps *);

/* --- knowing */

enum traps_fact_kind {
	TRAPS_FOUND,      /* id, traits: a new URL belongs to the crawl; target: the page that redirects to
			     it, or TRAPS_NO_PAGE */
	TRAPS_TAKEN,      /* id, traits: the page's turn has come, and became what traps_turn() said */
	TRAPS_CRAWLED,    /* id, traits, and all that stands below: the page has come */
	TRAPS_REDIRECTED, /* id, target: the page is another name of the page `target` */
	TRAPS_RETRIED,    /* id: a page that was skipped is to be fetched, whatever is known of its place */
};

struct traps_fact {
	enum traps_fact_kind kind;
	uint32_t id, target;
	const struct url_traits *traits;
	struct page_marks marks;
	const uint32_t *links; /* n, distinct: the pages that it leads to */
	size_t n;
	uint32_t first_new; /* pages from here on no page has led to before */
	size_t new_outside; /* how many of them are out of the crawl */
	size_t new_refused; /* how many of them traps_judge() has refused */
};

/* Takes a fact. Returns the pages that it has freed (none of them is kept any longer, and each is to be
 * queued again as any other): the traps' until the next fact. */
const struct places_freed *traps_know(
	struct traps *, const struct traps_world *, const struct traps_fact *);

#endif
