/* The three ways in which scope and its rules match a URL: a regular expression, a domain, a glob. Any
 * thread may call.
 *
 *	match_regex_new(&e, "[?&]sid=", why);                match_regex(e, "http://a.test/?sid=1") is 1
 *	match_domain("www.example.org", 15, "example.org");  1
 *	match_glob("*.pdf", "report.pdf", 10);               1 */
#ifndef PARSER_MATCH_H
#define PARSER_MATCH_H

#include "base/err.h"

#include <regex.h>
#include <stddef.h>

/* Compiles a POSIX extended regular expression, which the caller frees with match_regex_free(). If
 * `text` is NULL, the result is NULL. Returns 0, or ERR_USAGE if the expression does not compile or is
 * too large (parser/regex_size.h). */
int match_regex_new(regex_t **, const char *text, struct err_note *why) MUST_USE;

/* Says whether the expression matches some part of a text. */
int match_regex(const regex_t *, const char *text);

/* Frees an expression. NULL is allowed. */
void match_regex_free(regex_t *);

/* Says whether a host of n bytes equals `domain` or is a subdomain of it, without regard to case. A dot
 * at the start of `domain` is ignored. */
int match_domain(const char *host, size_t n, const char *domain);

/* Says whether a shell pattern (*, ?, [a-z], [!a-z]) matches all n bytes of a text. Other than in a
 * shell, * and ? also match '/'. Time: O(length of the pattern * n). */
int match_glob(const char *glob, const char *text, size_t n);

#endif
