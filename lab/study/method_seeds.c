#include "lab/study/method_seeds.h"

int method_seeds(const struct seed_method *m, const struct dataset *data, const struct seed_input *given, size_t k,
	struct seed_output *out, struct err_note *why)
{
	struct seed_input in = *given;
	struct opt_set opts;
	struct graph reverse = {.nodes = 0};

	in.graph = &data->graph;
	in.opts = &opts;
	in.reverse = &data->reverse;
	if (m->ways == SEEDS_BOTH_WAYS && !data->reverse.offset) {
		graph_transpose(&data->graph, &reverse, in.threads);
		in.reverse = &reverse;
	}
	opt_init(&opts, m->opts, m->name);
	const int err = m->select(&in, k, out, why);
	opt_release(&opts);
	graph_release(&reverse);
	return err;
}
