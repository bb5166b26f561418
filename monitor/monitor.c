#include "monitor/monitor.h"
#include "base/ascii.h"
#include "base/mem.h"
#include "base/num.h"
#include "base/sandbox.h"

#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <microhttpd.h>
#include <netdb.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* --- who may ask */

/* Says whether a text is empty, or a colon and a port. */
static int is_port_part(const char *text)
{
	uint64_t port;

	return !*text || (*text == ':' && num_count(text + 1, 65535, &port) == 0);
}

/* Says whether the first n bytes of a text are an IPv4 address of this machine, 127.0.0.0/8, which can be no site's name. */
static int is_own_ipv4(const char *text, size_t n)
{
	char copy[INET_ADDRSTRLEN];
	struct in_addr address;

	if (n >= sizeof copy)
		return 0;
	memcpy(copy, text, n);
	copy[n] = '\0';
	return inet_pton(AF_INET, copy, &address) == 1 && ntohl(address.s_addr) >> 24 == 127;
}

int monitor_is_own_host(const char *host)
{
	static const char *const names[] = {"localhost", "[::1]"};
	const size_t length = host ? strcspn(host, ":") : 0;

	if (host && is_own_ipv4(host, length))
		return is_port_part(host + length);
	for (size_t i = 0; host && i < sizeof names / sizeof *names; i++) {
		const size_t n = strlen(names[i]);
		if (ascii_same(host, names[i], n) && is_port_part(host + n))
			return 1;
	}
	return 0;
}

int monitor_is_own_origin(const char *origin, const char *host)
{
	static const char scheme[] = "http://";

	if (!origin)
		return 1;
	return host && ascii_same(origin, scheme, sizeof scheme - 1) && ascii_order(origin + sizeof scheme - 1, host) == 0;
}

int monitor_has_token(const char *authorization, const char *token)
{
	static const char bearer[] = "Bearer ";
	unsigned differs = 0;

	if (!authorization || !ascii_same(authorization, bearer, sizeof bearer - 1))
		return 0;
	const char *given = authorization + sizeof bearer - 1;
	const size_t n = strlen(given), wanted = strlen(token);
	for (size_t i = 0; i < n; i++)
		differs |= (unsigned)(given[i] ^ token[i < wanted ? i : 0]);
	return n == wanted && !differs;
}

#define CONNECTIONS    32
#define REQUEST_MEMORY 16384 /* of a connection; longer heads are 431 or 414 */
#define BODY_MAX       65536 /* of a command; longer ones are 413 */
#define IDLE_SECONDS   10
#define ASKED_SECONDS \
	120 /* of a connection that has asked the crawl something: for longer than an answer may take (control_ask()) */
#define STACK (1u << 20)

static const unsigned char page_html[] = {
#include "monitor/page/page.html.inc"
};
static const unsigned char page_css[] = {
#include "monitor/page/page.css.inc"
};
static const unsigned char page_js[] = {
#include "monitor/page/page.js.inc"
};

struct monitor {
	struct MHD_Daemon *daemon;
	struct monitor_settings set; /* token: a copy */
	char url[128];
	atomic_uint under_way; /* requests that have begun and are not answered */
};

/* --- answers */

struct answer {
	unsigned status;
	const char *type, *allow; /* allow: the methods of a 405, or NULL */
	struct buf body;
};

static enum MHD_Result send_answer(struct MHD_Connection *c, const struct answer *a)
{
	static const char *const headers[][2] =
		{{"Content-Security-Policy",
			 "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
			 "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
			{"X-Content-Type-Options", "nosniff"}, {"Referrer-Policy", "no-referrer"},
			{"Cross-Origin-Resource-Policy", "same-origin"}, {"Cache-Control", "no-store"}};
	char none[1] = {0};
	struct MHD_Response *r =
		MHD_create_response_from_buffer(a->body.used, a->body.used ? a->body.at : none, MHD_RESPMEM_MUST_COPY);

	if (!r)
		return MHD_NO;
	MHD_add_response_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, a->type);
	for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
		MHD_add_response_header(r, headers[i][0], headers[i][1]);
	if (a->allow)
		MHD_add_response_header(r, MHD_HTTP_HEADER_ALLOW, a->allow);
	if (a->status == MHD_HTTP_UNAUTHORIZED)
		MHD_add_response_header(r, MHD_HTTP_HEADER_WWW_AUTHENTICATE, "Bearer");
	const enum MHD_Result result = MHD_queue_response(c, a->status, r);
	MHD_destroy_response(r);
	return result;
}

