/* `lycosa archive serve`: shows the pages of WARC files in a browser, as they were.
 *
 *	/                        a list of the pages
 *	/20261122083015/URL      a page of that time: a bar that says when it was archived, above a frame with the page
 *	/20261122083015/pKEY/URL what is in the frame, and all that it shows
 *	/20261122083015/fKEY/URL the same, in a frame within an archived page
 *
 * The list and the page around a page are at 127.0.0.1, what is archived at NAME.localhost, which browsers take for this machine
 * without asking anybody (RFC 6761); in a browser that does not, the outer page loads the frame from 127.0.0.1, too. NAME and KEY
 * are drawn at each start.
 *
 * An archived page has a sandbox's origin, which no policy can name. So what is archived may be asked for by any origin, and the
 * frames within a page may have any ancestor; but only the page around a page and archived pages are told the name and the key, so
 * that no other site that the browser shows can ask for them. A path without a time is one that an archived script has made, such
 * as /x.png; it belongs to the site of the page that was sent last. A browser does not tell which page asks for it, but the name
 * does: other sites do not know it, and at 127.0.0.1 such a path leads nowhere. So no other site learns what the archive has: it
 * can neither load nor frame nor open a path and see whether the archive has it.
 *
 * What is in the frame is shown there only; a browser that asks for it alone is led to the page around it.
 *
 * The frame is sandboxed, and what is in it has an origin of its own; both the frame and the page around it have a policy that lets
 * the browser ask nobody but this server, so nothing that an archived script does can leave. A line of script at the head of each
 * page tells the bar where the frame is. */
#include "base/ascii.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "cli/archive/archive_rewrite.h"
#include "cli/archive/archive.h"
#include "monitor/monitor.h"
#include "parser/mime.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define SERVE_STAMP 14 /* the digits of a time in a path: 20261122083015 */

struct server {
	struct replay *replay;
	unsigned port;
	char key[20], name[20];       /* name: NAME and a dot */
	char origin[60], outside[40]; /* http://NAME.localhost:PORT, http://127.0.0.1:PORT */
	struct buf list;              /* the list of pages */
	struct buf last;              /* the path of the archived page that was sent last; one thread answers */
};

#define LIST_MOST 5000

/* --- times */

/* Returns the time of such digits in ms since 1970; 0 if they are none of a time. */
static int64_t serve_time(const char *stamp)
{
	char text[SERVE_STAMP + 1];
	struct tm tm = {0};

	memcpy(text, stamp, SERVE_STAMP);
	text[SERVE_STAMP] = 0;
	return strptime(text, "%Y%m%d%H%M%S", &tm) ? (int64_t)timegm(&tm) * 1000 : 0;
}

/* Writes a time as it stands in a path. */
static void serve_put_stamp(struct buf *out, int64_t ms)
{
	const struct tm tm = clock_utc(ms);
	char text[40];

	strftime(text, sizeof text, "%Y%m%d%H%M%S", &tm);
	buf_text(out, text);
}

/* Writes a time for a person. */
static void put_time(struct buf *out, int64_t ms)
{
	const struct tm tm = clock_utc(ms);
	char text[40];

	strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S UTC", &tm);
	buf_text(out, text);
}

/* --- the pages that are not archived: the list of pages, the bar around an archived page, and what is said of a page that is not
 * there. Each function appends a document, or a part of one. */

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
	serve_put_stamp(out, c->time);
	buf_byte(out, '/');
	put_escaped(out, c->url);
	buf_text(out, "\">");
	put_escaped(out, text);
	buf_text(out, "</a>");
}

#define STYLE \
	"<style>body{margin:0;font:14px sans-serif;display:flex;flex-direction:column;height:100vh}" \
	"header{background:#223;color:#fff;padding:6px 10px;white-space:nowrap;overflow:hidden}" \
	"header a{color:#9cf}iframe{flex:1;border:0;width:100%}main{padding:10px}" \
	"td{padding-right:1em;vertical-align:top}</style>"

/* Says whether a capture is an HTML page, or repeats one of another URL. */
static int is_page(const struct replay *r, const struct replay_capture *c)
{
	const struct replay_capture *body = replay_with_body(r, c);
	struct mime mime;

	return c->status / 100 == 2 && body && (body == c || strcmp(body->url, c->url) != 0) &&
		mime_parse(&mime, body->type, strlen(body->type)) == 0 && mime_is_html(&mime);
}

