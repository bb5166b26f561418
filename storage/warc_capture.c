#include "storage/warc_capture.h"
#include "base/ascii.h"
#include "base/gunzip.h"
#include "base/unzstd.h"

#include <brotli/decode.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

void capture_release(struct capture *c)
{
	buf_release(&c->url);
	buf_release(&c->digest);
	buf_release(&c->type);
	buf_release(&c->refers_to);
	buf_release(&c->record);
	buf_release(&c->block);
}

static void set(struct buf *b, struct warc_span value)
{
	buf_clear(b);
	buf_add(b, value.at, value.n);
}

/* Returns the milliseconds of a fraction of a second, as ".125Z". */
static int64_t fraction_of(const char *text)
{
	int64_t ms = 0;

	if (*text != '.')
		return 0;
	for (int64_t weight = 100; *++text >= '0' && *text <= '9'; weight /= 10)
		ms += (*text - '0') * weight;
	return ms;
}

/* Reads a time "2026-11-22T08:30:15Z", with or without a fraction; one with less, down to the year, as WARC 1.1 allows; or digits
 * as ARC has them. */
static int64_t time_of(struct warc_span value)
{
	static const char *const forms[] = {"%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%d", "%Y-%m", "%Y%m%d%H%M%S", "%Y"};
	char text[40] = "";

	memcpy(text, value.at, value.n < sizeof text ? value.n : sizeof text - 1);
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		struct tm tm = {.tm_mday = 1};
		const char *rest = strptime(text, forms[i], &tm);
		if (rest && !ascii_is_digit(*rest) && *rest != '-' && *rest != ':')
			return (int64_t)timegm(&tm) * 1000 + fraction_of(rest);
	}
	return 0;
}

/* Returns a URL without the angle brackets of older programs. */
static struct warc_span without_brackets(struct warc_span url)
{
	const int has = url.n > 2 && url.at[0] == '<' && url.at[url.n - 1] == '>';

	return has ? (struct warc_span){url.at + 1, url.n - 2} : url;
}

int capture_of_url(struct capture *c, struct warc_span header)
{
	const struct warc_span url = without_brackets(warc_field(header, "WARC-Target-URI"));

	c->kind = CAPTURE_RESPONSE;
	set(&c->url, url);
	set(&c->digest, warc_field(header, "WARC-Payload-Digest"));
	set(&c->refers_to, without_brackets(warc_field(header, "WARC-Refers-To-Target-URI")));
	c->refers_time = time_of(warc_field(header, "WARC-Refers-To-Date"));
	set(&c->type, warc_field(header, "Content-Type"));
	c->time = time_of(warc_field(header, "WARC-Date"));
	return url.n > 0;
}

int capture_of(struct capture *c, const struct warc_item *item)
{
	static const char *const kinds[] = {"response", "revisit", "resource"};
	const struct warc_span type = warc_field(item->header, "WARC-Type");
	size_t kind = 0;

	while (kind < 3 && !warc_is(type, kinds[kind]))
		kind++;
	if (kind == 3 || !capture_of_url(c, item->header))
		return 0;
	c->kind = (enum capture_kind)kind;
	set(&c->record, warc_field(item->header, kind == CAPTURE_REVISIT ? "WARC-Refers-To" : "WARC-Record-ID"));
	c->length = item->size;
	return 1;
}

/* Says whether there is an HTTP answer at a byte of the block. */
static int begins_answer(const struct capture *c, size_t at)
{
	return c->block.used - at > 5 && memcmp(c->block.at + at, "HTTP/", 5) == 0;
}

/* Says whether the block is an HTTP message: by the record's type, or by how it begins. A block with an answer of another protocol,
 * such as text/dns or a file fetched by FTP, has no head. */
static int is_http(const struct capture *c)
{
	static const char type[] = "application/http";

	return c->kind != CAPTURE_RESOURCE && c->block.used &&
		((c->type.used && ascii_same(c->type.at, type, sizeof type - 1)) || begins_answer(c, 0));
}

/* Returns where the HTTP head at byte `from` ends, behind its blank line; 0 if there is none. Some servers end their lines with LF
 * alone, and some programs add a CR. */
static size_t head_end(const struct buf *block, size_t from)
{
	const char *at = block->at + from, *end = block->at + block->used, *lf;

	for (; (lf = memchr(at, '\n', (size_t)(end - at))) != NULL; at = lf + 1) {
		const char *next = lf + 1;
		while (next < end && *next == '\r')
			next++;
		if (next < end && *next == '\n')
			return (size_t)(next + 1 - block->at);
	}
	return 0;
}

void capture_find_head(struct capture *c)
{
	c->head_at = 0;
	c->head_n = is_http(c) ? head_end(&c->block, 0) : 0;
	while (c->head_n && capture_status(c) / 100 == 1 && begins_answer(c, c->head_n)) {
		const size_t end = head_end(&c->block, c->head_n);
		if (!end)
			break;
		c->head_at = c->head_n;
		c->head_n = end;
	}
}

int capture_take(struct capture *c, const struct warc_item *item, size_t most, struct err_note *why)
{
	struct warc_span block;
	const int err = warc_item_block(item, most, &block, why);

	set(&c->block, block);
	capture_find_head(c);
	return err;
}

struct warc_span capture_head(const struct capture *c)
{
	return (struct warc_span){(c->block.at ? c->block.at : "") + c->head_at, c->head_n - c->head_at};
}

struct warc_span capture_body(const struct capture *c)
{
	return (struct warc_span){(c->block.at ? c->block.at : "") + c->head_n, c->block.used - c->head_n};
}

