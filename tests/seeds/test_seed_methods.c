/* Seed methods: the worked example, the algorithms as they are written down on random graphs, and
 * the contract that every method of the table keeps. */
#include "tests/seeds/seeding.h"

#include "base/mem.h"
#include "graph/kernels/scc.h"
#include "seeds/best.h"
#include "seeds/ball.h"
#include "seeds/values.h"
#include "tests/graph/graphs.h"

enum { MOST = 60 };

static void same_seeds(const struct seed_output *out, const uint32_t *want, size_t n)
{
	assert_int_equal(out->n, n);
	assert_memory_equal(out->seed, want, n * sizeof *want);
}

static void the_worked_example_has_its_seeds(void **state)
{
	static const struct {
		const char *method;
		size_t k;
		const char *opts[3];
		uint32_t want[8], n;
		uint32_t hops, pages;
		int64_t value; /* in tenths */
	} cases[] = {
		{"random", 3, {"hops=1"}, {6, 9, 11}, 3, 1, 6, 65},
		{"random", 3, {"hops=2"}, {6, 9, 11}, 3, 2, 6, 65},
		{"pagerank", 3, {"hops=1"}, {9, 7, 11}, 3, 1, 5, 55},
		{"pagerank", 12, {"tol=1e-13"}, {9, 7, 11, 6, 8, 10, 1, 2}, 12, 2, 12, 125},
		{"pagerank", 3, {"hops=2"}, {9, 7, 11}, 3, 2, 5, 55},
		{"outdegree", 3, {"hops=1"}, {1, 2, 9}, 3, 1, 11, 115},
		{"outdegree", 3, {"hops=2"}, {1, 2, 9}, 3, 2, 11, 115},
		{"maxout", 3, {"hops=1"}, {1, 9, 0}, 3, 1, 12, 125},
		{"maxout", 3, {"hops=2"}, {1, 9, 0}, 3, 2, 12, 125},
		{"maxout", 9, {"hops=2"}, {1, 9, 0}, 3, 2, 12, 125},
		{"maxweight", 3, {"hops=1"}, {7, 0, 2}, 3, 1, 8, 170},
		{"maxweight", 3, {"hops=2"}, {7, 0, 2}, 3, 2, 9, 205},
		{"maxweight", 3, {"hops=2", "depth=3"}, {0, 8, 2}, 3, 2, 8, 170},
		{"maxweight", 12, {"hops=2", "stop-nonpositive=1"}, {7, 0}, 2, 2, 9, 205},
		{"maxweight", 12, {"hops=2"}, {7, 0, 2, 4, 5, 6, 8, 1}, 8, 2, 12, 125},
		{"maxscc", 3, {"hops=1"}, {7, 8, 10}, 3, 1, 5, 55},
		{"maxscc", 3, {"hops=2"}, {7, 1, 0}, 3, 2, 12, 125},
		{"rootscc", 3, {"hops=1"}, {0, 7, 8}, 3, 1, 5, 140},
		{"rootscc", 3, {"hops=2"}, {0, 10, 1}, 3, 2, 10, 105},
	};
	struct graph g;

	(void)state;
	z12(&g);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct seeding s = {.g = &g, .method = seed_method_named(cases[i].method), .value = z12_value, .k = cases[i].k};
		struct seed_output out;
		struct coverage c;
		memcpy(s.opts, cases[i].opts, sizeof cases[i].opts);
		assert_int_equal(seeding_run(&s, &out), 0);
		assert_int_equal(out.n, cases[i].n);
		out.n = out.n < 8 ? out.n : 8;
		same_seeds(&out, cases[i].want, out.n);
		coverage_of(&g, out.seed, out.n, cases[i].hops, z12_value, &c);
		if (cases[i].n <= 8) {
			assert_int_equal(c.pages, cases[i].pages);
			assert_int_equal(c.value, cases[i].value * SEED_VALUE_ONE / 10);
		}
		seed_output_release(&out);
	}
	graph_release(&g);
}

/* --- the slow second method: everything anew for each seed, by distances */

struct slow {
	const struct graph *g;
	uint32_t n, hops, depth, group[MOST], groups;
	uint32_t far[MOST][MOST]; /* distance; MOST where there is no way */
	int64_t left[MOST];
	uint8_t covered[MOST], chosen[MOST];
	int stops; /* at gains that are not positive */
};

