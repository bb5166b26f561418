#include "base/ascii.h"
#include "base/buf.h"
#include "base/input.h"
#include "base/mem.h"
#include "graph/formats/arctext.h"
#include "graph/formats/formats.h"

#include <stdlib.h>
#include <string.h>

#define COLUMNS_MOST 64

/* A line, cut into its fields. */
struct row {
	char *field[COLUMNS_MOST];
	size_t n; /* may be more than COLUMNS_MOST; further fields are not kept */
};

/* How the lines of a table are to be read. */
struct layout {
	char separator; /* a blank stands for one or more blanks */
	size_t columns, from, to;
	int has_heading, is_guessed;
	int has_numbers; /* 1: nodes are numbers; 0: they are names */
	int is_of_nodes; /* 1: lines of an id and a name, and no links */
};

/* Ends a field in quotation marks, in which two stand for one, and returns what follows the closing one. */
static char *unquote(char *field)
{
	char *to = field;
	const char *p = field + 1;

	for (; *p && (*p != '"' || *++p == '"'); p++)
		*to++ = *p;
	char *rest = field + (p - field);
	if (*rest)
		memmove(to + 1, rest, strlen(rest) + 1);
	else
		to[1] = 0;
	*to = 0;
	return to + 1;
}

/* Cuts a line in place. Blanks around a field that is not in quotation marks do not belong to it. */
static void split(char *line, char separator, struct row *row)
{
	char *p = line, *end;

	row->n = 0;
	for (int more = 1; more; row->n++) {
		p += strspn(p, separator == '\t' ? " " : " \t");
		char *field = p;
		if (*p == '"')
			p = unquote(p);
		p += separator == ' ' ? strcspn(p, " \t") : strcspn(p, (const char[]){separator, 0});
		end = p;
		more = *p != 0;
		if (more)
			*p++ = 0;
		if (separator == ' ') {
			p += strspn(p, " \t");
			more = *p != 0;
		}
		while (end > field && (end[-1] == ' ' || end[-1] == '\t'))
			*--end = 0;
		if (row->n < COLUMNS_MOST)
			row->field[row->n] = field;
	}
}

static int is_number(const char *field)
{
	const char *p = field, *end = field + strlen(field);
	uint64_t number;

	return arctext_number(&p, end, &number) == 0 && p == end;
}

static int is_source(const char *field)
{
	return ascii_is_among(field, strlen(field),
		"source src from fromnodeid source_url from_url sourceurl fromurl source_id from_id");
}

static int is_target(const char *field)
{
	return ascii_is_among(field, strlen(field),
		"target dst dest destination to tonodeid target_url to_url targeturl tourl target_id to_id link");
}

static int is_url(const char *field)
{
	return strstr(field, "://") != NULL;
}

static int looks_like_host(const char *field)
{
	const char *dot = strchr(field, '.');

	return dot && dot > field && dot[1] && !field[strcspn(field, " (){}<>;=\"'")] && !is_number(field);
}

/* Says whether the columns that are taken for the link can be cells of it: none is empty, and no URL has a blank. */
static int are_cells(const struct row *row)
{
	for (size_t i = 0; i < row->n && i < COLUMNS_MOST; i++)
		if (is_url(row->field[i]) && strchr(row->field[i], ' '))
			return 0;
	return row->n >= 2 && row->n <= COLUMNS_MOST;
}

static int is_index(const char *field)
{
	return !*field || ascii_order(field, "Unnamed: 0") == 0;
}

/* Says whether the first line, above `below`, is a heading whose words are not known: it has words where the line below has URLs or
 * numbers. */
static int is_other_heading(const struct row *first, const struct row *below)
{
	int differs = 0;

	for (size_t i = 0; i < first->n; i++) {
		if (is_url(first->field[i]) || is_number(first->field[i]))
			return 0;
		differs |= is_url(below->field[i]) || is_number(below->field[i]);
	}
	return differs;
}

/* Says whether the first column numbers the rows, as pandas writes it: 0, 1, and the others have names. */
static int is_numbered(const struct layout *l, const struct row *first, const struct row *below)
{
	const char *top = l->has_heading ? below->field[0] : first->field[0];

	if (l->columns < 3)
		return 0;
	if (l->has_heading && is_index(first->field[0]))
		return 1;
	return (strcmp(top, "0") == 0 || strcmp(top, "1") == 0) && !is_number(below->field[1]) && !is_number(below->field[2]);
}

/* Finds the columns of the link. */
static void find_columns(struct layout *l, const struct row *first, const struct row *below)
{
	int source = 0, target = 0;

	for (size_t i = l->columns; i-- > 0;) {
		if (is_source(first->field[i])) {
			l->from = i;
			source = 1;
		} else if (is_target(first->field[i])) {
			l->to = i;
			target = 1;
		}
	}
	l->has_heading = source && target;
	if (l->has_heading)
		return;
	l->is_guessed = 1;
	l->has_heading = is_index(first->field[0]) || is_other_heading(first, below);
	l->from = (size_t)is_numbered(l, first, below);
	l->to = l->from + 1;
}

/* Tries a separator on the first two lines. Returns 1 if both are rows of a table with it. */
static int lay_out(struct layout *l, char separator, const char *first_line, const char *second_line)
{
	char *one = mem_text(first_line), *two = mem_text(second_line ? second_line : first_line);
	struct row first, below;
	int is = 0;

	*l = (struct layout){.separator = separator};
	split(one, separator, &first);
	split(two, separator, &below);
	if (are_cells(&first) && are_cells(&below) && first.n == below.n) {
		l->columns = first.n;
		find_columns(l, &first, &below);
		const struct row *data = l->has_heading ? &below : &first;
		const char *from = data->field[l->from], *to = data->field[l->to];
		is = *from && *to && (second_line || !l->has_heading);
		if (separator == ' ' && l->is_guessed) /* any prose has blanks */
			is = is && (is_url(from) || looks_like_host(from)) && (is_url(to) || looks_like_host(to));
		l->has_numbers = is_number(from) && is_number(to);
		l->is_of_nodes = l->is_guessed && is_number(from) && !l->has_numbers;
	}
	free(one);
	free(two);
	return is;
}

