/* A byte of the number of nodes, and a file of values. */
#include "tests/fuzz/graph_input.h"

#include "seeds/values.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	static int fd = -1;
	struct err_note why = {""};
	struct graph g;
	int64_t *value, one, sum = 0;
	char path[64];

	if (n < 1)
		return 0;
	graph_input_file(&fd, bytes + 1, n - 1, path);
	graph_from_arcs(&g, bytes[0], NULL, NULL, 0);
	const int err = seed_values_read(path, &g, &value, &one, &why);
	graph_input_require(err ? !value && *why.text : !*why.text);
	for (uint32_t v = 0; !err && v < g.nodes; v++) {
		graph_input_require(!__builtin_add_overflow(sum, value[v] < 0 ? -value[v] : value[v], &sum));
	}
	free(value);
	graph_release(&g);
	return 0;
}