static void put_text(struct answer *a, unsigned status, const char *text)
{
	a->status = status;
	buf_clear(&a->body);
	buf_text(&a->body, text);
}

/* Takes over the object. */
static void put_json(struct answer *a, unsigned status, json_t *object)
{
	AUTO_FREE char *text = json_dumps(object, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(12));

	json_decref(object);
	a->type = "application/json";
	put_text(a, text ? status : MHD_HTTP_INTERNAL_SERVER_ERROR, text ? text : "{}");
	buf_byte(&a->body, '\n');
}

static void put_error(struct answer *a, unsigned status, const char *text)
{
	json_t *object = json_object();
	json_t *value = json_string(text);

	json_object_set_new(object, "error", value ? value : json_string("failed"));
	put_json(a, status, object);
}

static unsigned status_of(int err)
{
	switch (err) {
	case ERR_USAGE:
		return MHD_HTTP_BAD_REQUEST;
	case ERR_NOTHING:
		return MHD_HTTP_NOT_FOUND;
	case ERR_BUSY:
		return MHD_HTTP_SERVICE_UNAVAILABLE;
	default:
		return MHD_HTTP_INTERNAL_SERVER_ERROR;
	}
}

/* --- the interface */

static void list_verbs(struct answer *a)
{
	json_t *all = json_array(), *object = json_object();

	for (const struct control_verb *v = control_verbs; v->name; v++) {
		json_t *verb = json_object(), *args = json_object();
		json_object_set_new(verb, "verb", json_string(v->name));
		json_object_set_new(verb, "method", json_string(v->kind == CONTROL_READING ? "GET" : "POST"));
		json_object_set_new(verb, "summary", json_string(v->summary));
		for (size_t i = 0; i < CONTROL_ARGUMENTS && v->argument[i].name; i++)
			json_object_set_new(args, v->argument[i].name, json_string(v->argument[i].help));
		json_object_set_new(verb, "arguments", args);
		json_array_append_new(all, verb);
	}
	json_object_set_new(object, "verbs", all);
	put_json(a, MHD_HTTP_OK, object);
}

static enum MHD_Result add_argument(void *ctx, enum MHD_ValueKind kind, const char *name, const char *value)
{
	json_t *text = json_string(value ? value : "");

	(void)kind;
	/* a value that is not UTF-8 becomes null, which every verb refuses */
	json_object_set_new(ctx, name, text ? text : json_null());
	return MHD_YES;
}

static void ask(struct monitor *m, struct MHD_Connection *c, const char *verb, const json_t *args, struct answer *a)
{
	struct err_note why = {""};
	json_t *out;

	MHD_set_connection_option(c, MHD_CONNECTION_OPTION_TIMEOUT, (unsigned)ASKED_SECONDS);
	const int err = control_ask(m->set.control, verb, args, &out, &why);

	if (err)
		put_error(a, status_of(err), why.text);
	else
		put_json(a, MHD_HTTP_OK, out);
}

static const char *header(struct MHD_Connection *c, const char *name)
{
	return MHD_lookup_connection_value(c, MHD_HEADER_KIND, name);
}

static int is_json(const char *type)
{
	static const char json[] = "application/json";
	const size_t n = sizeof json - 1;

	return type && ascii_same(type, json, n) && (!type[n] || type[n] == ';' || type[n] == ' ');
}

