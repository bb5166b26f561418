#include "graph/formats/formats.h"
#include "base/output.h"

#include <string.h>

/* Writes a reference to a node, as in <tag attribute="nLABEL". */
static void put_node(struct output *out, const char *before, uint64_t label)
{
	output_text(out, before);
	output_text(out, "=\"n");
	output_number(out, label, '"');
}

/* Says whether a text begins with U+FFFE or U+FFFF, the only well-formed characters besides controls that XML does not allow. */
static int is_noncharacter(const char *text)
{
	return strncmp(text, "\xef\xbf\xbe", 3) == 0 || strncmp(text, "\xef\xbf\xbf", 3) == 0;
}

/* Writes the characters of a text as an XML document has them. */
static void put_text(struct output *out, const char *text)
{
	while (*text) {
		const size_t n = err_printable(text);
		if (n == 0 || is_noncharacter(text))
			output_text(out, "\xef\xbf\xbd");
		else if (*text == '&')
			output_text(out, "&amp;");
		else if (*text == '<')
			output_text(out, "&lt;");
		else if (*text == '>')
			output_text(out, "&gt;");
		else
			output_bytes(out, text, n);
		text += n ? n : 1;
	}
}

static void put_nodes(struct output *out, const struct graph *g, const struct names *names)
{
	for (uint32_t u = 0; u < g->nodes; u++) {
		put_node(out, "<node id", graph_label(g, u));
		if (names && *names_url(names, u)) {
			output_text(out, "><data key=\"url\">");
			put_text(out, names_url(names, u));
			output_text(out, "</data></node>\n");
		} else {
			output_text(out, "/>\n");
		}
	}
}

/* Writes the graph as GraphML, with the URL of each node if there are names. */
static int save(const struct graph *g, const struct names *names, const char *path, struct err_note *why)
{
	struct output *out;
	uint64_t passed = 0;
	int err = output_open(&out, path, why);

	if (err)
		return err;
	output_text(out,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
	if (names)
		output_text(out, "<key id=\"url\" for=\"node\" attr.name=\"url\" attr.type=\"string\"/>\n");
	output_text(out, "<graph edgedefault=\"directed\">\n");
	put_nodes(out, g, names);
	for (uint32_t u = 0; u < g->nodes; u++) {
		for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++) {
			put_node(out, "<edge source", graph_label(g, u));
			put_node(out, " target", graph_label(g, g->target[a]));
			output_text(out, "/>\n");
		}
		graph_pass(g, &passed, u);
	}
	output_text(out, "</graph>\n</graphml>\n");
	return output_close(out, why);
}

int graphml_save(const struct graph *g, const char *path, struct err_note *why)
{
	return save(g, NULL, path, why);
}

int graphml_save_urls(const struct graph *g, const struct names *names, const char *path, struct err_note *why)
{
	return save(g, names, path, why);
}
