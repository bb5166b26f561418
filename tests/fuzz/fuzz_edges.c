/* Two bytes of a hint at the number of nodes, and an edge list. */
#include "tests/fuzz/graph_input.h"

#include <ctype.h>

#define DIGITS 4

/* A few digits ask for millions of nodes, which takes its time: fifteen inputs in sixteen lose what
 * a number has after its fourth. */
static size_t shorten(uint8_t *to, const uint8_t *bytes, size_t n)
{
	size_t length = 0, digits = 0;

	for (size_t i = 0; i < n; i++) {
		digits = isdigit(bytes[i]) ? digits + 1 : 0;
		if (digits <= DIGITS || n % 16 == 0)
			to[length++] = bytes[i];
	}
	return length;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	static int fd = -1;
	char path[64];

	if (n < 2)
		return 0;
	uint8_t *text = malloc(n);
	graph_input_require(text != NULL);
	graph_input_file(&fd, text, shorten(text, bytes + 2, n - 2), path);
	free(text);
	graph_format_named("edges")->detect(path);
	graph_input_load(graph_format_named("edges"), path, (uint32_t)(bytes[0] | (bytes[1] & 3) << 8), graph_input_threads(n));
	return 0;
}
