/* `lycosa parse`: the parser by hand, a function a call. Results go to `out`; each returns 0 or a
 * negative enum err. Where a FILE is named, "-" is stdin, and it may be packed. */
#ifndef CLI_PARSE_PARSE_H
#define CLI_PARSE_PARSE_H

#include "base/err.h"

#include <stdio.h>

/* For each line of `in`, a URL: "allow" or "deny". */
int parse_robots_check(
	const char *agent, const char *file, FILE *in, FILE *out, struct err_note *why) MUST_USE;

/* "crawl-delay<TAB>seconds" where there is one, "sitemap<TAB>URL" as written for each. */
int parse_robots_info(
	const char *agent, const char *file, FILE *out, struct err_note *why) MUST_USE;

/* A line in, a line out, "error" for what cannot be parsed. Lines are raw bytes up to LF; "\r" is
 * one of them. ERR_FILE where `in` or `out` fails. */

/* Each reference against `base` (any scheme; NULL: absolute only): an http or https URL without
 * its fragment. */
int parse_url_resolve(const char *base, FILE *in, FILE *out) MUST_USE;

/* Each URL normalised by the rules (parser/url_rules.h). */
int parse_url_canon(unsigned rules, FILE *in, FILE *out) MUST_USE;

/* Each value of a Content-Type header: "essence<TAB>encoding", "-" where none is known. */
int parse_http_content_type(FILE *in, FILE *out) MUST_USE;

/* The a and area links of a document fetched from `base`, a canonical URL a line, in order.
 * `content_type` is the header's value or NULL. */
int parse_links(const char *base, const char *content_type, const char *file, FILE *out,
	struct err_note *why) MUST_USE;

/* "base<TAB>URL", "charset<TAB>name", and where there is one "refresh<TAB>seconds<TAB>URL",
 * "robots<TAB>words", "canonical<TAB>URL". */
int parse_page(const char *base, const char *content_type, const char *file, FILE *out,
	struct err_note *why) MUST_USE;

/* "url<TAB>URL" and "sitemap<TAB>URL" for each entry, in order; none and a warning where the file
 * is no sitemap. */
int parse_sitemap(const char *base, const char *content_type, const char *file, FILE *out,
	struct err_note *why) MUST_USE;

#endif