/* Writes the list of all HTML pages, with links to them. */
static void serve_put_list(const struct replay *r, struct buf *out)
{
	const struct replay_capture *c;
	size_t shown = 0, first = 0;

	buf_text(out,
		"<!doctype html><meta charset=utf-8><title>Archived pages</title>" STYLE
		"<header>Archived pages</header><main><table>");
	for (size_t i = 0; (c = replay_at(r, i)) != NULL && shown < LIST_MOST; i++) {
		first = i + 1;
		if (!is_page(r, c))
			continue;
		buf_text(out, "<tr><td>");
		put_time(out, c->time);
		buf_text(out, "<td>");
		put_link(out, c, c->url);
		buf_byte(out, '\n');
		shown++;
	}
	buf_text(out, "</table>");
	if (c || first == REPLAY_FIRST)
		buf_format(out, "<p>These are the first %zu; 'lycosa archive list' lists all.", shown);
	buf_text(out, "</main>");
}

/* Writes the bar above the frame, with links to the captures of the same URL before and after this one. */
static void put_bar(const struct replay *r, const struct replay_capture *c, size_t i, struct buf *out)
{
	const struct replay_capture *before = i ? replay_at(r, i - 1) : NULL, *after = replay_at(r, i + 1);

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
#define FOLLOW \
	"addEventListener('message',function(e){var f=document.querySelector('iframe'),m=e.data;" \
	"if(e.source!==f.contentWindow||!m||!m.lycosa)return;" \
	"document.getElementById('when').textContent=m.when;" \
	"document.getElementById('what').textContent=m.lycosa;" \
	"history.replaceState(null,'','/'+m.stamp+'/'+m.lycosa)});"

/* Writes a script that asks the origin of archived pages for a page that no archive has, and shows the frame from there if there is
 * an answer, else from the other origin. The frame is empty before: otherwise a late error page of the browser
 * could replace the archived page. */
static void put_show(const struct server *s, struct buf *out)
{
	buf_format(out,
		"(function(o,p){var f=document.querySelector('iframe'),show=function(o){f.src=o+f.dataset.path};"
		"fetch(o+p).then(function(){show(o)},function(){show('%s')})})('%s','/%0*d/p%s/')",
		s->outside, s->origin, SERVE_STAMP, 0, s->key);
}

/* Writes the page around capture i, with its bar and a frame for it. */
static void serve_put_outside(const struct server *s, const struct replay_capture *c, size_t i, struct buf *out)
{
	buf_text(out, "<!doctype html><meta charset=utf-8><title>Archived: ");
	put_escaped(out, c->url);
	buf_text(out, "</title>" STYLE);
	put_bar(s->replay, c, i, out);
	buf_text(out, "<iframe sandbox=\"allow-scripts allow-forms\" data-path=\"/");
	serve_put_stamp(out, c->time);
	buf_format(out, "/p%s/", s->key);
	put_escaped(out, c->url);
	buf_text(out, "\"></iframe><script>" FOLLOW);
	put_show(s, out);
	buf_text(out, "</script>");
}

/* Says that the archive does not have a URL. */
static void serve_put_missing(const char *url, struct buf *out)
{
	buf_text(out,
		"<!doctype html><meta charset=utf-8><title>Not archived</title>" STYLE
		"<header><b>Not archived</b> <a href=/ target=_top>all pages</a></header><main>The archive does not have <code>");
	put_escaped(out, url);
	buf_text(out, "</code>.</main>");
}

/* Writes a text within a script, in which it can end neither the string nor the script. */
static void put_quoted(struct buf *out, const char *text)
{
	for (; *text; text++)
		if (strchr("\\'\"<>&\r\n", *text))
			buf_format(out, "\\x%02x", (unsigned char)*text);
		else
			buf_byte(out, *text);
}

/* Writes the line of script at the head of an archived page that tells the bar where the frame is. */
static void serve_put_telling(const struct replay_capture *c, struct buf *out)
{
	buf_text(out, "<script>parent.postMessage({lycosa:'");
	put_quoted(out, c->url);
	buf_text(out, "',when:'");
	put_time(out, c->time);
	buf_text(out, "',stamp:'");
	serve_put_stamp(out, c->time);
	buf_text(out, "'},'*')</script>");
}

/* --- archived pages */

/* Returns the offset at which a line of script can be inserted: after the doctype, since a document that does not begin with its
 * doctype is shown in quirks mode. */
static size_t head_of(const char *bytes, size_t n)
{
	const char *at = bytes, *end = bytes + n, *close;

	while (at < end && strchr(" \t\r\n\xef\xbb\xbf", *at))
		at++;
	if (end - at < 9 || !ascii_same(at, "<!doctype", 9))
		return 0;
	close = memchr(at, '>', (size_t)(end - at));
	return close ? (size_t)(close + 1 - bytes) : 0;
}

/* Appends the body of a capture, rewritten unless `r` is NULL. Returns 1 if it is a document. */
static int put_body(const struct replay_capture *c, const struct rewrite *r, const struct buf *body, struct buf *out)
{
	struct mime mime = {.essence = ""};
	const char *bytes = body->at ? body->at : "";

	(void)!mime_parse(&mime, c->type, strlen(c->type));
	const int is_html = mime_is_html(&mime);
	if (r && is_html) {
		const size_t head = head_of(bytes, body->used);
		buf_add(out, bytes, head);
		serve_put_telling(c, out);
		rewrite_html(r, bytes + head, body->used - head, *c->type ? c->type : NULL, out);
	} else if (r && strcmp(mime.essence, "text/css") == 0) {
		rewrite_css(r, bytes, body->used, out);
	} else {
		buf_add(out, bytes, body->used);
	}
	return is_html;
}

/* --- answering */

static void add_header(struct MHD_Response *response, const char *name, const char *value)
{
	(void)!MHD_add_response_header(response, name, value);
}

/* What is sent: a page of our own; what was archived; the same to a frame within an archived page; or an answer of our own in the
 * place of what was archived. */
enum sent { SENT_OWN, SENT_ARCHIVED, SENT_WITHIN, SENT_INSTEAD };

static int is_own(enum sent sent)
{
	return sent == SENT_OWN || sent == SENT_INSTEAD;
}

/* Adds the security headers: an archived page may load and send to this server only, and runs in a sandbox; the page around it
 * may run its own script and show frames of this server. */
static void add_policy(const struct server *s, struct MHD_Response *response, enum sent sent)
{
	struct buf text = BUF_EMPTY;

	if (!is_own(sent))
		buf_format(&text,
			"default-src %s %s 'unsafe-inline' 'unsafe-eval' data: blob:; form-action %s %s; base-uri %s %s; sandbox allow-scripts allow-forms",
			s->origin, s->outside, s->origin, s->outside, s->origin, s->outside);
	else
		buf_format(&text,
			"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; frame-src %s %s; connect-src %s; base-uri 'none'; form-action 'none'",
			s->origin, s->outside, s->origin);
	if (sent == SENT_ARCHIVED)
		buf_format(&text, "; frame-ancestors %s http://localhost:%u", s->outside, s->port);
	if (sent == SENT_OWN) { /* for other sites there is nothing to load, to frame or to look at */
		buf_text(&text, "; frame-ancestors 'none'");
		add_header(response, "Cross-Origin-Resource-Policy", "same-origin");
		add_header(response, "Cross-Origin-Opener-Policy", "same-origin");
	}
	add_header(response, "Content-Security-Policy", text.at);
	add_header(response, "Referrer-Policy", "no-referrer");
	if (is_own(sent))
		add_header(response, "X-Content-Type-Options", "nosniff");
	add_header(response, "Cache-Control", "no-store");
	add_header(response, "X-DNS-Prefetch-Control", "off");
	if (sent != SENT_OWN) /* fonts and the like: the page has an origin of its own */
		add_header(response, "Access-Control-Allow-Origin", "*");
	buf_release(&text);
}

static enum MHD_Result send_text(const struct server *s, struct MHD_Connection *connection, unsigned status, const char *type,
	const char *location, struct buf *body, enum sent as)
{
	const size_t n = body->used;
	struct MHD_Response *response = MHD_create_response_from_buffer(n, buf_take(body), MHD_RESPMEM_MUST_FREE);

	if (!response)
		return MHD_NO;
	if (*type)
		add_header(response, "Content-Type", type);
	if (location)
		add_header(response, "Location", location);
	add_policy(s, response, as);
	const enum MHD_Result sent = MHD_queue_response(connection, status, response);
	MHD_destroy_response(response);
	return sent;
}

static enum MHD_Result send_own(const struct server *s, struct MHD_Connection *connection, unsigned status, struct buf *body)
{
	return send_text(s, connection, status, "text/html; charset=utf-8", NULL, body, SENT_OWN);
}

/* Says that the archive does not have a URL. */
static enum MHD_Result send_missing(const struct server *s, struct MHD_Connection *connection, const char *url, enum sent as)
{
	struct buf body = BUF_EMPTY;

	serve_put_missing(url, &body);
	return send_text(s, connection, MHD_HTTP_NOT_FOUND, "text/html; charset=utf-8", NULL, &body, as);
}

/* Sends what was archived: a page, or what it shows, or a redirect. */
static enum MHD_Result send_archived(struct server *s, struct MHD_Connection *connection, const struct replay_capture *c,
	enum sent how)
{
	struct capture capture = {.time = 0};
	struct buf body = BUF_EMPTY, out = BUF_EMPTY, to = BUF_EMPTY, prefix = BUF_EMPTY;
	struct url base = URL_EMPTY;
	struct err_note why = {""};
	enum MHD_Result sent;

	buf_byte(&prefix, '/');
	serve_put_stamp(&prefix, c->time);
	struct buf frame = buf_of("%s/f%s/", prefix.at, s->key);
	buf_format(&prefix, "/p%s/", s->key);
	const struct rewrite within = {.prefix = how == SENT_WITHIN ? frame.at : prefix.at, .frame = frame.at, .base = &base};
	if (replay_read(s->replay, c, &capture, &why)) {
		log_say("%s: %s", c->url, why.text);
		sent = send_missing(s, connection, c->url, SENT_INSTEAD);
	} else {
		const unsigned status = c->status >= 200 && c->status < 600 ? c->status : 200;
		const struct warc_span location = warc_field(capture_head(&capture), "Location");
		const int has_base = url_parse(&base, c->url, strlen(c->url), NULL) == URL_OK;
		if (status / 100 == 3 && location.n && has_base)
			rewrite_reference(&within, location.at, location.n, &to);
		struct replay_capture as = *c;
		const struct warc_span type = capture_type(&capture);
		as.type = mem_part(type.at ? type.at : "", type.n); /* with its charset */
		if (capture_decode(&capture, &body))
			log_say("%s is compressed in a way that is not known here, and sent as it is", c->url);
		if (put_body(&as, has_base ? &within : NULL, &body, &out) && how == SENT_ARCHIVED) {
			buf_clear(&s->last);
			buf_format(&s->last, "%s%s", within.prefix, c->url);
		}
		sent = send_text(s, connection, status == 304 ? 200 : status, as.type, to.used ? to.at : NULL, &out, how);
		free(as.type);
	}
	capture_release(&capture);
	buf_release(&body);
	buf_release(&out);
	buf_release(&to);
	buf_release(&prefix);
	buf_release(&frame);
	url_release(&base);
	return sent;
}

/* Says whether a browser wants to show an answer alone, and not in the frame; a script could then lead it elsewhere. */
static int is_alone(struct MHD_Connection *connection)
{
	const char *what = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Sec-Fetch-Dest");

	return what && strcmp(what, "document") == 0;
}

/* Leads from what is in the frame to the page around it. */
static enum MHD_Result send_around(const struct server *s, struct MHD_Connection *connection, const char *stamp, const char *url)
{
	struct buf none = BUF_EMPTY;

	struct buf to = buf_of("%s%.*s%s", s->outside, SERVE_STAMP + 2, stamp, url);
	const enum MHD_Result sent = send_text(s, connection, MHD_HTTP_FOUND, "", to.at, &none, SENT_OWN);
	buf_release(&to);
	return sent;
}

static const char *header_of(struct MHD_Connection *connection, const char *name)
{
	const char *value = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, name);

	return value ? value : "";
}

