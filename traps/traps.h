/* Spider traps: pages without end that a program makes, on purpose or not, and how a crawl gets out
 * without losing a page that is not one of them.
 *
 * Two kinds of detectors. Rules on the URL alone (traps/limits.h) refuse a URL when it is found. What is
 * learnt from pages never refuses, it defers: a URL that looks like a duplicate is suspect, and is put off
 * behind all URLs that are not (traps/places.h).
 *
 *   detector    suspect URLs                                      confirmed by            place
 *   duplicate   those that duplicates alone have led to           any duplicate there     folder, host, domain, web
 *   mirror      those whose original, under the other name of     any duplicate there     the mirror
 *               the place, is known (traps/mirrors.h)
 *   session     those that differ from a page crawled in what     the same content        host and parameters
 *               looks drawn at random (traps/sessions.h)
 *
 * How a crawl uses it:
 *
 *	refusal = traps_judge_found(t, &url, &page_url);    a link of a page leads to a new URL
 *	traps_count(t, &url);                               it is let in
 *	verdict = traps_ask(t, &world, id, &url, is_led);   the URL's turn has come: fetch it, put it off, skip it
 *	traps_taken(t, &world, id, &url, is_led);           that has been done
 *	traps_crawled(t, &world, &page, &learnt);           it has come; what it frees stands in `learnt`
 *	traps_led(t, &learnt, id);                          a duplicate led first to the page `id`
 *	traps_trust(t, id);                                 another page leads there, too
 *
 * Given the same calls in the same order the answers are the same, so a crawl that comes back from its log
 * knows what it knew. Memory: 50 to 100 bytes a page crawled, as much for each path with queries, each URL
 * that has a form and each host; half as much for each URL that duplicates led to. */
#ifndef TRAPS_TRAPS_H
#define TRAPS_TRAPS_H

#include "base/opt.h"
#include "base/outcome.h"
#include "parser/url.h"
#include "traps/duplicates.h"
#include "traps/places.h"

/* repeats, depth, years, past, queries, forms, hosts, copies, copies-bits, mirror: 0 turns one off. */
extern const struct opt traps_options[];

struct traps;

/* What the traps ask of the crawl, about its pages. */
struct traps_world {
	void *ctx;
	/* The page of a URL that the crawl knows and has not refused: 1, or 0. */
	int (*find)(void *ctx, const char *url, size_t n, uint32_t *id);
	/* The URL of a page into *out, whose text stays the crawl's: 1, or 0 where there is none. */
	int (*url)(void *ctx, uint32_t id, struct url *out);
	int (*is_crawled)(void *ctx, uint32_t id);
};

/* `year` is the crawl's, by which calendars are judged; 0: they are not. The set is read now. */
struct traps *traps_new(const struct opt_set *limits, int year);
void traps_free(struct traps *);

/* What a URL is refused for that is found for the first time on the page `from`, or on none that is known
 * (NULL); OUTCOME_NONE lets it in. */
enum outcome traps_judge_found(const struct traps *, const struct url *, const struct url *from);

/* What a URL is refused for whatever led to it, and however many like it there are. */
enum outcome traps_judge(const struct traps *, const struct url *);

/* Counts a URL that is let in: once for each. */
void traps_count(struct traps *, const struct url *);

enum traps_action { TRAPS_FETCH, TRAPS_PUT_OFF, TRAPS_SKIP };

struct traps_verdict {
	enum traps_action action;
	enum outcome detector; /* where the URL is put off or skipped */
	uint32_t original;     /* the page that it is taken for a duplicate of; UINT32_MAX: any there */
};

/* What is to become of a page whose turn has come. `is_led`: duplicates alone have led to its URL. */
struct traps_verdict traps_ask(struct traps *, const struct traps_world *, uint32_t id,
	const struct url *, int is_led);

/* It has become that. */
void traps_taken(struct traps *, const struct traps_world *, uint32_t id, const struct url *,
	int is_led);

/* A page that has come. */
struct traps_page {
	uint32_t id;
	const struct url *url;
	struct page_marks marks;
	int is_led;
	size_t new_outside; /* links to URLs out of the crawl that no page has led to before */
	size_t new_refused; /* likewise, to URLs that traps_judge_found() has refused */
};

/* What a page tells. */
struct traps_learnt {
	int is_duplicate;
	uint32_t original;         /* the first page with its content; its own id where that is new */
	uint64_t root; /* for traps_led() */
	/* Pages put off or skipped that are to be fetched, those of traps_trust() with them; the traps' until
	 * the next page. */
	const struct places_freed *freed;
};

void traps_crawled(struct traps *, const struct traps_world *, const struct traps_page *,
	struct traps_learnt *);

/* A duplicate led first to the page `id`, or to the page that redirects there. */
void traps_led(struct traps *, const struct traps_learnt *, uint32_t id);

/* A page that is no duplicate leads to the page `id`, to which duplicates alone had led: the page is freed. */
void traps_trust(struct traps *, uint32_t id);

/* A page that was put off or skipped is to be fetched whatever is known of its place. */
void traps_pardon(struct traps *, uint32_t id);

/* A page that was skipped is tried again: the same for it, nothing for any other. */
void traps_retry(struct traps *, uint32_t id);
int traps_has_skipped(const struct traps *, uint32_t id);

/* Whether a detector that is on compares the fingerprints of pages, or their simhashes. */
int traps_wants_fingerprints(const struct traps *);
int traps_wants_simhash(const struct traps *);

#endif
