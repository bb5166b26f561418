/* Limits: what a URL alone tells of a spider trap, before anything is fetched. These rules refuse at once.
 *
 * A path that repeats itself or is too deep; a calendar's date far from today, found on a page of the
 * calendar; a URL that is known but for a session id of a known name, or for the order of its parameters;
 * too many queries of one path; too many hosts of one registrable domain. */
#ifndef TRAPS_LIMITS_H
#define TRAPS_LIMITS_H

#include "base/map.h"
#include "base/outcome.h"
#include "parser/url.h"

struct limits {
	int year; /* by which calendars are judged; 0: they are not */
	/* options of traps/traps.h; 0 turns one off */
	uint32_t repeats, depth, years, past, queries, hosts, forms;
	struct map paths;          /* that have queries */
	struct map forms_known;    /* of the URLs found */
	struct map hosts_known;    /* with their domains */
	struct map domains;        /* hosts of each */
};

void limits_init(struct limits *);
void limits_release(struct limits *);

/* What a URL is refused for that is found for the first time, on the page `from` (NULL: on none). */
enum outcome limits_judge_found(
	const struct limits *, const struct url *, const struct url *from);

/* What a URL is refused for whatever led to it, and however many like it there are. */
enum outcome limits_judge(const struct limits *, const struct url *);

/* Counts a URL that is let in. */
void limits_count(struct limits *, const struct url *);

/* The hash of the registrable domain of a URL whose host has this hash (shape_host()). */
uint64_t limits_domain(struct limits *, const struct url *, uint64_t host);

#endif
