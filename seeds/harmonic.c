/* Harmonic centrality: the pages that are near to many others. */
#include "graph/kernels/harmonic.h"
#include "base/mem.h"
#include "seeds/best.h"

#include <stdlib.h>

static int choose(const struct seed_input *in, size_t k, struct seed_output *out, struct err_note *why)
{
	const uint32_t n = in->graph->nodes;
	struct harmonic h = {.registers = harmonic_registers(in->graph), .threads = in->threads};
	double *score = mem_new(n, sizeof *score);
	uint64_t *key = mem_new(n, sizeof *key);

	(void)why;
	harmonic_run(&h, in->reverse, score);
	for (uint32_t u = 0; u < n; u++)
		key[u] = harmonic_key(score[u]);
	seeds_by_key(in, key, k, out);
	free(score);
	free(key);
	return 0;
}

const struct seed_method seed_method_harmonic = {
	.name = "harmonic",
	.summary = "the pages of the highest harmonic centrality",
	.source = "Boldi and Vigna 2014, Axioms for Centrality",
	.nothing = "it is empty",
	.ways = SEEDS_BOTH_WAYS,
	.select = choose,
};
