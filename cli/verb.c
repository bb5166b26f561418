#include "cli/verb.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct flag standard_flags[] = {
	{"quiet", 'q', FLAG_SWITCH, offsetof(struct standard_options, quiet), .help = "print errors only"},
	{"verbose", 'v', FLAG_SWITCH, offsetof(struct standard_options, verbose),
		.help = "print more on stderr: steps and their seconds"},
	{"help", 'h', FLAG_SWITCH, offsetof(struct standard_options, help), "all",
		.help = "print this; all: a line for every flag"},
	{"version", 'V', FLAG_SWITCH, offsetof(struct standard_options, version), .help = "print the version"},
	{.name = NULL},
};

static const struct flag_group standard_only[] = {STANDARD_GROUP, {.flags = NULL}};

const struct verb *verb_named(const struct verb *parent, const char *name, struct err_note *why)
{
	const char *best = NULL;
	size_t distance = 0;

	for (size_t i = 0; parent->verbs && parent->verbs[i]; i++) {
		if (strcmp(parent->verbs[i]->name, name) == 0)
			return parent->verbs[i];
		nearest_try(name, parent->verbs[i]->name, &best, &distance);
	}
	if (best && nearest_is_near(name, distance)) {
		err_set(why, ERR_USAGE, "unknown verb '%s'; the nearest is '%s'", name, best);
		return NULL;
	}
	struct buf all = BUF_EMPTY;
	for (size_t i = 0; parent->verbs && parent->verbs[i]; i++)
		buf_format(&all, "%s%s", i ? ", " : "", parent->verbs[i]->name);
	err_set(why, ERR_USAGE, "unknown verb '%s'; there are %s", name, all.used ? all.at : "none");
	buf_release(&all);
	return NULL;
}

/* Appends the help of a verb that has verbs of its own: their names and summaries. */
static void help_list(const struct verb *v, const char *called, struct buf *out)
{
	int width = 0;

	buf_format(out, "usage: %s VERB ...\n%s\n\n", called, v->summary);
	for (size_t i = 0; v->verbs[i]; i++)
		if ((int)strlen(v->verbs[i]->name) > width)
			width = (int)strlen(v->verbs[i]->name);
	for (size_t i = 0; v->verbs[i]; i++)
		buf_format(out, "  %-*s  %s\n", width, v->verbs[i]->name, v->verbs[i]->summary);
	/* "lycosa parse url" has its page with "lycosa parse" */
	const char *word = strchr(called, ' ');
	buf_format(out, "\n'%s VERB --help' tells the flags, 'man lycosa%s%.*s' more.\n", called, word ? "-" : "",
		word ? (int)strcspn(word + 1, " ") : 0, word ? word + 1 : "");
}

static void help_of(const struct verb *v, const char *called, void (*flags)(const struct flag_group *, const void *, struct buf *),
	struct buf *out)
{
	if (v->verbs) {
		help_list(v, called, out);
		return;
	}
	buf_format(out, "usage: %s", called);
	flags_usage(v->groups, out);
	buf_format(out, " [FLAG...]%s%s\n%s\n\n", v->operands ? " " : "", v->operands ? v->operands : "", v->summary);
	flags(v->groups, v->defaults, out);
}

void verb_help(const struct verb *v, const char *called, struct buf *out)
{
	help_of(v, called, flags_help, out);
}

void verb_help_all(const struct verb *v, const char *called, struct buf *out)
{
	help_of(v, called, flags_help_all, out);
}

/* Prints the help of --help or --help=all. */
static int print_help(const struct command *c, const struct standard_options *standard)
{
	struct buf text = BUF_EMPTY;

	(standard->help > 1 ? verb_help_all : verb_help)(c->verb, c->called, &text);
	fputs(text.at, stdout);
	buf_release(&text);
	return 0;
}

static int check_operands(const struct command *c, struct err_note *why)
{
	const struct verb *v = c->verb;
	size_t n = c->flags->operands;

	if (n > v->most && !v->operands)
		return err_set(why, ERR_USAGE, "'%s' is too much: %s takes flags only; see '%s --help'", c->flags->operand[0],
			c->called, c->called);
	if (n > v->most)
		return err_set(why, ERR_USAGE, "'%s' is too much: %s takes %s; see '%s --help'", c->flags->operand[v->most],
			c->called, v->operands, c->called);
	if (n < v->least)
		return err_set(why, ERR_USAGE, "%s needs %s; see '%s --help'", c->called, v->operands, c->called);
	return 0;
}

/* Prints the list of verbs on stderr if none was given. Returns ERR_USAGE. */
static int needs_verb(const struct command *c, struct err_note *why)
{
	struct buf text = BUF_EMPTY;

	verb_help(c->verb, c->called, &text);
	fputs(text.at, stderr);
	buf_release(&text);
	return err_set(why, ERR_USAGE, "%s needs a verb", c->called);
}

void command_files(const struct command *c, const void *options, struct destinations *d)
{
	const struct flag_group *groups = c->verb->groups;

	flag_files(groups, options, d);
	for (size_t i = 0; i < c->flags->operands; i++)
		flag_files_add(groups, options, c->verb->operand_file, "", c->flags->operand[i], d);
}

static int check_files(const struct command *c, struct err_note *why)
{
	struct destinations d = DESTINATIONS_NONE;

	command_files(c, c->options, &d);
	const int err = flag_files_check(&d, why);
	destinations_release(&d);
	return err;
}

static int run(const struct command *c, struct err_note *why)
{
	const struct standard_options *standard = c->options;

	if (standard->help)
		return print_help(c, standard);
	if (standard->version) {
		puts("lycosa " PACKAGE_VERSION);
		return 0;
	}
	if (c->verb->verbs)
		return needs_verb(c, why);
	log_set_level(standard->quiet ? LOG_QUIET : standard->verbose ? LOG_VERBOSE : LOG_NORMAL);
	flags_say_old(c->flags);
	return command_run(c, why);
}

int command_run(const struct command *c, struct err_note *why)
{
	/* 'lycosa rank web.txt', 'lycosa graph convert web.txt web.csr' */
	int err = flags_fill_noun(c->flags, c->verb->least, c->verb->most, why);
	if (!err)
		err = flags_require(c->flags, why);
	if (!err)
		err = check_operands(c, why);
	if (!err)
		err = check_files(c, why);
	return err ? err : c->verb->run(c, why);
}

int verb_main(int argc, const char *const *argv, struct err_note *why)
{
	const struct verb *v = &lycosa;
	struct standard_options standard = {0, 0, 0, 0};
	struct buf called = BUF_EMPTY;
	struct flags flags;
	int i = 1;

	buf_text(&called, v->name);
	for (; v->verbs && i < argc && argv[i][0] != '-'; i++) {
		v = verb_named(v, argv[i], why);
		if (!v) {
			buf_release(&called);
			return ERR_USAGE;
		}
		buf_format(&called, " %s", v->name);
	}
	void *options = v->verbs ? mem_copy(&standard, sizeof standard) : mem_copy(v->defaults, v->size);
	struct command c = {v, options, &flags, called.at, NULL};
	int err = flags_read(&flags, called.at, v->verbs ? standard_only : v->groups, options, argv + i, (size_t)(argc - i), why);
	if (!err && !((struct standard_options *)options)->help)
		err = flags_read_file(&flags, why);
	if (!err)
		err = run(&c, why);
	if (!err && log_partial_why())
		err = err_set(why, ERR_PARTIAL, "%s", log_partial_why());
	flags_release(&flags);
	free(options);
	buf_release(&called);
	return err;
}
