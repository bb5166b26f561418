#include "cli/archive/serve_pages.h"
#include "parser/mime.h"

#include <string.h>
#include <time.h>

#define LIST_MOST 5000

/* --- times */

int64_t serve_time(const char *stamp)
{
	char text[SERVE_STAMP + 1];
	struct tm tm = {0};

	memcpy(text, stamp, SERVE_STAMP);
	text[SERVE_STAMP] = 0;
	return strptime(text, "%Y%m%d%H%M%S", &tm) ? (int64_t)timegm(&tm) * 1000 : 0;
}

static void break_down(int64_t ms, struct tm *tm)
{
	const time_t seconds = (time_t)(ms / 1000);

	if (!gmtime_r(&seconds, tm))
		memset(tm, 0, sizeof *tm);
}

/* Writes a time as it stands in a path. */
void serve_put_stamp(struct buf *out, int64_t ms)
{
	char text[40] = "";
	struct tm tm;

	break_down(ms, &tm);
	strftime(text, sizeof text, "%Y%m%d%H%M%S", &tm);
	buf_text(out, text);
}

/* Writes a time for a person. */
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

static int is_page(const struct replay_capture *c)
{
	struct mime mime;

	return c->status / 100 == 2 && !c->is_revisit && mime_parse(&mime, c->type, strlen(c->type)) == 0 && mime_is_html(&mime);
}

void serve_put_list(const struct replay *r, struct buf *out)
{
	const struct replay_capture *c;
	size_t shown = 0;

	buf_text(out,
		"<!doctype html><meta charset=utf-8><title>Archived pages</title>" STYLE
		"<header>Archived pages</header><main><table>");
	for (size_t i = 0; (c = replay_at(r, i)) != NULL && shown < LIST_MOST; i++) {
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
		buf_format(out, "<p>These are the first %d; 'lycosa archive list' lists all.", LIST_MOST);
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
 * an answer, else from the other origin. The frame has no page before, since a browser may show its own page on an error after the
 * one that is to replace it. */
static void put_show(const struct serve_inside *in, struct buf *out)
{
	buf_format(out,
		"(function(o,p){var f=document.querySelector('iframe'),show=function(o){f.src=o+f.dataset.path};"
		"fetch(o+p).then(function(){show(o)},function(){show('%s')})})('%s','/%0*d/p%s/')",
		in->fallback, in->origin, SERVE_STAMP, 0, in->key);
}

void serve_put_outside(const struct replay *r, const struct serve_inside *in, const struct replay_capture *c, size_t i,
	struct buf *out)
{
	buf_text(out, "<!doctype html><meta charset=utf-8><title>Archived: ");
	put_escaped(out, c->url);
	buf_text(out, "</title>" STYLE);
	put_bar(r, c, i, out);
	buf_text(out, "<iframe sandbox=\"allow-scripts allow-forms\" data-path=\"/");
	serve_put_stamp(out, c->time);
	buf_format(out, "/p%s/", in->key);
	put_escaped(out, c->url);
	buf_text(out, "\"></iframe><script>" FOLLOW);
	put_show(in, out);
	buf_text(out, "</script>");
}

void serve_put_missing(const char *url, struct buf *out)
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

void serve_put_telling(const struct replay_capture *c, struct buf *out)
{
	buf_text(out, "<script>parent.postMessage({lycosa:'");
	put_quoted(out, c->url);
	buf_text(out, "',when:'");
	put_time(out, c->time);
	buf_text(out, "',stamp:'");
	serve_put_stamp(out, c->time);
	buf_text(out, "'},'*')</script>");
}
