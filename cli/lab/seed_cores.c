#include "cli/lab/seed_cores.h"
#include "base/buf.h"
#include "base/opt.h"
#include "base/output.h"

static void write_numbers(struct output *out, const uint32_t *node, size_t n, const struct graph *g)
{
	output_text(out, "[");
	for (size_t i = 0; i < n; i++)
		output_number(out, graph_label(g, node[i]), i + 1 < n ? ',' : ']');
}

static void write_scores(struct output *out, const uint64_t *score, size_t n)
{
	struct buf text = BUF_EMPTY;

	for (size_t i = 0; i < n; i++) {
		buf_byte(&text, i ? ',' : '[');
		opt_shortest(&text, (double)score[i] / 1e9);
	}
	buf_byte(&text, ']');
	output_bytes(out, text.at, text.used);
	buf_release(&text);
}

static void write_core(struct output *out, const struct seed_core *c, size_t i, const struct graph *g)
{
	struct buf density = BUF_EMPTY;

	opt_shortest(&density, c->density);
	output_text(out, "{\"core\":");
	output_number(out, i + 1, ',');
	output_text(out, "\"seed\":");
	output_number(out, graph_label(g, c->seed), ',');
	output_text(out, "\"hubs\":");
	write_numbers(out, c->hub, c->hubs, g);
	output_text(out, ",\"authorities\":");
	write_numbers(out, c->authority, c->authorities, g);
	output_text(out, ",\"density\":");
	output_bytes(out, density.at, density.used);
	output_text(out, ",\"hub_scores\":");
	write_scores(out, c->hub_score, c->hubs);
	output_text(out, ",\"authority_scores\":");
	write_scores(out, c->authority_score, c->authorities);
	output_text(out, "}\n");
	buf_release(&density);
}

int seed_cores_write(const char *path, const struct seed_output *found, const struct graph *g, struct err_note *why)
{
	struct output *out;
	int err = output_open(&out, path, why);

	if (err)
		return err;
	for (size_t i = 0; i < found->cores; i++)
		write_core(out, &found->core[i], i, g);
	return output_close(out, why);
}
