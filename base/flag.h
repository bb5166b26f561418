/* A flag: one setting of a program, described by one row of a table.
 *
 * The row says the name of the setting, its kind, the field of a struct that holds its value, and
 * the values that it takes. The functions below read, print and keep any setting by its row alone:
 *
 *   struct speed { int64_t delay; uint64_t parallel; };
 *   static const struct flag rows[] = {
 *           {"delay", 0, FLAG_TIME, offsetof(struct speed, delay), "TIME", .help = "between requests"},
 *           {"parallel", 0, FLAG_COUNT, offsetof(struct speed, parallel), "N", .help = "at once", .min = 1},
 *           {.name = NULL}};
 *   struct speed s = {.delay = 1000, .parallel = 16};      the defaults
 *   flag_take(&rows[0], &s.delay, "1m30s", &texts, why);   s.delay is 90000
 *   flag_show(&rows[0], &s.delay, &out);                   out is "90s" */
#ifndef BASE_FLAG_H
#define BASE_FLAG_H

#include "base/buf.h"
#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/* The kind of a flag: the type of its field, and the arguments that the flag takes. */
enum flag_kind {
	/* int: 0 is off, and the flag without an argument sets 1. If the row's `argument` lists words,
	 * the flag may also be given one of them, and its field is then 2 for the first word, 3 ... */
	FLAG_SWITCH,
	FLAG_TEXT,   /* const char *: the argument, which must not be empty; NULL is no value */
	FLAG_COUNT,  /* uint64_t: a whole number in [min, max]: "1200", "1.2k", "3M" */
	FLAG_REAL,   /* double: a number in [min, max] */
	FLAG_BYTES,  /* uint64_t: "4096", "1.5M" (powers of 1024) */
	FLAG_TIME,   /* int64_t, ms: "2" (seconds), "500ms", "1h30m" */
	FLAG_CHOICE, /* int: the number, from 0, of the word that was given among those of `argument` */
	FLAG_EACH,   /* struct flag_list: the flag may be given many times; one text for each time */
	FLAG_COMMAS, /* struct flag_list: as EACH, but a text is cut at its commas into several */
	FLAG_CONFIG, /* const char *: a file of flags, which flags_read_file() in cli/flags reads */
	/* Rows for --help: a heading, behind which each flag has a line, or, except in --help=all, flags are listed by their
	 * names. */
	FLAG_HEADING,
	FLAG_NAMES,
	FLAG_TABLE, /* the rows of another table, `rows`, whose struct is at the offset `at` */
	/* Rows without a value, for names that are no flags here. `argument` and `help` say more. */
	FLAG_ALIAS,   /* an old name; `argument` is the flag that has taken its place */
	FLAG_FOREIGN, /* flags of another program, `argument`, their names with '|' between them; `help` says what to use here */
};

/* The type of the field of each kind that has one. */
#define FLAG_TYPE_SWITCH int
#define FLAG_TYPE_TEXT   const char *
#define FLAG_TYPE_COUNT  uint64_t
#define FLAG_TYPE_REAL   double
#define FLAG_TYPE_BYTES  uint64_t
#define FLAG_TYPE_TIME   int64_t
#define FLAG_TYPE_CHOICE int
#define FLAG_TYPE_EACH   struct flag_list
#define FLAG_TYPE_COMMAS struct flag_list

/* Which files the argument of a flag names, or an operand of a command, and whether the command reads or writes them
 * (cli/flags/flags.c). */
enum flag_file {
	FLAG_NO_FILE,
	FLAG_READS,          /* a file, also behind "KEY="; or some other text, such as a rule */
	FLAG_READS_SEEDS,    /* a file of seeds, or a rule */
	FLAG_READS_FOLDER,   /* a folder with all that is in it */
	FLAG_READS_PAGES,    /* a folder of stored pages: its index.tsv, and the files that the index names */
	FLAG_READS_GRAPH,    /* a graph, and the files beside it */
	FLAG_READS_ARCHIVE,  /* the WARC files whose names begin with the argument */
	FLAG_WRITES,         /* a file */
	FLAG_APPENDS,        /* a file, to which lines are added */
	FLAG_WRITES_PAGES,   /* a folder, with a folder for each host */
	FLAG_WRITES_REPORT,  /* a folder, with tables and figures */
	FLAG_WRITES_ARCHIVE, /* WARC files whose names begin with the argument */
	FLAG_WRITES_GRAPH,   /* a graph in the format of --to */
	FLAG_WRITES_OFFSETS, /* what is beside a graph that is read */
	FLAG_WRITES_STORE,   /* the folder of a store */
};

/* Says whether the store of a crawl keeps a setting for later sittings, and how the setting may
 * change there. */
enum flag_keeping {
	FLAG_NOT_KEPT,   /* the setting holds for one sitting only */
	FLAG_FREE,       /* the setting is kept; a sitting may be given another value */
	FLAG_BY_SWAP,    /* the setting is kept; it belongs to the policy, which only --swap-policy changes */
	FLAG_BY_RESCOPE, /* the setting is kept; it belongs to the scope, which only --rescope changes */
	FLAG_FIXED,      /* the setting is kept and never changes */
};

