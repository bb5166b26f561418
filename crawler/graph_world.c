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

static const char *anchor(void *ctx, uint32_t u, uint32_t place, size_t *n)
{
	const struct graph_world *w = ctx;
	const char *text = w->anchors + w->anchor_start[w->g->offset[u] + place];

	*n = strlen(text);
	return text;
}

void graph_world_tell(struct graph_world *w, struct frontier_world *out)
{
	*out = (struct frontier_world){.ctx = w,
		.host = w->host ? host : NULL,
		.outside = w->state ? outside : NULL,
		.links = links,
		.url = w->names && w->names->text ? url : NULL,
		.score = w->score ? score : NULL,
		.anchor = w->anchors ? anchor : NULL,
		.has_kinds = w->kinds != NULL};
}

void graph_world_end(struct event *e, enum page_state state)
{
	const int fails = state == PAGE_FAILED, is_refused = state == PAGE_REFUSED;

	e->outcome = fails ? OUTCOME_STATUS : is_refused ? OUTCOME_ROBOTS : OUTCOME_CRAWLED;
	e->state = outcome_state(e->outcome);
	e->status = fails ? 404 : is_refused ? 0 : 200;
	if (e->state != PAGE_CRAWLED)
		e->n = 0;
}
