#include "tests/test.h"
#include "tests/graph/shapes.h"

#include "graph/kernels/generate.h"
#include "graph/kernels/pagerank.h"
#include "graph/kernels/tiles.h"

#include <math.h>

/* The two ways to the same ranks. */
static void (*const way[])(const struct graph *, struct pagerank *, double *) = {pagerank, pagerank_solve};
#define WAYS 2

static void rank_of(const struct graph *g, double *rank, double tolerance, int turn)
{
	struct pagerank p = PAGERANK_DEFAULT;

	p.tolerance = tolerance;
	way[turn](g, &p, rank);
	assert_true(p.change < tolerance);
}

static void near(double got, double want, double within)
{
	if (!(fabs(got - want) <= within))
		fail_msg("%.17g is not within %g of %.17g", got, within, want);
}

static void an_edge_into_a_dangling_page_is_known(void **state)
{
	struct graph g;
	double rank[2];

	(void)state;
	shape_path(&g, 2);
	for (int k = 0; k < WAYS; k++) {
		rank_of(&g, rank, 1e-14, k);
		near(rank[0], 0.350877192982456, 5e-15);
		near(rank[1], 0.649122807017544, 5e-15);
	}
	graph_release(&g);
}

static void cliques_and_cycles_and_nothing_rank_all_alike(void **state)
{
	void (*const shape[])(struct graph *, uint32_t) = {shape_clique, shape_cycle, shape_empty};
	double rank[40];
	struct graph g;

	(void)state;
	for (int s = 0; s < 3 * WAYS; s++) {
		for (uint32_t n = 1; n <= 40; n += 13) {
			shape[s / WAYS](&g, n);
			rank_of(&g, rank, 1e-14, s % WAYS);
			for (uint32_t v = 0; v < n; v++)
				near(rank[v], 1.0 / n, 1e-15);
			graph_release(&g);
		}
	}
}

/* Leaves link to the middle, and it to them or to nobody. */
static void stars_have_their_closed_form(void **state)
{
	const double d = 0.85;
	double rank[50];
	struct graph g;

	(void)state;
	for (uint32_t i = 0; i < 4 * WAYS; i++) {
		const uint32_t n = 2 + i / WAYS * 16;
		/* leaf = b, middle = b + d (n - 1) b, and both sum to 1 */
		const double leaf = 1.0 / (n + d * (n - 1));
		shape_star_in(&g, n);
		rank_of(&g, rank, 1e-14, i % WAYS);
		near(rank[0], leaf + d * (n - 1) * leaf, 1e-14);
		near(rank[n - 1], leaf, 1e-14);
		graph_release(&g);
		/* middle = (1 - d) / n + d (1 - middle) */
		const double middle = ((1 - d) / n + d) / (1 + d);
		shape_star_both(&g, n);
		rank_of(&g, rank, 1e-14, i % WAYS);
		near(rank[0], middle, 1e-14);
		near(rank[n - 1], (1 - middle) / (n - 1), 1e-14);
		graph_release(&g);
	}
}

/* The slow second method: Gaussian elimination on x - d M x = (1 - d) / n, where M moves a page's
 * rank to its links, or to all pages where it has none. */
static void solve(const struct graph *g, double d, double *x)
{
	const uint32_t n = g->nodes;
	double *m = mem_zero((size_t)n * n, sizeof *m);

	for (uint32_t u = 0; u < n; u++) {
		const uint32_t links = graph_outdegree(g, u);
		for (uint32_t v = 0; v < n && !links; v++)
			m[(size_t)v * n + u] = -d / n;
		for (uint32_t i = 0; i < links; i++)
			m[(size_t)graph_row(g, u)[i] * n + u] = -d / links;
		m[(size_t)u * n + u] += 1.0;
		x[u] = (1.0 - d) / n;
	}
	for (uint32_t k = 0; k < n; k++) { /* dominant by columns: no pivoting */
		for (uint32_t i = k + 1; i < n; i++) {
			const double f = m[(size_t)i * n + k] / m[(size_t)k * n + k];
			for (uint32_t j = k; f != 0.0 && j < n; j++)
				m[(size_t)i * n + j] -= f * m[(size_t)k * n + j];
			x[i] -= f * x[k];
		}
	}
	for (uint32_t k = n; k-- > 0;) {
		for (uint32_t j = k + 1; j < n; j++)
			x[k] -= m[(size_t)k * n + j] * x[j];
		x[k] /= m[(size_t)k * n + k];
	}
	free(m);
}

