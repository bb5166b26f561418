/* A Matrix Market file. */
#include "tests/fuzz/graph_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	static int fd = -1;
	char path[64];

	graph_input_file(&fd, bytes, n, path);
	graph_format_named("mtx")->detect(path);
	graph_input_load(graph_format_named("mtx"), path, 0, graph_input_threads(n));
	return 0;
}
