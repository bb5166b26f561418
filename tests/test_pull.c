#include "tests/test.h"
#include "tests/shapes.h"

#include "graph/pull.h"

#include <math.h>

/* The slow second method: the arcs one by one. Whole numbers, so that no order of summing counts.
 */
static double plain_sum(const struct graph *g, uint32_t v, unsigned mark, const double *x)
{
	double sum = 0.0;

	if (mark & PULL_SKIP)
		return 0.0;
	for (uint64_t a = g->offset[v]; a < g->offset[v + 1]; a++)
		if (!(mark & PULL_DROP_SELF) || g->target[a] != v)
			sum += x[g->target[a]];
	return sum;
}

static void assert_sums(
	const struct pull *p, const struct graph *g, const uint8_t *mark, const double *x)
{
	double sum[PULL_WINDOW];

	for (uint32_t w = 0; w < p->windows; w++) {
		const uint32_t first = pull_first(p, w), end = pull_first(p, w + 1);
		pull_sum(p, w, x, sum);
		for (uint32_t v = first; v < end; v++)
			assert_true(sum[v - first] == plain_sum(g, v, mark ? mark[v] : 0, x));
	}
}

/* Local links, links anywhere, one row with all, and one node that is in every other row. */
static void mixed_graph(struct graph *g, uint32_t n, struct rng *r)
{
	struct arcs a = {0};

	for (uint32_t i = 0; i < 3 * n; i++) {
		const uint32_t u = (uint32_t)rng_below(r, n);
		const uint32_t near = (uint32_t)((u + rng_below(r, 50)) % n);
		arcs_add(&a, u, rng_below(r, 3) ? near : (uint32_t)rng_below(r, n));
	}
	for (uint32_t u = 0; u < n; u++) {
		arcs_add(&a, n / 3, u);
		if (u % 2)
			arcs_add(&a, u, n / 2);
	}
	arcs_end(&a, n, g);
}

static void sums_are_those_of_the_rows(void **state)
{
	static const uint32_t sizes[] = {
		1, 2, 100, PULL_WINDOW - 1, PULL_WINDOW, PULL_WINDOW + 1, 70000, 140001};
	struct rng r = {1};

	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		const uint32_t n = sizes[i];
		double *x = mem_new((size_t)n * 2, sizeof *x);
		uint8_t *mark = mem_zero(n, 1);
		struct graph g;
		mixed_graph(&g, n, &r);
		for (uint32_t v = 0; v < n; v++) {
			x[v] = x[n + v] = (double)rng_below(&r, 1000);
			if (rng_below(&r, 5) == 0)
				mark[v] = PULL_SKIP;
			for (uint64_t a = g.offset[v]; a < g.offset[v + 1] && !mark[v]; a++)
				mark[v] = g.target[a] == v ? PULL_DROP_SELF : 0;
		}
		for (unsigned k = 0; k < 4; k++) {
			struct pull_plan plan = {k % 2 ? 5 : 1, k / 2 ? mark : NULL, k + 1};
			struct pull p;
			pull_build(&p, &g, &plan);
			assert_int_equal(p.nodes, n);
			assert_true(p.lanes <= plan.lanes);
			assert_sums(&p, &g, plan.mark, x);
			pull_release(&p);
		}
		graph_release(&g);
		free(x);
		free(mark);
	}
}

/* With the second vector all zero, a sum is that of the targets in the row's own lane. */
static void other_lanes_are_read_from_the_second_vector(void **state)
{
	enum { N = 50000 };
	struct rng r = {2};
	double *x = mem_zero(2 * N, sizeof *x), sum[PULL_WINDOW];
	struct pull_plan plan = {3, NULL, 1};
	struct graph g;
	struct pull p;

	(void)state;
	mixed_graph(&g, N, &r);
	for (uint32_t v = 0; v < N; v++)
		x[v] = 1.0;
	pull_build(&p, &g, &plan);
	assert_int_equal(p.lanes, 3);
	for (uint32_t l = 0; l < 3; l++) {
		const uint32_t begin = pull_first(&p, p.lane[l]),
			       end = pull_first(&p, p.lane[l + 1]);
		assert_true(end > begin);
		for (uint32_t w = p.lane[l]; w < p.lane[l + 1]; w++) {
			pull_sum(&p, w, x, sum);
			for (uint32_t v = pull_first(&p, w); v < pull_first(&p, w + 1); v++) {
				double want = 0.0;
				for (uint64_t a = g.offset[v]; a < g.offset[v + 1]; a++)
					want += g.target[a] - begin < end - begin;
				assert_true(sum[v - pull_first(&p, w)] == want);
			}
		}
	}
	pull_release(&p);
	graph_release(&g);
	free(x);
}

/* All pairs of arrays of two layouts. */
static void assert_same_layout(const struct pull *a, const struct pull *b)
{
	const struct pull_window *end = &a->window[a->windows];

	assert_memory_equal(a->window, b->window, (a->windows + 1) * sizeof *a->window);
	assert_memory_equal(a->near, b->near, end->near * sizeof *a->near);
	assert_memory_equal(a->far, b->far, end->far * sizeof *a->far);
	assert_memory_equal(a->near_row, b->near_row, end->near_row * sizeof *a->near_row);
	assert_memory_equal(a->far_row, b->far_row, end->far_row * sizeof *a->far_row);
}

static void threads_change_nothing_and_each_row_stands_once(void **state)
{
	enum { N = 100000 };
	struct rng r = {3};
	uint8_t *seen = mem_zero(N, 1);
	struct graph g;
	struct pull p, q;

	(void)state;
	mixed_graph(&g, N, &r);
	pull_build(&p, &g, &(struct pull_plan){4, NULL, 1});
	pull_build(&q, &g, &(struct pull_plan){4, NULL, 7});
	assert_same_layout(&p, &q);
	for (uint32_t w = 0; w < p.windows; w++)
		for (uint32_t k = p.window[w].near_row; k < p.window[w + 1].near_row; k++)
			assert_false(seen[pull_first(&p, w) + p.near_row[k]]++);
	assert_null(memchr(seen, 0, N));
	pull_release(&p);
	pull_release(&q);
	graph_release(&g);
	free(seen);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_are_those_of_the_rows),
		cmocka_unit_test(other_lanes_are_read_from_the_second_vector),
		cmocka_unit_test(threads_change_nothing_and_each_row_stands_once),
	};

	return cmocka_run_group_tests_name("pull", tests, NULL, NULL);
}