/* Answers a command, after its body has arrived. */
static void command(struct monitor *m, struct MHD_Connection *c, const char *verb, const struct buf *body, struct answer *a)
{
	json_error_t problem;

	if (!monitor_is_own_origin(header(c, "Origin"), header(c, "Host"))) {
		put_error(a, MHD_HTTP_FORBIDDEN, "a page of another site may not command a crawl");
	} else if (!is_json(header(c, "Content-Type"))) {
		put_error(a, MHD_HTTP_UNSUPPORTED_MEDIA_TYPE, "a command is JSON: send Content-Type: application/json");
	} else if (body->used > BODY_MAX) {
		put_error(a, MHD_HTTP_CONTENT_TOO_LARGE, "a command has at most 65536 bytes");
	} else {
		json_t *args = body->used ? json_loadb(body->at, body->used, JSON_REJECT_DUPLICATES, &problem) : json_object();
		if (json_is_object(args))
			ask(m, c, verb, args, a);
		else
			put_error(a, MHD_HTTP_BAD_REQUEST, args ? "a command is a JSON object" : problem.text);
		json_decref(args);
	}
}

/* Answers a request to /api: the list of verbs, a reading or a command. */
static void interface(struct monitor *m, struct MHD_Connection *c, const char *path, const char *method, const struct buf *body,
	struct answer *a)
{
	const int is_post = strcmp(method, MHD_HTTP_METHOD_POST) == 0;
	struct err_note why = {""};

	if (!*path || strcmp(path, "/") == 0) {
		list_verbs(a);
		return;
	}
	const struct control_verb *v = *path == '/' ? control_verb_named(path + 1, &why) : NULL;
	if (!v) {
		put_error(a, MHD_HTTP_NOT_FOUND, *why.text ? why.text : "there is /api/VERB");
	} else if (is_post != (v->kind == CONTROL_COMMAND)) {
		a->allow = is_post ? "GET, HEAD" : "POST";
		put_error(a, MHD_HTTP_METHOD_NOT_ALLOWED, is_post ? "a reading is asked for by GET" : "a command is sent by POST");
	} else if (is_post) {
		command(m, c, v->name, body, a);
	} else {
		json_t *args = json_object();
		MHD_get_connection_values(c, MHD_GET_ARGUMENT_KIND, add_argument, args);
		ask(m, c, v->name, args, a);
		json_decref(args);
	}
}

/* --- files, metrics, and who may ask */

static int put_file(const char *path, struct answer *a)
{
	const struct {
		const char *path, *type;
		const unsigned char *at;
		size_t n;
	} files[] = {{"/", "text/html; charset=utf-8", page_html, sizeof page_html},
		{"/page.css", "text/css; charset=utf-8", page_css, sizeof page_css},
		{"/page.js", "text/javascript; charset=utf-8", page_js, sizeof page_js}};

	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		if (strcmp(files[i].path, path) != 0)
			continue;
		a->type = files[i].type;
		buf_add(&a->body, (const char *)files[i].at, files[i].n);
		return 1;
	}
	return 0;
}

/* Says whether the request may see anything; if not, *a says why. */
static int may_ask(const struct monitor *m, struct MHD_Connection *c, struct answer *a)
{
	const struct monitor_settings *s = &m->set;

	if (s->token && !monitor_has_token(header(c, "Authorization"), s->token)) {
		put_error(a, MHD_HTTP_UNAUTHORIZED, "send the token: Authorization: Bearer TOKEN");
		return 0;
	}
	if (!s->token && !monitor_is_own_host(header(c, "Host"))) {
		put_error(a, MHD_HTTP_FORBIDDEN,
			"this is asked under localhost or an address of this machine, and under no other name");
		return 0;
	}
	return 1;
}

/* Answers a request: a file of the monitor's page, a request to /api, or the metrics. Only the files are served without the
 * token. */
