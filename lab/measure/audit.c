#include "lab/measure/audit.h"
#include "base/ascii.h"
#include "base/input.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/num.h"
#include "graph/formats/names.h"

#include <math.h>
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

static const char *const variables[VARIABLES] = {
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
		if (strlen(variables[v]) == n && memcmp(variables[v], name, n) == 0)
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

#define DAY 86400000000 /* us */

struct request {
	uint64_t line;
	int64_t begin, end, retry_after;
	uint32_t host, address, target; /* numbers of texts */
	uint16_t status;
	uint8_t is_whole, is_robots;
};

/* What the audit knows of a host or an address while it goes through the requests. */
struct seen {
	uint32_t last;    /* the request that began last, + 1; 0: none */
	uint32_t ended;   /* the request whose END is the latest, + 1 */
	uint32_t *flying; /* the at_once requests of the host with the latest END, each as index + 1; 0: unused */
	/* hosts only */
	uint32_t robots;  /* the request for robots.txt that ended first, + 1 */
	uint32_t refusal; /* the last request for robots.txt, if it was refused, + 1 */
	uint32_t has_rules;
	struct robots *own; /* the rules that rules.robots_of() made for the host */
	uint32_t busy;      /* the request that asks to be left alone for longest, + 1 */
	int64_t until;      /* the time until which the host is to be left alone */
};

/* A host and a target, and the request that asked for it last. */
struct asked {
	uint64_t url;
	uint64_t last; /* + 1 */
};

struct audit {
	struct audit_rules rules;
	struct request *request;
	size_t n, room;
	struct intern hosts, addresses, targets;
	struct audit_count count[AUDIT_RULES];
	struct audit_breach *breach;
	size_t breaches, breach_room;
};

const char *audit_rule_name(enum audit_rule rule)
{
	static const char *const names[AUDIT_RULES] = {"host-at-once", "address-at-once", "host-delay", "address-delay",
		"robots-first", "robots-obeyed", "twice", "retry-after"};

	return names[rule];
}

struct audit *audit_new(const struct audit_rules *rules)
{
	struct audit *a = mem_zero(1, sizeof *a);

	a->rules = *rules;
	for (int r = 0; r < AUDIT_RULES; r++)
		a->count[r].least = INT64_MAX;
	return a;
}

void audit_free(struct audit *a)
{
	intern_release(&a->hosts);
	intern_release(&a->addresses);
	intern_release(&a->targets);
	free(a->request);
	free(a->breach);
	free(a);
}

static const char *text_of(const struct intern *texts, uint32_t number)
{
	return texts->text.at + texts->start[number];
}

void audit_add(struct audit *a, const struct access *l)
{
	a->request = mem_grow(a->request, &a->room, a->n + 1, sizeof *a->request);
	a->request[a->n++] = (struct request){.line = l->line,
		.begin = l->begin,
		.end = l->end,
		.retry_after = l->retry_after,
		.host = intern_number(&a->hosts, l->host, strlen(l->host)),
		.address = intern_number(&a->addresses, l->address, strlen(l->address)),
		.target = intern_number(&a->targets, l->target, strlen(l->target)),
		.status = (uint16_t)l->status,
		.is_whole = l->is_whole != 0,
		.is_robots = strcmp(l->target, "/robots.txt") == 0};
}

/* --- judging */

/* Notes a breach by a request, because of an earlier one, + 1, or of none. */
static void note(struct audit *a, enum audit_rule rule, uint32_t request, uint32_t because, int64_t us)
{
	const struct request *r = &a->request[request];

	a->breach = mem_grow(a->breach, &a->breach_room, a->breaches + 1, sizeof *a->breach);
	a->breach[a->breaches++] = (struct audit_breach){.rule = rule,
		.line = r->line,
		.because = because ? a->request[because - 1].line : 0,
		.host = text_of(&a->hosts, r->host),
		.address = text_of(&a->addresses, r->address),
		.target = text_of(&a->targets, r->target),
		.us = us};
	a->count[rule].breaches++;
}

/* Judges a time that has to be `wanted` at least. */
static void judge_time(struct audit *a, enum audit_rule rule, uint32_t request, uint32_t because, int64_t us, int64_t wanted)
{
	if (us < a->count[rule].least)
		a->count[rule].least = us;
	if (us < wanted - a->rules.tolerance)
		note(a, rule, request, because, us);
}

/* Judges whether fewer than at_once requests are in flight when request i begins, by whether the request that ends earliest of
 * the at_once ones with the latest END has ended by then; notes a breach if not. */
static void judge_at_once(struct audit *a, struct seen *s, enum audit_rule rule, uint32_t i)
{
	const struct request *r = &a->request[i];
	const uint32_t most = a->rules.at_once;
	uint32_t first = 0;

	if (!s->flying)
		s->flying = mem_zero(most, sizeof *s->flying);
	/* finds the one of `flying` that ends first; an unused element, 0, counts as the first */
	for (uint32_t k = 0; k < most && s->flying[first]; k++)
		if (!s->flying[k] || a->request[s->flying[k] - 1].end < a->request[s->flying[first] - 1].end)
			first = k;
	a->count[rule].looked++;
	if (s->flying[first] && a->request[s->flying[first] - 1].end > r->begin)
		note(a, rule, i, s->flying[first], 0);
	if (!s->flying[first] || a->request[s->flying[first] - 1].end < r->end)
		s->flying[first] = i + 1;
}

/* Judges the time from the BEGIN of the last request, which has to be the delay at least, and then the time from the latest END,
 * which has to be `rest` at least. */
static void judge_delay(struct audit *a, struct seen *s, enum audit_rule rule, uint32_t i, int64_t crawl_delay)
{
	const struct request *r = &a->request[i];
	const int64_t delay = a->rules.delay > crawl_delay ? a->rules.delay : crawl_delay;

	if (s->last && (delay || a->rules.rest)) {
		const int64_t begun = r->begin - a->request[s->last - 1].begin;
		const int64_t ended = r->begin - a->request[s->ended - 1].end;
		const size_t had = a->breaches;
		a->count[rule].looked++;
		if (delay)
			judge_time(a, rule, i, s->last, begun, delay);
		if (a->rules.rest && a->breaches == had)
			judge_time(a, rule, i, s->ended, ended, a->rules.rest);
	}
	s->last = i + 1;
	if (!s->ended || a->request[s->ended - 1].end < r->end)
		s->ended = i + 1;
}

static int is_refusal(const struct request *r)
{
	return r->status == 429 || r->status >= 500;
}

/* Returns the rules of a host's robots.txt; NULL: it has none, or they are unknown. */
static const struct robots *rules_of(const struct audit *a, const struct seen *s)
{
	if (!s->has_rules)
		return NULL;
	return a->rules.robots_of ? s->own : a->rules.robots;
}

static int64_t crawl_delay(const struct audit *a, const struct seen *s)
{
	const struct robots *rules = rules_of(a, s);
	const double delay = rules ? robots_delay(rules) : -1;

	return delay > 0 ? (int64_t)(fmin(delay, 86400) * 1e6) : 0;
}

/* Judges whether robots.txt was requested before the host's first page, and whether it allows the request. */
static void judge_robots(struct audit *a, struct seen *s, uint32_t i)
{
	const struct request *r = &a->request[i];
	const char *target = text_of(&a->targets, r->target);

	if (r->is_robots) {
		if (!s->robots || r->end < a->request[s->robots - 1].end)
			s->robots = i + 1;
		s->refusal = is_refusal(r) ? i + 1 : 0;
		s->has_rules = r->status >= 200 && r->status < 300;
		if (s->has_rules && a->rules.robots_of && !s->own)
			s->own = a->rules.robots_of(a->rules.robots_ctx, text_of(&a->hosts, r->host));
		return;
	}
	a->count[AUDIT_ROBOTS_FIRST].looked++;
	if (!s->robots || a->request[s->robots - 1].end > r->begin)
		note(a, AUDIT_ROBOTS_FIRST, i, s->robots, 0);
	a->count[AUDIT_ROBOTS_OBEYED].looked++;
	if (s->refusal)
		note(a, AUDIT_ROBOTS_OBEYED, i, s->refusal, 0);
	else if (rules_of(a, s) && !robots_allows(rules_of(a, s), target, strlen(target)))
		note(a, AUDIT_ROBOTS_OBEYED, i, s->robots, 0);
}

/* Says whether the answer to a request is a reason to request the page again. */
static int may_be_asked_again(const struct request *before, const struct request *r)
{
	return !before->is_whole || before->status == 304 || before->status == 408 || is_refusal(before) ||
		(r->is_robots && r->begin - before->end >= DAY - 1000000);
}

static void judge_twice(struct audit *a, struct map *urls, uint32_t i)
{
	const struct request *r = &a->request[i];
	struct asked *url = map_at(urls, (uint64_t)r->host << 32 | r->target);

	a->count[AUDIT_TWICE].looked++;
	if (url->last && !may_be_asked_again(&a->request[url->last - 1], r))
		note(a, AUDIT_TWICE, i, (uint32_t)url->last, 0);
	url->last = i + 1;
}

/* Judges whether a host was left alone for the time of its last Retry-After. Requests that began before that answer had ended
 * are not judged. */
static void judge_retry_after(struct audit *a, struct seen *s, uint32_t i)
{
	const struct request *r = &a->request[i];

	if (s->busy && r->begin >= a->request[s->busy - 1].end) {
		const struct request *busy = &a->request[s->busy - 1];
		a->count[AUDIT_RETRY_AFTER].looked++;
		judge_time(a, AUDIT_RETRY_AFTER, i, s->busy, r->begin - busy->end, busy->retry_after);
		if (r->begin >= s->until - a->rules.tolerance)
			s->busy = 0;
	}
	if ((r->status == 429 || r->status == 503) && r->retry_after > 0 && (!s->busy || r->end + r->retry_after > s->until)) {
		s->busy = i + 1;
		s->until = r->end + r->retry_after;
	}
}

static int by_begin(const void *a, const void *b)
{
	const struct request *x = a, *y = b;

	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

static void free_seen(struct seen *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(s[i].flying);
		robots_free(s[i].own);
	}
	free(s);
}

void audit_judge(struct audit *a)
{
	struct seen *host = mem_zero(a->hosts.count + 1, sizeof *host);
	struct seen *address = mem_zero(a->addresses.count + 1, sizeof *address);
	struct map urls;

	map_init(&urls, sizeof(struct asked));
	if (a->n)
		qsort(a->request, a->n, sizeof *a->request, by_begin);
	for (uint32_t i = 0; i < a->n; i++) {
		const struct request *r = &a->request[i];
		struct seen *h = &host[r->host], *d = &address[r->address];
		judge_at_once(a, h, AUDIT_HOST_AT_ONCE, i);
		judge_delay(a, h, AUDIT_HOST_DELAY, i, crawl_delay(a, h));
		if (a->rules.addresses == AUDIT_ADDRESSES_KNOWN) {
			judge_at_once(a, d, AUDIT_ADDRESS_AT_ONCE, i);
			judge_delay(a, d, AUDIT_ADDRESS_DELAY, i, 0);
		}
		judge_robots(a, h, i);
		judge_twice(a, &urls, i);
		judge_retry_after(a, h, i);
	}
	free_seen(host, a->hosts.count);
	free_seen(address, a->addresses.count);
	map_release(&urls);
}

/* --- answers */

struct audit_size audit_size(const struct audit *a)
{
	struct audit_size s = {.requests = a->n, .hosts = a->hosts.count, .addresses = a->addresses.count};
	int64_t last = 0;

	for (size_t i = 0; i < a->n; i++) {
		s.robots += a->request[i].is_robots;
		if (!i || a->request[i].end > last)
			last = a->request[i].end;
	}
	s.pages = s.requests - s.robots;
	s.us = a->n ? last - a->request[0].begin : 0;
	return s;
}

struct audit_count audit_count(const struct audit *a, enum audit_rule rule)
{
	return a->count[rule];
}

const struct audit_breach *audit_breach(const struct audit *a, size_t i)
{
	return i < a->breaches ? &a->breach[i] : NULL;
}
