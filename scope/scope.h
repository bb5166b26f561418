/* Which pages belong to the crawl. Each refusal has a reason, which the store keeps.
 *
 * A URL is judged when it is found: by its length and depth; by the rules, of which the first that
 * matches decides what hosts, suffixes, regexes and folders would; last by the limits that tell
 * spider traps (traps/traps.h). When a queued one is about to be asked for, the budgets of its host and
 * domain have another word, and so have the traps learnt since. */
#ifndef SCOPE_SCOPE_H
#define SCOPE_SCOPE_H

#include "base/err.h"
#include "base/outcome.h"
#include "scope/rules.h"
#include "parser/traits.h"

/* Texts as given on the command line; NULL: not given. Lists have commas between.
 *
 * accept and reject look at the last part of the path, without the query: an element with one of
 * *?[ in it is a glob of all of it, any other what it ends with, as in wget. A last part without a
 * dot, or none, is always accepted: it is a page that leads to others. The regexes are sought
 * anywhere in the URL. `no_parent` binds the hosts of the seeds only. */
struct scope_settings {
	int span_hosts;                          /* every host, or of `domains` where given */
	const char *domains;                     /* these and what ends in .them */
	const char *accept, *reject;             /* suffixes ("html,pdf") or globs, see above */
	const char *accept_regex, *reject_regex; /* extended, on the whole URL */
	int no_parent;                           /* not above the folders of the seeds */
	uint32_t max_depth;                      /* UINT32_MAX: no limit */
	const char *rules;                       /* see scope/rules.h */
	const char *traps; /* options of traps/traps.h, "key=value" with line feeds between */
	int year;          /* the crawl's, for calendars; 0: unknown */
	uint64_t per_host, per_domain; /* pages; 0: no limit */
};

struct scope;

/* ERR_USAGE with a note for a regex that does not compile, a rule or an option that is none. */
int scope_new(struct scope **, const struct scope_settings *, struct err_note *why) MUST_USE;
void scope_free(struct scope *);

/* A seed widens the scope: its host is in (unless domains are given), its folder too. */
void scope_add_seed(struct scope *, const struct url *seed);

/* Returns why a new URL is refused that is found at this depth, by a link of the page `from` (NULL: by none that is
 * known); OUTCOME_NONE: it belongs to the crawl. A URL of more than 2,000 bytes never does. */
enum outcome scope_judge_new(const struct scope *, const struct url_traits *, uint32_t depth,
	const struct url *from);

/* Returns why a URL is refused that the crawl knows already, or that is not to be counted; or OUTCOME_NONE. */
enum outcome scope_judge_known(const struct scope *, const struct url_traits *, uint32_t depth);

/* Whether the URL's host and domain may have a page more. */
int scope_has_room(const struct scope *, const struct url_traits *);

/* Whether there are budgets at all. */
int scope_has_budgets(const struct scope *);

/* Counts a page in the budgets of its host and domain; or takes it back, since it did not come. */
void scope_take(struct scope *, const struct url_traits *);
void scope_give_back(struct scope *, const struct url_traits *);

/* The traps of the crawl, which are to be told what comes: the scope's. */
struct traps;
struct traps *scope_traps(struct scope *);

#endif
