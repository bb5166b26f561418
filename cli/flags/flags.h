/* Flags of the command line: tables of rows say what there is, one parser reads it, GNU style.
 *
 *   --name value   --name=value   -n value   -nvalue   -abc (switches bundled)
 *   --             ends the flags        -             is an operand
 *
 * Flags and operands may be mixed. A flag given twice keeps the last value, a list all of them. */
#ifndef CLI_FLAGS_FLAGS_H
#define CLI_FLAGS_FLAGS_H

#include "base/buf.h"
#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/* What a flag takes, and the type of the field where it goes. */
enum flag_kind {
	FLAG_SWITCH, /* int: 1; takes no argument */
	FLAG_TEXT,   /* const char *: the argument as given, not empty */
	FLAG_COUNT,  /* uint64_t: a whole number in [min, max] */
	FLAG_REAL,   /* double: a number in [min, max] */
	FLAG_BYTES,  /* uint64_t: "4096", "1.5M" */
	FLAG_TIME,   /* int64_t, ms: "2" (seconds), "500ms", "1h" */
	FLAG_CHOICE, /* int: which of the words in `argument`, from 0 */
	FLAG_EACH,   /* struct flag_list: the argument of every time it is given, not empty */
	FLAG_COMMAS, /* struct flag_list: likewise, each cut at its commas */
	FLAG_CONFIG, /* const char *: a file of flags: see flags_read_file() */
};

struct flag_list {
	const char **at; /* `count` texts and a NULL; NULL while count is 0 */
	size_t count;
};

/* The i-th of the words an argument may be, NULL beyond the last. */
typedef const char *flag_words(size_t i);

/* Whether a text that is none of the words may be one all the same. */
typedef int flag_beside(const char *text);

/* A row; a table ends with one whose name is NULL. */
struct flag {
	const char *name; /* without the dashes */
	char letter;      /* 0: none */
	enum flag_kind kind;
	size_t at;            /* offset of its field in the group's struct */
	const char *argument; /* "N", "FILE"; CHOICE: the words, '|' between them */
	const char *help;     /* a line; the default is put behind it */
	double min, max;      /* COUNT, REAL; max 0: no upper bound, and for REAL no lower one */
	int required;
	const char *unless;  /* it is not required where the flag of this name was given */
	flag_words *words;   /* TEXT, COMMAS: it must be one of these; NULL: any text */
	flag_beside *beside; /* or it is for the verb to judge; NULL: none is */
	int may_be_empty;    /* TEXT: an empty one means something; elsewhere it is refused */
};

enum flag_detail { FLAGS_A_LINE_EACH, FLAGS_NAMES_ONLY };

/* A table as one verb uses it; a list of groups ends with one whose `flags` is NULL. */
struct flag_group {
	const char *title; /* stands before it in the help; NULL: nothing does */
	const struct flag *flags;
	size_t at; /* where the group's struct lies in the verb's */
	enum flag_detail detail;
};

/* Where a value came from: a line of the file, 0: the command line. In the order in which they were
 * taken. */
struct flag_origin {
	size_t row;
	unsigned line;
};

/* What was read. */
struct flags {
	const char **operand; /* `operands` of them, argv's own */
	size_t operands;
	/* its own */
	const char *who; /* "lycosa rank", for messages; borrowed */
	const struct flag_group *groups;
	char *values;
	uint8_t *given; /* a byte a row, group after group */
	char **text;    /* pieces of arguments that were cut */
	size_t texts, text_room;
	const char *file; /* the file read, or NULL; borrowed */
	struct flag_origin *origin;
	size_t origins, origin_room;
};

/* Reads arguments argv[0..n-1] into `values`, the verb's struct, which holds the defaults. Texts
 * point into argv or are `f`'s. ERR_USAGE says what is wrong and what is near. Follow with
 * flags_release() in any case; groups, argv and `who` must outlive it. */
int flags_read(struct flags *f, const char *who, const struct flag_group *groups, void *values,
	const char *const *argv, size_t n, struct err_note *why) MUST_USE;

/* Reads the file that a row of FLAG_CONFIG was given, if there is one and it was: lines "key = value",
 * the keys being names of flags, a switch's value yes or no; lines that begin with '#' say nothing,
 * and neither do empty ones. A value in double quotes may have \\, \", \n, \t and \xHH in it. A
 * flag that may be given often may stand in several lines. What the command line gave stays, and a
 * list of its replaces the file's. ERR_FILE; ERR_USAGE with file and line. */
int flags_read_file(struct flags *f, struct err_note *why) MUST_USE;

/* One row takes a text (of a switch NULL), as if it was given; `line` as in struct flag_origin. */
int flags_take(struct flags *f, size_t row, const char *text, unsigned line,
	struct err_note *why) MUST_USE;

/* A copy of a text, f's until its release. */
char *flags_text(struct flags *f, const char *text, size_t n);

/* Appends all values in the form of such a file, each under a line that says where it came from:
 * the command line, a line of the file, what `kept` tells (NULL, or who keeps it, and *value), the
 * default. What was not given here is a comment, so that reading it back gives the same. */
typedef const char *flag_kept(void *ctx, const char *name, const char **value);
void flags_print(const struct flags *f, flag_kept *kept, void *ctx, struct buf *out);

/* Appends a row's value as it would be typed, nothing where it is zero or none; lists not at all. */
void flags_value(const struct flag *row, const char *field, struct buf *out);

/* ERR_USAGE where a required flag was not given. */
int flags_require(const struct flags *f, struct err_note *why) MUST_USE;

/* Frees the lists in the verb's struct too. */
void flags_release(struct flags *f);

/* Whether the flag of this name (asserted to be in the tables) was given. */
int flags_given(const struct flags *f, const char *name);

/* Row i of all groups, one behind the other, and the offset of its field in the verb's struct
 * (`at` may be NULL); NULL beyond the last. */
const struct flag *flags_row(const struct flag_group *groups, size_t i, size_t *at);

/* Appends the required flags, as in a line of usage: " --graph PATH". */
void flags_usage(const struct flag_group *groups, struct buf *out);

/* Appends the groups' part of a --help, at most FLAGS_WIDTH columns wide. `defaults` is the verb's
 * struct; a default of zero or nothing is not shown. */
#define FLAGS_WIDTH 80
void flags_help(const struct flag_group *groups, const void *defaults, struct buf *out);

#endif
