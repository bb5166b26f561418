#include "cli/flags/flags.h"
#include "base/buf.h"
#include "base/destination.h"
#include "base/input.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "cli/lab/study_files.h"
#include "graph/formats/bvgraph.h"
#include "storage/store.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const all[] = {"/*", NULL}, *const none[] = {NULL},
			 *const archive[] = {"-*.warc.gz", "-*.warc.zst", "-*.cdxj", NULL},
			 *const store[] = {"/data.mdb", "/lock.mdb", "/writer", NULL};

static void add(struct destinations *d, enum destination_use use, const char *flag, const char *path)
{
	destinations_add(d, use, flag, path, NULL);
}

/* Adds the files of a graph in several files; `use` is that of the offsets. */
static void add_bvgraph(struct destinations *d, enum destination_use use, enum destination_use use_of_offsets, const char *flag,
	const char *path)
{
	static const char *const tail[] = {".graph", ".properties", ".offsets"};

	for (size_t i = 0; i < sizeof tail / sizeof *tail; i++) {
		char *whole = bvgraph_path(path, tail[i]);
		add(d, i == 2 ? use_of_offsets : use, flag, whole);
		free(whole);
	}
}

static void add_graph(struct destinations *d, const char *flag, const char *path)
{
	char *names;

	add(d, DESTINATION_READ, flag, path);
	add_bvgraph(d, DESTINATION_READ, DESTINATION_READ, flag, path);
	if (strcmp(path, "-") != 0 && names_beside(path, &names)) {
		add(d, DESTINATION_READ, flag, names);
		free(names);
	}
}

/* Adds the index of a folder of stored pages, and the files that the index names. A line that is no line of an index ends the list:
 * whoever reads the pages tells of it. */
static void add_pages(struct destinations *d, const char *flag, const char *folder)
{
	struct input *in;
	size_t length;
	char *line;

	struct buf path = buf_of("%s/index.tsv", folder);
	add(d, DESTINATION_READ, flag, path.at);
	if (input_open(&in, path.at, NULL) == 0) {
		while (input_line(in, &line, &length, NULL) > 0) {
			buf_clear(&path);
			buf_format(&path, "%s/%.*s", folder, (int)strcspn(line, "\t"), line);
			add(d, DESTINATION_READ, flag, path.at);
		}
		input_close(in);
	}
	buf_release(&path);
}

/* Returns the value of a text by its flag's name; NULL if there is no such flag, or no value. */
static const char *text_of(const struct flag_group *groups, const void *values, const char *name)
{
	const struct flag *row;
	const char *text = NULL;
	size_t at;

	for (size_t i = 0; (row = flags_row(groups, i, &at)) != NULL; i++)
		if (strcmp(row->name, name) == 0)
			memcpy(&text, (const char *)values + at, sizeof text);
	return text;
}

void flag_files_add(const struct flag_group *groups, const void *values, enum flag_file file, const char *flag, const char *text,
	struct destinations *d)
{
	const char *behind = strchr(text, '='), *to;

