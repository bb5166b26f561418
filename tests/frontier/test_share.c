/* A budget that hosts share: 60 hosts of which one has no end, or many pages, crawled in virtual time by the frontier alone. After
 * each page the test computes the limit of every host a second time, from what it has seen itself. */
#include "tests/test.h"

#include "base/mem.h"
#include "frontier/frontier.h"
#include "policies/policies.h"
#include "tests/seeds/ends.h"

#define HOSTS   60
#define SMALL   31   /* pages of a host with few */
#define HUGE    3000 /* of a large host, with links between them */
#define IDS     (HOSTS * 30000)
#define AT_ONCE 8
#define LATENCY 7

/* What the first host is like: page k of host h is page k * HOSTS + h. */
enum kind { CHAIN, FAN, CALENDAR, LARGE, KINDS };

struct web {
	enum kind kind;
	uint64_t pages; /* of the budget */
	uint64_t bytes;
	double most;
	int64_t delay;
	uint32_t one_seed;  /* 1: the crawl begins at host 0 alone, which leads to the others */
	uint32_t unlimited; /* 1: host 0 has no limit */
	/* what the test has seen */
	struct opt_set opts;
	struct frontier *f;
	int64_t now;
	uint32_t flying[AT_ONCE];
	int64_t until[AT_ONCE];
	size_t n;
	uint32_t taken[HOSTS], crawled[HOSTS], proven[HOSTS], known;
	uint8_t is_known[HOSTS];
	uint8_t *links; /* IDS: pages that led to each before its turn, 2 at most */
	uint32_t order[8000], n_order;
	uint32_t event[16000], n_events; /* 1 + a page that was taken; 0: the first in flight has come */
};

static uint32_t host_of(void *ctx, uint32_t id)
{
	(void)ctx;
	return id % HOSTS;
}

static uint32_t page_of(uint32_t host, uint32_t k)
{
	return k * HOSTS + host;
}

static uint32_t large_target(uint32_t k, uint32_t i)
{
	return (k * 7919 + i * i * i * 1049 + 13) % HUGE;
}

/* Writes the links of a page, distinct, and returns their number. */
static size_t links_of(const struct web *w, uint32_t id, uint32_t *out)
{
	const uint32_t host = id % HOSTS, k = id / HOSTS;
	size_t n = 0;

	if (host) {
		for (uint32_t i = 0; i < SMALL && !k; i++)
			out[n++] = page_of(host, i + 1);
		return n;
	}
	if (w->one_seed && !k)
		for (uint32_t h = 1; h < HOSTS; h++)
			out[n++] = page_of(h, 0);
	switch (w->kind) {
	case FAN:
		for (uint32_t i = 1; i <= 5; i++)
			out[n++] = page_of(0, (5 * k + i) % 29989);
		break;
	case LARGE:
		for (uint32_t i = 0; i < 12; i++) {
			const uint32_t v = page_of(0, large_target(k, i));
			size_t before = 0;
			while (before < n && out[before] != v)
				before++;
			n += before == n;
			out[before] = v;
		}
		break;
	case CALENDAR:
		if (k)
			out[n++] = page_of(0, k - 1);
		/* fall through */
	default:
		out[n++] = page_of(0, k + 1);
	}
	return n;
}

static void begin(struct web *w, const struct policy *policy)
{
	const struct frontier_world world = {.host = host_of};

	opt_init(&w->opts, policy->opts, policy->name);
	const struct frontier_settings s = {.policy = policy,
		.opts = &w->opts,
		.rng_seed = 3,
		.budget = {.pages = w->pages, .bytes = w->bytes, .most = w->most},
		.delay_ms = w->delay,
		.per_host = 2};
	assert_int_equal(frontier_new(&w->f, &s, &world, NULL), 0);
	w->links = mem_zero(IDS, 1);
}

static void end(struct web *w)
{
	frontier_free(w->f);
	opt_release(&w->opts);
	free(w->links);
}

static void meet(struct web *w, uint32_t id)
{
	w->known += w->is_known[id % HOSTS] ? 0 : 1;
	w->is_known[id % HOSTS] = 1;
}

static void seed_all(struct web *w)
{
	uint32_t seeds[HOSTS];

	for (uint32_t h = 0; h < HOSTS; h++) {
		seeds[h] = h;
		w->links[h] = 1;
		if (!w->one_seed)
			meet(w, h);
	}
	if (w->one_seed)
		meet(w, 0);
	frontier_seed(w->f, seeds, w->one_seed ? 1 : HOSTS);
}

