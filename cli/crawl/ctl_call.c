#include "cli/crawl/ctl_call.h"
#include "base/ascii.h"
#include "base/input.h"
#include "base/mem.h"
#include "cli/crawl/crawl_monitor.h"

#include <errno.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#define FILE_MAX   4096
#define ANSWER_MAX ((size_t)64 << 20)
#define PATIENCE_S 30

/* --- where the monitor is */

/* Returns a copy of line `number` of a text of n bytes, counted from 0, or NULL if the line is empty. */
static char *line_of(const char *bytes, size_t n, unsigned number)
{
	const char *end = bytes + n;

	for (; number && bytes < end; bytes++)
		number -= *bytes == '\n';
	const size_t length = strcspn(bytes, "\r\n");
	return length ? mem_part(bytes, length) : NULL;
}

static int read_store(struct ctl_place *p, const char *store, struct err_note *why)
{
	struct buf path = BUF_EMPTY;
	char *bytes = NULL;
	size_t n;

	if (!store_is(store))
		return err_set(why, ERR_FILE, "'%s' is no store", store);
	buf_format(&path, "%s/" CRAWL_MONITOR_FILE, store);
	int err = 0;
	if (access(path.at, F_OK))
		err = err_set(why, ERR_NOTHING,
			"no crawl with a monitor runs on '%s'; 'lycosa crawl --store %s --monitor' starts one", store, store);
	else
		err = input_all(path.at, FILE_MAX, &bytes, &n, why);
	buf_release(&path);
	if (err)
		return err;
	p->url = line_of(bytes, n, 0);
	p->token = line_of(bytes, n, 1);
	free(bytes);
	return p->url ? 0 : err_set(why, ERR_FORMAT, "'%s/" CRAWL_MONITOR_FILE "' names no address", store);
}

static int read_token(struct ctl_place *p, const char *path, struct err_note *why)
{
	char *bytes;
	size_t n;
	int err = input_all(path, FILE_MAX, &bytes, &n, why);

	if (err)
		return err;
	free(p->token);
	p->token = line_of(bytes, n, 0);
	free(bytes);
	return p->token ? 0 : err_set(why, ERR_FORMAT, "'%s' has no token in its first line", path);
}

int ctl_find(struct ctl_place *p, const char *store, const char *url, const char *token_file, struct err_note *why)
{
	*p = (struct ctl_place){.url = NULL};
	if (!store == !url)
		return err_set(why, ERR_USAGE, "name the crawl, by --store DIR or by --url http://ADDRESS:PORT");
	if (url)
		p->url = mem_text(url);
	const int err = store ? read_store(p, store, why) : 0;
	return !err && token_file ? read_token(p, token_file, why) : err;
}

void ctl_release(struct ctl_place *p)
{
	free(p->url);
	free(p->token);
}

/* --- one request */

struct target {
	char *host, *port;
	const char *named; /* "127.0.0.1:4711" */
};

static int read_target(const char *url, struct target *t, struct err_note *why)
{
	static const char scheme[] = "http://";
	const size_t n = sizeof scheme - 1;
	const char *at = url + n, *colon;

	if (strncmp(url, scheme, n) != 0 || !(colon = strrchr(at, ':')) || colon == at)
		return err_set(why, ERR_USAGE, "'%s' is no address of a monitor; http://127.0.0.1:8080 is one", url);
	const int is_bracketed = *at == '[' && colon[-1] == ']';
	t->named = at;
	t->host = mem_part(at + is_bracketed, (size_t)(colon - at) - 2 * (size_t)is_bracketed);
	t->port = mem_part(colon + 1, strcspn(colon + 1, "/"));
	return 0;
}

