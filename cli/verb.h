/* A verb: one thing that lycosa does, called as `lycosa NAME [FLAG...] [OPERAND...]`. A verb may have
 * verbs of its own instead: `lycosa graph info`.
 *
 * A verb brings a struct for its flags, the defaults of that struct, the table of rows that fill it
 * (base/flag.h), and a function:
 *
 *   struct count_options { struct standard_options standard; const char *file; };
 *   static const struct flag flags[] = {{"file", 0, FLAG_TEXT, offsetof(struct count_options, file),
 *           "FILE", .help = "what is counted", .required = 1, .is_noun = 1}, STANDARD_ROWS};
 *   const struct verb verb_count = VERB("count", "Counts lines.", flags, defaults, run);
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
 * struct, and its table ends with STANDARD_ROWS. */
struct standard_options {
	int help, version, quiet, verbose;
};

extern const struct flag standard_flags[];

/* clang-format off */
#define HEADING_ROW(title)   {.name = title, .kind = FLAG_HEADING}
#define NAMES_ROW(title)     {.name = title, .kind = FLAG_NAMES}
#define TABLE_ROW(table, at) {"", 0, FLAG_TABLE, at, .rows = table}
#define STANDARD_ROWS        NAMES_ROW("Also"), TABLE_ROW(standard_flags, 0), {.name = NULL}
/* clang-format on */

struct verb {
	const char *name;
	const char *summary;         /* one line, a full sentence */
	const char *operands;        /* as in a line of usage: "URL", "[URL...]", "URL [SEED...]"; NULL: none */
	size_t most;                 /* operands, if fewer are allowed than `operands` says; 0: it says all */
	enum flag_file operand_file; /* what an operand names */
	const struct flag *flags;
	const void *defaults; /* the defaults of the verb's struct, `size` bytes */
	size_t size;
	/* Runs the verb: results go to stdout, messages to stderr. Returns 0, or an error with a note, which main()
	 * prints. */
	int (*run)(const struct command *, struct err_note *why);
	/* The verbs of this verb, ending with NULL; then all fields from `operands` on are unused. */
	const struct verb *const *verbs;
};

/* A verb that runs a function, with its name, summary, table, and the defaults of its struct. Further fields follow the
 * function. */
#define VERB(word, sentence, table, fallback, ...) \
	{ \
		.name = word, .summary = sentence, .flags = table, .defaults = &(fallback), .size = sizeof(fallback), \
		.run = __VA_ARGS__ \
	}

/* The whole command line: its verbs are those of `lycosa`. */
extern const struct verb lycosa;

/* Adds the files that a command reads and writes (cli/flags/flags.c), told from `options`, the verb's struct, and the
 * operands. verb_main() has checked those of the command line; a verb that takes more from a store or a job adds that, and
 * checks again. */
void command_files(const struct command *, const void *options, struct destinations *);

/* Returns the verb of this name among those of `parent`, or NULL, with the nearest name in the note. */
const struct verb *verb_named(const struct verb *parent, const char *name, struct err_note *why);

/* Tells the least and the greatest number of operands that a verb takes, by what its usage says of them. */
void verb_operands(const struct verb *v, size_t *least, size_t *most);

/* Appends the text of --help or --help=all for a verb; `called` is its full name, "lycosa graph info". */
void verb_help(const struct verb *v, const char *called, enum flag_extent, struct buf *out);

/* Runs a verb whose flags are read, after checking what is required, the number of operands, and the files. */
int command_run(const struct command *, struct err_note *why) MUST_USE;

/* Finds the verb that argv[1..] names, reads its flags and runs it. Returns 0, or an error with a note. */
int verb_main(int argc, const char *const *argv, struct err_note *why) MUST_USE;

#endif
