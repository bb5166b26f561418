#include "parser/match.h"
#include "base/ascii.h"
#include "base/mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int match_regex_new(regex_t **out, const char *text, struct err_note *why)
{
	char message[256];

	if (!text)
		return 0;
	if (regex_size(text) > REGEX_SIZE_MAX)
		return err_set(why, ERR_USAGE,
			"'%.80s' repeats too much: the most is %d characters once that is written out, "
			"and %d repetitions one around the other",
			text, REGEX_SIZE_MAX, REGEX_REPEATED_MAX);
	*out = mem_zero(1, sizeof **out);
	int code = ascii_regex(*out, text, REG_EXTENDED | REG_NOSUB);
	if (code == 0)
		return 0;
	if (code == REG_ESPACE)
		mem_exhausted();
	regerror(code, *out, message, sizeof message);
	free(*out);
	*out = NULL;
	return err_set(why, ERR_USAGE, "'%s' is no extended regular expression: %s", text, message);
}

int match_regex(const regex_t *r, const char *text)
{
	const int code = regexec(r, text, 0, NULL, 0);

	if (code == REG_ESPACE)
		mem_exhausted();
	return code == 0;
}

void match_regex_free(regex_t *r)
{
	if (r)
		regfree(r);
	free(r);
}

int match_domain(const char *host, size_t n, const char *domain)
{
	domain += *domain == '.';
	size_t m = strlen(domain);

	if (m == 0 || m > n || !ascii_same(host + n - m, domain, m))
		return 0;
	return m == n || host[n - m - 1] == '.';
}

/* Says whether c is in the bracket expression at *p, and moves *p behind its ']'. Returns -1 if there is no complete expression. */
static int in_set(const char **p, char c)
{
	const char *q = *p + 1;
	int inverted = *q == '!' || *q == '^', found = 0;

	q += inverted;
	for (const char *first = q; *q && (*q != ']' || q == first); q++) {
		if (q[1] == '-' && q[2] && q[2] != ']') {
			found |= (unsigned char)*q <= (unsigned char)c && (unsigned char)c <= (unsigned char)q[2];
			q += 2;
		} else {
			found |= *q == c;
		}
	}
	if (!*q)
		return -1;
	*p = q + 1;
	return found != inverted;
}

/* Says whether the glob matches one character c at its beginning; if so, moves *p on. */
static int glob_one(const char **p, char c)
{
	int found = -1;

	if (**p == '[')
		found = in_set(p, c);
	if (found >= 0)
		return found;
	if (**p != '?' && **p != c)
		return 0;
	++*p;
	return 1;
}

/* The match is iterative, and backtracks to the last '*' only; fnmatch() takes time exponential in the number of stars. */
int match_glob(const char *p, const char *text, size_t n)
{
	const char *end = text + n, *star = NULL, *from = NULL;

	while (text < end) {
		const char *q = p;
		if (*p == '*') {
			star = ++p;
			from = text;
		} else if (*p && glob_one(&q, *text)) {
			p = q;
			text++;
		} else if (star) {
			p = star;
			text = ++from;
		} else {
			return 0;
		}
	}
	while (*p == '*')
		p++;
	return !*p;
}

/* A group that is not closed yet. */
struct group {
	uint64_t sum;   /* of what stands before its last atom */
	uint64_t last;  /* that atom, which a repetition behind it repeats */
	unsigned under; /* the most repetitions around an atom of it, before the last */
	unsigned deep;  /* and of that one */
};

/* Returns the position after the bracket expression that begins at p. */
static const char *skip_bracket(const char *p)
{
	p += p[1] == '^' ? 2 : 1;
	p += *p == ']';
	while (*p && *p != ']') {
		const char kind = *p == '[' && p[1] && strchr(".:=", p[1]) ? p[1] : 0;
		p += kind ? 2 : 1;
		while (kind && *p && !(*p == kind && p[1] == ']'))
			p++;
		p += kind && *p ? 2 : 0;
	}
	return *p ? p + 1 : p;
}

/* Returns how many copies of its atom the repetition at *p compiles to, and moves *p behind it; 0 if there is no repetition. */
static uint64_t copies(const char **p)
{
	char *end;

	switch (**p) {
	case '*':
	case '?':
		++*p;
		return 1;
	case '+':
		++*p;
		return 2;
	case '{':
		break;
	default:
		return 0;
	}
	const uint64_t least = strtoul(*p + 1, &end, 10);
	const uint64_t most = *end == ',' ? strtoul(end + 1, &end, 10) : least;
	if (*end != '}')
		return 0;
	*p = end + 1;
	const uint64_t times = least > most ? least : most;
	return 1 + (times < REGEX_SIZE_MAX ? times : REGEX_SIZE_MAX);
}

static unsigned larger(unsigned a, unsigned b)
{
	return a > b ? a : b;
}

static void add_atom(struct group *g, uint64_t atom, unsigned deep)
{
	g->sum += g->last;
	g->last = atom;
	g->under = larger(g->under, g->deep);
	g->deep = deep;
}

static void add_group(struct group *g, const struct group *inner)
{
	add_atom(g, inner->sum + inner->last + 1, larger(inner->under, inner->deep));
}

uint32_t regex_size(const char *p)
{
	struct group group[REGEX_DEPTH_MAX + 1] = {{0, 0, 0, 0}};
	unsigned depth = 0;

	while (*p) {
		struct group *g = &group[depth];
		const uint64_t times = copies(&p);
		if (times && g->last) {
			g->last *= times;
			if (++g->deep > REGEX_REPEATED_MAX)
				return REGEX_SIZE_MAX + 1;
		} else if (times) {
			continue; /* of nothing */
		} else if (*p == '(') {
			if (depth == REGEX_DEPTH_MAX)
				return REGEX_SIZE_MAX + 1;
			group[++depth] = (struct group){0, 0, 0, 0};
			p++;
		} else if (*p == ')' && depth) {
			add_group(&group[--depth], g);
			p++;
		} else if (*p == '[') {
			add_atom(g, 1, 0);
			p = skip_bracket(p);
		} else {
			add_atom(g, 1, 0);
			p += *p == '\\' && p[1] ? 2 : 1;
		}
		if (group[depth].sum + group[depth].last > REGEX_SIZE_MAX)
			return REGEX_SIZE_MAX + 1;
	}
	while (depth) {
		depth--;
		add_group(&group[depth], &group[depth + 1]);
	}
	const uint64_t size = group[0].sum + group[0].last;
	return size > REGEX_SIZE_MAX ? REGEX_SIZE_MAX + 1 : (uint32_t)size;
}
