#include "graph/formats/formats.h"
#include "base/output.h"

#include <string.h>

/* Writes a URL, quoted if it has a comma, a quote or a blank, and a text behind it. */
static void put_url(struct output *out, const char *url, const char *behind)
{
	const int is_plain = !url[strcspn(url, ",\"\r\n\t ")];

	output_text(out, is_plain ? "" : "\"");
	for (size_t n; *url; url += n) {
		n = strcspn(url, "\"");
		output_bytes(out, url, n);
		if (url[n]) {
			output_text(out, "\"\"");
			n++;
		}
	}
	output_text(out, is_plain ? "" : "\"");
	output_text(out, behind);
}

/* Writes a line for each arc, with the labels of its nodes, and their URLs if there are names. */
static int save(const struct graph *g, const struct names *names, const char *path, struct err_note *why)
{
	struct output *out;
	uint64_t passed = 0;
	int err = output_open(&out, path, why);

	if (err)
		return err;
	output_text(out, names ? "Source,Target,SourceURL,TargetURL\n" : "Source,Target\n");
	for (uint32_t u = 0; u < g->nodes; u++) {
		for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++) {
			const uint32_t v = g->target[a];
			output_number(out, graph_label(g, u), ',');
			output_number(out, graph_label(g, v), names ? ',' : '\n');
			if (names) {
				put_url(out, names_url(names, u), ",");
				put_url(out, names_url(names, v), "\n");
			}
		}
		graph_pass(g, &passed, u);
	}
	return output_close(out, why);
}

int csv_save(const struct graph *g, const char *path, struct err_note *why)
{
	return save(g, NULL, path, why);
}

int csv_save_urls(const struct graph *g, const struct names *names, const char *path, struct err_note *why)
{
	return save(g, names, path, why);
}
