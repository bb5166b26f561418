#include "cli/flags/flags.h"
#include "base/buf.h"
#include "base/destination.h"
#include "base/input.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "base/opt.h"
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
		AUTO_FREE char *whole = bvgraph_path(path, tail[i]);
		add(d, i == 2 ? use_of_offsets : use, flag, whole);
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

	AUTO(buf) path = buf_of("%s/index.tsv", folder);

	add(d, DESTINATION_READ, flag, path.at);
	if (input_open(&in, path.at, NULL) == 0) {
		while (input_line(in, &line, &length, NULL) > 0) {
			buf_clear(&path);
			buf_format(&path, "%s/%.*s", folder, (int)strcspn(line, "\t"), line);
			add(d, DESTINATION_READ, flag, path.at);
		}
		input_close(in);
	}
}

/* Returns the value of a text by its flag's name; NULL if there is no such flag, or no value. */
static const char *text_of(const struct flag *rows, const void *values, const char *name)
{
	const struct flag *row;
	const char *text = NULL;
	size_t at;

	for (size_t i = 0; (row = flags_row(rows, i, &at)) != NULL; i++)
		if (strcmp(row->name, name) == 0)
			memcpy(&text, (const char *)values + at, sizeof text);
	return text;
}

/* Of the kinds of files that are one path: the use of the path, and what belongs to it besides. */
static const struct {
	enum destination_use use;
	const char *const *parts;
} uses[] = {[FLAG_READS] = {DESTINATION_READ, NULL},
	[FLAG_READS_SEEDS] = {DESTINATION_READ, NULL},
	[FLAG_READS_FOLDER] = {DESTINATION_READ, all},
	[FLAG_READS_ARCHIVE] = {DESTINATION_READ, archive},
	[FLAG_WRITES] = {DESTINATION_WRITTEN, NULL},
	[FLAG_APPENDS] = {DESTINATION_APPENDED, NULL},
	[FLAG_WRITES_PAGES] = {DESTINATION_WRITTEN, none},
	[FLAG_WRITES_REPORT] = {DESTINATION_WRITTEN, study_file_names},
	[FLAG_WRITES_ARCHIVE] = {DESTINATION_WRITTEN, archive},
	[FLAG_WRITES_GRAPH] = {DESTINATION_WRITTEN, NULL},
	[FLAG_WRITES_STORE] = {DESTINATION_STORE, store}};

void flag_files_add(const struct flag *rows, const void *values, enum flag_file file, const char *flag, const char *text,
	struct destinations *d)
{
	const char *behind = strchr(text, '='), *to = file == FLAG_WRITES_GRAPH ? text_of(rows, values, "to") : NULL;

	while (file == FLAG_READS_SEEDS && strncmp(text, "sample:", 7) == 0 && strchr(text + 7, ':'))
		text = strchr(text + 7, ':') + 1;
	if (file == FLAG_READS && behind)
		add(d, DESTINATION_READ, flag, behind + 1);
	if (file == FLAG_NO_FILE || (file == FLAG_READS_SEEDS && strcmp(text, "roots") == 0))
		return;
	if (file == FLAG_READS_PAGES)
		add_pages(d, flag, text);
	else if (file == FLAG_READS_GRAPH)
		add_graph(d, flag, text);
	else if (file == FLAG_WRITES_OFFSETS)
		add_bvgraph(d, DESTINATION_READ, DESTINATION_WRITTEN, flag, text);
	else if (to && strcmp(to, "bvgraph") == 0)
		add_bvgraph(d, DESTINATION_WRITTEN, DESTINATION_WRITTEN, flag, text);
	else
		destinations_add(d, uses[file].use, flag, text, uses[file].parts);
}

/* Says whether a text is a word of its row, as the name of a policy is; it then means the word, and not a file of that name. */
static int is_word(const struct flag *row, const char *text)
{
	const char *word;

	for (size_t i = 0; row->words && (word = row->words(i)) != NULL; i++)
		if (strcmp(word, text) == 0)
			return 1;
	return 0;
}

