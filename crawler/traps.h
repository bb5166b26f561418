/* Traps: pages without end that a program makes, on purpose or not, and how a crawl gets out.
 *
 * What a URL alone tells (a path that repeats itself or is too deep, a calendar far from today, too
 * many queries of one path, too many hosts of one domain) is judged where it is found. What pages
 * tell is learnt as they come, from their digests: a shape of URLs (crawler/shape.h) whose pages
 * have for long been mere copies is closed, and so is a host that mirrors another; a host's copies
 * of one page lead nowhere new after the first few. Near-copies count as copies where that is asked
 * for: pages whose simhash (parser/simhash.h) differs in few bits from one of the last of their
 * shape. Pages without links of their own are no reason to close a shape: they lead nowhere.
 *
 * Given the same calls in the same order the answers are the same, so that a crawl comes back from
 * its log to what it knew. Memory: 24 to 48 bytes a page crawled, as much for each path with queries
 * and each copy, and twice to three times that for each host and each shape of pages crawled. */
#ifndef CRAWLER_TRAPS_H
#define CRAWLER_TRAPS_H

#include "base/opt.h"
#include "crawler/refusal.h"
#include "parser/url.h"

/* repeats, depth, years, past, queries, hosts, copies, alike, alike-bits, mirror: 0 turns one off. */
extern const struct opt traps_options[];

struct traps;

/* `year` is the crawl's, by which calendars are judged; 0: they are not. The set is read now. */
struct traps *traps_new(const struct opt_set *limits, int year);
void traps_free(struct traps *);

/* What a URL is refused for when it is found; REFUSAL_NONE. traps_judge_url() looks at nothing but
 * the URL. */
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

/* A page was crawled; digest 0 0 and simhash 0 say nothing. Returns whether it is one copy too many:
 * what it links to is refused with REFUSAL_COPY where it is new. */
int traps_crawled(struct traps *, const struct url *, const uint64_t digest[2], uint64_t simhash,
	size_t links);

#endif
