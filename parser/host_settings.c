#include "parser/host_settings.h"
#include "base/flag.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "parser/url.h"
#include "parser/match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum subject { SUBJECT_HOST, SUBJECT_DOMAIN, SUBJECT_GLOB };
static const char *const subject_names[] = {"host", "domain", "glob"};

/* A row: the name, the kind, the field, the argument. */
#define ROW(text, type, field, ...) \
	{ \
		.name = text, .kind = type, .at = offsetof(struct host_setting, field), __VA_ARGS__ \
	}
static const struct flag rows[] = {
	ROW("delay", FLAG_TIME, delay, .argument = "TIME"),
	ROW("delay-factor", FLAG_REAL, delay_factor, .argument = "F", .max = 1000),
	ROW("parallel-per-host", FLAG_COUNT, parallel, .argument = "N", .min = 1, .max = 1000),
	ROW("max-per-host", FLAG_COUNT, max_pages, .argument = "N"),
	ROW("user-agent", FLAG_TEXT, user_agent, .argument = "TEXT"),
	ROW("no-robots", FLAG_SWITCH, no_robots, .argument = NULL),
	ROW("auth", FLAG_TEXT, auth, .argument = "SCHEME SECRET"),
	ROW("accept-regex", FLAG_TEXT, accept_regex, .argument = "RE"),
	ROW("reject-regex", FLAG_TEXT, reject_regex, .argument = "RE"),
	{.name = NULL},
};
enum { ROW_BUDGET = 3, ROW_AUTH = 6, ROW_ACCEPT, ROW_REJECT, ROWS };
_Static_assert(sizeof rows / sizeof *rows == ROWS + 1, "the rows that the code names");

struct section {
	enum subject subject;
	const char *name;
	int has_port; /* the name was written with a port other than 443 */
	struct host_setting values;
	unsigned given; /* a bit for each row: its value is set */
	regex_t *accept_regex, *reject_regex;
};

struct host_settings {
	struct section *at;
	size_t n, room;
	unsigned given; /* by any section */
	struct flag_texts texts;
	struct buf text[2]; /* by enum host_settings_kind */
	size_t told[2];     /* the section that the text is in, counted from 1; 0: in none */
};

/* What is being read. */
struct reading {
	size_t before; /* the sections that were read from other texts */
	struct host_settings *h;
	const char *file;
	unsigned line;
	struct err_note *why;
};

struct host_settings *host_settings_new(void)
{
	return mem_zero(1, sizeof(struct host_settings));
}

void host_settings_free(struct host_settings *h)
{
	if (!h)
		return;
	for (size_t i = 0; i < h->n; i++) {
		match_regex_free(h->at[i].accept_regex);
		match_regex_free(h->at[i].reject_regex);
	}
	free(h->at);
	flag_texts_release(&h->texts);
	buf_release(&h->text[0]);
	buf_release(&h->text[1]);
	free(h);
}

/* --- reading */

static int wrong(const struct reading *r, const char *what)
{
	return err_set(r->why, ERR_USAGE, "%s:%u: %s", r->file, r->line, what);
}

/* Returns the text without the blanks around it; those at its end are overwritten. */
static char *trim(char *text)
{
	text += strspn(text, " \t");
	for (size_t n = strlen(text); n && strchr(" \t\r", text[n - 1]); n--)
		text[n - 1] = 0;
	return text;
}

/* Computes the spelling of a host that a store has: in lower case, without a default port. */
static int canonical_host(const struct reading *r, struct section *s)
{
	static const char *const schemes[] = {"http://", "https://"};
	AUTO(url) u = URL_EMPTY;
	AUTO(buf) text = BUF_EMPTY;
	size_t n = strlen(s->name);
	int is_good = 0;

	while (n && strchr("0123456789", s->name[n - 1]))
		n--;
	const int has_port = n && n < strlen(s->name) && s->name[n - 1] == ':';
	const int is_https = has_port && strcmp(s->name + n, "443") == 0;
	s->has_port = has_port && !is_https;
	buf_format(&text, "%s%s/", schemes[is_https], s->name);
	if (url_parse(&u, text.at, text.used, NULL) == URL_OK && u.path + 1 == u.text.used && u.host == strlen(schemes[is_https])) {
		s->name = flag_texts_add(&r->h->texts, u.text.at + u.host, u.path - u.host);
		is_good = 1;
	}
	return is_good;
}