static int dial(const struct target *t, const char *url, struct err_note *why)
{
	const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
	const struct timeval patience = {.tv_sec = PATIENCE_S};
	struct addrinfo *all = NULL;
	int fd = -1;

	const int failed = getaddrinfo(t->host, t->port, &hints, &all);
	if (failed)
		return err_set(why, ERR_FILE, "%s: %s", url, gai_strerror(failed));
	for (struct addrinfo *a = all; a && fd < 0; a = a->ai_next) {
		fd = socket(a->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
		if (fd < 0)
			continue;
		setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
		setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
		if (connect(fd, a->ai_addr, a->ai_addrlen)) {
			close(fd);
			fd = -1;
		}
	}
	freeaddrinfo(all);
	return fd >= 0 ? fd : err_set(why, ERR_FILE, "no monitor answers at %s: %s", url, ascii_error(errno));
}

/* Percent-encodes every byte that is not a letter, a digit or one of "-._~". */
static void put_encoded(struct buf *out, const char *text)
{
	for (; *text; text++) {
		const unsigned char c = (unsigned char)*text;
		if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || strchr("-._~", c))
			buf_byte(out, c);
		else
			buf_format(out, "%%%02X", c);
	}
}

static void put_request(struct buf *out, const struct ctl_place *p, const struct target *t, const struct control_verb *verb,
	const json_t *args)
{
	const int is_reading = verb->kind == CONTROL_READING;
	const char *name;
	json_t *value;
	char between = '?';

	buf_format(out, "%s /api/%s", is_reading ? "GET" : "POST", verb->name);
	json_object_foreach((json_t *)args, name, value)
	{
		if (!is_reading)
			break;
		buf_format(out, "%c%s=", between, name);
		put_encoded(out, json_string_value(value));
		between = '&';
	}
	buf_format(out, " HTTP/1.1\r\nHost: %.*s\r\nConnection: close\r\n", (int)strcspn(t->named, "/"), t->named);
	if (p->token)
		buf_format(out, "Authorization: Bearer %s\r\n", p->token);
	char *body = is_reading ? NULL : json_dumps(args, JSON_COMPACT);
	if (body)
		buf_format(out, "Content-Type: application/json\r\nContent-Length: %zu\r\n", strlen(body));
	buf_format(out, "\r\n%s", body ? body : "");
	free(body);
}

static int exchange(int fd, const struct buf *request, struct buf *answer, const char *url, struct err_note *why)
{
	size_t sent = 0;
	ssize_t n = 0;

	while (sent < request->used && (n = send(fd, request->at + sent, request->used - sent, MSG_NOSIGNAL)) > 0)
		sent += (size_t)n;
	if (sent == request->used)
		while (answer->used < ANSWER_MAX && (n = recv(fd, buf_room(answer, 65536), 65536, 0)) > 0)
			answer->used += (size_t)n;
	buf_end(answer);
	return n < 0 ? err_set(why, ERR_FILE, "%s does not answer: %s", url, ascii_error(errno)) : 0;
}

/* Reads the text of an answer into its JSON object. */
static int read_answer(const struct buf *text, const char *url, json_t **out, struct err_note *why)
{
	unsigned status = 0;
	const char *body = text->used ? strstr(text->at, "\r\n\r\n") : NULL;

	if (!body || sscanf(text->at, "HTTP/1.1 %u", &status) != 1)
		return err_set(why, ERR_FILE, "what answers at %s is no monitor", url);
	json_t *object = json_loadb(body + 4, text->used - (size_t)(body + 4 - text->at), 0, NULL);
	if (status == 200 && json_is_object(object)) {
		*out = object;
		return 0;
	}
	const char *error = json_string_value(json_object_get(object, "error"));
	const int err = err_set(why,
		status == 404           ? ERR_NOTHING
			: status == 503 ? ERR_BUSY
			: status >= 500 ? ERR_OTHER
					: ERR_USAGE,
		"%s", error ? error : "what answers is no monitor");
	json_decref(object);
	return err;
}

int ctl_call(const struct ctl_place *p, const struct control_verb *verb, const json_t *args, json_t **answer, struct err_note *why)
{
	struct target t = {.host = NULL};
	struct buf request = BUF_EMPTY, text = BUF_EMPTY;
	int err = read_target(p->url, &t, why);

	*answer = NULL;
	if (!err) {
		put_request(&request, p, &t, verb, args);
		const int fd = dial(&t, p->url, why);
		err = fd < 0 ? fd : exchange(fd, &request, &text, p->url, why);
		if (fd >= 0)
			close(fd);
	}
	if (!err)
		err = read_answer(&text, p->url, answer, why);
	buf_release(&request);
	buf_release(&text);
	free(t.host);
	free(t.port);
	return err;
}