void flag_files(const struct flag *rows, const void *values, struct destinations *d)
{
	const struct flag *row;
	size_t at;

	for (size_t i = 0; (row = flags_row(rows, i, &at)) != NULL; i++) {
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
			flag_files_add(rows, values, row->file, flag, text, d);
		for (size_t k = 0; k < list.count; k++)
			if (!is_word(row, list.at[k]))
				flag_files_add(rows, values, row->file, flag, list.at[k], d);
	}
}

int flag_files_check(const struct destinations *d, struct err_note *why)
{
	return destinations_check(d, store_is, why);
}

/* Returns row i of a table, with its headings or without them. */
static const struct flag *row_at(const struct flag *rows, size_t *i, int with_headings, size_t *at)
{
	const struct flag *found;

	for (; rows->name; rows++) {
		if (rows->kind == FLAG_TABLE && (found = row_at(rows->rows, i, with_headings, at)) != NULL) {
			if (at)
				*at += rows->at;
			return found;
		}
		if (rows->kind == FLAG_TABLE || (flag_is_heading(rows) && !with_headings) || (*i)--)
			continue;
		if (at)
			*at = rows->at;
		return rows;
	}
	return NULL;
}

const struct flag *flags_row(const struct flag *rows, size_t i, size_t *at)
{
	return row_at(rows, &i, 0, at);
}

const struct flag *flags_line(const struct flag *rows, size_t i, size_t *at)
{
	return row_at(rows, &i, 1, at);
}

char *flags_text(struct flags *f, const char *text, size_t n)
{
	return flag_texts_add(&f->texts, text, n);
}

/* Gives an entry a value, NULL for a switch, with the origin `line`. Returns 0 or ERR_USAGE. */
static int flags_take(struct flags *f, struct flag_entry *e, const char *text, unsigned line, struct err_note *why)
{
	e->given = FLAG_GIVEN;
	e->line = line;
	f->origin = mem_grow(f->origin, &f->origin_room, f->origins + 1, sizeof *f->origin);
	f->origin[f->origins++] = (struct flag_origin){e, line};
	return flag_take(e->row, e->field, text, &f->texts, why);
}

static int is_list(const struct flag *row)
{
	return row->kind == FLAG_EACH || row->kind == FLAG_COMMAS;
}

/* Gives an entry its default again, with the origin `line`. */
static void flags_reset(struct flags *f, struct flag_entry *e, unsigned line)
{
	size_t kept = 0;

	for (size_t i = 0; i < f->origins; i++)
		if (f->origin[i].entry != e)
			f->origin[kept++] = f->origin[i];
	f->origins = kept;
	e->given = FLAG_RESET;
	e->line = line;
	if (is_list(e->row))
		flag_list_release(e->field);
	else
		memcpy(e->field, &e->initial, flag_size(e->row));
}

/* --- names */

/* Returns the entry with this name, or NULL. */
static struct flag_entry *named(const struct flags *f, const char *name, size_t n)
{
	struct flag_entry *e = f->entry;
	AUTO_FREE char *copy = mem_part(name, n);

	while (e->row && (e->row->kind == FLAG_FOREIGN ? opt_place(e->row->name, copy) < 0 : strcmp(e->row->name, copy) != 0))
		e++;
	return e->row ? e : NULL;
}

/* Returns the entry that a name stands for, with an ALIAS followed. */
static struct flag_entry *follow(const struct flags *f, const char *name, size_t n)
{
	struct flag_entry *e = named(f, name, n);

	if (!e || e->row->kind != FLAG_ALIAS)
		return e;
	e->given = FLAG_GIVEN;
	return named(f, e->row->argument, strlen(e->row->argument));
}

/* Says whether --no-NAME is allowed for a flag. */
static int may_be_reset(const struct flag_entry *e)
{
	return e && !e->row->required && e->row->kind != FLAG_CONFIG && e->row->kind != FLAG_FOREIGN;
}

