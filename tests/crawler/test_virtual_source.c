/* A crawl in virtual time, against a second simulator that looks at everything at every step. */
#include "tests/test.h"

#include "crawler/crawl.h"
#include "crawler/knowledge/outages.h"
#include "lab/replay/virtual_source.h"
#include "policies/policies.h"
#include "tests/graph/graphs.h"
#include "tests/lab/slow_crawl.h"

struct diary {
	struct told told[SLOW_EVENTS];
	size_t n;
};

static int note(void *ctx, const struct result *e, struct err_note *why)
{
	struct diary *d = ctx;

	(void)why;
	assert_true(d->n < SLOW_EVENTS);
	d->told[d->n++] = (struct told){e->id, e->outcome, e->state, e->status, e->started, e->ended};
	return 0;
}

static void crawl(const struct slow_settings *set, const struct changing *changing, struct diary *d)
{
	static const struct opt_set none;
	struct source *source = virtual_source_new(&(struct virtual_source_settings){.world = {.g = set->g, .host = set->host},
		.hosts = set->hosts,
		.web = set->web,
		.changing = changing,
		.parallel = set->parallel,
		.tries = set->tries,
		.timeout_ms = set->timeout_ms,
		.give_up_ms = set->give_up_ms});
	const struct frontier_settings settings = {.policy = set->by_backlinks ? &policy_backlink : &policy_bfs,
		.opts = &none,
		.batch = 1,
		.delay_ms = set->delay_ms,
		.per_host = set->per_host,
		.slow_factor = set->slow_factor};
	const struct observer observer = {.ctx = d, .event = note};
	struct frontier_world world;
	struct frontier *f;
	struct err_note why;

	source->ops->world(source, &world);
	assert_int_equal(frontier_new(&f, &settings, &world, &why), 0);
	assert_int_equal(frontier_seed(f, set->seeds, set->n_seeds), set->n_seeds);
	struct crawl c = {.frontier = f, .source = source, .observers = &observer, .n_observers = 1};
	d->n = 0;
	assert_int_equal(crawl_run(&c, &why), 0);
	source->ops->close(source);
	frontier_free(f);
}

static void agree(const struct slow_settings *set, const struct changing *changing, struct diary *fast, unsigned run)
{
	static struct told slow[SLOW_EVENTS];
	const size_t n = slow_crawl(set, slow);

	crawl(set, changing, fast);
	for (size_t i = 0; i < n && i < fast->n; i++) {
		const struct told *a = &slow[i], *b = &fast->told[i];
		if (a->id == b->id && a->outcome == b->outcome && a->state == b->state && a->status == b->status &&
			a->started == b->started && a->ended == b->ended)
			continue;
		fail_msg("run %u, event %zu: page %u %s %s %u [%lld, %lld], but by the second simulator "
			 "page %u %s %s %u [%lld, %lld]",
			run, i, b->id, outcome_word(b->outcome), page_state_name(b->state), b->status, (long long)b->started,
			(long long)b->ended, a->id, outcome_word(a->outcome), page_state_name(a->state), a->status,
			(long long)a->started, (long long)a->ended);
	}
	assert_int_equal(n, fast->n);
}

/* Settings of all kinds: a third of them without faults, a third with silent hosts. */
static struct virtual_web_settings draw_web(struct rng *r, unsigned run)
{
	struct virtual_web_settings web = {.seed = run,
		.latency = {(double)rng_below(r, 3) * 150, rng_unit(r)},
		.bandwidth = {(double)rng_below(r, 2) * 30000, rng_unit(r)},
		.size = {8000, rng_unit(r)},
		.addresses = (uint32_t)rng_below(r, 6),
		.crawl_delay = rng_below(r, 2) ? 0.3 : 0,
		.crawl_delay_ms = run % 5 ? 4000 : 100000,
		.disallow = rng_below(r, 2) ? 0.1 : 0,
		.dead = run % 3 == 2 ? 0.2 : 0,
		.outage = run % 3 == 2 ? 0.3 : 0,
		.outage_ms = 20000,
		.is_busy = run % 2 == 1,
		.faults = {.seed = run, .slow_ms = 700, .retry_after = 3}};

	for (int i = FAULT_404; run % 3 && i <= FAULT_SLOW; i++)
		web.faults.share[i] = 0.05;
	return web;
}

#define MONTHS 4

/* Months of 20 s, in each of which the pages have other links. */
static struct changing *draw_changes(struct slow_settings *set, struct rng *r)
{
	struct graph *month = mem_new(MONTHS, sizeof *month);

