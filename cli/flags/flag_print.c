/* The settings in force, and where each came from, as a file that can be read again. */
#include "cli/flags/flags.h"

#include <string.h>

static void put_quoted(const char *text, struct buf *out)
{
	buf_byte(out, '"');
	for (; *text; text++) {
		const unsigned char c = (unsigned char)*text;
		if (c == '"' || c == '\\')
			buf_format(out, "\\%c", c);
		else if (c < ' ' || c == 0x7f || (c >= 0x80 && !err_printable(text)))
			buf_format(out, "\\x%02x", c);
		else {
			const size_t n = err_printable(text);
			buf_add(out, text, n);
			text += n - 1;
		}
	}
	buf_byte(out, '"');
}

/* Appends a text, in quotation marks if flags_read_file() would otherwise read another text. */
static void put_text(const char *text, struct buf *out)
{
	const size_t n = strlen(text);
	int plain = n && text[0] != '"' && text[0] != ' ' && text[n - 1] != ' ';

	for (const char *p = text; *p && plain;) {
		const size_t width = err_printable(p);
		plain = width > 0;
		p += width;
	}
	if (plain)
		buf_text(out, text);
	else
		put_quoted(text, out);
}

static void put_scalar(const struct flag *row, const char *field, struct buf *out)
{
	AUTO(buf) value = BUF_EMPTY;

	if (row->kind == FLAG_SWITCH) {
		int on;
		memcpy(&on, field, sizeof on);
		buf_text(out, on ? "yes" : "no");
		return;
	}
	flag_show(row, field, &value);
	if (row->kind == FLAG_TEXT)
		put_text(value.used ? value.at : "", out);
	else
		buf_text(out, value.used ? value.at : "0");
}

static void put_origin(const struct flags *f, unsigned line, struct buf *out)
{
	if (line) {
		buf_text(out, "# ");
		put_text(f->file, out);
		buf_format(out, ":%u\n", line);
	} else {
		buf_text(out, "# command line\n");
	}
}

static void put_pieces(const struct flag_list *list, struct buf *out)
{
	AUTO(buf) all = BUF_EMPTY;

	for (size_t i = 0; i < list->count; i++)
		buf_format(&all, "%s%s", i ? "," : "", list->at[i]);
	put_text(all.used ? all.at : "", out);
}

/* Appends a line "NAME = " and a text. */
static void put_line(const struct flag *row, const char *text, struct buf *out)
{
	buf_format(out, "%s = ", row->name);
	put_text(text, out);
	buf_byte(out, '\n');
}

static void put_given(const struct flags *f, const struct flag_entry *e, struct buf *out)
{
	const struct flag *row = e->row;
	const struct flag_list *list = e->field;
	const int is_reset = e->given == FLAG_RESET, has_lines = row->kind == FLAG_EACH && !is_reset;
	size_t item = 0;

	for (size_t i = 0; has_lines && i < f->origins; i++)
		if (f->origin[i].entry == e) {
			put_origin(f, f->origin[i].line, out);
			put_line(row, list->at[item++], out);
		}
	if (has_lines)
		return;
	put_origin(f, e->line, out);
	if (is_reset && row->kind != FLAG_SWITCH) {
		buf_format(out, "no-%s = yes\n", row->name);
		return;
	}
	buf_format(out, "%s = ", row->name);
	if (row->kind == FLAG_COMMAS)
		put_pieces(list, out);
	else
		put_scalar(row, e->field, out);
	buf_byte(out, '\n');
}

static void put_default(const struct flag *row, const char *field, struct buf *out)
{
	AUTO(buf) value = BUF_EMPTY;

	if (row->kind == FLAG_SWITCH)
		buf_text(&value, "no");
	else
		flag_show(row, field, &value);
	buf_format(out, "# default\n#%s =%s%s\n", row->name, value.used ? " " : "", value.used ? value.at : "");
}

/* Says whether a row is a setting of the run. --help, --print-config and the like, aliases, flags of other programs and the name
 * of the settings file are none. */
static int is_setting(const struct flag *row)
{
	static const char *const others[] = {"help", "version", "print-config", "dry-run"};

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (strcmp(row->name, others[i]) == 0)
			return 0;
	return row->kind != FLAG_CONFIG && row->kind != FLAG_ALIAS && row->kind != FLAG_FOREIGN;
}

void flags_print(const struct flags *f, flag_kept *kept, void *ctx, struct buf *out)
{
	for (const struct flag_entry *e = f->entry; e->row; e++) {
		const char *value, *keeper = NULL;
		if (!is_setting(e->row))
			continue;
		if (!e->given && kept)
			keeper = kept(ctx, e->row->name, &value);
		if (e->given) {
			put_given(f, e, out);
		} else if (keeper) {
			buf_format(out, "# %s\n#", keeper);
			put_line(e->row, value, out);
		} else {
			put_default(e->row, e->field, out);
		}
	}
}

