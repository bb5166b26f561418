/* `lycosa archive serve`: shows the pages of WARC files in a browser, as they were.
 *
 *	/                        a list of the pages
 *	/20261122083015/URL      a page of that time: a bar that says when it was archived, above a frame with the page
 *	/20261122083015/p/URL    what is in the frame, and all that it shows
 *
 * What is in the frame is shown there only; a browser that asks for it alone is led to the page around it.
 *
 * The frame is sandboxed, and what is in it has an origin of its own; both the frame and the page around it have a policy that lets the browser
 * ask nobody but this server, so nothing that an archived script does can leave. A line of script at the head of each page tells the bar
 * where the frame is. */
#include "base/log.h"
#include "base/mem.h"
#include "cli/archive/replay.h"
#include "cli/archive/replay_rewrite.h"
#include "cli/archive/verb_archive.h"
#include "cli/flags/options.h"
#include "parser/mime.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define STAMP     14 /* the digits of a time in a path */
#define LIST_MOST 5000

struct server {
	struct replay *replay;
	unsigned port;
};

/* A request in flight. */
struct asked {
	char *target;
};

/* --- times */

static int64_t time_of(const char *stamp)
{
	char text[STAMP + 1];
	struct tm tm = {0};

	memcpy(text, stamp, STAMP);
	text[STAMP] = 0;
	return strptime(text, "%Y%m%d%H%M%S", &tm) ? (int64_t)timegm(&tm) * 1000 : 0;
}

static void break_down(int64_t ms, struct tm *tm)
{
	const time_t seconds = (time_t)(ms / 1000);

	if (!gmtime_r(&seconds, tm))
		memset(tm, 0, sizeof *tm);
}

/* As in a path. */
static void put_stamp(struct buf *out, int64_t ms)
{
	char text[40] = "";
	struct tm tm;

	break_down(ms, &tm);
	strftime(text, sizeof text, "%Y%m%d%H%M%S", &tm);
	buf_text(out, text);
}

/* For a person. */
static void put_time(struct buf *out, int64_t ms)
{
	char text[40] = "";
	struct tm tm;

	break_down(ms, &tm);
	strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &tm);
	buf_text(out, text);
}

/* --- pages of our own */

static void put_escaped(struct buf *out, const char *text)
{
	for (; *text; text++)
		if (strchr("<>&\"'", *text))
			buf_format(out, "&#%d;", *text);
		else
			buf_byte(out, *text);
}

static void put_link(struct buf *out, const struct replay_capture *c, const char *text)
{
	buf_text(out, "<a href=\"/");
	put_stamp(out, c->time);
	buf_byte(out, '/');
	put_escaped(out, c->url);
	buf_text(out, "\">");
	put_escaped(out, text);
	buf_text(out, "</a>");
}

#define STYLE                                                                                        \
	"<style>body{margin:0;font:14px sans-serif;display:flex;flex-direction:column;height:100vh}" \
	"header{background:#223;color:#fff;padding:6px 10px;white-space:nowrap;overflow:hidden}"     \
	"header a{color:#9cf}iframe{flex:1;border:0;width:100%}main{padding:10px}"                   \
	"td{padding-right:1em;vertical-align:top}</style>"

static int is_page(const struct replay_capture *c)
{
	struct mime mime;

	return c->status / 100 == 2 && !c->is_revisit &&
	       mime_parse(&mime, c->type, strlen(c->type)) == 0 && mime_is_html(&mime);
}

static void put_list(struct server *s, struct buf *out)
{
	const struct replay_capture *c;
	size_t shown = 0;

	buf_text(out, "<!doctype html><meta charset=utf-8><title>Archived pages</title>" STYLE
		      "<header>Archived pages</header><main><table>");
	for (size_t i = 0; (c = replay_at(s->replay, i)) != NULL && shown < LIST_MOST; i++) {
		if (!is_page(c))
			continue;
		buf_text(out, "<tr><td>");
		put_time(out, c->time);
		buf_text(out, "<td>");
		put_link(out, c, c->url);
		buf_byte(out, '\n');
		shown++;
	}
	buf_text(out, "</table>");
	if (c)
		buf_format(out, "<p>These are the first %d; 'lycosa archive list' lists all.",
			LIST_MOST);
	buf_text(out, "</main>");
}

