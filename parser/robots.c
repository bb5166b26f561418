#include "parser/robots.h"
#include "base/ascii.h"
#include "base/mem.h"
#include "parser/url_part.h"
#include "parser/usage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where Google's reader cuts a line: eight times the longest URL of old browsers, less one. */
#define LINE_MAX_BYTES (8 * 2083u - 1)

/* A pattern as it is compared: normalised, its wildcards single NUL bytes (which no normalised text
 * has), its final '$' told by `to_end`. */
struct rule {
	uint32_t at, length;    /* in `text` */
	uint32_t octets;        /* the length by which RFC 9309, 2.2.2 ranks rules */
	uint16_t value, to_end; /* value: 1 allows, 0 disallows; of a usage rule, its mask */
};

/* Rules of one kind, in the order in which they win. */
struct rules {
	struct rule *rule;
	size_t n, room;
};

struct robots {
	struct rules fetch; /* of which the first that matches decides */
	struct rules usage; /* Content-Usage */
	struct buf text;
	size_t *sitemap; /* where they start in `text` */
	size_t sitemaps, sitemap_room;
	double delay;
};

/* The rules of one user agent while a robots.txt is parsed. The parser collects those of its own agent and those of '*', since it
 * knows only at the end of the file whether there is a group for its own agent. */
struct side {
	struct robots *into;
	int seen;    /* a group with the name was met */
	int rules;   /* the current group names it */
	int delayed; /* likewise, for Crawl-delay */
};

struct reader {
	const char *agent;
	size_t agent_length;
	struct side own, any;
	int in_rules; /* a rule was met: the next User-agent starts a group */
	int in_delay; /* likewise a delay */
};

/* Says whether an escape of this byte is decoded: it is an unreserved character, a character that a pattern can only have as an
 * escape if it is meant literally ('*' and '$'), or the apostrophe, which occurs in canonical URLs in either form. */
static int is_plain(unsigned char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || (c && strchr("-._~*$'", c));
}

/* Says whether a character must be percent-encoded in a URL. */
static int is_escaped(unsigned char c)
{
	return c <= ' ' || c >= 0x7f || strchr("\"<>\\^`{|}", c);
}

/* Reads one character of a pattern or path at p and appends its normal form; returns the bytes
 * read. */
static size_t normalise(struct buf *out, const char *p, const char *end)
{
	unsigned char c = (unsigned char)*p;
	char escape[3];
	size_t n = 1;

	if (c == '%' && end - p > 2 && ascii_is_hex(p[1]) && ascii_is_hex(p[2])) {
		c = (unsigned char)(ascii_hex(p[1]) << 4 | ascii_hex(p[2]));
		n = 3;
	}
	if (n == 3 ? is_plain(c) : !is_escaped(c))
		buf_byte(out, c);
	else
		buf_add(out, escape, (size_t)(url_escape(escape, (char)c) - escape));
	return n;
}

/* Adds a rule: its pattern normalised, with a NUL for each run of wildcards. `octets` is the length by which rules are compared,
 * that of the pattern as it is written. */
static void add_rule(struct robots *r, struct rules *to, const char *pattern, size_t n, unsigned value)
{
	struct rule rule = {.at = (uint32_t)r->text.used, .value = (uint16_t)value};
	const char *end = pattern + n;
	size_t wildcards = 0, joined = 0, escapes = 0;

	if (!n || (n == 1 && *pattern == '$'))
		return; /* says nothing; no path is empty */
	if (pattern[n - 1] == '$') {
		rule.to_end = 1;
		end--;
	}
	while (pattern < end) {
		if (*pattern != '*') {
			/* an escaped wildcard is shorter compared than written */
			size_t read = normalise(&r->text, pattern, end);
			char last = r->text.at[r->text.used - 1];
			escapes += read == 3 && (last == '*' || last == '$' || last == '\'');
			pattern += read;
			continue;
		}
		if (wildcards && r->text.at[r->text.used - 1] == 0)
			joined++;
		else
			buf_byte(&r->text, 0);
		wildcards++;
		pattern++;
	}
	rule.length = (uint32_t)(r->text.used - rule.at);
	rule.octets = (uint32_t)(rule.length + joined + 2 * escapes + rule.to_end);
	to->rule = mem_grow(to->rule, &to->room, to->n + 1, sizeof *to->rule);
	to->rule[to->n++] = rule;
}

