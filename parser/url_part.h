/* The parts of the URL parser, for the parser's own files only. The text that these functions
 * read is clean: well-formed UTF-8 without tab, LF and CR, and without the fragment. A reader
 * should begin with url.c, and continue with url_host.c. */
#ifndef PARSER_URL_PART_H
#define PARSER_URL_PART_H

#include "base/ascii.h"
#include "base/buf.h"
#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/* The classes of a byte. The percent-encode sets are those of the standard; the bytes from 0x7f on
 * belong to all of them. */
enum url_class {
	URL_IN_PATH = 1,      /* path percent-encode set */
	URL_IN_QUERY = 2,     /* special-query percent-encode set */
	URL_IN_USERINFO = 4,  /* userinfo percent-encode set */
	URL_ENDS_SEGMENT = 8, /* / \ ? */
	URL_NO_DOMAIN = 16,   /* forbidden domain code point */
	URL_NO_HOST = 32,     /* forbidden host code point */
	URL_IN_SCHEME = 64,   /* letter, digit, + - . */
	URL_NO_COPY = 128     /* of a host: not copied as it is: upper case, forbidden, from 0x80 on */
};
extern const uint8_t url_class[256];

static inline int url_is(char c, int classes)
{
	return url_class[(uint8_t)c] & classes;
}

/* Says whether an escape "%XX" begins at p. */
static inline int url_is_escape(const char *p, const char *end)
{
	return end - p >= 3 && *p == '%' && ascii_hex(p[1]) >= 0 && ascii_hex(p[2]) >= 0;
}

/* Writes the escape "%XX" of a byte and returns the end of the escape. */
static inline char *url_escape(char *to, char byte)
{
	static const char digit[] = "0123456789ABCDEF";

	to[0] = '%';
	to[1] = digit[(uint8_t)byte >> 4];
	to[2] = digit[(uint8_t)byte & 15];
	return to + 3;
}

/* Writes the bytes from p to `end` and percent-encodes the bytes of the classes in `set`. One byte
 * becomes at most three. Returns the end of the written bytes. */
char *url_encode(char *to, const char *p, const char *end, int set);

/* Writes the path at *at (behind its first slash) up to '?' or `end`, and moves *at there. `to`
 * points behind a slash of the path that starts at `path`; a ".." segment may remove directories
 * of this path. One byte becomes at most three. Returns the end of the written bytes. */
char *url_path(char *path, char *to, const char **at, const char *end);

/* Appends the n bytes of a query, percent-encoded as in a document of the given encoding, which
 * is a name from encoding_name(). Returns 0. If the encoding is unknown, or its URLs are in
 * UTF-8, the function appends nothing and returns -1. It stops soon after the text exceeds
 * URL_MAX. */
int url_query_in(struct buf *out, const char *query, size_t n, const char *encoding) MUST_USE;

/* Parses a host of n > 0 bytes as the standard does for special schemes, and appends the serialised
 * host. Returns 0, or -1 if the bytes are no host. */
int url_host(struct buf *out, const char *host, size_t n) MUST_USE;

/* Says whether n bytes (possibly none) are a valid host for the schemes that are not special. */
int url_host_is_opaque(const char *host, size_t n);

/* The most code points of a domain that url_idna() accepts: several times as many as DNS can
 * carry. */
#define URL_IDNA_MAX 1024

/* Converts a domain to ASCII (the standard's "domain to ASCII") and appends the result, which may
 * contain code points that are forbidden in a domain. The domain is n bytes of UTF-8, which may be
 * malformed, and which are not all ASCII. Returns 0, or -1 if the conversion fails. */
int url_idna(struct buf *out, const char *domain, size_t n) MUST_USE;

#endif
