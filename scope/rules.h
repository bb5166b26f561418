/* The rules of a crawl (--rules): which URLs belong to it, and which come first. Each line of the text is one rule; blank lines and
 * lines that begin with # are ignored:
 *
 *   accept|reject            SUBJECT VALUE     whether a URL belongs to the crawl
 *   first|last|weight NUMBER SUBJECT VALUE     when its page is taken
 *
 * There are two lists: of the rules that accept and reject the first that matches a URL decides, and of those that order the first
 * that matches. A URL matches a rule whose SUBJECT is
 *   host     if its host, with the port if it has one, equals VALUE;
 *   domain   if its host is VALUE or a subdomain of it;
 *   prefix   if the URL begins with VALUE;
 *   suffix   if the path ends with VALUE;
 *   glob     if the whole URL matches the shell pattern VALUE;
 *   regex    if a part of the URL matches the extended regular expression VALUE;
 * and, for rules that order,
 *   type     if the extension of the path stands for the media type VALUE (parser/mime.h), which may be a shell pattern;
 *   depth    if the page is as many links away from a seed as VALUE says: "2", "2-5" or "2-".
 *
 *	rules_new(&r, "order.rules", "reject suffix .pdf\nfirst depth 0-1\n", why);
 *	verdict = rules_judge(r, &url, &line);
 *	rank = rules_rank(r, &url, depth); */
#ifndef SCOPE_RULES_H
#define SCOPE_RULES_H

#include "base/err.h"
#include "base/rank.h"
#include "parser/url.h"

#define RULES_MAX       1000  /* the most rules of a text */
#define RULES_MAX_BYTES 65535 /* of a file */

struct rules;

/* RULES_SILENT: no rule matches. */
enum rules_verdict { RULES_SILENT, RULES_ACCEPT, RULES_REJECT };

/* Parses a text of rules, which errors call `name` (a file; NULL: "the rules"); the caller frees the result with rules_free().
 * Returns 0, or ERR_USAGE, with the number of the line in the note, for a line that is no rule, for more than RULES_MAX rules, and
 * for RANK_WEIGHTS different weights. */
int rules_new(struct rules **, const char *name, const char *text, struct err_note *why) MUST_USE;

/* Reads rules from a file. Returns 0, an error of rules_new(), ERR_FILE, or ERR_TOO_BIG. */
int rules_read(struct rules **, const char *path, struct err_note *why) MUST_USE;

/* Frees rules. NULL is allowed. */
void rules_free(struct rules *);

/* Returns the verdict of the first rule that matches a URL, with its line, from 1, in *line, which may be NULL. `rules` may be
 * NULL, for no rules. Any thread may call. */
enum rules_verdict rules_judge(const struct rules *, const struct url *, unsigned *line);

/* Returns the weights of rules_rank(), RANK_WEIGHTS of them, or NULL if no rule orders. `rules` may be NULL. */
const double *rules_weights(const struct rules *);

/* Returns the rank of a page by the first rule that orders and matches: its tier, and the index of its weight among
 * rules_weights(). A page that no rule matches is TIER_NORMAL with the weight 1. Any thread may call. */
uint8_t rules_rank(const struct rules *, const struct url *, uint32_t depth);

#endif
