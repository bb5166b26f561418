#include "simweb/answer.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/rng.h"
#include "simweb/node_page.h"
#include "simweb/send.h"

#include <arpa/inet.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HTML     "text/html; charset=utf-8"
#define PACK_MAX (64u << 20) /* bytes of a stored page; larger ones are sent as they are */

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

/* Writes the address of this machine that a connection came to. */
static void own_address(struct MHD_Connection *connection, char out[INET_ADDRSTRLEN])
{
	const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
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
		&(struct request_line){r->begin, r->answer, address, r->host, r->target, ok, r->status, r->retry_after});
}

void answer_end(void *ctx, struct MHD_Connection *connection, void **request, enum MHD_RequestTerminationCode how)
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

/* Reads the file of a stored page, and closes it. */
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

static enum MHD_Result send_page_body(struct request *r, struct answering *w, struct buf *body, const struct sending *s)
{
	w->pages++;
	w->faulty += s->fault == FAULT_TRUNCATE;
	return send_body(r, body, s);
}

/* Sends a stored page. A page that is packed or cut short is read into memory first, if it is small enough for that; any other is
 * sent from its file. */
static enum MHD_Result send_stored(struct request *r, struct answering *w, uint32_t page, enum fault fault, int gzip)
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
		return send_page_body(r, w, &body, &(struct sending){MHD_HTTP_OK, type, 0, fault, gzip, NULL});
	}
	w->pages++;
	struct MHD_Response *response = MHD_create_response_from_fd64((uint64_t)size, fd);
	if (!response)
		close(fd);
	return send_response(r, MHD_HTTP_OK, response, type);
}

/* Returns the time of the web, in s. */
static int64_t now_of(const struct answering *w)
{
	return w->clock + (clock_ns() - w->started) / 1000000000;
}

/* Says whether a page exists now. */
static int is_there(const struct answering *w, uint32_t page)
{
	struct changing_look look = {.links = NULL};

	if (!w->changing)
		return 1;
	changing_see(w->changing, page, now_of(w), &look);
	const int is = look.is_there;
	changing_look_release(&look);
	return is;
}

/* Composes the page of a node as it is now. Returns its Last-Modified, or 0. */
static int64_t compose(const struct answering *w, uint32_t page, struct buf *body)
{
	struct changing_look look = {.links = NULL};

	if (w->changing)
		changing_see(w->changing, page, now_of(w), &look);
	node_page(&w->site, page, w->changing ? &look : NULL, body);
	const int64_t modified = look.modified;
	changing_look_release(&look);
	return modified;
}

static enum MHD_Result send_page(struct request *r, struct answering *w, uint32_t page, enum fault fault)
{
	int gzip = fault_extra(&w->faults, page, FAULT_GZIP) && send_accepts_gzip(r);
	struct buf body = BUF_EMPTY;

	if (w->site.stored)
		return send_stored(r, w, page, fault, gzip);
	const int64_t modified = compose(w, page, &body);
	return send_page_body(r, w, &body, &(struct sending){MHD_HTTP_OK, HTML, modified, fault, gzip, NULL});
}

/* Returns the fault of the next answer of a page. Answers are counted only if some faults end after a number of them. */
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

/* Sends the answer of a fault in place of a page. The fault is one of FAULT_404 to FAULT_DROP except FAULT_TRUNCATE. `alias` is
 * the target of FAULT_REDIRECT. */
static enum MHD_Result send_fault(struct request *r, struct answering *w, enum fault fault, const char *alias)
{
	char text[32];

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
		return send_error(r, MHD_HTTP_FOUND, "Location", alias,
			"<!doctype html>\n<title>moved</title>\n<p>this page is elsewhere\n");
	default:
		assert(fault == FAULT_DROP);
		return MHD_NO;
	}
}

/* Sends what a fault puts in place of the page, or the page. */
static enum MHD_Result send_faulty(struct request *r, struct answering *w, uint32_t page, enum fault fault)
{
	char alias[64];

