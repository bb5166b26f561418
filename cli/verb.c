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
	AUTO(buf) all = BUF_EMPTY;
	for (size_t i = 0; parent->verbs && parent->verbs[i]; i++)
		buf_format(&all, "%s%s", i ? ", " : "", parent->verbs[i]->name);
	err_set(why, ERR_USAGE, "unknown verb '%s'; there are %s", name, all.used ? all.at : "none");
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

void verb_help(const struct verb *v, const char *called, enum flag_extent extent, struct buf *out)
{
	if (v->verbs) {
		help_list(v, called, out);
		return;
	}
	buf_format(out, "usage: %s", called);
	flags_usage(v->flags, out);
	buf_format(out, " [FLAG...]%s%s\n%s\n\n", v->operands ? " " : "", v->operands ? v->operands : "", v->summary);
	flags_help(v->flags, v->defaults, extent, out);
}

static int print_help(const struct command *c, enum flag_extent extent, FILE *out)
{
	AUTO(buf) text = BUF_EMPTY;

	verb_help(c->verb, c->called, extent, &text);
	fputs(text.at, out);
	return 0;
}

void verb_operands(const struct verb *v, size_t *least, size_t *most)
{
	size_t n;

	*least = *most = 0;
	for (const char *p = v->operands; p && *p; p += n + strspn(p + n, " ")) {
		n = strcspn(p, " ");
		*least += *p != '[';
		*most = memmem(p, n, "...", 3) || *most == SIZE_MAX ? SIZE_MAX : *most + 1;
	}
	*most = v->most ? v->most : *most;
}

static int check_operands(const struct command *c, size_t least, size_t most, struct err_note *why)
{
	const struct verb *v = c->verb;
	size_t n = c->flags->operands;

	if (n > most && !v->operands)
		return err_set(why, ERR_USAGE, "'%s' is too much: %s takes flags only; see '%s --help'", c->flags->operand[0],
			c->called, c->called);
	if (n > most)
		return err_set(why, ERR_USAGE, "'%s' is too much: %s takes %s; see '%s --help'", c->flags->operand[most], c->called,
			v->operands, c->called);
	if (n < least)
		return err_set(why, ERR_USAGE, "%s needs %s; see '%s --help'", c->called, v->operands, c->called);
	return 0;
}

void command_files(const struct command *c, const void *options, struct destinations *d)
{
	const struct flag *rows = c->verb->flags;

	flag_files(rows, options, d);
	for (size_t i = 0; i < c->flags->operands; i++)
		flag_files_add(rows, options, c->verb->operand_file, "", c->flags->operand[i], d);
}

static int check_files(const struct command *c, struct err_note *why)
{
	AUTO(destinations) d = DESTINATIONS_NONE;

	command_files(c, c->options, &d);
	return flag_files_check(&d, why);
}

static int run(const struct command *c, struct err_note *why)
{
	const struct standard_options *standard = c->options;

	if (standard->help)
		return print_help(c, standard->help > 1 ? FLAGS_ALL : FLAGS_SCREEN, stdout);
	if (standard->version) {
		puts("lycosa " PACKAGE_VERSION);
		return 0;
	}
	if (c->verb->verbs) {
		(void)print_help(c, FLAGS_SCREEN, stderr);
		return err_set(why, ERR_USAGE, "%s needs a verb", c->called);
	}
	log_set_level(standard->quiet ? LOG_QUIET : standard->verbose ? LOG_VERBOSE : LOG_NORMAL);
	flags_say_old(c->flags);
	return command_run(c, why);
}

int command_run(const struct command *c, struct err_note *why)
{
	size_t least, most;

	verb_operands(c->verb, &least, &most);
	/* 'lycosa rank web.txt', 'lycosa graph convert web.txt web.csr' */
	TRY(flags_fill_noun(c->flags, least, most, why));
	TRY(flags_require(c->flags, why));
	TRY(check_operands(c, least, most, why));
	TRY(check_files(c, why));
	return c->verb->run(c, why);
}

int verb_main(int argc, const char *const *argv, struct err_note *why)
{
	const struct verb *v = &lycosa;
	struct standard_options standard = {0, 0, 0, 0};
	AUTO(buf) called = BUF_EMPTY;
	int i = 1;

	buf_text(&called, v->name);
	for (; v->verbs && i < argc && argv[i][0] != '-'; i++) {
		v = verb_named(v, argv[i], why);
		if (!v)
			return ERR_USAGE;
		buf_format(&called, " %s", v->name);
	}
	AUTO_FREE void *options = v->verbs ? mem_copy(&standard, sizeof standard) : mem_copy(v->defaults, v->size);
	AUTO(flags) flags = {0}; /* has fields of the options, and so ends first */
	struct command c = {v, options, &flags, called.at, NULL};
	TRY(flags_read(&flags, called.at, v->verbs ? standard_flags : v->flags, options, argv + i, (size_t)(argc - i), why));
	if (!((struct standard_options *)options)->help)
		TRY(flags_read_file(&flags, why));
	TRY(run(&c, why));
	if (log_partial_why())
		return err_set(why, ERR_PARTIAL, "%s", log_partial_why());
	return 0;
}
