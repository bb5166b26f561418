/* A byte that says which reader of lists (adjacency, kleinberg, dated, table), one of a hint at the number
 * of nodes, and the list. */
#include "tests/fuzz/graph_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	static const char *const names[] = {"adjacency", "kleinberg", "dated", "table"};
	static int fd = -1;
	char path[64];

	if (n < 2)
		return 0;
	const struct graph_format *f = graph_format_named(names[bytes[0] % 4]);
	graph_input_file(&fd, bytes + 2, n - 2, path);
	f->detect(path);
	graph_input_load(f, path, bytes[1], graph_input_threads(n));
	return 0;
}
