/* The one table of outcomes: how an attempt to fetch a page ended, or why no request was made for the page.
 * Fetchers, scope, traps, crawl loop, store, crawl log, metrics and reports all use its rows and words.
 *
 *   const enum outcome o = OUTCOME_ROBOTS;
 *   outcome_word(o)        "robots": the word in the crawl log, in exports, metrics and lists
 *   outcome_sentence(o)    "its robots.txt forbids it": the reason for a person
 *   outcome_state(o)       PAGE_REFUSED: the state of the page after it
 *
 * An outcome with TRAIT_AGAIN may put the page into PAGE_QUEUED instead, for a retry. So an outcome alone does
 * not tell the page's state, and every record of an outcome has the state beside it; outcome_may_leave() says
 * which states an outcome may have. */
#ifndef BASE_OUTCOME_H
#define BASE_OUTCOME_H

#include <stddef.h>
#include <stdint.h>

/* The states of a page. frontier/frontier.h draws the transitions. Stores contain these numbers: append only. */
enum page_state {
	PAGE_UNSEEN,
	PAGE_QUEUED,
	PAGE_IN_FLIGHT,
	PAGE_CRAWLED,
	PAGE_FAILED,
	PAGE_REFUSED,    /* excluded by scope, by a budget or by a trap, or disallowed by robots.txt */
	PAGE_REDIRECTED, /* an alias of another page */
	PAGE_OUTSIDE,    /* discovered by a link and out of scope, so never queued; no store has this number */
	PAGE_REMOTE,     /* a page of another agent of the crawl, so never queued here; no store has this number */
	PAGE_STATES
};

/* Returns the name of a state ("crawled", "in flight" ...), or "unknown" for a number that is no state. The
 * text is in static memory. */
const char *page_state_name(unsigned state);

enum outcome_trait {
	/* A request was made for the page, or tried: the attempt took time and a connection. */
	TRAIT_ASKED = 1,
	/* The attempt counts as a try of the page (--tries, `store info`). */
	TRAIT_TRY = 2,
	/* The reason may be temporary: the page may be queued for a retry. */
	TRAIT_AGAIN = 4,
	/* The page was put back into the queue before any request was made for it. */
	TRAIT_WAITS = 8,
};

/* X(name, stored number, word, state after it, traits, sentence). Stores and crawl logs contain the numbers:
 * append only, stay below 128, and never use a number again. In stores of format 1 the number 0 meant that the
 * page's state told the outcome, so no later outcome may have it. */
