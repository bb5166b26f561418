/* Deferred pages: taken after all others, or by a draw; otherwise pages like any. */
#include "tests/test.h"

#include "base/mem.h"
#include "base/rng.h"
#include "frontier/frontier.h"
#include "policies/policies.h"
#include "tests/seeds/ends.h"

#define PAGES 600
#define HOSTS 5

static struct opt_set opts;

static int release_options(void **state)
{
	(void)state;
	opt_release(&opts);
	return 0;
}

static uint32_t host_of(void *ctx, uint32_t id)
{
	(void)ctx;
	return id % HOSTS;
}

/* Every third page is deferred when it is found. */
static int defers(void *ctx, uint32_t id)
{
	(void)ctx;
	return id % 3 == 2;
}

static struct frontier *make_as(const struct policy *p, int hosts, struct frontier_settings s)
{
	struct frontier_world w = {.host = hosts ? host_of : NULL, .defers = defers};
	struct frontier *f;

	opt_release(&opts);
	opt_init(&opts, p->opts, p->name);
	s.policy = p;
	s.opts = &opts;
	s.batch = 7;
	s.total = PAGES;
	s.per_host = 2;
	assert_int_equal(frontier_new(&f, &s, &w, NULL), 0);
	return f;
}

/* A frontier whose deferred pages come last of all. */
static struct frontier *make(const struct policy *p, int hosts, int64_t delay, uint64_t seed)
{
	return make_as(p, hosts, (struct frontier_settings){.rng_seed = seed, .delay_ms = delay, .deferred_last = 1});
}

/* Page 0 is crawled and links to 1..n. */
static void found(struct frontier *f, uint32_t n)
{
	uint32_t *links = mem_new(n, sizeof *links), seed = 0, id;

	for (uint32_t i = 0; i < n; i++)
		links[i] = i + 1;
	assert_int_equal(frontier_seed(f, &seed, 1), 1);
	assert_int_equal(frontier_take(f, 0, &id), 1);
	assert_int_equal(end_crawled(f, 0, links, n, 0), 0);
	free(links);
}

static void crawled(struct frontier *f, uint32_t id, int64_t now)
{
	assert_int_equal(end_crawled(f, id, NULL, 0, now), 0);
}

static void take_wants(struct frontier *f, int64_t now, int want)
{
	uint32_t id;

	assert_int_equal(frontier_take(f, now, &id), want >= 0);
	if (want >= 0)
		assert_int_equal(id, want);
}

static uint64_t deferred(const struct frontier *f)
{
	struct frontier_counts n;

	frontier_count(f, &n);
	return n.deferred;
}

static void a_deferred_page_comes_after_all_others_even_those_that_wait(void **state)
{
	struct frontier *f = make(&policy_bfs, 1, 100, 1);

	(void)state;
	found(f, 5); /* 2 and 5 are deferred; 5 is on the host of page 0 */
	assert_int_equal(deferred(f), 2);
	take_wants(f, 0, 1);
	take_wants(f, 0, 3);
	take_wants(f, 0, 4);
	end_retried(f, 1, 5000, 10); /* waits for a time of its own */
	take_wants(f, 4000, -1);
	assert_int_equal(frontier_next_time(f), 5000);
	take_wants(f, 5000, 1);
	take_wants(f, 5000, 2); /* nothing else is queued */
	end_retried(f, 2, 5000, 5000);
	assert_true(frontier_is_deferred(f, 2));
	assert_int_equal(deferred(f), 2);
	take_wants(f, 5000, 5); /* its host rests no more, that of 2 does */
	take_wants(f, 5000, -1);
	take_wants(f, frontier_next_time(f), 2);
	frontier_free(f);
}

static void a_host_without_other_pages_gives_a_deferred_one_while_others_rest(void **state)
{
	struct frontier *f = make_as(&policy_bfs, 1, (struct frontier_settings){.rng_seed = 1, .delay_ms = 100});

	(void)state;
	found(f, 8); /* 2, 5 and 8 are deferred; 5 is on the host of page 0, 2 on that of 7 */
	take_wants(f, 0, 1);
	take_wants(f, 0, 3);
	take_wants(f, 0, 4);
	take_wants(f, 0, 7); /* before 2, which is of its host */
	take_wants(f, 0, -1);
	crawled(f, 1, 0);
	take_wants(f, 100, 6); /* before the deferred pages of other hosts that may be asked */
	take_wants(f, 100, 2);
	crawled(f, 6, 100);
	end_retried(f, 3, 5000, 100); /* a page that waits for a time of its own keeps no other waiting */
	take_wants(f, 199, 5);
	take_wants(f, 200, 8);
	frontier_free(f);
	f = make_as(&policy_bfs, 1, (struct frontier_settings){.rng_seed = 1, .delay_ms = 100, .deferred_last = 1});
	found(f, 8);
	take_wants(f, 0, 1);
	take_wants(f, 0, 3);
	take_wants(f, 0, 4);
	take_wants(f, 0, 7);
	crawled(f, 4, 0);
	take_wants(f, 99, -1); /* 6 is queued */
	frontier_free(f);
}