static void ranks_are_those_of_a_dense_solve(void **state)
{
	struct rng r = {2024};
	double rank[120], want[120] = {0};

	(void)state;
	for (uint32_t n = 1; n <= 120; n += 7) {
		for (uint32_t degree = 1; degree < 9; degree += 3) {
			struct pagerank p = PAGERANK_DEFAULT;
			struct graph g;
			p.damping = 0.5 + 0.07 * degree;
			p.tolerance = 1e-14;
			shape_random(&g, n, (uint64_t)n * degree, n % 2 ? 0 : 4, &r);
			solve(&g, p.damping, want);
			for (int k = 0; k < WAYS; k++) {
				way[k](&g, &p, rank);
				for (uint32_t v = 0; v < n; v++)
					near(rank[v], want[v], 1e-12);
			}
			graph_release(&g);
		}
	}
}

static void the_golden_graph_has_its_ranks_and_order(void **state)
{
	static const double want[] = {.2076110800587, .0713231393500, .0713231393500, .0713231393500, .0327082228158,
		.1822082419662, .0801000534747, .0616986898386, .0483748231720, .0731246684475, .0471196507568, .0530851514198};
	static const uint32_t order[] = {0, 5, 6, 9, 1, 2, 3, 7, 11, 8, 10, 4};
	FILE *f = fopen(shared("examples/g12.txt"), "r");
	struct shape a = {0};
	unsigned u, v;
	char line[80];
	double rank[12];
	uint32_t got[12];
	struct graph g;

	(void)state;
	assert_non_null(f);
	while (fgets(line, sizeof line, f))
		if (sscanf(line, "%u %u", &u, &v) == 2)
			shape_add(&a, u, v);
	fclose(f);
	shape_end(&a, 12, &g);
	assert_int_equal(g.arcs, 25);
	for (int k = 0; k < WAYS; k++) {
		rank_of(&g, rank, 1e-14, k);
		for (v = 0; v < 12; v++)
			near(rank[v], want[v], 1e-13);
		pagerank_order(rank, 12, got);
		assert_memory_equal(got, order, sizeof order);
	}
	graph_release(&g);
}

/* k sweeps are k steps of the plain iteration, from 1/n or from what is given, normalised. */
static void limited_sweeps_are_steps_of_the_plain_iteration(void **state)
{
	enum { N = 300 };
	struct rng r = {8};
	double rank[N], want[N], next[N], warm[N];
	struct graph g;

	(void)state;
	shape_random(&g, N, N * 4, 0, &r);
	for (int round = 0; round < 2; round++) {
		struct pagerank p = PAGERANK_DEFAULT;
		double change = 0.0;
		for (uint32_t v = 0; v < N; v++) {
			warm[v] = 1.0 + v % 7;
			want[v] = round ? warm[v] / 1197.0 : 1.0 / N; /* 42 times 28, and 21 */
		}
		p.warm = round ? warm : NULL;
		p.max_sweeps = 5;
		pagerank(&g, &p, rank);
		for (int k = 0; k < 5; k++) {
			double lost = 0.0;
			memset(next, 0, sizeof next);
			for (uint32_t u = 0; u < N; u++) {
				const uint32_t links = graph_outdegree(&g, u);
				for (uint32_t i = 0; i < links; i++)
					next[graph_row(&g, u)[i]] += want[u] / links;
				lost += links ? 0.0 : want[u];
			}
			change = 0.0;
			for (uint32_t v = 0; v < N; v++) {
				next[v] = 0.15 / N + 0.85 * (lost / N + next[v]);
				change += fabs(next[v] - want[v]);
				want[v] = next[v];
			}
		}
		for (uint32_t v = 0; v < N; v++)
			near(rank[v], want[v], 1e-16);
		assert_int_equal(p.sweeps, 5);
		near(p.change, change, 1e-15);
	}
	graph_release(&g);
}