/* Finds the entry for a name of n bytes: the name itself, that of an ALIAS, or "no-" and the name; *sense is
 * FLAG_RESET in the last case, and else FLAG_GIVEN. Returns 1 with *e; 0 if there is no such name; or ERR_USAGE
 * if the name is a flag of another program, and the note says what to use instead. */
static int flags_find(const struct flags *f, const char *name, size_t n, struct flag_entry **e, enum flag_given *sense,
	struct err_note *why)
{
	char opposite[64];

	*e = follow(f, name, n);
	*sense = FLAG_GIVEN;
	if (*e && (*e)->row->kind == FLAG_FOREIGN)
		return err_set(why, ERR_USAGE, "'%s%.*s' is %s's; here: %s", n > 1 ? "--" : "-", (int)n, name, (*e)->row->argument,
			(*e)->row->help);
	if (*e)
		return 1;
	*sense = FLAG_RESET;
	if (n > 3 && strncmp(name, "no-", 3) == 0)
		return may_be_reset(*e = follow(f, name + 3, n - 3));
	/* the name may be the opposite of a switch: --robots of the switch "no-robots" */
	const int length = snprintf(opposite, sizeof opposite, "no-%.*s", (int)n, name);
	if (n >= sizeof opposite - 3)
		return 0;
	*e = follow(f, opposite, (size_t)length);
	return *e && (*e)->row->kind == FLAG_SWITCH;
}

/* Writes that there is no flag, or key of a file, of this name: the nearest, or else where they are listed. Returns ERR_USAGE. */
static int unknown(const struct flags *f, const char *what, const char *dashes, const char *name, const char *list,
	struct err_note *why)
{
	const char *best = NULL;
	size_t distance = 0;

	for (const struct flag_entry *e = f->entry; e->row; e++)
		if (e->row->kind != FLAG_ALIAS && e->row->kind != FLAG_FOREIGN)
			nearest_try(name, e->row->name, &best, &distance);
	if (best && nearest_is_near(name, distance))
		return err_set(why, ERR_USAGE, "unknown %s '%s%s'; the nearest is '%s%s'", what, dashes, name, dashes, best);
	return err_set(why, ERR_USAGE, "unknown %s '%s%s'; %s '%s --help'", what, dashes, name, list, f->who);
}

void flags_say_old(const struct flags *f)
{
	for (const struct flag_entry *e = f->entry; e->row; e++)
		if (e->row->kind == FLAG_ALIAS && e->given)
			log_say("--%s is now called --%s", e->row->name, e->row->argument);
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
	struct flag_entry *e;

	if (strncmp(text, "--", 2) != 0 || flags_find(r->f, text + 2, strcspn(text + 2, "="), &e, &sense, NULL) <= 0)
		return 0;
	return err_set(r->why, ERR_USAGE, "--%s needs a value: %s; '%s' is a flag, and as a value it is written --%s=%s", row->name,
		row->argument, text, row->name, text);
}

/* Takes an entry with the text that is joined to it. If `text` is NULL, the value is row->bare; if that is NULL, too, the
 * next argument, which every kind but FLAG_SWITCH needs. */
static int take(struct reader *r, struct flag_entry *e, const char *text)
{
	const struct flag *row = e->row;

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
	return flags_take(r->f, e, text, 0, r->why);
}

static int read_long(struct reader *r, const char *name)
{
	const size_t n = strcspn(name, "=");
	const char *equals = name[n] ? name + n : NULL;
	struct flag_entry *e;
	enum flag_given sense;

	int found = flags_find(r->f, name, n, &e, &sense, r->why);

	if (found > 0 && sense == FLAG_GIVEN)
		return take(r, e, equals ? equals + 1 : NULL);
	if (found > 0 && equals)
		return err_set(r->why, ERR_USAGE, "--%.*s takes no value, but '%s' was given", (int)n, name, equals + 1);
	if (found > 0)
		flags_reset(r->f, e, 0);
	if (found)
		return found < 0 ? found : 0;
	AUTO_FREE char *bare = mem_part(name, n);
	return unknown(r->f, "flag", "--", bare, "see", r->why);
}