/* Adds to a rule that allows FOLDER/index.htm... a rule that allows the URL FOLDER/, as Google's parser does. */
static void add_folder(struct robots *r, const char *pattern, size_t n)
{
	static const char index[] = "/index.htm";
	const char *slash = memrchr(pattern, '/', n);

	if (!slash || (size_t)(pattern + n - slash) < sizeof index - 1 || memcmp(slash, index, sizeof index - 1) != 0)
		return;
	AUTO(buf) folder = BUF_EMPTY;
	buf_add(&folder, pattern, (size_t)(slash + 1 - pattern));
	buf_byte(&folder, '$');
	add_rule(r, &r->fetch, folder.at, folder.used, 1);
}

static void read_rule(struct reader *rd, const char *value, size_t n, int allow)
{
	struct side *side[] = {&rd->own, &rd->any};

	if (!rd->own.rules && !rd->any.rules)
		return; /* no group yet */
	rd->in_rules = 1;
	for (size_t i = 0; i < 2; i++) {
		if (!side[i]->rules)
			continue;
		add_rule(side[i]->into, &side[i]->into->fetch, value, n, (unsigned)allow);
		if (allow)
			add_folder(side[i]->into, value, n);
	}
}

static size_t blanks_from(const char *line, size_t n, size_t at)
{
	while (at < n && line[at] != ' ' && line[at] != '\t')
		at++;
	return at;
}

/* Reads "PREFERENCES" or "PATH PREFERENCES". */
static void read_usage(struct reader *rd, const char *value, size_t n)
{
	struct side *side[] = {&rd->own, &rd->any};
	const size_t path = n && *value == '/' ? blanks_from(value, n, 0) : 0;
	const uint16_t mask = usage_parse(value + path, n - path);

	rd->in_rules = 1;
	for (size_t i = 0; i < 2 && mask; i++)
		if (side[i]->rules)
			add_rule(side[i]->into, &side[i]->into->usage, path ? value : "/", path ? path : 1, mask);
}

/* Reads a Crawl-delay line, which RFC 9309 does not define. For rules the line does not end a run of User-agent lines; for delays
 * it does, since files list one agent and its delay after the other. Of several delays of an agent the longest counts. */
static void read_delay(struct reader *rd, const char *value, size_t n)
{
	struct side *side[] = {&rd->own, &rd->any};
	char text[32] = "";
	double delay;

	memcpy(text, value, n < sizeof text ? n : sizeof text - 1);
	text[strspn(text, "0123456789.")] = 0;
	delay = ascii_real(text, NULL);
	rd->in_delay = 1;
	if (!strpbrk(text, "0123456789") || !isfinite(delay))
		return;
	for (size_t i = 0; i < 2; i++)
		if (side[i]->delayed && delay > side[i]->into->delay)
			side[i]->into->delay = delay;
}

/* Reads a User-agent line, which begins a group after a rule, and continues one otherwise. */
static void read_agent(struct reader *rd, const char *value, size_t n)
{
	size_t token = 0;

	if (rd->in_rules)
		rd->own.rules = rd->any.rules = 0;
	if (rd->in_rules || rd->in_delay)
		rd->own.delayed = rd->any.delayed = 0;
	rd->in_rules = rd->in_delay = 0;
	struct side *side = NULL;
	if (n && value[0] == '*' && (n == 1 || ascii_is_space(value[1])))
		side = &rd->any;
	while (token < n &&
		(value[token] == '-' || value[token] == '_' || ((value[token] | 0x20) >= 'a' && (value[token] | 0x20) <= 'z')))
		token++;
	if (token && token == rd->agent_length && ascii_same(value, rd->agent, token))
		side = &rd->own;
	if (side)
		side->seen = side->rules = side->delayed = 1;
}

static void read_sitemap(struct robots *r, const char *value, size_t n)
{
	if (!n || memchr(value, 0, n))
		return;
	r->sitemap = mem_grow(r->sitemap, &r->sitemap_room, r->sitemaps + 1, sizeof *r->sitemap);
	r->sitemap[r->sitemaps++] = r->text.used;
	buf_add(&r->text, value, n);
	buf_byte(&r->text, 0);
}

enum key { KEY_AGENT, KEY_ALLOW, KEY_DISALLOW, KEY_SITEMAP, KEY_DELAY, KEY_USAGE, KEY_UNKNOWN };

