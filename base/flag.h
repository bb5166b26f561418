/* A flag: one setting of a program, described by a row of a table.
 *
 * A row says what the setting is called, of which kind it is, where in a struct its value lies, and
 * which values it takes. Whoever reads, prints, keeps or compares a setting goes by its row:
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

/* What a flag takes, and the type of its field. */
enum flag_kind {
	FLAG_SWITCH, /* int: 1; takes no argument, or one of the words in `argument`: 2, 3 ... */
	FLAG_TEXT,   /* const char *: the argument as given, not empty; NULL: none */
	FLAG_COUNT,  /* uint64_t: a whole number in [min, max]: "1200", "1.2k", "3M" */
	FLAG_REAL,   /* double: a number in [min, max] */
	FLAG_BYTES,  /* uint64_t: "4096", "1.5M" (powers of 1024) */
	FLAG_TIME,   /* int64_t, ms: "2" (seconds), "500ms", "1h30m" */
	FLAG_CHOICE, /* int: which of the words in `argument`, from 0 */
	FLAG_EACH,   /* struct flag_list: the argument of every time it is given, not empty */
	FLAG_COMMAS, /* struct flag_list: likewise, each cut at its commas */
	FLAG_CONFIG, /* const char *: a file of flags: see flags_read_file() in cli/flags */
	/* Rows without a value, for names that are no flags here. `argument` and `help` say more. */
	FLAG_ALIAS,   /* an old name; `argument` is the flag that has taken its place */
	FLAG_FOREIGN, /* another program's flag; `argument` is the program, `help` what to use here */
};

/* Whether whoever keeps the settings of a long job (the store of a crawl) keeps this one, and what it
 * takes to change it later. */
enum flag_keeping {
	FLAG_NOT_KEPT,   /* it is of one run alone */
	FLAG_FREE,       /* kept; another value may be given for a run */
	FLAG_BY_SWAP,    /* kept; part of the policy, which changes by --swap-policy only */
	FLAG_BY_RESCOPE, /* kept; part of the scope, which changes by --rescope only */
	FLAG_FIXED,      /* kept; never changes */
};

struct flag_list {
	const char **at; /* `count` texts and a NULL; NULL while count is 0 */
	size_t count;
};

/* The i-th of the words that an argument may be, NULL beyond the last. */
typedef const char *flag_words(size_t i);

/* Whether a text that is none of the words is allowed all the same. */
typedef int flag_beside(const char *text);

/* A row; a table ends with a row whose name is NULL. */
struct flag {
	const char *name; /* without the dashes */
	char letter;      /* 0: none */
	enum flag_kind kind;
	size_t at;            /* offset of its field in the table's struct */
	const char *argument; /* "N", "FILE"; CHOICE: the words, '|' between them */
	const char *help;     /* a line; --help puts the default behind it */
	double min, max; /* COUNT, REAL, BYTES, and min of TIME (ms); max 0: no upper bound, and
				 for REAL no lower one */
	int required;
	const char *unless;  /* not required where the flag of this name was given */
	flag_words *words;   /* TEXT, COMMAS: it must be one of these; NULL: any text */
	flag_beside *beside; /* or a text that this function allows; NULL: none */
	int may_be_empty;    /* TEXT: an empty text means something; elsewhere it is refused */
	int is_noun; /* TEXT, EACH: what the program works on, so that the name can be left out */
	const char *bare; /* the argument of one that is given without; NULL: it needs one */
	int is_path; /* TEXT: a path, which is kept so that it holds in any folder */
	enum flag_keeping keeping;
};

/* Texts that fields point to: copies, freed together. */
struct flag_texts {
	char **at;
	size_t n, room;
};

/* A copy of n bytes of a text, good until the texts are released. */
char *flag_texts_add(struct flag_texts *, const char *text, size_t n);
void flag_texts_release(struct flag_texts *);

/* Reads a text into a row's field; a list gets it behind what it has. Text fields point to `text`
 * itself, which must outlive them; pieces of lists are copied into `texts`. A SWITCH takes NULL, or
 * one of its words. ERR_USAGE says which value is wrong and what it may be. */
int flag_take(const struct flag *row, void *field, const char *text, struct flag_texts *texts,
	struct err_note *why) MUST_USE;

/* Appends a value as it would be typed: nothing for zero or none, nor for a count beyond its row's
 * maximum (a default that says "no limit"); nothing for switches and lists. */
void flag_show(const struct flag *row, const void *field, struct buf *out);

/* Appends a value as a text from which flag_recall() makes exactly the same value: "0" for zero, "1"
 * for a switch that is on, a line for each piece of a list; nothing where there is none. */
void flag_keep(const struct flag *row, const void *field, struct buf *out);

/* Sets a field to the value of such a text; an empty one leaves what the field has. Texts are copied.
 * ERR_USAGE as flag_take() says. */
int flag_recall(const struct flag *row, void *field, const char *text, struct flag_texts *texts,
	struct err_note *why) MUST_USE;

/* Bytes of a row's field. */
size_t flag_size(const struct flag *row);

/* Frees what a list holds, and makes it empty. */
void flag_list_release(struct flag_list *);

#endif