static void seeds_are_not_deferred_and_redirects_of_deferred_pages_are(void **state)
{
	struct frontier *f = make(&policy_bfs, 0, 0, 1);
	uint32_t seed = 8;

	(void)state;
	found(f, 2);
	assert_int_equal(frontier_seed(f, &seed, 1), 1);
	assert_false(frontier_is_deferred(f, 8));
	take_wants(f, 0, 1);
	take_wants(f, 0, 8);
	crawled(f, 8, 0);
	take_wants(f, 0, 2);
	end_redirected(f, 2, 30, 0);
	assert_true(frontier_is_deferred(f, 30));
	end_redirected(f, 1, 31, 0);
	assert_false(frontier_is_deferred(f, 31));
	take_wants(f, 0, 31);
	take_wants(f, 0, 30);
	assert_int_equal(deferred(f), 0);
	frontier_free(f);
}

static void a_promoted_page_stands_where_it_would_have_stood(void **state)
{
	struct frontier *f = make(&policy_bfs, 0, 0, 1);

	(void)state;
	found(f, 6);
	frontier_defer(f, 1);
	frontier_defer(f, 1);
	assert_int_equal(deferred(f), 3);
	frontier_promote(f, 2);
	frontier_promote(f, 2);
	take_wants(f, 0, 2);
	crawled(f, 2, 0);
	frontier_promote(f, 1);
	take_wants(f, 0, 1); /* before 3: it was discovered before */
	end_as(f, 1, (struct frontier_end){.state = PAGE_QUEUED, .request = FRONTIER_NOT_ASKED, .is_deferred = 1});
	assert_int_equal(deferred(f), 2);
	take_wants(f, 0, 3);
	crawled(f, 3, 0);
	frontier_refuse(f, 5);
	assert_int_equal(deferred(f), 1);
	take_wants(f, 0, 4);
	crawled(f, 4, 0);
	take_wants(f, 0, 6);
	crawled(f, 6, 0);
	take_wants(f, 0, 1);
	frontier_free(f);
}

static void a_sample_is_drawn_by_the_seed_each_page_once_and_is_polite(void **state)
{
	uint32_t drawn[2][PAGES], id;

	(void)state;
	for (uint64_t seed = 0; seed < 2; seed++) {
		for (int again = 0; again < 2; again++) {
			struct frontier *f = make(&policy_bfs, 1, 1000, seed);
			size_t n = 0;
			int64_t now = 0;
			unsigned char is_drawn[PAGES] = {0};
			int64_t last[HOSTS] = {-1000, -1000, -1000, -1000, -1000};
			found(f, PAGES - 1);
			while (deferred(f)) {
				now += 50;
				if (!frontier_take_sample(f, now, &id))
					continue;
				assert_true(id % 3 == 2 && !is_drawn[id]);
				assert_true(now - last[id % HOSTS] >= 1000);
				last[id % HOSTS] = now;
				is_drawn[id] = 1;
				if (again)
					assert_int_equal(drawn[seed][n], id);
				drawn[seed][n++] = id;
				crawled(f, id, now);
			}
			assert_int_equal(n, PAGES / 3);
			assert_int_equal(frontier_take_sample(f, now + 9999, &id), 0);
			frontier_free(f);
		}
	}
	assert_memory_not_equal(drawn[0], drawn[1], PAGES / 3 * sizeof **drawn);
}

/* The best of a class by a linear scan; UINT32_MAX where it has none. */
static uint32_t best_of(struct frontier *f, enum policy_order order, int late)
{
	const struct page *page = pages_of(f);
	uint32_t best = UINT32_MAX;

	for (uint32_t v = 0; v < f->pages.n; v++) {
		if (frontier_state(f, v) != PAGE_QUEUED || frontier_is_deferred(f, v) != late)
			continue;
		if (best == UINT32_MAX ||
			(page[v].key == page[best].key ? page[v].seq < page[best].seq
						       : (page[v].key < page[best].key) == (order == POLICY_LOWEST_FIRST)))
			best = v;
	}
	return best;
}

/* A random thing that is done to two frontiers alike; 0 where nothing is left to do. */
static int act(struct frontier *const f[2], int n, struct rng *rng, const struct policy *p)
{
	uint32_t id, other, links[6];
	uint64_t what = rng_below(rng, 12);

	id = (uint32_t)rng_below(rng, PAGES);
	if (what < 4) {
		int late = frontier_is_deferred(f[0], id);
		for (int i = 0; i < n && frontier_state(f[0], id) == PAGE_QUEUED; i++) {
			assert_int_equal(frontier_is_deferred(f[i], id), late);
			assert_int_equal(frontier_state(f[i], id), PAGE_QUEUED);
		}
		if (frontier_state(f[0], id) == PAGE_QUEUED)
			for (int i = 0; i < n; i++)
				(late ? frontier_promote : frontier_defer)(f[i], id);
		return 1;
	}
	uint32_t best = best_of(f[0], p->order, 0);
	best = best != UINT32_MAX ? best : best_of(f[0], p->order, 1);
	int sample = what == 4, any = 0;
	for (int i = 0; i < n; i++) {
		int got = sample ? frontier_take_sample(f[i], 0, &other) : frontier_take(f[i], 0, &other);
		assert_true(i == 0 || got == any);
		any = got;
		if (got && i)
			assert_int_equal(other, id);
		id = other;
	}
	if (!any)
		return sample || best != UINT32_MAX;
	if (!sample)
		assert_int_equal(id, best);
	size_t k = 0;
	for (uint32_t i = 0; i < 6; i++)
		links[k++] = (id * 6 + i + 1) % PAGES;
	for (int i = 0; i < n; i++) {
		if (what == 5)
			end_retried(f[i], id, 0, 0);
		else
			assert_int_equal(end_crawled(f[i], id, links, k, 0), 0);
	}
	return 1;
}

