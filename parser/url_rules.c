#include "parser/url_rules.h"
#include "base/ascii.h"
#include "parser/url_part.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[] = {
#define URL_RULE_TEXT(name, text, help) text,
	URL_RULE_TABLE(URL_RULE_TEXT)
#undef URL_RULE_TEXT
};

/* --- reading the list */

static int add_rule(unsigned *rules, const char *name, size_t n, struct err_note *why)
{
	for (unsigned i = 0; i < URL_RULES; i++) {
		if (strlen(names[i]) == n && memcmp(names[i], name, n) == 0) {
			*rules |= 1u << i;
			return 0;
		}
	}
	if (n == 3 && memcmp(name, "all", 3) == 0) {
		*rules = (1u << URL_RULES) - 1;
		return 0;
	}
	return err_set(why, ERR_USAGE,
		"there is no rule '%.*s' to normalise URLs by; there are escapes, tracking, "
		"sessions, query, slashes, index, and all",
		(int)(n < 100 ? n : 100), name);
}

int url_rules_read(unsigned *rules, const char *list, struct err_note *why)
{
	int err = 0;

	*rules = 0;
	while (!err && *list) {
		const size_t n = strcspn(list, ",");
		if (n)
			err = add_rule(rules, list, n, why);
		list += n + (list[n] == ',');
	}
	return err;
}

/* --- parameters of the query */

struct parameter {
	const char *at;
	uint32_t n, name; /* bytes in all, and of the name before a '=' */
	uint32_t place;
};

/* Names without regard to case; one that ends in '*' is a beginning. */
static int is_among(const char *const *list, const char *name, size_t n)
{
	for (; *list; list++) {
		if (n && (**list ^ *name) & ~0x20)
			continue;
		const size_t m = strlen(*list);
		if ((*list)[m - 1] == '*' ? n >= m - 1 && ascii_same(*list, name, m - 1) : n == m && ascii_same(*list, name, m))
			return 1;
	}
	return 0;
}

static int is_tracking(const struct parameter *p)
{
	static const char *const list[] = {"utm_*", "gclid", "gclsrc", "dclid", "gbraid", "wbraid", "fbclid", "msclkid", "yclid",
		"twclid", "ttclid", "igshid", "mc_cid", "mc_eid", "_ga", "_gl", "_hsenc", "_hsmi", "mkt_tok", "vero_id",
		"oly_anon_id", "oly_enc_id", "wickedid", "rb_clickid", NULL};

	return is_among(list, p->at, p->name);
}

/* The names of session ids. "sid" and similar names have other uses as well, so they count only if the value looks random. */
enum session_name { SESSION_NAME, SESSION_BEGINNING, SESSION_IF_DRAWN };
static const struct {
	const char *name;
	uint32_t n;
	enum session_name kind;
} session_names[] = {
	{"jsessionid", 10, SESSION_NAME},
	{"phpsessid", 9, SESSION_NAME},
	{"aspsessionid", 12, SESSION_BEGINNING},
	{"sessionid", 9, SESSION_NAME},
	{"session_id", 10, SESSION_NAME},
	{"cfid", 4, SESSION_NAME},
	{"cftoken", 7, SESSION_NAME},
	{"sid", 3, SESSION_IF_DRAWN},
	{"s", 1, SESSION_IF_DRAWN},
	{"zenid", 5, SESSION_IF_DRAWN},
	{"osCsid", 6, SESSION_IF_DRAWN},
};

/* Says whether the value of a parameter consists of at least 26 hexadecimal digits. */
static int looks_random(const struct parameter *p)
{
	if (p->n - p->name < 1 + 26)
		return 0;
	for (uint32_t i = p->name + 1; i < p->n; i++)
		if (ascii_hex(p->at[i]) < 0)
			return 0;
	return 1;
}

