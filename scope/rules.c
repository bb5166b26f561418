#include "scope/rules.h"
#include "base/input.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "base/num.h"
#include "parser/match.h"
#include "parser/mime.h"

#include <stdlib.h>
#include <string.h>

/* A page that rules are asked about. */
struct subject {
	const struct url *url;
	uint32_t depth;
};

struct rule {
	int (*matches)(const struct rule *, const struct subject *);
	const char *value; /* in the rules' text */
	regex_t *regex;
	uint32_t least, most; /* of the depth */
	enum rules_verdict verdict;
	uint8_t rank; /* of a rule that orders, whose verdict is RULES_SILENT */
	unsigned line;
};

struct rules {
	const char *name; /* as errors call it; during rules_new() */
	char *text;
	struct rule *rule;
	size_t n, room;
	double weight[RANK_WEIGHTS];
	unsigned n_weights;
	int orders; /* a rule does */
};

/* Compares a value with a part of a URL: its whole, its beginning, its end. */
enum part { WHOLE, BEGINNING, END };

static int is_part(const char *value, const struct url *u, size_t from, size_t to, enum part part)
{
	const size_t n = strlen(value);

	return (part == WHOLE ? n == to - from : n <= to - from) &&
		memcmp(u->text.at + (part == END ? to - n : from), value, n) == 0;
}

static int is_host(const struct rule *r, const struct subject *s)
{
	return is_part(r->value, s->url, s->url->host, s->url->path, WHOLE);
}

static int is_in_domain(const struct rule *r, const struct subject *s)
{
	return match_domain(s->url->text.at + s->url->host, s->url->host_end - s->url->host, r->value);
}

static int has_prefix(const struct rule *r, const struct subject *s)
{
	return is_part(r->value, s->url, 0, s->url->text.used, BEGINNING);
}

static int has_suffix(const struct rule *r, const struct subject *s)
{
	return is_part(r->value, s->url, s->url->path, s->url->query, END);
}

static int is_like(const struct rule *r, const struct subject *s)
{
	return match_glob(r->value, s->url->text.at, s->url->text.used);
}

static int has_match(const struct rule *r, const struct subject *s)
{
	return match_regex(r->regex, s->url->text.at);
}

static int is_of_type(const struct rule *r, const struct subject *s)
{
	const struct url *u = s->url;
	const char *type = mime_of_path(u->text.at + u->path, u->query - u->path);

	return type && match_glob(r->value, type, strlen(type));
}

static int is_so_deep(const struct rule *r, const struct subject *s)
{
	return s->depth >= r->least && s->depth <= r->most;
}

static const struct {
	const char *name;
	int (*matches)(const struct rule *, const struct subject *);
	int only_orders;
} subjects[] = {{"host", is_host, 0}, {"domain", is_in_domain, 0}, {"prefix", has_prefix, 0}, {"suffix", has_suffix, 0},
	{"glob", is_like, 0}, {"regex", has_match, 0}, {"type", is_of_type, 1}, {"depth", is_so_deep, 1}};

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

/* Writes an error about the rule's line. */
static int refuse(const struct rules *s, const struct rule *r, struct err_note *why, const char *what, const char *word)
{
	return err_set(why, ERR_USAGE, "line %u of %s%s%.40s%s", r->line, s->name ? s->name : "the rules", what, word,
		*word ? "'" : "");
}

static int read_subject(const struct rules *s, struct rule *r, const char *name, int orders, struct err_note *why)
{
	const char *nearest = NULL;
	size_t distance = SIZE_MAX;

	for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
		if (strcmp(name, subjects[i].name) == 0 && subjects[i].only_orders && !orders)
			return refuse(s, r, why,
				strcmp(name, "depth") == 0 ? ": accept and reject know no depth; --max-depth does"
							   : ": accept and reject know no type; --accept-type does",
				"");
		if (strcmp(name, subjects[i].name) == 0)
			r->matches = subjects[i].matches;
		nearest_try(name, subjects[i].name, &nearest, &distance);
	}
	return r->matches ? 0
			  : err_set(why, ERR_USAGE, "line %u of %s: there is no '%.40s'; the nearest is '%s'", r->line,
				    s->name ? s->name : "the rules", name, nearest ? nearest : "host");
}

/* Reads a depth: "2", "2-5" or "2-". */
static int read_depth(struct rule *r, const char *text)
{
	char *end;

	if (*text < '0' || *text > '9')
		return ERR_USAGE;
	const unsigned long least = strtoul(text, &end, 10);
	unsigned long most = least;
	if (*end == '-')
		most = end[1] ? strtoul(end + 1, &end, 10) : UINT32_MAX;
	else if (*end)
		return ERR_USAGE;
	if ((*end && strcmp(end, "-") != 0) || least > most || most > UINT32_MAX)
		return ERR_USAGE;
	r->least = (uint32_t)least;
	r->most = (uint32_t)most;
	return 0;
}

