/* Snapshots of a frontier: for every policy, a crawl that is broken off goes on in the same order with the same keys, whether all
 * events are retold or a snapshot is loaded and only the events since are. */
#include "tests/seeds/ends.h"
#include "tests/agents/made_sights.h"
#include "tests/policies/policy_run.h"

#include "base/buf.h"
#include "frontier/snapshot.h"

#define NODES     160
#define IN_FLIGHT 3
#define LATER     40 /* events that a delayed page waits for */

struct crawl_of {
	const struct graph *g;
	const struct policy *policy;
	struct opt_set opts;
	struct frontier *f;
	struct source *source;
};

static const uint32_t seeds[] = {3, 50, 7};
static const struct frontier_settings usual = {.batch = 7, .rng_seed = 5, .per_host = 2};
static struct frontier_settings given; /* begin() goes by it */
static uint32_t hosts[NODES];
static double scores[NODES];
static uint8_t kinds[NODES * 5]; /* of the links of any page */

static int is_outside(void *ctx, uint32_t id)
{
	(void)ctx;
	return id % 23 == 5;
}

static void begin(struct crawl_of *c, const struct graph *g, const struct policy *policy)
{
	struct frontier_world world;
	struct err_note why;

	*c = (struct crawl_of){.g = g, .policy = policy};
	c->source = graph_source_new(&(struct graph_world){.g = g, .host = hosts});
	c->source->ops->world(c->source, &world);
	world.outside = is_outside;
	made_sights(&world, hosts);
	opt_init(&c->opts, policy->opts, policy->name);
	struct frontier_settings s = given.batch ? given : usual;
	s.policy = policy;
	s.opts = &c->opts;
	s.oracle = scores;
	s.total += g->nodes;
	assert_int_equal(frontier_new(&c->f, &s, &world, &why), 0);
}

static void end(struct crawl_of *c)
{
	frontier_free(c->f);
	c->source->ops->close(c->source);
	opt_release(&c->opts);
}

/* --- the events of a crawl */

struct happening {
	uint32_t id;
	int is_take;
	struct frontier_end end; /* its links are those of the page, its times those of the crawl */
};

static struct frontier_end draw_end(const struct graph *g, uint32_t id, int64_t now, struct rng *dice)
{
	struct frontier_end end = {.state = PAGE_CRAWLED, .at = now, .not_before = now};

	switch (rng_below(dice, 14)) {
	case 0:
		end.state = PAGE_FAILED;
		break;
	case 1:
		end.state = PAGE_REFUSED;
		end.request = FRONTIER_NOT_ASKED;
		break;
	case 2:
		end.state = PAGE_REDIRECTED;
		end.target = (uint32_t)((id + 1 + rng_below(dice, g->nodes - 1)) % g->nodes);
		break;
	case 3:
		end.state = PAGE_QUEUED;
		end.not_before = now + (int64_t)rng_below(dice, 2) * LATER;
		end.has_failed = 1;
		break;
	case 4:
		end.state = PAGE_QUEUED;
		end.request = FRONTIER_NOT_ASKED;
		end.is_deferred = 1;
		break;
	default:
		end.links = graph_row(g, id);
		end.kinds = kinds + id % 7;
		end.n_links = graph_outdegree(g, id);
	}
	return end;
}

/* Makes the next event of a crawl: 1, or 0 at its end. At most IN_FLIGHT pages are in flight, and end in their order. */
static int happen(struct crawl_of *c, uint32_t *flying, size_t *n, int64_t now, struct rng *dice, struct happening *h)
{
	*h = (struct happening){.id = 0};
	if (*n < IN_FLIGHT && frontier_take(c->f, now, &h->id)) {
		h->is_take = 1;
		flying[(*n)++] = h->id;
		return 1;
	}
	if (!*n)
		return 0;
	h->id = flying[0];
	memmove(flying, flying + 1, --*n * sizeof *flying);
	h->end = draw_end(c->g, h->id, now, dice);
	assert_int_equal(frontier_ended(c->f, h->id, &h->end), 0);
	return 1;
}

