#include "scope/rules.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "parser/match.h"

#include <stdlib.h>
#include <string.h>

struct rule {
	int (*matches)(const struct rule *, const struct url *);
	const char *value; /* in the rules' text */
	regex_t *regex;
	enum rules_verdict verdict;
	unsigned line;
};

struct rules {
	char *text;
	struct rule *rule;
	size_t n, room;
};

static int is_host(const struct rule *r, const struct url *u)
{
	const size_t n = strlen(r->value);

	return n == u->path - u->host && memcmp(u->text.at + u->host, r->value, n) == 0;
}

static int is_in_domain(const struct rule *r, const struct url *u)
{
	return match_domain(u->text.at + u->host, u->host_end - u->host, r->value);
}

static int has_prefix(const struct rule *r, const struct url *u)
{
	const size_t n = strlen(r->value);

	return n <= u->text.used && memcmp(u->text.at, r->value, n) == 0;
}

static int has_suffix(const struct rule *r, const struct url *u)
{
	const size_t n = strlen(r->value);

	return n <= u->query - u->path && memcmp(u->text.at + u->query - n, r->value, n) == 0;
}

static int is_like(const struct rule *r, const struct url *u)
{
	return match_glob(r->value, u->text.at, u->text.used);
}

static int has_match(const struct rule *r, const struct url *u)
{
	return match_regex(r->regex, u->text.at);
}

static const struct {
	const char *name;
	int (*matches)(const struct rule *, const struct url *);
} subjects[] = {{"host", is_host}, {"domain", is_in_domain}, {"prefix", has_prefix}, {"suffix", has_suffix}, {"glob", is_like},
	{"regex", has_match}};

/* Returns the next word of a line, ended with a NUL, and moves *line behind it; NULL at the end of the line. */
static char *word(char **line)
{
	char *at = *line + strspn(*line, " \t");

	if (!*at)
		return NULL;
	*line = at + strcspn(at, " \t");
	if (**line)
		*(*line)++ = 0;
	return at;
}

static int read_subject(struct rule *r, const char *name, struct err_note *why)
{
	const char *nearest = NULL;
	size_t distance = SIZE_MAX;

	for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
		if (strcmp(name, subjects[i].name) == 0)
			r->matches = subjects[i].matches;
		nearest_try(name, subjects[i].name, &nearest, &distance);
	}
	return r->matches ? 0
			  : err_set(why, ERR_USAGE, "line %u of the rules: there is no '%s'; the nearest is '%s'", r->line, name,
				    nearest ? nearest : "host");
}

/* Reads a line of the rules, which is kept: "accept SUBJECT VALUE" or "reject SUBJECT VALUE". Returns 0 or ERR_USAGE. */
static int read_rule(struct rules *s, char *line, unsigned number, struct err_note *why)
{
	struct rule r = {.line = number};
	const char *verdict = word(&line), *subject;

	if (!verdict || *verdict == '#')
		return 0;
	r.verdict = strcmp(verdict, "accept") == 0 ? RULES_ACCEPT : strcmp(verdict, "reject") == 0 ? RULES_REJECT : RULES_SILENT;
	if (r.verdict == RULES_SILENT)
		return err_set(why, ERR_USAGE, "line %u of the rules begins with '%.40s'; a rule begins with accept or reject",
			number, verdict);
	subject = word(&line);
	line += strspn(line, " \t");
	for (size_t n = strlen(line); n && strchr(" \t\r", line[n - 1]);)
		line[--n] = 0;
	if (!subject || !*line)
		return err_set(why, ERR_USAGE, "line %u of the rules is cut short; '%s prefix http://example.org/a/' is a rule",
			number, verdict);
	int err = read_subject(&r, subject, why);
	if (!err && r.matches == has_match)
		err = match_regex_new(&r.regex, line, why);
	if (!err && s->n == RULES_MAX)
		err = err_set(why, ERR_USAGE, "more than %d rules", RULES_MAX);
	if (err) {
		match_regex_free(r.regex);
		return err;
	}
	r.value = line;
	s->rule = mem_grow(s->rule, &s->room, s->n + 1, sizeof *s->rule);
	s->rule[s->n++] = r;
	return 0;
}

int rules_new(struct rules **out, const char *text, struct err_note *why)
{
	struct rules *s = *out = mem_zero(1, sizeof *s);
	char *next = s->text = mem_text(text), *line;
	unsigned number = 0;
	int err = 0;

	while (!err && (line = strsep(&next, "\n")))
		err = read_rule(s, line, ++number, why);
	if (err) {
		rules_free(s);
		*out = NULL;
	}
	return err;
}

void rules_free(struct rules *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->n; i++)
		match_regex_free(s->rule[i].regex);
	free(s->rule);
	free(s->text);
	free(s);
}

enum rules_verdict rules_judge(const struct rules *s, const struct url *u, unsigned *line)
{
	for (size_t i = 0; s && i < s->n; i++)
		if (s->rule[i].matches(&s->rule[i], u)) {
			if (line)
				*line = s->rule[i].line;
			return s->rule[i].verdict;
		}
	return RULES_SILENT;
}
