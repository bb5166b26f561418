/* The operations that a frontier says a crawl took, against a count of what can be seen of them
 * from outside. */
#include "tests/test.h"

#include "crawler/crawl.h"
#include "lab/replay/graph_source.h"
#include "frontier/heap.h"
#include "policies/policies.h"
#include "tests/graph/graphs.h"
#include "tests/graph/shapes.h"

#include <math.h>

/* --- moves of a heap: whatever stands elsewhere than before, the entry put in or out apart */

#define MEMBERS 200

struct watched {
	struct heap heap;
	uint32_t place[MEMBERS];
};

static struct heap_indexes page_slots(struct watched *w)
{
	return (struct heap_indexes){w->place, sizeof *w->place};
}

/* Steps from one place to another on the way between root and leaf. */
static uint64_t levels(size_t from, size_t to)
{
	uint64_t n = 0;

	for (; from != to; n++)
		*(from > to ? &from : &to) = ((from > to ? from : to) - 1) / 4;
	return n;
}

static void moves_of_a_heap_are_all_that_stand_elsewhere(void **state)
{
	struct watched w = {.heap.n = 0};
	struct rng rng = {8};
	unsigned char in[MEMBERS] = {0};
	uint64_t removals = 0;

	(void)state;
	for (int step = 0; step < 20000; step++) {
		uint32_t id = (uint32_t)rng_below(&rng, MEMBERS), before[MEMBERS];
		double key = (double)rng_below(&rng, 50);
		uint64_t counted = w.heap.moves, seen = 0;
		uint32_t sifted = id;
		memcpy(before, w.place, sizeof before);
		if (!in[id]) {
			before[id] = (uint32_t)w.heap.n;
			heap_push(&w.heap, entry_make(key, id, id), page_slots(&w));
		} else if (rng_below(&rng, 3) == 0) {
			sifted = w.heap.at[w.heap.n - 1].id;
			before[sifted] = before[id];
			heap_remove(&w.heap, w.place[id], page_slots(&w));
			removals++;
		} else {
			heap_rekey(&w.heap, w.place[id], entry_make(key, id, id), page_slots(&w));
		}
		in[id] = w.place[id] < w.heap.n && w.heap.at[w.place[id]].id == id;
		for (size_t i = 0; i < w.heap.n; i++) {
			uint32_t v = w.heap.at[i].id;
			assert_int_equal(w.place[v], i);
			if (v == sifted)
				assert_int_equal(levels(before[v], i), w.heap.moves - counted);
			else if (before[v] != i)
				seen++;
		}
		assert_int_equal(w.heap.moves - counted, seen);
	}
	assert_true(removals > 1000 && w.heap.moves > removals);
	heap_release(&w.heap);
}

/* --- what a crawl was told of */

struct count {
	const struct graph *g;
	struct frontier *f;
	double *was; /* keys of the queued targets before the event */
	const struct result *last;
	struct result event;
	uint64_t targets, updates, crawled;
};

static int is_target(const struct count *c, uint32_t v)
{
	enum page_state s = frontier_state(c->f, v);

	return s == PAGE_QUEUED || s == PAGE_UNSEEN;
}

static int before(void *ctx, const struct result *e, struct err_note *why)
{
	struct count *c = ctx;

	(void)why;
	for (size_t i = 0; i < e->n; i++) {
		uint32_t v = e->links[i];
		int queued = frontier_state(c->f, v) == PAGE_QUEUED;
		c->targets += (uint64_t)is_target(c, v);
		c->was[v] = queued ? frontier_key(c->f, v) : NAN;
	}
	c->event = *e;
	c->last = &c->event;
	c->crawled++;
	return 0;
}

/* At the next page taken the keys are as the last event has left them. */
static int after(void *ctx, uint32_t id, double key, struct err_note *why)
{
	struct count *c = ctx;

	(void)id;
	(void)key;
	(void)why;
	for (size_t i = 0; c->last && i < c->last->n; i++) {
		uint32_t v = c->last->links[i];
		c->updates += !isnan(c->was[v]) && frontier_key(c->f, v) != c->was[v];
		c->was[v] = NAN;
	}
	c->last = NULL;
	return 0;
}

static struct frontier_work work_of(const struct policy *policy, const struct graph *g, uint64_t batch, struct count *c)
{
	struct source *source = graph_source_new(&(struct graph_world){.g = g});
	struct observer observer = {.ctx = c, .taken = after, .event = before};
	struct frontier_world world;
	struct frontier_work work;
	struct opt_set opts;
	struct err_note why;
	uint32_t seed = 0;

