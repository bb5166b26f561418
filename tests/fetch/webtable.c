#include "tests/fetch/webtable.h"
#include "base/clock.h"
#include "base/mem.h"
#include "tests/test.h"

#include <archive.h>
#include <archive_entry.h>
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <strings.h>
#include <sys/socket.h>

#define HEAD_MAX        (64u * 1024)
#define CONNECTIONS_MAX 4096

struct connection {
	struct web *web;
	pthread_t thread;
	int fd;
	unsigned number;
};

struct web {
	const struct web_row *row;
	size_t rows;
	web_maker *make;
	void *make_ctx;
	int listener;
	unsigned port;
	pthread_t thread;

	pthread_mutex_t lock; /* of what follows */
	pthread_cond_t closes;
	int closing;
	unsigned *served; /* requests a row has answered */
	struct web_request *request;
	size_t requests, request_room;
	struct connection *connection[CONNECTIONS_MAX];
	unsigned connections;
};

/* --- sending */

static int send_all(int fd, const char *bytes, size_t n)
{
	while (n) {
		ssize_t sent = send(fd, bytes, n, MSG_NOSIGNAL);
		if (sent <= 0)
			return -1;
		bytes += sent;
		n -= (size_t)sent;
	}
	return 0;
}

/* Waits, unless the server closes: 0, or -1. */
static int pause_for(struct web *w, int64_t ms)
{
	const int64_t until = clock_ms() + ms;
	const struct timespec time = {(time_t)(until / 1000), until % 1000 * 1000000};
	int late = 0;

	pthread_mutex_lock(&w->lock);
	while (!w->closing && !late)
		late = pthread_cond_timedwait(&w->closes, &w->lock, &time) != 0;
	int closing = w->closing;
	pthread_mutex_unlock(&w->lock);
	return closing ? -1 : 0;
}

/* Waits until the peer goes, or the server closes. */
static int until_gone(int fd)
{
	char byte;

	while (recv(fd, &byte, 1, 0) > 0) {
	}
	return -1;
}

static void pack(const struct buf *plain, struct buf *out)
{
	size_t room = plain->used + plain->used / 100 + 4096, used = 0;
	struct archive *a = archive_write_new();
	struct archive_entry *e = archive_entry_new();

	archive_write_add_filter_gzip(a);
	archive_write_set_format_raw(a);
	archive_write_set_bytes_in_last_block(a, 1);
	archive_write_open_memory(a, buf_room(out, room), room, &used);
	archive_entry_set_filetype(e, AE_IFREG);
	archive_write_header(a, e);
	archive_write_data(a, plain->at, plain->used);
	archive_write_close(a);
	archive_write_free(a);
	archive_entry_free(e);
	out->used += used;
	buf_end(out);
}

static void add_with_port(const struct web *w, struct buf *out, const char *text)
{
	const char *mark;

	while ((mark = strstr(text, "{port}"))) {
		buf_add(out, text, (size_t)(mark - text));
		buf_format(out, "%u", w->port);
		text = mark + 6;
	}
	buf_text(out, text);
}

static const char *reason(int status)
{
	return status < 300 ? "OK" : status < 400 ? "Elsewhere" : "Sorry";
}

/* The rest of the answer where its head and body are not simply sent: 0 to go on, -1 to close. */
static int send_body(struct web *w, int fd, const struct web_row *row, const struct buf *body)
{
	const char *at = body->at ? body->at : "";
	char size[32];

	switch (row->fault) {
	case WEB_RESET:
	case WEB_STALL:
		if (send_all(fd, at, body->used / 2) || pause_for(w, 20))
			return -1;
		if (row->fault == WEB_STALL)
			return until_gone(fd);
		setsockopt(fd, SOL_SOCKET, SO_LINGER, &(struct linger){1, 0}, sizeof(struct linger));
		return -1;
	case WEB_DRIP:
		for (size_t i = 0; i < body->used; i++)
			if (send_all(fd, at + i, 1) || pause_for(w, row->ms))
				return -1;
		return 0;
	case WEB_ENDLESS_BODY:
		while (send_all(fd, at, body->used) == 0) {
		}
		return -1;
	case WEB_CHUNKED:
		for (size_t i = 0; i < body->used; i += 7) {
			size_t n = body->used - i < 7 ? body->used - i : 7;
			snprintf(size, sizeof size, "%zx;x=y\r\n", n);
			if (send_all(fd, size, strlen(size)) || send_all(fd, at + i, n) || send_all(fd, "\r\n", 2))
				return -1;
		}
		return send_all(fd, "0\r\nLocation: /trailer\r\n\r\n", 25);
	case WEB_BAD_CHUNKS:
		send_all(fd, "3\r\nabc\r\nzz\r\nxyz\r\n", 17);
		return -1;
	default:
		return send_all(fd, at, body->used) || row->fault == WEB_TRUNCATED || row->fault == WEB_UNTIL_CLOSE ? -1 : 0;
	}
}

static int send_endless_headers(int fd)
{
	send_all(fd, "HTTP/1.1 200 OK\r\n", 17);
	while (send_all(fd, "X-Filler: and so on and so on and so on\r\n", 41) == 0) {
	}
	return -1;
}