static void slow_init(struct slow *s, const struct graph *g, const int64_t *value)
{
	s->g = g;
	s->n = g->nodes;
	s->groups = scc(g, s->group);
	for (uint32_t u = 0; u < s->n; u++) {
		for (uint32_t v = 0; v < s->n; v++)
			s->far[u][v] = u == v ? 0 : MOST;
		for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++)
			if (g->target[a] != u)
				s->far[u][g->target[a]] = 1;
		s->left[u] = value ? value[u] : SEED_VALUE_ONE;
	}
	for (uint32_t w = 0; w < s->n; w++)
		for (uint32_t u = 0; u < s->n; u++)
			for (uint32_t v = 0; v < s->n; v++)
				if (s->far[u][w] + s->far[w][v] < s->far[u][v])
					s->far[u][v] = s->far[u][w] + s->far[w][v];
}

static int64_t slow_weight(const struct slow *s, uint32_t u)
{
	int64_t sum = 0;

	for (uint32_t v = 0; v < s->n; v++)
		sum += s->far[u][v] <= s->depth ? s->left[v] : 0;
	return sum;
}

static int64_t slow_links(const struct slow *s, uint32_t u)
{
	int64_t n = 0;

	for (uint64_t a = s->g->offset[u]; a < s->g->offset[u + 1]; a++)
		n += s->g->target[a] != u && !s->covered[s->g->target[a]];
	return n;
}

static int64_t slow_sum(const struct slow *s, uint32_t group)
{
	int64_t sum = 0;

	for (uint32_t v = 0; v < s->n; v++)
		sum += s->group[v] == group ? s->left[v] : 0;
	return sum;
}

static int is_open(const struct slow *s, uint32_t group)
{
	for (uint32_t v = 0; v < s->n; v++)
		if (s->group[v] == group && !s->chosen[v])
			return 1;
	return 0;
}

static int is_root(const struct slow *s, uint32_t group)
{
	for (uint32_t u = 0; u < s->n; u++)
		for (uint32_t v = 0; v < s->n; v++)
			if (s->far[u][v] == 1 && s->group[u] != group && s->group[v] == group)
				return 0;
	return 1;
}

static int leads_to(const struct slow *s, uint32_t from, uint32_t to)
{
	for (uint32_t u = 0; u < s->n; u++)
		for (uint32_t v = 0; v < s->n; v++)
			if (s->group[u] == from && s->group[v] == to && s->far[u][v] < MOST)
				return 1;
	return 0;
}

enum kind { MAXOUT, MAXWEIGHT, MAXSCC, ROOTSCC };

static uint32_t slow_group(const struct slow *s, enum kind kind)
{
	uint32_t richest = UINT32_MAX, root = UINT32_MAX;

	for (uint32_t c = 0; c < s->groups; c++)
		if (is_open(s, c) && (richest == UINT32_MAX || slow_sum(s, c) > slow_sum(s, richest)))
			richest = c;
	if (kind == MAXSCC || richest == UINT32_MAX)
		return richest;
	for (uint32_t c = 0; c < s->groups; c++)
		if (is_open(s, c) && is_root(s, c) && leads_to(s, c, richest) &&
			(root == UINT32_MAX || slow_sum(s, c) > slow_sum(s, root)))
			root = c;
	return root == UINT32_MAX ? richest : root;
}

static uint32_t slow_seed(const struct slow *s, enum kind kind)
{
	const uint32_t group = kind >= MAXSCC ? slow_group(s, kind) : 0;
	uint32_t best = UINT32_MAX;
	int64_t most = 0;

	for (uint32_t u = 0; u < s->n; u++) {
		const int64_t worth = kind == MAXOUT ? slow_links(s, u) : slow_weight(s, u);
		if (s->chosen[u] || (kind == MAXOUT && s->covered[u]) || (kind >= MAXSCC && s->group[u] != group))
			continue;
		if (best == UINT32_MAX || worth > most) {
			best = u;
			most = worth;
		}
	}
	return s->stops && most <= 0 ? UINT32_MAX : best;
}

static size_t slow_run(struct slow *s, enum kind kind, size_t k, uint32_t *seed)
{
	size_t n = 0;

	for (; n < k; n++) {
		int worthy = kind == MAXOUT;
		for (uint32_t v = 0; v < s->n; v++)
			worthy |= s->left[v] != 0;
		seed[n] = worthy ? slow_seed(s, kind) : UINT32_MAX;
		if (seed[n] == UINT32_MAX)
			break;
		s->chosen[seed[n]] = 1;
		for (uint32_t v = 0; v < s->n; v++) {
			if (s->far[seed[n]][v] > s->hops)
				continue;
			s->covered[v] = 1;
			s->left[v] = 0;
		}
	}
	return n;
}

