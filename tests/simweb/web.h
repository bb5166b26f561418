/* What the tests of the fake web share: a client of few words, and graphs to serve. */
#ifndef TESTS_WEB_H
#define TESTS_WEB_H

#include "tests/test.h"

#include "base/buf.h"
#include "base/mem.h"
#include "base/rng.h"
#include "simweb/serve.h"

#include <arpa/inet.h>
#include <sys/socket.h>

static inline int dial_to(const char *address, uint16_t port)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(port)};
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	assert_true(fd >= 0);
	assert_int_equal(inet_pton(AF_INET, address, &a.sin_addr), 1);
	if (connect(fd, (struct sockaddr *)&a, sizeof a)) {
		close(fd);
		return -1;
	}
	return fd;
}

static inline int dial(const struct simweb *sw)
{
	int fd = dial_to("127.0.0.1", simweb_port(sw));

	assert_true(fd >= 0);
	return fd;
}

static inline void say(int fd, const char *text)
{
	assert_int_equal(send(fd, text, strlen(text), MSG_NOSIGNAL), strlen(text));
}

struct reply {
	struct buf text;
	int status; /* 0: no answer at all */
	const char *body;
	size_t body_length, told; /* told: Content-Length */
};

static inline void reply_release(struct reply *r)
{
	buf_release(&r->text);
}

/* Everything up to the end of the connection. */
static inline void hear(int fd, struct reply *r)
{
	ssize_t n;

	*r = (struct reply){.text = BUF_EMPTY};
	while ((n = recv(fd, buf_room(&r->text, 65536), 65536, 0)) > 0)
		r->text.used += (size_t)n;
	buf_end(&r->text);
	close(fd);
	if (r->text.used == 0)
		return;
	assert_int_equal(sscanf(r->text.at, "HTTP/1.1 %d", &r->status), 1);
	const char *head_end = strstr(r->text.at, "\r\n\r\n");
	assert_non_null(head_end);
	r->body = head_end + 4;
	r->body_length = r->text.used - (size_t)(r->body - r->text.at);
	const char *length = strstr(r->text.at, "Content-Length: ");
	if (length && length < head_end)
		r->told = strtoul(length + 16, NULL, 10);
}

/* The value of a header, static memory; "" where it is not there. */
static inline const char *header(const struct reply *r, const char *name)
{
	static char value[256];
	char start[64];

	value[0] = 0;
	snprintf(start, sizeof start, "\r\n%s: ", name);
	const char *at = strstr(r->text.at, start);
	if (at && at < r->body)
		sscanf(at + strlen(start), "%255[^\r]", value);
	return value;
}

/* `more` are whole header lines. */
static inline struct reply ask(const struct simweb *sw, const char *method, const char *host, const char *target, const char *more)
{
	struct buf request = BUF_EMPTY;
	struct reply r;
	int fd = dial(sw);

	buf_format(&request, "%s %s HTTP/1.1\r\nHost: %s\r\n%sConnection: close\r\n\r\n", method, target, host, more);
	say(fd, request.at);
	buf_release(&request);
	hear(fd, &r);
	return r;
}

static inline struct reply get(const struct simweb *sw, const char *host, const char *target)
{
	return ask(sw, "GET", host, target, "");
}

static inline int status_of(const struct simweb *sw, const char *host, const char *target)
{
	struct reply r = get(sw, host, target);

	reply_release(&r);
	return r.status;
}

/* The node that a page says it is; -1 where it is none. */
static inline long node_of(const struct reply *r)
{
	const char *title = r->status == 200 ? strstr(r->body, "<title>node ") : NULL;

	return title ? strtol(title + 12, NULL, 10) : -1;
}

static inline long node_at(const struct simweb *sw, const char *host, const char *target)
{
	struct reply r = get(sw, host, target);
	long node = node_of(&r);

	reply_release(&r);
	return node;
}

/* The value of the next href from *at on, its escapes undone, into `out`; 0 at the end. The one
 * kind of escape a page may have is "&#N;", N < 128. */
static inline int next_href(const char **at, struct buf *out)
{
	const char *p = strstr(*at, "href=");

	if (!p)
		return 0;
	p += 5;
	assert_int_equal(*p++, '"');
	buf_clear(out);
	buf_end(out);
	for (; *p != '"'; p++) {
		assert_true(*p && !strchr("<>\r\n\t", *p));
		char *end = NULL;
		if (*p != '&') {
			buf_byte(out, *p);
			continue;
		}
		assert_int_equal(p[1], '#');
		unsigned long code = strtoul(p + 2, &end, 10);
		assert_true(*end == ';' && code > 0 && code < 128);
		buf_byte(out, (int)code);
		p = end;
	}
	*at = p;
	return 1;
}

#define NODES 200

/* Links at random, to itself too; node 0 links to all, node 1 to none. */
static inline void make_graph(struct graph *g, uint32_t nodes)
{
	struct rng r = {5};
	uint32_t *from = mem_new((size_t)nodes * 8, sizeof *from);
	uint32_t *to = mem_new((size_t)nodes * 8, sizeof *to);
	uint64_t n = 0;

	for (uint32_t v = 0; v < nodes; v++) {
		from[n] = 0;
		to[n++] = v;
	}
	for (uint32_t i = 0; i < 6 * nodes; i++) {
		uint32_t u = (uint32_t)rng_below(&r, nodes);
		from[n] = u == 1 ? 2 : u;
		to[n] = i % 20 ? (uint32_t)rng_below(&r, nodes) : from[n];
		n++;
	}
	graph_from_arcs(g, nodes, from, to, n);
	free(from);
	free(to);
}

/* Names from texts: URLs where `urls`, and the host of each node. Give back with free_names(). */
static inline void make_names(struct names *names, const char *const *urls, const char *const *hosts, uint32_t nodes)
{
	struct buf text = BUF_EMPTY, host_text = BUF_EMPTY;

	*names = (struct names){.nodes = nodes, .hosts = nodes};
	names->start = mem_zero(nodes, sizeof *names->start);
	names->host = mem_zero(nodes, sizeof *names->host);
	names->host_start = mem_zero(nodes, sizeof *names->host_start);
	for (uint32_t i = 0; i < nodes; i++) {
		names->start[i] = text.used;
		if (urls)
			buf_add(&text, urls[i], strlen(urls[i]) + 1);
		names->host[i] = i;
		names->host_start[i] = host_text.used;
		buf_add(&host_text, hosts ? hosts[i] : "", strlen(hosts ? hosts[i] : "") + 1);
	}
	names->text = urls ? buf_take(&text) : NULL;
	names->host_text = buf_take(&host_text);
}

static inline void free_names(struct names *names)
{
	free(names->text);
	free(names->start);
	free(names->host);
	free(names->host_text);
	free(names->host_start);
}

static inline struct simweb *start(const struct simweb_settings *set)
{
	struct simweb *sw = NULL;
	struct err_note why;

	why.text[0] = 0;
	if (simweb_start(&sw, set, &why))
		fail_msg("%s", why.text);
	return sw;
}

#endif
