#include "graph/formats/csv.h"
#include "base/output.h"

int csv_save(const struct graph *g, const char *path, struct err_note *why)
{
	struct output *out;
	uint64_t passed = 0;
	int err = output_open(&out, path, why);

	if (err)
		return err;
	output_text(out, "Source,Target\n");
	for (uint32_t u = 0; u < g->nodes; u++) {
		for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++) {
			output_number(out, graph_label(g, u), ',');
			output_number(out, graph_label(g, g->target[a]), '\n');
		}
		graph_pass(g, &passed, u);
	}
	return output_close(out, why);
}
