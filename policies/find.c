#include "base/buf.h"
#include "base/mem.h"
#include "base/num.h"
#include "policies/policies.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* --- what a user types */

int policy_find(const char *spec, const struct policy **out, struct err_note *why)
{
	const char *near;

	*out = NULL;
	if (strpbrk(spec, ",:"))
		return policy_chain(spec, out, why);
	if (strchr(spec, '/'))
		return policy_load(spec, out, why);
	*out = policy_named(spec);
	if (*out)
		return 0;
	near = policy_nearest(spec);
	size_t n = strlen(spec);
	if (n > 3 && strcmp(spec + n - 3, ".so") == 0)
		return err_set(why, ERR_USAGE, "there is no policy '%s'; a file is named with its folder: './%s'", spec, spec);
	if (near)
		return err_set(why, ERR_USAGE, "there is no policy '%s'; the nearest is '%s'", spec, near);
	return err_set(why, ERR_USAGE, "there is no policy '%s'; see 'lycosa list policies'", spec);
}

int policy_spec_has_file(const char *spec)
{
	return strchr(spec, '/') != NULL;
}

/* Returns the length of the name in an element "name" or "name:pages" of a chain. */
static size_t name_length(const char *part, size_t n)
{
	for (size_t i = n; i-- > 0;)
		if (part[i] == ':')
			return i;
	return n;
}

char *policy_spec_absolute(const char *spec)
{
	struct buf out = BUF_EMPTY;

	for (;;) {
		size_t n = strcspn(spec, ","), length = name_length(spec, n);
		char *name = mem_part(spec, length);
		char *path = strchr(name, '/') ? realpath(name, NULL) : NULL;
		buf_text(&out, path ? path : name);
		buf_add(&out, spec + length, n - length);
		free(path);
		free(name);
		if (!spec[n])
			break;
		buf_byte(&out, ',');
		spec += n + 1;
	}
	return buf_take(&out);
}

size_t policy_spec_length(const char *list)
{
	size_t n = 0;

	for (;;) {
		size_t part = strcspn(list + n, ",");
		int goes_on = name_length(list + n, part) < part; /* "bfs:10" is followed by another element */
		n += part;
		if (!list[n] || !goes_on)
			return n;
		n++;
	}
}

/* --- chains */

#define PAGES_MOST ((uint64_t)1 << 52) /* the most pages of a turn */

struct chain {
	struct policy policy; /* the first field, so that policy_free() can cast the policy to its chain */
	struct policy_turn turn[CHAIN_MOST];
	struct opt *opts; /* the options of all policies, named "name.key", and an empty row */
	size_t n_opts, opts_room;
};

static void chain_free(struct chain *c)
{
	for (size_t i = 0; i < c->n_opts && c->opts[i].name; i++)
		free((char *)c->opts[i].name);
	free(c->opts);
	free((char *)c->policy.name);
	free(c);
}

void policy_free(const struct policy *p)
{
	if (p && p->plan.n)
		chain_free((struct chain *)p);
}

static void add_opt(struct chain *c, struct opt o)
{
	c->opts = mem_grow(c->opts, &c->opts_room, c->n_opts + 1, sizeof *c->opts);
	c->opts[c->n_opts++] = o;
}

/* Adds the options of a policy to the chain, unless an earlier turn has the same policy: both turns share the options.
 * Returns the index of the policy's first option. */
static size_t add_opts(struct chain *c, size_t turns, const struct policy *p)
{
	size_t at = c->n_opts;

	for (size_t i = 0; i < turns; i++)
		if (c->turn[i].policy == p)
			return c->turn[i].opts_at;
	for (const struct opt *o = p->opts; o && o->name; o++) {
		struct buf name = BUF_EMPTY;
		struct opt mine = *o;
		buf_format(&name, "%s.%s", p->name, o->name);
		mine.name = buf_take(&name);
		add_opt(c, mine);
	}
	return at;
}

static int add_oracle(struct chain *c, const struct policy *p, struct err_note *why)
{
	if (!p->oracle)
		return 0;
	if (p->oracle == POLICY_SCORES)
		return err_set(why, ERR_USAGE, "the policy '%s' goes by a file of scores and cannot stand in a chain", p->name);
	if (c->policy.oracle && c->policy.oracle != p->oracle)
		return err_set(why, ERR_USAGE, "the chain '%s' has policies that want to know different things of the whole graph",
			c->policy.name);
	c->policy.oracle = p->oracle;
	return 0;
}

/* Parses "name:pages", or "name" if it is the last element of the spec. Cuts `one` down to the name, and sets *pages, to 0
 * for the last element. */
static int read_pages(struct chain *c, char *one, int is_last, uint64_t *pages, struct err_note *why)
{
	char *colon = strrchr(one, ':');
	int err = colon ? num_count(colon + 1, PAGES_MOST, pages) : 0;

	*pages = colon && !err ? *pages : 0;
	if (is_last && colon)
		return err_set(why, ERR_USAGE, "the chain '%s' does not say which policy follows '%s'; 'bfs:1000,ieca' is a chain",
			c->policy.name, one);
	if (!is_last && !*pages)
		return err_set(why, ERR_USAGE,
			"the chain '%s' does not say for how many pages (1 or more) '%s' is first; 'bfs:1000,ieca' is a chain",
			c->policy.name, one);
	if (colon)
		*colon = 0;
	return 0;
}

static int add_turn(struct chain *c, char *one, int is_last, struct err_note *why)
{
	const struct policy *p;
	struct policy *all = &c->policy;
	size_t n = all->plan.n;
	uint64_t pages;

	if (n == CHAIN_MOST)
		return err_set(why, ERR_USAGE, "a chain has at most %d policies", CHAIN_MOST);
	if (!*one)
		return err_set(why, ERR_USAGE, "the chain '%s' names no policy where one is wanted; 'bfs:1000,ieca' is a chain",
			all->name);
	TRY(read_pages(c, one, is_last, &pages, why));
	TRY(policy_find(one, &p, why));
	TRY(add_oracle(c, p, why));
	c->turn[n] = (struct policy_turn){p, is_last ? 0 : pages + (n ? c->turn[n - 1].until : 0), add_opts(c, n, p)};
	all->plan.n++;
	return 0;
}

int policy_chain(const char *spec, const struct policy **out, struct err_note *why)
{
	struct chain *c = mem_zero(1, sizeof *c);
	char *copy = mem_text(spec), *next = copy, *one;
	int err = 0;

	c->policy.name = mem_text(spec);
	c->policy.summary = "policies that take turns";
	c->policy.source = "a chain";
	c->policy.plan.turns = c->turn;
	while (!err && (one = strsep(&next, ",")))
		err = add_turn(c, one, !next, why);
	add_opt(c, (struct opt){.name = NULL});
	c->policy.opts = c->opts;
	free(copy);
	*out = err ? NULL : &c->policy;
	if (err)
		chain_free(c);
	return err;
}

void policy_each(const struct policy *p, policy_tell *tell, void *ctx)
{
	struct policy_turn only;
	const struct plan plan = policy_plan(p, &only);

	for (size_t i = 0; i < plan.n; i++)
		tell(ctx, plan.turns[i].policy);
}