/* Says whether a page of another site asks, for something to load or to show in a frame. */
static int is_of_another_site(struct MHD_Connection *connection)
{
	const char *site = header_of(connection, "Sec-Fetch-Site");

	return *site && strcmp(site, "same-origin") != 0 && strcmp(site, "none") != 0 && !is_alone(connection);
}

/* Returns the URL in the path of what was archived, "/TIME/pKEY/URL" or "/TIME/fKEY/URL"; NULL if the path is none. */
static const char *url_with_key(const struct server *s, const char *path)
{
	const size_t key_n = strlen(s->key);
	const char *way;

	if (*path != '/' || strspn(path + 1, "0123456789") != SERVE_STAMP || path[SERVE_STAMP + 1] != '/')
		return NULL;
	way = path + SERVE_STAMP + 2;
	return (*way == 'p' || *way == 'f') && strncmp(way + 1, s->key, key_n) == 0 && way[1 + key_n] == '/' ? way + key_n + 2
													     : NULL;
}

/* Says whether a request names the server as archived pages do. */
static int is_inside(const struct server *s, struct MHD_Connection *connection)
{
	const char *host = header_of(connection, MHD_HTTP_HEADER_HOST);
	const size_t n = strlen(s->name);

	return ascii_same(host, s->name, n) && monitor_is_own_host(host + n);
}

