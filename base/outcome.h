/* The one table of outcomes: how an attempt at a page ended, or why a page was not asked for at all. Fetchers,
 * scope, traps, crawl loop, store, log, metrics and reports all use its rows and words.
 *
 *   const enum outcome o = OUTCOME_ROBOTS;
 *   outcome_word(o)        "robots": in the log, the store's texts, metrics and lists
 *   outcome_sentence(o)    "its robots.txt forbids it": for a person
 *   outcome_state(o)       PAGE_REFUSED: where the outcome leaves the page
 *
 * A row with TRAIT_AGAIN may leave the page PAGE_QUEUED instead, for another try; so whoever tells of an
 * outcome tells the page's state with it (outcome_may_leave() says which two fit together). */
#ifndef BASE_OUTCOME_H
#define BASE_OUTCOME_H

#include <stddef.h>
#include <stdint.h>

/* A page's life; frontier/frontier.h draws the arrows. Stored numbers: append only. */
enum page_state {
	PAGE_UNSEEN,
	PAGE_QUEUED,
	PAGE_IN_FLIGHT,
	PAGE_CRAWLED,
	PAGE_FAILED,
	PAGE_REFUSED,    /* by scope or a trap, or forbidden by robots.txt */
	PAGE_REDIRECTED, /* an alias of another page */
	PAGE_OUTSIDE,    /* found by a link, out of scope: never queued. Not stored */
	PAGE_STATES
};

/* "crawled", "in flight" ...; "unknown" for what is no state. */
const char *page_state_name(unsigned state);

enum outcome_trait {
	TRAIT_ASKED =
		1, /* a request for the page was made, or tried: it took time and a connection */
	TRAIT_TRY = 2,   /* the attempt counts as a try of the page (--tries, `store info`) */
	TRAIT_AGAIN = 4, /* the reason may pass: the page may be queued for another try */
	TRAIT_WAITS =
		8, /* the page was put back: it waits for its host, and nothing was asked of it */
};

/* X(name, stored number, word, state after it, traits, sentence). The numbers stand in stores and logs: append
 * only, below 128, never use one again. Reserved for stores of format 1: 0 (which said "as the state tells"). */
