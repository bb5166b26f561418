/* `lycosa ctl`: asks or commands a crawl that runs with --monitor. Each verb is one of monitor/control.h. */
#include "base/ascii.h"
#include "base/input.h"
#include "base/mem.h"
#include "cli/crawl/crawl_monitor.h"
#include "cli/flags/options.h"
#include "cli/verbs.h"
#include "monitor/control.h"
#include "storage/lock.h"

#include <errno.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

/* --- one call */

/* A call of the control of a crawl that runs elsewhere on this machine, or on another one: one request over HTTP
 * (monitor/monitor.h).
 *
 *	struct ctl_place place;
 *	int err = ctl_find(&place, "store", NULL, NULL, why);
 *	if (!err) err = ctl_call(&place, verb, args, &answer, why);
 *	ctl_release(&place); */

struct ctl_place {
	char *url;   /* "http://127.0.0.1:4711" */
	char *token; /* NULL: none */
};

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
	char *bytes = NULL;
	size_t n;

	if (!store_is(store))
		return err_set(why, ERR_FILE, "'%s' is no store", store);
	AUTO(buf) path = buf_of("%s/" CRAWL_MONITOR_FILE, store);
	/* a file without a writer of the store is that of a crawl that was killed, or of a stranger, who could name any address */
	int err = lock_check_folder(store, why);
	if (!err && (!lock_is_free(store, NULL) || access(path.at, F_OK)))
		err = err_set(why, ERR_NOTHING,
			"no crawl with a monitor runs on '%s'; 'lycosa crawl --store %s --monitor' starts one", store, store);
	else if (!err)
		err = input_all(path.at, FILE_MAX, &bytes, &n, why);
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

	TRY(input_all(path, FILE_MAX, &bytes, &n, why));
	free(p->token);
	p->token = line_of(bytes, n, 0);
	free(bytes);
	return p->token ? 0 : err_set(why, ERR_FORMAT, "'%s' has no token in its first line", path);
}

/* Finds the monitor of a crawl: by its store, whose file `monitor` says where it is, or by its address `url`. `token_file`
 * names a file with the token, which goes before the one of the store; NULL: none. Returns 0; ERR_USAGE if neither or
 * both are given; ERR_FILE or ERR_NOTHING if no crawl with a monitor runs on the store. The caller calls ctl_release() in
 * each case. */
static int ctl_find(struct ctl_place *p, const char *store, const char *url, const char *token_file, struct err_note *why)
{
	*p = (struct ctl_place){.url = NULL};
	if (!store == !url)
		return err_set(why, ERR_USAGE, "name the crawl, by --store DIR or by --url http://ADDRESS:PORT");
	if (url)
		p->url = mem_text(url);
	const int err = store ? read_store(p, store, why) : 0;
	return !err && token_file ? read_token(p, token_file, why) : err;
}

/* Frees the texts. */
static void ctl_release(struct ctl_place *p)
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
	AUTO_FREE char *body = is_reading ? NULL : json_dumps(args, JSON_COMPACT);
	if (body)
		buf_format(out, "Content-Type: application/json\r\nContent-Length: %zu\r\n", strlen(body));
	buf_format(out, "\r\n%s", body ? body : "");
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

/* Sends a verb with its arguments, an object, and waits for the answer. Returns 0 with *answer, which the caller owns;
 * ERR_USAGE or ERR_NOTHING if the crawl has refused, with its words in the note; or ERR_FILE if it cannot be reached. */
static int ctl_call(const struct ctl_place *p, const struct control_verb *verb, const json_t *args, json_t **answer,
	struct err_note *why)
{
	struct target t = {.host = NULL};
	AUTO(buf) request = BUF_EMPTY, text = BUF_EMPTY;
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
	free(t.host);
	free(t.port);
	return err;
}

struct ctl_options {
	struct standard_options standard;
	const char *store, *url, *token;
	int json;
	const char *sort, *match, *state; /* arguments of the verbs that have them */
	uint64_t count;                   /* 0: not given */
};

/* --- printing an answer */