static int is_session(const struct parameter *p)
{
	for (size_t i = 0; i < sizeof session_names / sizeof *session_names; i++) {
		const uint32_t n = session_names[i].n;
		const enum session_name kind = session_names[i].kind;
		if ((kind == SESSION_BEGINNING ? p->name >= n : p->name == n) && ascii_same(session_names[i].name, p->at, n))
			return kind != SESSION_IF_DRAWN || looks_random(p);
	}
	return 0;
}

int url_rules_is_session(const char *parameter, size_t n, size_t name)
{
	return is_session(&(struct parameter){parameter, (uint32_t)n, (uint32_t)name, 0});
}

static int by_name(const void *a, const void *b)
{
	const struct parameter *p = a, *q = b;
	const uint32_t n = p->name < q->name ? p->name : q->name;
	const int order = memcmp(p->at, q->at, n);

	if (order)
		return order;
	if (p->name != q->name)
		return p->name < q->name ? -1 : 1;
	return p->place < q->place ? -1 : 1;
}

/* Says whether the parameter stays in the query; under the rule `query`, removes the '=' of an empty value. */
static int keep_parameter(unsigned rules, struct parameter *p)
{
	if (((rules >> URL_RULE_TRACKING & 1) && is_tracking(p)) || ((rules >> URL_RULE_SESSIONS & 1) && is_session(p)))
		return 0;
	if (!(rules >> URL_RULE_QUERY & 1))
		return 1;
	if (p->name + 1 == p->n)
		p->n = p->name;
	return p->name > 0;
}

/* Lists the parameters that stay in the query. Returns their number. */
static uint32_t read_query(unsigned rules, const char *at, const char *end, struct parameter *out)
{
	uint32_t n = 0;

	for (;;) {
		const char *stop = memchr(at, '&', (size_t)(end - at));
		stop = stop ? stop : end;
		const char *sign = memchr(at, '=', (size_t)(stop - at));
		struct parameter p = {at, (uint32_t)(stop - at), (uint32_t)((sign ? sign : stop) - at), n};
		if (keep_parameter(rules, &p))
			out[n++] = p;
		if (stop == end)
			return n;
		at = stop + 1;
	}
}

/* Rewrites the query with the parameters that stay, sorted under the rule `query`. */
static void apply_to_query(unsigned rules, struct url *u)
{
	struct parameter parameter[URL_MAX];
	char text[URL_MAX];
	struct buf *b = &u->text;
	char *to = text;

	if (u->query == b->used)
		return;
	const uint32_t n = read_query(rules, b->at + u->query + 1, b->at + b->used, parameter);
	if (rules >> URL_RULE_QUERY & 1)
		qsort(parameter, n, sizeof *parameter, by_name);
	for (uint32_t i = 0; i < n; i++) {
		*to++ = i ? '&' : '?';
		memcpy(to, parameter[i].at, parameter[i].n);
		to += parameter[i].n;
	}
	/* an empty query goes: nothing but the '?' may be left of it */
	const size_t used = to - text > 1 ? (size_t)(to - text) : 0;
	memcpy(b->at + u->query, text, used);
	b->used = u->query + used;
	buf_end(b);
}

/* --- the path */

/* Takes the bytes [from, end) of the path away. */
static void cut(struct url *u, uint32_t from, uint32_t end)
{
	char *at = u->text.at;

	memmove(at + from, at + end, u->text.used - end);
	u->text.used -= end - from;
	u->query -= end - from;
	buf_end(&u->text);
}

/* Says whether a segment is one that the URL parser removes: one or two dots, escaped or not. */
static int is_dots(const char *at, const char *end)
{
	int dots = 0;

	while (at < end) {
		if (*at == '.')
			at++;
		else if (end - at >= 3 && ascii_same(at, "%2e", 3))
			at += 3;
		else
			return 0;
		dots++;
	}
	return dots == 1 || dots == 2;
}

