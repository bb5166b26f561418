/* The reader of JSON Feed (versions 1 and 1.1): the URLs of its items.
 *
 *	static int on_reference(void *ctx, const char *text, size_t n) { ... }
 *	if (json_feed_is(body, n))
 *		json_feed_read(body, n, on_reference, ctx);
 *
 * The reader builds no tree, so a hostile document costs the time of one pass and no memory, whatever its depth. It reads a
 * damaged document as far as it can. */
#ifndef PARSER_JSON_FEED_H
#define PARSER_JSON_FEED_H

#include <stddef.h>

/* Receives a reference as the feed has it, n bytes of UTF-8 that are valid during the call only. Returns 0 to continue. */
typedef int json_feed_fn(void *ctx, const char *text, size_t n);

/* Says whether n bytes of UTF-8 are a JSON Feed: an object whose member `version` begins with "https://jsonfeed.org/version/".
 * The test costs most other JSON documents one search for this name. */
int json_feed_is(const char *bytes, size_t n);

/* Calls `each` for the members `url` and `external_url` of the items, and for `next_url` of the feed, in their order, until a
 * call returns a value other than 0. */
void json_feed_read(const char *bytes, size_t n, json_feed_fn *each, void *ctx);

#endif
