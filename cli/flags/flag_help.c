/* What --help says of a verb's flags. */
#include "base/opt.h"
#include "cli/flags/flags.h"

#include <string.h>

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

static void add_lines(const struct flag *row, size_t width, const char *values, struct buf *out)
{
	for (; row->name && is_told(row); row++) {
		struct buf help = BUF_EMPTY, name = BUF_EMPTY;
		add_name(row, ", ", &name);
		buf_text(&help, row->help);
		size_t bare = help.used;
		buf_text(&help, " (");
		size_t mark = help.used;
		flag_show(row, values + row->at, &help);
		if (help.used == mark)
			help.at[help.used = bare] = 0;
		else
			buf_byte(&help, ')');
		buf_format(out, "  %-*s", (int)width, name.at);
		if (name.used > width)
			buf_format(out, "\n  %*s", (int)width, "");
		buf_text(out, "  ");
		add_wrapped(help.at, width + 4, width + 4, out);
		buf_release(&help);
		buf_release(&name);
	}
}

/* Appends "Title: --a X, --b", wrapped. A name and its argument stay on one line. */
static void add_names(const char *title, const struct flag *row, struct buf *out)
{
	struct buf all = BUF_EMPTY;

	for (; row->name && is_told(row); row++) {
		size_t start = all.used;
		add_name(row, " ", &all);
		for (char *p = all.at + start; *p; p++)
			if (*p == ' ')
				*p = '\x01';
		buf_text(&all, row[1].name && is_told(row + 1) ? ", " : "");
	}
	buf_format(out, "%s:", title);
	size_t start = out->used;
	add_wrapped(all.at, strlen(title) + 1, 2, out);
	for (char *p = out->at + start; *p; p++)
		if (*p == '\x01')
			*p = ' ';
	buf_release(&all);
}

/* What --help fits on a screen, or a line for every flag. */
enum extent { SCREEN, ALL };

/* Returns the width of the widest name that leaves room for its help beside it. */
static size_t widest(const struct flag_group *groups, enum extent extent)
{
	size_t width = 0;

	for (; groups->flags; groups++) {
		const struct flag *row = groups->flags;
		for (; (extent == ALL || groups->detail == FLAGS_A_LINE_EACH) && row->name; row++) {
			struct buf name = BUF_EMPTY;
			add_name(row, ", ", &name);
			if (name.used > width && name.used <= NAME_WIDTH)
				width = name.used;
			buf_release(&name);
		}
	}
	return width;
}

void flags_usage(const struct flag_group *groups, struct buf *out)
{
	const struct flag *row;

	for (size_t i = 0; (row = flags_row(groups, i, NULL)) != NULL; i++)
		if (row->is_noun || row->required)
			buf_format(out, row->is_noun ? " [--%s] %s" : " --%s %s", row->name, row->argument);
}

static void add_groups(const struct flag_group *groups, const void *defaults, enum extent extent, struct buf *out)
{
	size_t width = widest(groups, extent);

	for (; groups->flags; groups++) {
		const char *values = (const char *)defaults + groups->at;
		if (!is_told(groups->flags))
			continue;
		if (extent == SCREEN && groups->detail == FLAGS_NAMES_ONLY) {
			add_names(groups->title ? groups->title : "Also", groups->flags, out);
			continue;
		}
		if (groups->title)
			buf_format(out, "%s:\n", groups->title);
		add_lines(groups->flags, width, values, out);
	}
}

void flags_help(const struct flag_group *groups, const void *defaults, struct buf *out)
{
	add_groups(groups, defaults, SCREEN, out);
}

void flags_help_all(const struct flag_group *groups, const void *defaults, struct buf *out)
{
	add_groups(groups, defaults, ALL, out);
}
