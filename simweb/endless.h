/* A web without end. Nothing of it is kept: hosts, pages, links, texts and faults are functions of a seed and the URL (and of
 * the time, if the web changes), so that a page has the same bytes whenever, and in whatever order, it is asked for.
 *
 *	endless_parse(&web, "7,hosts=1000,words=20", why);
 *	endless_answer(&web, &address, now, &reply);
 *	... send reply.status, reply.type, reply.body ...
 *	endless_reply_release(&reply);
 *
 * Hosts have the ids 0 .. hosts-1, and host 0 is the most popular one. A host has a number of pages that a power law draws; page 0
 * is its home page, at "/". Pages form a tree, by whose links each page of a host can be reached from the home page, and have other
 * links to popular pages of their host and to popular hosts (endless_links.h). The rates and exponents stand in endless_rates.h.
 *
 * An answer is one of
 *
 *   a page                  200, HTML, or a document of another media type
 *   /robots.txt             a host has one of six kinds
 *   /sitemap.xml            if robots.txt names it
 *   /go/N                   301 to page N
 *   a page of a trap        200: /calendar/YEAR-MONTH without end, or any page with ?sid=..., or whatever is asked for (a soft 404)
 *   anything else           404
 *
 * Threads may share a struct endless once it is set. */
#ifndef SIMWEB_ENDLESS_H
#define SIMWEB_ENDLESS_H

#include "base/buf.h"
#include "base/err.h"
#include "simweb/address.h"

#include <stdint.h>

#define ENDLESS_MAX_HOSTS 1000000000000u /* 10^12 */

struct endless {
	uint64_t seed;
	uint64_t hosts;    /* 1 .. ENDLESS_MAX_HOSTS; 134217728 by default */
	uint32_t pages;    /* the most pages of a host; 1000000 */
	double words;      /* the median of the words of a page; 60 */
	uint32_t links;    /* the least links of a page; 4 */
	uint32_t branches; /* the least pages right below a page in the tree of its host; 4, and up to 7 more */
	double outside;    /* the share of a page's links outside the tree that lead to other hosts; 0.3 */
	double dead;       /* the share of these links that lead to no page; 0.01 */
	double moved;      /* the share of the links that lead to a redirect; 0.02 */
	double media;      /* the share of the leaf pages of a host's tree that are documents other than HTML; 0.05 */
	double traps;      /* the share of the hosts with a trap; 0.04 */
	double rules;      /* the share of the hosts whose robots.txt is not empty and not missing; 0.3 */
	int tls;           /* 1: the URLs begin with https; set by the caller, 0 by endless_parse() */
	double changes;    /* of a page of the median host a day; 0: nothing ever changes */
	double dated;      /* the share of the hosts whose pages have a Last-Modified, if they change; 1 */
	double host_span;  /* derived, see draw_rank() */
};

/* Reads "SEED" or "SEED,NAME=VALUE,..." with the names of the fields above. Returns 0, or ERR_USAGE with the nearest name or the
 * range in the note. */
int endless_parse(struct endless *, const char *text, struct err_note *why) MUST_USE;

struct endless_reply {
	unsigned status;
	const char *type; /* the media type */
	struct buf body;
	struct buf location; /* of a redirect; else empty */
	int64_t modified;    /* s since 1970, for Last-Modified; 0: none */
	uint32_t page;       /* a hash of the URL, which says what faults it has; the same at all times */
	int is_robots;
};

/* Answers a request for an address at a time in s since 1970, from 0 to 10^12. The reply is zeroed or was used before; the
 * caller releases it. */
void endless_answer(const struct endless *, const struct address *, int64_t now, struct endless_reply *);

/* Frees the buffers. */
void endless_reply_release(struct endless_reply *);

/* Appends the URL of a page. */
void endless_url(const struct endless *, uint64_t host, uint32_t page, struct buf *out);

/* Returns "http://" or "https://". */
const char *endless_scheme(const struct endless *);

/* Appends the robots.txt of the host with this name. Returns 1; or 0 if the host has none, or answers with an error, or does not
 * exist. */
int endless_robots(const struct endless *, const char *host, struct buf *out);

#endif
