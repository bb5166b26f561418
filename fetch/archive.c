#include "fetch/archive.h"
#include "base/ascii.h"
#include "base/clock.h"

#include <string.h>

struct line {
	const char *at;
	size_t n; /* without its end */
};

/* Finds the next header line. Returns 1, or 0 at the blank line or the end. */
static int next_line(const struct buf *from, size_t *at, struct line *line)
{
	const char *start = from->at + *at, *end = from->at + from->used;
	const char *lf = *at < from->used ? memchr(start, '\n', (size_t)(end - start)) : NULL;

	if (!lf)
		return 0;
	*at += (size_t)(lf - start) + 1;
	*line = (struct line){start, (size_t)(lf - start)};
	line->n -= line->n && start[line->n - 1] == '\r';
	return line->n > 0;
}

static int has_name(const struct line *line, const char *name)
{
	const size_t n = strlen(name);

	return line->n > n && line->at[n] == ':' && ascii_same(line->at, name, n);
}

static void add_line(struct buf *out, const char *before, const char *at, size_t n)
{
	buf_text(out, before);
	buf_add(out, at, n);
	buf_text(out, "\r\n");
}

/* Writes the request line in the form of HTTP/1.1: "GET /a HTTP/2" becomes "GET /a HTTP/1.1". */
static void add_request_line(struct buf *out, const struct line *line)
{
	const char *blank = memrchr(line->at, ' ', line->n);

	buf_add(out, line->at, blank ? (size_t)(blank - line->at) : line->n);
	buf_text(out, " HTTP/1.1\r\n");
}

static void add_request(struct buf *out, const struct buf *request)
{
	static const char *const secret[] = {"authorization", "cookie", "proxy-authorization"};
	struct line line;
	size_t at = 0;

	if (next_line(request, &at, &line))
		add_request_line(out, &line);
	while (next_line(request, &at, &line)) {
		int is_secret = 0;
		for (size_t i = 0; i < sizeof secret / sizeof *secret; i++)
			is_secret |= has_name(&line, secret[i]);
		if (!is_secret)
			add_line(out, "", line.at, line.n);
	}
	buf_text(out, "\r\n");
}

/* Writes the status line in the form of HTTP/1.1: "HTTP/2 200 " becomes "HTTP/1.1 200 ". */
static void add_status_line(struct buf *out, const struct line *line)
{
	const char *blank = memchr(line->at, ' ', line->n);

	buf_text(out, "HTTP/1.1");
	if (blank)
		buf_add(out, blank, line->n - (size_t)(blank - line->at));
	buf_text(out, "\r\n");
}

static void add_head(struct buf *out, const struct buf *head, size_t body)
{
	static const char *const undone[] = {"content-encoding", "transfer-encoding", "content-length"};
	struct line line;
	size_t at = 0;

	if (next_line(head, &at, &line))
		add_status_line(out, &line);
	while (next_line(head, &at, &line)) {
		int is_undone = 0;
		for (size_t i = 0; i < sizeof undone / sizeof *undone; i++)
			is_undone |= has_name(&line, undone[i]);
		add_line(out, is_undone ? "X-Archive-Orig-" : "", line.at, line.n);
	}
	buf_format(out, "Content-Length: %zu\r\n\r\n", body);
}

static const char *truncation(enum outcome error)
{
	switch (error) {
	case OUTCOME_NONE:
		return NULL;
	case OUTCOME_TOO_BIG:
		return "length";
	case OUTCOME_TIMEOUT:
		return "time";
	case OUTCOME_TYPE:
		return "unspecified";
	default:
		return "disconnect";
	}
}

void archive_put(const struct transfer *t, enum outcome error, const struct buf *rendered, struct warc_location *location)
{
	struct warc *archive = t->options->set.archive;
	const int64_t since_1970 = clock_wall_ms() - clock_ms();
	struct buf request = BUF_EMPTY, head = BUF_EMPTY;
	char *address = NULL, type[sizeof t->answer.type];

	if (!archive || !t->answer.has_headers || !t->head.used)
		return;
	add_request(&request, &t->request);
	add_head(&head, &t->head, t->body.used);
	curl_easy_getinfo(t->easy, CURLINFO_PRIMARY_IP, &address);
	snprintf(type, sizeof type, "%.*s", (int)strcspn(t->answer.type, "; \t"), t->answer.type);
	const struct warc_exchange x = {
		.url = {t->url.text.at, t->url.text.used},
		.address = address && *address && !t->proxy ? address : NULL,
		.time = t->started + since_1970,
		.duration = t->ended - t->started,
		.status = t->answer.status,
		.type = t->answer.has_type && *type ? type : NULL,
		.request = {request.at, request.used},
		.head = {head.at, head.used},
		.body = {t->body.used ? t->body.at : "", t->body.used},
		.rendered = {rendered ? rendered->at : "", rendered ? rendered->used : 0},
		.truncated = t->enough ? "length" : truncation(error),
	};
	(void)!warc_put(archive, &x, location, NULL);
	buf_release(&request);
	buf_release(&head);
}