/* Tells a frontier that is being restored at `now` of an event. */
static void retell(struct crawl_of *c, const struct happening *h, int64_t now)
{
	struct frontier_end end = h->end;

	end.at = now;
	if (h->is_take)
		frontier_retake(c->f, h->id);
	else
		assert_int_equal(frontier_ended(c->f, h->id, &end), 0);
}

static void take_bytes(void *ctx, const void *bytes, size_t n)
{
	buf_add(ctx, bytes, n);
}

static void save(const struct crawl_of *c, struct buf *out)
{
	buf_clear(out);
	if (frontier_can_save(c->f))
		frontier_save(c->f, 0, take_bytes, out);
}

/* The pages that were in flight are queued again. */
static void land(struct crawl_of *c, const uint32_t *flying, size_t n, int64_t now)
{
	for (size_t i = 0; i < n; i++)
		end_as(c->f, flying[i],
			(struct frontier_end){.state = PAGE_QUEUED, .at = now, .not_before = now, .request = FRONTIER_NOT_ASKED});
}

/* Both crawls go on to their ends, and give the same pages with the same keys. */
static void same_to_the_end(struct crawl_of *a, struct crawl_of *b, int64_t now, const struct rng *dice)
{
	struct rng of_a = *dice, of_b = *dice;
	uint32_t flying_a[IN_FLIGHT], flying_b[IN_FLIGHT];
	size_t n_a = 0, n_b = 0, events = 0;
	struct happening x, y;

	for (;; now++) {
		const int goes_on = happen(a, flying_a, &n_a, now, &of_a, &x);
		assert_int_equal(happen(b, flying_b, &n_b, now, &of_b, &y), goes_on);
		if (!goes_on)
			break;
		events++;
		assert_int_equal(x.id, y.id);
		assert_int_equal(x.is_take, y.is_take);
		const double key_a = frontier_key(a->f, x.id), key_b = frontier_key(b->f, y.id);
		assert_memory_equal(&key_a, &key_b, sizeof key_a);
	}
	struct frontier_counts of[2];
	frontier_count(a->f, &of[0]);
	frontier_count(b->f, &of[1]);
	assert_int_equal(of[0].crawled, of[1].crawled);
	assert_int_equal(of[0].seen, of[1].seen);
	assert_int_equal(of[0].refused, of[1].refused);
	assert_ptr_equal(frontier_policy(a->f), frontier_policy(b->f));
}

/* A crawl with a snapshot after `saved` events, broken off after `all`. Returns 1, or 0 where it ended before. */
static int break_off(const struct graph *g, const struct policy *policy, size_t saved, size_t all)
{
	struct happening *h = mem_new(all + 1, sizeof *h);
	struct crawl_of live, retold, loaded;
	uint32_t flying[IN_FLIGHT];
	struct buf bytes = BUF_EMPTY;
	struct err_note why;
	struct rng dice = {saved * 1000 + all};
	size_t n_flying = 0, n = 0;

	begin(&live, g, policy);
	frontier_seed(live.f, seeds, sizeof seeds / sizeof *seeds);
	while (n < all && happen(&live, flying, &n_flying, (int64_t)n, &dice, &h[n]))
		if (++n == saved)
			save(&live, &bytes);
	const int64_t now = (int64_t)n;
	if (n == all && bytes.used) {
		begin(&retold, g, policy);
		frontier_restore_begin(retold.f);
		frontier_seed(retold.f, seeds, sizeof seeds / sizeof *seeds);
		for (size_t i = 0; i < n; i++)
			retell(&retold, &h[i], now);
		land(&retold, flying, n_flying, now);
		frontier_restore_end(retold.f);
		begin(&loaded, g, policy);
		frontier_restore_begin(loaded.f);
		if (frontier_can_load(loaded.f, NODES, bytes.at, bytes.used, &why))
			fail_msg("%s: %s", policy->name, why.text);
		frontier_load(loaded.f, now, INT64_MAX, bytes.at, bytes.used);
		for (size_t i = saved; i < n; i++)
			retell(&loaded, &h[i], now);
		land(&loaded, flying, n_flying, now);
		frontier_restore_end(loaded.f);
		same_to_the_end(&retold, &loaded, now, &dice);
		end(&retold);
		end(&loaded);
	}
	end(&live);
	buf_release(&bytes);
	free(h);
	return n == all;
}

