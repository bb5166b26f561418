/* The frontier's states, hosts and times, and its way back from a log. */
#include "tests/test.h"

#include "base/rng.h"
#include "frontier/frontier.h"
#include "frontier/heap.h"
#include "policies/policies.h"
#include "tests/seeds/ends.h"
#include "tests/graph/graphs.h"

#include <math.h>

/* --- the heap, against a linear scan */

static void heap_pops_equal_keys_in_discovery_order(void **state)
{
	uint32_t place[300];
	struct heap_indexes places = {place, sizeof *place};
	struct heap h = {.n = 0};
	double key[300];
	unsigned char in[300] = {0};
	struct rng rng = {5};

	(void)state;
	for (int step = 0; step < 20000; step++) {
		uint32_t id = (uint32_t)rng_below(&rng, 300);
		double k = (double)rng_below(&rng, 6);
		uint64_t what = rng_below(&rng, 4);
		if (!in[id]) {
			key[id] = k;
			in[id] = 1;
			heap_push(&h, entry_make(k, id, id), places);
		} else if (what == 0) {
			in[id] = 0;
			assert_int_equal(heap_remove(&h, place[id], places).id, id);
		} else if (what < 3) {
			key[id] = k;
			heap_rekey(&h, place[id], entry_make(k, id, id), places);
		} else {
			uint32_t best = UINT32_MAX;
			for (uint32_t v = 0; v < 300; v++)
				if (in[v] && (best == UINT32_MAX || key[v] < key[best]))
					best = v;
			struct entry e = heap_remove(&h, 0, places);
			assert_int_equal(e.id, best);
			in[best] = 0;
		}
		for (size_t i = 0; i < h.n; i++)
			assert_int_equal(place[h.at[i].id], i);
	}
	heap_release(&h);
}

/* Beyond the size from which on it lies on huge pages. */
/* A heap whose seqs have come to their end goes on with small ones, and its old entries stay before new ones of the same key. */
static void a_heap_is_numbered_anew_in_its_order(void **state)
{
	enum { N = 1000 };
	const struct heap_indexes none = {NULL, 0};
	struct rng r = {5};
	struct heap h = {.n = 0};
	uint32_t place[2 * N], popped = 0;
	const struct heap_indexes places = {place, sizeof *place};
	struct entry last = {0};

	(void)state;
	heap_number(&h, none);
	for (uint32_t id = 0; id < N; id++)
		heap_push(&h, entry_make((double)rng_below(&r, 20), UINT32_MAX - N + id, id), places);
	heap_number(&h, places);
	for (size_t i = 0; i < h.n; i++) {
		assert_int_equal(place[h.at[i].id], i);
		assert_true(h.at[i].seq < N);
	}
	for (uint32_t id = N; id < 2 * N; id++)
		heap_push(&h, entry_make((double)rng_below(&r, 20), id, id), places);
	/* ids were given in the order of pushes, so of one key they ascend */
	for (; h.n; popped++) {
		const struct entry e = heap_remove(&h, 0, places);
		assert_true(!popped || entry_key(&e) > entry_key(&last) || (entry_key(&e) == entry_key(&last) && e.id > last.id));
		last = e;
	}
	assert_int_equal(popped, 2 * N);
	heap_release(&h);
}

static void a_large_heap_sorts(void **state)
{
	struct heap h = {.n = 0};
	struct rng rng = {6};
	const uint32_t n = HEAP_BIG + 9;

	(void)state;
	for (uint32_t i = 0; i < n; i++) {
		double key = (double)rng_below(&rng, 1000);
		heap_push(&h, entry_make(key, i, i), (struct heap_indexes){NULL, 0});
		assert_true(h.n <= h.room);
		if (h.room >= HEAP_LINED)
			assert_int_equal((uintptr_t)(h.at + 1) % 64, 0); /* siblings share a line */
	}
	struct entry last = heap_remove(&h, 0, (struct heap_indexes){NULL, 0});
	while (h.n) {
		struct entry e = heap_remove(&h, 0, (struct heap_indexes){NULL, 0});
		assert_true(entry_before(&last, &e));
		last = e;
	}
	heap_release(&h);
}

/* --- a small world: pages 0..9 on host id % 3, page 9 out of scope */

