#include "base/flag.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "base/num.h"
#include "base/opt.h"

#include <stdlib.h>
#include <string.h>

char *flag_texts_add(struct flag_texts *t, const char *text, size_t n)
{
	char *copy = mem_new(n + 1, 1);

	memcpy(copy, text, n);
	copy[n] = 0;
	t->at = mem_grow(t->at, &t->room, t->n + 1, sizeof *t->at);
	t->at[t->n++] = copy;
	return copy;
}

void flag_texts_release(struct flag_texts *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->at[i]);
	free(t->at);
	*t = (struct flag_texts){NULL, 0, 0};
}

void flag_list_release(struct flag_list *list)
{
	free(list->at);
	*list = (struct flag_list){NULL, 0};
}

/* Appends a text; the list has room for it and for the NULL at the end. */
static void list_add(struct flag_list *list, const char *text)
{
	list->at = mem_resize(list->at, list->count + 2, sizeof *list->at);
	list->at[list->count++] = text;
	list->at[list->count] = NULL;
}

size_t flag_size(const struct flag *row)
{
	switch (row->kind) {
	case FLAG_SWITCH:
	case FLAG_CHOICE:
		return sizeof(int);
	case FLAG_TEXT:
	case FLAG_CONFIG:
		return sizeof(const char *);
	case FLAG_COUNT:
	case FLAG_BYTES:
		return sizeof(uint64_t);
	case FLAG_REAL:
		return sizeof(double);
	case FLAG_TIME:
		return sizeof(int64_t);
	case FLAG_EACH:
	case FLAG_COMMAS:
		return sizeof(struct flag_list);
	default:
		break;
	}
	return 0;
}

/* --- from text */

/* Checks that a text is one of the words of a row, if it has a list of words. The error names the nearest word, or all words. */
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
		return err_set(why, ERR_USAGE, "--%s: there is no '%s'; the nearest is '%s'", row->name, text, best);
	AUTO(buf) all = BUF_EMPTY;
	for (size_t i = 0; (word = row->words(i)) != NULL; i++)
		buf_format(&all, "%s%s", i ? ", " : "", word);
	return err_set(why, ERR_USAGE, "--%s: there is no '%s'; there are %s", row->name, text, all.used ? all.at : "none");
}

static int take_commas(const struct flag *row, struct flag_list *list, const char *text, struct flag_texts *texts,
	struct err_note *why)
{
	for (const char *p = text;; p++) {
		size_t n = strcspn(p, ",");
		if (!n)
			return err_set(why, ERR_USAGE, "--%s: an empty entry in '%s'", row->name, text);
		char *piece = flag_texts_add(texts, p, n);
		int err = check_word(row, piece, why);
		if (err)
			return err;
		list_add(list, piece);
		p += n;
		if (!*p)
			return 0;
	}
}

static int take_choice(const struct flag *row, int *place, const char *text, struct err_note *why)
{
	const int i = opt_place(row->argument, text);

	if (i < 0)
		return err_set(why, ERR_USAGE, "--%s is one of %s, not '%s'", row->name, row->argument, text);
	*place = i;
	return 0;
}

static int take_switch(const struct flag *row, int *on, const char *text, struct err_note *why)
{
	const int i = text && row->argument ? opt_place(row->argument, text) : -1;

	if (text && !row->argument)
		return err_set(why, ERR_USAGE, "--%s takes no value, but '%s' was given", row->name, text);
	if (text && i < 0)
		return err_set(why, ERR_USAGE, "--%s takes no value, or %s, not '%s'", row->name, row->argument, text);
	*on = text ? 2 + i : 1;
	return 0;
}

static int bad_number(const struct flag *row, const char *text, struct err_note *why)
{
	const char *what = row->kind == FLAG_COUNT ? "a whole number" : "a number";

	if (row->max > 0)
		return err_set(why, ERR_USAGE, "--%s takes %s from %.15g to %.15g, not '%s'", row->name, what, row->min, row->max,
			text);
	if (row->kind == FLAG_COUNT && row->min > 0)
		return err_set(why, ERR_USAGE, "--%s takes %s, at least %.15g, not '%s'", row->name, what, row->min, text);
	return err_set(why, ERR_USAGE, "--%s takes %s, not '%s'", row->name, what, text);
}

static int take_number(const struct flag *row, void *to, const char *text, struct err_note *why)
{
	uint64_t count;
	double real;

	if (row->kind == FLAG_COUNT) {
		if (num_scaled(text, &count) || (double)count < row->min || (row->max > 0 && (double)count > row->max))
			return bad_number(row, text, why);
		*(uint64_t *)to = count;
		return 0;
	}
	if (num_real(text, &real) || (row->max > 0 && !(real >= row->min && real <= row->max)))
		return bad_number(row, text, why);
	*(double *)to = real;
	return 0;
}

static void add_bytes(uint64_t bytes, struct buf *out);

static int take_bytes(const struct flag *row, void *to, const char *text, struct err_note *why)
{
	AUTO(buf) range = BUF_EMPTY;
	uint64_t bytes;

	if (num_bytes(text, &bytes) == 0 && (double)bytes >= row->min && (row->max <= 0 || (double)bytes <= row->max)) {
		memcpy(to, &bytes, sizeof bytes);
		return 0;
	}
	if (row->max > 0) {
		buf_text(&range, " from ");
		add_bytes((uint64_t)row->min, &range);
		buf_text(&range, " to ");
		add_bytes((uint64_t)row->max, &range);
	}
	return err_set(why, ERR_USAGE, "--%s takes a number of bytes%s such as 500K or 2G, not '%s'", row->name,
		range.used ? range.at : "", text);
}

