#include "lab/study/replay.h"
#include "base/clock.h"
#include "base/mem.h"
#include "crawler/crawl.h"
#include "crawler/knowledge/outages.h"
#include "graph/kernels/topk.h"
#include "lab/replay/graph_source.h"
#include "lab/replay/virtual_source.h"
#include "lab/study/oracle.h"
#include "policies/policies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

uint64_t replay_fortieth(uint64_t n)
{
	return n > 40 ? (n + 39) / 40 : 1;
}

/* A replay under way. */
struct watch {
	struct replay *replay;
	const struct frontier *frontier;
	int is_timed;                /* by the source's clock */
	uint32_t nodes, taken, back; /* pages taken, and those of them whose end was seen */
	uint32_t next;               /* when so many pages are crawled, the next step is noted */
};

/* Records the steps that are due now; on a small graph several of them are due at the same page. */
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
	r->key[w->is_timed ? id : w->taken++] = frontier_taken_value(w->frontier, id);
	return 0;
}

/* Records the end of a page. Without virtual time, pages end in the order in which they were taken, so key[] is compacted here
 * to the crawled ones; in virtual time they end in any order, key[] is by id, and order_keys() sorts it at the end. */
static int note_end(void *ctx, const struct result *e, struct err_note *why)
{
	struct watch *w = ctx;
	struct replay *r = w->replay;
	uint32_t at = w->back++;

	(void)why;
	if (r->crawled == w->next)
		note_steps(w);
	if (e->state != PAGE_CRAWLED) {
		r->requests += (uint64_t)outcome_has(e->outcome, TRAIT_ASKED);
		return 0;
	}
	r->requests++;
	if (r->began)
		r->began[r->crawled] = e->started;
	if (w->is_timed)
		r->when[r->crawled] = e->ended;
	else if (r->key)
		r->key[r->crawled] = r->key[at];
	r->order[r->crawled++] = e->id;
	r->links += e->n;
	return 0;
}

const double *replay_score(const struct replay *r, const struct dataset *data)
{
	return r->benchmark && r->benchmark->score ? r->benchmark->score : data->score;
}

/* Returns what the source shows of the data set. In virtual time that includes the hosts, since politeness needs them, and so do
 * shares of a budget. */
static struct graph_world world_of(const struct replay *r, const struct dataset *data)
{
	const unsigned asks = policy_asks(r->policy);
	const int has_shares = r->max_pages && r->host_share > 0 && r->host_share < 1;
	const int with_hosts = r->virtual_time || r->with_hosts || has_shares || asks & POLICY_SEES_HOSTS;

	return (struct graph_world){.g = &data->graph,
		.host = with_hosts ? data->names.host : NULL,
		.state = data->outside,
		.names = asks & POLICY_SEES_URLS || r->rules ? &data->names : NULL,
		.rules = r->rules,
		.kinds = asks & POLICY_SEES_KINDS ? data->kinds : NULL,
		.score = asks & POLICY_SEES_SCORES ? replay_score(r, data) : NULL,
		.anchors = asks & POLICY_SEES_ANCHORS ? data->anchors : NULL,
		.anchor_start = data->anchor_start};
}

/* Makes the source of a replay: in virtual time the virtual web, else the graph itself. */
static struct source *make_source(const struct replay *r, const struct dataset *data)
{
	const struct graph_world world = world_of(r, data);
	const struct virtual_time *m = r->virtual_time;

	if (!m)
		return graph_source_new(&world);
	return virtual_source_new(&(struct virtual_source_settings){.world = world,
		.hosts = data->names.host ? data->names.hosts : 1,
		.web = &m->web,
		.changing = r->changing,
		.clock_ms = m->clock_ms,
		.parallel = (uint32_t)m->parallel,
		.tries = (unsigned)m->tries,
		.timeout_ms = m->timeout_ms,
		.give_up_ms = OUTAGE_GIVE_UP_MS});
}

static void set_politeness(struct frontier_settings *s, const struct virtual_time *m)
{
	s->delay_ms = m->delay_ms;
	s->slow_factor = m->slow_factor;
	s->jitter = m->jitter;
	s->per_host = (uint32_t)m->per_host;
}

