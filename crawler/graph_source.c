#include "crawler/graph_source.h"
#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>

struct graph_source {
	struct source source;
	const struct graph *g;
	const uint32_t *host;
	const uint8_t *outside;
	uint32_t page; /* in flight */
	int busy;
	int64_t now;
};

static struct graph_source *self(struct source *s)
{
	return (struct graph_source *)s;
}

static uint32_t host(const void *ctx, uint32_t id)
{
	const struct graph_source *s = ctx;

	return s->host[id];
}

static int outside(const void *ctx, uint32_t id)
{
	const struct graph_source *s = ctx;

	return s->outside[id];
}

static size_t links(const void *ctx, uint32_t u, const uint32_t **out)
{
	const struct graph_source *s = ctx;

	*out = graph_row(s->g, u);
	return graph_outdegree(s->g, u);
}

static void world(struct source *s, struct frontier_world *w)
{
	*w = (struct frontier_world){
		s, self(s)->host ? host : NULL, self(s)->outside ? outside : NULL, links};
}

static int room(struct source *s)
{
	return !self(s)->busy;
}

static void submit(struct source *s, uint32_t id)
{
	assert(!self(s)->busy && id < self(s)->g->nodes);
	self(s)->page = id;
	self(s)->busy = 1;
}

/* Where nothing is in flight, waiting is a jump of the clock. */
static int reap(struct source *s, struct event *e, int64_t until, struct err_note *why)
{
	struct graph_source *g = self(s);

	(void)why;
	if (!g->busy) {
		g->now = until > g->now ? until : g->now;
		return 0;
	}
	/* field by field: to zero the whole first would be felt */
	e->id = g->page;
	e->kind = EVENT_CRAWLED;
	e->error = FETCH_OK;
	e->status = 200;
	e->target = 0;
	e->not_before = 0;
	e->started = e->ended = g->now;
	e->host_delay = -1;
	e->bytes = e->digest[0] = e->digest[1] = 0;
	e->links = graph_row(g->g, g->page);
	e->kinds = NULL;
	e->n = graph_outdegree(g->g, g->page);
	g->busy = 0;
	return 1;
}

static void release(struct source *s, struct event *e)
{
	(void)s;
	(void)e;
}

static int64_t now(struct source *s)
{
	return self(s)->now;
}

/* First where a row is, then the row. */
static void prefetch(struct source *s, const uint32_t *ids, size_t n)
{
	const struct graph *g = self(s)->g;

	if (n)
		__builtin_prefetch(graph_row(g, ids[0]));
	for (size_t i = 1; i < n; i++)
		__builtin_prefetch(&g->offset[ids[i]]);
}

static void close_source(struct source *s)
{
	free(s);
}

static const struct source_ops ops = {
	.name = "graph",
	.world = world,
	.room = room,
	.submit = submit,
	.reap = reap,
	.release = release,
	.now = now,
	.prefetch = prefetch,
	.close = close_source,
};

struct source *graph_source_new(
	const struct graph *g, const uint32_t *hosts, const uint8_t *refused)
{
	struct graph_source *s = mem_zero(1, sizeof *s);

	s->source.ops = &ops;
	s->g = g;
	s->host = hosts;
	s->outside = refused;
	return &s->source;
}