/* The bar above the frame, with the captures of the same URL before and after. */
static void put_bar(struct server *s, const struct replay_capture *c, size_t i, struct buf *out)
{
	const struct replay_capture *before = i ? replay_at(s->replay, i - 1) : NULL,
				    *after = replay_at(s->replay, i + 1);

	buf_text(out, "<header><b>Archived</b> <span id=when>");
	put_time(out, c->time);
	buf_text(out, "</span>: <span id=what>");
	put_escaped(out, c->url);
	buf_text(out, "</span> ");
	if (before && strcmp(before->url, c->url) == 0)
		put_link(out, before, "earlier");
	buf_byte(out, ' ');
	if (after && strcmp(after->url, c->url) == 0)
		put_link(out, after, "later");
	buf_text(out, " <a href=/>all pages</a></header>");
}

/* Follows the frame, which says where it is. */
#define FOLLOW                                                                                            \
	"<script>addEventListener('message',function(e){var f=document.querySelector('iframe'),m=e.data;" \
	"if(e.source!==f.contentWindow||!m||!m.lycosa)return;"                                            \
	"document.getElementById('when').textContent=m.when;"                                             \
	"document.getElementById('what').textContent=m.lycosa;"                                           \
	"history.replaceState(null,'','/'+m.stamp+'/'+m.lycosa)})</script>"

static void put_outside(struct server *s, const struct replay_capture *c, size_t i, struct buf *out)
{
	buf_text(out, "<!doctype html><meta charset=utf-8><title>Archived: ");
	put_escaped(out, c->url);
	buf_text(out, "</title>" STYLE);
	put_bar(s, c, i, out);
	buf_text(out, "<iframe sandbox=\"allow-scripts allow-forms\" src=\"/");
	put_stamp(out, c->time);
	buf_text(out, "/p/");
	put_escaped(out, c->url);
	buf_text(out, "\"></iframe>" FOLLOW);
}

static void put_missing(const char *url, struct buf *out)
{
	buf_text(out,
		"<!doctype html><meta charset=utf-8><title>Not archived</title>" STYLE
		"<header><b>Not archived</b> <a href=/ target=_top>all pages</a></header><main>The archive does not have <code>");
	put_escaped(out, url);
	buf_text(out, "</code>.</main>");
}

/* --- archived pages */

/* Text within a script: nothing can end the string or the script. */
static void put_quoted(struct buf *out, const char *text)
{
	for (; *text; text++)
		if (strchr("\\'\"<>&\r\n", *text))
			buf_format(out, "\\x%02x", (unsigned char)*text);
		else
			buf_byte(out, *text);
}

static void put_telling(const struct replay_capture *c, struct buf *out)
{
	buf_text(out, "<script>parent.postMessage({lycosa:'");
	put_quoted(out, c->url);
	buf_text(out, "',when:'");
	put_time(out, c->time);
	buf_text(out, "',stamp:'");
	put_stamp(out, c->time);
	buf_text(out, "'},'*')</script>");
}

/* The place for a line of script: behind the doctype, without which a browser would show the page in another mode. */
static size_t head_of(const char *bytes, size_t n)
{
	const char *at = bytes, *end = bytes + n, *close;

	while (at < end && strchr(" \t\r\n\xef\xbb\xbf", *at))
		at++;
	if (end - at < 9 || strncasecmp(at, "<!doctype", 9) != 0)
		return 0;
	close = memchr(at, '>', (size_t)(end - at));
	return close ? (size_t)(close + 1 - bytes) : 0;
}

static void put_body(
	const struct replay_capture *c, const char *prefix, const struct buf *body, struct buf *out)
{
	struct url base = URL_EMPTY;
	struct mime mime = {.essence = ""};
	const char *bytes = body->at ? body->at : "";

	(void)!mime_parse(&mime, c->type, strlen(c->type));
	const int has_base = url_parse(&base, c->url, strlen(c->url), NULL) == URL_OK;
	const struct rewrite r = {.prefix = prefix, .base = &base};
	if (has_base && mime_is_html(&mime)) {
		const size_t head = head_of(bytes, body->used);
		buf_add(out, bytes, head);
		put_telling(c, out);
		rewrite_html(&r, bytes + head, body->used - head, *c->type ? c->type : NULL, out);
	} else if (has_base && strcmp(mime.essence, "text/css") == 0) {
		rewrite_css(&r, bytes, body->used, out);
	} else {
		buf_add(out, bytes, body->used);
	}
	url_release(&base);
}

/* --- answering */

