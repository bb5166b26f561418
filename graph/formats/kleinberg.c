#include "graph/formats/formats.h"
#include "graph/formats/arctext.h"

static int is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static int ends_number(const char *p, const char *end)
{
	return p == end || is_blank(*p);
}

/* Takes a line "n node ..." or "e from to". Returns NULL, or the line if it is neither. */
static const char *take_line(void *ctx, struct arcs *a, const char *line, const char *end)
{
	const char kind = *line, *p = line + 1;
	uint64_t from, to;

	(void)ctx;
	if (p == end || !is_blank(*p) || arctext_number(&p, end, &from) || !ends_number(p, end))
		return line;
	if (kind == 'n') {
		arcs_add_single(a, from);
		return NULL;
	}
	if (kind != 'e' || arctext_number(&p, end, &to) || !ends_number(p, end))
		return line;
	arcs_add(a, from, to);
	return NULL;
}

int kleinberg_detect(const char *path)
{
	return lists_detect(path, take_line, NULL);
}

int kleinberg_load(const char *path, const struct graph_load *load, struct graph *g, struct err_note *why)
{
	int err = lists_load(path, load, take_line, NULL, "is neither 'n ID URL' nor 'e FROM TO'", g, why);

	if (!err && load->names)
		err = names_from_keyed(load->names, path, 'n', why);
	if (err)
		graph_release(g);
	return err;
}