	switch (file) {
	case FLAG_NO_FILE:
		break;
	case FLAG_READS:
		add(d, DESTINATION_READ, flag, text);
		if (behind)
			add(d, DESTINATION_READ, flag, behind + 1);
		break;
	case FLAG_READS_SEEDS:
		while (strncmp(text, "sample:", 7) == 0 && strchr(text + 7, ':'))
			text = strchr(text + 7, ':') + 1;
		if (strcmp(text, "roots") != 0)
			add(d, DESTINATION_READ, flag, text);
		break;
	case FLAG_READS_FOLDER:
		destinations_add(d, DESTINATION_READ, flag, text, all);
		break;
	case FLAG_READS_PAGES:
		add_pages(d, flag, text);
		break;
	case FLAG_READS_GRAPH:
		add_graph(d, flag, text);
		break;
	case FLAG_READS_ARCHIVE:
		destinations_add(d, DESTINATION_READ, flag, text, archive);
		break;
	case FLAG_WRITES:
		add(d, DESTINATION_WRITTEN, flag, text);
		break;
	case FLAG_APPENDS:
		add(d, DESTINATION_APPENDED, flag, text);
		break;
	case FLAG_WRITES_PAGES:
		destinations_add(d, DESTINATION_WRITTEN, flag, text, none);
		break;
	case FLAG_WRITES_REPORT:
		destinations_add(d, DESTINATION_WRITTEN, flag, text, study_file_names);
		break;
	case FLAG_WRITES_ARCHIVE:
		destinations_add(d, DESTINATION_WRITTEN, flag, text, archive);
		break;
	case FLAG_WRITES_GRAPH:
		to = text_of(groups, values, "to");
		if (to && strcmp(to, "bvgraph") == 0)
			add_bvgraph(d, DESTINATION_WRITTEN, DESTINATION_WRITTEN, flag, text);
		else
			add(d, DESTINATION_WRITTEN, flag, text);
		break;
	case FLAG_WRITES_OFFSETS:
		add_bvgraph(d, DESTINATION_READ, DESTINATION_WRITTEN, flag, text);
		break;
	case FLAG_WRITES_STORE:
		destinations_add(d, DESTINATION_STORE, flag, text, store);
		break;
	}
}

/* Says whether a text is a word of its row, as the name of a policy is, and no file of that name. */
static int is_word(const struct flag *row, const char *text)
{
	const char *word;

	for (size_t i = 0; row->words && (word = row->words(i)) != NULL; i++)
		if (strcmp(word, text) == 0)
			return 1;
	return 0;
}

void flag_files(const struct flag_group *groups, const void *values, struct destinations *d)
{
	const struct flag *row;
	size_t at;

	for (size_t i = 0; (row = flags_row(groups, i, &at)) != NULL; i++) {
		const char *field = (const char *)values + at;
		struct flag_list list = {NULL, 0};
		const char *text = NULL;
		char flag[64];
		if (!row->file)
			continue;
		if (row->kind == FLAG_EACH || row->kind == FLAG_COMMAS)
			memcpy(&list, field, sizeof list);
		else
			memcpy(&text, field, sizeof text);
		snprintf(flag, sizeof flag, "--%s", row->name);
		if (text && !is_word(row, text))
			flag_files_add(groups, values, row->file, flag, text, d);
		for (size_t k = 0; k < list.count; k++)
			if (!is_word(row, list.at[k]))
				flag_files_add(groups, values, row->file, flag, list.at[k], d);
	}
}

int flag_files_check(const struct destinations *d, struct err_note *why)
{
	return destinations_check(d, store_is, why);
}

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

#define FLAG_ROOM sizeof(struct flag_list) /* bytes of the largest field */

char *flags_text(struct flags *f, const char *text, size_t n)
{
	return flag_texts_add(&f->texts, text, n);
}

static void note_origin(struct flags *f, size_t index, unsigned line)
{
	f->origin = mem_grow(f->origin, &f->origin_room, f->origins + 1, sizeof *f->origin);
	f->origin[f->origins++] = (struct flag_origin){index, line};
}

/* Gives a row a value, NULL for a switch, with the origin `line`. Returns 0 or ERR_USAGE. */
static int flags_take(struct flags *f, size_t index, const char *text, unsigned line, struct err_note *why)
{
	size_t at = 0;
	const struct flag *row = flags_row(f->groups, index, &at);

	f->given[index] = FLAG_GIVEN;
	note_origin(f, index, line);
	return flag_take(row, f->values + at, text, &f->texts, why);
}

static int is_list(const struct flag *row)
{
	return row->kind == FLAG_EACH || row->kind == FLAG_COMMAS;
}

/* Gives a row its default again, with the origin `line`. */
static void flags_reset(struct flags *f, size_t index, unsigned line)
{
	size_t at = 0, kept = 0;
	const struct flag *row = flags_row(f->groups, index, &at);

	for (size_t i = 0; i < f->origins; i++)
		if (f->origin[i].row != index)
			f->origin[kept++] = f->origin[i];
	f->origins = kept;
	note_origin(f, index, line);
	f->given[index] = FLAG_RESET;
	if (is_list(row))
		flag_list_release((struct flag_list *)(void *)(f->values + at));
	else
		memcpy(f->values + at, f->initial + index * FLAG_ROOM, flag_size(row));
}