/* Returns ERR_USAGE for letters that are no flags; for a flag of another program, such as -np, the note says what to use
 * instead. */
static int unknown_letter(const struct reader *r, const char *letters, char letter)
{
	const char one[2] = {letter, 0};

	for (const struct flag_entry *e = r->f->entry; e->row; e++) {
		const char *name = e->row->kind != FLAG_FOREIGN ? NULL
			: opt_place(e->row->name, letters) >= 0 ? letters
			: opt_place(e->row->name, one) >= 0     ? one
								: NULL;
		if (name)
			return err_set(r->why, ERR_USAGE, "'-%s' is %s's; here: %s", name, e->row->argument, e->row->help);
	}
	return err_set(r->why, ERR_USAGE, "unknown flag '-%c' in '-%s'; see '%s --help'", letter, letters, r->f->who);
}

static int read_letters(struct reader *r, const char *letters)
{
	for (const char *p = letters; *p; p++) {
		struct flag_entry *e = r->f->entry;
		while (e->row && e->row->letter != *p)
			e++;
		if (!e->row)
			return unknown_letter(r, letters, *p);
		if (e->row->kind != FLAG_SWITCH)
			return take(r, e, p[1] ? p + 1 : NULL);
		int err = take(r, e, NULL);
		if (err)
			return err;
	}
	return 0;
}

/* Makes the entries, with the defaults that `values` holds. */
static void make_entries(struct flags *f, const struct flag *rows, char *values)
{
	size_t n = 0, at;

	while (flags_row(rows, n, NULL))
		n++;
	f->entry = mem_zero(n + 1, sizeof *f->entry);
	for (size_t i = 0; i < n; i++) {
		struct flag_entry *e = &f->entry[i];
		e->row = flags_row(rows, i, &at);
		e->field = values + at;
		memcpy(&e->initial, e->field, flag_size(e->row));
	}
}

int flags_read(struct flags *f, const char *who, const struct flag *rows, void *values, const char *const *argv, size_t n,
	struct err_note *why)
{
	struct reader r = {f, argv, n, 0, why};
	int ended = 0;

	*f = (struct flags){.who = who};
	make_entries(f, rows, values);
	f->operand = mem_zero(n + 1, sizeof *f->operand);
	for (; r.i < n; r.i++) {
		const char *word = argv[r.i];
		if (ended || word[0] != '-' || !word[1])
			f->operand[f->operands++] = word;
		else if (word[1] != '-')
			TRY(read_letters(&r, word + 1));
		else if (word[2])
			TRY(read_long(&r, word + 2));
		else
			ended = 1;
	}
	return 0;
}

int flags_give(struct flags *f, const char *name, const char *value, struct err_note *why)
{
	struct flag_entry *e = named(f, name, strlen(name));

	return e ? flags_take(f, e, value, 0, why) : unknown(f, "flag", "--", name, "see", why);
}

int flags_fill_noun(struct flags *f, size_t least, size_t most, struct err_note *why)
{
	struct flag_entry *e = f->entry;
	int err = 0;

	while (e->row && !(e->row->is_noun && !e->given))
		e++;
	const size_t own = e->row && e->row->required ? least : most;
	if (!e->row || f->operands <= own)
		return 0;
	const size_t n = e->row->kind == FLAG_EACH ? f->operands - own : 1;
	for (size_t k = 0; !err && k < n; k++)
		err = flags_take(f, e, f->operand[k], 0, why);
	f->operands -= n;
	memmove(f->operand, f->operand + n, f->operands * sizeof *f->operand);
	return err;
}

