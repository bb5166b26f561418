/* The body of a capture without the codings that its HTTP head declares. */
#include "base/ascii.h"
#include "cli/archive/capture.h"
#include "parser/gzip.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define UNPACKED_MOST ((size_t)1 << 30)
#define CODINGS_MOST  8

/* The codings of a head, in the order in which they were applied. */
struct codings {
	struct warc_span name[CODINGS_MOST];
	size_t n;
	int chunked;
};

static int is_name(struct warc_span s, const char *name)
{
	return s.n == strlen(name) && ascii_same(s.at, name, s.n);
}

/* Adds the names of a list such as "deflate, gzip". */
static void add_names(struct codings *c, struct warc_span list)
{
	static const char separators[] = ", \t\r\n";
	const char *at = list.at, *end = at + list.n, *start;

	while (at < end) {
		while (at < end && strchr(separators, *at))
			at++;
		for (start = at; at < end && !strchr(separators, *at);)
			at++;
		const struct warc_span name = {start, (size_t)(at - start)};
		if (is_name(name, "chunked"))
			c->chunked = 1;
		else if (name.n && !is_name(name, "identity") && c->n < CODINGS_MOST)
			c->name[c->n++] = name;
	}
}

/* Adds the names of all fields of a name, which are one list. */
static void add_fields(struct codings *c, struct warc_span head, const char *field)
{
	const char *end = head.at + head.n;
	struct warc_span value;

	while ((value = warc_field(head, field)).n) {
		add_names(c, value);
		head = (struct warc_span){value.at + value.n, (size_t)(end - value.at) - value.n};
	}
}

/* Reads the line with the size of a chunk, and moves *at behind it. Returns 0, or -1 if it is no such line. */
static int read_size(const char **at, const char *end, unsigned long long *n)
{
	const char *lf = memchr(*at, '\n', (size_t)(end - *at));
	char *stop;

	if (!lf || !**at || !strchr("0123456789abcdefABCDEF", **at))
		return -1;
	*n = strtoull(*at, &stop, 16);
	stop += strspn(stop, " \t");
	if (stop > lf || !strchr(";\r\n", *stop))
		return -1;
	*at = lf + 1;
	return 0;
}

/* Joins the chunks of a body, with lines that end in CR LF or, as some servers write them, in LF. The body may be cut short behind
 * its first chunk. Returns 0; or -1 if the body has no chunks, as some programs archive it without, or they are malformed. */
static int join_chunks(struct warc_span body, struct buf *out)
{
	const char *at = body.at, *end = at + body.n;
	unsigned long long n;

	while (at < end) {
		if (read_size(&at, end, &n))
			return -1;
		if (n == 0)
			return 0;
		const size_t left = (size_t)(end - at);
		if (n > left && !out->used)
			return -1;
		buf_add(out, at, n < left ? (size_t)n : left);
		if (n >= left)
			return 0;
		at += n;
		at += *at == '\r' && at + 1 < end;
		if (*at++ != '\n')
			return -1;
	}
	return out->used ? 0 : -1;
}

/* Unpacks "deflate", which is zlib's format, or, from some servers, the bare stream in it. Returns 0, or -1 if the body is
 * neither. */
static int inflate_all(struct warc_span body, int window, struct buf *out)
{
	z_stream z = {.next_in = (Bytef *)(uintptr_t)body.at, .avail_in = (uInt)body.n};
	char room[16384];
	int code = body.n > UINT32_MAX ? Z_DATA_ERROR : inflateInit2(&z, window);

	if (code != Z_OK)
		return -1;
	do {
		z.next_out = (Bytef *)room;
		z.avail_out = sizeof room;
		code = inflate(&z, Z_NO_FLUSH);
		buf_add(out, room, sizeof room - z.avail_out);
	} while (code == Z_OK && out->used < UNPACKED_MOST);
	inflateEnd(&z);
	if (code != Z_STREAM_END)
		buf_clear(out);
	return code == Z_STREAM_END ? 0 : -1;
}

/* Removes one coding. Returns 1 with the bytes in the empty buffer `out`, 0 if the body is not what the coding's name says, or -1
 * if the name is not known. */
static int remove_coding(struct warc_span name, struct warc_span body, struct buf *out)
{
	if (is_name(name, "gzip") || is_name(name, "x-gzip"))
		return gzip_unpack(body.at, body.n, UNPACKED_MOST, out) == GZIP_WHOLE;
	if (is_name(name, "deflate"))
		return inflate_all(body, MAX_WBITS, out) == 0 || inflate_all(body, -MAX_WBITS, out) == 0;
	return -1;
}

static struct warc_span span_of(const struct buf *b)
{
	return (struct warc_span){b->at ? b->at : "", b->used};
}

int capture_decode(const struct capture *c, struct buf *out)
{
	struct codings codings = {.n = 0};
	struct warc_span body = capture_body(c);
	struct buf now = BUF_EMPTY, next = BUF_EMPTY;
	int known = 1;

	add_fields(&codings, capture_head(c), "Content-Encoding");
	add_fields(&codings, capture_head(c), "Transfer-Encoding");
	if (codings.chunked && join_chunks(body, &now) == 0)
		body = span_of(&now);
	while (codings.n && known >= 0) {
		buf_clear(&next);
		known = remove_coding(codings.name[--codings.n], body, &next);
		if (known > 0) {
			const struct buf later = next;
			next = now;
			now = later;
			body = span_of(&now);
		}
	}
	buf_add(out, body.at, body.n);
	buf_release(&now);
	buf_release(&next);
	return known < 0 ? -1 : 0;
}