static uint32_t three_hosts(void *ctx, uint32_t id)
{
	(void)ctx;
	return id % 3;
}

static int nine_is_outside(void *ctx, uint32_t id)
{
	(void)ctx;
	return id == 9;
}

static struct opt_set opts;

static int release_options(void **state)
{
	(void)state;
	opt_release(&opts);
	return 0;
}

static struct frontier *world(const struct policy *policy, int64_t delay, uint32_t per_host)
{
	struct frontier_world w = {.host = three_hosts, .outside = nine_is_outside};
	struct frontier_settings s = {.policy = policy, .opts = &opts, .batch = 100, .delay_ms = delay, .per_host = per_host};
	struct frontier *f;

	opt_release(&opts);
	opt_init(&opts, policy->opts, policy->name);
	assert_int_equal(frontier_new(&f, &s, &w, NULL), 0);
	return f;
}

static void take_wants(struct frontier *f, int64_t now, int want)
{
	uint32_t id;

	if (want < 0) {
		assert_int_equal(frontier_take(f, now, &id), 0);
	} else {
		assert_int_equal(frontier_take(f, now, &id), 1);
		assert_int_equal(id, want);
		assert_int_equal(frontier_state(f, id), PAGE_IN_FLIGHT);
	}
}

static void a_host_waits_its_delay_and_others_do_not(void **state)
{
	static const uint32_t seeds[] = {0, 3, 6, 1, 4}, links[] = {9};
	struct frontier *f = world(&policy_bfs, 100, 1);

	(void)state;
	assert_int_equal(frontier_seed(f, seeds, 5), 5);
	take_wants(f, 0, 0);
	take_wants(f, 0, 1); /* host 0 is busy, host 1 is not */
	take_wants(f, 0, -1);
	assert_true(frontier_next_time(f) == FRONTIER_NEVER);
	assert_int_equal(end_crawled(f, 0, links, 1, 20), 0);
	assert_int_equal(frontier_state(f, 9), PAGE_REFUSED);
	assert_int_equal(frontier_next_time(f), 120);
	take_wants(f, 119, -1);
	end_failed(f, 1, 119);
	take_wants(f, 120, 3);
	take_wants(f, 218, -1);
	take_wants(f, 219, 4);
	/* robots.txt asks for more, and less is not given */
	end_as(f, 3, (struct frontier_end){.state = PAGE_CRAWLED, .at = 300, .host = &(struct frontier_host_news){.delay = 1000}});
	end_as(f, 4, (struct frontier_end){.state = PAGE_CRAWLED, .at = 300, .host = &(struct frontier_host_news){.delay = 10}});
	assert_int_equal(frontier_next_time(f), 1300);
	take_wants(f, 1300, 6);
	assert_int_equal(end_crawled(f, 6, NULL, 0, 1300), 0);
	assert_true(frontier_next_time(f) == FRONTIER_NEVER);
	struct frontier_counts n;
	frontier_count(f, &n);
	assert_int_equal(n.crawled, 4);
	assert_int_equal(n.failed, 1);
	assert_int_equal(n.refused, 1);
	assert_int_equal(n.seen, 6);
	assert_int_equal(frontier_seed(f, links, 1), 1); /* as a seed it is in */
	take_wants(f, 2000, -1);
	take_wants(f, 2300, 9);
	frontier_free(f);
}

/* The host's back-off is shorter than its delay, and the page is put back without a request. */
static void a_pause_that_is_shorter_than_the_delay_outlives_a_flight_without_a_request(void **state)
{
	static const uint32_t seeds[] = {0};
	struct frontier *f = world(&policy_bfs, 4000, 1);

	(void)state;
	frontier_seed(f, seeds, 1);
	take_wants(f, 100, 0);
	end_as(f, 0,
		(struct frontier_end){.state = PAGE_QUEUED,
			.request = FRONTIER_NOT_ASKED,
			.at = 100,
			.host = &(struct frontier_host_news){.delay = -1, .pause = 1100}});
	take_wants(f, 100, -1);
	assert_int_equal(frontier_next_time(f), 1100);
	take_wants(f, 1100, 0);
	assert_int_equal(end_crawled(f, 0, NULL, 0, 1100), 0);
	frontier_free(f);
}

