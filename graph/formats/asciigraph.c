#include "graph/formats/formats.h"
#include "graph/formats/arcs.h"
#include "base/input.h"
#include "base/output.h"

#include <string.h>

struct reading {
	struct arcs arcs;
	const char *path;
	uint64_t nodes;
	uint64_t line;    /* 0: the number of nodes; u + 1: the targets of u */
	uint64_t number;  /* read so far */
	uint64_t least;   /* the least value of the next target of the line */
	unsigned numbers; /* of the line 0 */
	int in_number, in_line;
};

static int wrong(const struct reading *r, const char *what, struct err_note *why)
{
	return err_set(why, ERR_FORMAT, "%s:%llu: %s", r->path, (unsigned long long)r->line + 1, what);
}

/* Takes a number that is complete: the first one is the number of nodes, and each other one a target of the line's node. Targets
 * must ascend. */
static int end_number(struct reading *r, struct err_note *why)
{
	if (!r->in_number)
		return 0;
	r->in_number = 0;
	if (!r->line) {
		r->nodes = r->number;
		return r->numbers++ ? wrong(r, "the number of nodes stands alone", why) : 0;
	}
	if (r->line > r->nodes)
		return wrong(r, "there are more lines than nodes", why);
	if (r->number >= r->nodes)
		return wrong(r, "a target is no node", why);
	if (r->number < r->least)
		return wrong(r,
			"targets do not ascend; an edge list has '# Nodes: ' before the number of "
			"nodes",
			why);
	arcs_add(&r->arcs, r->line - 1, r->number);
	r->least = r->number + 1;
	return 0;
}

static int end_line(struct reading *r, struct err_note *why)
{
	const int err = end_number(r, why);

	if (err)
		return err;
	if (!r->line && !r->numbers)
		return wrong(r, "the number of nodes is missing", why);
	r->line++;
	r->least = 0;
	r->in_line = 0;
	return arcs_check(&r->arcs, r->path, why);
}

static int take(struct reading *r, unsigned char byte, struct err_note *why)
{
	if (byte == '\n')
		return end_line(r, why);
	r->in_line = 1;
	if (byte == ' ' || byte == '\t' || byte == '\r')
		return end_number(r, why);
	if (byte < '0' || byte > '9')
		return wrong(r, "what is neither digit nor blank", why);
	r->number = (r->in_number ? r->number * 10 : 0) + (uint64_t)(byte - '0');
	r->in_number = 1;
	return r->number > GRAPH_MAX_NODES ? wrong(r, "a number is too large for a node", why) : 0;
}

/* Editors put UTF-8's byte order mark before a text. */
static size_t mark_length(const char *bytes, size_t n)
{
	return n >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

/* Reads the whole file byte by byte, since a line may be longer than any buffer, and checks that every node has its line. */
static int read_all(struct reading *r, struct input *in, struct err_note *why)
{
	const char *bytes;
	size_t n;
	int got, err = 0;

	while (!err && (got = input_chunk(in, &bytes, &n, why)) != 0) {
		if (got < 0)
			return got;
		for (size_t i = r->line ? 0 : mark_length(bytes, n); i < n && !err; i++)
			err = take(r, (unsigned char)bytes[i], why);
	}
	if (!err && r->in_line)
		err = end_line(r, why);
	if (!err && !r->line)
		err = wrong(r, "the number of nodes is missing", why);
	if (!err && r->line <= r->nodes)
		err = err_set(why, ERR_FORMAT, "'%s' is cut short: the targets of %llu nodes, where %llu are announced", r->path,
			(unsigned long long)r->line - 1, (unsigned long long)r->nodes);
	return err;
}

int asciigraph_load(const char *path, const struct graph_load *load, struct graph *g, struct err_note *why)
{
	struct reading r = {.arcs = ARCS_EMPTY, .path = path};
	struct input *in;

	*g = (struct graph){0};
	int err = input_open(&in, path, why);
	if (err)
		return err;
	arcs_bound(&r.arcs, &load->space);
	err = read_all(&r, in, why);
	input_close(in);
	const struct arcs_nodes nodes = {.announced = r.nodes, .is_announced = 1};
	if (!err)
		return arcs_to_graph(&r.arcs, &nodes, path, g, why);
	arcs_release(&r.arcs);
	return err;
}

int asciigraph_detect(const char *path)
{
	struct input *in;
	const char *bytes;
	size_t n, digits = 0;
	int is = 0;

	if (input_open(&in, path, NULL))
		return 0;
	if (input_chunk(in, &bytes, &n, NULL) > 0) {
		const size_t mark = mark_length(bytes, n);
		while (mark + digits < n && bytes[mark + digits] >= '0' && bytes[mark + digits] <= '9')
			digits++;
		size_t end = mark + digits;
		while (end < n && strchr(" \t\r", bytes[end]) && bytes[end])
			end++;
		is = digits && end < n && bytes[end] == '\n';
	}
	input_close(in);
	return is;
}

int asciigraph_save(const struct graph *g, const char *path, struct err_note *why)
{
	struct output *out;
	uint64_t passed = 0;

	if (!(g->flags & GRAPH_ORDERED))
		return err_set(why, ERR_USAGE, "cannot write '%s': an ASCIIGraph has no order of links", path);
	int err = output_open(&out, path, why);

	if (err)
		return err;
	output_number(out, g->nodes, '\n');
	for (uint32_t u = 0; u < g->nodes; u++) {
		for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++)
			output_number(out, g->target[a], ' ');
		output_text(out, "\n");
		graph_pass(g, &passed, u);
	}
	return output_close(out, why);
}
