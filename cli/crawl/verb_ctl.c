/* `lycosa ctl`: asks or commands a crawl that runs with --monitor. Each verb is one of crawler/monitor/control.h. */
#include "cli/crawl/ctl_call.h"
#include "cli/flags/options.h"
#include "cli/verbs.h"

#include <stdlib.h>
#include <string.h>

struct ctl_options {
	struct standard_options standard;
	const char *store, *url, *token;
	int json;
	const char *sort, *match, *state; /* arguments of the verbs that have them */
	uint64_t count;                   /* 0: not given */
};

/* --- printing an answer */

/* Appends a JSON value as text: a scalar as it is, an object as its members with blanks between, without the member "because". */
static void put_flat(struct buf *out, const json_t *value)
{
	const char *name;
	json_t *member;

	if (json_is_object(value)) {
		json_object_foreach((json_t *)value, name, member) if (strcmp(name, "because") != 0) put_flat(out, member);
		return;
	}
	if (out->used)
		buf_byte(out, ' ');
	if (json_is_string(value))
		buf_text(out, json_string_value(value));
	else if (json_is_integer(value))
		buf_format(out, "%lld", (long long)json_integer_value(value));
	else if (json_is_real(value))
		opt_shortest(out, json_real_value(value));
	else
		buf_text(out, json_is_true(value) ? "yes" : json_is_false(value) ? "no" : "-");
}

static void put_value(struct results *r, const json_t *value)
{
	struct buf text = BUF_EMPTY;

	if (json_is_integer(value)) {
		results_count(r, (uint64_t)json_integer_value(value));
	} else if (json_is_real(value)) {
		results_real(r, json_real_value(value));
	} else {
		put_flat(&text, value);
		results_text(r, text.used ? text.at : "");
	}
	buf_release(&text);
}

/* Prints the members of an object as named values; a member of an object within it gets the name "outer_inner". The array "rows"
 * is left out: put_rows() prints it. */
static void put_named(struct results *r, const char *prefix, const json_t *object)
{
	const char *name;
	json_t *value;
	size_t i;
	json_t *one;

	json_object_foreach((json_t *)object, name, value)
	{
		struct buf full = BUF_EMPTY;
		if (strcmp(name, "rows") == 0 && json_is_array(value))
			continue;
		buf_format(&full, "%s%s%s", prefix, *prefix ? "_" : "", name);
		if (json_is_object(value)) {
			put_named(r, full.at, value);
		} else if (json_is_array(value)) {
			json_array_foreach(value, i, one)
			{
				results_name(r, full.at);
				put_value(r, one);
			}
		} else {
			results_name(r, full.at);
			put_value(r, value);
		}
		buf_release(&full);
	}
}

#define COLUMNS 32

/* Prints a table whose columns are the members of its first row. */
static void put_rows(struct results *r, const json_t *rows)
{
	const char *columns[COLUMNS + 1] = {NULL}, *name;
	json_t *value, *row;
	size_t n = 0, i;

	json_object_foreach(json_array_get(rows, 0), name, value) if (n < COLUMNS) columns[n++] = name;
	if (!n)
		return;
	results_columns(r, columns);
	json_array_foreach(rows, i, row)
	{
		for (size_t k = 0; k < n; k++) {
			value = json_object_get(row, columns[k]);
			if (value && !json_is_null(value))
				put_value(r, value);
			else
				results_none(r);
		}
	}
}

static int print(const json_t *answer, int as_json, struct err_note *why)
{
	const json_t *rows = json_object_get(answer, "rows");
	struct results r;

	if (as_json) {
		json_dumpf(answer, stdout, JSON_INDENT(2) | JSON_ENSURE_ASCII);
		putchar('\n');
		return fflush(stdout) || ferror(stdout) ? err_set(why, ERR_RESULTS, "cannot write to stdout") : 0;
	}
	results_begin(&r, stdout, RESULTS_TSV);
	if (!rows)
		results_figures(&r);
	put_named(&r, "", answer);
	if (rows)
		put_rows(&r, rows);
	return results_end(&r, why);
}

/* --- the call */

static void put_option(json_t *args, const char *name, const char *value)
{
	if (value)
		json_object_set_new(args, name, json_string(value));
}

/* Passes the operands as the argument that the verb needs. */
static int put_operands(json_t *args, const struct control_verb *verb, const struct flags *f, struct err_note *why)
{
	const struct control_argument *a = &verb->argument[0];
	json_t *list = json_array();

	for (size_t i = 0; i < f->operands; i++)
		if (json_array_append_new(list, json_string(f->operand[i]))) {
			json_decref(list);
			return err_set(why, ERR_USAGE, "'%s' is no text in UTF-8", f->operand[i]);
		}
	if (f->operands)
		json_object_set(args, a->name, a->need == CONTROL_LIST ? list : json_array_get(list, 0));
	json_decref(list);
	return 0;
}

