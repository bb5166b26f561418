#include "cli/archive/capture.h"
#include "base/ascii.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

void capture_release(struct capture *c)
{
	buf_release(&c->url);
	buf_release(&c->digest);
	buf_release(&c->type);
	buf_release(&c->refers_to);
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

/* Returns a URL without the angle brackets of older programs. */
static struct warc_span without_brackets(struct warc_span url)
{
	const int has = url.n > 2 && url.at[0] == '<' && url.at[url.n - 1] == '>';

	return has ? (struct warc_span){url.at + 1, url.n - 2} : url;
}

int capture_of(const struct warc_stream *s, struct capture *c)
{
	static const char *const kinds[] = {"response", "revisit", "resource"};
	const struct warc_span type = warc_field(s->header, "WARC-Type");
	const struct warc_span url = without_brackets(warc_field(s->header, "WARC-Target-URI"));
	size_t kind = 0;

	while (kind < 3 && !warc_is(type, kinds[kind]))
		kind++;
	if (kind == 3 || !url.n)
		return 0;
	c->kind = (enum capture_kind)kind;
	set(&c->url, url);
	set(&c->digest, warc_field(s->header, "WARC-Payload-Digest"));
	set(&c->refers_to, without_brackets(warc_field(s->header, "WARC-Refers-To-Target-URI")));
	c->refers_time = time_of(warc_field(s->header, "WARC-Refers-To-Date"));
	set(&c->type, warc_field(s->header, "Content-Type"));
	c->time = time_of(warc_field(s->header, "WARC-Date"));
	c->length = s->length;
	return 1;
}

/* Says whether the block is an HTTP message: by the record's type, or by how it begins. A block with an answer of another protocol,
 * such as text/dns or a file fetched by FTP, has no head. */
static int is_http(const struct capture *c)
{
	static const char type[] = "application/http";

	return c->kind != CAPTURE_RESOURCE && c->block.used &&
		((c->type.used && ascii_same(c->type.at, type, sizeof type - 1)) ||
			(c->block.used > 5 && memcmp(c->block.at, "HTTP/", 5) == 0));
}

/* Returns the bytes of the HTTP head with its blank line, 0 if there is none. Some servers end their lines with LF alone. */
static size_t head_size(const struct buf *block)
{
	const char *at = block->at, *end = at + block->used, *lf;

	for (; (lf = memchr(at, '\n', (size_t)(end - at))) != NULL; at = lf + 1) {
		const char *next = lf + 1 + (end - lf > 1 && lf[1] == '\r');
		if (next < end && *next == '\n')
			return (size_t)(next + 1 - block->at);
	}
	return 0;
}

int capture_read(struct warc_stream *s, struct capture *c, size_t most, struct err_note *why)
{
	buf_clear(&c->block);
	int err = warc_stream_block(s, &c->block, most, why);
	if (err)
		return err;
	c->head_n = is_http(c) ? head_size(&c->block) : 0;
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

	return head.n > 5 && memcmp(head.at, "HTTP/", 5) == 0 && blank ? (unsigned)strtoul(blank, NULL, 10) % 1000 : 0;
}

struct warc_span capture_type(const struct capture *c)
{
	if (!is_http(c) && c->kind != CAPTURE_REVISIT)
		return (struct warc_span){c->type.at ? c->type.at : "", c->type.used};
	return warc_field(capture_head(c), "Content-Type");
}