static void several_pages_of_a_host_begin_a_delay_apart(void **state)
{
	static const uint32_t seeds[] = {0, 3, 6};
	struct frontier *f = world(&policy_bfs, 100, 2);

	(void)state;
	frontier_seed(f, seeds, 3);
	take_wants(f, 0, 0);
	take_wants(f, 99, -1);
	assert_int_equal(frontier_next_time(f), 100);
	take_wants(f, 100, 3);
	end_refused(f, 3); /* while page 0 is still asked for */
	take_wants(f, 199, -1);
	assert_int_equal(end_crawled(f, 0, NULL, 0, 150), 0);
	take_wants(f, 249, -1);
	take_wants(f, 250, 6);
	frontier_free(f);
	/* a page refused without a request costs its host no time */
	f = world(&policy_bfs, 100, 1);
	frontier_seed(f, seeds, 2);
	take_wants(f, 0, 0);
	end_refused(f, 0);
	take_wants(f, 0, 3);
	frontier_free(f);
}

/* The request that ends first makes the host rest; the page that led to no request takes nothing of that rest away. */
static void a_flight_without_a_request_leaves_the_rest_after_another_request(void **state)
{
	static const uint32_t seeds[] = {0, 3, 6};
	struct frontier *f = world(&policy_bfs, 100, 2);

	(void)state;
	frontier_seed(f, seeds, 3);
	take_wants(f, 0, 0);
	take_wants(f, 100, 3);
	assert_int_equal(end_crawled(f, 0, NULL, 0, 150), 0);
	end_refused(f, 3);
	take_wants(f, 249, -1);
	assert_int_equal(frontier_next_time(f), 250);
	take_wants(f, 250, 6);
	frontier_free(f);
}

static int nine_is_in;

static int nine_may_be_outside(void *ctx, uint32_t id)
{
	(void)ctx;
	return id == 9 && !nine_is_in;
}

static void a_refused_page_is_queued_when_a_redirect_brings_it_in(void **state)
{
	struct frontier_world w = {.host = three_hosts, .outside = nine_may_be_outside};
	struct opt_set none = {0};
	struct frontier_settings s = {.policy = &policy_bfs, .opts = &none, .batch = 100, .per_host = 1};
	static const uint32_t seeds[] = {0, 1}, links[] = {9};
	struct frontier *f;

	(void)state;
	nine_is_in = 0;
	assert_int_equal(frontier_new(&f, &s, &w, NULL), 0);
	frontier_seed(f, seeds, 2);
	take_wants(f, 0, 0);
	assert_int_equal(end_crawled(f, 0, links, 1, 0), 0);
	assert_int_equal(frontier_state(f, 9), PAGE_REFUSED);
	nine_is_in = 1;
	take_wants(f, 0, 1);
	end_redirected(f, 1, 9, 0);
	assert_int_equal(frontier_state(f, 9), PAGE_QUEUED);
	assert_int_equal(pages_of(f)[9].seq, pages_of(f)[1].seq);
	take_wants(f, 0, 9);
	frontier_free(f);
}

static void a_page_to_retry_keeps_key_and_turn(void **state)
{
	static const uint32_t seeds[] = {0, 3, 6}, links[] = {6};
	struct frontier *f = world(&policy_opic, 0, 2);

	(void)state;
	frontier_seed(f, seeds, 3);
	take_wants(f, 0, 0);
	end_retried(f, 0, 50, 0);
	assert_int_equal(frontier_state(f, 0), PAGE_QUEUED);
	take_wants(f, 10, 3);
	assert_int_equal(end_crawled(f, 3, links, 1, 10), 0);
	take_wants(f, 20, 6);
	take_wants(f, 20, -1);
	assert_int_equal(frontier_next_time(f), 50);
	/* waiting, it is queued: links reach it */
	assert_int_equal(end_crawled(f, 6, (const uint32_t[]){0, 1, 4}, 3, 20), 0);
	assert_true(frontier_key(f, 0) > 1.66);
	take_wants(f, 49, 1);
	take_wants(f, 50, 0);
	take_wants(f, 50, 4);
	frontier_free(f);
}

