#include "crawler/graph_source.h"
#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Events in a run: so many pages are told of at once, while the rows of others are fetched. */
#define RUN 8

/* How far ahead of the page told of, among those in flight, memory is fetched: what a fetch takes
 * is some pages' time. First where a row is, then the row, two lines of it. */
#define NEAR 8
#define FAR  16

struct graph_source {
	struct source source;
	const struct graph *g;
	const uint32_t *host;
	const uint8_t *state;
	const struct names *names; /* NULL: no URLs are seen */
	const uint8_t *kinds;      /* by arc; NULL: unknown */
	const double *score;       /* NULL: none */
	size_t parallel;
	uint32_t flying[GRAPH_SOURCE_PARALLEL]; /* a ring: [head..tail), modulo its size */
	size_t head, tail;
	struct event event[RUN];
	int64_t now;
};

static struct graph_source *self(struct source *s)
{
	return (struct graph_source *)s;
}

static uint32_t host(void *ctx, uint32_t id)
{
	const struct graph_source *s = ctx;

	return s->host[id];
}

static int outside(void *ctx, uint32_t id)
{
	const struct graph_source *s = ctx;

	return s->state[id] == PAGE_OUTSIDE;
}

static size_t links(void *ctx, uint32_t u, const uint32_t **out)
{
	const struct graph_source *s = ctx;

	*out = graph_row(s->g, u);
	return graph_outdegree(s->g, u);
}

static const char *url(void *ctx, uint32_t id, size_t *n)
{
	const struct graph_source *s = ctx;
	const char *text = names_url(s->names, id);

	*n = strlen(text);
	return text;
}

static double score(void *ctx, uint32_t id)
{
	const struct graph_source *s = ctx;

	return s->score[id];
}

static void world(struct source *s, struct frontier_world *w)
{
	*w = (struct frontier_world){.ctx = s,
		.host = self(s)->host ? host : NULL,
		.outside = self(s)->state ? outside : NULL,
		.links = links,
		.url = self(s)->names ? url : NULL,
		.score = self(s)->score ? score : NULL,
		.has_kinds = self(s)->kinds != NULL};
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
		assert(ids[i] < g->g->nodes);
		g->flying[g->tail++ % GRAPH_SOURCE_PARALLEL] = ids[i];
	}
}

/* How a page ends that may not be crawled. */
static void end_as(struct event *e, enum page_state state)
{
	const int fails = state == PAGE_FAILED, is_refused = state == PAGE_REFUSED;

	e->outcome = fails ? OUTCOME_STATUS : is_refused ? OUTCOME_ROBOTS : OUTCOME_CRAWLED;
	e->state = outcome_state(e->outcome);
	e->status = fails ? 404 : is_refused ? 0 : 200;
	if (e->state != PAGE_CRAWLED)
		e->n = 0;
}

/* Where nothing is in flight, waiting is a jump of the clock. */
static int reap(struct source *s, const struct event **events, int64_t until, struct err_note *why)
{
	struct graph_source *g = self(s);
	int n = 0;

	(void)why;
	if (g->head == g->tail)
		g->now = until > g->now ? until : g->now;
	for (; n < RUN && g->head < g->tail; n++, g->head++) {
		struct event *e = &g->event[n];
		if (g->tail - g->head > NEAR) {
			const uint32_t *row = graph_row(g->g, flying(g, g->head + NEAR));
			__builtin_prefetch(row);
			__builtin_prefetch(row + 16);
		}
		if (g->tail - g->head > FAR)
			__builtin_prefetch(&g->g->offset[flying(g, g->head + FAR)]);
		e->id = flying(g, g->head);
		e->started = e->ended = g->now;
		e->links = graph_row(g->g, e->id);
		e->n = graph_outdegree(g->g, e->id);
		if (g->kinds)
			e->kinds = g->kinds + g->g->offset[e->id];
		if (g->state)
			end_as(e, g->state[e->id]);
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

struct source *graph_source_new(const struct graph *g, const uint32_t *hosts, const uint8_t *state)
{
	struct graph_source *s = mem_zero(1, sizeof *s);

	s->source.ops = &ops;
	s->g = g;
	s->host = hosts;
	s->state = state;
	s->parallel = 1;
	for (size_t i = 0; i < RUN; i++) /* what is the same for all */
		s->event[i] = (struct event){.outcome = OUTCOME_CRAWLED,
			.state = PAGE_CRAWLED,
			.status = 200,
			.host_delay = -1};
	return &s->source;
}

void graph_source_set_parallel(struct source *s, size_t parallel)
{
	assert(parallel >= 1 && parallel <= GRAPH_SOURCE_PARALLEL);
	self(s)->parallel = parallel;
}

void graph_source_show(struct source *source, const struct names *names, const uint8_t *kinds)
{
	struct graph_source *s = self(source);

	s->names = names && names->text ? names : NULL;
	s->kinds = kinds;
}

void graph_source_show_scores(struct source *source, const double *score)
{
	self(source)->score = score;
}
