#include "crawler/replay/graph_world.h"

#include "base/mem.h"

#include <stdlib.h>
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

	if (w->seen)
		return seen_rows_of(w->seen, u, out);
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
		.row = w->seen ? NULL : w->g->offset,
		.target = w->seen ? NULL : w->g->target,
		.url = w->names && w->names->text ? url : NULL,
		.score = w->score ? score : NULL,
		.anchor = w->anchors ? anchor : NULL,
		.has_kinds = w->kinds != NULL};
}

void graph_world_end(struct result *e, enum page_state state)
{
	const int fails = state == PAGE_FAILED, is_refused = state == PAGE_REFUSED;

	e->outcome = fails ? OUTCOME_STATUS : is_refused ? OUTCOME_ROBOTS : OUTCOME_CRAWLED;
	e->state = outcome_state(e->outcome);
	e->status = fails ? 404 : is_refused ? 0 : 200;
	if (e->state != PAGE_CRAWLED)
		e->n = 0;
}

void seen_rows_init(struct seen_rows *r, uint32_t n)
{
	*r = (struct seen_rows){.start = mem_zero((size_t)n + 1, sizeof *r->start)};
}

void seen_rows_release(struct seen_rows *r)
{
	free(r->start);
	free(r->links);
	*r = (struct seen_rows){.start = NULL};
}

void seen_rows_add(struct seen_rows *r, uint32_t id, const uint32_t *links, uint32_t n)
{
	r->links = mem_grow(r->links, &r->room, r->used + n + 1, sizeof *r->links);
	r->links[r->used++] = n;
	r->start[id] = r->used;
	if (n)
		memcpy(r->links + r->used, links, n * sizeof *links);
	r->used += n;
}

size_t seen_rows_of(const struct seen_rows *r, uint32_t id, const uint32_t **links)
{
	if (!r->start[id])
		return 0;
	*links = r->links + r->start[id];
	return r->links[r->start[id] - 1];
}
