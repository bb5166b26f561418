/* Which pages belong to the crawl. Each refusal has a reason, which the store keeps. */
#ifndef CRAWLER_SCOPE_H
#define CRAWLER_SCOPE_H

#include "base/err.h"
#include "parser/url.h"

/* Row order is the stored number: append only. */
#define REFUSAL_TABLE(X)                                                                           \
	X(REFUSAL_NONE, "-")                                                                       \
	X(REFUSAL_HOST, "host")                                                                    \
	X(REFUSAL_DEPTH, "depth")                                                                  \
	X(REFUSAL_SUFFIX, "suffix")                                                                \
	X(REFUSAL_REGEX, "regex")                                                                  \
	X(REFUSAL_PARENT, "parent")                                                                \
	X(REFUSAL_LENGTH, "length")

enum refusal {
#define REFUSAL_NAME(name, text) name,
	REFUSAL_TABLE(REFUSAL_NAME)
#undef REFUSAL_NAME
		REFUSALS
};

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
};

struct scope;

/* ERR_USAGE with a note for a regex that does not compile. */
int scope_new(struct scope **, const struct scope_settings *, struct err_note *why) MUST_USE;
void scope_free(struct scope *);

/* A seed widens the scope: its host is in (unless domains are given), its folder too. */
void scope_add_seed(struct scope *, const struct url *seed);

/* Why a page is refused that was found at this depth; REFUSAL_NONE where it belongs. A URL of more
 * than 2,000 bytes never does. */
enum refusal scope_judge(const struct scope *, const struct url *u, uint32_t depth);

const char *refusal_name(enum refusal);

#endif
