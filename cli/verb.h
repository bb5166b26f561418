/* A verb: one thing that lycosa does, called as `lycosa NAME [FLAG...] [OPERAND...]`. A verb may have
 * verbs of its own instead: `lycosa graph info`.
 *
 * A verb brings a struct for its flags, the defaults of that struct, the tables of rows that fill it
 * (base/flag.h), and a function:
 *
 *   struct count_options { struct standard_options standard; const char *file; };
 *   static const struct flag rows[] = {{"file", 0, FLAG_TEXT, offsetof(struct count_options, file),
 *           "FILE", .help = "what is counted", .required = 1, .is_noun = 1}, {.name = NULL}};
 *   static const struct flag_group groups[] = {
 *           {NULL, rows, 0, FLAGS_A_LINE_EACH}, STANDARD_GROUP, {.flags = NULL}};
 *   const struct verb verb_count = {"count", "Counts lines.", .groups = groups,
 *           .defaults = &defaults, .size = sizeof defaults, .run = run};
 *
 * verb_main() finds the verb, reads the flags into a copy of the defaults, checks what is required and the
 * number of operands, and runs it. --help, --help=all, --version, -q and -v work in every verb without
 * a line of code in it. */
#ifndef CLI_VERB_H
#define CLI_VERB_H

#include "cli/flags/flags.h"

/* What a verb is run with. */
struct command {
	const struct verb *verb;
	void *options;       /* the verb's struct, filled */
	struct flags *flags; /* operands, and what was given */
	const char *called;  /* "lycosa graph info" */
	struct evaluation
		*evaluation; /* what the verb has found, for a study that runs it (cli/lab/study_files.h); NULL: none does */
};

/* The flags that every verb has; `help` is 1 for --help and 2 for --help=all. The struct of every verb begins with this
 * struct, and its groups end with STANDARD_GROUP. */
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
	const char *summary;         /* one line, a full sentence */
	const char *operands;        /* as in a line of usage: "[URL...]"; NULL: none */
	size_t least, most;          /* the numbers of operands that are allowed */
	enum flag_file operand_file; /* what an operand names */
	const struct flag_group *groups;
	const void *defaults; /* the defaults of the verb's struct, `size` bytes */
	size_t size;
	/* Runs the verb: results go to stdout, messages to stderr. Returns 0, or an error with a note, which main()
	 * prints. */
	int (*run)(const struct command *, struct err_note *why);
	/* The verbs of this verb, ending with NULL; then all fields from `operands` on are unused. */
	const struct verb *const *verbs;
};

/* The whole command line: its verbs are those of `lycosa`. */
extern const struct verb lycosa;

/* Adds the files that a command reads and writes (cli/flags/flags.c), told from `options`, the verb's struct, and the
 * operands. verb_main() has checked those of the command line; a verb that takes more from a store or a job adds that, and
 * checks again. */
void command_files(const struct command *, const void *options, struct destinations *);

/* Returns the verb of this name among those of `parent`, or NULL, with the nearest name in the note. */
const struct verb *verb_named(const struct verb *parent, const char *name, struct err_note *why);

/* Appends the text of --help for a verb; `called` is its full name, "lycosa graph info". */
void verb_help(const struct verb *v, const char *called, struct buf *out);

/* Appends the text of --help=all, which has a line for every flag. */
void verb_help_all(const struct verb *v, const char *called, struct buf *out);

/* Runs a verb whose flags are read, after checking what is required, the number of operands, and the files. */
int command_run(const struct command *, struct err_note *why) MUST_USE;

/* Finds the verb that argv[1..] names, reads its flags and runs it. Returns 0, or an error with a note. */
int verb_main(int argc, const char *const *argv, struct err_note *why) MUST_USE;

#endif
