#include "cli/flags/flags.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "base/num.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

const struct flag *flags_row(const struct flag_group *groups, size_t i, size_t *at)
{
	for (; groups->flags; groups++) {
		const struct flag *row = groups->flags;
		while (row->name && i) {
			row++;
			i--;
		}
		if (row->name) {
			if (at)
				*at = groups->at + row->at;
			return row;
		}
	}
	return NULL;
}

/* Room for one more text and the NULL behind it. */
static void list_add(struct flag_list *list, const char *text)
{
	list->at = mem_resize(list->at, list->count + 2, sizeof *list->at);
	list->at[list->count++] = text;
	list->at[list->count] = NULL;
}

static int check_word(const struct flag *row, const char *text, struct err_note *why)
{
	const char *word, *best = NULL;
	size_t distance = 0;

	if (!row->words || (row->beside && row->beside(text)))
		return 0;
	for (size_t i = 0; (word = row->words(i)) != NULL; i++) {
		if (strcmp(word, text) == 0)
			return 0;
		nearest_try(text, word, &best, &distance);
	}
	if (best && nearest_is_near(text, distance))
		return err_set(why, ERR_USAGE, "--%s: there is no '%s'; the nearest is '%s'",
			row->name, text, best);
	struct buf all = BUF_EMPTY;
	for (size_t i = 0; (word = row->words(i)) != NULL; i++)
		buf_format(&all, "%s%s", i ? ", " : "", word);
	int err = err_set(why, ERR_USAGE, "--%s: there is no '%s'; there are %s", row->name, text,
		all.used ? all.at : "none");
	buf_release(&all);
	return err;
}

char *flags_text(struct flags *f, const char *text, size_t n)
{
	char *copy = mem_new(n + 1, 1);

	memcpy(copy, text, n);
	copy[n] = 0;
	f->text = mem_grow(f->text, &f->text_room, f->texts + 1, sizeof *f->text);
	f->text[f->texts++] = copy;
	return copy;
}

static int put_commas(struct flags *f, const struct flag *row, struct flag_list *list,
	const char *text, struct err_note *why)
{
	for (const char *p = text;; p++) {
		size_t n = strcspn(p, ",");
		if (!n)
			return err_set(
				why, ERR_USAGE, "--%s: an empty entry in '%s'", row->name, text);
		char *piece = flags_text(f, p, n);
		int err = check_word(row, piece, why);
		if (err)
			return err;
		list_add(list, piece);
		p += n;
		if (!*p)
			return 0;
	}
}

static int put_choice(const struct flag *row, int *place, const char *text, struct err_note *why)
{
	int i = 0;

	for (const char *word = row->argument;; word++, i++) {
		size_t n = strcspn(word, "|");
		if (strlen(text) == n && strncmp(word, text, n) == 0) {
			*place = i;
			return 0;
		}
		word += n;
		if (!*word)
			return err_set(why, ERR_USAGE, "--%s is one of %s, not '%s'", row->name,
				row->argument, text);
	}
}

static int bad_number(const struct flag *row, const char *text, struct err_note *why)
{
	const char *what = row->kind == FLAG_COUNT ? "a whole number" : "a number";

	if (row->max > 0)
		return err_set(why, ERR_USAGE, "--%s takes %s from %.15g to %.15g, not '%s'",
			row->name, what, row->min, row->max, text);
	if (row->kind == FLAG_COUNT && row->min > 0)
		return err_set(why, ERR_USAGE, "--%s takes %s, at least %.15g, not '%s'", row->name,
			what, row->min, text);
	return err_set(why, ERR_USAGE, "--%s takes %s, not '%s'", row->name, what, text);
}

static int put_number(const struct flag *row, void *to, const char *text, struct err_note *why)
{
	uint64_t count;
	double real;

	if (row->kind == FLAG_COUNT) {
		if (num_count(text, UINT64_MAX, &count) || (double)count < row->min ||
			(row->max > 0 && (double)count > row->max))
			return bad_number(row, text, why);
		*(uint64_t *)to = count;
		return 0;
	}
	if (num_real(text, &real) || (row->max > 0 && !(real >= row->min && real <= row->max)))
		return bad_number(row, text, why);
	*(double *)to = real;
	return 0;
}

static int is_text(enum flag_kind kind)
{
	return kind == FLAG_TEXT || kind == FLAG_EACH || kind == FLAG_CONFIG;
}

static int needs_value(const struct flag *row, struct err_note *why)
{
	return err_set(why, ERR_USAGE, "--%s needs a value: %s", row->name, row->argument);
}

static int put(
	struct flags *f, const struct flag *row, void *to, const char *text, struct err_note *why)
{
	int err;

	if (is_text(row->kind) && !*text && !row->may_be_empty)
		return needs_value(row, why);
	switch (row->kind) {
	case FLAG_SWITCH:
		*(int *)to = 1;
		return 0;
	case FLAG_TEXT:
	case FLAG_CONFIG:
		err = check_word(row, text, why);
		if (!err)
			*(const char **)to = text;
		return err;
	case FLAG_COUNT:
	case FLAG_REAL:
		return put_number(row, to, text, why);
	case FLAG_BYTES:
		if (num_bytes(text, to))
			return err_set(why, ERR_USAGE,
				"--%s takes a number of bytes such as 500K or 2G, not '%s'",
				row->name, text);
		return 0;
	case FLAG_TIME:
		if (num_time(text, to))
			return err_set(why, ERR_USAGE,
				"--%s takes a time such as 2, 500ms, 10m or 1h, not '%s'",
				row->name, text);
		return 0;
	case FLAG_CHOICE:
		return put_choice(row, to, text, why);
	case FLAG_EACH:
		list_add(to, text);
		return 0;
	case FLAG_COMMAS:
		return put_commas(f, row, to, text, why);
	}
	return ERR_OTHER;
}

