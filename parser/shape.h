/* The shape of a URL: a hash of the URL with its numbers, session ids and parameter values replaced. The
 * URLs of pages that one program makes without end have one shape; the trap detectors (traps/traps.h)
 * count pages by shape. All functions take a canonical URL, return XXH3 hashes, and are pure.
 *
 *	shape_of(&u)        equal for /a7/b?x=1 and /a8/b?x=2
 *	shape_without_query(&u)  equal for /b?x=1 and /b?y=2 */
#ifndef PARSER_SHAPE_H
#define PARSER_SHAPE_H

#include "parser/url.h"

#include <stddef.h>

/* Returns the hash of the URL after each run of letters and digits in its path that contains a digit, and
 * each value in its query, has been replaced. The result is 0 if there was nothing to replace. */
uint64_t shape_of(const struct url *);

/* Returns the hash of the URL with such runs in its path replaced and its query removed, which is equal for
 * all queries of one path. The result is 0 if the URL has no query. */
uint64_t shape_without_query(const struct url *);

/* A run of fewer characters does not look random. */
#define SHAPE_DRAWN 8

/* Returns the hash of the URL after its runs that look random have been replaced, or 0 if it has none. A run
 * of SHAPE_DRAWN or more letters, digits, '-' and '_' looks random if it is all digits, or if it
 * changes between letters and digits at least twice. If the result is not 0, *place is a hash of the
 * host and of the positions of these runs: of the path before each, or of the name of its parameter. */
uint64_t shape_drawn(const struct url *, uint64_t *place);

/* Returns a hash of the host (with its port) and the first folder of the path; URLs whose path is in no
 * folder (/a) have one hash for the host. */
uint64_t shape_root(const struct url *);

/* Returns a hash of the family of pages that one program makes, perhaps: of the host and the first folder of the path, and of a URL
 * with a query also of the rest of the path. Runs of letters and digits that contain a digit count as equal. */
uint64_t shape_family(const struct url *);

/* Returns a hash of the registrable domain (parser/shape.h). */
uint64_t shape_domain(const struct url *);

/* The longest group of segments whose repetition is found. */
#define SHAPE_GROUP 4

/* Returns how many times in a row a group of up to SHAPE_GROUP segments of the path occurs, at most: 1 for
 * /a/b, 3 for /x/a/b/a/b/a/b/c. Only the first 256 segments count. */
unsigned shape_repeats(const struct url *);

/* Finds the years in the URL that stand in a calendar's form: in the path /YYYY/MM or /YYYY-MM; in the query
 * a value YYYY of a parameter such as y or year, or YYYY-MM or YYYYMM of a parameter such as date, month,
 * day, d or m. Returns the year that is farthest from `year`, or `year` if there is none. Numbers before `first`, which is at least
 * 1000, and after 2199 are no years. */
int shape_far_year(const struct url *, int year, int first);

/* The first year that is told from the numbers of articles and threads, which are mostly smaller. */
#define SHAPE_FIRST_YEAR 1900

/* Registrable domains by the Public Suffix List: the registrable domain of "a.b.example.co.uk" is
 * "example.co.uk". No other file uses libpsl.
 *
 *	const char *domain = host + domain_start(host, n); */

/* The longest host name, in bytes, whose domain is looked up. */
#define DOMAIN_HOST_MAX 255

/* Returns the offset at which the registrable domain begins within a host of n bytes, which is in
 * lower case and has no port. The result is 0, so that the whole host counts as the domain, if the
 * host has no registrable domain (an IP address, "localhost", "co.uk") or is longer than
 * DOMAIN_HOST_MAX. Any thread may call. */
size_t domain_start(const char *host, size_t n);

/* The traits of a URL: hashes and counts by which scope, budgets and traps know it from others. A URL's traits are
 * computed once, when it is found, and handed to all who judge and count it.
 *
 *	const struct url_traits traits = url_traits(&u);
 *	if (traits.depth > most)
 *		... the path is too deep
 *	seen = map_at(&hosts, traits.host);
 *
 * Two URLs that differ in the hashed part have different hashes, except with a probability of 2^-64. */

/* A URL of more parameters than this has no form. */
#define TRAITS_PARAMETERS 256

struct url_traits {
	const struct url *url;
	uint64_t host; /* XXH3 of the host with its port */
	uint64_t path; /* XXH3 of all that stands before the query; 0: the URL has no query */
	/* The form: a hash that URLs share which differ only in session ids of known names
	 * (parser/url_rules.h), in the order of their parameters, or in empty parameters. 0: the URL has no
	 * session id and fewer than two parameters, so no other URL is of its form. */
	uint64_t form;
	unsigned depth;   /* segments of the path: 1 for "/" and "/a", 2 for "/a/b" and "/a/" */
	int may_be_dated; /* 0: shape_far_year() finds no year in the URL */
};

/* Computes the traits of a canonical URL, which must outlive them. Time: one pass over the URL; pure. */
struct url_traits url_traits(const struct url *);

#endif
