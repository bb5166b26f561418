#include "simweb/send.h"

#include "base/ascii.h"
#include "base/mem.h"
#include "simweb/gzip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define HTML "text/html; charset=utf-8"

enum MHD_Result send_response(struct request *r, unsigned status, struct MHD_Response *response, const char *type)
{
	if (!response)
		return MHD_NO;
	MHD_add_response_header(response, "Content-Type", type);
	r->status = status;
	enum MHD_Result result = MHD_queue_response(r->connection, status, response);
	MHD_destroy_response(response);
	return result;
}

struct MHD_Response *send_fixed(const char *text)
{
	return MHD_create_response_from_buffer(strlen(text), (void *)text, MHD_RESPMEM_PERSISTENT);
}

enum MHD_Result send_error(struct request *r, unsigned status, const char *header, const char *value, const char *text)
{
	struct MHD_Response *response = send_fixed(text);

	if (response && header)
		MHD_add_response_header(response, header, value);
	return send_response(r, status, response, HTML);
}

/* A body that ends too early. */
struct cut {
	struct buf body;
	size_t sent; /* of the body */
};

static ssize_t read_cut(void *ctx, uint64_t at, char *to, size_t room)
{
	struct cut *c = ctx;

	if (at >= c->sent)
		return MHD_CONTENT_READER_END_WITH_ERROR;
	size_t n = c->sent - at < room ? (size_t)(c->sent - at) : room;
	memcpy(to, c->body.at + at, n);
	return (ssize_t)n;
}

static void free_cut(void *ctx)
{
	struct cut *c = ctx;

	buf_release(&c->body);
	free(c);
}

/* Makes a response that ends after half of the body, which it takes over. Its Content-Length is that of the whole body, or 1 for
 * an empty one, so that the client sees that the answer was cut off. */
static struct MHD_Response *cut_off(struct buf *body)
{
	struct cut *c = mem_new(1, sizeof *c);

	*c = (struct cut){*body, body->used / 2};
	*body = (struct buf)BUF_EMPTY;
	struct MHD_Response *response =
		MHD_create_response_from_callback(c->body.used ? c->body.used : 1, 16384, read_cut, c, free_cut);
	if (!response)
		free_cut(c);
	return response;
}

/* Takes the body over. */
static struct MHD_Response *whole(struct buf *body)
{
	size_t n = body->used;
	char *bytes = buf_take(body);
	struct MHD_Response *response = MHD_create_response_from_buffer(n, bytes, MHD_RESPMEM_MUST_FREE);

	if (!response)
		free(bytes);
	return response;
}

int send_accepts_gzip(struct request *r)
{
	const char *item = MHD_lookup_connection_value(r->connection, MHD_HEADER_KIND, "Accept-Encoding");

	for (; item && *item; item += strcspn(item, ",")) {
		item += strspn(item, ", \t");
		if (!ascii_same(item, "gzip", 4) || !strchr(" \t;,", item[4]))
			continue;
		item += 4 + strspn(item + 4, " \t;");
		return !ascii_same(item, "q=0", 3) || strspn(item + 2, "0.") != strcspn(item + 2, " \t,");
	}
	return 0;
}

/* Writes a date as "Sun, 06 Nov 1994 08:49:37 GMT", in any locale. */
static void write_date(int64_t seconds, char out[40])
{
	static const char day[] = "SunMonTueWedThuFriSat", month[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	const time_t when = (time_t)seconds;
	struct tm t;

	gmtime_r(&when, &t);
	snprintf(out, 40, "%.3s, %02d %.3s %d %02d:%02d:%02d GMT", day + t.tm_wday * 3, t.tm_mday, month + t.tm_mon * 3,
		t.tm_year + 1900, t.tm_hour, t.tm_min, t.tm_sec);
}

/* Says whether the client has the page with this ETag and this date, which may be empty. */
static int client_has(struct request *r, const char *etag, const char *date)
{
	const char *has = MHD_lookup_connection_value(r->connection, MHD_HEADER_KIND, "If-None-Match");

	if (has)
		return strcmp(has, etag) == 0;
	has = MHD_lookup_connection_value(r->connection, MHD_HEADER_KIND, "If-Modified-Since");
	return has && *date && strcmp(has, date) == 0;
}

static enum MHD_Result send_unchanged(struct request *r, const char *etag, const char *type)
{
	struct MHD_Response *response = send_fixed("");

	if (response)
		MHD_add_response_header(response, "ETag", etag);
	return send_response(r, MHD_HTTP_NOT_MODIFIED, response, type);
}

enum MHD_Result send_body(struct request *r, struct buf *body, const struct sending *s)
{
	struct buf packed = BUF_EMPTY;
	char etag[32], date[40] = "";
	int gzip = s->gzip;

	snprintf(etag, sizeof etag, "\"%016llx\"", (unsigned long long)XXH3_64bits(body->at ? body->at : "", body->used));
	if (s->modified)
		write_date(s->modified, date);
	if (s->status == MHD_HTTP_OK && s->fault == FAULT_NONE && client_has(r, etag, date)) {
		buf_release(body);
		return send_unchanged(r, etag, s->type);
	}
	if (gzip && gzip_pack(&packed, body->at, body->used) == 0) {
		buf_release(body);
		*body = packed;
	} else {
		buf_release(&packed);
		gzip = 0;
	}
	struct MHD_Response *response = s->fault == FAULT_TRUNCATE ? cut_off(body) : whole(body);
	if (response && s->status == MHD_HTTP_OK)
		MHD_add_response_header(response, "ETag", etag);
	if (response && *date)
		MHD_add_response_header(response, "Last-Modified", date);
	if (response && s->location)
		MHD_add_response_header(response, "Location", s->location);
	if (response && gzip)
		MHD_add_response_header(response, "Content-Encoding", "gzip");
	return send_response(r, s->status, response, s->type);
}
