#include "graph/formats/formats.h"
#include "base/ascii.h"
#include "graph/formats/arctext.h"
#include "base/output.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static int is_word_byte(char c)
{
	return ascii_is_letter(c) || (c >= '0' && c <= '9') || strchr("_-.\"'()#:", c) != NULL;
}

/* Says whether a line is a row of two to eight words, as tables have above their columns: "start end". */
static int is_heading(const char *p, const char *end)
{
	int words = 0;

	while (p < end) {
		if (!ascii_is_letter(*p) && *p != '"' && *p != '_' && *p != '\'')
			return 0;
		while (p < end && *p && is_word_byte(*p))
			p++;
		words++;
		const char *gap = p;
		while (p < end && (*p == ' ' || *p == '\t' || *p == ','))
			p++;
		if (p < end && p == gap)
			return 0;
	}
	return words >= 2 && words <= 8;
}

struct reading {
	struct arcs arcs;
	struct arcs_nodes nodes;
	int has_heading;
	uint64_t edges; /* announced by a comment; 0: none */
	/* The first line if it may be a heading, nodes and arcs (or the nodes twice), or else an arc from first_nodes to
	 * first_to. first_nodes is 0 if it cannot be a heading. */
	uint64_t first_nodes, first_to, first_arcs;
};

/* Returns the text after a key at the beginning of a comment, or NULL if the comment does not begin with the key. */
static const char *after_key(const char *line, const char *end, const char *key)
{
	const size_t n = strlen(key);

	while (line < end && (*line == '#' || *line == '%' || *line == ' ' || *line == '\t'))
		line++;
	return (size_t)(end - line) >= n && ascii_same(line, key, n) ? line + n : NULL;
}

/* Takes what the comments of SNAP and of lycosa announce: the numbers of nodes and arcs, and nodes without arcs. All other comments
 * are skipped. */
static int take_comment(void *ctx, const struct arctext *t, const char *line, size_t n, struct err_note *why)
{
	struct reading *r = ctx; /* t is NULL where there are no arcs to be taken */
	const char *end = line + n, *p = after_key(line, end, "Nodes:");
	uint64_t number;

	if (t && t->number == 1 && after_key(line, end, "MatrixMarket"))
		return err_set(why, ERR_FORMAT, "%s:1: Matrix Market, not an edge list; a pipe can only be that", t->path);
	if (p && !r->nodes.is_announced && arctext_number(&p, end, &number) == 0) {
		r->nodes.announced = number;
		r->nodes.is_announced = 1;
	}
	if (p)
		line = p;
	p = after_key(line, end, "Edges:");
	if (p && !r->edges && arctext_number(&p, end, &number) == 0)
		r->edges = number;
	p = t ? after_key(line, end, "Isolated:") : NULL;
	while (p && arctext_number(&p, end, &number) == 0)
		arcs_add_single(&r->arcs, number);
	return 0;
}

/* Parses the number at *at, and moves *at behind it and a comma after it. Returns 0 or -1. */
static int take_size(const char **at, const char *end, uint64_t *size)
{
	const int err = arctext_number(at, end, size);

	while (*at < end && (**at == ' ' || **at == '\t'))
		++*at;
	if (!err && *at < end && **at == ',')
		++*at;
	return err;
}

/* Says whether a line may be a heading with sizes: two numbers, nodes and arcs, or three, the nodes twice and the arcs. */
static int may_be_sizes(struct reading *r, const char *p, const char *end)
{
	uint64_t n, to, m;

	if (take_size(&p, end, &n) || take_size(&p, end, &to) || n < 2)
		return 0;
	m = to;
	if (p < end && (take_size(&p, end, &m) || p < end || to != n))
		return 0;
	r->first_nodes = m ? n : 0;
	r->first_to = to;
	r->first_arcs = m;
	return m > 0;
}

/* Finds a column of a heading, other than the first, that is named as the source, or other than the second as the target. Returns
 * its number, from 1, with its name, n bytes, or 0 if there is none. */