/* The rule as doc/traps.md has it. */
static double limit_of(const struct web *w, uint32_t host)
{
	const double budget = (double)w->pages, own = budget / w->known, rest = w->most * (budget - own);
	const double proven = (budget - own) / 10 + w->proven[host];

	return fmax(1000, floor(own + (proven < rest ? proven : rest)));
}

static void check_limits(const struct web *w)
{
	for (uint32_t h = w->unlimited; w->pages && w->most < 1 && h < HOSTS; h++)
		if (w->taken[h] > limit_of(w, h))
			fail_msg("host %u has taken %u pages of a limit of %g", h, w->taken[h], limit_of(w, h));
}

static void land_first(struct web *w)
{
	uint32_t links[HOSTS + 16];
	const uint32_t id = w->flying[0];
	const size_t n = links_of(w, id, links);

	w->event[w->n_events++] = 0;
	w->now = w->until[0] > w->now ? w->until[0] : w->now;
	w->n--;
	memmove(w->flying, w->flying + 1, w->n * sizeof *w->flying);
	memmove(w->until, w->until + 1, w->n * sizeof *w->until);
	for (size_t i = 0; i < n; i++) {
		meet(w, links[i]);
		if (frontier_state(w->f, links[i]) == PAGE_QUEUED && w->links[links[i]] == 1) {
			w->links[links[i]] = 2;
			w->proven[links[i] % HOSTS]++;
		}
		if (frontier_state(w->f, links[i]) == PAGE_UNSEEN)
			w->links[links[i]] = 1;
	}
	w->crawled[id % HOSTS]++;
	end_as(w->f, id,
		(struct frontier_end){.state = PAGE_CRAWLED,
			.at = w->now,
			.links = links,
			.n_links = n,
			.bytes = id % HOSTS ? 100 : 300});
}

/* Takes a page if one may be taken now. Returns 1 if it did. */
static int take(struct web *w)
{
	uint32_t id;

	if (w->n == AT_ONCE || (w->pages && w->n_order >= w->pages) || !frontier_take(w->f, w->now, &id))
		return 0;
	w->order[w->n_order++] = id;
	w->event[w->n_events++] = id + 1;
	w->taken[id % HOSTS]++;
	check_limits(w);
	w->flying[w->n] = id;
	w->until[w->n++] = w->now + LATENCY;
	return 1;
}

/* Crawls until nothing may be taken any more, or `most` pages were taken. */
static void crawl(struct web *w, uint32_t most)
{
	while (w->n_order < most) {
		if (take(w))
			continue;
		if (w->n) {
			land_first(w);
			continue;
		}
		const int64_t next = frontier_next_time(w->f);
		if (next >= FRONTIER_FOR_GOOD || next <= w->now)
			break;
		w->now = next;
	}
}

static void small_hosts_are_whole(const struct web *w)
{
	for (uint32_t h = 1; h < HOSTS; h++)
		assert_int_equal(w->crawled[h], SMALL + 1);
}

static uint64_t spent_pages(const struct web *w)
{
	struct frontier_counts n;

	frontier_count(w->f, &n);
	assert_int_equal(n.hosts_spent, n.spent > 0);
	return n.spent;
}

/* --- tests */

static int is_judged(const struct policy *p)
{
	return !p->oracle && !p->needs;
}

static void no_host_takes_more_than_its_limit_under_any_policy(void **state)
{
	(void)state;
	for (size_t i = 0; policies[i]; i++)
		for (int kind = 0; kind < KINDS && is_judged(policies[i]); kind++) {
			struct web w = {.kind = (enum kind)kind, .pages = 4000, .most = 0.3, .delay = i % 2 * 20};
			begin(&w, policies[i]);
			seed_all(&w);
			crawl(&w, UINT32_MAX);
			if (kind != LARGE)
				assert_true(spent_pages(&w) > 0 && w.taken[0] == limit_of(&w, 0));
			if (kind != LARGE)
				small_hosts_are_whole(&w);
			end(&w);
		}
}

