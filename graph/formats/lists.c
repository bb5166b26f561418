#include "graph/formats/lists.h"
#include "base/input.h"

const char *lists_skip_blanks(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return p;
}

/* Finds the next line that is neither empty nor a comment. Returns 1, 0 at the end, or an error. */
static int next_line(struct input *in, const char **begin, const char **end, struct err_note *why)
{
	char *line;
	size_t n;
	int got;

	while ((got = input_line(in, &line, &n, why)) > 0) {
		*end = line + n;
		*begin = lists_skip_blanks(line, *end);
		if (*begin < *end && **begin != '#' && **begin != '%')
			return 1;
	}
	return got;
}

int lists_detect(const char *path, lists_take *take, void *ctx)
{
	struct arcs a = ARCS_EMPTY;
	struct input *in;
	const char *line, *end;

	if (input_open(&in, path, NULL))
		return 0;
	const int is = next_line(in, &line, &end, NULL) > 0 && !take(ctx, &a, line, end);
	arcs_release(&a);
	input_close(in);
	return is;
}

/* Hands each line to take() until one is wrong, which is reported with its number and the complaint. */
static int read_lines(struct arcs *a, struct input *in, lists_take *take, void *ctx, const char *complaint, struct err_note *why)
{
	const char *line, *end;
	int got, err = 0;

	while (!err && (got = next_line(in, &line, &end, why)) != 0) {
		if (got < 0)
			return got;
		const char *wrong = take(ctx, a, line, end);
		if (wrong)
			return err_set(why, ERR_FORMAT, "%s:%llu: '%.60s' %s", input_path(in),
				(unsigned long long)input_line_number(in), wrong, complaint);
		err = arcs_check(a, input_path(in), why);
	}
	return err;
}

int lists_read(const char *path, struct arcs *a, lists_take *take, void *ctx, const char *complaint, struct err_note *why)
{
	struct input *in;
	int err = input_open(&in, path, why);

	if (err)
		return err;
	err = read_lines(a, in, take, ctx, complaint, why);
	input_close(in);
	return err;
}

int lists_load(const char *path, const struct graph_load *load, lists_take *take, void *ctx, const char *complaint, struct graph *g,
	struct err_note *why)
{
	const struct arcs_nodes nodes = {.hint = load->nodes_hint};
	struct arcs a = ARCS_EMPTY;

	*g = (struct graph){0};
	arcs_bound(&a, &load->space);
	const int err = lists_read(path, &a, take, ctx, complaint, why);
	if (!err)
		return arcs_to_graph(&a, &nodes, path, g, why);
	arcs_release(&a);
	return err;
}