/* --- names */

/* Returns the index of the row with this name; `rows` if there is none. */
static size_t row_named(const struct flag_group *groups, const char *name, size_t n)
{
	const struct flag *row;
	size_t i = 0;

	while ((row = flags_row(groups, i, NULL)) != NULL && (strlen(row->name) != n || strncmp(row->name, name, n) != 0))
		i++;
	return i;
}

/* Returns the row that a name stands for, with an ALIAS followed. */
static const struct flag *follow(struct flags *f, const char *name, size_t n, size_t *index)
{
	*index = row_named(f->groups, name, n);
	const struct flag *row = flags_row(f->groups, *index, NULL);

	if (row && row->kind == FLAG_ALIAS) {
		f->given[*index] = FLAG_GIVEN;
		*index = row_named(f->groups, row->argument, strlen(row->argument));
		row = flags_row(f->groups, *index, NULL);
		assert(row);
	}
	return row;
}

/* Says whether --no-NAME is allowed for a flag. */
static int may_be_reset(const struct flag *row)
{
	return row && !row->required && row->kind != FLAG_CONFIG && row->kind != FLAG_FOREIGN;
}

/* Finds the row for a name of n bytes: the name itself, that of an ALIAS, or "no-" and the name; *sense is
 * FLAG_RESET in the last case, and else FLAG_GIVEN. Returns 1 with *row; 0 if there is no such name; or ERR_USAGE
 * if the name is a flag of another program, and the note says what to use instead. */
static int flags_find(struct flags *f, const char *name, size_t n, size_t *index, enum flag_given *sense, struct err_note *why)
{
	const struct flag *row = follow(f, name, n, index);
	char opposite[64];

	*sense = FLAG_GIVEN;
	if (row && row->kind == FLAG_FOREIGN)
		return err_set(why, ERR_USAGE, "'%s%s' is %s's; here: %s", n > 1 ? "--" : "-", row->name, row->argument, row->help);
	if (row)
		return 1;
	*sense = FLAG_RESET;
	if (n > 3 && strncmp(name, "no-", 3) == 0)
		return may_be_reset(follow(f, name + 3, n - 3, index));
	/* the name may be the opposite of a switch: --robots of the switch "no-robots" */
	const int length = snprintf(opposite, sizeof opposite, "no-%.*s", (int)n, name);
	if (n >= sizeof opposite - 3)
		return 0;
	row = follow(f, opposite, (size_t)length, index);
	return row && row->kind == FLAG_SWITCH;
}

/* Returns the name of a row that is nearest to `name`, or NULL if none is near. */
static const char *flags_nearest(const struct flags *f, const char *name)
{
	const char *best = NULL;
	const struct flag *row;
	size_t distance = 0;

	for (size_t i = 0; (row = flags_row(f->groups, i, NULL)) != NULL; i++)
		if (row->kind != FLAG_ALIAS && row->kind != FLAG_FOREIGN)
			nearest_try(name, row->name, &best, &distance);
	return best && nearest_is_near(name, distance) ? best : NULL;
}

void flags_say_old(const struct flags *f)
{
	const struct flag *row;

	for (size_t i = 0; (row = flags_row(f->groups, i, NULL)) != NULL; i++)
		if (row->kind == FLAG_ALIAS && f->given[i])
			log_say("--%s is now called --%s", row->name, row->argument);
}

/* --- the command line */

/* Where reading has come to. */
struct reader {
	struct flags *f;
	const char *const *argv;
	size_t n, i;
	struct err_note *why;
};

