/* What scope and rules compare URLs with. */
#ifndef PARSER_MATCH_H
#define PARSER_MATCH_H

#include "base/err.h"

#include <regex.h>
#include <stddef.h>

/* An extended regular expression, to be sought anywhere; NULL for no text. ERR_USAGE with a note
 * where it does not compile or is too large (parser/regex_size.h). Free with match_regex_free(). */
int match_regex_new(regex_t **, const char *text, struct err_note *why) MUST_USE;

/* Whether such an expression matches anywhere in a text. */
int match_regex(const regex_t *, const char *text);
void match_regex_free(regex_t *);

/* Whether a host of n bytes is "example.org" (or ".example.org") or ends in it, label by label. */
int match_domain(const char *host, size_t n, const char *domain);

/* The shell's *, ?, [a-z], [!a-z] against n bytes. Time: length times length. */
int match_glob(const char *glob, const char *text, size_t n);

#endif