static void write_head(const struct web *w, const struct web_row *row, const struct buf *body, int packed, struct buf *head)
{
	const int status = row->status ? row->status : 200;

	buf_format(head, "HTTP/1.1 %d %s\r\n", status, reason(status));
	add_with_port(w, head, row->headers ? row->headers : "Content-Type: text/html\r\n");
	if (packed)
		buf_text(head, "Content-Encoding: gzip\r\n");
	if (row->fault == WEB_CHUNKED || row->fault == WEB_BAD_CHUNKS)
		buf_text(head, "Transfer-Encoding: chunked\r\n");
	else if (row->fault != WEB_UNTIL_CLOSE && row->fault != WEB_ENDLESS_BODY)
		buf_format(head, "Content-Length: %zu\r\n", body->used + (row->fault == WEB_TRUNCATED ? 1000 : 0));
	buf_text(head, "\r\n");
}

static int answer_row(struct web *w, int fd, const struct web_row *row, const char *request)
{
	struct buf head = BUF_EMPTY, body = BUF_EMPTY, packed = BUF_EMPTY;
	int end;

	while (row->gate && !*row->gate)
		if (pause_for(w, 1))
			return -1;
	if (row->ms && row->fault != WEB_DRIP && pause_for(w, row->ms))
		return -1;
	if (row->fault == WEB_HANG_UP)
		return -1;
	if (row->fault == WEB_SILENT)
		return until_gone(fd);
	if (row->fault == WEB_ENDLESS_HEADERS)
		return send_endless_headers(fd);
	for (unsigned i = 0; row->body && i < (row->repeat ? row->repeat : 1); i++)
		add_with_port(w, &body, row->body);
	const int is_packed = row->fault == WEB_GZIP || row->fault == WEB_GZIP_TWICE || row->fault == WEB_CUT_GZIP;
	int says_packed = is_packed || (row->fault == WEB_BAD_GZIP && strcasestr(request, "gzip"));
	if (is_packed) {
		pack(&body, &packed);
		if (row->fault == WEB_GZIP_TWICE)
			pack(&body, &packed);
		if (row->fault == WEB_CUT_GZIP)
			packed.used /= 2;
		struct buf swap = body;
		body = packed;
		packed = swap;
	}
	if (row->fault == WEB_RAW) {
		send_all(fd, body.at, body.used);
		end = -1;
	} else {
		write_head(w, row, &body, says_packed, &head);
		end = send_all(fd, head.at, head.used) || send_body(w, fd, row, &body) ? -1 : 0;
	}
	buf_release(&head);
	buf_release(&body);
	buf_release(&packed);
	return end;
}

/* --- receiving */

/* The row that serves a path now, or rows where there is none. */
static size_t choose_row(struct web *w, const char *path, const char *head)
{
	const char *host = strcasestr(head, "\r\nhost: ");
	size_t i;

	pthread_mutex_lock(&w->lock);
	for (i = 0; i < w->rows; i++) {
		const struct web_row *row = &w->row[i];
		if (strcmp(row->path, path) != 0 || (row->times && w->served[i] >= row->times))
			continue;
		if (row->host && (!host || strncasecmp(host + 8, row->host, strlen(row->host)) != 0))
			continue;
		if (row->when && !strstr(head, row->when))
			continue;
		w->served[i]++;
		break;
	}
	pthread_mutex_unlock(&w->lock);
	return i;
}

static void write_down(struct web *w, const char *path, const char *head, unsigned connection)
{
	pthread_mutex_lock(&w->lock);
	w->request = mem_grow(w->request, &w->request_room, w->requests + 1, sizeof *w->request);
	w->request[w->requests++] = (struct web_request){mem_text(path), mem_text(head), clock_ms(), connection};
	pthread_mutex_unlock(&w->lock);
}

static int make_answer(struct web *w, int fd, const char *path)
{
	struct buf head = BUF_EMPTY, body = BUF_EMPTY;
	int status = w->make ? w->make(w->make_ctx, path, &body) : 0;

	if (!status)
		status = 404;
	buf_format(&head, "HTTP/1.1 %d %s\r\nContent-Type: text/html\r\nContent-Length: %zu\r\n\r\n", status, reason(status),
		body.used);
	int end = send_all(fd, head.at, head.used) || send_all(fd, body.at, body.used);
	buf_release(&head);
	buf_release(&body);
	return end ? -1 : 0;
}

/* One request whose head is complete: 0, or -1 to close. */
static int answer(struct connection *c, char *head)
{
	struct web *w = c->web;
	char *target = strchr(head, ' ');
	char *end = target ? strchr(target + 1, ' ') : NULL;
	char path[HEAD_MAX];

	if (!end)
		return -1;
	target++;
	if (strncmp(target, "http://", 7) == 0) { /* as to a proxy */
		char *slash = strchr(target + 7, '/');
		target = slash && slash < end ? slash : target;
	}
	snprintf(path, sizeof path, "%.*s", (int)(end - target), target);
	write_down(w, path, head, c->number);
	size_t row = choose_row(w, path, head);
	return row < w->rows ? answer_row(w, c->fd, &w->row[row], head) : make_answer(w, c->fd, path);
}

