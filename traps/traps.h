/* Spider traps: endless pages that a program generates, on purpose or not. The detectors of this file keep a crawl out of
 * them, and lose as few useful pages as possible.
 *
 * There are two kinds of detectors. The *limits* (traps/limits.h) judge a new URL by its text, and refuse it before any request.
 * The *learning detectors* judge by the pages that were crawled before. They refuse no URL when it is discovered. A learning
 * detector takes the URLs of a *place*, such as a folder, for duplicates: when the turn of such a page comes, the page is
 * *deferred*, which means that it is queued again behind the pages of its host that are not deferred. If the place turns out to be
 * endless, its pages are *skipped*: they wait until one of them is found to differ, or until the user asks for them. The states of
 * a place are drawn in traps/places.h.
 *
 *   detector    the URLs that it defers                         confirmed by              place
 *   duplicate   all pages that link to the URL are duplicates   a duplicate               folder, host, domain, web
 *   sink        pages of the same form have added nothing      a duplicate that leads    first folder, and form of
 *               (traps/sinks.h)                                 to nothing new            the last segment
 *   mirror      the URL is in a mirror, and the crawl knows     a duplicate of the        the mirror
 *               the URL of the original (traps/mirrors.h)       original
 *   session id  the URL differs from a crawled page's only in   the same content          host, and positions of
 *               parts that look random (traps/sessions.h)                                 the random parts
 *   repeats     the path repeats its own segments, or has       a page that leads to      first folder
 *               very many                                       another such URL
 *   calendar    the URL has a date of long ago, or far ahead    a page that leads to      folder
 *                                                               another such URL
 *   chain       only pages of the same family (parser/          pages that lead to as     folder, host
 *               shape.h), or host, link to the URL              many new ones as those
 *                                                               that led to them
 *   queries     many pages of the path, with other queries,     a duplicate               the path
 *               were crawled
 *
 * traps_judge() and traps_turn() change no knowledge; only traps_apply() does. A crawl calls them in this order:
 *
 *   a link leads to a new URL ----> traps_judge() ----> refused by a limit
 *        | no limit refuses it
 *        v
 *   TRAPS_FOUND: queued <-------------------------------------------------+
 *        | its turn comes: traps_turn(), TRAPS_TAKEN                      |
 *        |                                                                |
 *        +--> TRAPS_FETCH ----> fetched: TRAPS_CRAWLED, which may free ---+
 *        |                         ^     pages that were deferred or      |
 *        |                         |     skipped                          |
 *        +--> TRAPS_DEFER ---------+ at its next turn, when only          |
 *        |                           deferred pages are queued            |
 *        +--> TRAPS_SKIP: refused ---- TRAPS_RETRIED, by the user --------+
 *
 *	const struct url_traits traits = url_traits(&url);
 *	if (traps_judge(t, &traits) == OUTCOME_NONE)
 *		traps_apply(t, &world, &(struct traps_fact){.kind = TRAPS_FOUND, .id = id, .traits = &traits,
 *			.target = TRAPS_NO_PAGE});
 *	...
 *	struct traps_verdict verdict = traps_turn(t, &world, id, &traits);
 *	traps_apply(t, &world, &(struct traps_fact){.kind = TRAPS_TAKEN, .id = id, .traits = &traits});
 *	switch (verdict.action) ...
 *
 * The same facts in the same order give the same verdicts, so a crawl that is resumed from its log has the knowledge
 * that it had. Memory: 50 to 100 bytes for each crawled page, for each URL that has a form (parser/shape.h), for each
 * path with queries, and for each host; half as much for each URL to which only duplicates link; 4 bytes for each URL; 16 to 32
 * for each value of a parameter of a path. One thread (the
 * coordinator's) calls all functions. */
#ifndef TRAPS_TRAPS_H
#define TRAPS_TRAPS_H

#include "base/image.h"
#include "base/opt.h"
#include "base/outcome.h"
#include "parser/shape.h"
#include "traps/duplicates.h"
#include "traps/places.h"

#define TRAPS_NO_PAGE UINT32_MAX

/* The options of the detectors, with defaults and help: repeats, depth, years, past, chain, queries, hosts,
 * session-ids, duplicates, soft-404, simhash-bits, mirror. The value 0 turns a detector off. */
extern const struct opt traps_options[];

/* Sets one option from a text "key=value", as opt_give() does; the names that options had in earlier versions
 * (copies, copies-bits, forms) are understood, too. */
int traps_give(struct opt_set *, const char *assignment, struct err_note *why) MUST_USE;

struct traps;

/* The functions by which the traps ask the crawl about its pages. */
struct traps_world {
	void *ctx;
	/* Looks up a URL of n bytes. Returns 1 with the *id of its page if the crawl knows the page and has not refused
	 * it, else 0. */
	int (*find)(void *ctx, const char *url, size_t n, uint32_t *id);
	/* Writes the URL of a page into *out. Returns 1; the text of *out belongs to the crawl, until the next call; or
	 * returns 0 if the page has no URL. */
	int (*url)(void *ctx, uint32_t id, struct url *out);
	/* Says whether a page is crawled. */
	int (*is_crawled)(void *ctx, uint32_t id);
};

