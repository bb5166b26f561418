/* Rules on the URL alone: what a URL tells of a spider trap before anything is fetched. These rules refuse at
 * once, and nothing that is learnt later takes a refusal back; so each is one that pages of a site's own do not
 * meet, and each has an option that turns it off.
 *
 *   - the path has more than `depth` segments;
 *   - the URL shows a calendar's date more than `years` after, or `past` before the crawl's year, and the
 *     page that leads there is one of the same calendar;
 *   - a URL is known that differs only in a session id of a known name, or in the order of its parameters;
 *   - the registrable domain has `hosts` hosts already, and the URL's is none of them. */
#ifndef TRAPS_LIMITS_H
#define TRAPS_LIMITS_H

#include "base/map.h"
#include "base/outcome.h"
#include "parser/traits.h"

struct limits {
	int year; /* the crawl's; 0: dates are not judged */
	uint32_t depth, years, past, hosts, forms; /* options of traps/traps.h; 0 turns one off */
	struct map forms_known;    /* of the URLs counted */
	struct map hosts_known;    /* with their domains */
	struct map domains;        /* how many hosts each has */
};

void limits_init(struct limits *);
void limits_release(struct limits *);

/* Why a URL is refused that is found for the first time, on the page `from` (NULL: on none that is known);
 * OUTCOME_NONE: no rule refuses it. */
enum outcome limits_judge_new(
	const struct limits *, const struct url_traits *, const struct url *from);

/* Why a URL is refused that is counted already: by its depth alone. */
enum outcome limits_judge_known(const struct limits *, const struct url_traits *);

/* Counts a URL that no rule has refused: its form is known, and its host is one of its domain, from now on. */
void limits_count(struct limits *, const struct url_traits *);

/* Returns the hash of the URL's registrable domain, which is looked up once for each host. */
uint64_t limits_domain(struct limits *, const struct url_traits *);

#endif
