/* Two bytes, how many nodes there are and of what the lines tell (URLs, hosts, URLs behind a key), and
 * a file of names. */
#include "tests/fuzz/graph_input.h"

#include "graph/formats/names.h"

#define require graph_input_require

static void check_texts(const struct names *n)
{
	for (uint32_t i = 0; i < n->nodes; i++) {
		require(n->host[i] < n->hosts);
		require(strpbrk(names_host(n, i), "ABCDEFGHIJKLMNOPQRSTUVWXYZ\n") == NULL);
		require(!n->text || !strchr(names_url(n, i), '\n'));
	}
}

static void check_order(const struct names *n)
{
	uint32_t *order = malloc((n->nodes + 1) * sizeof *order);

	require(order != NULL);
	names_order(n, order);
	for (uint32_t i = 1; i < n->nodes; i++) {
		const int by_url = strcmp(names_url(n, order[i - 1]), names_url(n, order[i]));
		require(by_url < 0 || (by_url == 0 && order[i - 1] < order[i]));
	}
	free(order);
}

/* The names of a graph without links, and without labels. */
static void check_arranged(struct names *n, uint32_t nodes)
{
	uint64_t of_nodes = 0;
	struct graph g;

	graph_from_arcs(&g, nodes, NULL, NULL, 0);
	for (uint32_t i = 0; i < n->nodes; i++)
		of_nodes += n->id[i] < nodes;
	const uint64_t all = n->nodes;
	require(names_arrange(n, &g) == all - of_nodes);
	require(n->nodes == nodes && !n->id);
	check_texts(n);
	graph_release(&g);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	static int fd = -1;
	struct err_note why = {""};
	struct names names;
	char path[64];

	if (n < 2)
		return 0;
	graph_input_file(&fd, bytes + 2, n - 2, path);
	const int what = bytes[1] % 3;
	const int err = what == 0 ? names_from_urls(&names, path, bytes[0], &why)
		: what == 1       ? names_from_hosts(&names, path, bytes[0], &why)
				  : names_from_keyed(&names, path, 'n', &why);
	require(!err == !*why.text);
	require(!err || !names.nodes);
	check_texts(&names);
	if (names.text)
		check_order(&names);
	if (names.id)
		check_arranged(&names, bytes[0]);
	else
		require(err || !bytes[0] || what == 2 || names.nodes == bytes[0]);
	names_release(&names);
	return 0;
}
