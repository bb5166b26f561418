#include "base/opt.h"
#include "base/ascii.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "base/num.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t rows(const struct opt *table)
{
	size_t n = 0;

	while (table && table[n].name)
		n++;
	return n;
}

void opt_init(struct opt_set *set, const struct opt *table, const char *owner)
{
	size_t n = rows(table);

	*set = (struct opt_set){table, mem_zero(n, sizeof *set->value), owner};
	for (size_t i = 0; i < n; i++) {
		set->value[i].number = table[i].kind == OPT_CHOICE ? 0 : table[i].def;
		if (table[i].kind == OPT_CHOICE)
			set->value[i].text = mem_part(table[i].choices, strcspn(table[i].choices, "|"));
	}
}

void opt_release(struct opt_set *set)
{
	for (size_t i = 0; i < rows(set->table); i++)
		free((char *)set->value[i].text);
	free(set->value);
	*set = (struct opt_set){0};
}

static size_t find(const struct opt_set *set, const char *name, size_t length)
{
	size_t n = rows(set->table), i = 0;

	while (i < n && (strlen(set->table[i].name) != length || strncmp(set->table[i].name, name, length) != 0))
		i++;
	return i;
}

static int unknown(const struct opt_set *set, const char *name, struct err_note *why)
{
	const char *best = NULL;
	size_t distance = 0;

	for (size_t i = 0; i < rows(set->table); i++)
		nearest_try(name, set->table[i].name, &best, &distance);
	if (!best)
		return err_set(why, ERR_USAGE, "%s has no options, but '%s' was given", set->owner, name);
	return err_set(why, ERR_USAGE, "%s has no option '%s'; the nearest is '%s'", set->owner, name, best);
}

int opt_place(const char *words, const char *text)
{
	for (int place = 0;; place++) {
		size_t n = strcspn(words, "|");
		if (strlen(text) == n && strncmp(words, text, n) == 0)
			return place;
		words += n;
		if (!*words++)
			return -1;
	}
}

static int bad_number(const struct opt_set *set, const struct opt *o, const char *text, struct err_note *why)
{
	return err_set(why, ERR_USAGE, "%s: option '%s' takes a %s from %g to %g, not '%s'", set->owner, o->name,
		o->kind == OPT_COUNT ? "whole number" : "number", o->min, o->max, text);
}

int opt_give(struct opt_set *set, const char *assignment, struct err_note *why)
{
	const char *equals = strchr(assignment, '=');

	if (!equals)
		return err_set(why, ERR_USAGE, "'%s' is not of the form key=value", assignment);
	size_t i = find(set, assignment, (size_t)(equals - assignment));
	if (i == rows(set->table)) {
		AUTO_FREE char *name = mem_part(assignment, (size_t)(equals - assignment));
		return unknown(set, name, why);
	}
	const struct opt *o = &set->table[i];
	const char *text = equals + 1;
	double number = 0;
	if (o->kind == OPT_REAL || o->kind == OPT_COUNT) {
		if (num_real(text, &number) || !(number >= o->min && number <= o->max) ||
			(o->kind == OPT_COUNT && number != floor(number)))
			return bad_number(set, o, text, why);
	} else if (o->kind == OPT_CHOICE) {
		int place = opt_place(o->choices, text);
		if (place < 0)
			return err_set(why, ERR_USAGE, "%s: option '%s' is one of %s, not '%s'", set->owner, o->name, o->choices,
				text);
		number = place;
	}
	if (o->kind == OPT_TEXT && !*text)
		return err_set(why, ERR_USAGE, "%s: option '%s' needs a value", set->owner, o->name);
	struct opt_value *v = &set->value[i];
	free((char *)v->text);
	v->text = o->kind == OPT_TEXT || o->kind == OPT_CHOICE ? mem_text(text) : NULL;
	v->number = number;
	v->given = 1;
	return 0;
}

static const struct opt_value *value_of(const struct opt_set *set, const char *name)
{
	size_t i = find(set, name, strlen(name));

	assert(i < rows(set->table));
	return &set->value[i];
}

double opt_number(const struct opt_set *set, const char *name)
{
	return value_of(set, name)->number;
}

const char *opt_text(const struct opt_set *set, const char *name)
{
	return value_of(set, name)->text;
}

int opt_given(const struct opt_set *set, const char *name)
{
	return value_of(set, name)->given;
}

void opt_shortest(struct buf *out, double number)
{
	char text[32];

	if (fabs(number) < 1e15 && number == floor(number)) { /* 10, not 1e+01 */
		buf_format(out, "%.0f", number);
		return;
	}
	/* %g drops trailing zeros; a number of up to 15 decimal digits survives the conversion to double and back */
	for (int digits = 15; digits <= 17; digits++) {
		ascii_format(text, sizeof text, "%.*g", digits, number);
		if (ascii_real(text, NULL) == number)
			break;
	}
	buf_text(out, text);
}

void opt_describe(const struct opt_set *set, struct buf *out)
{
	for (size_t i = 0; i < rows(set->table); i++) {
		const struct opt *o = &set->table[i];
		const struct opt_value *v = &set->value[i];
		if (o->kind == OPT_TEXT && !v->text)
			continue;
		if (out->used)
			buf_byte(out, ' ');
		buf_format(out, "%s=", o->name);
		if (v->text)
			buf_text(out, v->text);
		else
			opt_shortest(out, v->number);
	}
}