/* --- how --help shows flags */

#define NAME_WIDTH 24 /* a longer name has its help on the line below */

/* Appends a flag as help shows it: "--graph PATH", or "-f, --file FILE" if it has a letter and `between` is ", ". */
static void add_name(const struct flag *row, const char *between, struct buf *out)
{
	if (row->letter)
		buf_format(out, "-%c%s", row->letter, between);
	buf_format(out, "--%s", row->name);
	if (row->kind == FLAG_CHOICE)
		buf_format(out, "=%s", row->argument);
	else if (row->kind != FLAG_SWITCH)
		buf_format(out, " %s", row->argument);
	else if (row->argument)
		buf_format(out, "[=%s]", row->argument);
}

/* Says whether --help lists a row; aliases and flags of other programs are not listed. */
static int is_told(const struct flag *row)
{
	return row->kind != FLAG_ALIAS && row->kind != FLAG_FOREIGN;
}

/* Appends a text that is wrapped at blanks into lines that begin at column `indent` and end before FLAGS_WIDTH; the first line
 * continues at column `used`. */
static void add_wrapped(const char *text, size_t used, size_t indent, struct buf *out)
{
	while (*text) {
		size_t n = strcspn(text, " ");
		if (used > indent && used + 1 + n > FLAGS_WIDTH) {
			buf_format(out, "\n%*s", (int)indent, "");
			used = indent;
		} else if (used > indent) {
			buf_byte(out, ' ');
			used++;
		}
		buf_add(out, text, n);
		used += n;
		text += n;
		text += *text == ' ';
	}
	buf_byte(out, '\n');
}

/* Appends the line of a flag: its name, what it does, and its default. */
static void add_line(const struct flag *row, size_t width, const char *field, struct buf *out)
{
	AUTO(buf) help = buf_of("%s", row->help), name = BUF_EMPTY, value = BUF_EMPTY;

	add_name(row, ", ", &name);
	flag_show(row, field, &value);
	if (value.used)
		buf_format(&help, " (%s)", value.at);
	buf_format(out, "  %-*s", (int)width, name.at);
	if (name.used > width)
		buf_format(out, "\n  %*s", (int)width, "");
	buf_text(out, "  ");
	add_wrapped(help.at, width + 4, width + 4, out);
}

/* Appends "Title: --a X, --b", wrapped, with the flags from row i to the next heading, whose index is returned. A name and its
 * argument stay on one line. */
static size_t add_names(const struct flag *rows, size_t i, const char *title, struct buf *out)
{
	const struct flag *row;
	AUTO(buf) all = BUF_EMPTY;

	for (; (row = flags_line(rows, i, NULL)) != NULL && !flag_is_heading(row); i++) {
		if (!is_told(row))
			continue;
		buf_text(&all, all.used ? ", " : "");
		const size_t start = all.used;
		add_name(row, " ", &all);
		for (char *p = all.at + start; *p; p++)
			if (*p == ' ')
				*p = '\x01';
	}
	buf_format(out, "%s:", title);
	const size_t start = out->used;
	add_wrapped(all.at, strlen(title) + 1, 2, out);
	for (char *p = out->at + start; *p; p++)
		if (*p == '\x01')
			*p = ' ';
	return i;
}

/* Returns the width of the widest name that leaves room for its help beside it, of the flags that have a line. */
static size_t widest(const struct flag *rows, enum flag_extent extent)
{
	const struct flag *row;
	size_t width = 0;
	int has_lines = 1;

	for (size_t i = 0; (row = flags_line(rows, i, NULL)) != NULL; i++) {
		AUTO(buf) name = BUF_EMPTY;
		if (flag_is_heading(row))
			has_lines = extent == FLAGS_ALL || row->kind == FLAG_HEADING;
		else if (is_told(row))
			add_name(row, ", ", &name);
		if (has_lines && name.used > width && name.used <= NAME_WIDTH)
			width = name.used;
	}
	return width;
}

void flags_usage(const struct flag *rows, struct buf *out)
{
	const struct flag *row;

	for (size_t i = 0; (row = flags_row(rows, i, NULL)) != NULL; i++)
		if (row->is_noun || row->required)
			buf_format(out, row->is_noun ? " [--%s] %s" : " --%s %s", row->name, row->argument);
}

void flags_help(const struct flag *rows, const void *defaults, enum flag_extent extent, struct buf *out)
{
	const size_t width = widest(rows, extent);
	const struct flag *row;
	size_t at;

	for (size_t i = 0; (row = flags_line(rows, i, &at)) != NULL;) {
		i++;
		if (row->kind == FLAG_NAMES && extent == FLAGS_SCREEN)
			i = add_names(rows, i, row->name, out);
		else if (flag_is_heading(row))
			buf_format(out, "%s:\n", row->name);
		else if (is_told(row))
			add_line(row, width, (const char *)defaults + at, out);
	}
}
