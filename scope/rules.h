/* The rules of a crawl's scope (--rules). Rules are tried in order; the first rule that matches a URL decides. Each line of the
 * text is one rule; blank lines and lines that begin with # are ignored:
 *
 *   accept|reject  host|domain|prefix|suffix|glob|regex  VALUE
 *
 * A URL matches a rule of kind
 *   host     if its host, with the port if it has one, equals VALUE;
 *   domain   if its host is VALUE or a subdomain of it;
 *   prefix   if the URL begins with VALUE;
 *   suffix   if the path ends with VALUE;
 *   glob     if the whole URL matches the shell pattern VALUE;
 *   regex    if a part of the URL matches the extended regular expression VALUE.
 *
 *	rules_new(&r, "reject suffix .pdf\naccept domain example.org\n", why);
 *	verdict = rules_judge(r, &url, &line); */
#ifndef SCOPE_RULES_H
#define SCOPE_RULES_H

#include "base/err.h"
#include "parser/url.h"

#define RULES_MAX 1000 /* the most rules of a text */

struct rules;

/* RULES_SILENT: no rule matches. */
enum rules_verdict { RULES_SILENT, RULES_ACCEPT, RULES_REJECT };

/* Parses a text of rules; the caller frees the result with rules_free(). Returns 0, or ERR_USAGE, with the number of the line
 * in the note, for a line that is no rule and for more than RULES_MAX rules. */
int rules_new(struct rules **, const char *text, struct err_note *why) MUST_USE;

/* Frees rules. NULL is allowed. */
void rules_free(struct rules *);

/* Returns the verdict of the first rule that matches a URL, with its line, from 1, in *line, which may be NULL. `rules` may be
 * NULL, for no rules. Any thread may call. */
enum rules_verdict rules_judge(const struct rules *, const struct url *, unsigned *line);

#endif