	opt_init(&opts, policy->opts, policy->name);
	struct frontier_settings s =
		{.policy = policy, .opts = &opts, .batch = batch, .total = g->nodes, .ids = g->nodes, .per_host = 1};
	source->ops->world(source, &world);
	assert_int_equal(frontier_new(&c->f, &s, &world, &why), 0);
	c->g = g;
	c->was = mem_new(g->nodes, sizeof *c->was);
	for (uint32_t v = 0; v < g->nodes; v++)
		c->was[v] = NAN;
	frontier_seed(c->f, &seed, 1);
	struct crawl crawl = {.frontier = c->f, .source = source, .observers = &observer, .n_observers = 1};
	assert_int_equal(crawl_run(&crawl, &why), 0);
	frontier_work(c->f, &work);
	frontier_free(c->f);
	source->ops->close(source);
	opt_release(&opts);
	free(c->was);
	return work;
}

static void targets_and_updates_are_those_seen_from_outside(void **state)
{
	const struct policy *some[] = {&policy_opic, &policy_fica, &policy_ieca, &policy_backlink};
	struct rng rng = {3};
	uint64_t updates = 0;

	(void)state;
	for (int round = 0; round < 50; round++) {
		struct graph g;
		random_graph(&g, &rng, 80, 5);
		for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
			struct count c = {.targets = 0};
			/* with one page between rerankings nothing but the events writes keys */
			struct frontier_work w = work_of(some[i], &g, 1, &c);
			assert_int_equal(w.targets, c.targets);
			assert_int_equal(w.key_updates, c.updates);
			assert_int_equal(w.taking_part, 0); /* nothing is queued any more */
			assert_int_equal(w.ranked_arcs, 0);
			updates += c.updates;
		}
		graph_release(&g);
	}
	assert_true(updates > 1000);
}

static void breadth_first_search_computes_nothing(void **state)
{
	struct count c = {.targets = 0};
	struct graph g;

	(void)state;
	g12(&g);
	struct frontier_work w = work_of(&policy_bfs, &g, 3, &c);
	assert_int_equal(c.crawled, 12);
	assert_memory_equal(&w, &(struct frontier_work){0}, sizeof w);
	graph_release(&g);
}

/* A page that links to five: its value is handed on once, over five arcs, and those of the five,
 * once crawled, to none. At each reranking the keys of those still queued are read off. */
static void pagerank_of_a_star_hands_on_each_value_once(void **state)
{
	static const uint32_t from[] = {0, 0, 0, 0, 0}, to[] = {1, 2, 3, 4, 5};
	const struct policy *both[] = {&policy_batch_pagerank, &policy_partial_pagerank};
	struct graph g;

	(void)state;
	graph_from_arcs(&g, 6, from, to, 5);
	for (size_t i = 0; i < 2; i++) {
		struct count c = {.targets = 0};
		struct frontier_work w = work_of(both[i], &g, 1, &c);
		assert_int_equal(c.crawled, 6);
		assert_int_equal(w.targets, 5);
		assert_int_equal(w.ranked_arcs, 5);
		assert_int_equal(w.ranked_pages, 6 + (5 + 4 + 3 + 2 + 1));
		assert_int_equal(w.taking_part, 6);
	}
	graph_release(&g);
}

/* The order of sums is fixed, so that the counts are the same everywhere. Without over-relaxation it takes 1,460,474 arcs to get to
 * the tolerance of 1e-9 six times, and with it 950,971. */
static void pagerank_of_pages_that_lead_back_hands_on_few_values(void **state)
{
	struct rng r = {3};
	struct count c = {.targets = 0};
	struct graph g;

	(void)state;
	shape_random(&g, 3000, 24000, 0, &r);
	struct frontier_work w = work_of(&policy_batch_pagerank, &g, 500, &c);
	assert_in_range(w.ranked_arcs, 500000, 1100000);
	graph_release(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(moves_of_a_heap_are_all_that_stand_elsewhere),
		cmocka_unit_test(targets_and_updates_are_those_seen_from_outside),
		cmocka_unit_test(breadth_first_search_computes_nothing),
		cmocka_unit_test(pagerank_of_a_star_hands_on_each_value_once),
		cmocka_unit_test(pagerank_of_pages_that_lead_back_hands_on_few_values),
	};

	return cmocka_run_group_tests_name("work", tests, NULL, NULL);
}