	for (int i = 0; i < MONTHS; i++)
		random_graph(&month[i], r, set->g->nodes, 1 + (uint32_t)rng_below(r, 4));
	set->month = month;
	set->n_months = MONTHS;
	set->month_ms = 20000;
	return changing_series(month, MONTHS, 20);
}

static void every_event_is_that_of_a_second_simulator(void **state)
{
	static struct diary fast;
	static uint32_t host[SLOW_PAGES];
	struct rng r = {11};
	size_t events = 0;

	(void)state;
	for (unsigned run = 0; run < 240; run++) {
		const struct virtual_web_settings web = draw_web(&r, run);
		const uint32_t seeds[] = {0, 7, 19};
		struct graph g;
		random_graph(&g, &r, 20 + (uint32_t)rng_below(&r, SLOW_PAGES - 20), 4);
		struct slow_settings set = {.g = &g,
			.host = host,
			.hosts = 1 + (uint32_t)rng_below(&r, SLOW_HOSTS),
			.web = &web,
			.parallel = 1 + (uint32_t)rng_below(&r, 20),
			.per_host = 1 + (uint32_t)rng_below(&r, 3) / 2,
			.tries = 1 + (unsigned)rng_below(&r, 4),
			.timeout_ms = (int64_t[]){60000, 900, 0}[rng_below(&r, 3)],
			.give_up_ms = rng_below(&r, 2) ? OUTAGE_GIVE_UP_MS : 30000,
			.delay_ms = (int64_t)rng_below(&r, 3) * 800,
			.slow_factor = (double)rng_below(&r, 2) * 2,
			.by_backlinks = (int)rng_below(&r, 2),
			.seeds = seeds,
			.n_seeds = 3};
		for (uint32_t v = 0; v < g.nodes; v++)
			host[v] = (uint32_t)rng_below(&r, set.hosts);
		struct changing *changing = run % 4 == 3 ? draw_changes(&set, &r) : NULL;
		agree(&set, changing, &fast, run);
		changing_free(changing);
		events += fast.n;
		graph_release(&g);
	}
	assert_true(events > 240 * 40);
}

/* A host with a page that links to all others. */
struct busy_host {
	uint32_t left, failed; /* pages that are known and not done yet; that are lost */
	unsigned busy;         /* answers that cost no try */
};

static int watch(void *ctx, const struct result *e, struct err_note *why)
{
	struct busy_host *h = ctx;

	(void)why;
	h->busy += e->outcome == OUTCOME_BUSY;
	h->failed += e->state == PAGE_FAILED || e->state == PAGE_REFUSED;
	h->left -= e->state == PAGE_FAILED || e->state == PAGE_CRAWLED;
	h->left += e->state == PAGE_CRAWLED ? (uint32_t)e->n : 0;
	return 0;
}

/* The shapes of a host: each page links to the next; or the first links to all others; or it links to two, one of which links to
 * all pages that fail for ever, the other to all others, in either order. */
enum shape { CHAIN, STAR, FAULTS_FIRST, FAULTS_LAST };

/* The page that links to this one. */
static uint32_t parent(uint32_t page, const struct fault_settings *faults, enum shape shape)
{
	if (shape == CHAIN)
		return page - 1;
	if (shape == STAR || page < 3)
		return 0;
	return (fault_answer(faults, page) != FAULT_NONE) == (shape == FAULTS_FIRST) ? 1 : 2;
}

/* A crawl of one host of n pages. */
static void crawl_host(struct busy_host *h, const struct virtual_web_settings *web, uint32_t n, enum shape shape)
{
	static const struct opt_set none;
	uint32_t *from = mem_new(n, sizeof *from), *to = mem_new(n, sizeof *to);
	struct frontier_world world;
	struct frontier *f;
	struct err_note why;
	struct graph g;

	for (uint32_t i = 0; i < n - 1; i++) {
		from[i] = parent(i + 1, &web->faults, shape);
		to[i] = i + 1;
	}
	graph_from_arcs(&g, n, from, to, n - 1);
	struct source *source = virtual_source_new(&(struct virtual_source_settings){.world = {.g = &g},
		.hosts = 1,
		.web = web,
		.parallel = 4,
		.tries = 3,
		.timeout_ms = 60000,
		.give_up_ms = OUTAGE_GIVE_UP_MS});
	const struct frontier_settings settings = {.policy = &policy_bfs,
		.opts = &none,
		.batch = 1,
		.delay_ms = 1000,
		.per_host = 2};
	const struct observer observer = {.ctx = h, .event = watch};

	*h = (struct busy_host){.left = 1};
	source->ops->world(source, &world);
	assert_int_equal(frontier_new(&f, &settings, &world, &why), 0);
	assert_int_equal(frontier_seed(f, &(uint32_t){0}, 1), 1);
	struct crawl c = {.frontier = f, .source = source, .observers = &observer, .n_observers = 1};
	assert_int_equal(crawl_run(&c, &why), 0);
	source->ops->close(source);
	frontier_free(f);
	graph_release(&g);
	free(from);
	free(to);
}

