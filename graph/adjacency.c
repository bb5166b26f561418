#include "graph/adjacency.h"
#include "graph/arctext.h"

#include <string.h>

static const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return p;
}

/* One line into `a`; returns NULL, or where it stops making sense. */
static const char *take_list(struct arcs *a, const char *p, const char *end)
{
	uint64_t from, to;

	if (arctext_number(&p, end, &from))
		return p;
	p = skip_blanks(p, end);
	if (p == end || *p != ':')
		return p;
	arcs_add_single(a, from);
	p = skip_blanks(p + 1, end);
	while (p < end && *p != '-') {
		if (arctext_number(&p, end, &to) || (p < end && *p != ' ' && *p != '\t'))
			return p;
		arcs_add(a, from, to);
		p = skip_blanks(p, end);
	}
	if (p < end) {
		if (end - p < 2 || memcmp(p, "-1", 2) != 0)
			return p;
		p = skip_blanks(p + 2, end);
	}
	return p < end ? p : NULL;
}

/* 1 a line, 0 the end, or an error; comments and empty lines are passed over. */
static int next_line(struct input *in, const char **begin, const char **end, struct err_note *why)
{
	char *line;
	size_t n;
	int got;

	while ((got = input_line(in, &line, &n, why)) > 0) {
		*end = line + n;
		*begin = skip_blanks(line, *end);
		if (*begin < *end && **begin != '#' && **begin != '%')
			return 1;
	}
	return got;
}

int adjacency_detect(const char *path)
{
	struct arcs a = ARCS_EMPTY;
	struct input *in;
	const char *line, *end;

	if (input_open(&in, path, NULL))
		return 0;
	const int is = next_line(in, &line, &end, NULL) > 0 && !take_list(&a, line, end);
	arcs_release(&a);
	input_close(in);
	return is;
}

static int read_lists(struct arcs *a, struct input *in, struct err_note *why)
{
	const char *line, *end;
	int got;

	while ((got = next_line(in, &line, &end, why)) > 0) {
		const char *wrong = take_list(a, line, end);
		if (wrong)
			return err_set(why, ERR_FORMAT, "%s:%llu: '%.40s' belongs to no list",
				input_path(in), (unsigned long long)input_line_number(in), wrong);
		if (arcs_full(a))
			return err_set(why, ERR_TOO_BIG, "'%s' has more than %zu arcs",
				input_path(in), ARCS_MAX);
	}
	return got;
}

int adjacency_load(
	const char *path, const struct graph_load *load, struct graph *g, struct err_note *why)
{
	const struct arcs_nodes nodes = {.hint = load->nodes_hint};
	struct arcs a = ARCS_EMPTY;
	struct input *in;

	*g = (struct graph){0};
	int err = input_open(&in, path, why);
	if (err)
		return err;
	err = read_lists(&a, in, why);
	if (err)
		arcs_release(&a);
	else
		err = arcs_to_graph(&a, &nodes, input_path(in), g, why);
	input_close(in);
	return err;
}
