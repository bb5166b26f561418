/* Kendall's tau-b, against counting all pairs and on the worked example. */
#include "tests/test.h"

#include "base/rng.h"
#include "graph/kernels/pagerank.h"
#include "lab/measure/throughput.h"
#include "tests/graph/graphs.h"

#include <math.h>

static double count_pairs(const uint64_t *x, const uint64_t *y, uint32_t n)
{
	double agree = 0, in_x = 0, in_y = 0;

	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = 0; j < i; j++) {
			int a = (x[i] > x[j]) - (x[i] < x[j]), b = (y[i] > y[j]) - (y[i] < y[j]);
			agree += a * b;
			in_x += a != 0;
			in_y += b != 0;
		}
	return in_x > 0 && in_y > 0 ? agree / sqrt(in_x * in_y) : 0;
}

static void tau_b_agrees_with_counting_all_pairs(void **state)
{
	struct rng rng = {31};

	(void)state;
	for (int round = 0; round < 400; round++) {
		uint32_t n = (uint32_t)rng_below(&rng, 70);
		uint64_t x[70], y[70], values = 1 + rng_below(&rng, 100);
		for (uint32_t i = 0; i < n; i++) {
			x[i] = rng_below(&rng, values);
			y[i] = rng_below(&rng, 3) ? rng_below(&rng, values) : x[i];
		}
		assert_true(fabs(kendall_tau_b(x, y, n) - count_pairs(x, y, n)) < 1e-14);
		assert_true(kendall_tau_b(x, y, n) == kendall_tau_b(y, x, n));
		double same = kendall_tau_b(x, x, n); /* exactly */
		assert_true(same == 1 || (same == 0 && count_pairs(x, x, n) == 0));
	}
}

static void tau_b_of_plain_cases_is_known(void **state)
{
	enum { MANY = 100000 };
	static uint64_t up[MANY], down[MANY], same[MANY];

	(void)state;
	for (uint64_t i = 0; i < MANY; i++) {
		up[i] = i;
		down[i] = UINT64_MAX - i;
	}
	assert_true(fabs(kendall_tau_b(up, up, MANY) - 1) < 1e-15);
	assert_true(fabs(kendall_tau_b(up, down, MANY) + 1) < 1e-15);
	assert_true(kendall_tau_b(up, same, MANY) == 0);
	assert_true(kendall_tau_b(same, up, MANY) == 0);
	assert_true(kendall_tau_b(up, up, 1) == 0);
	assert_true(kendall_tau_b(up, up, 0) == 0);
}

static void the_worked_values_come_out(void **state)
{
	static const uint32_t order[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
	static const struct {
		uint32_t k;
		double tau;
	} worked[] = {{1, 0}, {4, 1}, {6, 1}, {8, .76}, {12, 1}};
	struct graph g;
	struct benchmark b;

	(void)state;
	g12(&g);
	benchmark_make(&b, &g, 1e-13, 1);
	for (size_t i = 0; i < sizeof worked / sizeof *worked; i++)
		assert_true(fabs(kendall_of_part(&g, &b, order, worked[i].k) - worked[i].tau) < 5e-3);
	benchmark_release(&b);
	graph_release(&g);
}

/* The crawled part as a graph of its own, arcs picked one by one, ranked by the other kernel; the
 * order in which its pages came must not matter. */
static void the_part_is_the_induced_subgraph(void **state)
{
	struct rng rng = {33};

	(void)state;
	for (int round = 0; round < 30; round++) {
		struct graph g, part;
		struct benchmark b;
		uint32_t order[50], place[50], from[400], to[400], arcs = 0, k = 2 + (uint32_t)rng_below(&rng, 48);
		double rank[50];
		uint64_t own[50], whole[50];
		random_graph(&g, &rng, 50, 3);
		benchmark_make(&b, &g, 1e-14, 1);
		rng_sample(&rng, 50, 50, order);
		for (uint32_t i = 0; i < 50; i++)
			place[order[i]] = i;
		for (uint32_t u = 0; u < 50; u++)
			for (uint32_t j = 0; j < graph_outdegree(&g, u); j++)
				if (place[u] < k && place[graph_row(&g, u)[j]] < k) {
					from[arcs] = place[u];
					to[arcs++] = place[graph_row(&g, u)[j]];
				}
		graph_from_arcs(&part, k, from, to, arcs);
		struct pagerank p = PAGERANK_DEFAULT;
		p.tolerance = 1e-14;
		pagerank(&part, &p, rank);
		for (uint32_t i = 0; i < k; i++) {
			own[i] = pagerank_key(rank[i], k);
			whole[i] = pagerank_key(b.rank[order[i]], 50);
		}
		assert_true(fabs(kendall_of_part(&g, &b, order, k) - count_pairs(own, whole, k)) < 1e-13);
		benchmark_release(&b);
		graph_release(&part);
		graph_release(&g);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tau_b_agrees_with_counting_all_pairs),
		cmocka_unit_test(tau_b_of_plain_cases_is_known),
		cmocka_unit_test(the_worked_values_come_out),
		cmocka_unit_test(the_part_is_the_induced_subgraph),
	};

	return cmocka_run_group_tests_name("kendall", tests, NULL, NULL);
}
