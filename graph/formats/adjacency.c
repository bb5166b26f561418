#include "graph/formats/formats.h"
#include "graph/formats/arctext.h"

#include <string.h>

/* Takes a line "node: target target ...", with or without -1 at its end. Returns NULL, or the place in the line that is wrong. */
static const char *take_list(void *ctx, struct arcs *a, const char *p, const char *end)
{
	uint64_t from, to;

	(void)ctx;
	if (arctext_number(&p, end, &from))
		return p;
	p = lists_skip_blanks(p, end);
	if (p == end || *p != ':')
		return p;
	arcs_add_single(a, from);
	p = lists_skip_blanks(p + 1, end);
	while (p < end && *p != '-') {
		if (arctext_number(&p, end, &to) || (p < end && *p != ' ' && *p != '\t'))
			return p;
		arcs_add(a, from, to);
		p = lists_skip_blanks(p, end);
	}
	if (p < end) {
		if (end - p < 2 || memcmp(p, "-1", 2) != 0)
			return p;
		p = lists_skip_blanks(p + 2, end);
	}
	return p < end ? p : NULL;
}

int adjacency_detect(const char *path)
{
	return lists_detect(path, take_list, NULL);
}

int adjacency_load(const char *path, const struct graph_load *load, struct graph *g, struct err_note *why)
{
	return lists_load(path, load, take_list, NULL, "belongs to no list", g, why);
}