/* Replaces key[], which is by page id, by the keys in the order of the crawl. */
static void order_keys(struct replay *r, uint32_t nodes)
{
	double *ordered = mem_new(nodes, sizeof *ordered);

	for (uint32_t i = 0; i < r->crawled; i++)
		ordered[i] = r->key[r->order[i]];
	free(r->key);
	r->key = ordered;
}

struct frontier_settings replay_settings(const struct replay *r, const struct dataset *data, const double *oracle)
{
	const uint32_t nodes = data->graph.nodes;
	struct frontier_settings s = {.policy = r->policy,
		.opts = r->opts,
		.oracle = oracle,
		.batch = r->batch,
		.growth = r->growth,
		.total = r->total,
		.rng_seed = r->rng_seed,
		.budget = {.pages = r->max_pages, .most = r->host_share > 0 ? r->host_share : 1},
		.ids = nodes,
		.per_host = UINT32_MAX};

	if (r->virtual_time)
		set_politeness(&s, r->virtual_time);
	return s;
}

/* Makes the crawl of a replay, and measures its CPU time. */
static int crawl(struct replay *r, const struct dataset *data, const struct seedset *seeds, const double *oracle,
	struct err_note *why)
{
	const struct graph *g = &data->graph;
	struct source *source = make_source(r, data);
	const struct frontier_settings settings = replay_settings(r, data, oracle);
	struct watch watch = {.replay = r,
		.is_timed = r->virtual_time != NULL,
		.nodes = g->nodes,
		.next = op_counts_step_at(0, g->nodes)};
	struct observer observer = {.ctx = &watch, .taken = r->key ? note_key : NULL, .event = note_end};
	struct frontier_world world;
	struct frontier *f;

	source->ops->world(source, &world);
	int err = frontier_new(&f, &settings, &world, why);
	if (!err) {
		struct crawl c = {.frontier = f,
			.source = source,
			.observers = &observer,
			.n_observers = 1,
			.max_pages = r->max_pages,
			.max_time = r->virtual_time ? r->max_time : 0};
		watch.frontier = f;
		/* taking many pages at a time changes no order under a FIFO */
		if (!r->virtual_time && frontier_is_fifo(f))
			graph_source_set_parallel(source, GRAPH_SOURCE_PARALLEL);
		int64_t started = clock_read_ns(CLOCK_THREAD_CPUTIME_ID);
		size_t n_seeds;
		const uint32_t *seed = seedset_pages(seeds, &n_seeds);
		frontier_seed(f, seed, n_seeds);
		err = crawl_run(&c, why);
		r->cpu_ns = clock_read_ns(CLOCK_THREAD_CPUTIME_ID) - started;
		note_steps(&watch);
		r->lasted = source->ops->now(source);
		frontier_work(f, &r->work.total);
		r->work.links = r->links;
		r->work.batches = frontier_batches(f);
		frontier_free(f);
	}
	source->ops->close(source);
	return err;
}

int replay_take_ideal(struct replay *r, const struct dataset *data, double *key)
{
	const struct graph *g = &data->graph;
	uint64_t most = r->max_pages ? r->max_pages : g->nodes;

	while (r->crawled < g->nodes && r->crawled < most) {
		uint32_t u = r->benchmark->hot[r->crawled];
		r->links += graph_outdegree(g, u);
		if (r->key)
			r->key[r->crawled] = key[u];
		r->order[r->crawled++] = u;
	}
	free(key);
	return 0;
}

