/* What the command line can do: a row a verb, verbs within verbs (`graph info`).
 *
 * A verb of its own file is a `const struct verb`, named in cli/verbs.c; main reads its flags into
 * a copy of its defaults, checks the number of operands, and runs it. */
#ifndef CLI_VERB_H
#define CLI_VERB_H

#include "cli/flags/flags.h"

/* What a verb is run with. */
struct command {
	const struct verb *verb;
	void *options;       /* the verb's struct, filled */
	struct flags *flags; /* operands, and what was given */
	const char *called;  /* "lycosa graph info" */
};

/* The flags that every verb has; `help` is 1 for --help, 2 for --help=all. Every verb's struct begins with it, and its groups end with
 * STANDARD_GROUP. */
struct standard_options {
	int help, version, quiet, verbose;
};

extern const struct flag standard_flags[];

/* clang-format off */
#define STANDARD_GROUP {"Also", standard_flags, 0, FLAGS_NAMES_ONLY}
/* clang-format on */

#define OPERANDS_ANY SIZE_MAX

struct verb {
	const char *name;
	const char *summary;  /* a line, full sentence */
	const char *operands; /* as in a line of usage: "[URL...]"; NULL: none */
	size_t least, most;   /* how many operands */
	const struct flag_group *groups;
	const void *defaults; /* of the verb's struct, `size` bytes */
	size_t size;
	/* Results go to stdout, talk to stderr. 0, or an error with a note, which main says. */
	int (*run)(const struct command *, struct err_note *why);
	/* In place of all from `operands` on: verbs of its own, ending with NULL. */
	const struct verb *const *verbs;
};

/* The whole command line: its verbs are those of `lycosa`. */
extern const struct verb lycosa;

/* The verb of this name among those of `parent`. NULL, and a note naming the nearest, where there
 * is none. */
const struct verb *verb_named(const struct verb *parent, const char *name, struct err_note *why);

/* Appends what --help says of a verb; `called` is how it is called: "lycosa graph info". */
void verb_help(const struct verb *v, const char *called, struct buf *out);

/* Likewise with a line for every flag: --help=all. */
void verb_help_all(const struct verb *v, const char *called, struct buf *out);

/* Finds the verb that argv[1..] names, reads its flags and runs it. An error is told by `why`. */
int verb_main(int argc, const char *const *argv, struct err_note *why) MUST_USE;

#endif
