/* URLs as the WHATWG standard says, for http and https; fragments are dropped.
 *
 * A canonical URL here is the standard's serialisation without the fragment: what a page is known
 * by. Deviation: a ^ in a path stays as it is, as in curl, Node 20 and the links themselves; the
 * standard encodes it since 2024. Pure: no I/O, no state; thread-safe. */
#ifndef PARSER_URL_H
#define PARSER_URL_H

#include "base/buf.h"

#include <stddef.h>
#include <stdint.h>

#define URL_MAX       8192           /* bytes of a canonical URL; longer ones are refused */
#define URL_INPUT_MAX (4u * URL_MAX) /* bytes of a reference without its fragment, likewise */

/* A canonical URL and where its parts lie in it. */
struct url {
	struct buf text;
	uint32_t host, host_end; /* [host, host_end): lower case, brackets of IPv6 included; what
				    stands between "//" and it are credentials */
	uint32_t port;           /* as in the text or the scheme's default */
	uint32_t path;           /* start of the path, always '/' */
	uint32_t query;          /* position of '?', or text.used where there is none */
	int https;
};

#define URL_EMPTY                                                                                  \
	{                                                                                          \
		BUF_EMPTY, 0, 0, 0, 0, 0, 0                                                        \
	}

void url_release(struct url *u);

/* Makes *to a copy, whose memory is reused. */
void url_copy(struct url *to, const struct url *from);

enum url_result {
	URL_OK = 0,
	URL_BAD,     /* fails to parse, also as a relative reference */
	URL_FOREIGN, /* parses, but is neither http nor https */
	URL_TOO_LONG
};

/* Parses `input` (n bytes, UTF-8, not necessarily clean) against `base` (NULL: absolute only) into
 * *out, whose memory is reused from call to call; out != base. Where the result is not URL_OK, *out
 * is no URL. A reference in ASCII without surprises costs one pass and no allocation. */
enum url_result url_parse(struct url *out, const char *input, size_t n, const struct url *base);

/* As url_parse(), with the query encoded as the standard wants for a document in a legacy charset:
 * `charset` is a WHATWG encoding name (parser/encoding.h) or NULL for UTF-8. Opens iconv where the
 * query is not ASCII. */
enum url_result url_parse_in(
	struct url *out, const char *input, size_t n, const struct url *base, const char *charset);

/* As url_parse(), against a base of any scheme, given as text. URL_BAD also where the base is. */
enum url_result url_parse_text(
	struct url *out, const char *input, size_t n, const char *base, size_t base_n);

/* Tells the parts of a text that is a canonical URL already (as a store or a page's links have it), without reading it
 * again: *out points into the text, which must outlive it and have a NUL behind its n bytes, and is not to be released
 * or changed. URL_BAD for a text that cannot be one; what is inside its parts is not looked at.
 *
 *	struct url u;
 *	if (url_split(&u, page.url, page.url_length) == URL_OK)
 *		host = url_authority(&u, &n);
 */
enum url_result url_split(struct url *out, const char *text, size_t n);

/* The host with its port, if the text has one: *n bytes of the text, without credentials. */
static inline const char *url_authority(const struct url *u, size_t *n)
{
	*n = u->path - u->host;
	return u->text.at + u->host;
}

/* How long the part of the text before the path is ("http://user:pass@host:port", without a
 * slash). */
static inline size_t url_origin_length(const struct url *u)
{
	return u->path;
}

/* Normalises further than the standard, what almost never changes which page is meant: in path and
 * query, percent-escapes of unreserved characters (letters, digits, - . _ ~) are decoded, the other
 * escapes put in upper case, the characters escaped that RFC 3986 allows nowhere there (also a '%'
 * that begins no escape); an empty query is dropped. Idempotent, and what the parser makes of the
 * result is the result. A URL that would become longer than URL_MAX is left as it is. */
void url_normalise(struct url *u);

#endif