/* Makes traps without knowledge; the caller frees them with traps_free(). The options are not used after the call.
 * `year` is the year of the crawl, for the limits on calendars; 0: calendars are not judged. */
struct traps *traps_new(const struct opt_set *options, int year);

/* Frees traps. NULL is allowed. */
void traps_free(struct traps *);

/* --- judging, which changes no knowledge */

/* Returns why the limits refuse a new URL, or OUTCOME_NONE. */
enum outcome traps_judge(const struct traps *, const struct url_traits *);

enum traps_action { TRAPS_FETCH, TRAPS_DEFER, TRAPS_SKIP };

/* Which URLs belong to the place for which a URL is deferred or skipped. */
enum traps_cover {
	TRAPS_FOLDER, /* the URLs below the first folder of the URL's path */
	TRAPS_HOST,
	TRAPS_DOMAIN_STARTS, /* the first pages of new hosts of the registrable domain */
	TRAPS_WEB_STARTS,    /* the first pages of new registrable domains */
	TRAPS_DOMAIN,        /* those hosts of the domain whose pages are nearly all duplicates */
	TRAPS_MIRROR,        /* the URLs that begin with the same `prefix` bytes */
	TRAPS_PARAMETERS,    /* the URLs of the host with random parts at the same positions */
	TRAPS_PATH,          /* the URLs with the same path and any query */
};

struct traps_verdict {
	enum traps_action action;
	/* The detector that takes the page for a duplicate, also if the action is TRAPS_FETCH, since the page is a sample;
	 * OUTCOME_NONE: no detector does, and the fields below have no meaning */
	enum outcome detector;
	uint32_t original;      /* the page that this one is taken for a duplicate of; TRAPS_NO_PAGE: no one page */
	enum traps_cover cover; /* the URLs that belong to the place */
	uint32_t prefix;        /* TRAPS_MIRROR: the bytes of the URL before the part that the original has, too */
	uint32_t row;           /* the pages of the place that were confirmed in a row */
};

/* Decides about a page that was taken from the frontier, whose turn it is. */
struct traps_verdict traps_turn(struct traps *, const struct traps_world *, uint32_t id, const struct url_traits *);

/* Returns how a page is kept now: TRAPS_DEFER, TRAPS_SKIP, or TRAPS_FETCH if it is not kept. */
enum traps_action traps_kept(const struct traps *, uint32_t id);

/* Returns the number of pages that are skipped now: they wait until a page of their place differs, or the user asks for them. */
uint64_t traps_skipped(const struct traps *);

enum traps_wants { TRAPS_WANT_FINGERPRINTS = 1, TRAPS_WANT_SIMHASHES = 2 };

/* Returns which hashes of pages the detectors compare, and the fetchers must compute: a mask of enum traps_wants. */
unsigned traps_wants(const struct traps *);

/* --- knowing */

/* The kinds of facts; the comments name the fields of struct traps_fact that each has. */
enum traps_fact_kind {
	TRAPS_FOUND,      /* id, traits, target: a new URL belongs to the crawl; `target` is the page that redirects
			     to it, or TRAPS_NO_PAGE */
	TRAPS_TAKEN,      /* id, traits: the page was taken, and the action of traps_turn() was done */
	TRAPS_CRAWLED,    /* id, traits, marks and all fields below: the page was crawled */
	TRAPS_REDIRECTED, /* id, target: the page became an alias of page `target` */
	TRAPS_RETRIED,    /* id: a skipped page will be fetched, whatever the state of its place is */
};

struct traps_fact {
	enum traps_fact_kind kind;
	uint32_t id, target;
	const struct url_traits *traits; /* of the URL of page `id`; borrowed for the call */
	struct page_marks marks;         /* the hashes of the content */
	const uint32_t *links;           /* n, distinct: the pages that page `id` links to; borrowed for the call */
	size_t n;
	uint32_t first_new; /* pages with ids from here on were discovered on page `id` */
	size_t new_outside; /* the number of these that are out of the crawl's scope */
	size_t new_refused; /* the number of these that traps_judge() has refused */
};

/* Says, before the fact TRAPS_CRAWLED of a page is applied, whether the page is to lead to an address that no page has
 * (traps/sinks.h); then writes the address into *out. */
int traps_asks(struct traps *, const struct traps_world *, const struct traps_fact *, struct buf *out);

/* Takes a fact. Returns the pages that the fact has freed, which the caller queues like any other page. The result is
 * never NULL, and is valid until the next fact. */
const struct places_freed *traps_apply(struct traps *, const struct traps_world *, const struct traps_fact *);

/* Writes what the traps know into an image, or reads it into new traps with the same options (base/image.h), which then are
 * as if they had been told of the same facts. */
void traps_image(struct traps *, struct image *);

#endif
