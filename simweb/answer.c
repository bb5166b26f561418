#include "simweb/answer.h"

#include "base/clock.h"
#include "base/mem.h"
#include "simweb/gzip.h"
#include "simweb/node_page.h"

#include <arpa/inet.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define HTML "text/html; charset=utf-8"
#define PACK_MAX (64u << 20) /* bytes of a stored page; larger ones are sent as they are */

/* MHD keeps the target only without its escapes, so that it is copied when it comes. */
struct request {
	enum { ASKED, READ, WAITED } stage;
	int64_t begin;  /* ns; begin, answer and host are for the log */
	int64_t answer; /* see struct request_line */
	char *host;
	unsigned status;        /* of the answer; 0: none yet, or none at all */
	int64_t retry_after;    /* s; -1: the answer has no Retry-After */
	struct MHD_Connection *connection;
	char target[];
};

void *answer_begin(void *ctx, const char *target, struct MHD_Connection *connection)
{
	size_t n = strlen(target) + 1;
	struct request *r = mem_new(sizeof *r + n, 1);

	(void)ctx;
	r->connection = connection;
	r->status = 0;
	r->retry_after = -1;
	r->stage = ASKED;
	r->begin = clock_ns();
	r->answer = r->begin;
	r->host = NULL;
	memcpy(r->target, target, n);
	return r;
}

/* The address of our own that a connection came to. */
static void own_address(struct MHD_Connection *connection, char out[INET_ADDRSTRLEN])
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
	struct sockaddr_in a = {0};
	socklen_t n = sizeof a;

	*out = 0;
	if (info && getsockname(info->connect_fd, (struct sockaddr *)&a, &n) == 0)
		inet_ntop(AF_INET, &a.sin_addr, out, INET_ADDRSTRLEN);
}

static void write_down(struct request_log *log, const struct request *r, int ok)
{
	char address[INET_ADDRSTRLEN];

	own_address(r->connection, address);
	request_log_add(log,
		&(struct request_line){r->begin, r->answer, address, r->host, r->target, ok, r->status,
			r->retry_after});
}

void answer_end(void *ctx, struct MHD_Connection *connection, void **request,
	enum MHD_RequestTerminationCode how)
{
	const struct answering *w = ctx;
	struct request *r = *request;

	(void)connection;
	if (r && w->log)
		write_down(w->log, r, how == MHD_REQUEST_TERMINATED_COMPLETED_OK);
	if (r)
		free(r->host);
	free(r);
	*request = NULL;
}

/* Queues and forgets a response, which may be NULL. */
static enum MHD_Result send_response(struct request *r, unsigned status,
	struct MHD_Response *response, const char *type)
{
	if (!response)
		return MHD_NO;
	MHD_add_response_header(response, "Content-Type", type);
	r->status = status;
	enum MHD_Result result = MHD_queue_response(r->connection, status, response);
	MHD_destroy_response(response);
	return result;
}

/* A response of static text. */
static struct MHD_Response *fixed(const char *text)
{
	return MHD_create_response_from_buffer(strlen(text), (void *)text, MHD_RESPMEM_PERSISTENT);
}