static void a_host_without_end_takes_a_tenth_and_a_linked_one_more(void **state)
{
	struct web w = {.kind = CHAIN, .pages = 20000, .most = 0.5};

	(void)state;
	begin(&w, &policy_bfs);
	seed_all(&w);
	crawl(&w, UINT32_MAX);
	small_hosts_are_whole(&w);
	assert_int_equal(w.taken[0], 2300);
	end(&w);
	w = (struct web){.kind = LARGE, .pages = 4000, .most = 0.5};
	begin(&w, &policy_bfs);
	seed_all(&w);
	crawl(&w, UINT32_MAX);
	small_hosts_are_whole(&w);
	assert_int_equal(w.taken[0], (int)(4000 / 60. + (4000 - 4000 / 60.) / 2));
	assert_int_equal(frontier_next_time(w.f), FRONTIER_NEVER);
	end(&w);
}

static void every_share_is_kept_and_one_turns_the_rule_off(void **state)
{
	static const double shares[] = {0.001, 0.1, 0.7, 1};

	(void)state;
	for (int kind = 0; kind < KINDS; kind++)
		for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
			struct web w = {.kind = (enum kind)kind, .pages = 4000, .most = shares[i]};
			begin(&w, &policy_opic);
			seed_all(&w);
			crawl(&w, UINT32_MAX);
			if (shares[i] == 1)
				assert_int_equal(w.n_order, 4000);
			if (kind != LARGE || shares[i] < 0.7)
				small_hosts_are_whole(&w);
			end(&w);
		}
}

static void the_host_of_all_seeds_has_no_limit_and_the_hosts_it_leads_to_have(void **state)
{
	struct web w = {.kind = CHAIN, .pages = 4000, .most = 0.5, .one_seed = 1, .unlimited = 1};
	uint32_t id;

	(void)state;
	begin(&w, &policy_bfs);
	seed_all(&w);
	crawl(&w, UINT32_MAX);
	small_hosts_are_whole(&w);
	assert_int_equal(w.n_order, 4000);
	end(&w);
	/* a seed that redirects: the crawl is about the host that it leads to */
	for (int late = 0; late < 2; late++) {
		w = (struct web){.kind = CHAIN, .pages = 2200, .most = 0.5, .unlimited = !late};
		begin(&w, &policy_bfs);
		const uint32_t seed = page_of(5, 0), other = page_of(5, 1);
		frontier_seed(w.f, &seed, 1);
		frontier_seed(w.f, &other, 1);
		w.links[0] = 1;
		for (int i = 0; i < 2; i++) {
			assert_int_equal(frontier_take(w.f, 0, &id), 1);
			if (i == 1)
				end_redirected(w.f, id, page_of(0, 0), 0);
			else if (late)
				assert_int_equal(end_crawled(w.f, id, NULL, 0, 0), 0);
			else
				end_failed(w.f, id, 0);
		}
		meet(&w, 5);
		meet(&w, 0);
		crawl(&w, UINT32_MAX);
		assert_int_equal(w.taken[0], late ? 1100 + 110 : 2200);
		end(&w);
	}
}

static void bytes_are_shared_as_pages_are(void **state)
{
	struct web w = {.kind = CHAIN, .bytes = 6000000, .most = 0.5};

	(void)state;
	begin(&w, &policy_bfs);
	seed_all(&w);
	crawl(&w, 8000);
	small_hosts_are_whole(&w);
	/* 100,000 bytes of its own, and a tenth of the rest; a page has 300 */
	assert_in_range(w.taken[0], 690000 / 300, 690000 / 300 + 2);
	end(&w);
	w = (struct web){.kind = LARGE, .bytes = 1000000, .most = 0.5};
	begin(&w, &policy_bfs);
	seed_all(&w);
	crawl(&w, 8000);
	assert_in_range(w.taken[0], 508333 / 300, 508333 / 300 + 2);
	end(&w);
}