/* Leads a path that a script of an archived page has made, /x for one, to what it means on the site of the page. */
static enum MHD_Result send_resolved(const struct server *s, struct MHD_Connection *connection, const char *target)
{
	const char *page = s->last.at;
	struct url base = URL_EMPTY, to = URL_EMPTY;
	struct buf path = BUF_EMPTY, none = BUF_EMPTY;
	const char *url = s->last.used ? url_with_key(s, page) : NULL;
	enum MHD_Result sent;

	if (url && url_parse(&base, url, strlen(url), NULL) == URL_OK && url_parse(&to, target, strlen(target), &base) == URL_OK) {
		buf_format(&path, "%.*s%s", (int)(url - page), page, to.text.at);
		sent = send_text(s, connection, MHD_HTTP_FOUND, "", path.at, &none, SENT_INSTEAD);
	} else {
		sent = send_missing(s, connection, target, SENT_INSTEAD);
	}
	buf_release(&path);
	url_release(&base);
	url_release(&to);
	return sent;
}

/* Answers "/TIME/URL", or with a key what is in the frame. */
static enum MHD_Result answer_page(struct server *s, struct MHD_Connection *connection, const char *target, const char *inside)
{
	const char *way = target + SERVE_STAMP + 2, *url = inside ? inside : way;
	struct buf out = BUF_EMPTY;
	size_t i;