int flags_require(const struct flags *f, struct err_note *why)
{
	for (const struct flag_entry *e = f->entry; e->row; e++)
		if (e->row->required && !e->given && !(e->row->unless && flags_given(f, e->row->unless)))
			return err_set(why, ERR_USAGE, "--%s %s is needed; see '%s --help'", e->row->name, e->row->argument,
				f->who);
	return 0;
}

void flags_release(struct flags *f)
{
	for (struct flag_entry *e = f->entry; e && e->row; e++)
		if (is_list(e->row))
			flag_list_release(e->field);
	flag_texts_release(&f->texts);
	free(f->entry);
	free(f->origin);
	free(f->operand);
	*f = (struct flags){.who = f->who};
}

int flags_given(const struct flags *f, const char *name)
{
	const struct flag_entry *e = named(f, name, strlen(name));

	assert(e);
	return e->given == FLAG_GIVEN;
}

/* --- flags from a file */

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

/* Sets a switch, or the entry that a line "no-NAME" resets, from the value "yes" or "no". */
static int set_switch(struct flags *f, struct flag_entry *e, enum flag_given sense, const char *value, unsigned line,
	struct err_note *why)
{
	if (strcmp(value, "yes") != 0 && strcmp(value, "no") != 0)
		return err_set(why, ERR_USAGE, "a switch is yes or no, not '%s'", value);
	if (e->given && !e->line)
		return 0;
	if ((*value == 'y') == (sense == FLAG_RESET))
		flags_reset(f, e, line);
	else if (e->row->kind == FLAG_SWITCH)
		return flags_take(f, e, NULL, line, why);
	return 0;
}

/* Takes the value of a line, unless the command line has given the flag. */
static int set(struct flags *f, struct flag_entry *e, enum flag_given sense, char *value, unsigned line, struct err_note *why)
{
	char *quoted = *value == '"' ? mem_text(value) : NULL;
	int err = quoted && unquote(value) ? err_set(why, ERR_USAGE, "%s has quotes or escapes that do not match", quoted) : 0;

	free(quoted);
	if (err)
		return err;
	if (e->row->kind == FLAG_CONFIG)
		return err_set(why, ERR_USAGE, "a file of settings cannot name another: '%s'", value);
	if (e->row->kind == FLAG_SWITCH || sense == FLAG_RESET)
		return set_switch(f, e, sense, value, line, why);
	return e->given && !e->line ? 0 : flags_take(f, e, flags_text(f, value, strlen(value)), line, why);
}

static int read_line(struct flags *f, char *text, unsigned line, struct err_note *why)
{
	enum flag_given sense;
	struct flag_entry *e;

	if (line == 1 && strncmp(text, "\xef\xbb\xbf", 3) == 0)
		text += 3; /* a byte order mark in UTF-8, which some editors write */
	text = trim(text);
	if (!*text || *text == '#')
		return 0;
	char *equals = strchr(text, '=');
	if (!equals)
		return err_set(why, ERR_USAGE, "'%s' is not of the form 'key = value'", text);
	*equals = 0;
	const char *key = trim(text);
	const int found = flags_find(f, key, strlen(key), &e, &sense, why);
	if (found <= 0)
		return found ? found : unknown(f, "key", "", key, "keys are the flags of", why);
	return set(f, e, sense, trim(equals + 1), line, why);
}

int flags_read_file(struct flags *f, struct err_note *why)
{
	struct err_note note;
	struct input *in;
	char *text;
	size_t n;
	int err;

	for (const struct flag_entry *e = f->entry; e->row; e++)
		if (e->row->kind == FLAG_CONFIG)
			f->file = *(const char **)e->field;
	if (!f->file)
		return 0;
	err = input_open(&in, f->file, why);
	if (err)
		return err;
	while ((err = input_line(in, &text, &n, why)) > 0) {
		const unsigned line = (unsigned)input_line_number(in);
		err = read_line(f, text, line, &note);
		if (err) {
			err = err_set(why, (enum err)err, "%s:%u: %s", input_path(in), line, note.text);
			break;
		}
	}
	input_close(in);
	return err;
}
