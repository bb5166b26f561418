#include "lab/replay/graph_source.h"
#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static uint32_t host(void *ctx, uint32_t id)
{
	const struct graph_world *w = ctx;

	return w->host[id];
}

static int parse_url(const struct graph_world *w, uint32_t id, struct url *u)
{
	const char *text = names_url(w->names, id);

	return url_parse(u, text, strlen(text), NULL) == URL_OK;
}

static int outside(void *ctx, uint32_t id)
{
	const struct graph_world *w = ctx;
	AUTO(url) u = URL_EMPTY;
	int is_rejected;

	if (!w->rules || (w->state && w->state[id] == PAGE_OUTSIDE))
		return w->state[id] == PAGE_OUTSIDE;
	is_rejected = parse_url(w, id, &u) && rules_judge(w->rules, &u, NULL) == RULES_REJECT;
	return is_rejected;
}

static uint8_t rank(void *ctx, uint32_t id, uint32_t depth)
{
	const struct graph_world *w = ctx;
	AUTO(url) u = URL_EMPTY;

	return parse_url(w, id, &u) ? rules_rank(w->rules, &u, depth) : rank_make(TIER_NORMAL, 0);
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
		.outside = w->state || w->rules ? outside : NULL,
		.links = links,
		.row = w->seen ? NULL : w->g->offset,
		.target = w->seen ? NULL : w->g->target,
		.url = w->names && w->names->text ? url : NULL,
		.score = w->score ? score : NULL,
		.anchor = w->anchors ? anchor : NULL,
		.has_kinds = w->kinds != NULL,
		.rank = rules_weights(w->rules) ? rank : NULL,
		.weights = rules_weights(w->rules)};
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

/* The most events that reap() returns at once; meanwhile the rows of the next pages are prefetched. */
#define RUN 8

/* How many pages ahead memory is prefetched, since it takes as long as some pages to arrive: first the offset of the row (FAR),
 * then the row, two cache lines of it (NEAR). */
#define NEAR 8
#define FAR  16

struct graph_source {
	struct source source;
	struct graph_world world;
	size_t parallel;
	uint32_t flying[GRAPH_SOURCE_PARALLEL]; /* a ring: [head..tail), modulo its size */
	size_t head, tail;
	struct result event[RUN];
	int64_t now;
};

static struct graph_source *self(struct source *s)
{
	return (struct graph_source *)s;
}

static void world(struct source *s, struct frontier_world *w)
{
	graph_world_tell(&self(s)->world, w);
}

static size_t room(struct source *s)
{
	return self(s)->parallel - (self(s)->tail - self(s)->head);
}

static uint32_t flying(const struct graph_source *g, size_t i)
{
	return g->flying[i % GRAPH_SOURCE_PARALLEL];
}

static void submit(struct source *s, const uint32_t *ids, size_t n)
{
	struct graph_source *g = self(s);

	assert(n <= room(s));
	for (size_t i = 0; i < n; i++) {
		assert(ids[i] < g->world.g->nodes);
		g->flying[g->tail++ % GRAPH_SOURCE_PARALLEL] = ids[i];
	}
}

/* Returns the events of pages in flight. If there are none, the virtual clock moves on to `until`. */
static int reap(struct source *s, const struct result **events, int64_t until, struct err_note *why)
{
	struct graph_source *g = self(s);
	int n = 0;

	(void)why;
	if (g->head == g->tail)
		g->now = until > g->now ? until : g->now;
	for (; n < RUN && g->head < g->tail; n++, g->head++) {
		struct result *e = &g->event[n];
		if (g->tail - g->head > NEAR) {
			const uint32_t *row = graph_row(g->world.g, flying(g, g->head + NEAR));
			__builtin_prefetch(row);
			__builtin_prefetch(row + 16);
		}
		if (g->tail - g->head > FAR)
			__builtin_prefetch(&g->world.g->offset[flying(g, g->head + FAR)]);
		e->id = flying(g, g->head);
		e->started = e->ended = g->now;
		graph_world_links(&g->world, e);
		if (g->world.state)
			graph_world_end(e, g->world.state[e->id]);
	}
	*events = g->event;
	return n;
}

static void release(struct source *s)
{
	(void)s;
}

static int64_t now(struct source *s)
{
	return self(s)->now;
}

static void prefetch(struct source *s, const uint32_t *ids, size_t n)
{
	graph_world_prefetch(&self(s)->world, ids, n);
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

struct source *graph_source_new(const struct graph_world *w)
{
	struct graph_source *s = mem_zero(1, sizeof *s);

	s->source.ops = &ops;
	s->world = *w;
	s->parallel = 1;
	for (size_t i = 0; i < RUN; i++) /* the fields that are the same in all events */
		s->event[i] = (struct result){.outcome = OUTCOME_CRAWLED, .state = PAGE_CRAWLED, .status = 200, .host_delay = -1};
	return &s->source;
}

void graph_source_set_parallel(struct source *s, size_t parallel)
{
	assert(parallel >= 1 && parallel <= GRAPH_SOURCE_PARALLEL);
	self(s)->parallel = parallel;
}
