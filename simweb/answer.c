#include "simweb/answer.h"
#include "base/ascii.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/rng.h"
#include "simweb/fault.h"
#include "simweb/site.h"

#include <arpa/inet.h>
#include <assert.h>
#include <libdeflate.h>
#include <microhttpd.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* The delaying of connections. A delayed connection is taken out of the event loop of its thread,
 * and one thread for all connections puts it back when its time has come, so that a slow answer
 * delays no other answer. */

struct waiting {
	int64_t due; /* ms of clock_ms() */
	struct MHD_Connection *connection;
};

struct delays {
	int64_t ms;
	pthread_mutex_t lock;
	pthread_cond_t changed; /* a new first entry, or the end */
	pthread_t thread;
	/* queue[first..end) is in the order of `due`, since every connection waits for the same time */
	struct waiting *queue;
	size_t first, end, room;
	int finished;
	int ended;
};

static void push(struct delays *d, struct waiting new)
{
	if (d->end == d->room && d->first > d->room / 2) {
		d->end -= d->first;
		memmove(d->queue, d->queue + d->first, d->end * sizeof *d->queue);
		d->first = 0;
	}
	d->queue = mem_grow(d->queue, &d->room, d->end + 1, sizeof *d->queue);
	d->queue[d->end++] = new;
}

static void wait_until(struct delays *d, int64_t due)
{
	struct timespec t = {due / 1000, due % 1000 * 1000000};

	pthread_cond_timedwait(&d->changed, &d->lock, &t);
}

/* The thread of the delays: resumes each suspended connection when its answer is due. All delays are equal, so the queue is in
 * order of time. */
static void *resume_when_due(void *ctx)
{
	struct delays *d = ctx;

	pthread_mutex_lock(&d->lock);
	while (!d->ended) {
		if (d->first == d->end)
			pthread_cond_wait(&d->changed, &d->lock);
		else if (d->queue[d->first].due <= clock_ms())
			MHD_resume_connection(d->queue[d->first++].connection);
		else
			wait_until(d, d->queue[d->first].due);
	}
	pthread_mutex_unlock(&d->lock);
	return NULL;
}

struct delays *delays_new(int64_t ms)
{
	struct delays *d = mem_zero(1, sizeof *d);
	pthread_condattr_t monotonic;

	d->ms = ms;
	pthread_mutex_init(&d->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&d->changed, &monotonic);
	pthread_condattr_destroy(&monotonic);
	if (pthread_create(&d->thread, NULL, resume_when_due, d)) {
		pthread_cond_destroy(&d->changed);
		pthread_mutex_destroy(&d->lock);
		free(d);
		return NULL;
	}
	return d;
}

void delays_free(struct delays *d)
{
	if (!d)
		return;
	pthread_mutex_lock(&d->lock);
	d->ended = 1;
	pthread_cond_signal(&d->changed);
	pthread_mutex_unlock(&d->lock);
	pthread_join(d->thread, NULL);
	pthread_cond_destroy(&d->changed);
	pthread_mutex_destroy(&d->lock);
	free(d->queue);
	free(d);
}

/* Suspends a connection; the caller is the connection's handler, which is called again after the
 * delay. Returns 1, or 0 if delays_finish() has been called, and then the connection continues at
 * once. The function is thread-safe. */
static int delays_add(struct delays *d, struct MHD_Connection *connection)
{
	pthread_mutex_lock(&d->lock);
	int added = !d->finished;
	if (added) {
		/* suspended under the lock: otherwise the thread could resume the connection before it is suspended */
		MHD_suspend_connection(connection);
		push(d, (struct waiting){clock_ms() + d->ms, connection});
		pthread_cond_signal(&d->changed);
	}
	pthread_mutex_unlock(&d->lock);
	return added;
}

void delays_finish(struct delays *d)
{
	pthread_mutex_lock(&d->lock);
	d->finished = 1;
	while (d->first < d->end)
		MHD_resume_connection(d->queue[d->first++].connection);
	pthread_mutex_unlock(&d->lock);
}

/* The request log of the fake web: one line for each request, in the order in which the answers were finished:
 *
 *   BEGIN TAB ANSWER TAB ADDRESS TAB HOST TAB TARGET TAB ok|broken TAB STATUS TAB RETRY
 *
 * BEGIN is the time at which the server had read the request line, ANSWER the time just before it began to send the
 * answer, both in us of a clock that never goes back. The client sent the request no later than at BEGIN, and had the
 * answer no earlier than at ANSWER, however busy the machine is. So a client that waits for the delay after each
 * answer is seen to do so: from the ANSWER of a request to the BEGIN of the next there is at least the delay.
 *
 * ADDRESS is the server's address that the client connected to. HOST and TARGET are the request's, with "-" for no
 * host and "?" for each blank and control character. The next field is "broken" if the connection ended before the whole
 * answer was sent. STATUS is the HTTP status of the answer, 0 if there was none. RETRY is the answer's Retry-After in
 * seconds, "-" if it had none. */

static void add_word(struct buf *line, const char *text)
{
	if (!text || !*text)
		text = "-";
	for (; *text; text++)
		buf_byte(line, *text > ' ' && *text != 127 ? *text : '?');
	buf_byte(line, '\t');
}

