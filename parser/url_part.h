/* The parts of the URL parser, for its own files. The text they read is clean: well-formed UTF-8
 * without tab, LF and CR, and without the fragment. Read url.c first, then url_host.c, url_path.c.
 */
#ifndef PARSER_URL_PART_H
#define PARSER_URL_PART_H

#include "base/buf.h"
#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/* What a byte is to the parser. The encode sets are the standard's; bytes from 0x7f on are in all
 * of them. */
enum url_class {
	URL_IN_PATH = 1,      /* path percent-encode set */
	URL_IN_QUERY = 2,     /* special-query percent-encode set */
	URL_IN_USERINFO = 4,  /* userinfo percent-encode set */
	URL_ENDS_SEGMENT = 8, /* / \ ? */
	URL_NO_DOMAIN = 16,   /* forbidden domain code point */
	URL_NO_HOST = 32,     /* forbidden host code point */
	URL_IN_SCHEME = 64,   /* letter, digit, + - . */
	URL_NO_COPY = 128 /* of a host: not copied as it is: upper case, forbidden, from 0x80 on */
};
extern const uint8_t url_class[256];

static inline int url_is(char c, int classes)
{
	return url_class[(uint8_t)c] & classes;
}

/* The value of a hexadecimal digit, or -1. */
static inline int url_hex(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Whether a "%XX" stands at p. */
static inline int url_is_escape(const char *p, const char *end)
{
	return end - p >= 3 && *p == '%' && url_hex(p[1]) >= 0 && url_hex(p[2]) >= 0;
}

/* Writes "%XX" and returns its end. */
static inline char *url_escape(char *to, char byte)
{
	static const char digit[] = "0123456789ABCDEF";

	to[0] = '%';
	to[1] = digit[(uint8_t)byte >> 4];
	to[2] = digit[(uint8_t)byte & 15];
	return to + 3;
}

/* Writes the bytes from p to `end`, those of `set` percent-encoded: at most three for one. Returns
 * the end of what is written. */
char *url_encode(char *to, const char *p, const char *end, int set);

/* Writes the path at *at (behind its first slash), up to '?' or `end`, where *at moves; `to` stands
 * behind a slash of the path that starts at `path`, whose directories ".." may take away. At most
 * three bytes for one. Returns the end of what is written. */
char *url_path(char *path, char *to, const char **at, const char *end);

/* Appends the n bytes of a query percent-encoded as for a document in an encoding named by
 * encoding_name(). Returns 0, or -1 where that encoding's URLs are in UTF-8 or it is unknown: then
 * nothing is appended. Stops soon after the text is longer than URL_MAX. */
int url_query_in(struct buf *out, const char *query, size_t n, const char *encoding) MUST_USE;

/* The host parser of special schemes: appends the serialised host (n > 0 bytes are given), or
 * returns -1 where it is none. */
int url_host(struct buf *out, const char *host, size_t n) MUST_USE;

/* Whether the host parser takes the n bytes (possibly none) as the host of other schemes. */
int url_host_is_opaque(const char *host, size_t n);

/* Domain to ASCII of n bytes of UTF-8 (not necessarily well-formed) that are not all ASCII: appends
 * it, or returns -1. It may contain code points forbidden in a domain. At most URL_IDNA_MAX code
 * points, which is several times what DNS can carry. */
#define URL_IDNA_MAX 1024
int url_idna(struct buf *out, const char *domain, size_t n) MUST_USE;

#endif