static void each_page_taken_is_the_best_of_its_class(void **state)
{
	static const struct policy *const some[] = {&policy_bfs, &policy_dfs, &policy_opic, &policy_backlink, &policy_ieca};

	(void)state;
	for (size_t p = 0; p < 5; p++) {
		for (int hosts = 0; hosts < 2; hosts++) {
			struct frontier *f[2] = {make(some[p], hosts, 0, 3)};
			struct rng rng = {p + 1};
			uint32_t seed = 0;
			frontier_seed(f[0], &seed, 1);
			while (act(f, 1, &rng, some[p]))
				;
			struct frontier_counts n;
			frontier_count(f[0], &n);
			assert_int_equal(n.crawled, PAGES);
			assert_int_equal(n.queued + n.deferred, 0);
			frontier_free(f[0]);
		}
	}
}

static void deferred_pages_come_back_from_a_log(void **state)
{
	struct frontier *f[2] = {make(&policy_opic, 1, 0, 3), make(&policy_opic, 1, 0, 3)};
	struct rng rng = {5};
	uint32_t id, seed = 0, links[6];

	(void)state;
	frontier_seed(f[0], &seed, 1);
	frontier_restore_begin(f[1]);
	frontier_seed(f[1], &seed, 1);
	for (int i = 0; i < 40; i++) {
		assert_true(
			i % 5 ? frontier_take(f[0], 0, &id) : frontier_take_sample(f[0], 0, &id) || frontier_take(f[0], 0, &id));
		frontier_retake(f[1], id);
		for (uint32_t k = 0; k < 6; k++)
			links[k] = (id * 6 + k + 1) % PAGES;
		for (int k = 0; k < 2; k++) {
			assert_int_equal(end_crawled(f[k], id, links, 6, 0), 0);
			if (frontier_state(f[0], links[1]) == PAGE_QUEUED)
				frontier_defer(f[k], links[1]);
			if (frontier_state(f[0], links[2]) == PAGE_QUEUED)
				frontier_promote(f[k], links[2]);
		}
	}
	frontier_restore_end(f[1]);
	assert_int_equal(deferred(f[0]), deferred(f[1]));
	while (act(f, 2, &rng, &policy_opic))
		;
	frontier_free(f[0]);
	frontier_free(f[1]);
}

/* Of five hosts one is given up: its pages stay queued, and hold nothing back. */
static void pages_of_a_host_given_up_do_not_hold_deferred_ones_back(void **state)
{
	struct frontier *f = make(&policy_bfs, HOSTS, 0, 1);
	struct frontier_counts n;
	int64_t now = 1;
	uint32_t id, deferred = 0;

	(void)state;
	found(f, 50);
	while (frontier_take(f, now, &id)) {
		const struct frontier_host_news silent = {.delay = -1, .pause = FRONTIER_FOR_GOOD};
		struct frontier_end end = {.state = PAGE_CRAWLED, .request = FRONTIER_ASKED, .at = ++now};
		if (host_of(NULL, id) == 3) {
			end.state = PAGE_QUEUED;
			end.host = &silent;
		}
		frontier_count(f, &n);
		deferred += defers(NULL, id) ? 1u : 0u;
		assert_int_equal(frontier_ended(f, id, &end), 0);
	}
	frontier_count(f, &n);
	assert_int_equal(n.hosts_given_up, 1);
	assert_in_range(deferred, 10, 17);
	assert_in_range(n.given_up, 5, 10);
	assert_int_equal(n.queued, n.given_up + n.deferred);
	assert_true(frontier_next_time(f) >= FRONTIER_FOR_GOOD);
	frontier_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_deferred_page_comes_after_all_others_even_those_that_wait),
		cmocka_unit_test(a_host_without_other_pages_gives_a_deferred_one_while_others_rest),
		cmocka_unit_test(seeds_are_not_deferred_and_redirects_of_deferred_pages_are),
		cmocka_unit_test(a_promoted_page_stands_where_it_would_have_stood),
		cmocka_unit_test(a_sample_is_drawn_by_the_seed_each_page_once_and_is_polite),
		cmocka_unit_test(each_page_taken_is_the_best_of_its_class),
		cmocka_unit_test(deferred_pages_come_back_from_a_log),
		cmocka_unit_test(pages_of_a_host_given_up_do_not_hold_deferred_ones_back),
	};

	return cmocka_run_group_tests_name("deferred", tests, NULL, release_options);
}