static void a_redirect_hands_on_its_key(void **state)
{
	static const uint32_t seeds[] = {0};
	struct frontier *f = world(&policy_dfs, 0, 1);

	(void)state;
	frontier_seed(f, seeds, 1);
	take_wants(f, 0, 0);
	assert_int_equal(end_crawled(f, 0, (const uint32_t[]){1, 2, 4}, 3, 0), 0);
	take_wants(f, 0, 4);
	end_redirected(f, 4, 7, 0);
	assert_true(frontier_key(f, 7) == frontier_key(f, 4));
	take_wants(f, 0, 7);
	end_redirected(f, 7, 1, 0); /* queued already: keeps its own */
	assert_true(frontier_key(f, 1) == 1);
	take_wants(f, 0, 2);
	end_redirected(f, 2, 9, 0); /* out of scope */
	assert_int_equal(frontier_state(f, 9), PAGE_REFUSED);
	take_wants(f, 0, 1);
	end_refused(f, 1);
	assert_int_equal(frontier_state(f, 1), PAGE_REFUSED);
	take_wants(f, 0, -1);
	frontier_free(f);
}

static void a_queued_page_can_be_refused(void **state)
{
	static const uint32_t seeds[] = {0, 3, 1};
	const struct policy *both[] = {&policy_bfs, &policy_dfs};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct frontier *f = world(both[i], 0, 1);
		frontier_seed(f, seeds, 3);
		frontier_refuse(f, 3);
		take_wants(f, 0, i ? 1 : 0);
		take_wants(f, 0, i ? 0 : 1);
		take_wants(f, 0, -1);
		frontier_free(f);
	}
}

/* --- a crawl with several pages in flight, failures and retries, logged and played back */

struct logged {
	char what; /* t c f r x */
	uint32_t id;
};

static uint32_t a_host(void *ctx, uint32_t id)
{
	(void)ctx;
	return id % 4;
}

static int is_outside(void *ctx, uint32_t id)
{
	(void)ctx;
	return id % 7 == 6;
}

static double a_score(void *ctx, uint32_t id)
{
	(void)ctx;
	return id * 37 % 11;
}

/* Of the made graphs of 60 pages, for the policies that ask. */
static const double oracle[60] = {[3] = 5, [8] = 7, [13] = 5, [40] = 1};

static const double weights[RANK_WEIGHTS] = {1, 10, 0.25};

/* Ranks by the URL, here the id, and by the depth. */
static uint8_t a_rank(void *ctx, uint32_t id, uint32_t depth)
{
	(void)ctx;
	return rank_make(id % 5 == 0 ? TIER_FIRST : depth == 3 || id % 11 == 3 ? TIER_LAST : TIER_NORMAL, id % 3);
}

static struct frontier *make(const struct policy *p, int hosts, int ranks)
{
	struct frontier_world w = {.host = hosts ? a_host : NULL,
		.outside = is_outside,
		.score = a_score,
		.rank = ranks ? a_rank : NULL,
		.weights = ranks ? weights : NULL};
	struct frontier_settings s =
		{.policy = p, .opts = &opts, .oracle = oracle, .batch = 3, .total = 60, .rng_seed = 3, .per_host = 3};
	struct frontier *f;

	assert_int_equal(frontier_new(&f, &s, &w, NULL), 0);
	return f;
}

static void apply(struct frontier *f, const struct graph *g, struct logged e)
{
	if (e.what == 't')
		frontier_retake(f, e.id);
	else if (e.what == 'c')
		assert_int_equal(end_crawled(f, e.id, graph_row(g, e.id), graph_outdegree(g, e.id), 0), 0);
	else if (e.what == 'f')
		end_failed(f, e.id, 0);
	else if (e.what == 'r')
		end_retried(f, e.id, 0, 0);
	else
		end_redirected(f, e.id, (e.id + 13) % g->nodes, 0);
}

/* One random step of a live crawl; 0 where nothing is left. */
static int step(struct frontier *f, const struct graph *g, struct rng *rng, uint32_t *flying, size_t *n_flying, struct logged *e)
{
	uint32_t id;

	if (*n_flying < 3 && frontier_take(f, 0, &id)) {
		flying[(*n_flying)++] = id;
		*e = (struct logged){'t', id};
		return 1;
	}
	if (!*n_flying)
		return 0;
	size_t i = (size_t)rng_below(rng, *n_flying);
	*e = (struct logged){"cccccfrx"[rng_below(rng, 8)], flying[i]};
	flying[i] = flying[--*n_flying];
	apply(f, g, *e);
	return 1;
}

