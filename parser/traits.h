/* The traits of a URL: hashes and counts by which scope, budgets and traps know it from others. A URL's traits are
 * computed once, when it is found, and handed to all who judge and count it.
 *
 *	const struct url_traits traits = url_traits(&u);
 *	if (traits.depth > most)
 *		... the path is too deep
 *	seen = map_at(&hosts, traits.host);
 *
 * Two URLs that differ in the hashed part have different hashes, except with a probability of 2^-64. */
#ifndef PARSER_TRAITS_H
#define PARSER_TRAITS_H

#include "parser/url.h"

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
