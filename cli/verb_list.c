/* `lycosa list`: what policies, seed methods and formats there are. */
#include "base/nearest.h"
#include "cli/flags/options.h"
#include "cli/verbs.h"
#include "graph/formats/format.h"
#include "policies/policies.h"
#include "seeds/method.h"

#include <string.h>

struct list_options {
	struct standard_options standard;
	struct report_options report;
};

/* A policy or a method, as it is listed. */
struct listed {
	const char *name, *summary, *source;
	const char *needs; /* what no live crawl has; "" for nothing */
	unsigned sights;   /* bits of enum policy_sight that it needs */
	const struct opt *opts;
};

/* Entry i of a table, 0 beyond the last. */
typedef int listed_at(size_t i, struct listed *out);

static int policy_at(size_t i, struct listed *out)
{
	static const char *const needs[] = {[POLICY_NO_ORACLE] = "",
		[POLICY_TRUE_RANK] = "PageRank of the whole graph",
		[POLICY_TRUE_INDEGREE] = "in-degrees of the whole graph",
		[POLICY_SCORES] = "a score a node",
		[POLICY_TRUE_MAP] = "all links and PageRank of the whole graph"};
	const struct policy *p = policy_listed(i);

	if (!p)
		return 0;
	*out = (struct listed){p->name, p->summary, p->source, needs[p->oracle], p->needs, p->opts};
	return 1;
}

static int method_at(size_t i, struct listed *out)
{
	const struct seed_method *m = seed_methods[i];

	if (!m)
		return 0;
	*out = (struct listed){m->name, m->summary, m->source, "", 0, m->opts};
	return 1;
}

static void add_default(const struct opt *o, struct buf *out)
{
	if (o->kind == OPT_CHOICE)
		buf_add(out, o->choices, strcspn(o->choices, "|"));
	else if (o->kind != OPT_TEXT)
		opt_shortest(out, o->def);
}

static void add_range(const struct opt *o, struct buf *out)
{
	if (o->kind == OPT_CHOICE) {
		buf_text(out, o->choices);
	} else if (o->kind == OPT_TEXT) {
		buf_text(out, "text");
	} else {
		opt_shortest(out, o->min);
		buf_text(out, "..");
		opt_shortest(out, o->max);
	}
}

/* Writes what a policy needs and not every crawl has, as in "hosts, URLs". */
static void add_needs(const struct listed *l, struct buf *out)
{
	buf_text(out, l->needs);
	for (unsigned bit = 1; bit < POLICY_SEES_ALL; bit <<= 1) {
		const char *words = policy_sight_words(l->sights & bit);
		if (*words)
			buf_format(out, "%s%s", out->used ? ", " : "", words);
	}
}

/* Writes the options, as in "delta0=0.35 (0..1), f=literal (literal|symmetric)". */
static void add_options(const struct opt *o, struct buf *out)
{
	for (; o && o->name; o++) {
		buf_format(out, "%s%s=", out->used ? ", " : "", o->name);
		add_default(o, out);
		buf_text(out, " (");
		add_range(o, out);
		buf_byte(out, ')');
	}
	buf_end(out);
}

static void print_all(listed_at *at, struct results *r)
{
	static const char *const column[] = {"name", "summary", "source", "options", "needs", NULL};
	struct listed l;

	results_columns(r, column);
	for (size_t i = 0; at(i, &l); i++) {
		AUTO(buf) options = BUF_EMPTY, needs = BUF_EMPTY;
		add_options(l.opts, &options);
		add_needs(&l, &needs);
		RESULTS_CELLS(r, cell_text(l.name), cell_text(l.summary), cell_text(l.source), cell_text(options.at),
			cell_text(needs.at));
	}
}

