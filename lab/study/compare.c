#include "lab/study/compare.h"
#include "base/num.h"
#include "base/buf.h"
#include "base/mem.h"
#include "graph/memory/blocks.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* The seeds of a draw and what they reach, shared by its trials. */
struct draw {
	struct seedset seeds;
	uint64_t reachable;
};

struct pool {
	struct compare *c;
	struct draw *draws;
	pthread_mutex_t lock;
	size_t done;   /* under the lock */
	size_t failed; /* first trial that failed, SIZE_MAX for none; under the lock */
	int err;
	struct err_note why;
};

static uint64_t count_reachable(const struct dataset *data, const struct seedset *seeds)
{
	const struct graph *g = &data->graph;
	AUTO_FREE unsigned char *seen = throughput_reach(g, data->outside, seeds->ids, seeds->n);
	uint64_t n = 0;

	for (uint32_t u = 0; u < g->nodes; u++)
		n += seen[u];
	return n;
}

/* Measures the crawl at each of the times of compare.when, and at its end. */
static void measure_time(const struct compare *c, const struct replay *r, const struct throughput *hot, struct trial *t)
{
	AUTO_FREE int64_t *ms = mem_new(c->n_when + 1, sizeof *ms);

	for (size_t i = 0; i < c->n_when; i++)
		ms[i] = c->when[i];
	ms[c->n_when] = INT64_MAX;
	t->timed = mem_new(c->n_when + 1, sizeof *t->timed);
	by_time(t->timed, hot, r->order, r->when, r->crawled, ms, c->n_when + 1);
	t->timed[c->n_when].ms = r->lasted;
}

/* Measures a crawl of a web that changes by the web as it is at the times asked for, and at the end. */
static void measure_then(const struct compare *c, const struct replay *r, struct trial *t)
{
	const int64_t clock_ms = c->crawl.virtual_time->clock_ms, end = (clock_ms + r->lasted) / 1000;
	AUTO(benchmark) last = {0};
	AUTO(graph) g = {0};

	changing_graph(c->crawl.changing, end, &g);
	benchmark_make(&last, &g, c->crawl.benchmark->tolerance, 1);
	t->then = mem_new(c->n_when + 1, sizeof *t->then);
	for (size_t i = 0; i <= c->n_when; i++) {
		const int at_end = i == c->n_when;
		by_then(&t->then[i], c->crawl.changing, at_end ? end : (clock_ms + c->when[i]) / 1000, at_end ? &last : &c->then[i],
			r->order, r->began, clock_ms, t->timed[i].crawled);
	}
}

/* Measures a finished crawl into a trial, since the order of its pages is then freed. */
static void measure(const struct compare *c, const struct replay *r, const struct seedset *seeds, struct trial *t)
{
	const struct graph *g = &c->data->graph;
	struct throughput hot;

	throughput_measure(&hot, c->crawl.benchmark, g, c->data->outside, r->order, r->crawled, seeds->ids, seeds->n);
	for (size_t i = 0; i < c->n_at; i++)
		t->points[i] = throughput_at(&hot, throughput_k(c->at[i], hot.nodes));
	t->auc = hot.auc;
	if (r->when)
		measure_time(c, r, &hot, t);
	if (r->began && c->then)
		measure_then(c, r, t);
	if (c->with_tau) {
		t->tau = mem_new(c->n_at, sizeof *t->tau);
		for (size_t i = 0; i < c->n_at; i++)
			t->tau[i] = kendall_of_part(g, c->crawl.benchmark, r->order, t->points[i].crawled);
	}
	if (c->with_profiles) {
		t->curve = mem_new(COMPARE_STEPS, sizeof *t->curve);
		for (int i = 0; i < COMPARE_STEPS; i++)
			t->curve[i] = throughput_at(&hot, throughput_k((i + 1.0) / COMPARE_STEPS, hot.nodes));
		t->windows =
			window_means(&t->window, (uint32_t)replay_fortieth(g->nodes), c->crawl.benchmark, r->order, r->crawled);
		t->depths =
			depth_profile(&t->depth, COMPARE_DEPTHS, g, c->crawl.benchmark, r->order, r->crawled, seeds->ids, seeds->n);
		t->work = mem_copy(&r->work, sizeof r->work);
	}
	throughput_release(&hot);
}