/* Refuses a flag of this command as the value of another flag, whose own value was forgotten. */
static int check_value(const struct reader *r, const struct flag *row, const char *text)
{
	enum flag_given sense;
	size_t index;

	if (strncmp(text, "--", 2) != 0 || flags_find(r->f, text + 2, strcspn(text + 2, "="), &index, &sense, NULL) <= 0)
		return 0;
	return err_set(r->why, ERR_USAGE, "--%s needs a value: %s; '%s' is a flag, and as a value it is written --%s=%s", row->name,
		row->argument, text, row->name, text);
}

/* Takes row `index` with the text that is joined to it. If `text` is NULL, the value is row->bare; if that is NULL, too, the
 * next argument, which every kind but FLAG_SWITCH needs. */
static int take(struct reader *r, size_t index, const char *text)
{
	const struct flag *row = flags_row(r->f->groups, index, NULL);

	if (!text)
		text = row->bare;
	if (row->kind != FLAG_SWITCH && !text) {
		if (r->i + 1 >= r->n)
			return err_set(r->why, ERR_USAGE, "--%s needs a value: %s", row->name, row->argument);
		text = r->argv[++r->i];
		const int err = check_value(r, row, text);
		if (err)
			return err;
	}
	return flags_take(r->f, index, text, 0, r->why);
}

static int unknown(const struct reader *r, const char *name)
{
	const char *near = flags_nearest(r->f, name);

	if (near)
		return err_set(r->why, ERR_USAGE, "unknown flag '--%s'; the nearest is '--%s'", name, near);
	return err_set(r->why, ERR_USAGE, "unknown flag '--%s'; see '%s --help'", name, r->f->who);
}

static int read_long(struct reader *r, const char *name)
{
	const char *equals = strchr(name, '=');
	size_t n = equals ? (size_t)(equals - name) : strlen(name), index;
	enum flag_given sense;

	int found = flags_find(r->f, name, n, &index, &sense, r->why);
	if (found > 0 && sense == FLAG_GIVEN)
		return take(r, index, equals ? equals + 1 : NULL);
	if (found > 0 && equals)
		return err_set(r->why, ERR_USAGE, "--%.*s takes no value, but '%s' was given", (int)n, name, equals + 1);
	if (found > 0)
		flags_reset(r->f, index, 0);
	if (found)
		return found < 0 ? found : 0;
	char *bare = strndup(name, n);
	int err = unknown(r, bare);
	free(bare);
	return err;
}

/* Returns ERR_USAGE for letters that are no flags; for a flag of another program, such as -np, the note says what to use
 * instead. */
static int unknown_letter(const struct reader *r, const char *letters, char letter)
{
	const struct flag *row;
	const char one[2] = {letter, 0};

	for (size_t i = 0; (row = flags_row(r->f->groups, i, NULL)) != NULL; i++)
		if (row->kind == FLAG_FOREIGN && (strcmp(row->name, letters) == 0 || strcmp(row->name, one) == 0))
			return err_set(r->why, ERR_USAGE, "'-%s' is %s's; here: %s", row->name, row->argument, row->help);
	return err_set(r->why, ERR_USAGE, "unknown flag '-%c' in '-%s'; see '%s --help'", letter, letters, r->f->who);
}

static int read_letters(struct reader *r, const char *letters)
{
	for (const char *p = letters; *p; p++) {
		const struct flag *row;
		size_t i = 0;
		while ((row = flags_row(r->f->groups, i, NULL)) != NULL && row->letter != *p)
			i++;
		if (!row)
			return unknown_letter(r, letters, *p);
		if (row->kind != FLAG_SWITCH)
			return take(r, i, p[1] ? p + 1 : NULL);
		int err = take(r, i, NULL);
		if (err)
			return err;
	}
	return 0;
}

/* Keeps the defaults that `values` holds. */
static void keep_initial(struct flags *f, size_t rows)
{
	const struct flag *row;
	size_t at;

	f->initial = mem_zero(rows, FLAG_ROOM);
	for (size_t i = 0; (row = flags_row(f->groups, i, &at)) != NULL; i++)
		memcpy(f->initial + i * FLAG_ROOM, f->values + at, flag_size(row));
}

