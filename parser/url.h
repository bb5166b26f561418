/* URLs as the WHATWG standard says, for http and https; fragments are dropped.
 *
 * A canonical URL here is the standard's serialisation without the fragment: what a page is known
 * by. Pure: no I/O, no state; thread-safe. */
#ifndef PARSER_URL_H
#define PARSER_URL_H

#include "base/buf.h"

#include <stddef.h>
#include <stdint.h>

#define URL_MAX 8192 /* bytes of a canonical URL; longer ones are refused */

/* A canonical URL and where its parts lie in it. */
struct url {
	struct buf text;
	uint32_t host, host_end; /* [host, host_end): lower case, brackets of IPv6 included */
	uint32_t port;           /* as in the text or the scheme's default */
	uint32_t path;           /* start of the path, always '/' */
	uint32_t query;          /* position of '?', or text.used where there is none */
	int https;
};

#define URL_EMPTY {BUF_EMPTY, 0, 0, 0, 0, 0, 0}

void url_release(struct url *u);

enum url_result {
	URL_OK = 0,
	URL_BAD,     /* fails to parse, also as a relative reference */
	URL_FOREIGN, /* parses, but is neither http nor https */
	URL_TOO_LONG
};

/* Parses `input` (n bytes, UTF-8, not necessarily clean) against `base` (NULL: absolute only) into
 * *out, whose memory is reused from call to call. */
enum url_result url_parse(struct url *out, const char *input, size_t n, const struct url *base);

/* As url_parse(), with the query encoded as the standard wants for a document in a legacy charset:
 * `charset` is a WHATWG encoding name or NULL for UTF-8. */
enum url_result url_parse_in(struct url *out, const char *input, size_t n, const struct url *base,
	const char *charset);

/* The origin's part of the text ("http://host:port", without a slash), n bytes from text.at. */
static inline size_t url_origin_length(const struct url *u)
{
	return u->path;
}

/* Normalises further than the standard, what almost never changes which page is meant; idempotent:
 * percent-escapes of unreserved characters decoded and the others in upper case, an empty query
 * dropped. */
void url_normalise(struct url *u);

#endif