/* Removes ";jsessionid=x" from the path, unless the rest of the segment would be "." or "..". */
static void cut_sessions(struct url *u)
{
	static const char *const list[] = {"jsessionid", "phpsessid", "sid", NULL};
	uint32_t at = u->path, segment = u->path;

	while (at < u->query) {
		const char *text = u->text.at;
		if (text[at] == '/')
			segment = at + 1;
		if (text[at++] != ';')
			continue;
		uint32_t end = at, name = 0;
		for (; end < u->query && text[end] != '/' && text[end] != ';'; end++)
			if (text[end] == '=' && !name)
				name = end - at;
		const int whole = end == u->query || text[end] == '/';
		const int dots = whole && is_dots(text + segment, text + at - 1);
		if (name && !dots && is_among(list, text + at, name))
			cut(u, --at, end);
	}
}

/* Returns the end of a segment "(S(x)F(y))" that begins at `at`, or NULL if it has another form. */
static const char *behind_cookieless(const char *at, const char *end)
{
	const char *start = at + 1;

	if (at == end || *at != '(')
		return NULL;
	for (at = start; end - at > 2 && *at >= 'A' && *at <= 'Z' && at[1] == '('; at++) {
		at += 2;
		while (at < end && *at != ')' && *at != '/')
			at++;
		if (at == end || *at != ')')
			return NULL;
	}
	return at > start && end - at > 1 && at[0] == ')' && at[1] == '/' ? at + 1 : NULL;
}

/* Takes the segment away in which ASP.NET keeps a session without cookies. */
static void cut_cookieless(struct url *u)
{
	uint32_t at = u->path;

	while (at < u->query) {
		const char *text = u->text.at;
		const char *behind = text[at] == '/' ? behind_cookieless(text + at + 1, text + u->query) : NULL;
		if (behind)
			cut(u, at, (uint32_t)(behind - text));
		else
			at++;
	}
}

static void join_slashes(struct url *u)
{
	char *text = u->text.at;
	uint32_t to = u->path + 1;

	for (uint32_t from = to; from < u->query; from++)
		if (text[from] != '/' || text[to - 1] != '/')
			text[to++] = text[from];
	if (to < u->query)
		cut(u, to, u->query);
}

static void cut_index(struct url *u)
{
	static const char *const list[] = {"index.html", "index.htm", "index.shtml", "index.xhtml", "index.php", "index.jsp",
		"index.asp", "index.aspx", "default.htm", "default.html", "default.asp", "default.aspx", "Default.htm",
		"Default.asp", "Default.aspx", NULL};
	const char *path = u->text.at + u->path;
	const size_t n = u->text.used - u->path;

	if (u->query != u->text.used)
		return;
	const char *slash = memrchr(path, '/', n);
	const size_t name = n - (size_t)(slash + 1 - path);
	for (size_t i = 0; list[i]; i++) {
		if (strlen(list[i]) == name && memcmp(list[i], slash + 1, name) == 0) {
			cut(u, u->query - (uint32_t)name, u->query);
			return;
		}
	}
}

void url_rules_cut_sessions(struct url *u)
{
	cut_sessions(u);
	cut_cookieless(u);
}

static void apply_once(unsigned rules, struct url *u)
{
	const unsigned of_query = 1u << URL_RULE_TRACKING | 1u << URL_RULE_SESSIONS | 1u << URL_RULE_QUERY;

	if (rules >> URL_RULE_ESCAPES & 1)
		url_normalise(u);
	if (rules & of_query)
		apply_to_query(rules, u);
	if (rules >> URL_RULE_SESSIONS & 1)
		url_rules_cut_sessions(u);
	if (rules >> URL_RULE_SLASHES & 1)
		join_slashes(u);
	if (rules >> URL_RULE_INDEX & 1)
		cut_index(u);
}

void url_rules_apply(unsigned rules, struct url *u)
{
	size_t before;

	/* repeated, since a URL whose escapes could not be normalised because it was too long may have become short enough */
	for (int round = 0; round < 3; round++) {
		before = u->text.used;
		apply_once(rules, u);
		if (u->text.used == before)
			break;
	}
}
