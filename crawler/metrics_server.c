#include "crawler/metrics_server.h"
#include "base/mem.h"
#include "base/sandbox.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define CONNECTIONS    16
#define REQUEST_MEMORY 16384 /* of a connection; longer requests are 431 or 414 */
#define IDLE_SECONDS   10

struct metrics_server {
	struct MHD_Daemon *daemon;
	struct metrics *metrics;
};

static enum MHD_Result send_text(
	struct MHD_Connection *c, unsigned status, const char *type, const struct buf *body)
{
	struct MHD_Response *r =
		MHD_create_response_from_buffer(body->used, body->at, MHD_RESPMEM_MUST_COPY);

	if (!r)
		return MHD_NO;
	MHD_add_response_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, type);
	if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
		MHD_add_response_header(r, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
	const enum MHD_Result result = MHD_queue_response(c, status, r);
	MHD_destroy_response(r);
	return result;
}

static enum MHD_Result answer(void *ctx, struct MHD_Connection *c, const char *url,
	const char *method, const char *version, const char *upload, size_t *upload_size,
	void **request)
{
	struct metrics_server *s = ctx;
	struct buf body = BUF_EMPTY;
	const char *type = "text/plain; charset=utf-8";
	unsigned status = MHD_HTTP_OK;

	(void)version;
	(void)upload;
	(void)upload_size;
	(void)request;
	if (strcmp(method, MHD_HTTP_METHOD_GET) != 0 && strcmp(method, MHD_HTTP_METHOD_HEAD) != 0) {
		status = MHD_HTTP_METHOD_NOT_ALLOWED;
		buf_text(&body, "GET it\n");
	} else if (strcmp(url, "/metrics") != 0) {
		status = MHD_HTTP_NOT_FOUND;
		buf_text(&body, "there is /metrics\n");
	} else {
		type = METRICS_TYPE;
		metrics_text(s->metrics, &body);
	}
	const enum MHD_Result result = send_text(c, status, type, &body);
	buf_release(&body);
	return result;
}

struct start {
	struct metrics_server *server;
	struct sockaddr_in address;
	uint16_t port;
	int problem; /* errno */
};

/* Runs on a thread of its own, which confines itself before it starts the server: the server's thread inherits the
 * restrictions, and can write no file at all. The thread of the crawl, which has its files still to open, is not affected. */
static void *start_confined(void *arg)
{
	struct start *start = arg;

	/* without a folder, it can only fail on a kernel without Landlock */
	(void)!sandbox_enter(NULL, 0, NULL);
	errno = 0;
	start->server->daemon = MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_AUTO,
		start->port, NULL, NULL, answer, start->server, MHD_OPTION_SOCK_ADDR,
		&start->address, MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS,
		MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)REQUEST_MEMORY,
		MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS, MHD_OPTION_END);
	start->problem = errno;
	return NULL;
}

int metrics_server_new(
	struct metrics_server **out, struct metrics *m, uint16_t *port, struct err_note *why)
{
	struct metrics_server *s = mem_zero(1, sizeof *s);
	struct start start = {.server = s,
		.port = *port,
		.address = {.sin_family = AF_INET,
			.sin_port = htons(*port),
			.sin_addr.s_addr = htonl(INADDR_LOOPBACK)}};
	pthread_t starter;

	s->metrics = m;
	*out = NULL;
	int problem = pthread_create(&starter, NULL, start_confined, &start);
	if (!problem) {
		pthread_join(starter, NULL);
		problem = start.problem;
	}
	const union MHD_DaemonInfo *bound =
		s->daemon ? MHD_get_daemon_info(s->daemon, MHD_DAEMON_INFO_BIND_PORT) : NULL;
	if (!bound) {
		metrics_server_free(s);
		return err_set(why, ERR_FILE, "--metrics: cannot listen on 127.0.0.1:%u: %s", *port,
			problem ? strerror(problem) : "the web server does not start");
	}
	*port = bound->port;
	*out = s;
	return 0;
}

void metrics_server_free(struct metrics_server *s)
{
	if (s && s->daemon)
		MHD_stop_daemon(s->daemon);
	free(s);
}