/* 1e9 times the sum of 1 / distance from all other nodes. */
static int64_t slow_centrality(const struct slow *s, uint32_t v)
{
	int64_t distances[MOST] = {0};
	double sum = 0;

	for (uint32_t u = 0; u < s->n; u++)
		if (u != v && s->far[u][v] < MOST)
			distances[s->far[u][v]]++;
	for (int d = 1; d < MOST; d++)
		sum += (double)distances[d] / d;
	return (int64_t)(sum * 1e9 + 0.5);
}

static void harmonic_centrality_orders_the_seeds_on_random_graphs(void **state)
{
	static struct slow s;
	struct rng r = {22};

	(void)state;
	for (unsigned round = 0; round < 40; round++) {
		const uint32_t n = 1 + (uint32_t)rng_below(&r, MOST - 1);
		struct seed_output out;
		struct graph g;
		random_graph(&g, &r, n, (uint32_t)rng_below(&r, 4));
		slow_init(&s, &g, NULL);
		struct seeding run = {.g = &g, .method = seed_method_named("harmonic"), .k = n, .threads = 1 + round % 3};
		assert_int_equal(seeding_run(&run, &out), 0);
		assert_int_equal(out.n, n);
		for (uint32_t i = 1; i < n; i++) {
			const int64_t a = slow_centrality(&s, out.seed[i - 1]), b = slow_centrality(&s, out.seed[i]);
			assert_true(a > b || (a == b && out.seed[i - 1] < out.seed[i]));
		}
		seed_output_release(&out);
		graph_release(&g);
	}
}

static void seeds_are_those_of_the_algorithm_on_random_graphs(void **state)
{
	static const char *const name[] = {"maxout", "maxweight", "maxscc", "rootscc"};
	static struct slow s;
	struct rng r = {21};
	uint32_t want[MOST];
	int64_t value[MOST];

	(void)state;
	for (unsigned round = 0; round < 160; round++) {
		const enum kind kind = (enum kind)(round % 4);
		const uint32_t n = 1 + (uint32_t)rng_below(&r, MOST - 1);
		char hops[16], depth[16];
		struct seed_output out;
		struct graph g;
		random_graph(&g, &r, n, (uint32_t)rng_below(&r, 4));
		for (uint32_t v = 0; v < n; v++)
			value[v] = round % 3 ? (int64_t)rng_below(&r, 9) - 3 : SEED_VALUE_ONE;
		s = (struct slow){.hops = (uint32_t)rng_below(&r, 4),
			.depth = (uint32_t)rng_below(&r, 4),
			.stops = kind != MAXOUT && round % 5 == 0};
		slow_init(&s, &g, value);
		snprintf(hops, sizeof hops, "hops=%u", s.hops);
		snprintf(depth, sizeof depth, "depth=%u", s.depth);
		struct seeding run = {.g = &g,
			.method = seed_method_named(name[kind]),
			.opts = {hops, depth, s.stops ? "stop-nonpositive=1" : NULL},
			.value = value,
			.k = n,
			.threads = 1 + round % 3};
		assert_int_equal(seeding_run(&run, &out), 0);
		same_seeds(&out, want, slow_run(&s, kind, n, want));
		seed_output_release(&out);
		graph_release(&g);
	}
}

/* The greatest value that any k of the nodes cover. */
static int64_t best_coverage(const struct graph *g, size_t k, uint32_t hops, const int64_t *value)
{
	int64_t best = 0;

	for (uint32_t set = 0; set < UINT32_C(1) << g->nodes; set++) {
		uint32_t seed[12], n = 0;
		struct coverage c;
		if ((size_t)__builtin_popcount(set) != k)
			continue;
		for (uint32_t v = 0; v < g->nodes; v++)
			if (set >> v & 1)
				seed[n++] = v;
		coverage_of(g, seed, n, hops, value, &c);
		best = c.value > best ? c.value : best;
	}
	return best;
}

static void the_greedy_choice_is_within_its_bound_of_the_best(void **state)
{
	struct rng r = {5};

	(void)state;
	for (unsigned round = 0; round < 40; round++) {
		struct graph g;
		struct seed_output out;
		struct coverage c;
		const size_t k = 1 + round % 3;
		int64_t value[12];
		for (size_t i = 0; i < 12; i++)
			value[i] = (int64_t)rng_below(&r, 12 * SEED_VALUE_ONE);
		random_graph(&g, &r, 4 + round % 9, 1 + round % 2);
		struct seeding run = {.g = &g,
			.method = &seed_method_maxweight,
			.opts = {round % 2 ? "hops=1" : "hops=2", round % 2 ? "depth=1" : "depth=2"},
			.value = round % 5 ? value : NULL,
			.k = k};
		assert_int_equal(seeding_run(&run, &out), 0);
		coverage_of(&g, out.seed, out.n, round % 2 ? 1 : 2, run.value, &c);
		const int64_t best = best_coverage(&g, k, round % 2 ? 1 : 2, run.value);
		assert_true((double)c.value >= (1 - 1 / 2.718281828459045) * (double)best);
		assert_true(k > 1 || c.value == best);
		seed_output_release(&out);
		graph_release(&g);
	}
}

