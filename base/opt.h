/* The options of a policy or of a method: a table (name, kind, default, range, help) and the values
 * that a user gives as key=value.
 *
 *	opt_init(&set, policy->options, "policy 'ieca'");
 *	code = opt_give(&set, "tol=1e-6", why);
 *	tolerance = opt_number(&set, "tol"); */
#ifndef BASE_OPT_H
#define BASE_OPT_H

#include "base/buf.h"
#include "base/err.h"

enum opt_kind {
	OPT_REAL,   /* a double in [min, max] */
	OPT_COUNT,  /* a whole number in [min, max], below 2^53 */
	OPT_CHOICE, /* one of the words in `choices`; the first word is the default */
	OPT_TEXT    /* any text that is not empty (a path); the default is no text */
};

/* A table ends with a row whose name is NULL. */
struct opt {
	const char *name;
	enum opt_kind kind;
	double def, min, max; /* REAL, COUNT */
	const char *choices;  /* CHOICE: the words, with '|' between them */
	const char *help;     /* one line */
};

struct opt_value {
	double number;    /* REAL, COUNT; CHOICE: the place of the word in `choices`, from 0 */
	const char *text; /* TEXT and CHOICE: the text as given; NULL if there is none */
	int given;        /* 1 if the user gave the value, 0 if the value is the default */
};

/* The values of one table. The set owns copies of the texts. */
struct opt_set {
	const struct opt *table; /* NULL if there are no options */
	struct opt_value *value; /* one value for each row of the table */
	const char *owner;       /* the owner's name in messages: "policy 'ieca'"; borrowed */
};

/* Sets all values to their defaults. `owner` and `table` must outlive the set. */
void opt_init(struct opt_set *set, const struct opt *table, const char *owner);

/* Frees the values and their texts. */
void opt_release(struct opt_set *set);

/* Sets one value from a text "key=value". If the key or the value does not fit the table, the
 * function returns ERR_USAGE, and the note names the nearest key or the range. */
int opt_give(struct opt_set *set, const char *assignment, struct err_note *why) MUST_USE;

/* Returns the number of an option. The table must contain the name, which is asserted. */
double opt_number(const struct opt_set *set, const char *name);
/* Returns the text of an option. The table must contain the name, which is asserted. */
const char *opt_text(const struct opt_set *set, const char *name);
/* Says whether the user gave an option. The table must contain the name, which is asserted. */
int opt_given(const struct opt_set *set, const char *name);

/* Appends every option with its value, as in "a=1 b=x". Numbers have the shortest form that reads
 * back as the same number. The function appends nothing if there are no options. */
void opt_describe(const struct opt_set *set, struct buf *out);

/* Returns the place, from 0, of a text among words with '|' between them; -1 if it is none of them. */
int opt_place(const char *words, const char *text);

/* Appends a number in the shortest decimal form that reads back as the same number. */
void opt_shortest(struct buf *out, double number);

#endif
