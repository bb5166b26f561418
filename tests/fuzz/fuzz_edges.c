/* Two bytes of a hint at the number of nodes, and an edge list. */
#include "tests/fuzz/graph_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	static int fd = -1;
	char path[64];

	if (n < 2)
		return 0;
	graph_input_file(&fd, bytes + 2, n - 2, path);
	graph_format_named("edges")->detect(path);
	graph_input_load(graph_format_named("edges"), path,
		(uint32_t)(bytes[0] | (bytes[1] & 3) << 8), graph_input_threads(n));
	return 0;
}
