/* Normalisation beyond the URL standard: rules that say which URLs mean the same page on most
 * servers, though no standard promises it; so each is on only when asked for. */
#ifndef PARSER_URL_RULES_H
#define PARSER_URL_RULES_H

#include "base/err.h"
#include "parser/url.h"

/* In the order in which they are applied, whatever order they are named in. */
#define URL_RULE_TABLE(X)                                                                          \
	X(URL_RULE_ESCAPES, "escapes", "as url_normalise()")                                       \
	X(URL_RULE_TRACKING, "tracking", "parameters that say where a reader came from: utm_*")    \
	X(URL_RULE_SESSIONS, "sessions",                                                           \
		"session ids: in the query, behind a ';' of the path, or /(S(x))/")                \
	X(URL_RULE_QUERY, "query",                                                                 \
		"parameters sorted by name; empty ones, and '=' of empty values, gone")            \
	X(URL_RULE_SLASHES, "slashes", "several '/' in a row in the path are one")                 \
	X(URL_RULE_INDEX, "index", "index.html and its like at the end, without a query, are gone")

enum url_rule {
#define URL_RULE_NAME(name, text, help) name,
	URL_RULE_TABLE(URL_RULE_NAME)
#undef URL_RULE_NAME
		URL_RULES
};

/* Reads names with commas between, or "all", into a mask of 1 << enum url_rule. ERR_USAGE names
 * the nearest. */
int url_rules_read(unsigned *rules, const char *list, struct err_note *why) MUST_USE;

/* Applies the rules of the mask. The result is canonical, never longer than the URL (but for
 * `escapes`), and comes out as it is when they are applied again. Time: linear, but for sorting. */
void url_rules_apply(unsigned rules, struct url *u);

/* Whether a parameter of a query, n bytes of which the first `name` are its name, is a session id to the
 * rule `sessions`. */
int url_rules_is_session(const char *parameter, size_t n, size_t name);

#endif
