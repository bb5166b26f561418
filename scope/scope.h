/* The scope of a crawl decides which URLs belong to it. A refusal has a reason (enum outcome), which the store keeps.
 *
 * A URL is judged when it is discovered: first by its length, depth and blocked hosts; then by the rules (scope/rules.h), or, if no
 * rule matches, by hosts, suffixes, regular expressions and folders; last by the limits on URLs of spider traps (traps/traps.h).
 * When its page has been taken from the queue, the budgets of its host and domain are checked, and the traps again. Judging changes
 * nothing; the one thread of the coordinator calls all functions.
 *
 *	scope_new(&s, &settings, why);
 *	scope_add_seed(s, &seed);
 *	reason = scope_judge_new(s, traits, depth);    OUTCOME_NONE: the URL belongs to the crawl */
#ifndef SCOPE_SCOPE_H
#define SCOPE_SCOPE_H

#include "base/buf.h"
#include "base/err.h"
#include "base/flag.h"
#include "base/image.h"
#include "base/outcome.h"
#include "scope/rules.h"
#include "parser/host_settings.h"
#include "parser/shape.h"

/* The settings of a crawl that decide its scope (base/settings.h), and those that a caller derives. Lists have commas between their
 * elements.
 *
 * `domains` are in scope with their subdomains, and without them the hosts of the seeds, or with `span_hosts` all hosts. An element
 * of `accept` or `reject` is compared with the last segment of the path. An element with one of the characters *?[ is a shell
 * pattern for the whole segment; any other is a suffix, as in wget. An element of `reject` that matches refuses the URL. `accept`
 * is compared only with segments that contain a dot: a segment without a dot, or an empty one, often is a page that leads to
 * others. A regular expression matches if a part of the URL matches. `no_parent` applies to the hosts of the seeds only. For
 * `rules` see scope/rules.h. No page of `block_hosts` ("example.org,example.org:8080") is in scope, seeds included. Of the budgets,
 * 0 is no limit. */
struct scope_settings {
#define SCOPE(kind, field, ...) FLAG_TYPE_##kind field;
#include "base/settings.h"
	const char *traps; /* options of traps/traps.h, "key=value" with line feeds between */
	/* of some hosts, in place of the fields accept_regex, reject_regex and max_per_host; borrowed, must outlive the scope;
	 * NULL: none */
	const struct host_settings *hosts;
};

struct scope;

/* Makes a scope, which the caller frees with scope_free(). Returns 0, or ERR_USAGE with a note for a regular expression that
 * does not compile, a malformed rule, or an unknown option. */
int scope_new(struct scope **, const struct scope_settings *, struct err_note *why) MUST_USE;

/* Frees a scope. */
void scope_free(struct scope *);

/* Adds a seed, which widens the scope: by its host, unless there are `domains`, and by its folder. */
void scope_add_seed(struct scope *, const struct url *seed);

/* Blocks a host, or ends its block. The host is n bytes, with its port unless that is the default one. */
void scope_block(struct scope *, const char *host, size_t n);
void scope_unblock(struct scope *, const char *host, size_t n);

/* Says whether the host of a URL is blocked. */
int scope_blocks(const struct scope *, const struct url *);

/* Says whether any host is blocked. */
int scope_has_blocks(const struct scope *);

/* Appends the blocked hosts, in the order in which they were blocked, with commas between them. */
void scope_list_blocked(const struct scope *, struct buf *out);

/* Judges a URL that was discovered at this depth. Returns the reason for which it is refused, or OUTCOME_NONE. A URL of more than
 * 2,000 bytes is always refused. */
enum outcome scope_judge_new(const struct scope *, const struct url_traits *, uint32_t depth);

/* Judges a URL that the crawl knows already, or that must not be counted. Returns the reason for which it is refused, or
 * OUTCOME_NONE. */
enum outcome scope_judge_known(const struct scope *, const struct url_traits *, uint32_t depth);

/* Returns the most links from a seed at which a page belongs to the crawl, or UINT32_MAX. */
uint32_t scope_max_depth(const struct scope *);

/* Says whether the budgets of the URL's host and domain allow one more page. */
int scope_has_room(const struct scope *, const struct url_traits *);

/* Says whether the crawl has a budget at all. */
int scope_has_budgets(const struct scope *);

/* Counts a page that was taken in the budgets of its host and domain. */
void scope_take(struct scope *, const struct url_traits *);

/* Undoes scope_take() for a page that was not crawled after all. */
void scope_give_back(struct scope *, const struct url_traits *);

/* Writes what a scope has learned of the pages of the crawl, budgets and traps, into an image, or reads it into a scope that has
 * learned nothing yet (base/image.h). Seeds and blocked hosts are no part of it. Returns 1; or 0 if the image was written under
 * other options of budgets or traps, or one of the two crawls has a limit of the depth and the other has none (without a limit the
 * depths behind a page to which a shorter way is found stay as they are); then nothing is read. */
int scope_image(struct scope *, struct image *);

/* Returns the rules of the crawl, which belong to the scope; NULL if there are none. */
const struct rules *scope_rules(const struct scope *);

/* Returns the trap detectors of the crawl (traps/traps.h), which belong to the scope. */
struct traps;
struct traps *scope_traps(struct scope *);

#endif