/* Appends a JSON value as text: a scalar as it is, an object as its members with blanks between, without the member "because". */
static void put_flat(struct buf *out, const json_t *value)
{
	const char *name;
	json_t *member;

	if (json_is_object(value)) {
		json_object_foreach((json_t *)value, name, member) if (strcmp(name, "because") != 0) put_flat(out, member);
		return;
	}
	if (out->used)
		buf_byte(out, ' ');
	if (json_is_string(value))
		buf_text(out, json_string_value(value));
	else if (json_is_integer(value))
		buf_format(out, "%lld", (long long)json_integer_value(value));
	else if (json_is_real(value))
		opt_shortest(out, json_real_value(value));
	else
		buf_text(out, json_is_true(value) ? "yes" : json_is_false(value) ? "no" : "-");
}

/* Prints a JSON value under a name, or as the next cell of a row if the name is NULL. */
static void put_value(struct results *r, const char *name, const json_t *value)
{
	AUTO(buf) text = BUF_EMPTY;

	put_flat(&text, value);
	const struct cell cell = json_is_integer(value) ? cell_count((uint64_t)json_integer_value(value))
		: json_is_real(value)                   ? cell_real(json_real_value(value))
							: cell_text(text.at);
	if (name)
		results_fact(r, name, cell);
	else
		results_cells(r, &cell, 1);
}

/* Prints the members of an object as named values; a member of an object within it gets the name "outer_inner". The array "rows"
 * is left out: put_rows() prints it. */
static void put_named(struct results *r, const char *prefix, const json_t *object)
{
	const char *name;
	json_t *value;
	size_t i;
	json_t *one;

	json_object_foreach((json_t *)object, name, value)
	{
		if (strcmp(name, "rows") == 0 && json_is_array(value))
			continue;
		AUTO(buf) full = buf_of("%s%s%s", prefix, *prefix ? "_" : "", name);
		if (json_is_object(value)) {
			put_named(r, full.at, value);
		} else if (json_is_array(value)) {
			json_array_foreach(value, i, one) put_value(r, full.at, one);
		} else {
			put_value(r, full.at, value);
		}
	}
}

#define COLUMNS 32

/* Prints a table whose columns are the members of its first row. */
static void put_rows(struct results *r, const json_t *rows)
{
	const char *columns[COLUMNS + 1] = {NULL}, *name;
	json_t *value, *row;
	size_t n = 0, i;

	json_object_foreach(json_array_get(rows, 0), name, value) if (n < COLUMNS) columns[n++] = name;
	if (!n)
		return;
	results_columns(r, columns);
	json_array_foreach(rows, i, row)
	{
		for (size_t k = 0; k < n; k++) {
			value = json_object_get(row, columns[k]);
			if (value && !json_is_null(value))
				put_value(r, NULL, value);
			else
				RESULTS_CELLS(r, cell_none());
		}
	}
}

static int print(const json_t *answer, int as_json, struct err_note *why)
{
	const json_t *rows = json_object_get(answer, "rows");
	struct results r;

	if (as_json) {
		json_dumpf(answer, stdout, JSON_INDENT(2) | JSON_ENSURE_ASCII);
		putchar('\n');
		return fflush(stdout) || ferror(stdout) ? err_set(why, ERR_RESULTS, "cannot write to stdout") : 0;
	}
	results_begin(&r, stdout, RESULTS_TSV);
	if (!rows)
		results_figures(&r);
	put_named(&r, "", answer);
	if (rows)
		put_rows(&r, rows);
	return results_end(&r, why);
}

/* --- the call */

static void put_option(json_t *args, const char *name, const char *value)
{
	if (value)
		json_object_set_new(args, name, json_string(value));
}

/* Passes the operands as the argument that the verb needs. */
static int put_operands(json_t *args, const struct control_verb *verb, const struct flags *f, struct err_note *why)
{
	const struct control_argument *a = &verb->argument[0];
	json_t *list = json_array();

	for (size_t i = 0; i < f->operands; i++)
		if (json_array_append_new(list, json_string(f->operand[i]))) {
			json_decref(list);
			return err_set(why, ERR_USAGE, "'%s' is no text in UTF-8", f->operand[i]);
		}
	if (f->operands)
		json_object_set(args, a->name, a->need == CONTROL_LIST ? list : json_array_get(list, 0));
	json_decref(list);
	return 0;
}

