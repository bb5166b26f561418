#include "lab/compare.h"
#include "base/mem.h"

#include <pthread.h>
#include <stdlib.h>

/* The seeds of a draw and what they reach, shared by its trials. */
struct draw {
	struct seedset seeds;
	uint64_t reachable;
};

struct work {
	struct compare *c;
	struct draw *draws;
	pthread_mutex_t lock;
	size_t next, done; /* under the lock */
	size_t failed;     /* first trial that failed, SIZE_MAX for none; under the lock */
	int err;
	struct err_note why;
};

static uint64_t count_reachable(const struct graph *g, const struct seedset *seeds)
{
	unsigned char *seen = hot_reach(g, seeds->ids, seeds->n);
	uint64_t n = 0;

	for (uint32_t u = 0; u < g->nodes; u++)
		n += seen[u];
	free(seen);
	return n;
}

static int run_trial(const struct work *w, size_t i, struct err_note *why)
{
	const struct compare *c = w->c;
	struct trial *t = &c->trials[i];
	const struct draw *d = &w->draws[i % c->draws];
	struct replay r = {.policy = c->policies[i / c->draws],
		.opts = &c->opts[i / c->draws],
		.batch = c->batch,
		.total = c->total == COMPARE_REACHABLE ? d->reachable : c->total,
		.max_pages = c->max_pages,
		.rng_seed = c->rng_seed + i % c->draws,
		.with_keys = c->keep != NULL};
	struct hot hot;

	*t = (struct trial){.policy = r.policy,
		.draw = (uint32_t)(i % c->draws) + 1,
		.seeds = (uint32_t)d->seeds.n,
		.missing = d->seeds.missing,
		.points = mem_new(c->n_at, sizeof *t->points)};
	int err = replay_run(&r, c->data, &d->seeds, why);
	if (err)
		return err;
	hot_measure(&hot, c->benchmark, &c->data->graph, r.order, r.crawled, d->seeds.ids,
		d->seeds.n);
	for (size_t k = 0; k < c->n_at; k++)
		t->points[k] = hot_at(&hot, hot_k(c->at[k], hot.nodes));
	t->auc = hot.auc;
	t->crawled = r.crawled;
	t->cpu_ns = r.cpu_ns;
	t->links = r.links;
	hot_release(&hot);
	if (c->keep)
		*c->keep = r;
	else
		replay_release(&r);
	return 0;
}

static void *worker(void *arg)
{
	struct work *w = arg;
	size_t n = w->c->n_policies * w->c->draws;
	struct err_note why;

	pthread_mutex_lock(&w->lock);
	while (w->next < n && w->failed == SIZE_MAX) {
		size_t i = w->next++;
		pthread_mutex_unlock(&w->lock);
		int err = run_trial(w, i, &why);
		pthread_mutex_lock(&w->lock);
		if (err && i < w->failed) {
			w->failed = i;
			w->err = err;
			w->why = why;
		}
		w->done++;
		if (w->c->tell)
			w->c->tell(w->c->ctx, w->done);
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

static void run_threads(struct work *w, unsigned threads)
{
	pthread_t *more = mem_new(threads, sizeof *more);
	unsigned started = 0;

	while (started + 1 < threads && !pthread_create(&more[started], NULL, worker, w))
		started++;
	worker(w);
	for (unsigned i = 0; i < started; i++)
		pthread_join(more[i], NULL);
	free(more);
}

int compare_run(struct compare *c, struct err_note *why)
{
	struct work w = {.c = c, .failed = SIZE_MAX};
	int err = 0;

	w.draws = mem_zero(c->draws, sizeof *w.draws);
	c->trials = mem_zero(c->n_policies * c->draws, sizeof *c->trials);
	for (uint32_t i = 0; !err && i < c->draws; i++) {
		err = seedset_read(&w.draws[i].seeds, c->seeds, c->data, c->rng_seed + i, why);
		if (!err && c->total == COMPARE_REACHABLE)
			w.draws[i].reachable = count_reachable(&c->data->graph, &w.draws[i].seeds);
	}
	if (!err) {
		pthread_mutex_init(&w.lock, NULL);
		run_threads(&w, c->threads);
		pthread_mutex_destroy(&w.lock);
		err = w.err;
		if (err && why)
			*why = w.why;
	}
	for (uint32_t i = 0; i < c->draws; i++)
		seedset_release(&w.draws[i].seeds);
	free(w.draws);
	if (err)
		compare_release(c);
	return err;
}

void compare_release(struct compare *c)
{
	for (size_t i = 0; c->trials && i < c->n_policies * c->draws; i++)
		free(c->trials[i].points);
	free(c->trials);
	c->trials = NULL;
}