int flags_take(struct flags *f, size_t index, const char *text, unsigned line, struct err_note *why)
{
	size_t at;
	const struct flag *row = flags_row(f->groups, index, &at);

	f->given[index] = 1;
	f->origin = mem_grow(f->origin, &f->origin_room, f->origins + 1, sizeof *f->origin);
	f->origin[f->origins++] = (struct flag_origin){index, line};
	return put(f, row, f->values + at, text, why);
}

/* Where reading has come to. */
struct reader {
	struct flags *f;
	const char *const *argv;
	size_t n, i;
	struct err_note *why;
};

/* Takes row `index` with the text that is joined to it, or, that being NULL, the next argument. */
static int take(struct reader *r, size_t index, const char *text)
{
	const struct flag *row = flags_row(r->f->groups, index, NULL);

	if (row->kind == FLAG_SWITCH && text)
		return err_set(r->why, ERR_USAGE, "--%s takes no value, but '%s' was given",
			row->name, text);
	if (row->kind != FLAG_SWITCH && !text) {
		if (r->i + 1 >= r->n)
			return needs_value(row, r->why);
		text = r->argv[++r->i];
	}
	return flags_take(r->f, index, text, 0, r->why);
}

static int unknown(const struct reader *r, const char *name)
{
	const char *best = NULL;
	const struct flag *row;
	size_t distance = 0;

	for (size_t i = 0; (row = flags_row(r->f->groups, i, NULL)) != NULL; i++)
		nearest_try(name, row->name, &best, &distance);
	if (best && nearest_is_near(name, distance))
		return err_set(r->why, ERR_USAGE, "unknown flag '--%s'; the nearest is '--%s'",
			name, best);
	return err_set(r->why, ERR_USAGE, "unknown flag '--%s'; see '%s --help'", name, r->f->who);
}

static int read_long(struct reader *r, const char *name)
{
	const char *equals = strchr(name, '=');
	size_t length = equals ? (size_t)(equals - name) : strlen(name);
	const struct flag *row;

	for (size_t i = 0; (row = flags_row(r->f->groups, i, NULL)) != NULL; i++)
		if (strlen(row->name) == length && strncmp(row->name, name, length) == 0)
			return take(r, i, equals ? equals + 1 : NULL);
	char *bare = mem_copy(name, length + 1);
	bare[length] = 0;
	int err = unknown(r, bare);
	free(bare);
	return err;
}

static int read_letters(struct reader *r, const char *letters)
{
	for (const char *p = letters; *p; p++) {
		const struct flag *row;
		size_t i = 0;
		while ((row = flags_row(r->f->groups, i, NULL)) != NULL && row->letter != *p)
			i++;
		if (!row)
			return err_set(r->why, ERR_USAGE,
				"unknown flag '-%c' in '-%s'; see '%s --help'", *p, letters,
				r->f->who);
		if (row->kind != FLAG_SWITCH)
			return take(r, i, p[1] ? p + 1 : NULL);
		int err = take(r, i, NULL);
		if (err)
			return err;
	}
	return 0;
}

int flags_read(struct flags *f, const char *who, const struct flag_group *groups, void *values,
	const char *const *argv, size_t n, struct err_note *why)
{
	struct reader r = {f, argv, n, 0, why};
	size_t rows = 0;
	int err = 0, ended = 0;

	while (flags_row(groups, rows, NULL))
		rows++;
	*f = (struct flags){.who = who, .groups = groups, .values = values};
	f->given = mem_zero(rows, 1);
	f->operand = mem_zero(n + 1, sizeof *f->operand);
	for (; r.i < n && !err; r.i++) {
		const char *word = argv[r.i];
		if (ended || word[0] != '-' || !word[1])
			f->operand[f->operands++] = word;
		else if (word[1] != '-')
			err = read_letters(&r, word + 1);
		else if (word[2])
			err = read_long(&r, word + 2);
		else
			ended = 1;
	}
	return err;
}

int flags_require(const struct flags *f, struct err_note *why)
{
	const struct flag *row;

	for (size_t i = 0; (row = flags_row(f->groups, i, NULL)) != NULL; i++)
		if (row->required && !f->given[i] && !(row->unless && flags_given(f, row->unless)))
			return err_set(why, ERR_USAGE, "--%s %s is needed; see '%s --help'",
				row->name, row->argument, f->who);
	return 0;
}

void flags_release(struct flags *f)
{
	const struct flag *row;
	size_t at;

	for (size_t i = 0; (row = flags_row(f->groups, i, &at)) != NULL; i++) {
		if (row->kind == FLAG_EACH || row->kind == FLAG_COMMAS) {
			struct flag_list *list = (struct flag_list *)(void *)(f->values + at);
			free(list->at);
			*list = (struct flag_list){NULL, 0};
		}
	}
	for (size_t i = 0; i < f->texts; i++)
		free(f->text[i]);
	free(f->text);
	free(f->origin);
	free(f->given);
	free(f->operand);
	*f = (struct flags){.groups = f->groups, .who = f->who, .values = f->values};
}

int flags_given(const struct flags *f, const char *name)
{
	const struct flag *row;
	size_t i = 0;

	while ((row = flags_row(f->groups, i, NULL)) != NULL && strcmp(row->name, name) != 0)
		i++;
	assert(row);
	return f->given[i];
}
