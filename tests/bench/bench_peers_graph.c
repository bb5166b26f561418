/* The rows of the table, and the graph that most of them are about. */
#include "base/clock.h"
#include "base/mem.h"
#include "base/rng.h"
#include "graph/formats/format.h"
#include "graph/kernels/generate.h"
#include "graph/memory/subgraph.h"
#include "tests/bench/bench_peers.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROUNDS 3

/* Two jobs that are timed by a clock. */
struct clocked {
	clockid_t clock;
	peers_job *ours, *theirs;
	void *ctx;
};

static double time_job(const struct clocked *c, peers_job *job)
{
	const int64_t began = clock_read_ns(c->clock);

	job(c->ctx);
	return (double)(clock_read_ns(c->clock) - began) / 1e9;
}

static double time_ours(void *ctx)
{
	const struct clocked *c = ctx;

	return time_job(c, c->ours);
}

static double time_theirs(void *ctx)
{
	const struct clocked *c = ctx;

	return time_job(c, c->theirs);
}

/* The row of two jobs that tell their times, in nanoseconds for each of `count`. */
static void print_row(const char *what, const char *unit, double count, peers_timed *ours, peers_timed *theirs, const char *peer,
	void *ctx)
{
	double best[2] = {1e30, 1e30};

	for (int round = 0; round < ROUNDS; round++) {
		for (int side = 0; side < 2; side++) {
			const double seconds = (side ? theirs : ours)(ctx);
			if (seconds < best[side])
				best[side] = seconds;
		}
	}
	printf("%s\t%s\t%.4g\t%s\t%.4g\n", what, unit, best[0] / count * 1e9, peer, best[1] / count * 1e9);
	fflush(stdout);
}

void peers_row(const char *what, const char *unit, clockid_t clock, double count, peers_job *ours, peers_job *theirs,
	const char *peer, void *ctx)
{
	struct clocked c = {clock, ours, theirs, ctx};

	print_row(what, unit, count, time_ours, time_theirs, peer, &c);
}

void peers_timed_row(const struct bench *b, const char *what, peers_timed *ours, peers_timed *theirs, const char *peer, void *ctx)
{
	char name[300];

	snprintf(name, sizeof name, "%s%s", what, b->which);
	print_row(name, "ns/link", (double)b->data.graph.arcs, ours, theirs, peer, ctx);
}

void peers_graph_row(const struct bench *b, const char *what, clockid_t clock, peers_job *ours, peers_job *theirs, const char *peer,
	void *ctx)
{
	struct clocked c = {clock, ours, theirs, ctx};

	peers_timed_row(b, what, time_ours, time_theirs, peer, &c);
}

void peers_path(const struct bench *b, const char *name, char path[PEERS_PATH])
{
	snprintf(path, PEERS_PATH, "%s/%s", b->folder, name);
}

void peers_load(const struct bench *b, const char *name, unsigned threads)
{
	const struct graph_load how = {.threads = threads};
	struct err_note why;
	struct graph g;
	char path[PEERS_PATH];

	peers_path(b, name, path);
	if (graph_open(path, &how, &g, NULL, &why))
		peers_die(why.text);
	if (g.arcs != b->data.graph.arcs)
		peers_die("a file was read as another graph");
	graph_release(&g);
}

void peers_shuffle(struct bench *b)
{
	const struct graph_space anywhere = {.memory = 0};
	const uint32_t nodes = b->data.graph.nodes;
	uint32_t *order = mem_new(nodes, sizeof *order);
	struct rng rng = {11};
	struct err_note why;
	struct graph copy;

	rng_sample(&rng, nodes, nodes, order);
	if (graph_relabel(&b->data.graph, order, &anywhere, &copy, &why))
		peers_die(why.text);
	while (order[b->start] != 0)
		b->start++;
	graph_release(&b->data.graph);
	b->data.graph = copy;
	strncat(b->which, ", pages numbered at random", sizeof b->which - strlen(b->which) - 1);
	free(order);
}

/* Generates a graph of NODES:ARCS_PER_NODE, or opens the one of that path. */
static void make_graph(struct bench *b, const char *spec)
{
	const struct graph_load load = {.threads = 1};
	struct generate how = GENERATE_DEFAULT;
	struct err_note why;

	how.rng_seed = 7;
	if (sscanf(spec, "%u:%lf", &how.nodes, &how.arcs_per_node) == 2) {
		generate(&how, &b->data.graph);
		return;
	}
	if (graph_open(spec, &load, &b->data.graph, NULL, &why))
		peers_die(why.text);
	const char *slash = strrchr(spec, '/');
	snprintf(b->which, sizeof b->which, ", %.60s", slash ? slash + 1 : spec);
}

void peers_begin(struct bench *b, const char *spec)
{
	*b = (struct bench){.data.format = "generated"};
	make_graph(b, spec);
	const struct graph *g = &b->data.graph;
	snprintf(b->folder, sizeof b->folder, "/tmp/lycosa-peers-XXXXXX");
	if (!mkdtemp(b->folder))
		peers_die("cannot make a folder in /tmp");
	b->a = mem_new(g->nodes, sizeof *b->a);
	b->b = mem_new(g->nodes, sizeof *b->b);
	b->number = mem_new(g->nodes, sizeof *b->number);
	printf("# graph: %u pages, %llu links\n", g->nodes, (unsigned long long)g->arcs);
	printf("what\tunit\tlycosa\tpeer\tpeers\n");
}

void peers_end(struct bench *b)
{
	char command[100];

	graph_release(&b->data.graph);
	free(b->a);
	free(b->b);
	free(b->number);
	snprintf(command, sizeof command, "rm -r '%s'", b->folder);
	if (system(command))
		peers_die("cannot remove the folder in /tmp");
}

void peers_die(const char *what)
{
	fprintf(stderr, "bench_peers: %s\n", what);
	exit(1);
}