/* Returns the key of a line. A key is recognised by its beginning; the misspellings are those that Google accepts. */
static enum key key_of(const char *text, size_t n)
{
	static const struct {
		const char *name;
		enum key key;
	} known[] = {{"user-agent", KEY_AGENT}, {"useragent", KEY_AGENT}, {"user agent", KEY_AGENT}, {"allow", KEY_ALLOW},
		{"disallow", KEY_DISALLOW}, {"dissallow", KEY_DISALLOW}, {"dissalow", KEY_DISALLOW}, {"disalow", KEY_DISALLOW},
		{"diasllow", KEY_DISALLOW}, {"disallaw", KEY_DISALLOW}, {"sitemap", KEY_SITEMAP}, {"site-map", KEY_SITEMAP},
		{"crawl-delay", KEY_DELAY}, {"crawldelay", KEY_DELAY}, {"content-usage", KEY_USAGE}};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		size_t length = strlen(known[i].name);
		if (n >= length && ascii_same(text, known[i].name, length))
			return known[i].key;
	}
	return KEY_UNKNOWN;
}

static void trim(const char **text, size_t *n)
{
	while (*n && ascii_is_space(**text)) {
		++*text;
		--*n;
	}
	while (*n && ascii_is_space((*text)[*n - 1]))
		--*n;
}

/* Splits a line at its colon, or, as Google does, at the blanks between just two words. */
static int split(const char *line, size_t n, size_t *key, const char **value, size_t *value_length)
{
	const char *colon = memchr(line, ':', n);
	size_t at = colon ? (size_t)(colon - line) : blanks_from(line, n, 0);

	if (at == n)
		return -1;
	*key = at;
	*value = line + at + 1;
	*value_length = n - at - 1;
	trim(value, value_length);
	return colon || blanks_from(*value, *value_length, 0) == *value_length ? 0 : -1;
}

/* Reads a line. Text after LINE_MAX_BYTES and comments are ignored. */
static void read_line(struct reader *rd, const char *line, size_t n)
{
	const char *comment, *value;
	size_t key, length;

	if (n > LINE_MAX_BYTES)
		n = LINE_MAX_BYTES;
	comment = memchr(line, '#', n);
	if (comment)
		n = (size_t)(comment - line);
	trim(&line, &n);
	if (split(line, n, &key, &value, &length))
		return;
	trim(&line, &key);
	switch (key_of(line, key)) {
	case KEY_AGENT:
		read_agent(rd, value, length);
		break;
	case KEY_ALLOW:
	case KEY_DISALLOW:
		read_rule(rd, value, length, key_of(line, key) == KEY_ALLOW);
		break;
	case KEY_DELAY:
		read_delay(rd, value, length);
		break;
	case KEY_USAGE:
		read_usage(rd, value, length);
		break;
	case KEY_SITEMAP: /* belongs to no group: told to both sides */
		read_sitemap(rd->own.into, value, length);
		read_sitemap(rd->any.into, value, length);
		break;
	case KEY_UNKNOWN:
		break;
	}
}

/* Orders rules by their octets, the most first, then allow before disallow: RFC 9309, 2.2.2. */
static int compare_rules(const void *a, const void *b)
{
	const struct rule *x = a, *y = b;

	if (x->octets != y->octets)
		return x->octets > y->octets ? -1 : 1;
	return (int)y->value - (int)x->value;
}

/* Puts rules in the order in which they win. */
static void settle(struct rules *r)
{
	if (!r->n)
		return;
	qsort(r->rule, r->n, sizeof *r->rule, compare_rules);
	r->rule = mem_resize(r->rule, r->n, sizeof *r->rule);
}

/* Most sites allow everything, and share these rules, which nothing changes. */
static const struct robots all_allowed = {.delay = -1};

struct robots *robots_empty(void)
{
	return (struct robots *)(uintptr_t)&all_allowed;
}

static struct robots *make_rules(void)
{
	struct robots *r = mem_zero(1, sizeof *r);

	r->delay = -1;
	return r;
}

static int allows_all(const struct robots *r)
{
	return !r->fetch.n && !r->usage.n && !r->sitemaps && r->delay < 0;
}

struct robots *robots_parse(const char *bytes, size_t n, const char *agent)
{
	static const char mark[] = "\xef\xbb\xbf";
	struct reader rd = {.agent = agent, .agent_length = strcspn(agent, "/ ")};
	const char *p = bytes;