static void make_graph(struct graph *g)
{
	struct rng r = {4};
	uint32_t from[NODES * 5], to[NODES * 5];

	for (uint32_t i = 0; i < NODES * 5; i++) {
		from[i] = (uint32_t)rng_below(&r, NODES);
		to[i] = (uint32_t)rng_below(&r, NODES);
	}
	graph_from_arcs(g, NODES, from, to, NODES * 5);
	for (uint32_t i = 0; i < NODES; i++) {
		hosts[i] = i % 6;
		scores[i] = (double)(i * 37 % 101);
	}
	for (uint32_t i = 0; i < sizeof kinds; i++)
		kinds[i] = (uint8_t)(i * 5 % 4);
}

static void break_off_everywhere(const struct graph *g, const struct policy *policy)
{
	static const size_t saved[] = {1, 2, 9, 40, 111, 200}, later[] = {0, 1, 30, 90};

	for (size_t i = 0; i < sizeof saved / sizeof *saved; i++)
		for (size_t k = 0; k < sizeof later / sizeof *later; k++)
			break_off(g, policy, saved[i], saved[i] + later[k]);
	assert_true(break_off(g, policy, 9, 99)); /* crawls are long enough */
}

static void every_policy_goes_on_as_if_all_were_retold(void **state)
{
	struct graph g;

	(void)state;
	make_graph(&g);
	for (size_t i = 0; policies[i]; i++)
		break_off_everywhere(&g, policies[i]);
	graph_release(&g);
}

static void chains_go_on_in_the_turn_of_the_snapshot(void **state)
{
	static const char *const specs[] = {"bfs:15,opic", "ieca:10,fica:40,backlink", "partial-pagerank:30,echo", "opic:60,dfs"};
	struct err_note why;
	struct graph g;

	(void)state;
	make_graph(&g);
	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
		const struct policy *p;
		assert_int_equal(policy_find(specs[i], &p, &why), 0);
		break_off_everywhere(&g, p);
		policy_free(p);
	}
	graph_release(&g);
}

static void hosts_go_on_with_their_shares(void **state)
{
	struct graph g;

	(void)state;
	make_graph(&g);
	for (int i = 1; i <= 3; i++) {
		given = usual;
		given.budget = (struct frontier_budget){.pages = 40u * (unsigned)i, .most = 0.2};
		for (size_t saved = 1; saved < 200; saved += 23) {
			break_off(&g, &policy_opic, saved, saved + 30);
			break_off(&g, &policy_bfs, saved, saved);
		}
	}
	given.batch = 0;
	graph_release(&g);
}

static void done_with_memory(const struct policy_call *c)
{
	(void)c;
}

static void every_policy_has_snapshots_but_one_with_memory_of_its_own(void **state)
{
	struct policy own = policy_opic;
	struct crawl_of c;
	struct graph g;

	(void)state;
	own.done = done_with_memory;
	make_graph(&g);
	for (size_t i = 0; policies[i]; i++) {
		begin(&c, &g, policies[i]);
		assert_true(frontier_can_save(c.f));
		end(&c);
	}
	begin(&c, &g, &own);
	assert_false(frontier_can_save(c.f));
	end(&c);
	graph_release(&g);
}

static int is_even(void *ctx, uint32_t id)
{
	(void)ctx;
	return id % 2 == 0;
}