/* Prints one entry, with a row for each option. */
static void print_one(const struct listed *l, struct results *r)
{
	static const char *const column[] = {"option", "default", "range", "help", NULL};
	AUTO(buf) needs = BUF_EMPTY;

	add_needs(l, &needs);
	results_fact(r, "name", cell_text(l->name));
	results_fact(r, "summary", cell_text(l->summary));
	results_fact(r, "source", cell_text(l->source));
	if (needs.used)
		results_fact(r, "needs", cell_text(needs.at));
	results_columns(r, column);
	for (const struct opt *o = l->opts; o && o->name; o++) {
		AUTO(buf) text = BUF_EMPTY;
		RESULTS_CELLS(r, cell_text(o->name));
		add_default(o, &text);
		RESULTS_CELLS(r, cell_text(text.at));
		buf_clear(&text);
		add_range(o, &text);
		RESULTS_CELLS(r, cell_text(text.at), cell_text(o->help));
	}
}

static int find(listed_at *at, const char *what, const char *name, struct listed *l, struct err_note *why)
{
	const char *best = NULL;
	size_t distance = 0;

	for (size_t i = 0; at(i, l); i++) {
		if (strcmp(l->name, name) == 0)
			return 0;
		nearest_try(name, l->name, &best, &distance);
	}
	if (best && nearest_is_near(name, distance))
		return err_set(why, ERR_USAGE, "there is no %s '%s'; the nearest is '%s'", what, name, best);
	return err_set(why, ERR_USAGE, "there is no %s '%s'", what, name);
}

/* Finds a policy that is in no table: in a file, or a chain. */
static int find_spec(const char *spec, const struct policy **p, struct listed *l, struct err_note *why)
{
	TRY(policy_find(spec, p, why));
	*l = (struct listed){(*p)->name, (*p)->summary, (*p)->source, "", policy_needs(*p), (*p)->opts};
	return 0;
}

static int list(const struct command *c, listed_at *at, const char *what, struct err_note *why)
{
	const struct list_options *o = c->options;
	const struct policy *spec = NULL;
	struct listed l = {0};
	struct results r;

	if (c->flags->operands) {
		const char *name = c->flags->operand[0];
		int err = at == policy_at && policy_is_spec(name) ? find_spec(name, &spec, &l, why) : find(at, what, name, &l, why);
		if (err)
			return err;
	}
	report_begin(&o->report, &r);
	if (c->flags->operands)
		print_one(&l, &r);
	else
		print_all(at, &r);
	policy_free(spec);
	return results_end(&r, why);
}

static int run_policies(const struct command *c, struct err_note *why)
{
	return list(c, policy_at, "policy", why);
}

static int run_methods(const struct command *c, struct err_note *why)
{
	return list(c, method_at, "method", why);
}

static int run_formats(const struct command *c, struct err_note *why)
{
	static const char *const column[] = {"name", "summary", "reads", "writes", NULL};
	const struct list_options *o = c->options;
	struct results r;

	report_begin(&o->report, &r);
	results_columns(&r, column);
	for (const struct graph_format *f = graph_formats; f->name; f++) {
		RESULTS_CELLS(&r, cell_text(f->name), cell_text(f->summary), cell_text(f->load ? "yes" : "no"),
			cell_text(f->save ? "yes" : "no"));
	}
	return results_end(&r, why);
}

static const struct list_options list_defaults;
static const struct flag list_flags[] = {
	JSON_ROW(offsetof(struct list_options, report.json)),
	STANDARD_ROWS,
};

static const struct verb verb_policies = VERB("policies", "Lists the policies, or the options of one.", list_flags, list_defaults,
	run_policies, .operands = "[NAME]");

static const struct verb verb_methods = VERB("methods", "Lists the seed methods, or the options of one.", list_flags, list_defaults,
	run_methods, .operands = "[NAME]");

static const struct verb verb_formats = VERB("formats", "Lists the graph formats.", list_flags, list_defaults, run_formats);

static const struct verb *const list_verbs[] = {&verb_policies, &verb_methods, &verb_formats, NULL};

const struct verb verb_list = {
	.name = "list",
	.summary = "Lists policies, seed methods and graph formats.",
	.verbs = list_verbs,
};