/* Reads the number of a weight, and gives it an index. */
static int read_weight(struct rules *s, struct rule *r, const char *text, struct err_note *why)
{
	double weight;
	unsigned i = 0;

	if (!text || num_real(text, &weight) || !(weight >= 1e-6 && weight <= 1e6))
		return refuse(s, r, why, ": a weight from 0.000001 to 1000000 is wanted, not '", text ? text : "");
	while (i < s->n_weights && s->weight[i] != weight)
		i++;
	if (i == RANK_WEIGHTS)
		return refuse(s, r, why, " has one weight too many; 64 different ones are the most", "");
	s->weight[i] = weight;
	s->n_weights += i == s->n_weights;
	r->rank = rank_make(TIER_NORMAL, i);
	return 0;
}

/* Reads the first words of a rule: what it does with pages. *orders is 1 if it orders them. */
static int read_effect(struct rules *s, struct rule *r, const char *effect, char **line, int *orders, struct err_note *why)
{
	*orders = 1;
	if (strcmp(effect, "weight") == 0)
		return read_weight(s, r, word(line), why);
	if (strcmp(effect, "first") == 0 || strcmp(effect, "last") == 0) {
		r->rank = rank_make(strcmp(effect, "first") == 0 ? TIER_FIRST : TIER_LAST, 0);
		return 0;
	}
	*orders = 0;
	r->verdict = strcmp(effect, "accept") == 0 ? RULES_ACCEPT : RULES_REJECT;
	return r->verdict == RULES_ACCEPT || strcmp(effect, "reject") == 0
		? 0
		: err_set(why, ERR_USAGE,
			  "line %u of %s begins with '%.40s'; a rule begins with accept, reject, first, last or weight", r->line,
			  s->name ? s->name : "the rules", effect);
}

/* Reads a line of the rules, which is kept. Returns 0 or ERR_USAGE. */
static int read_rule(struct rules *s, char *line, unsigned number, struct err_note *why)
{
	struct rule r = {.line = number};
	const char *effect = word(&line), *subject;
	int orders;

	if (!effect || *effect == '#')
		return 0;
	int err = read_effect(s, &r, effect, &line, &orders, why);
	if (err)
		return err;
	subject = word(&line);
	line += strspn(line, " \t");
	for (size_t n = strlen(line); n && strchr(" \t\r", line[n - 1]);)
		line[--n] = 0;
	if (!subject || !*line)
		return refuse(s, &r, why,
			" is cut short; 'accept prefix http://example.org/a/' is a rule, 'first depth 0-2' another", "");
	err = read_subject(s, &r, subject, orders, why);
	if (!err && r.matches == has_match)
		err = match_regex_new(&r.regex, line, why);
	if (!err && r.matches == is_so_deep && read_depth(&r, line))
		err = refuse(s, &r, why, ": a depth such as 2, 2-5 or 2- is wanted, not '", line);
	if (!err && s->n == RULES_MAX)
		err = err_set(why, ERR_USAGE, "more than %d rules", RULES_MAX);
	if (err) {
		match_regex_free(r.regex);
		return err;
	}
	r.value = line;
	s->orders |= orders;
	s->rule = mem_grow(s->rule, &s->room, s->n + 1, sizeof *s->rule);
	s->rule[s->n++] = r;
	return 0;
}

int rules_new(struct rules **out, const char *name, const char *text, struct err_note *why)
{
	struct rules *s = *out = mem_zero(1, sizeof *s);
	char *next = s->text = mem_text(text), *line;
	unsigned number = 0;
	int err = 0;

	s->name = name;
	s->weight[s->n_weights++] = 1;
	while (!err && (line = strsep(&next, "\n")))
		err = read_rule(s, line, ++number, why);
	if (err) {
		rules_free(s);
		*out = NULL;
	}
	return err;
}

int rules_read(struct rules **out, const char *path, struct err_note *why)
{
	char *text;
	size_t n;
	int err = input_all(path, RULES_MAX_BYTES, &text, &n, why);

	*out = NULL;
	if (err)
		return err;
	err = rules_new(out, path, text, why);
	free(text);
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

/* Returns the first rule that matches, of those that order or of the others; NULL if there is none. */
static const struct rule *find(const struct rules *s, const struct subject *subject, int orders)
{
	for (size_t i = 0; s && i < s->n; i++)
		if ((s->rule[i].verdict == RULES_SILENT) == orders && s->rule[i].matches(&s->rule[i], subject))
			return &s->rule[i];
	return NULL;
}

enum rules_verdict rules_judge(const struct rules *s, const struct url *u, unsigned *line)
{
	const struct rule *r = find(s, &(struct subject){u, 0}, 0);

	if (r && line)
		*line = r->line;
	return r ? r->verdict : RULES_SILENT;
}

const double *rules_weights(const struct rules *s)
{
	return s && s->orders ? s->weight : NULL;
}

uint8_t rules_rank(const struct rules *s, const struct url *u, uint32_t depth)
{
	const struct rule *r = find(s, &(struct subject){u, depth}, 1);

	return r ? r->rank : rank_make(TIER_NORMAL, 0);
}