static void an_agents_frontier_has_no_snapshot(void **state)
{
	const struct frontier_world world = {.is_remote = is_even};
	struct opt_set opts;
	struct frontier *f;
	const uint32_t seed = 1;

	(void)state;
	opt_init(&opts, policy_opic.opts, "opic");
	const struct frontier_settings s = {.policy = &policy_opic, .opts = &opts, .batch = 10, .per_host = 1};
	assert_int_equal(frontier_new(&f, &s, &world, NULL), 0);
	frontier_seed(f, &seed, 1);
	assert_false(frontier_can_save(f));
	frontier_free(f);
	opt_release(&opts);
}

static void what_is_of_another_crawl_or_damaged_is_not_loaded(void **state)
{
	const struct policy *opic = &policy_opic, *backlink = &policy_backlink;
	struct buf bytes = BUF_EMPTY;
	struct crawl_of c, other;
	struct err_note why;
	struct happening h;
	uint32_t flying[IN_FLIGHT];
	struct rng dice = {8};
	struct graph g;
	size_t n = 0;

	(void)state;
	make_graph(&g);
	begin(&c, &g, opic);
	frontier_seed(c.f, seeds, 3);
	for (int64_t now = 0; now < 90; now++)
		assert_int_equal(happen(&c, flying, &n, now, &dice, &h), 1);
	save(&c, &bytes);
	begin(&other, &g, backlink);
	frontier_restore_begin(other.f);
	assert_int_equal(frontier_can_load(other.f, NODES, bytes.at, bytes.used, &why), ERR_OTHER);
	assert_non_null(strstr(why.text, "another policy"));
	end(&other);
	begin(&other, &g, opic);
	frontier_restore_begin(other.f);
	assert_int_equal(frontier_can_load(other.f, NODES, bytes.at, bytes.used, &why), 0);
	assert_int_equal(frontier_can_load(other.f, 20, bytes.at, bytes.used, &why), ERR_OTHER);
	for (size_t cut = 0; cut < bytes.used; cut++)
		assert_int_equal(frontier_can_load(other.f, NODES, bytes.at, cut, &why), ERR_OTHER);
	end(&other);
	/* of a crawl with the same policy and one other setting */
	for (int i = 0; i < 4; i++) {
		given = usual;
		given.batch += i == 0;
		given.rng_seed += i == 1;
		given.total += i == 2;
		begin(&other, &g, opic);
		frontier_restore_begin(other.f);
		const int err = frontier_can_load(other.f, NODES, bytes.at, bytes.used, &why);
		assert_int_equal(err, i < 3 ? ERR_OTHER : 0);
		if (err)
			assert_non_null(strstr(why.text, "other settings"));
		end(&other);
	}
	given.batch = 0;
	begin(&other, &g, opic);
	/* with any byte changed it is refused, or its numbers are still possible ones */
	for (size_t i = 0; i < bytes.used; i++) {
		struct crawl_of again;
		const char was = bytes.at[i];
		bytes.at[i] = (char)(was ^ (1 << i % 8));
		begin(&again, &g, opic);
		frontier_restore_begin(again.f);
		if (!frontier_can_load(again.f, NODES, bytes.at, bytes.used, &why)) {
			frontier_load(again.f, 90, INT64_MAX, bytes.at, bytes.used);
			land(&again, flying, frontier_in_flight(again.f) == n ? n : 0, 90);
			frontier_restore_end(again.f);
		}
		end(&again);
		bytes.at[i] = was;
	}
	end(&other);
	end(&c);
	buf_release(&bytes);
	graph_release(&g);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_policy_goes_on_as_if_all_were_retold),
		cmocka_unit_test(chains_go_on_in_the_turn_of_the_snapshot),
		cmocka_unit_test(hosts_go_on_with_their_shares),
		cmocka_unit_test(every_policy_has_snapshots_but_one_with_memory_of_its_own),
		cmocka_unit_test(an_agents_frontier_has_no_snapshot),
		cmocka_unit_test(what_is_of_another_crawl_or_damaged_is_not_loaded),
	};

	return cmocka_run_group_tests_name("snapshot", tests, NULL, NULL);
}
