/* How an attempt at a page ended, and why a page was not asked for at all: the words that fetchers,
 * scope, traps, crawl loop, store and reports share. */
#ifndef BASE_OUTCOME_H
#define BASE_OUTCOME_H

#include <stddef.h>
#include <stdint.h>

enum event_kind {
	EVENT_CRAWLED,    /* the page came: links */
	EVENT_FAILED,     /* it will not come: status or error */
	EVENT_RETRY,      /* not yet: again at not_before or later */
	EVENT_REFUSED,    /* robots.txt forbids it; no request was made */
	EVENT_REDIRECTED, /* it is another name of `target` */
};
#define EVENT_KINDS 5

/* As it is called in logs and metrics. */
const char *event_name(enum event_kind);

/* Why a page did not come; 0 where its HTTP status says it. The names are in the log and the
 * store. */
#define FETCH_ERROR_TABLE(X)                                                                       \
	X(FETCH_OK, "ok")                                                                          \
	X(FETCH_DNS, "dns")                                                                        \
	X(FETCH_CONNECT, "connect")                                                                \
	X(FETCH_TLS, "tls")                                                                        \
	X(FETCH_TIMEOUT, "timeout")                                                                \
	X(FETCH_BROKEN, "broken") /* the answer ended early or was no HTTP */                      \
	X(FETCH_TOO_BIG, "too-big")                                                                \
	X(FETCH_REDIRECTS, "redirects") /* too many, or in a circle, or to nowhere */              \
	X(FETCH_ROBOTS, "robots")       /* no rules yet: they are (or were) being fetched */       \
	X(FETCH_ABORTED, "aborted")     /* the crawl was stopped */                                \
	X(FETCH_BUDGET, "budget")       /* not asked for: its host or domain has had its pages */  \
	X(FETCH_TRAP, "trap")           /* not asked for: it is in a trap, as is known by now */   \
	X(FETCH_SCOPE, "scope")         /* not asked for: the scope was changed */                 \
	X(FETCH_PRIVATE, "private")     /* its address is none that a link may lead to */          \
	X(FETCH_TYPE, "type")           /* its media type is none that is wanted */                \
	X(FETCH_ADDRESS, "address")     /* not asked yet: its address was not known, or another */ \
	X(FETCH_PORT, "port")           /* its port is that of another protocol than HTTP */

enum fetch_error {
#define FETCH_ERROR_NAME(name, text) name,
	FETCH_ERROR_TABLE(FETCH_ERROR_NAME)
#undef FETCH_ERROR_NAME
		FETCH_ERRORS
};

const char *fetch_error_name(enum fetch_error);

/* Why a page does not belong to the crawl. Row order is the stored number: append only; at most 16. */
#define REFUSAL_TABLE(X)                                                                           \
	X(REFUSAL_NONE, "-", "it belongs")                                                         \
	X(REFUSAL_HOST, "host", "its host is none of the crawl's")                                 \
	X(REFUSAL_DEPTH, "depth", "it is more than --max-depth links from a seed")                 \
	X(REFUSAL_SUFFIX, "suffix", "its name is not what --accept and --reject let through")      \
	X(REFUSAL_REGEX, "regex", "--accept-regex or --reject-regex keeps it out")                 \
	X(REFUSAL_PARENT, "parent", "it is above the seeds' folders")                              \
	X(REFUSAL_LENGTH, "length", "its URL is too long")                                         \
	X(REFUSAL_RULE, "rule", "a rule of --rules rejects it")                                    \
	X(REFUSAL_BUDGET, "budget", "its host or domain has had its pages")                        \
	X(REFUSAL_REPEATS, "repeats", "its path repeats itself, or is too deep")                   \
	X(REFUSAL_CALENDAR, "calendar", "its date is too far away")                                \
	X(REFUSAL_QUERIES, "queries",                                                              \
		"its path was found with too many queries, or so in another form")                 \
	X(REFUSAL_HOSTS, "hosts", "its domain has too many hosts")                                 \
	X(REFUSAL_MIRROR, "mirror", "it is on a mirror, and known under its other name")           \
	X(REFUSAL_COPY, "copy",                                                                    \
		"it was found on copies only, which have for long led to nothing but more")

enum refusal {
#define REFUSAL_NAME(name, text, meaning) name,
	REFUSAL_TABLE(REFUSAL_NAME)
#undef REFUSAL_NAME
		REFUSALS
};

const char *refusal_name(enum refusal);
const char *refusal_meaning(enum refusal);

/* What a server can be asked with whether a page has changed. */
struct validators {
	int64_t modified; /* Last-Modified, s since 1970; 0: none */
	const char *etag; /* etag_length bytes, quotes included; 0: none */
	size_t etag_length;
};

#endif