/* Large enough for several windows, and for solving in lanes. */
static void big_graph(struct graph *g)
{
	const struct generate p = {150000, 15.0, 0.89, 0.2, 0.2, 7};

	generate(&p, g);
}

static void threads_change_no_bit(void **state)
{
	struct graph g;

	(void)state;
	big_graph(&g);
	double *one = mem_new(g.nodes, sizeof *one), *many = mem_new(g.nodes, sizeof *many);
	for (int k = 0; k < WAYS; k++) {
		for (unsigned threads = 1; threads <= 3; threads++) {
			struct pagerank p = PAGERANK_DEFAULT;
			p.tolerance = 1e-3;
			p.threads = threads;
			way[k](&g, &p, threads == 1 ? one : many);
			if (threads > 1)
				assert_memory_equal(many, one, g.nodes * sizeof *one);
		}
	}
	free(one);
	free(many);
	graph_release(&g);
}

/* What a sweep of the plain iteration changes on the result is under the tolerance, and so both
 * ways are as near to each other as the bound says. */
static void a_solved_rank_moves_less_than_the_tolerance(void **state)
{
	struct pagerank p = PAGERANK_DEFAULT, check = PAGERANK_DEFAULT;
	struct graph g;
	double apart = 0.0, sum = 0.0;

	(void)state;
	big_graph(&g);
	double *solved = mem_new(g.nodes, sizeof *solved), *swept = mem_new(g.nodes, sizeof *swept);
	p.tolerance = 1e-6;
	pagerank_solve(&g, &p, solved);
	assert_true(p.change < 1e-6);
	check.warm = solved;
	check.max_sweeps = 1;
	pagerank(&g, &check, swept);
	assert_true(check.change <= p.damping * p.change * (1 + 1e-6));
	pagerank(&g, &p, swept);
	for (uint32_t v = 0; v < g.nodes; v++) {
		apart += fabs(swept[v] - solved[v]);
		sum += solved[v];
	}
	assert_true(apart < 2 * 0.85 / 0.15 * 1e-6);
	near(sum, 1.0, 1e-12);
	free(solved);
	free(swept);
	graph_release(&g);
}

/* Solving begins in single precision here; that must be seen neither in the error nor between threads. */
static void ranks_of_links_to_anywhere_are_as_exact_as_asked(void **state)
{
	enum { NODES = 300000 };
	static const double tolerance[] = {1e-5, 1e-13};
	double *solved = mem_new(NODES, sizeof *solved), *other = mem_new(NODES, sizeof *other);
	struct rng r = {14};
	struct graph g;

	(void)state;
	shape_random(&g, NODES, 4 * NODES, 0, &r);
	assert_int_equal(tiles_pay(&g), 1);
	for (int k = 0; k < 2; k++) {
		struct pagerank p = PAGERANK_DEFAULT;
		double apart = 0.0;
		p.tolerance = tolerance[k];
		pagerank_solve(&g, &p, solved);
		assert_true(p.change < tolerance[k]);
		p.threads = 3;
		pagerank_solve(&g, &p, other);
		assert_memory_equal(solved, other, NODES * sizeof *solved);
		pagerank(&g, &p, other);
		for (uint32_t v = 0; v < NODES; v++)
			apart += fabs(solved[v] - other[v]);
		assert_true(apart < 2 * 0.85 / 0.15 * tolerance[k]);
	}
	free(solved);
	free(other);
	graph_release(&g);
}