static int misplaced(const char *p, const char *end, const char **name, size_t *n)
{
	static const char sources[] = "source src from fromnodeid";
	static const char targets[] = "target dst dest destination to tonodeid";
	static const char beside[] = " \t,\"'";

	for (int column = 1; p < end; column++) {
		while (p < end && strchr(beside, *p))
			p++;
		*name = p;
		while (p < end && !strchr(beside, *p))
			p++;
		*n = (size_t)(p - *name);
		if ((column != 1 && ascii_is_among(*name, *n, sources)) || (column != 2 && ascii_is_among(*name, *n, targets)))
			return column;
	}
	return 0;
}

static int take_heading(void *ctx, const struct arctext *t, const char *line, size_t n, struct err_note *why)
{
	struct reading *r = ctx;

	const char *name;
	size_t length;

	r->has_heading = is_heading(line, line + n);
	const int column = r->has_heading ? misplaced(line, line + n, &name, &length) : 0;
	if (column) /* table_load() reads such a file, but not a pipe */
		return err_set(why, ERR_FORMAT, "%s:%llu: '%.*s' is column %d, but the first two are taken as the arc, from and to",
			t->path, (unsigned long long)t->number, (int)length, name, column);
	if (r->has_heading)
		return 1;
	return !r->nodes.is_announced && may_be_sizes(r, line, line + n);
}

/* Says whether the first line was a heading with the sizes: exactly as many arcs follow as it says, and their ids fit. A line
 * that announces fewer arcs than nodes is taken for an arc, since otherwise the first line of a path in reverse order, 3 2, 2 1,
 * 1 0, would be a heading. */
static int are_sizes(const struct reading *r)
{
	const uint64_t n = r->first_nodes, most = r->arcs.most_id;

	if (!n || r->first_to < n || arcs_total(&r->arcs) != r->first_arcs || r->first_arcs < n / 64)
		return 0;
	return most < n || (most == n && r->arcs.least >= 1 && r->first_arcs >= n);
}

/* Decides what the first line was. */
static void settle_first(struct reading *r, const char *path, struct err_note *odd)
{
	const unsigned long long n = r->first_nodes, to = r->first_to, m = r->first_arcs;
	const uint64_t most = r->arcs.most_id, arcs = arcs_total(&r->arcs);

	if (!n)
		return;
	if (are_sizes(r)) {
		r->nodes.announced = n;
		r->nodes.is_announced = 1;
		err_set(odd, ERR_FORMAT, "'%s': its first line tells %llu nodes and %llu arcs, and is no arc", path, n, m);
		return;
	}
	if (arcs && most <= n && (most < to || arcs == m))
		err_set(odd, ERR_FORMAT,
			"'%s': its first line is taken as an arc, %llu to %llu; a heading would be "
			"'# Nodes: %llu'",
			path, n, to, n);
	arcs_add_first(&r->arcs, n, to);
}

/* Compares the number of arcs that comments announce with the number that was read, and reports lines with text after the two
 * ids. */
static int compare_lines(const struct reading *r, const struct arctext *t, const struct graph_load *load, struct err_note *why)
{
	const unsigned long long arcs = arcs_total(&r->arcs), longer = t->longer;

	if (r->edges > arcs) {
		const int is_whole = load->care == GRAPH_WHOLE;
		err_set(is_whole ? why : load->odd, ERR_FORMAT, "'%s' announces %llu arcs, but has %llu: is it cut short?", t->path,
			(unsigned long long)r->edges, arcs);
		return is_whole ? ERR_FORMAT : 0;
	}
	if (longer && longer < arcs)
		err_set(load->odd, ERR_FORMAT,
			"'%s': %llu of its %llu arcs have more behind the two ids, which is passed "
			"over",
			t->path, longer, arcs);
	return 0;
}

/* Checks a file without arcs: it is an empty graph only if it announces nodes and no arcs, and ends with a complete comment;
 * otherwise it was cut short. Returns 0 or ERR_FORMAT. */
static int check_arcless(const struct reading *r, const struct arctext *t, struct err_note *why)
{
	if (r->has_heading)
		return err_set(why, ERR_FORMAT, "'%s' is no edge list: words, but no arcs", t->path);
	if (r->edges)
		return err_set(why, ERR_FORMAT, "'%s' announces %llu arcs, but has none: it is cut short", t->path,
			(unsigned long long)r->edges);
	if (t->unended)
		return err_set(why, ERR_FORMAT, "'%s' ends within a comment, before the first arc: it is cut short", t->path);
	if (!r->nodes.is_announced && !r->nodes.hint && !r->arcs.singles)
		return err_set(why, ERR_FORMAT, "'%s' has comments, but no arc and no '# Nodes: N'", t->path);
	return 0;
}