/* Returns the next line that is neither empty nor a comment. */
static int next_line(struct input *in, char **line, struct err_note *why)
{
	size_t n;
	int got;

	while ((got = input_line(in, line, &n, why)) > 0)
		if ((*line)[strspn(*line, " \t")] && **line != '#' && **line != '%')
			break;
	return got;
}

/* Finds the layout by the first two lines of a file. Returns 1, 0 if it is no table, or an error of reading. */
static int find_layout(struct layout *l, const char *path, struct err_note *why)
{
	static const char separators[] = "\t,; ";
	char *first = NULL, *second = NULL, *line;
	struct input *in;
	int is = 0, got = input_open(&in, path, why);

	if (got)
		return got;
	if ((got = next_line(in, &line, why)) > 0) {
		first = mem_text(line);
		if ((got = next_line(in, &line, why)) > 0)
			second = mem_text(line);
	}
	input_close(in);
	for (const char *s = separators; first && !strchr("{[<", *first) && *s && !is; s++)
		is = lay_out(l, *s, first, second);
	free(first);
	free(second);
	return got < 0 ? got : is;
}

int table_detect(const char *path)
{
	struct layout l;

	return find_layout(&l, path, NULL) > 0;
}

struct table {
	struct layout layout;
	struct arcs arcs;
	struct intern names;
};

/* Takes the node of a field: its number, or that of its name. */
static int take_node(struct table *t, const char *field, const struct input *in, uint64_t *node, struct err_note *why)
{
	const unsigned long long number = input_line_number(in);
	const char *p = field;

	if (!*field)
		return err_set(why, ERR_FORMAT, "%s:%llu: a link without its %s", input_path(in), number, "source or target");
	if (!t->layout.has_numbers)
		*node = intern_number(&t->names, field, strlen(field));
	else if (!is_number(field) || arctext_number(&p, field + strlen(field), node))
		return err_set(why, ERR_FORMAT, "%s:%llu: '%.60s' is no number, as in the lines before", input_path(in), number,
			field);
	return t->names.count < GRAPH_MAX_NODES ? 0 : err_set(why, ERR_TOO_BIG, "'%s' has too many names", input_path(in));
}

static int take_row(struct table *t, struct input *in, char *line, struct err_note *why)
{
	const struct layout *l = &t->layout;
	uint64_t from, to;
	struct row row;

	split(line, l->separator, &row);
	if (row.n != l->columns)
		return err_set(why, ERR_FORMAT,
			"%s:%llu: %zu columns, but the first line has %zu (a name with a separator needs quotation marks)",
			input_path(in), (unsigned long long)input_line_number(in), row.n, l->columns);
	int err = take_node(t, row.field[l->from], in, &from, why);
	if (!err)
		err = take_node(t, row.field[l->to], in, &to, why);
	if (!err) {
		arcs_add(&t->arcs, from, to);
		err = arcs_check(&t->arcs, input_path(in), why);
	}
	return err;
}

static int read_rows(struct table *t, const char *path, struct err_note *why)
{
	struct input *in;
	char *line;
	int got, err = input_open(&in, path, why), skip = t->layout.has_heading;

	if (err)
		return err;
	while (!err && (got = next_line(in, &line, why)) != 0) {
		if (got < 0)
			err = got;
		else if (skip)
			skip = 0;
		else
			err = take_row(t, in, line, why);
	}
	input_close(in);
	return err;
}

/* Says what was taken for granted. */
static void tell_layout(const struct layout *l, const char *path, struct err_note *odd)
{
	const char *separator = l->separator == '\t' ? "TABs"
		: l->separator == ' '                ? "blanks"
		: l->separator == ','                ? "commas"
						     : "semicolons";

	err_set(odd, ERR_FORMAT, "'%s': a table with %s between; %s; links lead from column %zu to column %zu, which have %s", path,
		separator, l->has_heading ? "the first line is a heading" : "no heading", l->from + 1, l->to + 1,
		l->has_numbers ? "numbers" : "names");
}

int table_load(const char *path, const struct graph_load *load, struct graph *g, struct err_note *why)
{
	struct arcs_nodes nodes = {.hint = load->nodes_hint};
	struct table t = {.arcs = ARCS_EMPTY};

	*g = (struct graph){0};
	int err = find_layout(&t.layout, path, why);
	if (err <= 0)
		return err ? err : err_set(why, ERR_FORMAT, "'%s' is no table of links", path);
	if (t.layout.is_of_nodes)
		return err_set(why, ERR_FORMAT, "'%s' has an id and a name on each line, and no links: it is for --urls or --hosts",
			path);
	arcs_bound(&t.arcs, &load->space);
	err = read_rows(&t, path, why);
	if (!t.layout.has_numbers)
		nodes.hint = (uint32_t)t.names.count;
	if (!err)
		err = arcs_to_graph(&t.arcs, &nodes, path, g, why);
	else
		arcs_release(&t.arcs);
	if (!err)
		tell_layout(&t.layout, path, load->odd);
	if (!err && load->names && !t.layout.has_numbers)
		names_take_texts(load->names, &t.names);
	intern_release(&t.names);
	return err;
}