/* From its own result there is nothing left to do, and where sweeps are limited it says so: by gather.h, and by tiles.h. */
static void solving_can_be_warm_and_limited(void **state)
{
	static const uint32_t nodes[] = {2000, 70000};
	struct rng r = {12};
	struct graph g;

	(void)state;
	for (int k = 0; k < 2; k++) {
		const uint32_t n = nodes[k];
		double *rank = mem_new(n, sizeof *rank), *warm = mem_new(n, sizeof *warm);
		struct pagerank p = PAGERANK_DEFAULT;
		shape_random(&g, n, (uint64_t)n * 9 / 2, 0, &r);
		assert_int_equal(tiles_pay(&g), k);
		pagerank_solve(&g, &p, rank);
		const unsigned cold = p.sweeps;
		for (uint32_t v = 0; v < n; v++)
			warm[v] = rank[v] * 7.0;
		p.warm = warm;
		pagerank_solve(&g, &p, rank);
		assert_true(p.sweeps < cold / 3);
		for (uint32_t v = 0; v < n; v++)
			near(rank[v], warm[v] / 7.0, 1e-12);
		p.warm = NULL;
		for (p.max_sweeps = 2; p.max_sweeps < 6; p.max_sweeps++) {
			pagerank_solve(&g, &p, rank);
			assert_int_equal(p.sweeps, p.max_sweeps);
			assert_true(p.change > 1e-6);
		}
		free(rank);
		free(warm);
		graph_release(&g);
	}
}

/* Cycles against the order of the ids, with pages that feed them: here what solving does to be
 * quicker would not end, unless it notices. */
static void solving_ends_where_all_links_lead_back(void **state)
{
	enum { N = 3000, CYCLE = 10, EACH = CYCLE + 1 };
	static const double damping[] = {0.85, 0.97};
	struct shape a = {0};
	double solved[N], swept[N];
	struct graph g;

	(void)state;
	for (uint32_t first = 0; first + EACH <= N; first += EACH) {
		for (uint32_t i = 0; i < CYCLE; i++)
			shape_add(&a, first + i, first + (i + CYCLE - 1) % CYCLE);
		shape_add(&a, first + CYCLE, first + first / EACH % CYCLE);
	}
	shape_end(&a, N, &g);
	for (int k = 0; k < 2; k++) {
		struct pagerank p = PAGERANK_DEFAULT;
		p.damping = damping[k];
		p.tolerance = 1e-13;
		pagerank(&g, &p, swept);
		const unsigned sweeps = p.sweeps;
		pagerank_solve(&g, &p, solved);
		assert_true(p.change < 1e-13);
		assert_true(p.sweeps < sweeps + 20);
		for (uint32_t v = 0; v < N; v++)
			near(solved[v], swept[v], 1e-12 / N / (1.0 - damping[k]));
	}
	graph_release(&g);
}

static size_t wrong_keys(const struct graph *g, int k, double tolerance, const uint64_t *want, double *rank)
{
	struct pagerank p = PAGERANK_DEFAULT;
	size_t wrong = 0;

	p.tolerance = tolerance;
	way[k](g, &p, rank);
	for (uint32_t v = 0; v < g->nodes; v++)
		wrong += pagerank_key(rank[v], g->nodes) != want[v];
	return wrong;
}