/* Copies the order of another crawler, as far as the comparison goes. */
static void take_order(struct replay *r, const struct crawl_order *o, const struct graph *g)
{
	r->crawled = r->max_pages && r->max_pages < o->pages ? (uint32_t)r->max_pages : o->pages;
	r->order = mem_copy(o->page, r->crawled * sizeof *r->order);
	for (uint32_t i = 0; i < r->crawled; i++)
		r->links += graph_outdegree(g, r->order[i]);
}

static int run_crawl(const struct compare *c, struct replay *r, const struct seedset *seeds, uint32_t draw, struct err_note *why)
{
	const struct crawl_order *given = crawl_order_of(c->orders, r->policy, draw);

	if (!given)
		return (c->run ? c->run : replay_run)(r, c->data, seeds, why);
	take_order(r, given, &c->data->graph);
	return 0;
}

/* Runs trial i, one policy on one draw of seeds, and measures it. The random numbers depend on the draw alone, so policies are
 * compared on the same ones. */
static int run_trial(const struct pool *w, size_t i, struct err_note *why)
{
	const struct compare *c = w->c;
	struct trial *t = &c->trials[i];
	const struct draw *d = &w->draws[i % c->draws];
	struct replay r = c->crawl;

	r.policy = c->policies[i / c->draws];
	r.opts = &c->opts[i / c->draws];
	r.rng_seed += i % c->draws;
	r.with_keys = c->keep != NULL;
	if (r.total == COMPARE_REACHABLE)
		r.total = d->reachable;
	*t = (struct trial){.policy = r.policy,
		.draw = (uint32_t)(i % c->draws) + 1,
		.seeds = (uint32_t)d->seeds.n,
		.missing = d->seeds.missing,
		.points = mem_new(c->n_at, sizeof *t->points)};
	TRY(run_crawl(c, &r, &d->seeds, t->draw - 1, why));
	measure(c, &r, &d->seeds, t);
	t->crawled = r.crawled;
	t->order = XXH3_64bits(r.order, r.crawled * sizeof *r.order);
	t->cpu_ns = r.cpu_ns;
	t->links = r.links;
	t->lasted = r.lasted;
	t->requests = r.requests;
	t->figures = r.figures;
	if (c->keep)
		*c->keep = r;
	else
		replay_release(&r);
	return 0;
}

/* Runs a trial, unless one has failed. Of several failures that of the lowest trial is kept, so that threads do not decide which
 * one is told. */
static void run_one(void *ctx, uint32_t i)
{
	struct pool *w = ctx;
	struct err_note why;

	pthread_mutex_lock(&w->lock);
	const int has_failed = w->failed != SIZE_MAX;
	pthread_mutex_unlock(&w->lock);
	if (has_failed)
		return;
	const int err = run_trial(w, i, &why);
	pthread_mutex_lock(&w->lock);
	if (err && i < w->failed) {
		w->failed = i;
		w->err = err;
		w->why = why;
	}
	w->done++;
	if (w->c->tell)
		w->c->tell(w->c->ctx, w->done);
	pthread_mutex_unlock(&w->lock);
}

/* Returns the AUC of `ideal` on n pages of which the first `most` are hits and the others misses. */
static double ideal_auc(uint32_t n, uint64_t most)
{
	double sum = 0;

	if (!most || most >= n)
		return 1;
	for (uint32_t k = n; k > most; k--)
		sum += (double)most / k;
	return (sum + (double)most) / n;
}

/* Computes by how much each trial falls short of the ideal area, and of omniscient on the same draw, if that policy is among
 * them. */
static void count_regrets(const struct compare *c)
{
	double ideal = ideal_auc(c->nodes, c->crawl.max_pages);
	size_t omniscient = 0;

	while (omniscient < c->n_policies && strcmp(c->policies[omniscient]->name, "omniscient") != 0)
		omniscient++;
	for (size_t i = 0; i < c->n_policies * c->draws; i++) {
		struct trial *t = &c->trials[i];
		t->regret_ideal = ideal - t->auc;
		t->regret_omniscient = omniscient == c->n_policies ? NAN : compare_trial(c, omniscient, t->draw - 1)->auc - t->auc;
	}
}

/* Appends the lowest n bytes of a number, in little-endian order. */
static void add_bytes(struct buf *b, uint64_t number, int n)
{
	for (int i = 0; i < n; i++)
		buf_byte(b, (unsigned char)(number >> 8 * i));
}