unsigned capture_status(const struct capture *c)
{
	const struct warc_span head = capture_head(c);
	const char *blank = head.n ? memchr(head.at, ' ', head.n) : NULL;

	return head.n > 5 && memcmp(head.at, "HTTP/", 5) == 0 && blank ? (unsigned)strtoul(blank, NULL, 10) % 1000 : 0;
}

struct warc_span capture_type(const struct capture *c)
{
	if (!is_http(c) && c->kind != CAPTURE_REVISIT)
		return (struct warc_span){c->type.at ? c->type.at : "", c->type.used};
	return warc_field(capture_head(c), "Content-Type");
}

/* --- the body without the codings that the HTTP head declares */

#define UNPACKED_MOST ((size_t)1 << 30)
#define CODINGS_MOST  8

/* The codings of a head, in the order in which they were applied. */
struct codings {
	struct warc_span name[CODINGS_MOST];
	size_t n;
	int chunked;
};

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
		if (warc_is(name, "chunked"))
			c->chunked = 1;
		else if (name.n && !warc_is(name, "identity") && c->n < CODINGS_MOST)
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

/* Unpacks gzip's members, zlib's format, or the bare stream in it, by zlib's number of the format. Returns 1, also of what lies
 * before an end that is missing; or 0 if the body is of another format. */
static int inflate_all(struct warc_span body, int window, struct buf *out)
{
	z_stream z = {.next_in = (Bytef *)(uintptr_t)body.at, .avail_in = (uInt)body.n};
	char room[16384];
	int code = body.n > UINT32_MAX ? Z_DATA_ERROR : inflateInit2(&z, window);

	if (code != Z_OK)
		return 0;
	do {
		z.next_out = (Bytef *)room;
		z.avail_out = sizeof room;
		code = inflate(&z, Z_NO_FLUSH);
		buf_add(out, room, sizeof room - z.avail_out);
		if (code == Z_STREAM_END && gunzip_detect(z.next_in, z.avail_in))
			code = inflateReset(&z);
	} while (code == Z_OK && out->used < UNPACKED_MOST);
	inflateEnd(&z);
	const int is = code == Z_STREAM_END || (window > 0 && out->used && out->used < UNPACKED_MOST);
	if (!is)
		buf_clear(out);
	return is;
}

/* Unpacks the frames of zstd. Returns 1, 0 if the body is none, or -1 if this program cannot. */
static int unpack_zstd(struct warc_span body, struct buf *out)
{
	size_t n = 0, at = 0;

	if (!unzstd_detect("\x28\xb5\x2f\xfd", 4))
		return -1;
	struct unzstd *z = unzstd_new();
	for (; at < body.n && out->used < UNPACKED_MOST; at += n) {
		struct buf frame = BUF_EMPTY;
		n = unzstd_frame(z, body.at + at, body.n - at, UNPACKED_MOST - out->used, &frame);
		if (frame.used)
			buf_add(out, frame.at, frame.used);
		buf_release(&frame);
		if (!n)
			break;
	}
	unzstd_free(z);
	return out->used || (body.n && at == body.n);
}

/* Says whether a body has bytes that no text has. */
static int is_binary(struct warc_span body)
{
	for (size_t i = 0; i < body.n; i++)
		if ((unsigned char)body.at[i] < '\t')
			return 1;
	return 0;
}

/* Unpacks brotli, which no first bytes tell from other data. Returns 1, also of what lies before an end that is missing; or 0 if
 * the body is none. */
static int unpack_brotli(struct warc_span body, struct buf *out)
{
	BrotliDecoderState *s = BrotliDecoderCreateInstance(NULL, NULL, NULL);
	const uint8_t *at = (const uint8_t *)body.at;
	size_t left = body.n;
	BrotliDecoderResult result = BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT;

	while (s && result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT && out->used < UNPACKED_MOST) {
		size_t room = (size_t)1 << 16;
		uint8_t *to = (uint8_t *)buf_room(out, room);
		const size_t before = room;
		result = BrotliDecoderDecompressStream(s, &left, &at, &room, &to, NULL);
		out->used += before - room;
		buf_end(out);
	}
	BrotliDecoderDestroyInstance(s);
	return result == BROTLI_DECODER_RESULT_SUCCESS
		? !left
		: result == BROTLI_DECODER_RESULT_NEEDS_MORE_INPUT && out->used && is_binary(body);
}

/* Removes one coding. Returns 1 with the bytes in the empty buffer `out`, 0 if the body is not what the coding's name says, or -1
 * if the name is not known. */
static int remove_coding(struct warc_span name, struct warc_span body, struct buf *out)
{
	if (warc_is(name, "gzip") || warc_is(name, "x-gzip"))
		return gunzip_detect(body.at, body.n) && inflate_all(body, 16 + MAX_WBITS, out);
	if (warc_is(name, "deflate"))
		return inflate_all(body, MAX_WBITS, out) || inflate_all(body, -MAX_WBITS, out);
	if (warc_is(name, "br"))
		return unpack_brotli(body, out);
	return warc_is(name, "zstd") ? unpack_zstd(body, out) : -1;
}

static struct warc_span span_of(const struct buf *b)
{
	return (struct warc_span){b->at ? b->at : "", b->used};
}

int capture_join(const struct capture *c, struct buf *out)
{
	struct codings codings = {.n = 0};

	add_fields(&codings, capture_head(c), "Transfer-Encoding");
	return codings.chunked ? join_chunks(capture_body(c), out) : -1;
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
