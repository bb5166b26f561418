/* Rules of scope that are tried in their order; the first that matches decides. A line a rule:
 *
 *   accept|reject  host|domain|prefix|suffix|glob|regex  VALUE
 *
 * host is a host with its port, where it has one; domain, it and what ends in it; prefix, what the
 * URL begins with; suffix, what the path ends with; glob, the shell's of the whole URL; regex, an
 * extended one, sought anywhere in the URL. Blank lines and those that begin with # are none. */
#ifndef SCOPE_RULES_H
#define SCOPE_RULES_H

#include "base/err.h"
#include "parser/url.h"

#define RULES_MAX 1000 /* rules */

struct rules;

enum rules_verdict { RULES_SILENT, RULES_ACCEPT, RULES_REJECT };

/* ERR_USAGE, naming the line, for what is no rule. */
int rules_new(struct rules **, const char *text, struct err_note *why) MUST_USE;
void rules_free(struct rules *);

/* What the first rule that matches says; its line (from 1) into *line, which may be NULL. NULL for
 * no rules is silent. */
enum rules_verdict rules_judge(const struct rules *, const struct url *, unsigned *line);

#endif
