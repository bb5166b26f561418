/* Limits: what is known of a URL by its text alone, before any request. One rule refuses a URL, and no fetched page can undo this
 * refusal: the URL's registrable domain has `hosts` known hosts, and its host is not one of them (OUTCOME_HOSTS). The other options
 * are limits of what traps/traps.c trusts: a URL beyond them is deferred.
 *
 *	if (limits_judge(&l, traits) == OUTCOME_NONE)
 *		limits_count(&l, traits);
 *
 * One thread uses a struct limits. */
#ifndef TRAPS_LIMITS_H
#define TRAPS_LIMITS_H

#include "base/map.h"
#include "base/outcome.h"
#include "parser/shape.h"

struct limits {
	int year; /* the year of the crawl; 0: dates are not judged */
	/* options of traps/traps.h, where `forms` is the option session-ids; 0 turns a rule off */
	uint32_t depth, repeats, years, past, hosts, forms;
	struct map forms_known; /* by form (struct url_traits): the first page that was counted */
	struct map hosts_known; /* by host: its domain, and whether it is counted */
	struct map domains;     /* by domain: the number of its counted hosts */
};

/* Prepares the maps; the caller sets `year` and the options before, in a struct that is otherwise zeroed. */
void limits_init(struct limits *);

/* Frees the memory. */
void limits_release(struct limits *);

/* Returns why a new URL is refused, or OUTCOME_NONE. */
enum outcome limits_judge(const struct limits *, const struct url_traits *);

/* Says whether the segments of a URL's path stand more than `repeats` times in a row, or are more than `depth`. */
int limits_is_odd(const struct limits *, const struct url_traits *);

/* Says whether a URL has a date in a year more than `past` before the year of the crawl, or more than `years` after it. */
int limits_is_far(const struct limits *, const struct url_traits *);

/* Counts the URL of page `id`, which no rule has refused: from now on its form is known, and its host is a known host of its
 * domain. */
void limits_count(struct limits *, const struct url_traits *, uint32_t id);

/* Says whether the URL of page `id` differs from that of page *first, which was counted before, only in a session id with a
 * well-known name, or in the order of its query's parameters. */
int limits_has_form(const struct limits *, const struct url_traits *, uint32_t id, uint32_t *first);

/* Returns the hash of the URL's registrable domain. The hash is computed once for each host. */
uint64_t limits_domain(struct limits *, const struct url_traits *);

#endif
