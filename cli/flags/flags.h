/* Flags of the command line: a verb's tables of rows (base/flag.h) say what there is, and one parser
 * reads it, GNU style.
 *
 *   --name value   --name=value   -n value   -nvalue   -abc (switches bundled)
 *   --no-name      the flag's default again: a switch is off, a value or list is not there
 *   --             ends the flags        -             is an operand
 *
 * The next word is no value if it is "--name" of a flag that there is: such a value is written --name=--value.
 * Flags and operands may be mixed. A flag given twice keeps the last value, a list keeps all of them.
 * The same flags can stand in a file, as lines "name = value" (flags_read_file()).
 *
 *   struct flags f;
 *   struct options o = defaults;
 *   int err = flags_read(&f, "lycosa rank", rows, &o, argv + 2, argc - 2, why);
 *   if (!err) err = flags_read_file(&f, why);
 *   if (!err) err = flags_require(&f, why);
 *   ...                                            o.top, f.operand[0]
 *   flags_release(&f); */
#ifndef CLI_FLAGS_FLAGS_H
#define CLI_FLAGS_FLAGS_H

#include "base/buf.h"
#include "base/destination.h"
#include "base/err.h"
#include "base/flag.h"

#include <stddef.h>
#include <stdint.h>

/* Whether a flag was given: not at all, with a value, or as "--no-NAME". */
enum flag_given { FLAG_ABSENT, FLAG_GIVEN, FLAG_RESET };

/* A row of the verb's table, with what the command line or the file says of it. */
struct flag_entry {
	const struct flag *row;
	void *field;              /* in the verb's struct */
	enum flag_given given;    /* FLAG_GIVEN, too, for an ALIAS that was used */
	unsigned line;            /* of the file, which gave it last; 0: the command line */
	struct flag_list initial; /* room for the default, of any kind */
};

/* Where a value comes from, in the order in which values were given. */
struct flag_origin {
	const struct flag_entry *entry;
	unsigned line; /* of the file; 0: the command line */
};

/* A command line that has been read. */
struct flags {
	const char **operand; /* pointers into argv */
	size_t operands;
	/* private */
	const char *who;          /* "lycosa rank", for messages; borrowed */
	struct flag_entry *entry; /* one for each row; one without a row ends them */
	struct flag_texts texts;
	const char *file; /* the file that was read, or NULL; borrowed */
	struct flag_origin *origin;
	size_t origins, origin_room;
};

/* Reads arguments argv[0..n-1] into `values`, the verb's struct, which holds the defaults. Text fields
 * point into argv or to copies that `f` owns. ERR_USAGE says what is wrong, and which flag is near.
 * Follow with flags_release() in any case; rows, argv and `who` must outlive `f`. */
int flags_read(struct flags *f, const char *who, const struct flag *rows, void *values, const char *const *argv, size_t n,
	struct err_note *why) MUST_USE;

/* Gives a flag a value, as "--name=value" on the command line does. The text must outlive `f`. Returns 0 or ERR_USAGE. */
int flags_give(struct flags *f, const char *name, const char *value, struct err_note *why) MUST_USE;

/* Reads the file that the row of FLAG_CONFIG names; does nothing where no row has that kind, or none
 * was given. The file has lines "key = value": a key is the name of a flag, the value of a switch
 * yes or no. Empty lines and lines that begin with '#' are skipped. A value in double quotes may
 * hold \\, \", \n, \t and \xHH. A list may stand in several lines. A flag that the command line gave
 * keeps its value; a list of the command line replaces the file's. ERR_FILE; ERR_USAGE names file
 * and line. */
int flags_read_file(struct flags *f, struct err_note *why) MUST_USE;

/* Gives operands to the verb's noun (a row with `is_noun`), if the verb has one and its flag was not given: the
 * operands before the last `most` ones, or before the last `least` ones if the noun is required. A noun that is a
 * list takes all of these; a text takes the first. Returns 0 or ERR_USAGE. */
int flags_fill_noun(struct flags *f, size_t least, size_t most, struct err_note *why) MUST_USE;

/* Prints a message for each ALIAS that was used, with the new name of the flag. */
void flags_say_old(const struct flags *f);

/* Returns a copy of a text of n bytes, which is valid until flags_release(). */
char *flags_text(struct flags *f, const char *text, size_t n);

/* Looks up a setting that is kept elsewhere (in a store). Returns the name of the keeper, with the *value; or NULL. */
typedef const char *flag_kept(void *ctx, const char *name, const char **value);

/* Appends all settings in the form of a file that flags_read_file() reads, each under a line with its origin: the
 * command line, a line of the file, the keeper that kept(ctx, ...) names, or the default. Settings that were not
 * given are commented out, so that reading the text back gives the same flags. */
void flags_print(const struct flags *f, flag_kept *kept, void *ctx, struct buf *out);

/* Returns 0, or ERR_USAGE if a required flag was not given. */
int flags_require(const struct flags *f, struct err_note *why) MUST_USE;

/* Frees the memory, with the lists in the verb's struct. */
void flags_release(struct flags *f);

/* Says whether the flag of this name (asserted to be in the tables) was given a value. */
int flags_given(const struct flags *f, const char *name);

/* Returns row i of a table, in which the rows of another one stand in the place of a FLAG_TABLE, and in *at (which may be NULL) the
 * offset of its field in the verb's struct; NULL beyond the last row. Headings are left out. */
const struct flag *flags_row(const struct flag *rows, size_t i, size_t *at);

/* Returns row i of a table and its headings in the same way. */
const struct flag *flags_line(const struct flag *rows, size_t i, size_t *at);

/* Appends the required flags and the noun as in a line of usage: " [--graph] PATH --top N". */
void flags_usage(const struct flag *rows, struct buf *out);

#define FLAGS_WIDTH 80

/* What --help fits on a screen, or (--help=all) a line for every flag. */
enum flag_extent { FLAGS_SCREEN, FLAGS_ALL };

/* Appends the part of --help that tells of the flags, at most FLAGS_WIDTH columns wide. `defaults` is the verb's struct; a default
 * of zero or NULL is not shown. */
void flags_help(const struct flag *rows, const void *defaults, enum flag_extent, struct buf *out);

/* Which files a command reads and writes, told from its flags and operands by the kind that their rows say (enum flag_file in
 * base/flag.h). A flag of a new verb needs no more than its kind, and base/destination.h keeps its files apart from all others. */

/* Adds the files of all flags; `values` is the verb's struct. */
void flag_files(const struct flag *rows, const void *values, struct destinations *);

/* Adds the files that one text names. `flag` stands before it in messages, and may be "". */
void flag_files_add(const struct flag *rows, const void *values, enum flag_file, const char *flag, const char *text,
	struct destinations *);

/* Returns 0, or ERR_USAGE if an output would overwrite an input, another output, or a part of a store. */
int flag_files_check(const struct destinations *, struct err_note *why) MUST_USE;

#endif