int replay_prepare(struct replay *r, const struct dataset *data, const struct seedset *seeds, double **oracle, struct err_note *why)
{
	const struct graph *g = &data->graph;
	const unsigned missing =
		policy_needs(r->policy) & ~dataset_sights(data) & ~(replay_score(r, data) ? POLICY_SEES_SCORES : 0u);

	if (missing)
		return err_set(why, ERR_USAGE, "the policy '%s' goes by %s, and the graph has none; %s", r->policy->name,
			policy_sight_words(missing),
			missing & POLICY_SEES_HOSTS || missing & POLICY_SEES_URLS ? "see --hosts and --urls"
				: missing & POLICY_SEES_KINDS                     ? "the store of a crawl has them"
				: missing & POLICY_SEES_SCORES                    ? "see --target"
							       : "the store of a crawl with --keep-anchors has them");
	if (r->rules && (!data->names.text || r->fleet))
		return err_set(why, ERR_USAGE, "%s",
			r->fleet ? "--rules is not of a crawl by several agents"
				 : "--rules goes by URLs, and the graph has none; see --urls");
	TRY(oracle_make(oracle, r->policy, r->opts, data, r->benchmark, seeds, why));
	r->order = mem_new(g->nodes, sizeof *r->order);
	r->key = r->with_keys ? mem_new(g->nodes, sizeof *r->key) : NULL;
	r->when = r->virtual_time && r->policy != &policy_ideal ? mem_new(g->nodes, sizeof *r->when) : NULL;
	r->began = r->when && r->changing ? mem_new(g->nodes, sizeof *r->began) : NULL;
	r->lasted = 0;
	r->requests = 0;
	r->crawled = 0;
	r->cpu_ns = 0;
	r->links = 0;
	r->work = (struct op_counts){0};
	return 0;
}

int replay_run(struct replay *r, const struct dataset *data, const struct seedset *seeds, struct err_note *why)
{
	double *oracle;
	int err = replay_prepare(r, data, seeds, &oracle, why);

	if (err || r->policy == &policy_ideal)
		return err ? err : replay_take_ideal(r, data, oracle);
	err = crawl(r, data, seeds, oracle, why);
	if (!err && r->virtual_time && r->key)
		order_keys(r, data->graph.nodes);
	free(oracle);
	if (err)
		replay_release(r);
	return err;
}

void replay_release(struct replay *r)
{
	free(r->order);
	free(r->key);
	free(r->when);
	free(r->began);
	r->order = NULL;
	r->key = NULL;
	r->when = NULL;
	r->began = NULL;
}

/* Returns an integer whose order is that of the reals x. */
static uint64_t order_of(double x)
{
	uint64_t bits;

	x += 0.0; /* not -0 */
	memcpy(&bits, &x, sizeof bits);
	return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

/* Adds to cash[] what each crawled page has received after it was crawled. What it had received before is in its key. */
static void add_unspent(const struct replay *r, const struct graph *g, double *cash)
{
	AUTO_FREE unsigned char *crawled = mem_zero(g->nodes, 1);

	for (uint32_t i = 0; i < r->crawled; i++) {
		uint32_t u = r->order[i], n = graph_outdegree(g, u);
		const uint32_t *row = graph_row(g, u);
		for (uint32_t j = 0; j < n; j++)
			if (crawled[row[j]])
				cash[row[j]] += r->key[i] / n;
		crawled[u] = 1;
	}
}

void crawl_ranking_make(enum crawl_ranking by, const struct replay *r, const struct graph *g, double *score, double *history,
	uint64_t *sort_key)
{
	int lowest = r->policy->order == POLICY_LOWEST_FIRST;
	double none = by == CRAWL_RANKING_CASH ? 0 : lowest ? INFINITY : -INFINITY;

	for (uint32_t u = 0; u < g->nodes; u++)
		score[u] = none;
	for (uint32_t i = 0; i < r->crawled; i++)
		score[r->order[i]] = r->key[i];
	if (by == CRAWL_RANKING_CASH) {
		if (history)
			memcpy(history, score, g->nodes * sizeof *history);
		add_unspent(r, g, score);
	}
	for (uint32_t u = 0; u < g->nodes; u++)
		sort_key[u] = lowest ? ~order_of(score[u]) : order_of(score[u]);
}

uint32_t crawl_ranking_overlap(const uint64_t *a, const uint64_t *b, uint32_t n, uint32_t m)
{
	uint32_t *best = mem_new(m, sizeof *best), both = 0;
	AUTO_FREE unsigned char *in_a = mem_zero(n, 1);

	topk(a, n, m, best);
	for (uint32_t i = 0; i < m; i++)
		in_a[best[i]] = 1;
	topk(b, n, m, best);
	for (uint32_t i = 0; i < m; i++)
		both += in_a[best[i]];
	free(best);
	return both;
}