	if (fault == FAULT_NONE || fault == FAULT_TRUNCATE)
		return send_page(r, w, page, fault);
	snprintf(alias, sizeof alias, SITE_ALIAS "%llu", (unsigned long long)site_number(&w->site, page));
	return send_fault(r, w, fault, alias);
}

/* Says whether a request has to wait, since its page is slow. */
static int must_wait(struct request *r, struct answering *w, uint32_t page)
{
	if (r->stage == WAITED || !fault_extra(&w->faults, page, FAULT_SLOW))
		return 0;
	r->stage = WAITED;
	return delays_add(w->delays, r->connection);
}

/* --- the endless web */

#define SLOT 2 /* s */

/* Returns the fault of an answer of an endless web. Its answers are not counted, so a transient fault shows in a random half of
 * all slots of SLOT seconds. */
static enum fault endless_fault(const struct answering *w, uint32_t page, int64_t now)
{
	struct rng slot = {(uint64_t)(now / SLOT) << 32 | page};

	return fault_now(&w->faults, page, rng_next(&slot) & 1 ? FAULT_MAX_PASSING : 0);
}

/* Sends the answer of a web without end, with the delay, the fault and the packing that fall to its page. robots.txt, redirects and
 * missing pages have none of them. */
static enum MHD_Result send_endless(struct request *r, struct answering *w, struct endless_reply *reply, int64_t now)
{
	struct sending s = {.status = reply->status, .type = reply->type, .modified = reply->modified};

	if (reply->is_robots || reply->status != MHD_HTTP_OK) {
		w->robots_asked += (uint64_t)reply->is_robots;
		w->not_found += reply->status == MHD_HTTP_NOT_FOUND && !reply->is_robots;
		s.location = reply->location.used ? reply->location.at : NULL;
		return send_body(r, &reply->body, &s);
	}
	if (must_wait(r, w, reply->page))
		return MHD_YES;
	s.fault = endless_fault(w, reply->page, now);
	if (s.fault != FAULT_NONE && s.fault != FAULT_TRUNCATE)
		return send_fault(r, w, s.fault, NULL);
	s.gzip = fault_extra(&w->faults, reply->page, FAULT_GZIP) && send_accepts_gzip(r);
	return send_page_body(r, w, &reply->body, &s);
}

static enum MHD_Result answer_endless(struct request *r, struct answering *w, const struct address *a)
{
	const int64_t now = now_of(w);
	struct endless_reply reply = {0};

	endless_answer(w->endless, a, now, &reply);
	const enum MHD_Result result = send_endless(r, w, &reply, now);
	endless_reply_release(&reply);
	return result;
}

/* --- requests */

/* Finds the page that a redirect leads to. */
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

/* Answers a request: finds the page by host and target, and sends it, its fault, or 404. A slow page is answered later, when
 * the request is resumed. */
static enum MHD_Result answer_get(struct request *r, struct answering *w)
{
	const char *host = MHD_lookup_connection_value(r->connection, MHD_HEADER_KIND, "Host");
	struct address a;
	uint32_t page;

	if (!address_of_request(&a, r->target, host))
		return send_gone(r, w);
	if (w->endless)
		return answer_endless(r, w, &a);
	int robots = is_robots(&a);
	if (robots && r->stage != WAITED)
		w->robots_asked++;
	if (robots && w->robots)
		return send_response(r, MHD_HTTP_OK, send_fixed(w->robots), "text/plain");
	const int stands = site_find(&w->site, &a, &page);
	if ((!stands && !find_alias(w, &a, &page)) || !is_there(w, page))
		return send_gone(r, w);
	if (must_wait(r, w, page))
		return MHD_YES;
	return send_faulty(r, w, page, stands ? fault_of(w, page) : FAULT_NONE);
}

static char *copy_host(struct MHD_Connection *connection)
{
	const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host");

	return host ? mem_text(host) : NULL;
}

enum MHD_Result answer(void *ctx, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
	const char *upload, size_t *upload_size, void **request)
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
