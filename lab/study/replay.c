#include "lab/study/replay.h"
#include "base/clock.h"
#include "base/mem.h"
#include "crawler/crawl.h"
#include "crawler/graph_source.h"
#include "lab/measure/oracle.h"
#include "policies/policies.h"

#include <stdlib.h>

uint64_t replay_batch(uint64_t n)
{
	return n > 40 ? (n + 39) / 40 : 1;
}

/* A replay under way. */
struct watch {
	struct replay *replay;
	const struct frontier *frontier;
	uint32_t nodes, taken, back; /* pages taken, and those of them whose end was seen */
	uint32_t next;               /* when so many pages are crawled, the next step is noted */
};

/* On a small graph steps fall together. */
static void note_steps(struct watch *w)
{
	struct replay *r = w->replay;

	while (r->work.steps < OP_COUNTS_STEPS && w->next == r->crawled) {
		op_counts_step(&r->work, w->frontier);
		w->next = op_counts_step_at(r->work.steps, w->nodes);
	}
}

static int note_key(void *ctx, uint32_t id, double key, struct err_note *why)
{
	struct watch *w = ctx;
	struct replay *r = w->replay;

	(void)key;
	(void)why;
	r->key[w->taken++] = frontier_taken_value(w->frontier, id);
	return 0;
}

/* Pages come back in the order in which they were taken; those that fail leave it. */
static int note_end(void *ctx, const struct event *e, struct err_note *why)
{
	struct watch *w = ctx;
	struct replay *r = w->replay;
	uint32_t at = w->back++;

	(void)why;
	if (r->crawled == w->next)
		note_steps(w);
	if (e->state != PAGE_CRAWLED)
		return 0;
	if (r->key)
		r->key[r->crawled] = r->key[at];
	r->order[r->crawled++] = e->id;
	r->links += e->n;
	return 0;
}

static int crawl(struct replay *r, const struct dataset *data, const struct seedset *seeds,
	const double *oracle, struct err_note *why)
{
	const struct graph *g = &data->graph;
	const unsigned asks = policy_asks(r->policy);
	int with_hosts = r->with_hosts || asks & POLICY_SEES_HOSTS;
	struct source *source =
		graph_source_new(g, with_hosts ? data->names.host : NULL, data->outside);
	struct frontier_settings settings = {.policy = r->policy,
		.opts = r->opts,
		.oracle = oracle,
		.batch = r->batch ? r->batch : replay_batch(g->nodes),
		.total = r->total ? r->total : g->nodes,
		.rng_seed = r->rng_seed,
		.ids = g->nodes,
		.per_host = UINT32_MAX};
	struct watch watch = {.replay = r, .nodes = g->nodes, .next = op_counts_step_at(0, g->nodes)};
	struct observer observer = {.ctx = &watch, .taken = r->key ? note_key : NULL, .event = note_end};
	struct frontier_world world;
	struct frontier *f;

	graph_source_show(source, asks & POLICY_SEES_URLS ? &data->names : NULL,
		asks & POLICY_SEES_KINDS ? data->kinds : NULL);
	source->ops->world(source, &world);
	int err = frontier_new(&f, &settings, &world, why);
	if (!err) {
		struct crawl c = {.frontier = f,
			.source = source,
			.observers = &observer,
			.n_observers = 1,
			.max_pages = r->max_pages};
		watch.frontier = f;
		/* where it changes no order, many at a time */
		if (frontier_is_fifo(f))
			graph_source_set_parallel(source, GRAPH_SOURCE_PARALLEL);
		int64_t started = clock_read_ns(CLOCK_THREAD_CPUTIME_ID);
		if (seeds->tried)
			frontier_seed(f, seeds->tried, seeds->n_tried);
		else
			frontier_seed(f, seeds->ids, seeds->n);
		err = crawl_run(&c, why);
		r->cpu_ns = clock_read_ns(CLOCK_THREAD_CPUTIME_ID) - started;
		note_steps(&watch);
		frontier_work(f, &r->work.total);
		r->work.links = r->links;
		r->work.batches = r->crawled / settings.batch;
		frontier_free(f);
	}
	source->ops->close(source);
	return err;
}

/* `ideal`: no crawl, but the benchmark's own order. */
static void recite(struct replay *r, const struct graph *g, const double *key)
{
	uint64_t most = r->max_pages ? r->max_pages : g->nodes;

	while (r->crawled < g->nodes && r->crawled < most) {
		uint32_t u = r->benchmark->hot[r->crawled];
		r->links += graph_outdegree(g, u);
		if (r->key)
			r->key[r->crawled] = key[u];
		r->order[r->crawled++] = u;
	}
}

int replay_run(struct replay *r, const struct dataset *data, const struct seedset *seeds,
	struct err_note *why)
{
	const struct graph *g = &data->graph;
	const unsigned missing = policy_needs(r->policy) & ~dataset_sights(data);
	double *oracle;

	if (missing)
		return err_set(why, ERR_USAGE, "the policy '%s' goes by %s, and the graph has none; %s",
			r->policy->name, policy_sight_words(missing),
			missing & POLICY_SEES_KINDS ? "the store of a crawl has them"
						    : "see --hosts and --urls");
	int err = oracle_make(&oracle, r->policy, r->opts, data, r->benchmark, why);
	if (err)
		return err;
	r->order = mem_new(g->nodes, sizeof *r->order);
	r->key = r->with_keys ? mem_new(g->nodes, sizeof *r->key) : NULL;
	r->crawled = 0;
	r->cpu_ns = 0;
	r->links = 0;
	r->work = (struct op_counts){0};
	if (r->policy == &policy_ideal)
		recite(r, g, oracle);
	else
		err = crawl(r, data, seeds, oracle, why);
	free(oracle);
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
