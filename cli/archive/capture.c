#include "cli/archive/capture.h"
#include "parser/gzip.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <zlib.h>

#define UNPACKED_MOST ((size_t)1 << 30)

void capture_release(struct capture *c)
{
	buf_release(&c->url);
	buf_release(&c->digest);
	buf_release(&c->type);
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

/* Reads a time "2026-11-22T08:30:15Z", with or without a fraction. */
static int64_t time_of(struct warc_span value)
{
	char text[40] = "";
	struct tm tm = {0};

	memcpy(text, value.at, value.n < sizeof text ? value.n : sizeof text - 1);
	const char *rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &tm);
	return rest ? (int64_t)timegm(&tm) * 1000 + fraction_of(rest) : 0;
}

int capture_of(const struct warc_stream *s, struct capture *c)
{
	static const char *const kinds[] = {"response", "revisit", "resource"};
	const struct warc_span type = warc_field(s->header, "WARC-Type");
	struct warc_span url = warc_field(s->header, "WARC-Target-URI");
	size_t kind = 0;

	while (kind < 3 && !warc_is(type, kinds[kind]))
		kind++;
	if (kind == 3 || !url.n)
		return 0;
	if (url.n > 2 && url.at[0] == '<' && url.at[url.n - 1] == '>')
		url = (struct warc_span){url.at + 1, url.n - 2};
	c->kind = (enum capture_kind)kind;
	set(&c->url, url);
	set(&c->digest, warc_field(s->header, "WARC-Payload-Digest"));
	set(&c->type, warc_field(s->header, "Content-Type"));
	c->time = time_of(warc_field(s->header, "WARC-Date"));
	c->length = s->length;
	return 1;
}

int capture_read(struct warc_stream *s, struct capture *c, size_t most, struct err_note *why)
{
	buf_clear(&c->block);
	int err = warc_stream_block(s, &c->block, most, why);
	if (err)
		return err;
	const char *blank = c->kind == CAPTURE_RESOURCE || !c->block.used
				    ? NULL
				    : memmem(c->block.at, c->block.used, "\r\n\r\n", 4);
	c->head_n = blank ? (size_t)(blank - c->block.at) + 4 : 0;
	return 0;
}

int capture_read_on(struct warc_stream *s, struct capture *c, size_t most, struct err_note *why)
{
	return warc_stream_block(s, &c->block, most, why);
}

struct warc_span capture_head(const struct capture *c)
{
	return (struct warc_span){c->block.at ? c->block.at : "", c->head_n};
}

struct warc_span capture_body(const struct capture *c)
{
	return (struct warc_span){(c->block.at ? c->block.at : "") + c->head_n, c->block.used - c->head_n};
}

unsigned capture_status(const struct capture *c)
{
	const struct warc_span head = capture_head(c);
	const char *blank = head.n ? memchr(head.at, ' ', head.n) : NULL;

	return head.n > 5 && memcmp(head.at, "HTTP/", 5) == 0 && blank
		       ? (unsigned)strtoul(blank, NULL, 10) % 1000
		       : 0;
}

struct warc_span capture_type(const struct capture *c)
{
	if (c->kind == CAPTURE_RESOURCE)
		return (struct warc_span){c->type.at ? c->type.at : "", c->type.used};
	return warc_field(capture_head(c), "Content-Type");
}

static int contains_word(struct warc_span value, const char *word)
{
	const size_t n = strlen(word);

	for (size_t i = 0; i + n <= value.n; i++)
		if (strncasecmp(value.at + i, word, n) == 0)
			return 1;
	return 0;
}

/* Joins the chunks of a body. Returns 0, or -1 where it has none, or they are malformed. */
static int join_chunks(struct warc_span body, struct buf *out)
{
	const char *at = body.at, *end = at + body.n;

	for (;;) {
		const char *lf = memchr(at, '\n', (size_t)(end - at));
		char *stop;
		if (!lf || lf == at)
			return -1;
		if (!strchr("0123456789abcdefABCDEF", *at))
			return -1;
		const unsigned long long n = strtoull(at, &stop, 16);
		if (stop == at || stop > lf)
			return -1;
		at = lf + 1;
		if (n == 0)
			return 0;
		if (n > (unsigned long long)(end - at))
			return -1;
		buf_add(out, at, (size_t)n);
		at += n;
		if (end - at < 2 || memcmp(at, "\r\n", 2) != 0)
			return -1;
		at += 2;
	}
}

/* Unpacks "deflate", which is zlib's format, or, from some servers, the bare stream in it. Returns 0, or -1 if the body is neither. */
static int inflate_all(struct warc_span body, int window, struct buf *out)
{
	z_stream z = {.next_in = (Bytef *)(uintptr_t)body.at, .avail_in = (uInt)body.n};
	const size_t before = out->used;
	char room[16384];
	int code = body.n > UINT32_MAX ? Z_DATA_ERROR : inflateInit2(&z, window);

	if (code != Z_OK)
		return -1;
	do {
		z.next_out = (Bytef *)room;
		z.avail_out = sizeof room;
		code = inflate(&z, Z_NO_FLUSH);
		buf_add(out, room, sizeof room - z.avail_out);
	} while (code == Z_OK && out->used - before < UNPACKED_MOST);
	inflateEnd(&z);
	if (code != Z_STREAM_END)
		out->used = before;
	return code == Z_STREAM_END ? 0 : -1;
}

int capture_decode(const struct capture *c, struct buf *out)
{
	const struct warc_span head = capture_head(c), coding = warc_field(head, "Content-Encoding");
	struct warc_span body = capture_body(c);
	struct buf joined = BUF_EMPTY;
	int left = 0;

	if (contains_word(warc_field(head, "Transfer-Encoding"), "chunked") && join_chunks(body, &joined) == 0)
		body = (struct warc_span){joined.at ? joined.at : "", joined.used};
	const size_t before = out->used;
	if (contains_word(coding, "gzip") &&
		gzip_unpack(body.at, body.n, UNPACKED_MOST, out) == GZIP_WHOLE)
		;
	else if (contains_word(coding, "deflate") &&
		 (inflate_all(body, MAX_WBITS, out) == 0 || inflate_all(body, -MAX_WBITS, out) == 0))
		;
	else {
		out->used = before;
		buf_add(out, body.at, body.n);
		left = coding.n && !contains_word(coding, "identity") && !contains_word(coding, "gzip") &&
		       !contains_word(coding, "deflate");
	}
	buf_release(&joined);
	return left ? -1 : 0;
}