static void add_header(struct MHD_Response *response, const char *name, const char *value)
{
	(void)!MHD_add_response_header(response, name, value);
}

/* What a browser may ask for, and of whom, while it shows this. */
static void add_policy(const struct server *s, struct MHD_Response *response, int is_archived)
{
	struct buf text = BUF_EMPTY;
	char origin[40];

	snprintf(origin, sizeof origin, "http://127.0.0.1:%u", s->port);
	if (is_archived)
		buf_format(&text,
			"default-src %s 'unsafe-inline' 'unsafe-eval' data: blob:; form-action %s; base-uri %s; frame-ancestors %s; sandbox allow-scripts allow-forms",
			origin, origin, origin, origin);
	else
		buf_format(&text,
			"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; frame-src %s; base-uri 'none'; form-action 'none'",
			origin);
	add_header(response, "Content-Security-Policy", text.at);
	add_header(response, "Referrer-Policy", "no-referrer");
	add_header(response, "X-Content-Type-Options", "nosniff");
	add_header(response, "Cache-Control", "no-store");
	add_header(response, "X-DNS-Prefetch-Control", "off");
	if (is_archived) /* fonts and the like: the page has an origin of its own */
		add_header(response, "Access-Control-Allow-Origin", "*");
	buf_release(&text);
}

static enum MHD_Result send_text(const struct server *s, struct MHD_Connection *connection,
	unsigned status, const char *type, const char *location, struct buf *body, int is_archived)
{
	const size_t n = body->used;
	struct MHD_Response *response =
		MHD_create_response_from_buffer(n, buf_take(body), MHD_RESPMEM_MUST_FREE);

	if (!response)
		return MHD_NO;
	if (*type)
		add_header(response, "Content-Type", type);
	if (location)
		add_header(response, "Location", location);
	add_policy(s, response, is_archived);
	const enum MHD_Result sent = MHD_queue_response(connection, status, response);
	MHD_destroy_response(response);
	return sent;
}

static enum MHD_Result send_own(const struct server *s, struct MHD_Connection *connection,
	unsigned status, struct buf *body)
{
	return send_text(s, connection, status, "text/html; charset=utf-8", NULL, body, 0);
}

/* Sends what was archived: a page, or what it shows, or a redirect. */
static enum MHD_Result send_archived(
	struct server *s, struct MHD_Connection *connection, const struct replay_capture *c)
{
	struct capture capture = {.time = 0};
	struct buf body = BUF_EMPTY, out = BUF_EMPTY, to = BUF_EMPTY, prefix = BUF_EMPTY;
	struct url base = URL_EMPTY;
	struct err_note why = {""};
	enum MHD_Result sent;

	buf_byte(&prefix, '/');
	put_stamp(&prefix, c->time);
	buf_text(&prefix, "/p/");
	if (replay_read(s->replay, c, &capture, &why)) {
		log_say("%s: %s", c->url, why.text);
		put_missing(c->url, &out);
		sent = send_own(s, connection, MHD_HTTP_NOT_FOUND, &out);
	} else {
		const unsigned status = c->status >= 200 && c->status < 600 ? c->status : 200;
		const struct warc_span location = warc_field(capture_head(&capture), "Location");
		if (status / 100 == 3 && location.n &&
			url_parse(&base, c->url, strlen(c->url), NULL) == URL_OK)
			rewrite_reference(
				&(struct rewrite){.prefix = prefix.at, .base = &base}, location.at, location.n, &to);
		struct replay_capture as = *c;
		const struct warc_span type = capture_type(&capture);
		as.type = mem_part(type.at ? type.at : "", type.n); /* with its charset */
		if (capture_decode(&capture, &body))
			log_say("%s is compressed in a way that is not known here, and sent as it is",
				c->url);
		put_body(&as, prefix.at, &body, &out);
		sent = send_text(s, connection, status == 304 ? 200 : status, as.type,
			to.used ? to.at : NULL, &out, 1);
		free(as.type);
	}
	capture_release(&capture);
	buf_release(&body);
	buf_release(&out);
	buf_release(&to);
	buf_release(&prefix);
	url_release(&base);
	return sent;
}

/* Says whether a browser wants to show an answer alone, and not in the frame; a script could then lead it elsewhere. */
static int is_alone(struct MHD_Connection *connection)
{
	const char *what =
		MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Sec-Fetch-Dest");

	return what && strcmp(what, "document") == 0;
}

