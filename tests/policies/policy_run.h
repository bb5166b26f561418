/* A crawl of a graph under a policy, by the shipped loop; each pop is checked against a linear scan. */
#ifndef TESTS_POLICY_RUN_H
#define TESTS_POLICY_RUN_H

#include "tests/test.h"

#include "crawler/crawl.h"
#include "lab/replay/graph_source.h"
#include "graph/kernels/pagerank.h"
#include "policies/policies.h"
#include "tests/seeds/ends.h"
#include "tests/graph/graphs.h"

#include <math.h>

/* The score of page v, for policies that see scores. */
static inline double made_score(uint32_t v)
{
	return v * 37 % 11 / 4.0;
}

/* The scores of 400 pages; of each thread its own, until it ends. */
static inline const double *made_scores(void)
{
	static _Thread_local double score[400];

	for (uint32_t v = 0; v < 400; v++)
		score[v] = made_score(v);
	return score;
}

struct run {
	const struct graph *g;
	const uint32_t *host;
	const struct policy *policy;
	const struct names *names; /* NULL: pages have no URLs */
	const double *score;       /* for static inline */
	const char *opts[4];
	uint32_t seeds[32];
	size_t n_seeds;
	uint64_t batch, total;
	uint64_t rng_seed;
	/* out */
	struct frontier *f;
	uint32_t order[400], n;
	double key[400];
};

/* What the policy is told of the whole graph; NULL for one that asks for nothing. */
static inline double *oracle_of(const struct run *r)
{
	uint32_t n = r->g->nodes;
	double *oracle = mem_zero(n, sizeof *oracle);
	struct graph reverse;

	graph_transpose(r->g, &reverse, 1);
	if (r->policy->oracle == POLICY_TRUE_RANK) {
		struct pagerank p = PAGERANK_DEFAULT;
		p.tolerance = 1e-13;
		pagerank(r->g, &p, oracle);
		for (uint32_t v = 0; v < n; v++)
			oracle[v] = (double)pagerank_key(oracle[v], n);
	} else if (r->policy->oracle == POLICY_TRUE_INDEGREE) {
		for (uint32_t v = 0; v < n; v++)
			for (uint32_t i = 0; i < graph_outdegree(&reverse, v); i++)
				oracle[v] += graph_row(&reverse, v)[i] != v;
	} else if ((r->policy->oracle == POLICY_SCORES || r->policy->oracle == POLICY_TRUE_MAP) && r->score) {
		memcpy(oracle, r->score, n * sizeof *oracle);
	}
	graph_release(&reverse);
	if (r->policy->oracle)
		return oracle;
	free(oracle);
	return NULL;
}

/* The key that a queued page stands under: its own, or its host's. */
static inline double standing(const struct run *r, uint32_t page)
{
	uint64_t pending = 0;

	if (!r->policy->host_key)
		return pages_of(r->f)[page].key;
	for (uint32_t v = 0; v < r->g->nodes; v++)
		pending += frontier_state(r->f, v) == PAGE_QUEUED && r->host[v] == r->host[page];
	return (double)pending;
}

/* Whether the page taken stood before another that is queued. */
static inline int before(const struct run *r, uint32_t taken, double key, uint32_t other)
{
	const struct page *page = pages_of(r->f);
	double others = standing(r, other);

	if (r->policy->host_key && r->host[taken] == r->host[other])
		others += 1; /* the page that was taken */
	if (key != others)
		return r->policy->order == POLICY_LOWEST_FIRST ? key < others : key > others;
	return page[taken].seq < page[other].seq;
}

/* Each pop is the best of all queued pages by a linear scan, and no key is infinite or NaN. */
static inline int check_pop(void *ctx, uint32_t id, double key, struct err_note *why)
{
	struct run *r = ctx;
	const struct page *page = pages_of(r->f);

	(void)why;
	for (uint32_t v = 0; v < r->f->pages.n; v++) {
		if (frontier_state(r->f, v) != PAGE_QUEUED)
			continue;
		assert_true(isfinite(page[v].key));
		assert_true(before(r, id, key, v));
	}
	assert_true(r->n < 400);
	r->key[r->n] = key;
	r->order[r->n++] = id;
	return 0;
}

static inline void run(struct run *r)
{
	struct source *source =
		graph_source_new(&(struct graph_world){.g = r->g, .host = r->host, .names = r->names, .score = made_scores()});
	double *oracle = oracle_of(r);
	struct opt_set opts;
	struct frontier_world world;
	struct err_note why;

	opt_init(&opts, r->policy->opts, r->policy->name);
	for (size_t i = 0; i < 4 && r->opts[i]; i++)
		assert_int_equal(opt_give(&opts, r->opts[i], &why), 0);
	for (const struct opt *o = r->policy->opts; o && o->name; o++)
		if (strcmp(o->name, "tol") == 0)
			assert_int_equal(opt_give(&opts, "tol=1e-13", &why), 0);
	struct frontier_settings s = {.policy = r->policy,
		.opts = &opts,
		.oracle = oracle,
		.batch = r->batch,
		.total = r->total,
		.rng_seed = r->rng_seed,
		.ids = r->g->nodes,
		.per_host = 1};
	source->ops->world(source, &world);
	assert_int_equal(frontier_new(&r->f, &s, &world, &why), 0);
	assert_int_equal(frontier_seed(r->f, r->seeds, r->n_seeds), r->n_seeds);
	struct observer o = {.ctx = r, .taken = check_pop};
	struct crawl c = {.frontier = r->f, .source = source, .observers = &o, .n_observers = 1};
	r->n = 0;
	assert_int_equal(crawl_run(&c, &why), 0);
	frontier_free(r->f);
	source->ops->close(source);
	opt_release(&opts);
	free(oracle);
}

#endif
