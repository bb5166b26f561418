#include "crawler/graph_world.h"

#include <string.h>

static uint32_t host(void *ctx, uint32_t id)
{
	const struct graph_world *w = ctx;

	return w->host[id];
}

static int outside(void *ctx, uint32_t id)
{
	const struct graph_world *w = ctx;

	return w->state[id] == PAGE_OUTSIDE;
}

static size_t links(void *ctx, uint32_t u, const uint32_t **out)
{
	const struct graph_world *w = ctx;

	*out = graph_row(w->g, u);
	return graph_outdegree(w->g, u);
}

static const char *url(void *ctx, uint32_t id, size_t *n)
{
	const struct graph_world *w = ctx;
	const char *text = names_url(w->names, id);

	*n = strlen(text);
	return text;
}

static double score(void *ctx, uint32_t id)
{
	const struct graph_world *w = ctx;

	return w->score[id];
}

void graph_world_tell(struct graph_world *w, struct frontier_world *out)
{
	*out = (struct frontier_world){.ctx = w,
		.host = w->host ? host : NULL,
		.outside = w->state ? outside : NULL,
		.links = links,
		.url = w->names && w->names->text ? url : NULL,
		.score = w->score ? score : NULL,
		.has_kinds = w->kinds != NULL};
}
