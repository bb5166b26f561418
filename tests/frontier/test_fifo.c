/* Breadth first: many pages in flight, and pages without a struct page of their own, change no order. */
#include "tests/test.h"

#include "crawler/crawl.h"
#include "lab/replay/graph_source.h"
#include "policies/policies.h"
#include "tests/seeds/ends.h"
#include "tests/graph/graphs.h"

#define PAGES 150

struct orders {
	uint32_t order[PAGES], n;
};

static int note(void *ctx, uint32_t id, double key, struct err_note *why)
{
	struct orders *o = ctx;

	(void)why;
	assert_true(key == 0);
	o->order[o->n++] = id;
	return 0;
}

static struct frontier *breadth_first(const struct frontier_world *w)
{
	static const struct opt_set none;
	struct frontier_settings s = {.policy = &policy_bfs, .opts = &none, .batch = 10, .per_host = UINT32_MAX};
	struct frontier *f;

	assert_int_equal(frontier_new(&f, &s, w, NULL), 0);
	assert_true(frontier_is_fifo(f));
	return f;
}

/* Crawls with so many pages in flight; the frontier is left for a look. */
static struct frontier *crawl(const struct graph *g, size_t parallel, uint64_t max_pages, struct orders *o)
{
	struct source *source = graph_source_new(&(struct graph_world){.g = g});
	struct observer observer = {.ctx = o, .taken = note};
	struct frontier_world world;
	struct err_note why;
	uint32_t seeds[] = {3, 0};

	graph_source_set_parallel(source, parallel);
	source->ops->world(source, &world);
	struct frontier *f = breadth_first(&world);
	assert_int_equal(frontier_seed(f, seeds, 2), 2);
	struct crawl c = {.frontier = f, .source = source, .observers = &observer, .n_observers = 1, .max_pages = max_pages};
	o->n = 0;
	assert_int_equal(crawl_run(&c, &why), 0);
	assert_int_equal(c.end, max_pages && o->n == max_pages ? CRAWL_PAGES : CRAWL_DONE);
	source->ops->close(source);
	return f;
}

/* Pages in the order of their discovery. */
static uint32_t search(const struct graph *g, uint32_t *seen)
{
	unsigned char is_seen[PAGES] = {[0] = 1, [3] = 1};
	uint32_t n = 2;

	seen[0] = 3;
	seen[1] = 0;
	for (uint32_t i = 0; i < n; i++) {
		for (uint32_t k = 0; k < graph_outdegree(g, seen[i]); k++) {
			uint32_t v = graph_row(g, seen[i])[k];
			if (!is_seen[v])
				seen[n++] = v;
			is_seen[v] = 1;
		}
	}
	return n;
}

static void many_in_flight_change_no_order(void **state)
{
	static const size_t parallel[] = {1, 2, 7, GRAPH_SOURCE_PARALLEL};
	struct rng rng = {9};

	(void)state;
	for (int round = 0; round < 100; round++) {
		uint32_t seen[PAGES];
		struct graph g;
		random_graph(&g, &rng, PAGES, 1 + (uint32_t)rng_below(&rng, 4));
		uint32_t n = search(&g, seen);
		for (size_t p = 0; p < 4; p++) {
			uint64_t max = round % 2 ? 1 + rng_below(&rng, n) : 0;
			struct orders o;
			struct frontier_counts counts;
			struct frontier *f = crawl(&g, parallel[p], max, &o);
			assert_int_equal(o.n, max ? max : n);
			assert_memory_equal(o.order, seen, o.n * sizeof *seen);
			frontier_count(f, &counts);
			assert_int_equal(counts.crawled, o.n);
			assert_int_equal(counts.queued, counts.seen - o.n);
			const struct page *page = pages_of(f);
			for (uint32_t i = 0; i < counts.seen; i++)
				assert_int_equal(page[seen[i]].seq, i);
			frontier_free(f);
		}
		graph_release(&g);
	}
}

/* One random thing, in both. */
static void step(struct frontier *const f[2], const struct graph *g, struct rng *rng, int64_t now, uint32_t *flying,
	size_t *n_flying)
{
	uint64_t what = rng_below(rng, 60);
	uint32_t id[2][4], other = (uint32_t)rng_below(rng, g->nodes);
	double key[4];

	if (what < 30 || !*n_flying) {
		size_t most = 1 + (size_t)rng_below(rng, 4);
		size_t n = frontier_take_run(f[0], now, id[0], key, most), i = 0;
		while (i < most && frontier_take(f[1], now, &id[1][i]))
			i++;
		assert_int_equal(n, i);
		assert_memory_equal(id[0], id[1], n * sizeof **id);
		for (i = 0; i < n; i++)
			flying[(*n_flying)++] = id[0][i];
		return;
	}
	uint32_t u = flying[0];
	memmove(flying, flying + 1, --*n_flying * sizeof *flying);
	for (int i = 0; i < 2; i++) {
		if (what < 56)
			assert_int_equal(end_crawled(f[i], u, graph_row(g, u), graph_outdegree(g, u), now), 0);
		else if (what == 56)
			end_retried(f[i], u, now + 3, now);
		else if (what == 57)
			end_redirected(f[i], u, other, now);
		else if (what == 58)
			end_put_back(f[i], u, now);
		else
			end_refused(f[i], u);
	}
}