	if (!inside && is_of_another_site(connection))
		return send_own(s, connection, MHD_HTTP_FORBIDDEN, &out);
	if (inside && is_alone(connection))
		return send_around(s, connection, target, url);
	const struct replay_capture *c = replay_find(s->replay, url, strlen(url), serve_time(target + 1), &i);
	if (!c)
		return send_missing(s, connection, url, inside ? SENT_INSTEAD : SENT_OWN);
	if (inside)
		return send_archived(s, connection, c, *way == 'f' ? SENT_WITHIN : SENT_ARCHIVED);
	serve_put_outside(s, c, i, &out);
	return send_own(s, connection, MHD_HTTP_OK, &out);
}

/* Says whether a request names this server by its address or as localhost. A page of another site whose name leads to this machine
 * has the same origin as the answer, and could read it. */
static int is_own_name(struct MHD_Connection *connection)
{
	const char *host = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST);

	return !host || monitor_is_own_host(host);
}

static enum MHD_Result answer(void *ctx, struct MHD_Connection *connection, const char *url, const char *method,
	const char *version, const char *data, size_t *n, void **state)
{
	struct server *s = ctx;
	const char *target = *state, *inside = url_with_key(s, target);
	const int by_name = is_inside(s, connection);
	struct buf out = BUF_EMPTY;

	(void)url, (void)version, (void)data;
	*n = 0;
	if (!by_name && !is_own_name(connection))
		return send_own(s, connection, MHD_HTTP_FORBIDDEN, &out);
	if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
		return send_own(s, connection, MHD_HTTP_METHOD_NOT_ALLOWED, &out);
	if (by_name && !inside)
		return is_alone(connection) ? send_missing(s, connection, target, SENT_OWN) : send_resolved(s, connection, target);
	if (inside || (strspn(target + 1, "0123456789") == SERVE_STAMP && target[SERVE_STAMP + 1] == '/'))
		return answer_page(s, connection, target, inside);
	if (is_of_another_site(connection))
		return send_own(s, connection, MHD_HTTP_FORBIDDEN, &out);
	if (strcmp(target, "/") == 0) {
		buf_add(&out, s->list.at, s->list.used);
		return send_own(s, connection, MHD_HTTP_OK, &out);
	}
	return send_missing(s, connection, target, SENT_OWN);
}