static int run(const struct command *c, struct err_note *why)
{
	const struct ctl_options *o = c->options;
	const struct control_verb *verb = control_verb_named(c->verb->name, why);
	json_t *args = json_object(), *answer = NULL;
	struct ctl_place place;
	char count[24];
	int err = ctl_find(&place, o->store, o->url, o->token, why);

	put_option(args, "sort-by", o->sort);
	if (o->count) {
		snprintf(count, sizeof count, "%llu", (unsigned long long)o->count);
		put_option(args, "count", count);
	}
	put_option(args, "match", o->match);
	put_option(args, "only", o->state);
	if (!err)
		err = put_operands(args, verb, c->flags, why);
	if (!err)
		err = ctl_call(&place, verb, args, &answer, why);
	if (!err)
		err = print(answer, o->json, why);
	json_decref(args);
	json_decref(answer);
	ctl_release(&place);
	return err;
}

/* --- the verbs */

#define CTL(field) offsetof(struct ctl_options, field)
static const struct flag place_flags[] = {
	{"store", 0, FLAG_TEXT, CTL(store), "DIR", .help = "the store of the crawl", .file = FLAG_READS_FOLDER},
	{"url", 0, FLAG_TEXT, CTL(url), "URL", .help = "the address of its monitor, instead"},
	{"token", 0, FLAG_TEXT, CTL(token), "FILE", .help = "the file with the monitor's token; a store knows it by itself",
		.file = FLAG_READS},
	{"json", 0, FLAG_SWITCH, CTL(json), .help = "print the answer as JSON"},
	{.name = NULL},
};

static const char *sort_word(size_t i)
{
	static const char *const words[] = {"queued", "crawled", "failed", "refused", "requests", "failures", "bytes", "mean_ms",
		"name"};

	return i < sizeof words / sizeof *words ? words[i] : NULL;
}

static const char *state_word(size_t i)
{
	static const char *const words[] = {"idle", "ready", "rests", "held", "given-up", "blocked"};

	return i < sizeof words / sizeof *words ? words[i] : NULL;
}

static const struct flag hosts_flags[] = {
	{"sort-by", 0, FLAG_TEXT, CTL(sort), "FIGURE", .help = "the first by this figure (queued)", .words = sort_word},
	{"count", 0, FLAG_COUNT, CTL(count), "N", .help = "how many", .min = 1},
	{"match", 0, FLAG_TEXT, CTL(match), "TEXT", .help = "only hosts with this text in their names"},
	{"only", 0, FLAG_TEXT, CTL(state), "STATE", .help = "only hosts in this state", .words = state_word},
	{.name = NULL},
};
static const struct flag next_flags[] = {
	{"count", 0, FLAG_COUNT, CTL(count), "N", .help = "how many", .min = 1},
	{.name = NULL},
};

static const struct ctl_options defaults;
static const struct flag_group groups[] = {{NULL, place_flags, 0, FLAGS_A_LINE_EACH}, STANDARD_GROUP, {.flags = NULL}};
static const struct flag_group hosts_groups[] = {{NULL, place_flags, 0, FLAGS_A_LINE_EACH},
	{NULL, hosts_flags, 0, FLAGS_A_LINE_EACH}, STANDARD_GROUP, {.flags = NULL}};
static const struct flag_group next_groups[] = {{NULL, place_flags, 0, FLAGS_A_LINE_EACH}, {NULL, next_flags, 0, FLAGS_A_LINE_EACH},
	STANDARD_GROUP, {.flags = NULL}};

#define VERB(id, called, text, takes, from, to, flags) \
	static const struct verb to_##id = {.name = called, \
		.summary = text, \
		.operands = takes, \
		.least = from, \
		.most = to, \
		.groups = flags, \
		.defaults = &defaults, \
		.size = sizeof defaults, \
		.run = run}

VERB(status, "status", "Says how the crawl stands.", NULL, 0, 0, groups);
VERB(history, "history", "Says how the sitting has run, sample by sample.", NULL, 0, 0, groups);
VERB(hosts, "hosts", "Lists hosts, the first by a figure.", NULL, 0, 0, hosts_groups);
VERB(next, "next", "Lists the pages that are likely to be taken next, and why.", NULL, 0, 0, next_groups);
VERB(explain, "explain", "Says what the crawl knows of a URL, and how it was found.", "URL", 1, 1, groups);
VERB(pause, "pause", "Takes no further page until resume.", NULL, 0, 0, groups);
VERB(resume, "resume", "Ends the pause.", NULL, 0, 0, groups);
VERB(stop, "stop", "Ends the sitting, as SIGTERM does.", NULL, 0, 0, groups);
VERB(seed, "seed", "Adds seeds.", "URL...", 1, OPERANDS_ANY, groups);
VERB(delay, "delay", "Sets the pause between two requests to a host or address.", "TIME", 1, 1, groups);
VERB(block, "block", "Takes a host out of the scope, with its queued pages.", "HOST", 1, 1, groups);
VERB(unblock, "unblock", "Takes a blocked host into the scope again.", "HOST", 1, 1, groups);
VERB(hold, "hold", "Requests no page of a host until release.", "HOST", 1, 1, groups);
VERB(release, "release", "Ends the hold of a host.", "HOST", 1, 1, groups);

static const struct verb *const verbs[] = {&to_status, &to_history, &to_hosts, &to_next, &to_explain, &to_pause, &to_resume,
	&to_stop, &to_seed, &to_delay, &to_block, &to_unblock, &to_hold, &to_release, NULL};

const struct verb verb_ctl = {
	.name = "ctl",
	.summary = "Watches and steers a crawl that runs with --monitor.",
	.verbs = verbs,
};