static void a_log_brings_every_frontier_back(void **state)
{
	struct rng rng = {11};

	(void)state;
	for (int round = 0; round < 200; round++) {
		struct graph g;
		random_graph(&g, &rng, 60, 4);
		for (size_t p = 0; policies[p]; p++) {
			struct logged log[1000], e;
			uint32_t flying[3], seed = 0, a, b;
			size_t n = 0, n_flying = 0, cut = (size_t)rng_below(&rng, 60);
			opt_release(&opts);
			opt_init(&opts, policies[p]->opts, policies[p]->name);
			struct frontier *f = make(policies[p], round % 2, round % 4 / 2), *back;
			frontier_seed(f, &seed, 1);
			while (n < cut && step(f, &g, &rng, flying, &n_flying, &e))
				log[n++] = e;
			back = make(policies[p], round % 2, round % 4 / 2);
			frontier_restore_begin(back);
			frontier_seed(back, &seed, 1);
			for (size_t i = 0; i < n; i++)
				apply(back, &g, log[i]);
			/* what was in flight goes back, in both */
			while (n_flying) {
				end_retried(f, flying[--n_flying], 0, 0);
				end_retried(back, flying[n_flying], 0, 0);
			}
			frontier_restore_end(back);
			struct frontier_counts one, two;
			frontier_count(f, &one);
			frontier_count(back, &two);
			assert_memory_equal(&one, &two, sizeof one);
			while (frontier_take(f, 0, &a)) {
				assert_int_equal(frontier_take(back, 0, &b), 1);
				assert_int_equal(a, b);
				assert_true(frontier_key(f, a) == frontier_key(back, b));
				apply(f, &g, (struct logged){'c', a});
				apply(back, &g, (struct logged){'c', b});
			}
			assert_int_equal(frontier_take(back, 0, &b), 0);
			frontier_free(f);
			frontier_free(back);
		}
		graph_release(&g);
	}
}

/* What is known of a page from outside: its depth is that of the page that found it, + 1. */
struct outside_view {
	uint32_t depth[60];
	int is_found[60];
};

static void look_at_links(struct outside_view *o, const struct graph *g, uint32_t u)
{
	for (uint64_t i = 0; i < graph_outdegree(g, u); i++) {
		const uint32_t v = graph_row(g, u)[i];
		if (!o->is_found[v]++)
			o->depth[v] = o->depth[u] + 1;
	}
}

/* Asserts that no queued page is before the page that was taken: by tier, or in a tier by the weighted key. */
static void assert_first(const struct frontier *f, const struct policy *p, const struct outside_view *o, uint32_t taken)
{
	double key[60];
	uint8_t rank[60];

	for (uint32_t id = 0; id < 60; id++) {
		rank[id] = a_rank(NULL, id, o->depth[id]);
		if (id != taken && frontier_state(f, id) != PAGE_QUEUED)
			continue;
		key[id] = frontier_key(f, id) * (p->order == POLICY_HIGHEST_FIRST ? -1 : 1);
		key[id] *= key[id] < 0 ? weights[rank_weight(rank[id])] : 1 / weights[rank_weight(rank[id])];
	}
	for (uint32_t id = 0; id < 60; id++) {
		if (id == taken || frontier_state(f, id) != PAGE_QUEUED)
			continue;
		assert_true(rank_tier(rank[id]) >= rank_tier(rank[taken]));
		/* weights by division round otherwise than by multiplication */
		if (!p->host_key && rank_tier(rank[id]) == rank_tier(rank[taken]))
			assert_true(key[id] >= key[taken] - 1e-12 * fabs(key[taken]));
	}
}

