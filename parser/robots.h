/* The parser of robots.txt (RFC 9309) and the decision whether an agent may fetch a path.
 *
 *	struct robots *rules = robots_parse(body, n, "lycosa");
 *	allowed = robots_allows(rules, "/a?b", 4);
 *	robots_free(rules);
 *
 * As the RFC requires, the groups of one agent are merged, the longest matching rule wins, an allow
 * rule wins a tie, a rule may contain `*` and `$`, and percent-escapes are compared decoded if the
 * decoding does not change their meaning. Where the RFC is silent, the parser does as Google's
 * does: it accepts misspelt keys and a missing colon, cuts lines at 16,663 bytes, and lets a rule
 * that allows "/x/index.html" allow "/x/".
 * Deviation: Google's parser decodes no escapes, and disallows /robots.txt if a rule does. */
#ifndef PARSER_ROBOTS_H
#define PARSER_ROBOTS_H

#include "base/buf.h"

#include <stddef.h>
#include <stdint.h>

/* The parser ignores all bytes of a robots.txt behind the first ROBOTS_MAX_BYTES. */
#define ROBOTS_MAX_BYTES (500u * 1024)

/* The rules for one agent. The rules are immutable, so threads may share them. */
struct robots;

/* Parses a robots.txt of n bytes and returns the rules for the product token `agent` ("lycosa";
 * the token ends at the first '/' or blank of `agent`). Any bytes are a robots.txt. The caller
 * frees the rules with robots_free(). */
struct robots *robots_parse(const char *bytes, size_t n, const char *agent);

/* Frees the rules. */
void robots_free(struct robots *);

/* Returns the rules of a host without a robots.txt, which allow everything. The caller frees them with
 * robots_free(). */
struct robots *robots_empty(void);

/* Says whether the rules allow the agent to fetch a path with its query ("/a?b"), which is n bytes
 * of a canonical URL. The path /robots.txt is always allowed. Time: at most O(n) for each rule; the
 * longest rules are tried first. */
int robots_allows(const struct robots *, const char *path, size_t n);

/* Returns what the Content-Usage lines of the agent's group ask of those who use a path (parser/usage.h): the preferences of the
 * longest patterns that match. "Content-Usage: train-ai=n" is about all paths, "Content-Usage: /a train-ai=n" about those that
 * begin with /a. */
uint16_t robots_usage(const struct robots *, const char *path, size_t n);

/* Returns the longest Crawl-delay of the agent's groups in seconds, or -1 if they have none. A
 * User-agent line behind a Crawl-delay starts a new group for delays, but not for rules. */
double robots_delay(const struct robots *);

/* Returns the reference of the i-th Sitemap line (from 0) as written, or NULL behind the last one.
 * The text belongs to the rules and is valid until robots_free(). */
const char *robots_sitemap(const struct robots *, size_t i);

#endif