int edges_load(const char *path, const struct graph_load *load, struct graph *g, struct err_note *why)
{
	struct reading r = {.arcs = ARCS_EMPTY, .nodes.hint = load->nodes_hint};
	struct arctext t = {.arcs = &r.arcs, .ctx = &r, .comment = take_comment, .first = take_heading};

	*g = (struct graph){0};
	arcs_bound(&r.arcs, &load->space);
	int err = arctext_read(&t, path, why);
	if (!err)
		err = compare_lines(&r, &t, load, why);
	if (!err)
		settle_first(&r, t.path, load->odd);
	if (!err && t.number && !arcs_total(&r.arcs))
		err = check_arcless(&r, &t, why);
	if (err)
		arcs_release(&r.arcs);
	else
		err = arcs_to_graph(&r.arcs, &r.nodes, t.path, g, why);
	return err;
}

/* Says whether a line is an arc. */
static int is_arc(const char *p, const char *end)
{
	uint64_t id;

	if (arctext_number(&p, end, &id))
		return 0;
	if (p < end && *p == ',')
		p++;
	else if (p == end || (*p != ' ' && *p != '\t'))
		return 0;
	return arctext_number(&p, end, &id) == 0 && (p == end || *p == ' ' || *p == '\t' || *p == ',');
}

/* Says whether a text may be an edge list: the first line that is neither a comment nor a heading is an arc. A text of comments
 * only must announce its nodes. */
static int looks_right(const char *p, size_t n)
{
	const char *end = p + n, *name;
	struct reading r = {.arcs = ARCS_EMPTY};
	size_t length;

	while (p < end) {
		const char *lf = memchr(p, '\n', (size_t)(end - p)), *stop = lf ? lf : end;
		const char *line = p;
		p = lf ? lf + 1 : end;
		if (stop > line && stop[-1] == '\r')
			stop--;
		while (line < stop && (*line == ' ' || *line == '\t'))
			line++;
		if (line == stop)
			continue;
		if (*line == '#' || *line == '%')
			take_comment(&r, NULL, line, (size_t)(stop - line), NULL);
		else if (!r.has_heading && is_heading(line, stop) && !misplaced(line, stop, &name, &length))
			r.has_heading = 1;
		else
			return is_arc(line, stop);
	}
	return r.nodes.is_announced && !r.has_heading;
}

int edges_detect(const char *path)
{
	struct input *in;
	const char *bytes;
	size_t n;
	int right = 0;

	if (input_open(&in, path, NULL))
		return 0;
	if (input_chunk(in, &bytes, &n, NULL) > 0) {
		const size_t skip = n >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
		right = looks_right(bytes + skip, n - skip);
	}
	input_close(in);
	return right;
}

/* Writes a comment that lists the nodes without arcs, since a graph with labels would lose them. */
static void write_isolated(const struct graph *g, struct output *out)
{
	unsigned char *linked = mem_zero(g->nodes, 1);
	uint64_t passed = 0;

	for (uint32_t u = 0; u < g->nodes; u++) {
		for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++)
			linked[g->target[a]] = 1;
		graph_pass(g, &passed, u);
	}
	for (uint32_t u = 0; u < g->nodes; u++) {
		if (linked[u] || graph_outdegree(g, u))
			continue;
		output_text(out, "# Isolated: ");
		output_number(out, graph_label(g, u), '\n');
	}
	free(linked);
}

int edges_save(const struct graph *g, const char *path, struct err_note *why)
{
	struct output *out;
	uint64_t passed = 0;
	int err = output_open(&out, path, why);

	if (err)
		return err;
	output_text(out, "# Nodes: ");
	output_number(out, g->nodes, ' ');
	output_text(out, "Edges: ");
	output_number(out, g->arcs, '\n');
	output_text(out, "# FromNodeId\tToNodeId\n");
	if (g->label)
		write_isolated(g, out);
	for (uint32_t u = 0; u < g->nodes; u++) {
		for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++) {
			output_number(out, graph_label(g, u), '\t');
			output_number(out, graph_label(g, g->target[a]), '\n');
		}
		graph_pass(g, &passed, u);
	}
	return output_close(out, why);
}
