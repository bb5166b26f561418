/* Flags of the command line: a verb's tables of rows (base/flag.h) say what there is, and one parser
 * reads it, GNU style.
 *
 *   --name value   --name=value   -n value   -nvalue   -abc (switches bundled)
 *   --no-name      the flag's default again: a switch is off, a value or list is not there
 *   --             ends the flags        -             is an operand
 *
 * Flags and operands may be mixed. A flag given twice keeps the last value, a list keeps all of them.
 * The same flags can stand in a file, as lines "name = value" (flags_read_file()).
 *
 *   struct flags f;
 *   struct options o = defaults;
 *   int err = flags_read(&f, "lycosa rank", groups, &o, argv + 2, argc - 2, why);
 *   if (!err) err = flags_read_file(&f, why);
 *   if (!err) err = flags_require(&f, why);
 *   ...                                            o.top, f.operand[0]
 *   flags_release(&f); */
#ifndef CLI_FLAGS_FLAGS_H
#define CLI_FLAGS_FLAGS_H

#include "base/buf.h"
#include "base/err.h"
#include "base/flag.h"

#include <stddef.h>
#include <stdint.h>

enum flag_detail { FLAGS_A_LINE_EACH, FLAGS_NAMES_ONLY };

/* A table as one verb uses it, rows of ALIAS and FOREIGN behind the others; a list of groups ends with one whose `flags` is NULL. */
struct flag_group {
	const char *title; /* stands before it in the help; NULL: nothing does */
	const struct flag *flags;
	size_t at; /* where the group's struct lies in the verb's */
	enum flag_detail detail;
};

/* Where a value came from: a line of the file; 0: the command line. */
struct flag_origin {
	size_t row;
	unsigned line;
};

/* How often a row was met: not at all, with a value, or to be what it is by default. */
enum flag_given { FLAG_ABSENT, FLAG_GIVEN, FLAG_RESET };

/* What was read. */
struct flags {
	const char **operand; /* `operands` of them, argv's own */
	size_t operands;
	/* its own */
	const char *who; /* "lycosa rank", for messages; borrowed */
	const struct flag_group *groups;
	char *values;
	uint8_t *
		given; /* an enum flag_given a row, group after group; an ALIAS: whether it was used */
	char *initial; /* FLAG_ROOM bytes a row: the default */
	struct flag_texts texts;
	const char *file;           /* the file read, or NULL; borrowed */
	struct flag_origin *origin; /* in the order in which values were taken */
	size_t origins, origin_room;
};

/* Reads arguments argv[0..n-1] into `values`, the verb's struct, which holds the defaults. Text fields
 * point into argv or to copies that `f` owns. ERR_USAGE says what is wrong, and which flag is near.
 * Follow with flags_release() in any case; groups, argv and `who` must outlive `f`. */
int flags_read(struct flags *f, const char *who, const struct flag_group *groups, void *values,
	const char *const *argv, size_t n, struct err_note *why) MUST_USE;

/* Reads the file that the row of FLAG_CONFIG names; does nothing where no row has that kind, or none
 * was given. The file has lines "key = value": a key is the name of a flag, the value of a switch
 * yes or no. Empty lines and lines that begin with '#' are skipped. A value in double quotes may
 * hold \\, \", \n, \t and \xHH. A list may stand in several lines. A flag that the command line gave
 * keeps its value; a list of the command line replaces the file's. ERR_FILE; ERR_USAGE names file
 * and line. */
int flags_read_file(struct flags *f, struct err_note *why) MUST_USE;

/* Finds the row that a name of n bytes stands for, itself, as an ALIAS, or behind "no-" (then *sense is
 * FLAG_RESET). 1: found; 0: no such name; ERR_USAGE: a flag of another program, and `why` says what
 * to use here. */
int flags_find(struct flags *f, const char *name, size_t n, size_t *row, enum flag_given *sense,
	struct err_note *why) MUST_USE;

/* The name among the rows that is nearest to another one; NULL where none is near. */
const char *flags_nearest(const struct flags *f, const char *name);

/* A row takes a text (NULL for a switch) as if it was given on this line of the file (0: on the
 * command line). */
int flags_take(struct flags *f, size_t row, const char *text, unsigned line,
	struct err_note *why) MUST_USE;

/* A row takes its default again. */
void flags_reset(struct flags *f, size_t row, unsigned line);

/* Gives operands to the verb's noun, where it has one and its flag was not given: those that stand
 * before the verb's own, of which there are `most`, or `least` where the noun is required. A noun that
 * is a list takes all of them, a text the first. */
int flags_fill_noun(struct flags *f, size_t least, size_t most, struct err_note *why) MUST_USE;

/* Says of each old name that was used, once, what the flag is called now. */
void flags_say_old(const struct flags *f);

/* A copy of a text, which `f` keeps until its release. */
char *flags_text(struct flags *f, const char *text, size_t n);

/* Appends all settings in the form of such a file, each under a line that says where it came from:
 * the command line, a line of the file, what `kept` answers (who keeps it, and *value; NULL where
 * nobody does), or the default. What was not given here stands in a comment, so that reading the
 * text back gives the same flags. */
typedef const char *flag_kept(void *ctx, const char *name, const char **value);
void flags_print(const struct flags *f, flag_kept *kept, void *ctx, struct buf *out);

/* ERR_USAGE where a required flag was not given. */
int flags_require(const struct flags *f, struct err_note *why) MUST_USE;

/* Frees the lists in the verb's struct too. */
void flags_release(struct flags *f);

/* Whether the flag of this name (asserted to be in the tables) was given a value. */
int flags_given(const struct flags *f, const char *name);

/* Row i of all groups, one behind the other, and the offset of its field in the verb's struct
 * (`at` may be NULL); NULL beyond the last. */
const struct flag *flags_row(const struct flag_group *groups, size_t i, size_t *at);

/* Appends the required flags and the noun, as in a line of usage: " [--graph] PATH --top N". */
void flags_usage(const struct flag_group *groups, struct buf *out);

/* Appends the groups' part of a --help, at most FLAGS_WIDTH columns wide. `defaults` is the verb's
 * struct; a default of zero or nothing is not shown. */
#define FLAGS_WIDTH 80
void flags_help(const struct flag_group *groups, const void *defaults, struct buf *out);

/* Likewise with a line for each flag, however many lines that makes: --help=all. */
void flags_help_all(const struct flag_group *groups, const void *defaults, struct buf *out);

#endif
