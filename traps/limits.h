/* Limits: rules that recognise a spider trap by the URL alone, before any request. No fetched page can undo a refusal by a limit.
 * So a rule must not match useful pages of a site, and each rule has an option that turns it off. A URL is refused if
 *
 *   - its path has more than `depth` segments (OUTCOME_REPEATS);
 *   - it has a date in a year more than `years` after the year of the crawl, and the page that links to it has a URL of
 *     the same shape (parser/shape.h), or is unknown (OUTCOME_CALENDAR). A date of long ago refuses no URL, since archives have
 *     such dates: see limits_is_old(). But a calendar ends there, too: a URL with a date before SHAPE_FIRST_YEAR is refused
 *     if the page that links to it has a URL of the same shape and a date of long ago;
 *   - a URL is known from which it differs only in a session id with a well-known name, or in the order of its query's
 *     parameters (OUTCOME_SESSION);
 *   - its registrable domain has `hosts` known hosts, and its host is not one of them (OUTCOME_HOSTS).
 *
 *	if (limits_judge_new(&l, traits, &page_url) == OUTCOME_NONE)
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
	uint32_t depth, years, past, hosts, forms;
	struct map forms_known; /* the forms (struct url_traits) of the counted URLs */
	struct map hosts_known; /* by host: its domain, and whether it is counted */
	struct map domains;     /* by domain: the number of its counted hosts */
};

/* Prepares the maps; the caller sets `year` and the options before, in a struct that is otherwise zeroed. */
void limits_init(struct limits *);

/* Frees the memory. */
void limits_release(struct limits *);

/* Returns why a URL is refused that was discovered on the page `from` (NULL: unknown), or OUTCOME_NONE. */
enum outcome limits_judge_new(const struct limits *, const struct url_traits *, const struct url *from);

/* Returns why a URL is refused that was counted before, or OUTCOME_NONE. Only the rule on the depth applies. */
enum outcome limits_judge_known(const struct limits *, const struct url_traits *);

/* Says whether a URL has a date in a year more than `past` before the year of the crawl. */
int limits_is_old(const struct limits *, const struct url_traits *);

/* Counts a URL that no rule has refused: from now on its form is known, and its host is a known host of its domain. */
void limits_count(struct limits *, const struct url_traits *);

/* Returns the hash of the URL's registrable domain. The hash is computed once for each host. */
uint64_t limits_domain(struct limits *, const struct url_traits *);

#endif
