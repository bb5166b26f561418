#include "graph/kleinberg.h"
#include "graph/arctext.h"

#include <string.h>

static int is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static int ends_number(const char *p, const char *end)
{
	return p == end || is_blank(*p);
}

/* One line into `a`; -1 where it is none. */
static int take_line(struct arcs *a, const char *p, const char *end)
{
	uint64_t from, to;
	const char kind = *p++;

	if (p == end || !is_blank(*p) || arctext_number(&p, end, &from) || !ends_number(p, end))
		return -1;
	if (kind == 'n') {
		arcs_add_single(a, from);
		return 0;
	}
	if (kind != 'e' || arctext_number(&p, end, &to) || !ends_number(p, end))
		return -1;
	arcs_add(a, from, to);
	return 0;
}

/* 1 a line that is not empty, 0 the end, or an error. */
static int next_line(struct input *in, char **line, size_t *n, struct err_note *why)
{
	int got;

	do
		got = input_line(in, line, n, why);
	while (got > 0 && *n == 0);
	return got;
}

int kleinberg_detect(const char *path)
{
	struct arcs a = ARCS_EMPTY;
	struct input *in;
	char *line;
	size_t n;

	if (input_open(&in, path, NULL))
		return 0;
	const int is = next_line(in, &line, &n, NULL) > 0 && take_line(&a, line, line + n) == 0;
	arcs_release(&a);
	input_close(in);
	return is;
}

static int read_lines(struct arcs *a, struct input *in, struct err_note *why)
{
	char *line;
	size_t n;
	int got;

	while ((got = next_line(in, &line, &n, why)) > 0) {
		if (take_line(a, line, line + n))
			return err_set(why, ERR_FORMAT,
				"%s:%llu: '%.60s' is neither 'n ID URL' nor 'e FROM TO'",
				input_path(in), (unsigned long long)input_line_number(in), line);
		if (arcs_full(a))
			return err_set(why, ERR_TOO_BIG, "'%s' has more than %zu arcs",
				input_path(in), ARCS_MAX);
	}
	return got;
}

int kleinberg_load(
	const char *path, const struct graph_load *load, struct graph *g, struct err_note *why)
{
	const struct arcs_nodes nodes = {.hint = load->nodes_hint};
	struct arcs a = ARCS_EMPTY;
	struct input *in;

	*g = (struct graph){0};
	int err = input_open(&in, path, why);
	if (err)
		return err;
	err = read_lines(&a, in, why);
	if (err)
		arcs_release(&a);
	else
		err = arcs_to_graph(&a, &nodes, input_path(in), g, why);
	input_close(in);
	return err;
}
