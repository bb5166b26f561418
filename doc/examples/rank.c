/* rank GRAPH: the ten pages with the highest PageRank, how the graph hangs together, and how far
 * its pages are from node 0.
 *
 *	cc rank.c $(pkg-config --cflags --libs lycosa) -o rank */
#include <lycosa.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t best(const double *value, uint32_t n, const unsigned char *taken)
{
	uint32_t at = n;

	for (uint32_t u = 0; u < n; u++)
		if (!taken[u] && (at == n || value[u] > value[at]))
			at = u;
	return at;
}

int main(int argc, char **argv)
{
	struct lycosa_pagerank_options options = {.tolerance = 1e-10};
	struct lycosa_graph *g;
	struct lycosa_note why;
	uint32_t n, reached, seed = 0;

	if (argc != 2 || lycosa_graph_open(&g, argv[1], NULL, &why)) {
		fprintf(stderr, "rank: %s\n", argc == 2 ? why.text : "usage: rank GRAPH");
		return 1;
	}
	n = lycosa_graph_nodes(g);
	printf("%u nodes, %llu arcs, read as %s\n", n, (unsigned long long)lycosa_graph_arcs(g), lycosa_graph_format(g));

	double *rank = calloc(n, sizeof *rank), *hub = calloc(n, sizeof *hub);
	double *authority = calloc(n, sizeof *authority);
	uint32_t *number = calloc(n, sizeof *number);
	unsigned char *taken = calloc(n, 1);
	if (lycosa_pagerank(g, &options, rank, &why) || lycosa_hits(g, 0, 0, hub, authority, &why)) {
		fprintf(stderr, "rank: %s\n", why.text);
		return 1;
	}
	for (int i = 0; i < 10 && (uint32_t)i < n; i++) {
		const uint32_t u = best(rank, n, taken);
		const char *url = lycosa_graph_url(g, u);
		taken[u] = 1;
		printf("%llu\t%.6f\thub %.4f\tauthority %.4f\t%s\n", (unsigned long long)lycosa_graph_label(g, u), rank[u], hub[u],
			authority[u], url ? url : "-");
	}
	printf("%u strongly connected components\n", lycosa_scc(g, number));
	if (n && !lycosa_bfs(g, &seed, 1, number, &reached, &why))
		printf("%u pages can be reached from node 0\n", reached);
	free(taken);
	free(number);
	free(authority);
	free(hub);
	free(rank);
	lycosa_graph_close(g);
	return 0;
}