static void a_spent_host_goes_on_when_it_has_proven_more(void **state)
{
	struct web w = {.kind = CHAIN, .pages = 20000, .most = 0.5};
	const uint32_t seed = page_of(1, 40);
	uint32_t id, found;

	(void)state;
	begin(&w, &policy_bfs);
	seed_all(&w);
	crawl(&w, UINT32_MAX);
	assert_int_equal(spent_pages(&w), 1);
	assert_int_equal(frontier_take(w.f, w.now, &id), 0);
	frontier_seed(w.f, &seed, 1);
	assert_int_equal(frontier_take(w.f, w.now, &id), 1);
	assert_int_equal(id, seed);
	const uint32_t next = page_of(0, w.taken[0]);
	assert_int_equal(frontier_state(w.f, next), PAGE_QUEUED);
	assert_int_equal(end_crawled(w.f, id, &next, 1, w.now), 0);
	assert_int_equal(spent_pages(&w), 0);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(frontier_take(w.f, w.now, &id), 1);
		assert_int_equal(id, page_of(0, w.taken[0] + (uint32_t)i));
		found = page_of(0, w.taken[0] + (uint32_t)i + 1);
		if (i == 0) { /* a page that redirects takes nothing of the budget */
			end_redirected(w.f, id, found, w.now);
			continue;
		}
		assert_int_equal(end_crawled(w.f, id, &found, 1, w.now), 0);
	}
	assert_int_equal(frontier_take(w.f, w.now, &id), 0);
	assert_int_equal(spent_pages(&w), 1);
	end(&w);
}

static int defers(void *ctx, uint32_t id)
{
	(void)ctx;
	return id % HOSTS == 1 && id > HOSTS;
}

static void deferred_pages_of_others_do_not_wait_for_a_spent_host(void **state)
{
	const struct frontier_world world = {.host = host_of, .defers = defers};
	struct web w = {.kind = FAN, .pages = 4000, .most = 0.001};
	const struct policy *p = &policy_bfs;

	(void)state;
	opt_init(&w.opts, p->opts, p->name);
	const struct frontier_settings s = {.policy = p,
		.opts = &w.opts,
		.deferred_last = 1,
		.budget = {4000, 0, 0.001},
		.per_host = 2};
	assert_int_equal(frontier_new(&w.f, &s, &world, NULL), 0);
	w.links = mem_zero(IDS, 1);
	seed_all(&w);
	crawl(&w, UINT32_MAX);
	assert_true(spent_pages(&w) > 0);
	small_hosts_are_whole(&w); /* the deferred pages, too */
	end(&w);
}

/* Tells a frontier what a log tells of a crawl: which pages were taken, and how they ended. */
static void retell(struct web *again, const struct web *whole)
{
	frontier_restore_begin(again->f);
	seed_all(again);
	for (uint32_t i = 0; i < whole->n_events; i++) {
		if (!whole->event[i]) {
			land_first(again);
			continue;
		}
		const uint32_t id = whole->event[i] - 1;
		frontier_retake(again->f, id);
		again->taken[id % HOSTS]++;
		again->n_order++;
		again->flying[again->n] = id;
		again->until[again->n++] = 0;
	}
	frontier_restore_end(again->f);
	again->now = whole->now;
}

static void a_crawl_that_is_retold_goes_on_as_the_unbroken_one(void **state)
{
	(void)state;
	for (int kind = 0; kind < KINDS; kind++)
		for (uint32_t broken = 20; broken < 3000; broken += 700) {
			struct web whole = {.kind = (enum kind)kind, .pages = 3200, .most = 0.3}, again = whole;
			begin(&whole, &policy_opic);
			seed_all(&whole);
			crawl(&whole, broken);
			while (whole.n)
				land_first(&whole);
			begin(&again, &policy_opic);
			retell(&again, &whole);
			const uint32_t from = whole.n_order;
			crawl(&whole, UINT32_MAX);
			crawl(&again, UINT32_MAX);
			assert_int_equal(again.n_order, whole.n_order);
			assert_memory_equal(again.order + from, whole.order + from, (whole.n_order - from) * sizeof *whole.order);
			end(&whole);
			end(&again);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_host_takes_more_than_its_limit_under_any_policy),
		cmocka_unit_test(a_host_without_end_takes_a_tenth_and_a_linked_one_more),
		cmocka_unit_test(every_share_is_kept_and_one_turns_the_rule_off),
		cmocka_unit_test(the_host_of_all_seeds_has_no_limit_and_the_hosts_it_leads_to_have),
		cmocka_unit_test(bytes_are_shared_as_pages_are),
		cmocka_unit_test(a_spent_host_goes_on_when_it_has_proven_more),
		cmocka_unit_test(deferred_pages_of_others_do_not_wait_for_a_spent_host),
		cmocka_unit_test(a_crawl_that_is_retold_goes_on_as_the_unbroken_one),
	};

	return cmocka_run_group_tests_name("share", tests, NULL, NULL);
}
