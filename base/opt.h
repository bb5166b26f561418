/* Options of a policy or a method: a table (name, kind, default, range, help) and the values given
 * as key=value. */
#ifndef BASE_OPT_H
#define BASE_OPT_H

#include "base/buf.h"
#include "base/err.h"

enum opt_kind {
	OPT_REAL,   /* a double in [min, max] */
	OPT_COUNT,  /* a whole number in [min, max], below 2^53 */
	OPT_CHOICE, /* one of `choices`, '|' between them; the first is the default */
	OPT_TEXT    /* any text but an empty one (a path); the default is none */
};

/* A table ends with a row whose name is NULL. */
struct opt {
	const char *name;
	enum opt_kind kind;
	double def, min, max; /* REAL, COUNT */
	const char *choices;  /* CHOICE */
	const char *help;     /* a line */
};

struct opt_value {
	double number;    /* REAL, COUNT; CHOICE: the place in `choices`, from 0 */
	const char *text; /* TEXT and CHOICE as given; NULL where none */
	int given;        /* 1 where the user gave it, 0 where it is the default */
};

/* The values for one table. Holds copies of the texts. */
struct opt_set {
	const struct opt *table; /* may be NULL: no options at all */
	struct opt_value *value; /* a row a table row */
	const char *owner;       /* for messages: "policy 'ieca'"; borrowed */
};

/* All defaults. `owner` and `table` must outlive the set. */
void opt_init(struct opt_set *set, const struct opt *table, const char *owner);
void opt_release(struct opt_set *set);

/* Takes one "key=value". ERR_USAGE, with the nearest key or the range, where it does not fit. */
int opt_give(struct opt_set *set, const char *assignment, struct err_note *why) MUST_USE;

/* The value of a name that is in the table (asserted). */
double opt_number(const struct opt_set *set, const char *name);
const char *opt_text(const struct opt_set *set, const char *name);
int opt_given(const struct opt_set *set, const char *name);

/* Appends "a=1 b=x", every option with its value, numbers in the shortest form that reads back
 * the same; nothing where there are none. */
void opt_describe(const struct opt_set *set, struct buf *out);

/* Appends a number in the shortest decimal form that reads back the same. */
void opt_shortest(struct buf *out, double number);

#endif