static enum MHD_Result send_error(struct request *r, unsigned status,
	const char *header, const char *value, const char *text)
{
	struct MHD_Response *response = fixed(text);

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

/* Takes the body over. Its length is told right, or one byte of nothing. */
static struct MHD_Response *cut_off(struct buf *body)
{
	struct cut *c = mem_new(1, sizeof *c);

	*c = (struct cut){*body, body->used / 2};
	*body = (struct buf)BUF_EMPTY;
	struct MHD_Response *response = MHD_create_response_from_callback(
		c->body.used ? c->body.used : 1, 16384, read_cut, c, free_cut);
	if (!response)
		free_cut(c);
	return response;
}

/* Takes the body over. */
static struct MHD_Response *whole(struct buf *body)
{
	size_t n = body->used;
	char *bytes = buf_take(body);
	struct MHD_Response *response =
		MHD_create_response_from_buffer(n, bytes, MHD_RESPMEM_MUST_FREE);

	if (!response)
		free(bytes);
	return response;
}

/* Whether the client has what this ETag names, so that it need not be sent again. */
static int client_has(struct request *r, const char *etag)
{
	const char *has = MHD_lookup_connection_value(r->connection, MHD_HEADER_KIND, "If-None-Match");

	return has && strcmp(has, etag) == 0;
}

static enum MHD_Result send_unchanged(
	struct request *r, struct answering *w, const char *etag, const char *type)
{
	struct MHD_Response *response = fixed("");

	w->pages++;
	if (response)
		MHD_add_response_header(response, "ETag", etag);
	return send_response(r, MHD_HTTP_NOT_MODIFIED, response, type);
}

/* Whether the client says it takes gzip, at a quality other than 0. */
static int accepts_gzip(struct request *r)
{
	const char *item =
		MHD_lookup_connection_value(r->connection, MHD_HEADER_KIND, "Accept-Encoding");

	for (; item && *item; item += strcspn(item, ",")) {
		item += strspn(item, ", \t");
		if (strncasecmp(item, "gzip", 4) != 0 || !strchr(" \t;,", item[4]))
			continue;
		item += 4 + strspn(item + 4, " \t;");
		return strncasecmp(item, "q=0", 3) != 0 ||
		       strspn(item + 2, "0.") != strcspn(item + 2, " \t,");
	}
	return 0;
}

/* The content of a stored page's file, which is closed. */
static int read_file(int fd, size_t n, struct buf *out)
{
	char *to = buf_room(out, n);
	ssize_t got = 1;

	while (out->used < n && (got = read(fd, to + out->used, n - out->used)) > 0)
		out->used += (size_t)got;
	buf_end(out);
	close(fd);
	return out->used == n ? 0 : -1;
}

static enum MHD_Result send_gone(struct request *r, struct answering *w)
{
	w->not_found++;
	return send_error(r, MHD_HTTP_NOT_FOUND, NULL, NULL,
		"<!doctype html>\n<title>not found</title>\n<p>no page of the fake web stands "
		"here\n");
}

/* Sends a body, packed and cut off where the page's faults say so. */
static enum MHD_Result send_body(struct request *r, struct answering *w,
	struct buf *body, const char *type, enum fault fault, int gzip)
{
	struct buf packed = BUF_EMPTY;
	char etag[32];

	snprintf(etag, sizeof etag, "\"%016llx\"",
		(unsigned long long)XXH3_64bits(body->at ? body->at : "", body->used));
	if (fault == FAULT_NONE && client_has(r, etag)) {
		buf_release(body);
		return send_unchanged(r, w, etag, type);
	}
	if (gzip && gzip_pack(&packed, body->at, body->used) == 0) {
		buf_release(body);
		*body = packed;
	} else {
		buf_release(&packed);
		gzip = 0;
	}
	w->pages++;
	w->faulty += fault == FAULT_TRUNCATE;
	struct MHD_Response *response = fault == FAULT_TRUNCATE ? cut_off(body) : whole(body);
	if (response)
		MHD_add_response_header(response, "ETag", etag);
	if (response && gzip)
		MHD_add_response_header(response, "Content-Encoding", "gzip");
	return send_response(r, MHD_HTTP_OK, response, type);
}

static enum MHD_Result send_stored(struct request *r, struct answering *w,
	uint32_t page, enum fault fault, int gzip)
{
	const char *type = stored_type(w->site.stored, page);
	struct buf body = BUF_EMPTY;
	off_t size;

	int fd = stored_file(w->site.stored, page, &size);
	if (fd < 0)
		return send_gone(r, w);
	if ((gzip || fault == FAULT_TRUNCATE) && size <= PACK_MAX) {
		if (read_file(fd, (size_t)size, &body)) {
			buf_release(&body);
			return MHD_NO;
		}
		return send_body(r, w, &body, type, fault, gzip);
	}
	w->pages++;
	struct MHD_Response *response = MHD_create_response_from_fd64((uint64_t)size, fd);
	if (!response)
		close(fd);
	return send_response(r, MHD_HTTP_OK, response, type);
}

static enum MHD_Result send_page(
	struct request *r, struct answering *w, uint32_t page, enum fault fault)
{
	int gzip = fault_extra(&w->faults, page, FAULT_GZIP) && accepts_gzip(r);
	struct buf body = BUF_EMPTY;

	if (w->site.stored)
		return send_stored(r, w, page, fault, gzip);
	node_page(&w->site, page, &body);
	return send_body(r, w, &body, HTML, fault, gzip);
}

/* The fault of this answer of a page, which is counted if its faults may pass. */
static enum fault fault_of(struct answering *w, uint32_t page)
{
	unsigned answers = 0;

	if (w->answers) {
		answers = w->answers[page]++;
		if (answers >= FAULT_MAX_PASSING)
			w->answers[page] = FAULT_MAX_PASSING;
	}
	return fault_now(&w->faults, page, answers);
}

/* Sends what a fault puts in place of the page, or the page. */
static enum MHD_Result send_faulty(
	struct request *r, struct answering *w, uint32_t page, enum fault fault)
{
	char text[64];

	if (fault == FAULT_NONE || fault == FAULT_TRUNCATE)
		return send_page(r, w, page, fault);
	w->faulty++;
	switch (fault) {
	case FAULT_404:
		return send_error(r, MHD_HTTP_NOT_FOUND, NULL, NULL,
			"<!doctype html>\n<title>not found</title>\n<p>this page is missing\n");
	case FAULT_500:
		return send_error(r, MHD_HTTP_INTERNAL_SERVER_ERROR, NULL, NULL,
			"<!doctype html>\n<title>error</title>\n<p>this page is broken\n");
	case FAULT_503:
		r->retry_after = w->faults.retry_after;
		snprintf(text, sizeof text, "%lld", (long long)w->faults.retry_after);
		return send_error(r, MHD_HTTP_SERVICE_UNAVAILABLE, "Retry-After", text,
			"<!doctype html>\n<title>busy</title>\n<p>come again\n");
	case FAULT_REDIRECT:
		snprintf(text, sizeof text, SITE_ALIAS "%llu",
			(unsigned long long)site_number(&w->site, page));
		return send_error(r, MHD_HTTP_FOUND, "Location", text,
			"<!doctype html>\n<title>moved</title>\n<p>this page is elsewhere\n");
	default:
		assert(fault == FAULT_DROP);
		return MHD_NO;
	}
}

/* The page that a redirect leads to. */
static int find_alias(const struct answering *w, const struct address *a, uint32_t *page)
{
	size_t n = strlen(SITE_ALIAS);

	return a->target_length > n && memcmp(a->target, SITE_ALIAS, n) == 0 &&
	       site_find_number(&w->site, a, a->target + n, a->target_length - n, page) &&
	       fault_answer(&w->faults, *page) == FAULT_REDIRECT;
}

static int is_robots(const struct address *a)
{
	static const char path[] = "/robots.txt";

	return a->target_length == strlen(path) && memcmp(a->target, path, strlen(path)) == 0;
}

static enum MHD_Result answer_get(
	struct request *r, struct answering *w)
{
	const char *host = MHD_lookup_connection_value(r->connection, MHD_HEADER_KIND, "Host");
	struct address a;
	uint32_t page;

	if (!address_of_request(&a, r->target, host))
		return send_gone(r, w);
	int robots = is_robots(&a);
	if (robots && r->stage != WAITED)
		w->robots_asked++;
	if (robots && w->robots)
		return send_response(r, MHD_HTTP_OK, fixed(w->robots), "text/plain");
	const int stands = site_find(&w->site, &a, &page);
	if (!stands && !find_alias(w, &a, &page))
		return send_gone(r, w);
	if (r->stage != WAITED && fault_extra(&w->faults, page, FAULT_SLOW)) {
		r->stage = WAITED;
		if (delays_add(w->delays, r->connection))
			return MHD_YES;
	}
	return send_faulty(r, w, page, stands ? fault_of(w, page) : FAULT_NONE);
}

static char *copy_host(struct MHD_Connection *connection)
{
	const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host");

	return host ? mem_text(host) : NULL;
}

enum MHD_Result answer(void *ctx, struct MHD_Connection *connection, const char *url,
	const char *method, const char *version, const char *upload, size_t *upload_size,
	void **request)
{
	struct answering *w = ctx;
	struct request *r = *request;

	(void)url;
	(void)version;
	(void)upload;
	if (!r)
		return MHD_NO;
	r->answer = clock_ns();
	if (r->stage == ASKED) {
		/* an answer at this point would end the connection */
		r->stage = READ;
		if (w->log)
			r->host = copy_host(connection);
		w->requests++;
		if (strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0)
			return MHD_YES;
		return send_error(r, MHD_HTTP_METHOD_NOT_ALLOWED, "Allow", "GET, HEAD",
			"<!doctype html>\n<title>no</title>\n<p>only GET and HEAD\n");
	}
	if (*upload_size) {
		*upload_size = 0;
		return MHD_YES;
	}
	return answer_get(r, w);
}
