/* Flags from a file. */
#include "base/input.h"
#include "base/mem.h"
#include "cli/flags/flags.h"

#include <stdlib.h>
#include <string.h>

struct reading {
	struct flags *f;
	struct input *in;
	uint8_t *before; /* what the command line gave: a byte a row */
	struct err_note *why;
};

static int wrong(const struct reading *r, const char *format, const char *text)
{
	struct buf what = BUF_EMPTY;

	buf_format(&what, "%s:%llu: ", input_path(r->in), (unsigned long long)input_line_number(r->in));
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

static int unknown(const struct reading *r, const char *key)
{
	const char *near = flags_nearest(r->f, key);
	struct buf text = BUF_EMPTY;

	buf_format(&text, "unknown key '%s'", key);
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
	return found ? set(r, index, sense, trim(equals + 1)) : unknown(r, key);
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
