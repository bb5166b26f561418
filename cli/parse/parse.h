/* `lycosa parse`: runs one function of the parser on input of the user. The results go to `out`, as the lines that the comments
 * name, or as the rows of a JSON object (--json). Each function returns 0 or a negative enum err. A file may be compressed, and the
 * path "-" is stdin. */
#ifndef CLI_PARSE_PARSE_H
#define CLI_PARSE_PARSE_H

#include "base/err.h"

#include <stdio.h>

struct results;

/* Where the results go: lines to `text`, or, if `json` is not NULL, rows with the columns that the caller has begun there. */
struct parse_out {
	FILE *text;
	struct results *json;
};

/* Adds one result: a line, or a row with one cell for each column. A cell that is NULL is missing. */
void parse_out_row(const struct parse_out *, const char *line, const char *const *cells, size_t n);

/* Prints "allow" or "deny" for each line of `in`, a URL, by the robots.txt in `file`. Columns: url, verdict. */
int parse_robots_check(const char *agent, const char *file, FILE *in, const struct parse_out *out, struct err_note *why) MUST_USE;

/* Prints "crawl-delay<TAB>seconds" if the robots.txt has one, and "sitemap<TAB>URL", as written, for each sitemap.
 * Columns: name, value. */
int parse_robots_info(const char *agent, const char *file, const struct parse_out *out, struct err_note *why) MUST_USE;

/* The next three functions print a line for each line of `in`, "error" for a line that cannot be parsed. A line
 * consists of all bytes up to LF, also "\r". They return ERR_FILE if `in` or `out` fails. */

/* Prints each reference, resolved against `base` (of any scheme; NULL: absolute references only), as an http or
 * https URL without its fragment. Column: url, missing for a line that cannot be parsed. */
int parse_url_resolve(const char *base, FILE *in, const struct parse_out *out) MUST_USE;

/* Prints each URL after the rules of a mask (parser/url_rules.h). Column: url. */
int parse_url_canon(unsigned rules, FILE *in, const struct parse_out *out) MUST_USE;

/* Prints each value of a Content-Type header as "essence<TAB>encoding", with "-" for an unknown encoding. Columns: type,
 * charset. */
int parse_http_content_type(FILE *in, const struct parse_out *out) MUST_USE;

/* Prints the a and area links of an HTML document that was fetched from `base`, one canonical URL on each line, in
 * order. `content_type` is the value of the header, or NULL. Column: url. */
int parse_links(const char *base, const char *content_type, const char *file, const struct parse_out *out,
	struct err_note *why) MUST_USE;

/* Prints "base<TAB>URL" and "charset<TAB>name" of an HTML document, and "refresh<TAB>seconds<TAB>URL",
 * "robots<TAB>words" and "canonical<TAB>URL" if it has them. Columns: name, value, seconds. */
int parse_page(const char *base, const char *content_type, const char *file, const struct parse_out *out,
	struct err_note *why) MUST_USE;

/* Prints "url<TAB>URL" or "sitemap<TAB>URL" for each entry of a sitemap, in order. If the file is no sitemap, a
 * warning goes to stderr. Columns: kind, url. */
int parse_sitemap(const char *base, const char *content_type, const char *file, const struct parse_out *out,
	struct err_note *why) MUST_USE;

#endif
