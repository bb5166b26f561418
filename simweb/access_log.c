#include "simweb/access_log.h"
#include "base/ascii.h"
#include "base/input.h"
#include "base/mem.h"
#include "base/num.h"

#include <stdlib.h>
#include <string.h>

/* The fake web's own format, with a variable for its clock. */
#define OWN_FORMAT "$begin_us\t$end_us\t$server_addr\t$host\t$request_uri\t$whole\t$status\t$sent_http_retry_after"
#define PARTS_MAX  64

enum variable {
	UNUSED,
	BEGIN_US,
	END_US,
	WHOLE,
	MSEC,
	REQUEST_TIME,
	HOST,
	SERVER_ADDR,
	REQUEST,
	REQUEST_URI,
	STATUS,
	COMPLETION,
	RETRY_AFTER,
	USER_AGENT,
	VARIABLES
};

static const char *const names[VARIABLES] = {
	[BEGIN_US] = "begin_us",
	[END_US] = "end_us",
	[WHOLE] = "whole",
	[MSEC] = "msec",
	[REQUEST_TIME] = "request_time",
	[HOST] = "host",
	[SERVER_ADDR] = "server_addr",
	[REQUEST] = "request",
	[REQUEST_URI] = "request_uri",
	[STATUS] = "status",
	[COMPLETION] = "request_completion",
	[RETRY_AFTER] = "sent_http_retry_after",
	[USER_AGENT] = "http_user_agent",
};

/* A variable, and the text behind it. */
struct part {
	enum variable variable;
	char *behind;
};

struct access_log {
	struct input *in;
	char *before; /* the text before the first variable */
	struct part part[PARTS_MAX];
	size_t parts;
	char *value[VARIABLES]; /* of the current line; NULL: the format has none */
};

/* --- the format */

static enum variable variable_of(const char *name, size_t n)
{
	if (n == strlen("http_host") && memcmp(name, "http_host", n) == 0)
		return HOST;
	for (int v = UNUSED + 1; v < VARIABLES; v++)
		if (strlen(names[v]) == n && memcmp(names[v], name, n) == 0)
			return (enum variable)v;
	return UNUSED;
}

/* Splits a log_format of nginx into its variables and the texts before and behind them. Two variables must have a text between
 * them, or no line could be divided. */
static int parse_format(struct access_log *l, const char *format, struct err_note *why)
{
	size_t n = strcspn(format, "$");

	l->before = mem_part(format, n);
	for (format += n; *format; format += n) {
		const int is_braced = format[1] == '{';
		const char *name = format + 1 + is_braced;
		n = 0;
		while (ascii_is_alnum(name[n]) || name[n] == '_')
			n++;
		format = name + n + (is_braced && name[n] == '}');
		if (!n || l->parts == PARTS_MAX)
			return err_set(why, ERR_USAGE, "--format: a '$' without a name, or more than %d variables", PARTS_MAX);
		struct part *part = &l->part[l->parts++];
		part->variable = variable_of(name, n);
		n = strcspn(format, "$");
		part->behind = mem_part(format, n);
		if (!n && *format)
			return err_set(why, ERR_USAGE, "--format: '$%.*s' has no text behind it", 40, name);
	}
	return 0;
}

static int has_variable(const struct access_log *l, enum variable v)
{
	for (size_t i = 0; i < l->parts; i++)
		if (l->part[i].variable == v)
			return 1;
	return 0;
}

static int check_format(const struct access_log *l, struct err_note *why)
{
	const int has_time = has_variable(l, MSEC) || (has_variable(l, BEGIN_US) && has_variable(l, END_US));
	const char *missing = !has_time                                      ? "$msec"
		: !has_variable(l, HOST)                                     ? "$host"
		: !has_variable(l, REQUEST) && !has_variable(l, REQUEST_URI) ? "$request"
									     : NULL;

	return missing ? err_set(why, ERR_USAGE, "--format: %s is needed", missing) : 0;
}

int access_log_open(struct access_log **out, const char *path, const char *format, struct err_note *why)
{
	struct access_log *l = mem_zero(1, sizeof *l);
	int err = parse_format(l, format ? format : OWN_FORMAT, why);

	if (!err)
		err = check_format(l, why);
	if (!err)
		err = input_open(&l->in, path, why);
	*out = l;
	if (err) {
		access_log_close(l);
		*out = NULL;
	}
	return err;
}