#define OUTCOME_TABLE(X)                                                                           \
	X(NONE, 0, "-", UNSEEN, 0, "it belongs to the crawl")                                      \
	/* what a request led to */                                                                \
	X(DNS, 1, "dns", FAILED, TRAIT_ASKED | TRAIT_TRY | TRAIT_AGAIN,                            \
		"its host's name leads to no address")                                             \
	X(CONNECT, 2, "connect", FAILED, TRAIT_ASKED | TRAIT_TRY | TRAIT_AGAIN,                    \
		"its host cannot be connected to")                                                 \
	X(TLS, 3, "tls", FAILED, TRAIT_ASKED | TRAIT_TRY | TRAIT_AGAIN,                            \
		"its host cannot be trusted: TLS failed")                                          \
	X(TIMEOUT, 4, "timeout", FAILED, TRAIT_ASKED | TRAIT_TRY | TRAIT_AGAIN,                    \
		"a time limit of the transfer ran out")                                            \
	X(BROKEN, 5, "broken", FAILED, TRAIT_ASKED | TRAIT_TRY | TRAIT_AGAIN,                      \
		"the answer ended early, or is no HTTP")                                           \
	X(TOO_BIG, 6, "too-big", FAILED, TRAIT_ASKED | TRAIT_TRY,                                  \
		"the answer is larger than a limit allows")                                        \
	X(REDIRECTS, 7, "redirects", FAILED, TRAIT_ASKED | TRAIT_TRY,                              \
		"its redirects are too many, lead in a circle, or to nowhere")                     \
	X(PRIVATE, 13, "private", FAILED, 0, "its address is none that a link may lead to")        \
	X(TYPE, 14, "type", FAILED, TRAIT_ASKED | TRAIT_TRY,                                       \
		"its media type is none that is wanted")                                           \
	X(CRAWLED, 34, "crawled", CRAWLED, TRAIT_ASKED | TRAIT_TRY, "it came")                     \
	X(REDIRECTED, 35, "redirected", REDIRECTED, TRAIT_ASKED | TRAIT_TRY,                       \
		"it is another name of a page")                                                    \
	X(STATUS, 36, "status", FAILED, TRAIT_ASKED | TRAIT_TRY | TRAIT_AGAIN,                     \
		"its HTTP status says that it will not come")                                      \
	X(PORT, 16, "port", REFUSED, 0, "its port is that of another protocol than HTTP")          \
	/* what says nothing of the page: this machine's own trouble */                            \
	X(NO_NETWORK, 38, "no-network", QUEUED, TRAIT_AGAIN,                                       \
		"this machine's network is unreachable")                                           \
	X(NO_ROUTE, 39, "no-route", FAILED, TRAIT_AGAIN, "this machine has no route to its host")  \
	X(NO_DESCRIPTORS, 40, "no-descriptors", QUEUED, TRAIT_AGAIN,                               \
		"this machine has no file descriptors, ports or memory to spare")                  \
	X(DNS_LATER, 41, "dns-later", FAILED, TRAIT_AGAIN,                                         \
		"names cannot be resolved for the time being")                                     \
	X(UNREACHABLE, 50, "unreachable", QUEUED, TRAIT_ASKED | TRAIT_AGAIN,                       \
		"its host, or the whole network, does not answer for the time being")              \
	X(ABORTED, 9, "aborted", QUEUED, 0, "the crawl was stopped while it was asked for")        \
	/* the page waits */                                                                       \
	X(ADDRESS, 15, "address", QUEUED, TRAIT_WAITS, "it waits for the address of its host")     \
	X(ROBOTS_WAIT, 8, "robots-wait", QUEUED, TRAIT_WAITS,                                      \
		"it waits for the robots.txt of its host")                                         \
	X(SITEMAPS, 42, "sitemaps", QUEUED, TRAIT_WAITS,                                           \
		"it waited for the robots.txt of its host, which has named sitemaps")              \
	X(SUSPECT, 43, "suspect", QUEUED, TRAIT_WAITS, "it is put off: it may be in a trap")       \
	/* not asked for */                                                                        \
	X(ROBOTS, 32, "robots", REFUSED, 0, "its robots.txt forbids it")                           \
	X(ROBOTS_UNAVAILABLE, 33, "robots-unavailable", REFUSED, 0,                                \
		"its robots.txt could not be had, which forbids it for a time")                    \
	X(SKIPPED, 44, "skipped", REFUSED, 0, "it may be in a trap, and its turn did not come")    \
	X(HOST, 17, "host", REFUSED, 0, "its host is none of the crawl's")                         \
	X(DEPTH, 18, "depth", REFUSED, 0, "it is more than --max-depth links from a seed")         \
	X(SUFFIX, 19, "suffix", REFUSED, 0,                                                        \
		"its name is not what --accept and --reject let through")                          \
	X(REGEX, 20, "regex", REFUSED, 0, "--accept-regex or --reject-regex keeps it out")         \
	X(PARENT, 21, "parent", REFUSED, 0, "it is above the seeds' folders")                      \
	X(LENGTH, 22, "length", REFUSED, 0, "its URL is too long")                                 \
	X(RULE, 23, "rule", REFUSED, 0, "a rule of --rules rejects it")                            \
	X(BUDGET, 24, "budget", REFUSED, 0, "its host or domain has had its pages")                \
	X(REPEATS, 25, "repeats", REFUSED, 0, "its path repeats itself, or is too deep")           \
	X(CALENDAR, 26, "calendar", REFUSED, 0, "its date is too far away")                        \
	X(QUERIES, 27, "queries", REFUSED, 0,                                                      \
		"its path was found with too many queries, or so in another form")                 \
	X(HOSTS, 28, "hosts", REFUSED, 0, "its domain has too many hosts")                         \
	X(MIRROR, 29, "mirror", REFUSED, 0, "it is on a mirror, and known under its other name")   \
	X(COPY, 30, "copy", REFUSED, 0,                                                            \
		"it was found on copies only, which have for long led to nothing but more")        \
	/* in stores of format 1 only */                                                           \
	X(OLD_TRAP, 11, "trap", REFUSED, 0, "it is in a trap; the store is too old to say which")  \
	X(OLD_SCOPE, 12, "scope", REFUSED, 0,                                                      \
		"a change of scope keeps it out; the store is too old to say what")

enum outcome {
#define OUTCOME_NAME(name, number, word, state, traits, sentence) OUTCOME_##name = number,
	OUTCOME_TABLE(OUTCOME_NAME)
#undef OUTCOME_NAME
};

#define OUTCOMES 128 /* numbers run below this; most of them are no outcome's */

/* The short word of an outcome in texts that programs read; "unknown" for a number of a later version. */
const char *outcome_word(unsigned outcome);

/* Why, as a sentence without its full stop, about "it", the page. */
const char *outcome_sentence(unsigned outcome);

/* The state that the outcome leaves a page in; with TRAIT_AGAIN, once no try is left. */
enum page_state outcome_state(unsigned outcome);

/* Whether the outcome has a trait. */
int outcome_has(unsigned outcome, enum outcome_trait);

/* Whether the outcome tells of this machine, or of its way to the network, and nothing of the page. */
int outcome_is_local(unsigned outcome);

/* Whether the outcome may leave a page in this state. */
int outcome_may_leave(unsigned outcome, enum page_state);

/* The next outcome that there is after a number, in the order of stored numbers, from 0 on; OUTCOMES behind the
 * last. For loops over all of them: for (o = outcome_next(0); o < OUTCOMES; o = outcome_next(o)). */
unsigned outcome_next(unsigned outcome);

/* What happened to a page, in a word for logs and metrics: "crawled", "failed", "refused", "redirected"; of a page
 * that is queued again "retry", or "put-back" where it only waits. */
const char *outcome_event(unsigned outcome, enum page_state);

/* The outcome that stores of format 1 meant by a result's state and error. */
enum outcome outcome_of_format_1(unsigned state, unsigned error);

/* Scope's refusals were numbered on their own in stores of format 1: 1 is OUTCOME_HOST. */
enum outcome outcome_of_refusal_1(unsigned refusal);

/* What a server can be asked with whether a page has changed. */
struct validators {
	int64_t modified; /* Last-Modified, s since 1970; 0: none */
	const char *etag; /* etag_length bytes, quotes included; 0: none */
	size_t etag_length;
};

#endif