static void answer_request(struct monitor *m, struct MHD_Connection *c, const char *path, const char *method,
	const struct buf *body, struct answer *a)
{
	const int is_get = strcmp(method, MHD_HTTP_METHOD_GET) == 0 || strcmp(method, MHD_HTTP_METHOD_HEAD) == 0;
	const int is_api = m->set.control && strncmp(path, "/api", 4) == 0 && (!path[4] || path[4] == '/');

	if (!is_get && !(is_api && strcmp(method, MHD_HTTP_METHOD_POST) == 0)) {
		a->allow = is_api ? "GET, HEAD, POST" : "GET, HEAD";
		put_text(a, MHD_HTTP_METHOD_NOT_ALLOWED, "GET it\n");
	} else if (m->set.control && !is_api && put_file(path, a)) {
		return;
	} else if (!may_ask(m, c, a)) {
		return;
	} else if (is_api) {
		interface(m, c, path + 4, method, body, a);
	} else if (m->set.metrics && strcmp(path, "/metrics") == 0) {
		a->type = METRICS_TYPE;
		metrics_text(m->set.metrics, &a->body);
	} else {
		put_text(a, MHD_HTTP_NOT_FOUND, m->set.control ? "there are /, /api and /metrics\n" : "there is /metrics\n");
	}
}

/* The callback of libmicrohttpd for a request. It is called several times: first with the head, then with parts of the body, and at
 * last to answer. */
static enum MHD_Result handle(void *ctx, struct MHD_Connection *c, const char *url, const char *method, const char *version,
	const char *upload, size_t *upload_size, void **request)
{
	struct answer a = {.status = MHD_HTTP_OK, .type = "text/plain; charset=utf-8"};
	struct buf *body = *request;

	(void)version;
	if (!body) {
		*request = mem_zero(1, sizeof *body);
		atomic_fetch_add(&((struct monitor *)ctx)->under_way, 1);
		return MHD_YES;
	}
	if (*upload_size) {
		/* a body that is too long is read to its end, and not kept */
		if (body->used <= BODY_MAX)
			buf_add(body, upload, *upload_size);
		*upload_size = 0;
		return MHD_YES;
	}
	answer_request(ctx, c, url, method, body, &a);
	const enum MHD_Result result = send_answer(c, &a);
	buf_release(&a.body);
	return result;
}

static void forget(void *ctx, struct MHD_Connection *c, void **request, enum MHD_RequestTerminationCode how)
{
	struct buf *body = *request;

	(void)c;
	(void)how;
	if (!body)
		return;
	buf_release(body);
	free(body);
	*request = NULL;
	atomic_fetch_sub(&((struct monitor *)ctx)->under_way, 1);
}

/* --- where it listens */

struct listener {
	union {
		struct sockaddr any;
		struct sockaddr_in v4;
		struct sockaddr_in6 v6;
	} address;
	uint16_t port;
};

/* Reads PORT, ADDRESS:PORT or [ADDRESS]:PORT; without an address, 127.0.0.1. Returns 0 or ERR_USAGE. */
static int read_listener(const char *at, struct listener *out, struct err_note *why)
{
	const char *colon = strrchr(at, ':');
	const struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV};
	const int is_bracketed = colon && *at == '[' && colon > at && colon[-1] == ']';
	struct addrinfo *found = NULL;
	char *end = NULL;
	const char *port = colon ? colon + 1 : at;
	const unsigned long number = *port >= '0' && *port <= '9' ? strtoul(port, &end, 10) : 65536;
	char *host = !colon ? mem_text("127.0.0.1") : mem_part(at + is_bracketed, (size_t)(colon - at) - 2 * (size_t)is_bracketed);
	int failed = number > 65535 || *end;

	if (!failed)
		failed = getaddrinfo(host, port, &hints, &found) != 0 || found->ai_addrlen > sizeof out->address;
	free(host);
	*out = (struct listener){.port = (uint16_t)number};
	if (!failed)
		memcpy(&out->address, found->ai_addr, found->ai_addrlen);
	if (found)
		freeaddrinfo(found);
	return failed ? err_set(why, ERR_USAGE,
				"'%s' is no port, and no address with a port; 8080, 127.0.0.1:8080 and [::1]:8080 are", at)
		      : 0;
}