/* Reads a line "[host example.org]"; blanks may stand around the brackets. */
static int read_section(const struct reading *r, char *line)
{
	struct host_settings *h = r->h;
	struct section s = {.name = NULL};
	size_t n = strlen(line), subject = 0;

	if (line[n - 1] != ']')
		return wrong(r, "a section without its ']'; [host example.org] is a section");
	line[n - 1] = 0;
	char *kind = trim(line + 1), *name = kind + strcspn(kind, " \t");
	if (*name)
		*name++ = 0;
	s.name = trim(name);
	while (subject < 3 && strcmp(kind, subject_names[subject]) != 0)
		subject++;
	if (subject == 3 || !*s.name || strpbrk(s.name, " \t"))
		return wrong(r, "no section: it is [host NAME], [domain NAME] or [glob PATTERN]");
	s.subject = (enum subject)subject;
	if (s.subject == SUBJECT_GLOB ? strchr(s.name, '/') != NULL : !canonical_host(r, &s))
		return wrong(r, "no host; a host is a name without a scheme and a path, such as example.org:8080");
	if (s.subject == SUBJECT_DOMAIN && strchr(name, ':'))
		return wrong(r, "a domain has no port; [host NAME:PORT] and [glob *.NAME:PORT] have one");
	if (s.subject == SUBJECT_GLOB)
		s.name = flag_texts_add(&h->texts, s.name, strlen(s.name));
	if (h->n - r->before == HOST_SETTINGS_MAX)
		return wrong(r, "there are more than 1000 sections");
	h->at = mem_grow(h->at, &h->room, h->n + 1, sizeof *h->at);
	h->at[h->n++] = s;
	return 0;
}

static int unknown(const struct reading *r, const char *key)
{
	const char *nearest = NULL;
	size_t distance = 0;
	char what[200];

	for (const struct flag *row = rows; row->name; row++)
		nearest_try(key, row->name, &nearest, &distance);
	snprintf(what, sizeof what, "no host has a setting '%.60s' of its own; the nearest is '%s'", key, nearest);
	return wrong(r, what);
}

static int read_auth(const struct reading *r, struct section *s, char *value)
{
	AUTO(buf) header = BUF_EMPTY;
	char *secret = value + strcspn(value, " \t");

	if (s->subject != SUBJECT_HOST)
		return wrong(r, "auth belongs to one host: it may stand below [host NAME] only");
	if (*secret)
		*secret++ = 0;
	const int is_good = authorization_value(&header, value, trim(secret));
	if (is_good)
		s->values.auth = flag_texts_add(&r->h->texts, header.at, header.used);
	return is_good ? 0 : wrong(r, "auth is neither 'basic USER:PASSWORD' nor 'bearer TOKEN'");
}

static int read_value(const struct reading *r, struct section *s, size_t row, char *value)
{
	struct err_note note = {""};
	int err;

	if (row == ROW_AUTH)
		return read_auth(r, s, value);
	if (rows[row].kind == FLAG_SWITCH) {
		if (strcmp(value, "yes") != 0 && strcmp(value, "no") != 0)
			return wrong(r, "a switch is yes or no");
		s->values.no_robots = *value == 'y';
		return 0;
	}
	if (row == ROW_ACCEPT || row == ROW_REJECT) {
		regex_t **regex = row == ROW_ACCEPT ? &s->accept_regex : &s->reject_regex;
		err = match_regex_new(regex, value, &note);
		s->values.accept_regex = s->accept_regex;
		s->values.reject_regex = s->reject_regex;
	} else {
		err = flag_take(&rows[row], (char *)&s->values + rows[row].at, flag_texts_add(&r->h->texts, value, strlen(value)),
			&r->h->texts, &note);
	}
	return err ? wrong(r, note.text) : 0;
}

/* Returns the port that a section names and that its canonical name does not have. */
static const char *default_port(const struct section *s)
{
	const char *bracket = strrchr(s->name, ']');

	return s->has_port && !strchr(bracket ? bracket : s->name, ':') ? ":80" : "";
}

/* Adds a setting to the text of its kind. */
static void tell(struct host_settings *h, size_t row, const char *value)
{
	const enum host_settings_kind kind = row == ROW_ACCEPT || row == ROW_REJECT ? HOST_SETTINGS_SCOPE : HOST_SETTINGS_MANNERS;
	const struct section *s = &h->at[h->n - 1];

	if (h->told[kind] != h->n)
		buf_format(&h->text[kind], "[%s %s%s]\n", subject_names[s->subject], s->name, default_port(s));
	h->told[kind] = h->n;
	buf_format(&h->text[kind], "%s = %s\n", rows[row].name, value);
}

