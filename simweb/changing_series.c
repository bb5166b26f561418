#include "simweb/changing.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

struct series {
	struct changing web; /* the first field, so that see() can cast a struct changing to the struct series around it */
	struct graph *snapshot;
	unsigned char **is_there; /* of each snapshot, by page */
	size_t n;
	int64_t seconds;
};

static void see(const struct changing *web, uint32_t page, int64_t now, struct changing_look *look)
{
	const struct series *w = (const struct series *)(const void *)web;
	const size_t at = now / w->seconds < (int64_t)w->n ? (size_t)(now / w->seconds) : w->n - 1;
	const struct graph *g = &w->snapshot[at];

	look->links = graph_row(g, page);
	look->n = graph_outdegree(g, page);
	look->version = XXH3_64bits(look->links, look->n * sizeof *look->links);
	look->is_there = w->is_there[at][page];
}

static void release(struct changing *web)
{
	struct series *w = (struct series *)(void *)web;

	for (size_t i = 0; i < w->n; i++) {
		graph_release(&w->snapshot[i]);
		free(w->is_there[i]);
	}
	free(w->snapshot);
	free(w->is_there);
}

static unsigned char *pages_of(const struct graph *g)
{
	unsigned char *is_there = mem_zero((size_t)g->nodes + 1, 1);

	for (uint32_t u = 0; u < g->nodes; u++)
		is_there[u] = graph_outdegree(g, u) > 0;
	for (uint64_t a = 0; a < g->arcs; a++)
		is_there[g->target[a]] = 1;
	return is_there;
}

struct changing *changing_series(struct graph *snapshot, size_t n, int64_t seconds)
{
	struct series *w = mem_zero(1, sizeof *w);

	assert(n && seconds >= 1);
	*w = (struct series){.web = {.pages = snapshot[0].nodes, .see = see, .release = release},
		.snapshot = snapshot,
		.is_there = mem_new(n, sizeof *w->is_there),
		.n = n,
		.seconds = seconds};
	for (size_t i = 0; i < n; i++) {
		assert(snapshot[i].nodes == w->web.pages);
		w->is_there[i] = pages_of(&snapshot[i]);
	}
	return &w->web;
}