/* --- the contract */

static void keep_the_contract(struct seeding *s)
{
	struct seed_output out, again;

	assert_int_equal(seeding_run(s, &out), 0);
	assert_true(out.n <= s->k && out.n <= s->g->nodes);
	for (size_t i = 0; i < out.n; i++) {
		assert_true(out.seed[i] < s->g->nodes);
		for (size_t k = 0; k < i; k++)
			assert_true(out.seed[i] != out.seed[k]);
	}
	for (s->threads = 1; s->threads < 5; s->threads++) {
		assert_int_equal(seeding_run(s, &again), 0);
		same_seeds(&again, out.seed, out.n);
		seed_output_release(&again);
	}
	/* fewer seeds are the first of more */
	const size_t most = s->k;
	for (s->k = 0; s->k < out.n; s->k += 1 + out.n / 3) {
		assert_int_equal(seeding_run(s, &again), 0);
		same_seeds(&again, out.seed, s->k);
		seed_output_release(&again);
	}
	s->k = most;
	seed_output_release(&out);
}

static void every_method_keeps_the_contract(void **state)
{
	struct rng r = {31};
	uint32_t host[300];

	(void)state;
	for (uint32_t v = 0; v < 300; v++)
		host[v] = (uint32_t)rng_below(&r, 40);
	for (unsigned round = 0; round < 8; round++) {
		static const uint32_t nodes[] = {0, 1, 2, 12, 300};
		const uint32_t n = nodes[round < 5 ? round : 4];
		struct graph g;
		random_graph(&g, &r, n, n > 1 ? 3 : n);
		for (size_t m = 0; seed_methods[m]; m++) {
			struct seeding s = {.g = &g,
				.method = seed_methods[m],
				.opts = {"hops=1"},
				.host = host,
				.k = round % 2 ? 20 : n + 5,
				.rng_seed = round + 1};
			keep_the_contract(&s);
		}
		graph_release(&g);
	}
}

static void every_method_has_a_name_and_a_source(void **state)
{
	(void)state;
	for (size_t m = 0; seed_methods[m]; m++) {
		const struct seed_method *method = seed_methods[m];
		assert_ptr_equal(seed_method_named(method->name), method);
		assert_true(*method->summary && *method->source);
		assert_null(strchr(method->summary, '\t'));
	}
	assert_null(seed_method_named("hit"));
}

static void the_best_of_a_range_is_that_of_a_scan(void **state)
{
	enum { N = 3000 };
	int64_t *value = mem_new(N, sizeof *value);
	struct rng r = {41};
	struct best b;

	(void)state;
	for (uint32_t i = 0; i < N; i++)
		value[i] = (int64_t)rng_below(&r, 50);
	best_init(&b, value, N);
	for (unsigned round = 0; round < 2000; round++) {
		uint32_t from = (uint32_t)rng_below(&r, N + 1), want = BEST_NONE;
		uint32_t to = from + (uint32_t)rng_below(&r, N - from + 1);
		best_set(&b, (uint32_t)rng_below(&r, N), (int64_t)rng_below(&r, 50));
		best_take_out(&b, (uint32_t)rng_below(&r, N));
		for (uint32_t i = from; i < to; i++)
			if (!b.out[i] && (want == BEST_NONE || value[i] > value[want]))
				want = i;
		assert_int_equal(best_find(&b, from, to), want);
	}
	best_release(&b);
	free(value);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_worked_example_has_its_seeds),
		cmocka_unit_test(seeds_are_those_of_the_algorithm_on_random_graphs),
		cmocka_unit_test(harmonic_centrality_orders_the_seeds_on_random_graphs),
		cmocka_unit_test(the_greedy_choice_is_within_its_bound_of_the_best),
		cmocka_unit_test(every_method_keeps_the_contract),
		cmocka_unit_test(every_method_has_a_name_and_a_source),
		cmocka_unit_test(the_best_of_a_range_is_that_of_a_scan),
	};

	return cmocka_run_group_tests_name("seed_methods", tests, NULL, NULL);
}
