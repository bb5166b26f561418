/* URL normalisation beyond the URL standard (--normalise): rules that rewrite URLs which lead to the same
 * page on most servers. No standard promises that they do, so each rule applies only if the user names
 * it. The functions are pure.
 *
 *	url_rules_read(&rules, "tracking,index", why);
 *	url_rules_apply(rules, &u);      http://a.test/index.html?utm_source=b becomes http://a.test/ */
#ifndef PARSER_URL_RULES_H
#define PARSER_URL_RULES_H

#include "base/err.h"
#include "parser/url.h"

/* X(name, the user's word, what the rule removes or changes), in the order in which rules are applied. */
#define URL_RULE_TABLE(X) \
	X(URL_RULE_ESCAPES, "escapes", "as url_normalise()") \
	X(URL_RULE_TRACKING, "tracking", "parameters that say where a reader came from: utm_*") \
	X(URL_RULE_SESSIONS, "sessions", "session ids: in the query, behind a ';' of the path, or /(S(x))/") \
	X(URL_RULE_QUERY, "query", "parameters sorted by name; empty ones, and '=' of empty values, gone") \
	X(URL_RULE_SLASHES, "slashes", "several '/' in a row in the path are one") \
	X(URL_RULE_INDEX, "index", "index.html and its like at the end, without a query, are gone")

enum url_rule {
#define URL_RULE_NAME(name, text, help) name,
	URL_RULE_TABLE(URL_RULE_NAME)
#undef URL_RULE_NAME
		URL_RULES
};

/* Parses a list of rules with commas between them ("all" is every rule) into a mask of 1 << enum
 * url_rule. Empty entries are ignored. Returns 0, or ERR_USAGE if a word names no rule; the note lists
 * the rules. */
int url_rules_read(unsigned *rules, const char *list, struct err_note *why) MUST_USE;

/* Applies the rules of a mask to a canonical URL, in place. The result is canonical; only URL_RULE_ESCAPES
 * can make it longer. Applying the same rules again changes nothing. Time: linear, plus the sorting of
 * the parameters. */
void url_rules_apply(unsigned rules, struct url *u);

/* Says whether URL_RULE_SESSIONS takes a parameter of a query for a session id. The parameter is n
 * bytes ("sid=4f..."), of which the first `name` bytes are its name. */
int url_rules_is_session(const char *parameter, size_t n, size_t name);

/* Takes session ids out of the path, as the rule `sessions` does, in the URL's own memory; the query stays. */
void url_rules_cut_sessions(struct url *u);

#endif