static void pages_are_taken_by_tier_and_weighted_key(void **state)
{
	struct rng rng = {12};
	unsigned tiers = 0;

	(void)state;
	for (int round = 0; round < 20; round++) {
		struct graph g;
		random_graph(&g, &rng, 60, 4);
		for (size_t p = 0; policies[p]; p++) {
			struct outside_view o = {.is_found = {1}};
			uint32_t seed = 0, id;
			opt_release(&opts);
			opt_init(&opts, policies[p]->opts, policies[p]->name);
			struct frontier *f = make(policies[p], round % 2, 1);
			frontier_seed(f, &seed, 1);
			while (frontier_take(f, 0, &id)) {
				assert_first(f, policies[p], &o, id);
				tiers |= 1u << rank_tier(a_rank(NULL, id, o.depth[id]));
				look_at_links(&o, &g, id);
				apply(f, &g, (struct logged){'c', id});
			}
			frontier_free(f);
		}
		graph_release(&g);
	}
	assert_int_equal(tiers, 1u << TIER_FIRST | 1u << TIER_NORMAL | 1u << TIER_LAST);
}

/* With a delay, pages of the first tier wait for their host as all others do. */
static void ranks_leave_politeness_alone(void **state)
{
	const struct frontier_world w = {.host = a_host, .rank = a_rank, .weights = weights};
	const struct frontier_settings s =
		{.policy = &policy_bfs, .opts = &opts, .batch = 3, .rng_seed = 3, .per_host = 1, .delay_ms = 1000};
	int64_t last[4] = {-1000, -1000, -1000, -1000}, now = 0;
	uint32_t seeds[60], id;
	struct frontier *f;

	(void)state;
	opt_release(&opts);
	opt_init(&opts, NULL, "bfs");
	for (uint32_t i = 0; i < 60; i++)
		seeds[i] = i;
	assert_int_equal(frontier_new(&f, &s, &w, NULL), 0);
	frontier_seed(f, seeds, 60);
	for (size_t n = 0; n < 60; n++) {
		while (!frontier_take(f, now, &id))
			now = frontier_next_time(f);
		assert_true(now - last[id % 4] >= 1000);
		last[id % 4] = now;
		assert_int_equal(end_crawled(f, id, NULL, 0, now), 0);
	}
	assert_true(now <= 15000);
	frontier_free(f);
}

static int is_threefold(void *ctx, uint32_t id)
{
	(void)ctx;
	return id % 3 == 0;
}

static void seeds_that_are_known_or_of_others_are_passed_over(void **state)
{
	static const struct opt_set none;
	static const uint32_t seeds[] = {1, 3, 2, 1, 6, 5, 3, 4, 2};
	const struct frontier_world w = {.is_remote = is_threefold};
	const struct frontier_settings s = {.policy = &policy_bfs, .opts = &none, .batch = 100, .per_host = 9};
	static const uint32_t wanted[] = {1, 2, 5, 4};
	struct frontier *f;
	uint32_t id;
	(void)state;

	assert_int_equal(frontier_new(&f, &s, &w, NULL), 0);
	assert_int_equal(frontier_seed(f, seeds, sizeof seeds / sizeof *seeds), 4);
	assert_int_equal(frontier_seed(f, seeds, sizeof seeds / sizeof *seeds), 0);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(frontier_take(f, 0, &id), 1);
		assert_int_equal(id, wanted[i]);
	}
	assert_int_equal(frontier_take(f, 0, &id), 0);
	frontier_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(seeds_that_are_known_or_of_others_are_passed_over),
		cmocka_unit_test(heap_pops_equal_keys_in_discovery_order),
		cmocka_unit_test(a_heap_is_numbered_anew_in_its_order),
		cmocka_unit_test(a_large_heap_sorts),
		cmocka_unit_test(a_host_waits_its_delay_and_others_do_not),
		cmocka_unit_test(a_pause_that_is_shorter_than_the_delay_outlives_a_flight_without_a_request),
		cmocka_unit_test(several_pages_of_a_host_begin_a_delay_apart),
		cmocka_unit_test(a_flight_without_a_request_leaves_the_rest_after_another_request),
		cmocka_unit_test(a_refused_page_is_queued_when_a_redirect_brings_it_in),
		cmocka_unit_test(a_page_to_retry_keeps_key_and_turn),
		cmocka_unit_test(a_redirect_hands_on_its_key),
		cmocka_unit_test(a_queued_page_can_be_refused),
		cmocka_unit_test(a_log_brings_every_frontier_back),
		cmocka_unit_test(pages_are_taken_by_tier_and_weighted_key),
		cmocka_unit_test(ranks_leave_politeness_alone),
	};

	return cmocka_run_group_tests_name("frontier", tests, NULL, release_options);
}