#define OUTCOME_TABLE(X) \
	X(NONE, 0, "-", UNSEEN, 0, "it belongs to the crawl") \
	/* how a request ended */ \
	X(DNS, 1, "dns", FAILED, TRAIT_ASKED | TRAIT_TRY | TRAIT_AGAIN, "its host's name leads to no address") \
	X(CONNECT, 2, "connect", FAILED, TRAIT_ASKED | TRAIT_TRY | TRAIT_AGAIN, "its host cannot be connected to") \
	X(TLS, 3, "tls", FAILED, TRAIT_ASKED | TRAIT_TRY | TRAIT_AGAIN, "its host cannot be trusted: TLS failed") \
	X(TIMEOUT, 4, "timeout", FAILED, TRAIT_ASKED | TRAIT_TRY | TRAIT_AGAIN, "a time limit of the transfer ran out") \
	X(BROKEN, 5, "broken", FAILED, TRAIT_ASKED | TRAIT_TRY | TRAIT_AGAIN, "the answer ended early, or is no HTTP") \
	X(TOO_BIG, 6, "too-big", FAILED, TRAIT_ASKED | TRAIT_TRY, "the answer is larger than a limit allows") \
	X(CODING, 56, "coding", FAILED, TRAIT_ASKED | TRAIT_TRY | TRAIT_AGAIN, \
		"its body is compressed in a way that cannot be undone, or damaged") \
	X(PARSER, 62, "parser", FAILED, TRAIT_ASKED | TRAIT_TRY, "the process that read it has died of it, or took five minutes") \
	X(REDIRECTS, 7, "redirects", FAILED, TRAIT_ASKED | TRAIT_TRY, \
		"its redirects are more in a row than --max-redirect allows") \
	X(CIRCLE, 57, "redirect-circle", FAILED, TRAIT_ASKED | TRAIT_TRY, \
		"it redirects to itself, or in a circle, as sites do until a cookie comes back") \
	X(NOWHERE, 58, "redirect-nowhere", FAILED, TRAIT_ASKED | TRAIT_TRY, \
		"its redirect names no page: its Location is missing, empty, or no http URL") \
	X(PRIVATE, 13, "private", FAILED, 0, \
		"its address is not public, and neither a seed that was named nor --allow-private opens it") \
	X(TYPE, 14, "type", FAILED, TRAIT_ASKED | TRAIT_TRY, "its media type is none that is wanted") \
	X(ROBOTS_ELSEWHERE, 59, "robots-elsewhere", FAILED, 0, \
		"its robots.txt was redirected to a host that cannot be asked: none is there, or its address is not public") \
	X(CRAWLED, 34, "crawled", CRAWLED, TRAIT_ASKED | TRAIT_TRY, "it came") \
	X(REDIRECTED, 35, "redirected", REDIRECTED, TRAIT_ASKED | TRAIT_TRY, "it is another name of a page") \
	X(STATUS, 36, "status", FAILED, TRAIT_ASKED | TRAIT_TRY | TRAIT_AGAIN, \
		"its server answered with the HTTP status of a failure") \
	X(PORT, 16, "port", REFUSED, 0, "its port is that of another protocol than HTTP") \
	/* a failure of this machine or its network, which says nothing about the page */ \
	X(NO_NETWORK, 38, "no-network", QUEUED, TRAIT_AGAIN, "this machine's network is unreachable") \
	X(NO_ROUTE, 39, "no-route", FAILED, TRAIT_AGAIN, "this machine has no route to its host") \
	X(NO_DESCRIPTORS, 40, "no-descriptors", QUEUED, TRAIT_AGAIN, \
		"this machine has no file descriptors, ports or memory to spare") \
	X(DNS_LATER, 41, "dns-later", FAILED, TRAIT_AGAIN, "names cannot be resolved for the time being") \
	X(UNREACHABLE, 50, "unreachable", QUEUED, TRAIT_ASKED | TRAIT_AGAIN, \
		"its host, or the whole network, does not answer for the time being") \
	X(BUSY, 55, "busy", QUEUED, TRAIT_ASKED | TRAIT_AGAIN, "its host is ill for the time being: it answers with 429 or 5xx") \
	X(BACK_OFF, 51, "back-off", QUEUED, TRAIT_WAITS, \
		"its host is ill, or its address does not answer, and it is left alone for a while") \
	X(ABORTED, 9, "aborted", QUEUED, 0, "the crawl was stopped while it was asked for") \
	/* the page was put back, and no request was made */ \
	X(ADDRESS, 15, "address", QUEUED, TRAIT_WAITS, "it waits for the address of its host") \
	X(ROBOTS_WAIT, 8, "robots-wait", QUEUED, TRAIT_WAITS, "it waits for the robots.txt of its host") \
	X(ROBOTS_DNS, 52, "robots-dns", QUEUED, TRAIT_WAITS, "it waits for a robots.txt whose host's name leads to no address") \
	X(ROBOTS_CONNECT, 53, "robots-connect", QUEUED, TRAIT_WAITS, \
		"it waits for a robots.txt whose host cannot be connected to") \
	X(ROBOTS_TIMEOUT, 54, "robots-timeout", QUEUED, TRAIT_WAITS, "it waits for a robots.txt that did not come in time") \
	X(SITEMAPS, 42, "sitemaps", QUEUED, TRAIT_WAITS, "it waited for the robots.txt of its host, which has named sitemaps") \
	X(DEFERRED, 43, "suspect", QUEUED, TRAIT_WAITS, "it is deferred: it may be in a trap") \
	/* the page was refused, and no request was made */ \
	X(ROBOTS, 32, "robots", REFUSED, 0, "its robots.txt forbids it") \
	X(ROBOTS_UNAVAILABLE, 33, "robots-unavailable", REFUSED, 0, \
		"its robots.txt could not be had, which forbids it for a time") \
	X(HOST, 17, "host", REFUSED, 0, "it is on a host that the crawl leaves out") \
	X(DEPTH, 18, "depth", REFUSED, 0, "it is more than --max-depth links from a seed") \
	X(SUFFIX, 19, "suffix", REFUSED, 0, "its name is not what --accept and --reject let through") \
	X(REGEX, 20, "regex", REFUSED, 0, "--accept-regex or --reject-regex keeps it out") \
	X(PARENT, 21, "parent", REFUSED, 0, "it is above the seeds' folders") \
	X(LENGTH, 22, "length", REFUSED, 0, "its URL is too long") \
	X(RULE, 23, "rule", REFUSED, 0, "a rule of --rules rejects it, or its host is blocked") \
	X(BUDGET, 24, "budget", REFUSED, 0, "its host or domain has had its pages") \
	X(REPEATS, 25, "repeats", REFUSED, 0, "its path has too many segments, or repeats itself as duplicates did that led on") \
	X(CALENDAR, 26, "calendar", REFUSED, 0, "its date is too far away") \
	X(CHAIN, 61, "chain", REFUSED, 0, \
		"it is of a section whose pages led to more and more pages like themselves, with no end in sight") \
	X(QUERIES, 27, "queries", REFUSED, 0, "its path has had many queries, the last of which were duplicates") \
	X(HOSTS, 28, "hosts", REFUSED, 0, "its domain has too many hosts") \
	X(MIRROR, 29, "mirror", REFUSED, 0, "it is on a mirror, and known under its other name") \
	X(DUPLICATE, 30, "duplicate", REFUSED, 0, "it is like a long row of duplicates that led to nothing new") \
	X(SESSION, 31, "session-id", REFUSED, 0, "it is known but for a session id, or the order of its parameters") \
	X(IS_PAGE, 60, "is-page", REFUSED, 0, "it is a requisite that was crawled as a page") \
	/* in stores of format 1 only */ \
	X(OLD_TRAP, 11, "trap", REFUSED, 0, "it is in a trap; the store is too old to say which") \
	X(OLD_SCOPE, 12, "scope", REFUSED, 0, "a change of scope keeps it out; the store is too old to say what")

