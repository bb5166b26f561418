/* Traps: pages without end that a program makes, on purpose or not, and how a crawl gets out.
 *
 * What a URL alone tells (a path that repeats itself or is too deep, a calendar far from today, a
 * session id or an order of parameters that is all that is new, too many queries of one path, too
 * many hosts of one domain) is judged where it is found. What pages tell is learnt as they come:
 * that copies lead to nothing but copies (traps/copies.h), that URLs differ in session ids only
 * (traps/forms.h), that a place is a mirror (traps/mirrors.h).
 *
 * Given the same calls in the same order the answers are the same, so that a crawl comes back from
 * its log to what it knew. Memory: 48 to 96 bytes a page crawled, as much for each path with queries, each
 * URL that has a form and each host, and for each copy of a page that has another URL's end; half as much
 * for each page found on copies only. */
#ifndef TRAPS_TRAPS_H
#define TRAPS_TRAPS_H

#include "base/opt.h"
#include "traps/copies.h"
#include "base/outcome.h"
#include "parser/url.h"

/* repeats, depth, years, past, queries, forms, hosts, copies, copies-bits, mirror: 0 turns one off. */
extern const struct opt traps_options[];

struct traps;
struct mirrors;
struct mirrors_original;

/* `year` is the crawl's, by which calendars are judged; 0: they are not. The set is read now. */
struct traps *traps_new(const struct opt_set *limits, int year);
void traps_free(struct traps *);

/* What a URL is refused for when it is found, on the page being read if one is; OUTCOME_NONE.
 * traps_judge_url() looks at nothing but the URL, and does not refuse calendars: where a URL was
 * found matters. */
enum outcome traps_judge(const struct traps *, const struct url *);
enum outcome traps_judge_url(const struct traps *, const struct url *);

/* Counts a URL that is known now: once for each, refused or not. */
void traps_seen(struct traps *, const struct url *, enum outcome);

/* What a URL that was queued is refused for when it is about to be asked for: a doubtful one too
 * (found on copies only), or any. */
enum outcome traps_judge_doubtful(const struct traps *, const struct url *);
enum outcome traps_judge_queued(const struct traps *, const struct url *);
/* Where a URL's original is, if it is under a mirror: 1 or 0. */
int traps_original(const struct traps *, const struct url *, struct mirrors_original *);
/* Whether there is anything yet that a queued URL can be refused for. */
int traps_are_found(const struct traps *);

/* A page was found first on the one being read, if one is, which was a copy. */
void traps_doubted(struct traps *, uint32_t id);

/* Whether a detector that is on compares the fingerprints of pages. */
int traps_wants_fingerprints(const struct traps *);
/* Whether traps_came() wants the simhashes of pages that have a shape. */
int traps_wants_simhash(const struct traps *);

/* A page was crawled, and is read until traps_read(). Returns what it is a copy of. */
struct page_copied traps_came(
	struct traps *, const struct url *, const struct page_marks *, const struct page_came *);
void traps_read(struct traps *);

/* What is to be told of mirrors then: see crawler/mirrors.h. */
struct mirrors *traps_mirrors(struct traps *);

#endif
