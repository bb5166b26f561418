/* The figures of HITS extraction: bench_seeds [NODES:ARCS_PER_NODE[:INTRA_HOST] [COUNT [THREADS]]]
 *
 * Makes a graph of hosts, prunes it, and extracts seeds. Prints CPU seconds, ns of CPU for each arc
 * visited, and which share of the visits of cold runs was saved, by running again only the components
 * that lost links and by degree-one reductions. */
#include "base/clock.h"
#include "graph/kernels/generate.h"
#include "graph/kernels/hits.h"
#include "seeds/hits/cores.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static long peak_mb(void)
{
	struct rusage use;

	getrusage(RUSAGE_SELF, &use);
	return use.ru_maxrss / 1024;
}

/* A line of /proc/self/status, in bytes; 0 where there is none. */
static double status(const char *name)
{
	FILE *f = fopen("/proc/self/status", "r");
	unsigned long kib = 0;
	char line[200];

	if (!f)
		return 0;
	while (fgets(line, sizeof line, f))
		if (!strncmp(line, name, strlen(name)))
			sscanf(line + strlen(name), ": %lu", &kib);
	fclose(f);
	return (double)kib * 1024;
}

/* The peak (VmHWM) begins anew. */
static void forget_peak(void)
{
	FILE *f = fopen("/proc/self/clear_refs", "w");

	if (!f)
		return;
	fputs("5", f);
	fclose(f);
}

static double seconds_since(int64_t cpu)
{
	return (double)(clock_cpu_ns() - cpu) / 1e9;
}

static void remove_core(struct hits_rank *rank, const struct core *core)
{
	for (size_t i = 0; i < core->side[HUBS].n; i++)
		hits_rank_remove(rank, core->side[HUBS].node[i]);
	for (size_t i = 0; i < core->side[AUTHORITIES].n; i++)
		hits_rank_remove(rank, core->side[AUTHORITIES].node[i]);
}

static void extract(struct pruned *p, uint32_t nodes, uint64_t count, unsigned threads)
{
	const double before = status("VmRSS");
	double after = 0;
	const struct core_rules rules = {.density = 100, .max_hubs = 999, .new_members = 1};
	struct hits_rank rank;
	struct core core;
	uint64_t cold = 0, found = 0;
	int64_t cpu = clock_cpu_ns();

	forget_peak();
	hits_rank_init(&rank, p, HITS_ITERATIONS, threads);
	core_init(&core, &rank, &rules);
	while (found < count && rank.arcs) {
		cold += 2 * rank.arcs * HITS_ITERATIONS;
		hits_rank_update(&rank);
		after = status("VmRSS") - before;
		core_grow(&core);
		remove_core(&rank, &core);
		if (!found++)
			printf("first seed: %.2f CPU s, %zu components\n", seconds_since(cpu), rank.bicover.n);
	}
	const double seconds = seconds_since(cpu);
	printf("%llu seeds: %.2f CPU s, %.2f ns an arc visit; of the visits of cold runs the components "
	       "saved %.1f%%, degree-one reductions %.1f%%; peak %ld MB\n",
		(unsigned long long)found, seconds, seconds * 1e9 / (double)rank.visits,
		100.0 - 100.0 * (double)(rank.visits + rank.saved) / (double)cold, 100.0 * (double)rank.saved / (double)cold,
		peak_mb());
	const double peak = status("VmHWM") - before;
	printf("beside the pruned graph: %.1f bytes a node of the graph, %.1f a pruned one; at its "
	       "peak %.1f and %.1f\n",
		after / nodes, after / p->nodes, peak / nodes, peak / p->nodes);
	core_release(&core);
	hits_rank_release(&rank);
}

int main(int argc, char **argv)
{
	struct generate with = GENERATE_DEFAULT;
	const char *what = argc > 1 ? argv[1] : "200000:16.2:0.924";
	const unsigned long count = argc > 2 ? strtoul(argv[2], NULL, 10) : 10;
	const unsigned long threads = argc > 3 ? strtoul(argv[3], NULL, 10) : 1;
	struct graph g;
	struct names names = {0};
	struct pruned p;

	if (sscanf(what, "%u:%lf:%lf", &with.nodes, &with.arcs_per_node, &with.intra_host) < 2 || !count || !threads ||
		threads > 1024) {
		fprintf(stderr,
			"usage: bench_seeds [NODES:ARCS_PER_NODE[:INTRA_HOST] [COUNT "
			"[THREADS]]]\n");
		return 2;
	}
	setvbuf(stdout, NULL, _IOLBF, 0);
	generate(&with, &g);
	generate_names(&with, &names);
	int64_t cpu = clock_cpu_ns();
	prune(&p, &g, names.host, (unsigned)threads);
	printf("%u nodes, %llu arcs; pruned in %.2f CPU s: %u nodes, %llu arcs; peak %ld MB\n", g.nodes, (unsigned long long)g.arcs,
		seconds_since(cpu), p.nodes, (unsigned long long)p.rows[HUBS].arcs, peak_mb());
	names_release(&names);
	graph_release(&g);
	extract(&p, with.nodes, count, (unsigned)threads);
	pruned_release(&p);
	return 0;
}