/* Keeps the target as it was sent, since the server unescapes the path that it passes to the handler. */
static void *begin(void *ctx, const char *target, struct MHD_Connection *connection)
{
	(void)ctx, (void)connection;
	return mem_text(target);
}

static void end(void *ctx, struct MHD_Connection *connection, void **target, enum MHD_RequestTerminationCode how)
{
	(void)ctx, (void)connection, (void)how;
	free(*target);
	*target = NULL;
}

/* Opens a socket that listens on loopback, and notes its port and the origins, which the server's thread reads. A negative number:
 * errno tells why. */
static int listen_on(struct server *s, uint16_t port)
{
	struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t length = sizeof address;
	const int at = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), on = 1;

	if (at < 0)
		return -1;
	if (setsockopt(at, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) ||
		bind(at, (const struct sockaddr *)&address, sizeof address) || listen(at, SOMAXCONN) ||
		getsockname(at, (struct sockaddr *)&address, &length)) {
		const int reason = errno;
		close(at);
		errno = reason;
		return -1;
	}
	s->port = ntohs(address.sin_port);
	snprintf(s->origin, sizeof s->origin, "http://%slocalhost:%u", s->name, s->port);
	snprintf(s->outside, sizeof s->outside, "http://127.0.0.1:%u", s->port);
	return at;
}

static int serve_until_told(struct server *s, uint16_t port, const sigset_t *signals, struct err_note *why)
{
	const int at = listen_on(s, port);
	int number;

	if (at < 0)
		return err_set(why, ERR_FILE, "cannot listen on 127.0.0.1:%u: %s", port, ascii_error(errno));
	struct MHD_Daemon *daemon =
		MHD_start_daemon(MHD_USE_POLL_INTERNAL_THREAD | MHD_USE_ITC, port, NULL, NULL, answer, s, MHD_OPTION_LISTEN_SOCKET,
			at, MHD_OPTION_URI_LOG_CALLBACK, begin, s, MHD_OPTION_NOTIFY_COMPLETED, end, s, MHD_OPTION_END);
	if (!daemon)
		return err_set(why, ERR_FILE, "cannot listen on 127.0.0.1:%u: the web server does not start", port);
	printf("listening on 127.0.0.1:%u\n", s->port);
	if (fflush(stdout) == 0)
		sigwait(signals, &number);
	MHD_stop_daemon(daemon); /* closes the socket, too */
	return 0;
}

int archive_serve(const struct command *c, struct err_note *why)
{
	const struct archive_options *o = c->options;
	struct server s = {.replay = NULL};
	uint64_t drawn[2];
	sigset_t signals;

	if (getrandom(drawn, sizeof drawn, 0) != sizeof drawn)
		return err_set(why, ERR_OTHER, "cannot draw a random number");
	snprintf(s.key, sizeof s.key, "%016llx", (unsigned long long)drawn[0]);
	snprintf(s.name, sizeof s.name, "%016llx.", (unsigned long long)drawn[1]);
	int err = replay_open_searched(&s.replay, c->flags->operand, c->flags->operands, why);
	if (err)
		return err;
	serve_put_list(s.replay, &s.list);
	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
	signal(SIGINT, SIG_DFL); /* a background job ignores it, and what is ignored is never waited for */
	err = serve_until_told(&s, (uint16_t)o->port, &signals, why);
	replay_close(s.replay);
	buf_release(&s.list);
	buf_release(&s.last);
	return err;
}
