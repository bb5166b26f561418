/* What the fuzz targets of the graph formats share: bytes as a file that is nowhere on a disk, and
 * what must hold of a graph, whatever it was read from. */
#ifndef TESTS_FUZZ_GRAPH_INPUT_H
#define TESTS_FUZZ_GRAPH_INPUT_H

#include "graph/formats/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

/* A file in memory with these bytes; its path is into path[64]. Takes the file of the last call,
 * whose descriptor is in *fd (-1 at first), again. */
static inline void graph_input_file(int *fd, const uint8_t *bytes, size_t n, char *path)
{
	if (*fd < 0)
		*fd = memfd_create("input", MFD_CLOEXEC);
	if (*fd < 0 || ftruncate(*fd, 0) < 0 || pwrite(*fd, bytes, n, 0) != (ssize_t)n)
		abort();
	snprintf(path, 64, "/proc/self/fd/%d", *fd);
}

static inline void graph_input_require(int holds)
{
	if (!holds)
		abort();
}

/* The invariants of graph/graph.h. */
static inline void graph_input_check(const struct graph *g)
{
	graph_input_require(g->offset[0] == 0 && g->offset[g->nodes] == g->arcs);
	for (uint32_t u = 0; u < g->nodes; u++) {
		graph_input_require(g->offset[u] <= g->offset[u + 1]);
		for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++) {
			graph_input_require(g->target[a] < g->nodes);
			if (g->flags & GRAPH_ORDERED && a > g->offset[u])
				graph_input_require(g->target[a - 1] < g->target[a]);
		}
		graph_input_require(!g->label || !u || g->label[u - 1] < g->label[u]);
	}
}

/* One input in eight is loaded by three threads, too, which takes its time. */
static inline unsigned graph_input_threads(size_t n)
{
	return n % 8 ? 1 : 3;
}

/* Loads by one thread, and by so many if that is not one: a graph, the same one, or the same error. */
static inline void graph_input_load(const struct graph_format *f, const char *path, uint32_t hint, unsigned threads)
{
	const struct graph_load one = {.nodes_hint = hint, .threads = 1}, many = {.nodes_hint = hint, .threads = threads};
	struct err_note why = {""}, again = {""};
	struct graph g, other;
	const int err = f->load(path, &one, &g, &why);

	graph_input_require(!err == !why.text[0]);
	if (!err)
		graph_input_check(&g);
	if (threads > 1) {
		graph_input_require(f->load(path, &many, &other, &again) == err);
		graph_input_require(strcmp(why.text, again.text) == 0);
		if (!err)
			graph_input_require(graph_fingerprint(&g) == graph_fingerprint(&other));
		graph_release(&other);
	}
	graph_release(&g);
}

#endif