/* Leads from what is in the frame to the page around it. */
static enum MHD_Result send_around(const struct server *s, struct MHD_Connection *connection,
	const char *stamp, const char *url)
{
	struct buf to = BUF_EMPTY, none = BUF_EMPTY;

	buf_format(&to, "%.*s%s", STAMP + 2, stamp, url);
	const enum MHD_Result sent = send_text(s, connection, MHD_HTTP_FOUND, "", to.at, &none, 0);
	buf_release(&to);
	return sent;
}

static enum MHD_Result answer_page(
	struct server *s, struct MHD_Connection *connection, const char *target)
{
	const int is_inside = strncmp(target + STAMP + 2, "p/", 2) == 0;
	const char *url = target + STAMP + 2 + (is_inside ? 2 : 0);
	struct buf out = BUF_EMPTY;
	size_t i;

	const struct replay_capture *c =
		replay_find(s->replay, url, strlen(url), time_of(target + 1), &i);
	if (is_inside && is_alone(connection))
		return send_around(s, connection, target, url);
	if (c && is_inside)
		return send_archived(s, connection, c);
	if (c)
		put_outside(s, c, i, &out);
	else
		put_missing(url, &out);
	return send_own(s, connection, c ? MHD_HTTP_OK : MHD_HTTP_NOT_FOUND, &out);
}

static enum MHD_Result answer(void *ctx, struct MHD_Connection *connection, const char *url,
	const char *method, const char *version, const char *data, size_t *n, void **state)
{
	struct server *s = ctx;
	const struct asked *a = *state;
	struct buf out = BUF_EMPTY;

	(void)url, (void)version, (void)data;
	*n = 0;
	if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
		return send_own(s, connection, MHD_HTTP_METHOD_NOT_ALLOWED, &out);
	if (strcmp(a->target, "/") == 0) {
		put_list(s, &out);
		return send_own(s, connection, MHD_HTTP_OK, &out);
	}
	if (strspn(a->target + 1, "0123456789") == STAMP && a->target[STAMP + 1] == '/')
		return answer_page(s, connection, a->target);
	put_missing(a->target, &out);
	return send_own(s, connection, MHD_HTTP_NOT_FOUND, &out);
}

/* The target is kept as it was sent: the server unescapes what it passes on. */
static void *begin(void *ctx, const char *target, struct MHD_Connection *connection)
{
	struct asked *a = mem_new(1, sizeof *a);

	(void)ctx, (void)connection;
	a->target = mem_text(target);
	return a;
}

static void end(void *ctx, struct MHD_Connection *connection, void **state,
	enum MHD_RequestTerminationCode how)
{
	struct asked *a = *state;

	(void)ctx, (void)connection, (void)how;
	if (a)
		free(a->target);
	free(a);
	*state = NULL;
}

static int serve_until_told(
	struct server *s, uint16_t port, const sigset_t *signals, struct err_note *why)
{
	const struct sockaddr_in address = {.sin_family = AF_INET,
		.sin_port = htons(port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int number;

	errno = 0;
	struct MHD_Daemon *daemon =
		MHD_start_daemon(MHD_USE_POLL_INTERNAL_THREAD | MHD_USE_ITC, port, NULL, NULL,
			answer, s, MHD_OPTION_SOCK_ADDR, &address, MHD_OPTION_URI_LOG_CALLBACK,
			begin, s, MHD_OPTION_NOTIFY_COMPLETED, end, s, MHD_OPTION_END);
	const union MHD_DaemonInfo *bound =
		daemon ? MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT) : NULL;
	if (!bound)
		return err_set(why, ERR_FILE, "cannot listen on 127.0.0.1:%u: %s", port,
			errno ? strerror(errno) : "the web server does not start");
	s->port = bound->port;
	printf("listening on 127.0.0.1:%u\n", s->port);
	fflush(stdout);
	sigwait(signals, &number);
	MHD_stop_daemon(daemon);
	return 0;
}

int archive_serve(const struct command *c, struct err_note *why)
{
	const struct archive_options *o = c->options;
	struct server s = {.replay = NULL};
	sigset_t signals;

	int err = replay_open(&s.replay, c->flags->operand, c->flags->operands, why);
	if (err)
		return err;
	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
	signal(SIGINT,
		SIG_DFL); /* a background job ignores it, and what is ignored is never waited for */
	err = serve_until_told(&s, (uint16_t)o->port, &signals, why);
	replay_close(s.replay);
	return err;
}
