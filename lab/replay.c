#include "lab/replay.h"
#include "base/clock.h"
#include "base/mem.h"
#include "crawler/crawl.h"
#include "crawler/graph_source.h"

#include <stdlib.h>

uint64_t replay_batch(uint64_t n)
{
	return n > 40 ? (n + 39) / 40 : 1;
}

static int note_page(void *ctx, uint32_t id, double key, struct err_note *why)
{
	struct replay *r = ctx;

	(void)why;
	if (r->key)
		r->key[r->crawled] = key;
	r->order[r->crawled++] = id;
	return 0;
}

static int note_links(void *ctx, const struct event *e, struct err_note *why)
{
	struct replay *r = ctx;

	(void)why;
	r->links += e->n;
	return 0;
}

int replay_run(struct replay *r, const struct dataset *data, const struct seedset *seeds,
	struct err_note *why)
{
	const struct graph *g = &data->graph;
	struct source *source =
		graph_source_new(g, r->with_hosts ? data->names.host : NULL, data->outside);
	struct frontier_settings settings = {.policy = r->policy,
		.opts = r->opts,
		.batch = r->batch ? r->batch : replay_batch(g->nodes),
		.total = r->total ? r->total : g->nodes,
		.rng_seed = r->rng_seed,
		.ids = g->nodes,
		.per_host = UINT32_MAX};
	struct observer observer = {r, note_page, note_links, NULL};
	struct frontier_world world;
	struct frontier *f;

	r->order = mem_new(g->nodes, sizeof *r->order);
	r->key = r->with_keys ? mem_new(g->nodes, sizeof *r->key) : NULL;
	r->crawled = 0;
	r->links = 0;
	source->ops->world(source, &world);
	int err = frontier_new(&f, &settings, &world, why);
	if (!err) {
		struct crawl c = {.frontier = f,
			.source = source,
			.observers = &observer,
			.n_observers = 1,
			.max_pages = r->max_pages};
		int64_t started = clock_read_ns(CLOCK_THREAD_CPUTIME_ID);
		frontier_seed(f, seeds->ids, seeds->n);
		err = crawl_run(&c, why);
		r->cpu_ns = clock_read_ns(CLOCK_THREAD_CPUTIME_ID) - started;
		frontier_free(f);
	}
	source->ops->close(source);
	if (err)
		replay_release(r);
	return err;
}

void replay_release(struct replay *r)
{
	free(r->order);
	free(r->key);
	r->order = NULL;
	r->key = NULL;
}
