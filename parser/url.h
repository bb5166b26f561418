/* The parser of http and https URLs, as the WHATWG URL standard defines it.
 *
 * A canonical URL is the standard's serialisation without its fragment; the crawler identifies a
 * page by its canonical URL. All functions are pure (no I/O, no state) and thread-safe.
 *
 *	struct url base = URL_EMPTY, link = URL_EMPTY;
 *	url_parse(&base, "http://a.test/x/y", 17, NULL);
 *	url_parse(&link, "../z#top", 8, &base);              link.text.at is "http://a.test/z"
 *
 * Deviation: a ^ in a path stays as it is, as in curl, in Node 20 and in the links of real pages;
 * the standard has percent-encoded it since 2024. */
#ifndef PARSER_URL_H
#define PARSER_URL_H

#include "base/buf.h"

#include <stddef.h>
#include <stdint.h>

/* The longest canonical URL, in bytes; the parser refuses longer ones. */
#define URL_MAX 8192
/* The longest reference without its fragment, in bytes; the parser refuses longer ones. */
#define URL_INPUT_MAX (4u * URL_MAX)

/* A canonical URL and the positions of its parts within the text. */
struct url {
	struct buf text;
	uint32_t host, host_end; /* the host is [host, host_end): it is in lower case and includes
				    the brackets of an IPv6 address; credentials, if there are
				    any, stand between "//" and the host */
	uint32_t port;           /* the port in the text, or else the scheme's default */
	uint32_t path;           /* position of the path's first byte, which is always '/' */
	uint32_t query;          /* position of '?', or text.used if the URL has no query */
	int https;
};

#define URL_EMPTY \
	{ \
		BUF_EMPTY, 0, 0, 0, 0, 0, 0 \
	}

/* Frees the memory of a URL. */
void url_release(struct url *u);

/* Makes *to a copy of *from. The function reuses the memory that *to already has. */
void url_copy(struct url *to, const struct url *from);

enum url_result {
	URL_OK = 0,
	URL_BAD,     /* the input parses neither as a URL nor as a relative reference */
	URL_FOREIGN, /* the input parses, but its scheme is neither http nor https */
	URL_TOO_LONG
};

/* Parses the reference `input` (n bytes of UTF-8, which may be malformed) against `base` and stores
 * the canonical URL in *out. If `base` is NULL, only an absolute URL parses. `out` and `base` must
 * differ. The function reuses the memory of *out from call to call. If the result is not URL_OK,
 * *out holds no URL. An ordinary ASCII reference costs one pass and no allocation. */
enum url_result url_parse(struct url *out, const char *input, size_t n, const struct url *base);

/* Parses a reference as url_parse() does, and encodes its query in the charset of the document that
 * holds the reference, as the standard requires for legacy charsets. `charset` is a WHATWG encoding
 * name (see parser/decode.h), or NULL for UTF-8. The function opens iconv if the query is not
 * ASCII. */
enum url_result url_parse_in(struct url *out, const char *input, size_t n, const struct url *base, const char *charset);

/* Parses a reference as url_parse() does, against a base that is given as text and may have any
 * scheme. The result is URL_BAD also if the base does not parse. */
enum url_result url_parse_text(struct url *out, const char *input, size_t n, const char *base, size_t base_n);

/* Splits a text that is already a canonical URL (from a store, or from the links of a page) into
 * its parts without parsing the text again. *out points into the text, so the text must outlive
 * *out; a NUL must follow the n bytes. The caller must neither release nor change *out. The result
 * is URL_BAD if the text cannot be a canonical URL; the contents of the parts are not verified.
 *
 *	struct url u;
 *	if (url_split(&u, page.url, page.url_length) == URL_OK)
 *		host = url_authority(&u, &n); */
enum url_result url_split(struct url *out, const char *text, size_t n);

/* Returns the host, followed by ":port" if the text has a port, without credentials. The result is
 * *n bytes within the URL's text. */
static inline const char *url_authority(const struct url *u, size_t *n)
{
	*n = u->path - u->host;
	return u->text.at + u->host;
}

/* Says whether a URL has credentials. */
static inline int url_has_user(const struct url *u)
{
	return u->host > (u->https ? sizeof "https://" : sizeof "http://") - 1;
}

/* Removes the credentials of a URL, in place. Returns 1, or 0 if there were none. A crawl knows a page by its URL without
 * credentials: it never sends those of a URL, so that the page is the same with any. */
int url_drop_user(struct url *u);

/* Normalises a URL further than the standard does, by changes that almost never lead to another
 * page. In path and query, the function decodes the percent-escapes of unreserved characters
 * (letters, digits, - . _ ~), writes all other escapes in upper case, and escapes the characters
 * that RFC 3986 does not allow in path or query (including a '%' that begins no escape). An empty
 * query is dropped. The function is idempotent, and the parser leaves its result unchanged. A URL
 * that would become longer than URL_MAX stays as it is. */
void url_normalise(struct url *u);

/* The value of the header Authorization, from what a user writes into a file of credentials: "basic USER:PASSWORD" or
 * "bearer TOKEN".
 *
 *	authorization_value(&value, "basic", "me:secret");      value is "Basic bWU6c2VjcmV0" */

/* Appends the value for a scheme, in any case, and its secret. Returns 1, or 0 without a change if the scheme is neither basic nor
 * bearer, if the secret of basic has no ':', or if that of bearer has a blank. A secret with a control character is refused, too,
 * since it would end the header. */
int authorization_value(struct buf *value, const char *scheme, const char *secret);

#endif