int flags_read(struct flags *f, const char *who, const struct flag_group *groups, void *values, const char *const *argv, size_t n,
	struct err_note *why)
{
	struct reader r = {f, argv, n, 0, why};
	size_t rows = 0;
	int err = 0, ended = 0;

	while (flags_row(groups, rows, NULL))
		rows++;
	*f = (struct flags){.who = who, .groups = groups, .values = values};
	f->given = mem_zero(rows, 1);
	keep_initial(f, rows);
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

int flags_give(struct flags *f, const char *name, const char *value, struct err_note *why)
{
	const size_t index = row_named(f->groups, name, strlen(name));

	if (!flags_row(f->groups, index, NULL))
		return unknown(&(struct reader){.f = f, .why = why}, name);
	return flags_take(f, index, value, 0, why);
}

static int is_missing(const struct flags *f, size_t i, const struct flag *row)
{
	return row->required && !f->given[i] && !(row->unless && flags_given(f, row->unless));
}

int flags_fill_noun(struct flags *f, size_t least, size_t most, struct err_note *why)
{
	const struct flag *row;
	size_t i = 0;
	int err = 0;

	while ((row = flags_row(f->groups, i, NULL)) != NULL && !(row->is_noun && !f->given[i]))
		i++;
	const size_t own = row && row->required ? least : most;
	if (!row || f->operands <= own)
		return 0;
	const size_t n = row->kind == FLAG_EACH ? f->operands - own : 1;
	for (size_t k = 0; !err && k < n; k++)
		err = flags_take(f, i, f->operand[k], 0, why);
	f->operands -= n;
	memmove(f->operand, f->operand + n, f->operands * sizeof *f->operand);
	return err;
}

int flags_require(const struct flags *f, struct err_note *why)
{
	const struct flag *row;

	for (size_t i = 0; (row = flags_row(f->groups, i, NULL)) != NULL; i++)
		if (is_missing(f, i, row))
			return err_set(why, ERR_USAGE, "--%s %s is needed; see '%s --help'", row->name, row->argument, f->who);
	return 0;
}

void flags_release(struct flags *f)
{
	const struct flag *row;
	size_t at;

	for (size_t i = 0; (row = flags_row(f->groups, i, &at)) != NULL; i++) {
		if (is_list(row))
			flag_list_release((struct flag_list *)(void *)(f->values + at));
	}
	flag_texts_release(&f->texts);
	free(f->initial);
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
	return f->given[i] == FLAG_GIVEN;
}

/* --- flags from a file */

/* Flags from a file. */

struct reading {
	struct flags *f;
	struct input *in;
	uint8_t *before; /* what the command line gave: a byte a row */
	struct err_note *why;
};

static int wrong(const struct reading *r, const char *format, const char *text)
{
	struct buf what = buf_of("%s:%llu: ", input_path(r->in), (unsigned long long)input_line_number(r->in));
	for (; *format; format++)
		if (format[0] == '%' && format[1] == 's') {
			buf_text(&what, text);
			format++;
		} else {
			buf_byte(&what, *format);
		}
	int err = err_set(r->why, ERR_USAGE, "%s", what.at);
	buf_release(&what);
	return err;
}

static char *trim(char *text)
{
	text += strspn(text, " \t");
	for (size_t n = strlen(text); n && strchr(" \t\r", text[n - 1]); n--)
		text[n - 1] = 0;
	return text;
}

static int hex(int c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Takes the quotes off in place; -1 where they do not match, or an escape is none. */
static int unquote(char *text)
{
	char *to = text, *from = text + 1;

	for (; *from && *from != '"'; from++) {
		int c = *from;
		if (c == '\\') {
			c = *++from;
			if (c == 'x' && hex(from[1]) >= 0 && hex(from[2]) >= 0) {
				c = hex(from[1]) * 16 + hex(from[2]);
				from += 2;
			} else {
				c = c == 'n' ? '\n' : c == 't' ? '\t' : strchr("\"\\", c) ? c : 0;
			}
			if (!c)
				return -1;
		}
		*to++ = (char)c;
	}
	if (from[0] != '"' || from[1])
		return -1;
	*to = 0;
	return 0;
}

static int unknown_key(const struct reading *r, const char *key)
{
	const char *near = flags_nearest(r->f, key);

	struct buf text = buf_of("unknown key '%s'", key);
	if (near)
		buf_format(&text, "; the nearest is '%s'", near);
	else
		buf_format(&text, "; keys are the flags of '%s --help'", r->f->who);
	int err = wrong(r, "%s", text.at);
	buf_release(&text);
	return err;
}

/* Sets the error that a note holds, with the file and the line before its text. */
static int wrong_note(const struct reading *r, const struct err_note *note)
{
	return wrong(r, "%s", note->text);
}

/* Sets a switch, or the row that a line "no-NAME" resets, from the value "yes" or "no". */
static int set_switch(const struct reading *r, size_t index, enum flag_given sense, const char *value)
{
	const unsigned line = (unsigned)input_line_number(r->in);
	const struct flag *row = flags_row(r->f->groups, index, NULL);

	if (strcmp(value, "yes") != 0 && strcmp(value, "no") != 0)
		return wrong(r, "a switch is yes or no, not '%s'", value);
	if (r->before[index])
		return 0;
	if ((*value == 'y') == (sense == FLAG_RESET))
		flags_reset(r->f, index, line);
	else if (row->kind == FLAG_SWITCH)
		return flags_take(r->f, index, NULL, line, r->why);
	return 0;
}

static int set(const struct reading *r, size_t index, enum flag_given sense, char *value)
{
	const struct flag *row = flags_row(r->f->groups, index, NULL);
	struct err_note note = {""};

	char *quoted = *value == '"' ? mem_text(value) : NULL;
	int err = quoted && unquote(value) ? wrong(r, "%s has quotes or escapes that do not match", quoted) : 0;
	free(quoted);
	if (err)
		return err;
	if (row->kind == FLAG_CONFIG)
		return wrong(r, "a file of settings cannot name another: '%s'", value);
	if (row->kind == FLAG_SWITCH || sense == FLAG_RESET)
		return set_switch(r, index, sense, value);
	if (r->before[index])
		return 0;
	err = flags_take(r->f, index, flags_text(r->f, value, strlen(value)), (unsigned)input_line_number(r->in), &note);
	return err ? wrong_note(r, &note) : 0;
}

static int read_line(const struct reading *r, char *line)
{
	struct err_note note = {""};
	enum flag_given sense;
	size_t index;

	if (input_line_number(r->in) == 1 && strncmp(line, "\xef\xbb\xbf", 3) == 0)
		line += 3; /* a byte order mark in UTF-8, which some editors write */
	line = trim(line);
	if (!*line || *line == '#')
		return 0;
	char *equals = strchr(line, '=');
	if (!equals)
		return wrong(r, "'%s' is not of the form 'key = value'", line);
	*equals = 0;
	const char *key = trim(line);
	const int found = flags_find(r->f, key, strlen(key), &index, &sense, &note);
	if (found < 0)
		return wrong_note(r, &note);
	return found ? set(r, index, sense, trim(equals + 1)) : unknown_key(r, key);
}

static const char *file_of(const struct flags *f, size_t *rows)
{
	const struct flag *row;
	const char *file = NULL;
	size_t at;

	for (*rows = 0; (row = flags_row(f->groups, *rows, &at)) != NULL; ++*rows)
		if (row->kind == FLAG_CONFIG)
			memcpy(&file, f->values + at, sizeof file);
	return file;
}

int flags_read_file(struct flags *f, struct err_note *why)
{
	struct reading r = {.f = f, .why = why};
	size_t rows, n;
	char *line;
	int err;

	f->file = file_of(f, &rows);
	if (!f->file)
		return 0;
	err = input_open(&r.in, f->file, why);
	if (err)
		return err;
	r.before = mem_copy(f->given, rows);
	while ((err = input_line(r.in, &line, &n, why)) > 0 && (err = read_line(&r, line)) == 0)
		;
	free(r.before);
	input_close(r.in);
	return err;
}