static void pages_made_late_are_those_made_at_once(void **state)
{
	struct rng rng = {10};

	(void)state;
	for (int round = 0; round < 300; round++) {
		const struct frontier_world w = {.ctx = NULL};
		struct frontier *f[] = {breadth_first(&w), breadth_first(&w)};
		struct frontier_counts counts[2];
		uint32_t seed = 0, flying[4 * PAGES];
		size_t n_flying = 0;
		struct graph g;
		random_graph(&g, &rng, PAGES, 4);
		pages_of(f[1]); /* from now on it has them */
		for (int i = 0; i < 2; i++)
			assert_int_equal(frontier_seed(f[i], &seed, 1), 1);
		for (int64_t now = 0; now < 200; now++)
			step(f, &g, &rng, now, flying, &n_flying);
		for (int i = 0; i < 2; i++)
			frontier_count(f[i], &counts[i]);
		assert_memory_equal(&counts[0], &counts[1], sizeof counts[0]);
		for (uint32_t v = 0; v < PAGES; v++) {
			assert_int_equal(frontier_state(f[0], v), frontier_state(f[1], v));
			if (frontier_state(f[0], v) != PAGE_UNSEEN)
				assert_int_equal(pages_of(f[0])[v].seq, pages_of(f[1])[v].seq);
		}
		for (int i = 0; i < 2; i++)
			frontier_free(f[i]);
		graph_release(&g);
	}
}

/* The views that missed() was shown. */
struct looks {
	uint64_t crawled[PAGES], seen[PAGES], queued[PAGES];
	size_t n;
};

static struct looks looks;

static void look(const struct policy_call *c, uint32_t u)
{
	(void)u;
	looks.crawled[looks.n] = c->view->crawled;
	looks.seen[looks.n] = c->view->seen;
	looks.queued[looks.n++] = c->view->queued;
}

static double position(const struct policy_call *c, uint32_t u)
{
	return (double)c->page[u].seq;
}

/* A breadth-first crawl of a chain with a side page at each page, whose pages fail from the 5th on. */
static void crawl_until_pages_fail(const struct policy *p, int with_pages)
{
	static const struct opt_set none;
	const struct frontier_settings s = {.policy = p, .opts = &none, .batch = 10, .per_host = UINT32_MAX};
	const struct frontier_world w = {.ctx = NULL};
	struct frontier *f;
	uint32_t seed = 0, u;

	assert_int_equal(frontier_new(&f, &s, &w, NULL), 0);
	if (with_pages)
		pages_of(f);
	assert_int_equal(frontier_seed(f, &seed, 1), 1);
	looks.n = 0;
	for (uint32_t n = 0; n < 8; n++) {
		const uint32_t links[] = {2 * n + 1, 2 * n + 2};
		assert_int_equal(frontier_take(f, 0, &u), 1);
		if (p->value)
			assert_true(frontier_taken_value(f, u) == (double)n);
		if (n < 4)
			assert_int_equal(end_crawled(f, u, links, 2, 0), 0);
		else
			end_failed(f, u, 0);
	}
	frontier_free(f);
}

static void a_policy_that_hears_of_failures_alone_sees_what_came_before(void **state)
{
	struct policy p = policy_bfs;
	struct looks first;

	(void)state;
	p.missed = look;
	crawl_until_pages_fail(&p, 0);
	assert_int_equal(looks.n, 4);
	assert_int_equal(looks.crawled[0], 4);
	assert_int_equal(looks.seen[0], 9);
	first = looks;
	crawl_until_pages_fail(&p, 1);
	assert_memory_equal(&looks, &first, sizeof first);
}

static void a_value_is_asked_of_pages_that_are_there(void **state)
{
	struct policy p = policy_bfs;

	(void)state;
	p.value = position;
	crawl_until_pages_fail(&p, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_in_flight_change_no_order),
		cmocka_unit_test(pages_made_late_are_those_made_at_once),
		cmocka_unit_test(a_policy_that_hears_of_failures_alone_sees_what_came_before),
		cmocka_unit_test(a_value_is_asked_of_pages_that_are_there),
	};

	return cmocka_run_group_tests_name("fifo", tests, NULL, NULL);
}