static int run(const struct command *c, struct err_note *why)
{
	const struct ctl_options *o = c->options;
	const struct control_verb *verb = control_verb_named(c->verb->name, why);
	json_t *args = json_object(), *answer = NULL;
	struct ctl_place place;
	char count[24];
	int err = ctl_find(&place, o->store, o->url, o->token, why);

	put_option(args, "sort-by", o->sort);
	if (o->count) {
		snprintf(count, sizeof count, "%llu", (unsigned long long)o->count);
		put_option(args, "count", count);
	}
	put_option(args, "match", o->match);
	put_option(args, "only", o->state);
	if (!err)
		err = put_operands(args, verb, c->flags, why);
	if (!err)
		err = ctl_call(&place, verb, args, &answer, why);
	if (!err)
		err = print(answer, o->json, why);
	json_decref(args);
	json_decref(answer);
	ctl_release(&place);
	return err;
}

/* --- the verbs */

/* clang-format off */
#define CTL(field) offsetof(struct ctl_options, field)
#define PLACE_ROWS \
	{"store", 0, FLAG_TEXT, CTL(store), "DIR", .help = "the store of the crawl", .file = FLAG_READS_FOLDER}, \
	{"url", 0, FLAG_TEXT, CTL(url), "URL", .help = "the address of its monitor, instead"}, \
	{"token", 0, FLAG_TEXT, CTL(token), "FILE", .help = "the file with the monitor's token; a store knows it by itself", \
		.file = FLAG_READS}, \
	{"json", 0, FLAG_SWITCH, CTL(json), .help = "print the answer as JSON"}
#define COUNT_ROW \
	{"count", 0, FLAG_COUNT, CTL(count), "N", .help = "how many", .min = 1}
/* clang-format on */

static const struct flag flags[] = {PLACE_ROWS, STANDARD_ROWS};
static const struct flag next_flags[] = {PLACE_ROWS, COUNT_ROW, STANDARD_ROWS};
static const struct flag hosts_flags[] = {
	PLACE_ROWS,
	{"sort-by", 0, FLAG_TEXT, CTL(sort), "FIGURE", .help = "the first by this figure (queued)", .words = control_figure_word},
	COUNT_ROW,
	{"match", 0, FLAG_TEXT, CTL(match), "TEXT", .help = "only hosts with this text in their names"},
	{"only", 0, FLAG_TEXT, CTL(state), "STATE", .help = "only hosts in this state", .words = control_state_word},
	STANDARD_ROWS,
};
static const struct ctl_options defaults;

static const struct verb to_status = VERB("status", "Says how the crawl stands.", flags, defaults, run);
static const struct verb to_history = VERB("history", "Says how the sitting has run, sample by sample.", flags, defaults, run);
static const struct verb to_hosts = VERB("hosts", "Lists hosts, the first by a figure.", hosts_flags, defaults, run);
static const struct verb to_next =
	VERB("next", "Lists the pages that are likely to be taken next, and why.", next_flags, defaults, run);
static const struct verb to_explain =
	VERB("explain", "Says what the crawl knows of a URL, and how it was found.", flags, defaults, run, .operands = "URL");
static const struct verb to_pause = VERB("pause", "Takes no further page until resume.", flags, defaults, run);
static const struct verb to_resume = VERB("resume", "Ends the pause.", flags, defaults, run);
static const struct verb to_stop = VERB("stop", "Ends the sitting, as SIGTERM does.", flags, defaults, run);
static const struct verb to_seed = VERB("seed", "Adds seeds.", flags, defaults, run, .operands = "URL...");
static const struct verb to_delay =
	VERB("delay", "Sets the pause between two requests to a host or address.", flags, defaults, run, .operands = "TIME");
static const struct verb to_block =
	VERB("block", "Takes a host out of the scope, with its queued pages.", flags, defaults, run, .operands = "HOST");
static const struct verb to_unblock =
	VERB("unblock", "Takes a blocked host into the scope again.", flags, defaults, run, .operands = "HOST");
static const struct verb to_hold =
	VERB("hold", "Requests no page of a host until release.", flags, defaults, run, .operands = "HOST");
static const struct verb to_release = VERB("release", "Ends the hold of a host.", flags, defaults, run, .operands = "HOST");

static const struct verb *const verbs[] = {&to_status, &to_history, &to_hosts, &to_next, &to_explain, &to_pause, &to_resume,
	&to_stop, &to_seed, &to_delay, &to_block, &to_unblock, &to_hold, &to_release, NULL};

const struct verb verb_ctl = {
	.name = "ctl",
	.summary = "Watches and steers a crawl that runs with --monitor.",
	.verbs = verbs,
};