static int begins_silent(const struct virtual_web_settings *set)
{
	struct virtual_web web;

	virtual_web_init(&web, set, 1);
	const int answers = virtual_web_answers(&web, 0, 200);
	virtual_web_release(&web);
	return !answers;
}

/* The host flaps: it is out of order two fifths of its time, in some runs from the first request on, its robots.txt with it. */
static void no_page_is_lost_while_its_host_is_ill(void **state)
{
	enum { PAGES = 200, RUNS = 60 };
	unsigned busy = 0;

	(void)state;
	for (uint64_t seed = 0; seed < RUNS; seed++) {
		const struct virtual_web_settings web = {.seed = seed,
			.latency = {50, 0},
			.outage = 0.4,
			.outage_ms = 12000,
			.is_busy = seed % 3 != 0};
		struct busy_host h;
		if (!web.is_busy && begins_silent(&web))
			continue; /* a host that has never answered, not even with an error, is given up soon */
		crawl_host(&h, &web, PAGES, seed % 2 ? CHAIN : STAR);
		if (h.failed || h.left)
			fail_msg("seed %u: %u pages failed, %u are left", (unsigned)seed, h.failed, h.left);
		busy += h.busy;
	}
	assert_true(busy > 5 * RUNS);
}

/* A tenth of the pages has a server error for ever: they fail, and the others come. */
static void pages_that_fail_for_ever_end_although_their_host_is_ill_at_times(void **state)
{
	enum { PAGES = 200, RUNS = 20 };

	(void)state;
	for (uint64_t seed = 0; seed < RUNS; seed++) {
		const struct virtual_web_settings web = {.seed = seed,
			.latency = {50, 0},
			.outage = 0.2,
			.outage_ms = 12000,
			.is_busy = 1,
			.faults = {.share[FAULT_500] = 0.1, .seed = seed}};
		struct busy_host h;
		uint32_t bad = 0;
		for (uint32_t page = 0; page < PAGES; page++)
			bad += fault_answer(&web.faults, page) == FAULT_500;
		if (fault_answer(&web.faults, 0))
			continue;
		crawl_host(&h, &web, PAGES, STAR);
		assert_int_equal(h.left, 0);
		assert_int_equal(h.failed, bad);
	}
}

/* Half of the pages, or more, answer 503 for ever, each here and there, or all of them before or behind the others, as a section of
 * a site that is out of order. */
static void half_of_a_site_that_is_busy_for_ever_fails_and_the_rest_comes(void **state)
{
	enum { PAGES = 300, RUNS = 200 };
	int runs = 0;

	(void)state;
	for (uint64_t seed = 0; seed < RUNS; seed++) {
		const struct virtual_web_settings web = {.seed = seed,
			.latency = {50, 0},
			.faults = {.share[FAULT_BUSY] = seed % 2 ? 0.5 : 0.7, .seed = seed}};
		struct busy_host h;
		uint32_t bad = 0;
		for (uint32_t page = 0; page < PAGES; page++)
			bad += fault_answer(&web.faults, page) == FAULT_BUSY;
		if (fault_answer(&web.faults, 0) || fault_answer(&web.faults, 1) || fault_answer(&web.faults, 2))
			continue;
		runs++;
		const enum shape shape = STAR + seed / 2 % 3;
		crawl_host(&h, &web, PAGES, shape);
		/* pages that come last, and all of them busy, cannot be told from a host that is ill: they may stay queued */
		if (h.left + h.failed != bad || (h.left && shape != FAULTS_LAST))
			fail_msg("seed %u: %u of %u pages failed, %u are left", (unsigned)seed, h.failed, bad, h.left);
	}
	assert_in_range(runs, 10, RUNS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_page_is_lost_while_its_host_is_ill),
		cmocka_unit_test(pages_that_fail_for_ever_end_although_their_host_is_ill_at_times),
		cmocka_unit_test(half_of_a_site_that_is_busy_for_ever_fails_and_the_rest_comes),
		cmocka_unit_test(every_event_is_that_of_a_second_simulator),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