enum outcome {
#define OUTCOME_NAME(name, number, word, state, traits, sentence) OUTCOME_##name = number,
	OUTCOME_TABLE(OUTCOME_NAME)
#undef OUTCOME_NAME
};

#define OUTCOMES 128 /* every number of an outcome is below this; most such numbers have no outcome */

/* The functions below take a number that may come from a store. If the number has no row in this version's
 * table, the word is "unknown", the state PAGE_FAILED, and there are no traits. Texts are in static memory. */

/* Returns the word of an outcome, for texts that programs read. */
const char *outcome_word(unsigned outcome);

/* Returns the reason as a sentence without a full stop, in which "it" is the page. */
const char *outcome_sentence(unsigned outcome);

/* Returns the state of a page after the outcome. For an outcome with TRAIT_AGAIN that is the state of a page
 * that gets no retry. */
enum page_state outcome_state(unsigned outcome);

/* Says whether the outcome has a trait. */
int outcome_has(unsigned outcome, enum outcome_trait);

/* Says whether the outcome is a failure of this machine or its network, and so no try of the page. */
int outcome_is_local(unsigned outcome);

/* Says whether the outcome may mean that the page was skipped as part of a trap when its turn came. */
int outcome_is_skip(unsigned outcome);

/* Says whether a page may be in this state after the outcome. */
int outcome_may_leave(unsigned outcome, enum page_state);

/* Says whether an outcome is a reason why a page was not crawled: neither of a crawled or redirected page, nor none. */
int outcome_is_reason(unsigned outcome);

/* Returns the smallest number above `outcome` that has a row, or OUTCOMES if there is none. A loop over the
 * table, without OUTCOME_NONE, is: for (o = outcome_next(0); o < OUTCOMES; o = outcome_next(o)). */
unsigned outcome_next(unsigned outcome);

/* Returns one word for logs and metrics that says what happened to a page: the name of its state, or for a page
 * that is queued again "put-off" if it is deferred, "put-back" if the outcome has TRAIT_WAITS, and "retry" if not. */
const char *outcome_event(unsigned outcome, enum page_state);

/* Returns the outcome that a result in a store of format 1 stands for; that format had its own error numbers. */
enum outcome outcome_of_format_1(unsigned state, unsigned error);

/* Returns the outcome that a refusal in a store of format 1 stands for. That format numbered the refusals of
 * scope and traps from 1 (OUTCOME_HOST) on; 0 is OUTCOME_NONE. */
enum outcome outcome_of_refusal_1(unsigned refusal);

/* The fields of an HTTP answer with which a later, conditional request asks whether the page has changed. */
struct validators {
	int64_t modified; /* Last-Modified, in s since 1970; 0 is none */
	const char *etag; /* etag_length bytes with the quotes, borrowed; a length of 0 is none */
	size_t etag_length;
};

/* Facts that a page declares about itself. Each is a NUL-terminated text; "" is none. */
#define ABOUT_TYPE     64
#define ABOUT_LANGUAGE 36
#define ABOUT_TITLE    256
struct page_about {
	char type[ABOUT_TYPE];         /* the media type without parameters, in lower case: "text/html" */
	char language[ABOUT_LANGUAGE]; /* as declared: "de-CH" */
	char title[ABOUT_TITLE];       /* UTF-8, cut behind a whole character; without control characters */
};

/* Room for the anchor text of a link and its NUL, in UTF-8 and cut behind a whole character. */
#define LINK_ANCHOR 128

#endif
