/* A byte of the number of nodes, on two hosts, and a file of page attributes; behind a byte 255 a
 * file of the uniqueness of sites. */
#include "tests/fuzz/graph_input.h"

#include "seeds/values.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	static int fd[2] = {-1, -1};
	static char text[] = "a.x\0b.x";
	static uint64_t start[] = {0, 4};
	uint32_t host[256];
	struct err_note why = {""};
	struct graph g;
	int64_t *value, sum = 0;
	char path[2][64];

	if (n < 1)
		return 0;
	const uint8_t *sites = memchr(bytes + 1, 255, n - 1);
	const size_t pages = sites ? (size_t)(sites - bytes) - 1 : n - 1;
	for (uint32_t v = 0; v < 256; v++)
		host[v] = v % 2;
	const struct names names = {.nodes = bytes[0], .host = host, .hosts = 2, .host_text = text, .host_start = start};
	graph_input_file(&fd[0], bytes + 1, pages, path[0]);
	graph_from_arcs(&g, bytes[0], NULL, NULL, 0);
	struct attributes a = {.graph = &g, .names = &names, .pages = path[0]};
	if (sites) {
		graph_input_file(&fd[1], sites + 1, n - pages - 2, path[1]);
		a.p_unique = path[1];
	}
	const int err = attributes_read(&a, &value, &why);
	graph_input_require(err ? !value && *why.text : !*why.text);
	for (uint32_t v = 0; !err && v < g.nodes; v++)
		graph_input_require(!__builtin_add_overflow(sum, value[v] < 0 ? -value[v] : value[v], &sum));
	free(value);
	graph_release(&g);
	return 0;
}
