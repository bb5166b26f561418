/* compare GRAPH POLICY ...: policies side by side, five draws of three seeds each.
 *
 *	cc compare.c $(pkg-config --cflags --libs lycosa) -o compare */
#include <lycosa.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	struct lycosa_comparison *c;
	struct lycosa_graph *g;
	struct lycosa_note why;
	size_t n;

	if (argc < 3 || lycosa_graph_open(&g, argv[1], NULL, &why)) {
		fprintf(stderr, "compare: %s\n", argc < 3 ? "usage: compare GRAPH POLICY ..." : why.text);
		return 1;
	}
	const struct lycosa_crawl_options options = {.policies = (const char *const *)argv + 2,
		.n_policies = (size_t)argc - 2,
		.seeds = "random:3",
		.draws = 5};
	if (lycosa_compare(&c, g, &options, &why)) {
		fprintf(stderr, "compare: %s\n", why.text);
		lycosa_graph_close(g);
		return 1;
	}
	const struct lycosa_trial *trial = lycosa_comparison_trials(c, &n);
	for (size_t i = 0; i < n; i++)
		printf("%s\tdraw %u\tat 30%%: %.3f\tarea %.4f\n", trial[i].policy, trial[i].draw, trial[i].curve[29].discoverable,
			trial[i].auc);
	lycosa_comparison_free(c);
	lycosa_graph_close(g);
	return 0;
}