static uint64_t fingerprint_of(const struct seedset *s)
{
	AUTO(buf) b = BUF_EMPTY;

	for (size_t i = 0; i < s->n; i++)
		add_bytes(&b, s->ids[i], 4);
	return XXH3_64bits(b.at, b.used);
}

static int read_seeds(const struct compare *c, uint32_t i, struct seedset *seeds, struct err_note *why)
{
	if (!c->seeds)
		return seedset_take(seeds, c->seed_ids, c->n_seed_ids, c->data, why);
	if (!c->orders || strcmp(c->seeds, CRAWL_ORDER_ENTRIES) != 0)
		return seedset_read(seeds, c->seeds, c->data, c->crawl.rng_seed + i, why);
	uint32_t *entry;
	const size_t n = crawl_orders_entries(c->orders, i, c->data->graph.nodes, &entry);
	const int err = seedset_take(seeds, entry, n, c->data, why);
	free(entry);
	return err;
}

/* Reads draw i of the seeds, and checks that it is the one that an earlier study had, if its fingerprint is known. */
static int read_draw(struct compare *c, uint32_t i, struct draw *d, struct err_note *why)
{
	char found[FINGERPRINT_ROOM], wanted[FINGERPRINT_ROOM];

	TRY(read_seeds(c, i, &d->seeds, why));
	c->drawn[i] = fingerprint_of(&d->seeds);
	if (c->expected && c->drawn[i] != c->expected[i])
		return err_set(why, ERR_USAGE, "draw %u of the seeds '%s' is another: fingerprint %s, not %s", i + 1, c->seeds,
			fingerprint_text(c->drawn[i], found), fingerprint_text(c->expected[i], wanted));
	if (c->crawl.total == COMPARE_REACHABLE)
		d->reachable = count_reachable(c->data, &d->seeds);
	return 0;
}

int compare_run(struct compare *c, struct err_note *why)
{
	struct pool w = {.c = c, .failed = SIZE_MAX};
	int err = 0;

	c->nodes = c->data->graph.nodes;
	c->arcs = c->data->graph.arcs;
	c->tolerance = c->crawl.benchmark->tolerance;
	w.draws = mem_zero(c->draws, sizeof *w.draws);
	c->trials = mem_zero(c->n_policies * c->draws, sizeof *c->trials);
	c->drawn = mem_zero(c->draws, sizeof *c->drawn);
	for (uint32_t i = 0; !err && i < c->draws; i++)
		err = read_draw(c, i, &w.draws[i], why);
	if (!err) {
		pthread_mutex_init(&w.lock, NULL);
		blocks_run(c->threads, (uint32_t)(c->n_policies * c->draws), run_one, &w);
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
	else
		count_regrets(c);
	return err;
}

static void add_real(struct buf *b, double real)
{
	uint64_t bits;

	memcpy(&bits, &real, sizeof bits);
	add_bytes(b, isnan(real) ? 0 : bits, 8); /* a NAN whatever its sign */
}

uint64_t compare_fingerprint(const struct compare *c)
{
	AUTO(buf) b = BUF_EMPTY;

	for (size_t i = 0; i < c->n_policies * c->draws; i++) {
		const struct trial *t = &c->trials[i];
		add_real(&b, t->auc);
		add_real(&b, t->crawled);
		for (size_t k = 0; k < c->n_at; k++) {
			add_real(&b, t->points[k].strict);
			add_real(&b, t->points[k].discoverable);
			add_real(&b, t->points[k].mass);
			add_real(&b, t->tau ? t->tau[k] : 0);
		}
	}
	return XXH3_64bits(b.at, b.used);
}

void compare_release(struct compare *c)
{
	for (size_t i = 0; c->trials && i < c->n_policies * c->draws; i++) {
		free(c->trials[i].points);
		free(c->trials[i].tau);
		free(c->trials[i].timed);
		free(c->trials[i].then);
		free(c->trials[i].curve);
		free(c->trials[i].window);
		free(c->trials[i].depth);
		free(c->trials[i].work);
		fleet_figures_free(c->trials[i].figures);
	}
	free(c->trials);
	free(c->drawn);
	c->trials = NULL;
	c->drawn = NULL;
}
