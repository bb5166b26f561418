/* The shape of a URL: a hash of the URL with its numbers, session ids and parameter values replaced. The
 * URLs of pages that one program makes without end have one shape; the trap detectors (traps/traps.h)
 * count pages by shape. All functions take a canonical URL, return XXH3 hashes, and are pure.
 *
 *	shape_of(&u)        equal for /a7/b?x=1 and /a8/b?x=2
 *	shape_without_query(&u)  equal for /b?x=1 and /b?y=2 */
#ifndef PARSER_SHAPE_H
#define PARSER_SHAPE_H

#include "parser/url.h"

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

/* Returns a hash of the registrable domain (parser/domain.h). */
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

#endif