struct start {
	struct monitor *monitor;
	struct listener listener;
	int problem; /* errno */
};

/* Runs on a thread of its own, which confines itself before it starts the server: the server's threads inherit the
 * restrictions, and can write no file at all. The thread of the crawl, which has its files still to open, is not affected. */
static void *start_confined(void *arg)
{
	struct start *start = arg;
	const unsigned v6 = start->listener.address.any.sa_family == AF_INET6 ? MHD_USE_IPv6 : 0;

	/* without a folder, it can only fail on a kernel without Landlock */
	(void)!sandbox_enter(&(struct sandbox){.n = 0}, NULL);
	errno = 0;
	start->monitor->daemon = MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL |
			v6,
		start->listener.port, NULL, NULL, handle, start->monitor, MHD_OPTION_SOCK_ADDR, &start->listener.address.any,
		MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)REQUEST_MEMORY,
		MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)IDLE_SECONDS, MHD_OPTION_THREAD_STACK_SIZE, (size_t)STACK,
		MHD_OPTION_NOTIFY_COMPLETED, forget, start->monitor, MHD_OPTION_END);
	start->problem = errno;
	return NULL;
}

static void write_url(struct monitor *m, const struct listener *listener, uint16_t port)
{
	char text[INET6_ADDRSTRLEN] = "";
	const int is_v4 = listener->address.any.sa_family == AF_INET;

	inet_ntop(listener->address.any.sa_family,
		is_v4 ? (const void *)&listener->address.v4.sin_addr : (const void *)&listener->address.v6.sin6_addr, text,
		sizeof text);
	snprintf(m->url, sizeof m->url, is_v4 ? "http://%s:%u" : "http://[%s]:%u", text, port);
}

int monitor_new(struct monitor **out, const struct monitor_settings *set, struct err_note *why)
{
	struct monitor *m = mem_zero(1, sizeof *m);
	struct start start = {.monitor = m};
	pthread_t starter;
	int err = read_listener(set->at, &start.listener, why);

	*out = NULL;
	assert(set->token || !set->control);
	m->set = *set;
	m->set.token = set->token ? mem_text(set->token) : NULL;
	if (err) {
		monitor_free(m);
		return err;
	}
	int problem = pthread_create(&starter, NULL, start_confined, &start);
	if (!problem) {
		pthread_join(starter, NULL);
		problem = start.problem;
	}
	const union MHD_DaemonInfo *bound = m->daemon ? MHD_get_daemon_info(m->daemon, MHD_DAEMON_INFO_BIND_PORT) : NULL;
	if (!bound) {
		write_url(m, &start.listener, start.listener.port);
		err = err_set(why, ERR_FILE, "%s: cannot listen on %s: %s", set->flag, m->url + strlen("http://"),
			problem ? ascii_error(problem) : "the web server does not start");
		monitor_free(m);
		return err;
	}
	write_url(m, &start.listener, bound->port);
	*out = m;
	return 0;
}

/* Takes no further connection, and gives the requests under way, such as the one that has stopped the crawl, a second to be
 * answered: MHD_stop_daemon() breaks them off. */
static void finish(struct monitor *m)
{
	const struct timespec pause = {.tv_nsec = 5000000};
	const MHD_socket fd = MHD_quiesce_daemon(m->daemon);

	for (unsigned i = 0; i < 200 && atomic_load(&m->under_way); i++)
		nanosleep(&pause, NULL);
	if (fd != MHD_INVALID_SOCKET)
		close(fd);
}

void monitor_free(struct monitor *m)
{
	if (!m)
		return;
	if (m->daemon) {
		finish(m);
		MHD_stop_daemon(m->daemon);
	}
	free((char *)m->set.token);
	free(m);
}

const char *monitor_url(const struct monitor *m)
{
	return m->url;
}
