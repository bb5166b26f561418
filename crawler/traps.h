/* Traps: pages without end that a program makes, on purpose or not, and how a crawl gets out.
 *
 * What a URL alone tells (a path that repeats itself or is too deep, a calendar far from today, a
 * session id or an order of parameters that is all that is new, too many queries of one path, too
 * many hosts of one domain) is judged where it is found. What pages tell is learnt as they come: a
 * shape of URLs whose pages have for long been copies that lead only to more copies is closed
 * (crawler/alike.h), and so is a host that mirrors another; a host's copies of one page lead nowhere
 * new after the first few. A copy is a page with the same bytes as another of the crawl, or with the
 * gist (parser/gist.h) of another of its host; where that is asked for, also one whose simhash
 * (parser/simhash.h) is near to that of one of the last of its shape.
 *
 * Given the same calls in the same order the answers are the same, so that a crawl comes back from
 * its log to what it knew, but for gists and simhashes, which no store keeps; what they closed is told
 * by what was left then. Memory: 48 to 96 bytes
 * a page crawled, as much for each path with queries, each URL that has a form and each copy, and
 * twice to three times that for each host and each shape of copies. */
#ifndef CRAWLER_TRAPS_H
#define CRAWLER_TRAPS_H

#include "base/opt.h"
#include "crawler/refusal.h"
#include "parser/url.h"

/* repeats, depth, years, past, queries, forms, hosts, copies, alike, alike-bits, mirror: 0 turns one
 * off. */
extern const struct opt traps_options[];

struct traps;

/* `year` is the crawl's, by which calendars are judged; 0: they are not. The set is read now. */
struct traps *traps_new(const struct opt_set *limits, int year);
void traps_free(struct traps *);

/* What a URL is refused for when it is found, on the page being read if one is; REFUSAL_NONE.
 * traps_judge_url() looks at nothing but the URL, and does not refuse calendars: where a URL was
 * found matters. */
enum refusal traps_judge(const struct traps *, const struct url *);
enum refusal traps_judge_url(const struct traps *, const struct url *);

/* Counts a URL that is known now: once for each, refused or not. */
void traps_seen(struct traps *, const struct url *, enum refusal);

/* What a URL that was queued is refused for when it is about to be asked for. */
enum refusal traps_closed(const struct traps *, const struct url *);
/* Whether it can be refused for anything yet. */
int traps_are_found(const struct traps *);

/* Whether traps_crawled() wants the simhashes of pages that have a shape. */
int traps_wants_simhash(const struct traps *);

/* What tells a page's content from another's; 0 says nothing. */
struct page_marks {
	uint64_t digest[2];
	uint64_t gist, simhash;
};

/* A page was crawled, and is read until traps_read(). Returns whether it is one copy too many: what
 * it links to is refused with REFUSAL_COPY where it is new. Then traps_led() for each URL that was
 * found on it first, and belongs; it matters only where traps_ask(). */
int traps_crawled(struct traps *, const struct url *, const struct page_marks *, size_t links);
int traps_ask(const struct traps *);
void traps_led(struct traps *, const struct url *);
void traps_read(struct traps *);

/* A URL was left as in a trap in an earlier sitting: what was closed then is so again. (A host that
 * is a mirror is found anew.) */
void traps_recall(struct traps *, const struct url *left);

/* A page turned out to be a redirect. */
void traps_redirected(struct traps *, const struct url *from, const struct url *to);

#endif
