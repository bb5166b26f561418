/* robots.txt as RFC 9309 says: groups of one agent merged, the longest match wins, allow on a tie,
 * `*` and `$`, percent-escapes compared decoded where that changes nothing; where it is silent, as
 * Google's reader does (misspelt keys, a missing colon, lines cut at 16,663 bytes, "/x/index.html"
 * allowing "/x/").
 * Deviation: Google's reader decodes no escapes, and refuses /robots.txt where a rule does. */
#ifndef PARSER_ROBOTS_H
#define PARSER_ROBOTS_H

#include "base/buf.h"

#include <stddef.h>

#define ROBOTS_MAX_BYTES (500u * 1024) /* what lies beyond is not read */

struct robots; /* the rules for one agent; immutable, threads may share it */

/* Reads the rules for the product token `agent` ("lycosa"; what follows a '/' or blank is no part
 * of it). Any bytes are a robots.txt. */
struct robots *robots_parse(const char *bytes, size_t n, const char *agent);
void robots_free(struct robots *);

/* Rules that allow, or refuse, everything (no file; a server in trouble). */
struct robots *robots_all(int allowed);

/* Whether the agent may fetch a path with its query ("/a?b"), n bytes of a canonical URL. The path
 * /robots.txt always may. Time: O(n) a rule, at most; the rules are tried from the longest on. */
int robots_allows(const struct robots *, const char *path, size_t n);

/* Crawl-delay in seconds, -1 where there is none: the longest in the agent's groups. A User-agent
 * line behind a delay starts a group for delays, though for rules it does not. */
double robots_delay(const struct robots *);

/* Sitemap i as written, NULL beyond the last; the robots' until freed. */
const char *robots_sitemap(const struct robots *, size_t i);

#endif
