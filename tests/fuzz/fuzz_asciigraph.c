/* An ASCIIGraph. */
#include "tests/fuzz/graph_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	const struct graph_format *f = graph_format_named("asciigraph");
	static int fd = -1;
	char path[64];

	graph_input_file(&fd, bytes, n, path);
	f->detect(path);
	graph_input_load(f, path, 0, graph_input_threads(n));
	return 0;
}
