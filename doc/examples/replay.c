/* replay GRAPH POLICY: crawls a graph from three random pages; prints the first pages of the order and
 * how soon hot pages came.
 *
 *	cc replay.c $(pkg-config --cflags --libs lycosa) -o replay */
#include <lycosa.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	struct lycosa_graph *g;
	struct lycosa_replay *r;
	struct lycosa_note why;
	struct lycosa_point point[10];
	const uint32_t *order;
	uint32_t n;

	if (argc != 3 || lycosa_graph_open(&g, argv[1], NULL, &why)) {
		fprintf(stderr, "replay: %s\n", argc == 3 ? why.text : "usage: replay GRAPH POLICY");
		return 1;
	}
	const char *policy = argv[2];
	const struct lycosa_crawl_options options = {.policies = &policy, .n_policies = 1, .seeds = "random:3", .rng_seed = 7};
	if (lycosa_replay_run(&r, g, &options, &why)) {
		fprintf(stderr, "replay: %s\n", why.text);
		lycosa_graph_close(g);
		return 1;
	}
	order = lycosa_replay_order(r, &n);
	printf("%u pages crawled, the first of them:", n);
	for (uint32_t i = 0; i < n && i < 10; i++)
		printf(" %u", order[i]);
	printf("\npages\tfound\tof those the seeds reach\n");
	lycosa_replay_curve(r, point, 10);
	for (int i = 0; i < 10; i++)
		printf("%u\t%.3f\t%.3f\n", point[i].k, point[i].strict, point[i].discoverable);
	printf("area under the curve: %.4f\n", lycosa_replay_auc(r));
	lycosa_replay_free(r);
	lycosa_graph_close(g);
	return 0;
}
