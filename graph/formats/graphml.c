#include "graph/formats/graphml.h"
#include "base/output.h"

/* <tag attribute="nLABEL" */
static void put_node(struct output *out, const char *before, uint64_t label)
{
	output_text(out, before);
	output_text(out, "=\"n");
	output_number(out, label, '"');
}

int graphml_save(const struct graph *g, const char *path, struct err_note *why)
{
	struct output *out;
	uint64_t passed = 0;
	int err = output_open(&out, path, why);

	if (err)
		return err;
	output_text(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
			 "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
			 "<graph edgedefault=\"directed\">\n");
	for (uint32_t u = 0; u < g->nodes; u++) {
		put_node(out, "<node id", graph_label(g, u));
		output_text(out, "/>\n");
	}
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
