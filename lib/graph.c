#include "base/mem.h"
#include "graph/formats/bvrandom.h"
#include "lib/lib_internal.h"
#include "storage/store.h"

#include <stdlib.h>
#include <string.h>

/* PageRank of the benchmark: to this L1 change, as in the command line. */
#define BENCHMARK_TOLERANCE 1e-12

static struct lycosa_graph *new_graph(void)
{
	struct lycosa_graph *g = mem_zero(1, sizeof *g);

	pthread_mutex_init(&g->lock, NULL);
	return g;
}

int lycosa_graph_open(struct lycosa_graph **graph, const char *path, const struct lycosa_graph_options *options,
	struct lycosa_note *why)
{
	const struct lycosa_graph_options none = {0}, *o = options ? options : &none;
	const struct dataset_where where = {.graph = path,
		.urls = o->urls,
		.hosts = o->hosts,
		.threads = inside_threads(o->threads),
		.damaged = o->missing != NULL};
	const struct graph_space space = {.memory = o->memory};
	struct lycosa_graph *g;

	*graph = NULL;
	if (o->missing)
		*o->missing->text = 0;
	int err = store_is(path) ? inside_store_is_free(path, inside_note(why)) : 0;
	if (err)
		return err;
	g = new_graph();
	err = dataset_open_within(&g->data, &where, &space, inside_note(why));
	if (err) {
		lycosa_graph_close(g);
		return err;
	}
	if (g->data.rest == STORE_IS_PARTIAL)
		*inside_note(o->missing) = g->data.missing;
	*graph = g;
	return 0;
}

int lycosa_graph_from_arcs(struct lycosa_graph **graph, uint32_t nodes, const uint32_t *from, const uint32_t *to, uint64_t arcs,
	struct lycosa_note *why)
{
	*graph = NULL;
	if (nodes > GRAPH_MAX_NODES)
		return err_set(inside_note(why), ERR_USAGE, "a graph of %u nodes: %u are the most", nodes, GRAPH_MAX_NODES);
	for (uint64_t i = 0; i < arcs; i++)
		if (from[i] >= nodes || to[i] >= nodes)
			return err_set(inside_note(why), ERR_USAGE, "arc %llu leads from %u to %u in a graph of %u nodes",
				(unsigned long long)i, from[i], to[i], nodes);
	*graph = new_graph();
	(*graph)->data.format = "arcs";
	graph_from_arcs(&(*graph)->data.graph, nodes, from, to, arcs);
	return 0;
}

void lycosa_graph_close(struct lycosa_graph *graph)
{
	if (!graph)
		return;
	if (graph->benchmark.hot)
		benchmark_release(&graph->benchmark);
	dataset_release(&graph->data);
	pthread_mutex_destroy(&graph->lock);
	free(graph);
}

const struct benchmark *inside_benchmark(const struct lycosa_graph *graph, unsigned threads)
{
	struct lycosa_graph *g = (struct lycosa_graph *)graph;

	pthread_mutex_lock(&g->lock);
	if (!g->benchmark.hot)
		benchmark_make(&g->benchmark, &g->data.graph, BENCHMARK_TOLERANCE, threads);
	pthread_mutex_unlock(&g->lock);
	return &g->benchmark;
}

uint32_t lycosa_graph_nodes(const struct lycosa_graph *graph)
{
	return graph->data.graph.nodes;
}

uint64_t lycosa_graph_arcs(const struct lycosa_graph *graph)
{
	return graph->data.graph.arcs;
}

const char *lycosa_graph_format(const struct lycosa_graph *graph)
{
	return graph->data.format;
}

const char *lycosa_graph_remark(const struct lycosa_graph *graph)
{
	return graph->data.odd.text;
}

uint64_t lycosa_graph_fingerprint(const struct lycosa_graph *graph)
{
	return graph_fingerprint(&graph->data.graph);
}

const uint32_t *lycosa_graph_row(const struct lycosa_graph *graph, uint32_t u, uint32_t *n)
{
	*n = graph_outdegree(&graph->data.graph, u);
	return graph_row(&graph->data.graph, u);
}

const uint64_t *lycosa_graph_offsets(const struct lycosa_graph *graph)
{
	return graph->data.graph.offset;
}

const uint32_t *lycosa_graph_targets(const struct lycosa_graph *graph)
{
	return graph->data.graph.target;
}

const char *lycosa_graph_url(const struct lycosa_graph *graph, uint32_t u)
{
	return dataset_url(&graph->data, u);
}

uint64_t lycosa_graph_label(const struct lycosa_graph *graph, uint32_t u)
{
	return graph_label(&graph->data.graph, u);
}

int lycosa_graph_find(const struct lycosa_graph *graph, uint64_t label, uint32_t *u)
{
	return graph_find_label(&graph->data.graph, label, u);
}

/* --- rows on the disk: struct lycosa_rows is struct bvrandom under another name */

int lycosa_rows_open(struct lycosa_rows **rows, const char *path, struct lycosa_note *why)
{
	struct bvrandom *g = NULL;
	const int err = bvrandom_open(&g, path, inside_note(why));

	*rows = err ? NULL : (struct lycosa_rows *)g;
	return err;
}

static struct bvrandom *inner(const struct lycosa_rows *rows)
{
	return (struct bvrandom *)rows;
}

void lycosa_rows_close(struct lycosa_rows *rows)
{
	if (rows)
		bvrandom_close(inner(rows));
}

uint32_t lycosa_rows_nodes(const struct lycosa_rows *rows)
{
	return bvrandom_nodes(inner(rows));
}

uint64_t lycosa_rows_arcs(const struct lycosa_rows *rows)
{
	return bvrandom_arcs(inner(rows));
}

int lycosa_rows_get(struct lycosa_rows *rows, uint32_t u, const uint32_t **targets, uint32_t *n, struct lycosa_note *why)
{
	*targets = NULL;
	*n = 0;
	if (u >= bvrandom_nodes(inner(rows)))
		return err_set(inside_note(why), ERR_USAGE, "there is no node %u among %u", u, bvrandom_nodes(inner(rows)));
	return bvrandom_row(inner(rows), u, targets, n, inside_note(why));
}
