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
#include <stdint.h>

/* Compiles a POSIX extended regular expression, which the caller frees with match_regex_free(). If
 * `text` is NULL, the result is NULL. Returns 0, or ERR_USAGE if the expression does not compile or is
 * too large (regex_size()). */
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

/* Estimates how large an extended regular expression becomes when the C library compiles it, so that a
 * caller can refuse one that would take all memory. The C library compiles x+ as xx* and x{3,9} as nine
 * copies of x, and a repetition within a repetition multiplies the copies: a short line of a rules file
 * can need gigabytes. Nested repetitions multiply the time to match by four for each level.
 *
 *	if (regex_size(text) > REGEX_SIZE_MAX)
 *		return err_set(why, ERR_USAGE, "regex '%s' is too large", text); */

#define REGEX_SIZE_MAX     10000 /* atoms */
#define REGEX_DEPTH_MAX    100   /* groups within groups */
#define REGEX_REPEATED_MAX 6     /* repetitions within repetitions */

/* Returns the number of atoms of the expression after its repetitions are written out. The result is
 * REGEX_SIZE_MAX + 1 if there are more atoms than REGEX_SIZE_MAX, or if groups or repetitions are
 * nested deeper than the limits above. The function does not check the syntax; it returns some number
 * for a text that is no regular expression. Time: linear. */
uint32_t regex_size(const char *text);

#endif