static void solving_to_its_share_gets_as_many_keys_right(void **state)
{
	static const double tolerance[] = {1e-9, 1e-10, 1e-12};
	const struct generate like = {20000, 12.0, 0.89, 0.14, 0.01, 5};
	struct pagerank exact = PAGERANK_DEFAULT;
	struct graph g;

	(void)state;
	generate(&like, &g);
	double *rank = mem_new(g.nodes, sizeof *rank);
	uint64_t *want = mem_new(g.nodes, sizeof *want);
	exact.tolerance = 1e-15;
	pagerank(&g, &exact, rank);
	for (uint32_t v = 0; v < g.nodes; v++)
		want[v] = pagerank_key(rank[v], g.nodes);
	for (size_t i = 0; i < sizeof tolerance / sizeof *tolerance; i++) {
		const size_t swept = wrong_keys(&g, 0, tolerance[i], want, rank);
		const size_t solved = wrong_keys(&g, 1, tolerance[i] * PAGERANK_SOLVE_SHARE, want, rank);
		print_message("# %g: %zu keys swept, %zu solved\n", tolerance[i], swept, solved);
		assert_true(i > 0 || swept > 0);
		assert_true(solved <= swept);
	}
	free(rank);
	free(want);
	graph_release(&g);
}

static void a_tolerance_below_what_doubles_hold_still_ends(void **state)
{
	struct rng r = {4};
	struct graph g;

	(void)state;
	shape_random(&g, 500, 3000, 0, &r);
	for (int k = 0; k < WAYS; k++) {
		struct pagerank p = PAGERANK_DEFAULT;
		double rank[500], sum = 0.0;
		p.tolerance = 1e-300;
		way[k](&g, &p, rank);
		assert_true(p.sweeps < 2000);
		for (uint32_t v = 0; v < 500; v++)
			sum += rank[v];
		near(sum, 1.0, 1e-13);
	}
	graph_release(&g);
}

static void keys_round_to_whole_quanta(void **state)
{
	(void)state;
	assert_true(pagerank_key(0.0, 5) == 0);
	assert_true(pagerank_key(0.25, 4) == 100000000);
	assert_true(pagerank_key(0.25 + 1e-9, 4) == 100000000);
	assert_true(pagerank_key(0.25 + 2e-9, 4) == 100000001);
	assert_true(pagerank_key(1.0, UINT32_MAX - 1) == 429496729400000000);
}

static void order_is_by_key_then_id(void **state)
{
	enum { N = 5000 };
	struct rng r = {6};
	double *rank = mem_new(N, sizeof *rank);
	uint32_t *order = mem_new(N, sizeof *order);
	unsigned char *seen = mem_zero(N, 1);

	(void)state;
	for (uint32_t v = 0; v < N; v++)
		rank[v] = (double)rng_below(&r, 900) / 1e6 + (v % 2 ? 1e-14 : 0.0);
	pagerank_order(rank, N, order);
	for (uint32_t i = 0; i < N; i++) {
		assert_false(seen[order[i]]++);
		if (i == 0)
			continue;
		const uint64_t before = pagerank_key(rank[order[i - 1]], N);
		const uint64_t here = pagerank_key(rank[order[i]], N);
		assert_true(before > here || (before == here && order[i - 1] < order[i]));
	}
	free(rank);
	free(order);
	free(seen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_edge_into_a_dangling_page_is_known),
		cmocka_unit_test(cliques_and_cycles_and_nothing_rank_all_alike),
		cmocka_unit_test(stars_have_their_closed_form),
		cmocka_unit_test(ranks_are_those_of_a_dense_solve),
		cmocka_unit_test(the_golden_graph_has_its_ranks_and_order),
		cmocka_unit_test(limited_sweeps_are_steps_of_the_plain_iteration),
		cmocka_unit_test(threads_change_no_bit),
		cmocka_unit_test(a_solved_rank_moves_less_than_the_tolerance),
		cmocka_unit_test(ranks_of_links_to_anywhere_are_as_exact_as_asked),
		cmocka_unit_test(solving_can_be_warm_and_limited),
		cmocka_unit_test(solving_ends_where_all_links_lead_back),
		cmocka_unit_test(solving_to_its_share_gets_as_many_keys_right),
		cmocka_unit_test(a_tolerance_below_what_doubles_hold_still_ends),
		cmocka_unit_test(keys_round_to_whole_quanta),
		cmocka_unit_test(order_is_by_key_then_id),
	};

	return cmocka_run_group_tests_name("pagerank", tests, NULL, NULL);
}