void access_log_close(struct access_log *l)
{
	if (!l)
		return;
	input_close(l->in);
	free(l->before);
	for (size_t i = 0; i < l->parts; i++)
		free(l->part[i].behind);
	free(l);
}

/* --- a line */

/* Cuts a line up into values. Returns 1, or 0 if it is not of the format. */
static int cut(struct access_log *l, char *line)
{
	const size_t before = strlen(l->before);

	memset(l->value, 0, sizeof l->value);
	if (strncmp(line, l->before, before) != 0)
		return 0;
	line += before;
	for (size_t i = 0; i < l->parts; i++) {
		const struct part *part = &l->part[i];
		char *end = *part->behind ? strstr(line, part->behind) : line + strlen(line);
		if (!end)
			return 0;
		l->value[part->variable] = line;
		line = end + strlen(part->behind);
		*end = 0;
	}
	return !*line;
}

/* Reads seconds with a fraction, or microseconds, as microseconds. */
static int read_time(const char *text, double unit, int64_t *us)
{
	double x;

	if (num_real(text, &x) || x < 0 || x * unit > 9e15)
		return 0;
	*us = (int64_t)(x * unit + 0.5);
	return 1;
}

/* Fills begin and end, in us: from $begin_us and $end_us, as lycosa logs them, or from $msec and $request_time of nginx. Returns 0
 * if one is no time. */
static int read_times(struct access_log *l, struct access *a)
{
	int64_t took = 0;

	if (!l->value[MSEC])
		return read_time(l->value[BEGIN_US], 1, &a->begin) && read_time(l->value[END_US], 1, &a->end);
	if (!read_time(l->value[MSEC], 1e6, &a->end))
		return 0;
	if (l->value[REQUEST_TIME] && !read_time(l->value[REQUEST_TIME], 1e6, &took))
		return 0;
	a->begin = a->end - took;
	return 1;
}

/* Returns the target, which is the second word of "GET /a HTTP/1.1", or "" if the text is no request. */
static const char *target_of(char *request)
{
	char *target = strchr(request, ' ');

	if (!target)
		return "";
	target[strcspn(target + 1, " ") + 1] = 0;
	return target + 1;
}

/* Returns the target without scheme and host, which a request to a proxy has. */
static const char *without_origin(const char *target)
{
	const char *host = strstr(target, "://");

	if (*target == '/' || !host)
		return target;
	return host[3 + strcspn(host + 3, "/")] ? host + 3 + strcspn(host + 3, "/") : "/";
}

/* Fills a request from the values of a line. Returns 0 if a time or the status cannot be read. A log without a word on whether
 * answers were complete has complete ones. */
static int read_values(struct access_log *l, struct access *a)
{
	char **v = l->value;
	uint64_t status = 0;

	if (!read_times(l, a) || a->end < a->begin)
		return 0;
	if (v[STATUS] && num_count(v[STATUS], 999, &status))
		return 0;
	for (char *c = v[HOST]; *c; c++)
		*c = ascii_lower(*c);
	a->host = v[HOST];
	a->address = v[SERVER_ADDR] ? v[SERVER_ADDR] : v[HOST];
	a->target = without_origin(v[REQUEST_URI] ? v[REQUEST_URI] : target_of(v[REQUEST]));
	a->agent = v[USER_AGENT] ? v[USER_AGENT] : "";
	a->status = (unsigned)status;
	a->is_whole = v[WHOLE] ? strcmp(v[WHOLE], "ok") == 0 : v[COMPLETION] ? strcmp(v[COMPLETION], "OK") == 0 : 1;
	/* a Retry-After with a date counts as missing */
	if (!v[RETRY_AFTER] || !read_time(v[RETRY_AFTER], 1e6, &a->retry_after))
		a->retry_after = -1;
	return 1;
}

int access_log_next(struct access_log *l, struct access *a, struct err_note *why)
{
	size_t n = 0;
	char *line;
	int got;

	do
		got = input_line(l->in, &line, &n, why);
	while (got > 0 && !n);
	if (got <= 0)
		return got;
	a->line = input_line_number(l->in);
	if (!cut(l, line) || !read_values(l, a))
		return err_set(why, ERR_FORMAT, "%s, line %llu: it is not of the format; see --format", input_path(l->in),
			(unsigned long long)a->line);
	return 1;
}