/* --- Sends answers of the fake web through libmicrohttpd: whole, packed, cut off, or "unchanged" where the client has the page. */

/* The state of a request. libmicrohttpd keeps the target only in its unescaped form, so answer_begin() copies it. */
struct request {
	enum { ASKED, READ, WAITED } stage;
	int64_t begin, answer; /* ns of clock_ns(); begin, answer and host are for the log */
	char *host;
	unsigned status;     /* of the answer; 0: none yet, or none at all */
	int64_t retry_after; /* s; -1: the answer has no Retry-After */
	struct MHD_Connection *connection;
	char target[];
};

/* How a body is sent. */
struct sending {
	unsigned status;
	const char *type;
	int64_t modified;     /* for Last-Modified, in s since 1970; 0: none */
	enum fault fault;     /* FAULT_TRUNCATE: the connection ends after half of the body; or FAULT_NONE */
	int gzip;             /* the body is compressed */
	const char *location; /* for Location; NULL: none */
};

#define HTML "text/html; charset=utf-8"

/* Queues a response, which may be NULL, with a media type and a status, and gives it up. */
static enum MHD_Result send_response(struct request *r, unsigned status, struct MHD_Response *response, const char *type)
{
	if (!response)
		return MHD_NO;
	MHD_add_response_header(response, "Content-Type", type);
	r->status = status;
	enum MHD_Result result = MHD_queue_response(r->connection, status, response);
	MHD_destroy_response(response);
	return result;
}

/* Makes a response of a text that is never freed. */
static struct MHD_Response *send_fixed(const char *text)
{
	return MHD_create_response_from_buffer(strlen(text), (void *)text, MHD_RESPMEM_PERSISTENT);
}

/* Sends a status with a static page, and with a header unless its name is NULL. */
static enum MHD_Result send_error(struct request *r, unsigned status, const char *header, const char *value, const char *text)
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
	AUTO_FREE struct cut *c = ctx;

	buf_release(&c->body);
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

/* Makes a body one gzip member. Equal bytes give equal members. */
static void pack(struct buf *body)
{
	struct libdeflate_compressor *c = libdeflate_alloc_compressor(6);
	struct buf packed = BUF_EMPTY;

	if (!c)
		mem_exhausted();
	const size_t bound = libdeflate_gzip_compress_bound(c, body->used);
	packed.used = libdeflate_gzip_compress(c, body->at ? body->at : "", body->used, buf_room(&packed, bound), bound);
	libdeflate_free_compressor(c);
	buf_end(&packed);
	buf_release(body);
	*body = packed;
}

/* Says whether the client takes gzip, at a quality other than 0. */
static int send_accepts_gzip(struct request *r)
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

/* Sends a body and takes it over. A client that says that it has the same page (If-None-Match, or If-Modified-Since with the same
 * date) gets 304, unless the status is not 200 or the body is to be cut off. */
static enum MHD_Result send_body(struct request *r, struct buf *body, const struct sending *s)
{
	char etag[32], date[40] = "";

	snprintf(etag, sizeof etag, "\"%016llx\"", (unsigned long long)XXH3_64bits(body->at ? body->at : "", body->used));
	if (s->modified)
		write_date(s->modified, date);
	if (s->status == MHD_HTTP_OK && s->fault == FAULT_NONE && client_has(r, etag, date)) {
		buf_release(body);
		return send_unchanged(r, etag, s->type);
	}
	if (s->gzip)
		pack(body);
	struct MHD_Response *response = s->fault == FAULT_TRUNCATE ? cut_off(body) : whole(body);
	if (response && s->status == MHD_HTTP_OK)
		MHD_add_response_header(response, "ETag", etag);
	if (response && *date)
		MHD_add_response_header(response, "Last-Modified", date);
	if (response && s->location)
		MHD_add_response_header(response, "Location", s->location);
	if (response && s->gzip)
		MHD_add_response_header(response, "Content-Encoding", "gzip");
	return send_response(r, s->status, response, s->type);
}

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

/* Adds the line of a request to the log, which any thread may do at any time. */
static void write_down(FILE *log, const struct request *r, int ok)
{
	AUTO(buf) line = buf_of("%lld\t%lld\t", (long long)(r->begin / 1000), (long long)(r->answer / 1000));
	char address[INET_ADDRSTRLEN];

	own_address(r->connection, address);
	add_word(&line, address);
	add_word(&line, r->host);
	add_word(&line, r->target);
	buf_format(&line, "%s\t%u\t", ok ? "ok" : "broken", r->status);
	if (r->retry_after >= 0)
		buf_format(&line, "%lld\n", (long long)r->retry_after);
	else
		buf_text(&line, "-\n");
	fwrite(line.at, 1, line.used, log);
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
	AUTO(changing_look) look = {.links = NULL};

	if (w->changing)
		changing_see(w->changing, page, now_of(w), &look);
	node_page(&w->site, page, w->changing ? &look : NULL, body);
	return look.modified;
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
	case FAULT_BUSY:
		return send_error(r, MHD_HTTP_SERVICE_UNAVAILABLE, NULL, NULL,
			"<!doctype html>\n<title>busy</title>\n<p>there is no time for this page\n");
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
	AUTO(endless_reply) reply = {0};

	endless_answer(w->endless, a, now, &reply);
	return send_endless(r, w, &reply, now);
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
