/* The shape of a URL: what stays of it when its numbers, session ids and values are taken out. Pages
 * that one program makes without end are of one shape. */
#ifndef PARSER_SHAPE_H
#define PARSER_SHAPE_H

#include "parser/url.h"

/* XXH3 of the URL with each run of letters and digits in its path that has a digit, and each value
 * of its query, replaced; 0 where nothing was: a page of a shape of its own. */
uint64_t shape_of(const struct url *);

/* Likewise with nothing left of the query: what all queries of a path have in common; 0 where the
 * URL has none. */
uint64_t shape_without_query(const struct url *);

/* What a URL that differs only in its session id, and in the order of the parameters of its query,
 * has in common with it; 0 where it has neither, or more than SHAPE_PARAMETERS parameters. */
#define SHAPE_PARAMETERS 256
uint64_t shape_form(const struct url *);

/* What a URL that differs only in parts that look drawn at random has in common with it: runs of
 * SHAPE_DRAWN or more letters, digits, '-' and '_' that change from letters to digits or back twice at
 * least, or are all digits; 0 where it has none. *place: what has them in the same places: under the
 * same names in the query, behind the same path. */
#define SHAPE_DRAWN 8
uint64_t shape_drawn(const struct url *, uint64_t *place);

/* What all URLs of a host have in common whose paths begin with the same folder, or are in none. */
uint64_t shape_root(const struct url *);

/* XXH3 of its host with the port, and of the registrable domain. */
uint64_t shape_host(const struct url *);
uint64_t shape_domain(const struct url *);

/* Times in a row that the path's segments repeat at most: 1 for /a/b, 3 for /x/a/b/a/b/a/b/c (groups
 * of up to SHAPE_GROUP segments). */
#define SHAPE_GROUP 4
unsigned shape_repeats(const struct url *);

/* Segments of the path: 1 for "/" and "/a", 2 for "/a/b" and "/a/". */
unsigned shape_depth(const struct url *);

/* The years a URL speaks of in a calendar's way: a path /YYYY/MM or /YYYY-MM, or a query's value
 * YYYY under y, year, or YYYY-MM, YYYYMM, under date, month, day, d or m, and the like. The one
 * farthest from `year`, or `year` where there is none. */
int shape_far_year(const struct url *, int year);

#endif