	if (n > ROBOTS_MAX_BYTES)
		n = ROBOTS_MAX_BYTES;
	const char *end = bytes + n;
	for (size_t i = 0; i < 3 && p < end && *p == mark[i]; i++)
		p++;
	rd.own.into = make_rules();
	rd.any.into = make_rules();
	while (p < end) {
		const char *stop = p;
		while (stop < end && *stop != '\n' && *stop != '\r')
			stop++;
		read_line(&rd, p, (size_t)(stop - p));
		p = stop + (stop < end);
	}
	struct robots *r = rd.own.seen ? rd.own.into : rd.any.into;
	robots_free(rd.own.seen ? rd.any.into : rd.own.into);
	settle(&r->fetch);
	settle(&r->usage);
	if (allows_all(r)) {
		robots_free(r);
		return robots_empty();
	}
	return r;
}

void robots_free(struct robots *r)
{
	if (!r || r == &all_allowed)
		return;
	free(r->fetch.rule);
	free(r->usage.rule);
	free(r->sitemap);
	buf_release(&r->text);
	free(r);
}

/* Says whether a rule matches a path of n bytes. The text between two wildcards is matched at its first occurrence: any later one
 * would leave less of the path for the rest of the pattern. So the search never goes back. */
static int matches(const struct rule *rule, const char *text, const char *path, size_t n)
{
	const char *p = text + rule->at, *end = p + rule->length, *stop = path + n;
	const char *wildcard = memchr(p, 0, rule->length);
	size_t length = (size_t)((wildcard ? wildcard : end) - p);

	if (length > n || memcmp(path, p, length) != 0)
		return 0;
	path += length;
	if (!wildcard)
		return !rule->to_end || path == stop;
	for (;;) {
		p = wildcard + 1;
		wildcard = memchr(p, 0, (size_t)(end - p));
		length = (size_t)((wildcard ? wildcard : end) - p);
		if (length > (size_t)(stop - path))
			return 0;
		if (!wildcard && rule->to_end)
			return memcmp(stop - length, p, length) == 0;
		path = memmem(path, (size_t)(stop - path), p, length);
		if (!path || !wildcard)
			return path != NULL;
		path += length;
	}
}

static int may_fetch(const struct robots *r, const char *path, size_t n)
{
	for (size_t i = 0; i < r->fetch.n; i++)
		if (matches(&r->fetch.rule[i], r->text.at, path, n))
			return r->fetch.rule[i].value;
	return 1; /* a path that no rule matches is allowed: RFC 9309, 2.2.2 */
}

/* All preferences of the longest patterns that match. */
static int usage_of(const struct robots *r, const char *path, size_t n)
{
	uint32_t octets = 0;
	unsigned mask = 0;

	for (size_t i = 0; i < r->usage.n && (!mask || r->usage.rule[i].octets == octets); i++)
		if (matches(&r->usage.rule[i], r->text.at, path, n)) {
			mask |= r->usage.rule[i].value;
			octets = r->usage.rule[i].octets;
		}
	return (int)mask;
}

/* Asks the rules about a path in its normal form. */
static int ask(const struct robots *r, int (*question)(const struct robots *, const char *, size_t), const char *path, size_t n)
{
	AUTO(buf) normal = BUF_EMPTY;
	const char *end = path + n, *p = path;

	while (p < end && *p != '%' && !is_escaped((unsigned char)*p))
		p++;
	if (p == end)
		return question(r, path, n);
	for (p = path; p < end;)
		p += normalise(&normal, p, end);
	return question(r, normal.at, normal.used);
}

int robots_allows(const struct robots *r, const char *path, size_t n)
{
	static const char self[] = "/robots.txt";

	if (n == sizeof self - 1 && memcmp(path, self, n) == 0)
		return 1;
	return !r->fetch.n || ask(r, may_fetch, path, n);
}

uint16_t robots_usage(const struct robots *r, const char *path, size_t n)
{
	return r->usage.n ? (uint16_t)ask(r, usage_of, path, n) : 0;
}

double robots_delay(const struct robots *r)
{
	return r->delay;
}

const char *robots_sitemap(const struct robots *r, size_t i)
{
	return i < r->sitemaps ? r->text.at + r->sitemap[i] : NULL;
}
