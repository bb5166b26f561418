/* A CSR file. Its checksum of the header is set right, so that what it guards is read as well. */
#include "tests/fuzz/graph_input.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	static int fd = -1;
	char path[64];
	uint8_t *copy = malloc(n + 1);

	if (!copy)
		abort();
	memcpy(copy, bytes, n);
	for (int right = 0; right < 2; right++) {
		if (right && n >= 128) {
			const uint64_t sum = XXH3_64bits(copy, 120);
			memcpy(copy + 120, &sum, sizeof sum);
		}
		graph_input_file(&fd, copy, n, path);
		graph_format_named("csr")->detect(path);
		graph_input_load(graph_format_named("csr"), path, 0, graph_input_threads(n));
	}
	free(copy);
	return 0;
}
