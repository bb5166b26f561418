#include "parser/regex_size.h"

#include <stdlib.h>
#include <string.h>

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