static void *serve(void *ctx)
{
	struct connection *c = ctx;
	struct buf in = BUF_EMPTY;

	for (;;) {
		char *end = in.at ? strstr(in.at, "\r\n\r\n") : NULL;
		if (end) {
			size_t n = (size_t)(end + 4 - in.at);
			end[2] = 0;
			if (answer(c, in.at))
				break;
			memmove(in.at, in.at + n, in.used - n);
			in.used -= n;
			buf_end(&in);
			continue;
		}
		if (in.used >= HEAD_MAX)
			break;
		ssize_t got = recv(c->fd, buf_room(&in, 4096), 4096, 0);
		if (got <= 0)
			break;
		in.used += (size_t)got;
		buf_end(&in);
		if (in.at[0] == 0x16) { /* a TLS greeting: this is no such server */
			send_all(c->fd, "HTTP/1.1 400 Sorry\r\n\r\n", 22);
			break;
		}
	}
	buf_release(&in);
	pthread_mutex_lock(&c->web->lock);
	close(c->fd);
	c->fd = -1;
	pthread_mutex_unlock(&c->web->lock);
	return NULL;
}

static void *accept_all(void *ctx)
{
	struct web *w = ctx;

	for (;;) {
		int fd = accept4(w->listener, NULL, NULL, SOCK_CLOEXEC);
		if (fd < 0 && (errno == EINTR || errno == ECONNABORTED))
			continue;
		if (fd < 0)
			return NULL;
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
		pthread_mutex_lock(&w->lock);
		if (w->closing || w->connections == CONNECTIONS_MAX) {
			close(fd);
		} else {
			struct connection *c = mem_zero(1, sizeof *c);
			*c = (struct connection){w, 0, fd, w->connections};
			w->connection[w->connections++] = c;
			assert_int_equal(pthread_create(&c->thread, NULL, serve, c), 0);
		}
		pthread_mutex_unlock(&w->lock);
	}
}

/* --- the whole */

struct web *web_open(const struct web_row *rows, size_t n)
{
	return web_open_at(1, rows, n);
}

struct web *web_open_at(unsigned number, const struct web_row *rows, size_t n)
{
	struct web *w = mem_zero(1, sizeof *w);
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(0x7f000000 + number)};
	socklen_t length = sizeof address;
	pthread_condattr_t monotonic;

	w->row = rows;
	w->rows = n;
	w->served = mem_zero(n, sizeof *w->served);
	pthread_mutex_init(&w->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&w->closes, &monotonic);
	w->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(bind(w->listener, (struct sockaddr *)&address, sizeof address), 0);
	assert_int_equal(listen(w->listener, 512), 0);
	assert_int_equal(getsockname(w->listener, (struct sockaddr *)&address, &length), 0);
	w->port = ntohs(address.sin_port);
	assert_int_equal(pthread_create(&w->thread, NULL, accept_all, w), 0);
	return w;
}

void web_close(struct web *w)
{
	pthread_mutex_lock(&w->lock);
	w->closing = 1;
	for (unsigned i = 0; i < w->connections; i++)
		if (w->connection[i]->fd >= 0)
			shutdown(w->connection[i]->fd, SHUT_RDWR);
	pthread_cond_broadcast(&w->closes);
	pthread_mutex_unlock(&w->lock);
	shutdown(w->listener, SHUT_RDWR);
	pthread_join(w->thread, NULL);
	close(w->listener);
	for (unsigned i = 0; i < w->connections; i++) {
		pthread_join(w->connection[i]->thread, NULL);
		free(w->connection[i]);
	}
	for (size_t i = 0; i < w->requests; i++) {
		free((char *)w->request[i].path);
		free((char *)w->request[i].head);
	}
	free(w->request);
	free(w->served);
	pthread_cond_destroy(&w->closes);
	pthread_mutex_destroy(&w->lock);
	free(w);
}

unsigned web_port(const struct web *w)
{
	return w->port;
}

void web_make(struct web *w, web_maker *make, void *ctx)
{
	w->make = make;
	w->make_ctx = ctx;
}

const struct web_request *web_requests(struct web *w, size_t *n)
{
	pthread_mutex_lock(&w->lock);
	*n = w->requests;
	const struct web_request *request = w->request;
	pthread_mutex_unlock(&w->lock);
	return request;
}

size_t web_count(struct web *w, const char *path)
{
	size_t n = 0;

	pthread_mutex_lock(&w->lock);
	for (size_t i = 0; i < w->requests; i++)
		n += strcmp(w->request[i].path, path) == 0;
	pthread_mutex_unlock(&w->lock);
	return n;
}

unsigned web_connections(struct web *w)
{
	pthread_mutex_lock(&w->lock);
	unsigned n = w->connections;
	pthread_mutex_unlock(&w->lock);
	return n;
}

const char *web_url(const struct web *w, const char *path)
{
	static char text[4][512];
	static int turn;

	turn = (turn + 1) % 4;
	snprintf(text[turn], sizeof text[turn], "http://127.0.0.1:%u%s", w->port, path);
	return text[turn];
}