/* Says whether the value that a store keeps is used by a sitting that is not given the setting. A store may come from anywhere, so
 * nothing is loaded, run, written, or sent to a place of its choice because the store says so. */
enum flag_trust {
	FLAG_TRUSTED,     /* the kept value is used: the setting is about the crawl itself */
	FLAG_LEFT_OUT,    /* the crawl goes on without the setting, and a line says so */
	FLAG_ASKED_AGAIN, /* the crawl would be another one without the setting: refused until it is given or revoked */
};

/* The value of a FLAG_EACH or FLAG_COMMAS row. */
struct flag_list {
	const char **at; /* `count` texts and a NULL; `at` itself is NULL while count is 0 */
	size_t count;
};

/* Returns the i-th word, from 0, that an argument may be, or NULL if there are no more words. */
typedef const char *flag_words(size_t i);

/* Says whether an argument that is none of the words is allowed as well. */
typedef int flag_beside(const char *text);

/* A row; a table ends with a row whose name is NULL. */
struct flag {
	const char *name; /* without the dashes */
	char letter;      /* the short name, as in "-H"; 0 is none */
	enum flag_kind kind;
	size_t at;            /* offset of its field in the table's struct */
	const char *argument; /* "N", "FILE"; SWITCH and CHOICE: the words, with '|' between them */
	const char *help;     /* one line; --help prints the default behind it */
	/* The range of COUNT, REAL, BYTES, and the least TIME (ms). If max is 0, a COUNT or BYTES has no
	 * upper bound, and a REAL has no bounds at all. */
	double min, max;
	int required;        /* 1 if the command needs the flag ... */
	const char *unless;  /* ... except when the flag of this name was given */
	flag_words *words;   /* TEXT, COMMAS: the argument must be one of these; NULL allows any text */
	flag_beside *beside; /* allows more arguments than `words` does; NULL allows none */
	int may_be_empty;    /* TEXT: the argument may be empty */
	int is_noun;         /* TEXT, EACH: the argument may stand alone, as in `lycosa rank web.txt` */
	const char *bare;    /* the value of the flag when it has no argument; NULL: it needs one */
	int is_path;         /* TEXT: a path, which is kept as an absolute one */
	enum flag_keeping keeping;
	enum flag_trust trust;
	enum flag_file file;     /* TEXT, EACH, COMMAS, CONFIG: what the argument names */
	const struct flag *rows; /* TABLE */
};

/* Says whether a row is a heading. */
static inline int flag_is_heading(const struct flag *row)
{
	return row->kind == FLAG_HEADING || row->kind == FLAG_NAMES;
}

/* Copies of the texts that fields point to. The copies are freed together. */
struct flag_texts {
	char **at;
	size_t n, room;
};

/* Copies n bytes of a text, adds a NUL, and returns the copy, which is valid until
 * flag_texts_release(). */
char *flag_texts_add(struct flag_texts *, const char *text, size_t n);

/* Frees all copies. Fields that point to them are invalid from then on. */
void flag_texts_release(struct flag_texts *);

/* Parses an argument into a row's field. The values of FLAG_EACH and FLAG_COMMAS are appended to the
 * list that the field holds; any other value replaces the field's. A FLAG_SWITCH needs NULL as its
 * text, or one of its words. The fields of TEXT, CONFIG and EACH point to `text` itself, which must
 * outlive them; the pieces of COMMAS are copied into `texts`. If the argument is wrong, the function
 * returns ERR_USAGE, and the note names the flag and what it takes. */
int flag_take(const struct flag *row, void *field, const char *text, struct flag_texts *texts, struct err_note *why) MUST_USE;

/* Appends a value to `out` as a user would type it. The function appends nothing for zero, for a text
 * that is NULL, for a count above the row's maximum (which stands for "no limit"), for a switch, and
 * for a list. */
void flag_show(const struct flag *row, const void *field, struct buf *out);

/* Appends a value to `out` in the form that a store keeps, from which flag_recall() makes the same
 * value: "0" for zero, "1" for a switch that is on, one line for each text of FLAG_EACH, texts with
 * commas for FLAG_COMMAS, two quotation marks for an empty text. The function appends nothing for a
 * switch that is off, a text that is NULL, an empty list, and a count above the row's maximum. */
void flag_keep(const struct flag *row, const void *field, struct buf *out);

/* Parses a value in the form that flag_keep() writes into a row's field. An empty text changes
 * nothing. All texts are copied into `texts`. Errors are those of flag_take(). */
int flag_recall(const struct flag *row, void *field, const char *text, struct flag_texts *texts, struct err_note *why) MUST_USE;

/* Returns the size of a row's field in bytes; 0 for kinds that have none. */
size_t flag_size(const struct flag *row);

/* Frees the array of a list (not its texts), and makes the list empty. */
void flag_list_release(struct flag_list *);

#endif