static int take_time(const struct flag *row, void *to, const char *text, struct err_note *why)
{
	int64_t ms;

	if (num_time(text, &ms) || (double)ms < row->min)
		return err_set(why, ERR_USAGE, "--%s takes a time%s such as 2, 500ms, 10m or 1h30m, not '%s'", row->name,
			row->min > 0 ? " of more than 0" : "", text);
	memcpy(to, &ms, sizeof ms);
	return 0;
}

static int needs_text(enum flag_kind kind)
{
	return kind == FLAG_TEXT || kind == FLAG_EACH || kind == FLAG_CONFIG;
}

int flag_take(const struct flag *row, void *to, const char *text, struct flag_texts *texts, struct err_note *why)
{
	int err;

	if (needs_text(row->kind) && !*text && !row->may_be_empty)
		return err_set(why, ERR_USAGE, "--%s needs a value: %s", row->name, row->argument);
	switch (row->kind) {
	case FLAG_SWITCH:
		return take_switch(row, to, text, why);
	case FLAG_TEXT:
	case FLAG_CONFIG:
		err = check_word(row, text, why);
		if (!err)
			*(const char **)to = text;
		return err;
	case FLAG_COUNT:
	case FLAG_REAL:
		return take_number(row, to, text, why);
	case FLAG_BYTES:
		return take_bytes(row, to, text, why);
	case FLAG_TIME:
		return take_time(row, to, text, why);
	case FLAG_CHOICE:
		return take_choice(row, to, text, why);
	case FLAG_EACH:
		list_add(to, text);
		return 0;
	case FLAG_COMMAS:
		return take_commas(row, to, text, texts, why);
	default:
		break;
	}
	return ERR_OTHER;
}

/* --- to text */

static void add_time(int64_t ms, struct buf *out)
{
	opt_shortest(out, (double)ms / 1000);
	buf_text(out, "s");
}

static void add_bytes(uint64_t bytes, struct buf *out)
{
	static const char units[] = "KMGT";
	size_t unit = 0;

	while (unit < 4 && bytes && bytes % 1024 == 0) {
		bytes /= 1024;
		unit++;
	}
	buf_format(out, "%llu", (unsigned long long)bytes);
	if (unit)
		buf_byte(out, units[unit - 1]);
}

static void add_choice(const char *words, int place, struct buf *out)
{
	while (place--)
		words += strcspn(words, "|") + 1;
	buf_add(out, words, strcspn(words, "|"));
}

/* A field's value, whatever its kind. */
union value {
	const char *text;
	uint64_t count;
	double real;
	int64_t time;
	int place;
	struct flag_list list;
};

static union value value_of(const struct flag *row, const void *field)
{
	union value v;

	memset(&v, 0, sizeof v);
	memcpy(&v, field, flag_size(row));
	return v;
}

void flag_show(const struct flag *row, const void *field, struct buf *out)
{
	const union value v = value_of(row, field);

	switch (row->kind) {
	case FLAG_TEXT:
	case FLAG_CONFIG:
		if (v.text)
			buf_text(out, v.text);
		break;
	case FLAG_COUNT:
		if (v.count && !(row->max > 0 && (double)v.count > row->max))
			buf_format(out, "%llu", (unsigned long long)v.count);
		break;
	case FLAG_REAL:
		if (v.real != 0)
			opt_shortest(out, v.real);
		break;
	case FLAG_BYTES:
		if (v.count)
			add_bytes(v.count, out);
		break;
	case FLAG_TIME:
		if (v.time)
			add_time(v.time, out);
		break;
	case FLAG_CHOICE:
		add_choice(row->argument, v.place, out);
		break;
	default:
		break;
	}
}

static void keep_list(const struct flag_list *list, const char *between, struct buf *out)
{
	for (size_t i = 0; i < list->count; i++)
		buf_format(out, "%s%s", i ? between : "", list->at[i]);
}

void flag_keep(const struct flag *row, const void *field, struct buf *out)
{
	const union value v = value_of(row, field);
	const size_t before = out->used;

	switch (row->kind) {
	case FLAG_SWITCH:
		buf_text(out, v.place ? "1" : "");
		return;
	case FLAG_EACH:
		keep_list(&v.list, "\n", out);
		return;
	case FLAG_COMMAS:
		keep_list(&v.list, ",", out);
		return;
	case FLAG_TEXT:
		buf_text(out, v.text && !*v.text ? "\"\"" : v.text ? v.text : "");
		return;
	case FLAG_TIME:
		buf_format(out, v.time % 1000 ? "%lldms" : "%llds", (long long)(v.time % 1000 ? v.time : v.time / 1000));
		return;
	default:
		flag_show(row, field, out);
		if (out->used == before && !(row->kind == FLAG_COUNT && v.count))
			buf_byte(out, '0');
	}
}

int flag_recall(const struct flag *row, void *field, const char *text, struct flag_texts *texts, struct err_note *why)
{
	int err = 0;

	if (!*text)
		return 0;
	if (row->kind == FLAG_TEXT && row->may_be_empty && strcmp(text, "\"\"") == 0)
		text = "";
	char *copy = flag_texts_add(texts, text, strlen(text)), *line;
	switch (row->kind) {
	case FLAG_SWITCH:
		*(int *)field = strcmp(copy, "0") != 0;
		return 0;
	case FLAG_EACH:
		while (!err && (line = strsep(&copy, "\n")) != NULL)
			if (*line)
				err = flag_take(row, field, line, texts, why);
		return err;
	default:
		return flag_take(row, field, copy, texts, why);
	}
}