static int read_setting(const struct reading *r, char *line)
{
	struct host_settings *h = r->h;
	char *equals = strchr(line, '=');
	size_t row = 0;

	if (!equals)
		return wrong(r, "neither a section such as [host example.org] nor 'setting = value'");
	if (!h->n)
		return wrong(r, "a setting before the first section, such as [host example.org]");
	for (const char *c = line; *c; c++)
		if (((unsigned char)*c < ' ' && *c != '\t') || *c == 0x7f)
			return wrong(r, "a control character");
	*equals = 0;
	const char *key = trim(line);
	char *value = trim(equals + 1);
	while (rows[row].name && strcmp(rows[row].name, key) != 0)
		row++;
	if (!rows[row].name)
		return unknown(r, key);
	if (h->at[h->n - 1].given & 1u << row)
		return wrong(r, "the section has this setting twice");
	char *copy = mem_text(value);
	int err = read_value(r, &h->at[h->n - 1], row, value);
	if (!err)
		tell(h, row, copy);
	free(copy);
	h->at[h->n - 1].given |= 1u << row;
	h->given |= 1u << row;
	return err;
}

int host_settings_read(struct host_settings *h, const char *name, const char *text, struct err_note *why)
{
	struct reading r = {.h = h, .file = name, .why = why, .before = h->n};
	char *all = mem_text(text), *next = all, *line;
	int err = 0;

	if (strncmp(next, "\xef\xbb\xbf", 3) == 0)
		next += 3; /* the byte order mark, which some editors write */
	while (!err && (line = strsep(&next, "\n"))) {
		r.line++;
		line = trim(line);
		if (*line && *line != '#')
			err = *line == '[' ? read_section(&r, line) : read_setting(&r, line);
	}
	free(all);
	return err;
}

/* --- what was read */

void host_settings_text(const struct host_settings *h, enum host_settings_kind kind, struct buf *out)
{
	buf_add(out, h->text[kind].at ? h->text[kind].at : "", h->text[kind].used);
	buf_end(out);
}

int host_settings_has_secret(const char *text)
{
	return text && strstr(text, "\nauth = ") != NULL;
}

int host_settings_has_budgets(const struct host_settings *h)
{
	return h && h->given & 1u << ROW_BUDGET;
}

int host_settings_has_scope(const struct host_settings *h)
{
	return h && h->given & (1u << ROW_ACCEPT | 1u << ROW_REJECT);
}

static int is_about(const struct section *s, const char *host, size_t n)
{
	const char *colon = memrchr(host, ':', n);
	const size_t name = colon && !memchr(colon, ']', n - (size_t)(colon - host)) ? (size_t)(colon - host) : n;

	switch (s->subject) {
	case SUBJECT_HOST:
		return strlen(s->name) == n && memcmp(s->name, host, n) == 0;
	case SUBJECT_DOMAIN:
		return match_domain(host, name, s->name);
	default:
		return match_glob(s->name, host, n);
	}
}

/* Applies a section over the sections before it. */
static void put_over(struct host_setting *out, const struct section *s)
{
	for (size_t i = 0; i < ROWS; i++) {
		const size_t n = rows[i].kind == FLAG_SWITCH ? sizeof(int) : sizeof(int64_t);
		if (s->given >> i & 1)
			memcpy((char *)out + rows[i].at, (const char *)&s->values + rows[i].at, n);
	}
	if (s->given >> ROW_AUTH & 1)
		out->auth_over_http = s->has_port;
}

void host_settings_for(const struct host_settings *h, const char *host, size_t n, struct host_setting *out)
{
	*out = (struct host_setting){.delay = -1, .delay_factor = -1, .max_pages = HOST_SETTING_ANY_PAGES, .no_robots = -1};
	for (size_t i = 0; h && i < h->n; i++)
		if (is_about(&h->at[i], host, n))
			put_over(out, &h->at[i]);
}

void host_settings_for_url(const struct host_settings *h, const struct url *u, struct host_setting *out)
{
	host_settings_for(h, u->text.at + u->host, u->path - u->host, out);
}

const char *host_setting_auth(const struct host_setting *s, const struct url *u)
{
	return u->https || s->auth_over_http ? s->auth : NULL;
}
