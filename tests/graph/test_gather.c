#include "tests/test.h"
#include "tests/graph/shapes.h"

#include "graph/kernels/gather.h"

#include <math.h>

/* The slow second method: the arcs one by one. Whole numbers, so that no order of summing counts.
 */
static void plain_sums(const struct graph *g, const struct gather_plan *plan, const double *x, double *sum)
{
	for (uint32_t u = 0; u < g->nodes; u++) {
		for (uint64_t a = g->offset[u]; a < g->offset[u + 1]; a++) {
			const uint32_t v = g->target[a];
			if (u == v && plan->loop)
				assert_int_equal(plan->loop[u], 1);
			else if (plan->rows == GATHER_OUT)
				sum[u] += x[v];
			else
				sum[v] += x[u];
		}
	}
}

static void assert_sums(const struct gather *p, const double *want, const double *x)
{
	double sum[GATHER_WINDOW];

	for (uint32_t w = 0; w < p->windows; w++) {
		gather_sum(p, w, x, sum);
		for (uint32_t v = gather_first(p, w); v < gather_first(p, w + 1); v++)
			assert_true(sum[v - gather_first(p, w)] == want[v]);
	}
}

struct sweep {
	const uint8_t *deferred;
	double *sum;
	uint32_t rows;
};

static void add_row(void *ctx, uint32_t i, double s)
{
	struct sweep *sweep = ctx;

	assert_int_equal(sweep->deferred ? sweep->deferred[i] : 0, 0);
	sweep->sum[i] += s;
	sweep->rows++;
}

/* A sweep gives the same sums, of all rows but the deferred ones. */
static void assert_sweeps(const struct gather *p, const uint8_t *deferred, const double *want, const double *x)
{
	double sum[GATHER_WINDOW];

	for (uint32_t w = 0; w < p->windows; w++) {
		const uint32_t first = gather_first(p, w), rows = gather_first(p, w + 1) - first;
		struct sweep sweep = {deferred ? deferred + first : NULL, sum, 0};
		uint32_t n = rows;
		gather_far(p, w, x, GATHER_DOUBLES, sum);
		gather_near(p, w, x, GATHER_DOUBLES, add_row, &sweep);
		for (uint32_t i = 0; i < rows; i++) {
			assert_true(sum[i] == (deferred && deferred[first + i] ? 0.0 : want[first + i]));
			n -= deferred && deferred[first + i];
		}
		assert_int_equal(sweep.rows, n);
	}
}

/* Local links, links anywhere, one row with all, and one node that is in every other row. */
static void mixed_graph(struct graph *g, uint32_t n, struct rng *r)
{
	struct shape a = {0};

	for (uint32_t i = 0; i < 3 * n; i++) {
		const uint32_t u = (uint32_t)rng_below(r, n);
		const uint32_t near = (uint32_t)((u + rng_below(r, 50)) % n);
		shape_add(&a, u, rng_below(r, 3) ? near : (uint32_t)rng_below(r, n));
	}
	for (uint32_t u = 0; u < n; u++) {
		shape_add(&a, n / 3, u);
		if (u % 2)
			shape_add(&a, u, n / 2);
	}
	shape_end(&a, n, g);
}

static void sums_are_those_of_the_rows(void **state)
{
	static const uint32_t sizes[] = {1, 2, 100, GATHER_WINDOW - 1, GATHER_WINDOW, GATHER_WINDOW + 1, 70000, 140001};
	struct rng r = {1};

	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		const uint32_t n = sizes[i];
		double *x = mem_new((size_t)n * 2, sizeof *x);
		double *want = mem_new(n, sizeof *want);
		uint64_t *scratch = mem_new(n, sizeof *scratch);
		uint8_t *deferred = mem_zero(n, 1), *loop = mem_zero(n, 1);
		struct graph g;
		mixed_graph(&g, n, &r);
		for (uint32_t v = 0; v < n; v++) {
			x[v] = (double)rng_below(&r, 1000);
			deferred[v] = rng_below(&r, 5) == 0;
			scratch[v] = rng_next(&r);
		}
		for (unsigned k = 0; k < 8; k++) {
			const struct gather_plan plan = {.blocks = k % 2 ? 5 : 1,
				.abreast = 1 + k % 4,
				.threads = k + 1,
				.rows = k / 2 % 2 ? GATHER_OUT : GATHER_IN,
				.deferred = k / 4 ? deferred : NULL,
				.loop = k / 4 ? loop : NULL,
				.scratch = k / 4 ? scratch : NULL};
			struct gather p;
			gather_build(&p, &g, &plan);
			assert_int_equal(p.nodes, n);
			assert_true(p.blocks <= plan.blocks);
			assert_true(gather_values(&p) <= (size_t)n * 2);
			for (uint32_t phase = 0; phase < p.phases; phase++)
				gather_copy_ghosts(&p, phase, x, GATHER_DOUBLES);
			memset(want, 0, n * sizeof *want);
			plain_sums(&g, &plan, x, want);
			assert_sums(&p, want, x);
			assert_sweeps(&p, plan.deferred, want, x);
			gather_release(&p);
		}
		graph_release(&g);
		free(x);
		free(want);
		free(scratch);
		free(deferred);
		free(loop);
	}
}

/* With the ghosts' values 0 and all others 1, a sum is how many targets are in the row's own block or
 * in another phase. */
static void blocks_of_a_phase_are_read_as_they_were(void **state)
{
	enum { N = 50000 };
	struct rng r = {2};
	double *x = mem_zero(2 * N, sizeof *x), sum[GATHER_WINDOW];
	struct graph g;
	struct gather p;

	(void)state;
	mixed_graph(&g, N, &r);
	for (uint32_t v = 0; v < N; v++)
		x[v] = 1.0;
	gather_build(&p, &g, &(struct gather_plan){5, 2, 1, GATHER_OUT, NULL, NULL, NULL});
	assert_int_equal(p.blocks, 5);
	assert_int_equal(p.phases, 3);
	assert_int_equal(p.phase[3], 5);
	for (uint32_t l = 0; l < 5; l++) {
		const uint32_t phase = l / 2;
		const uint32_t begin = gather_first(&p, p.block[l]);
		const uint32_t end = gather_first(&p, p.block[l + 1]);
		const uint32_t phase_begin = gather_first(&p, p.block[p.phase[phase]]);
		const uint32_t phase_end = gather_first(&p, p.block[p.phase[phase + 1]]);
		assert_true(end > begin);
		for (uint32_t w = p.block[l]; w < p.block[l + 1]; w++) {
			gather_sum(&p, w, x, sum);
			for (uint32_t v = gather_first(&p, w); v < gather_first(&p, w + 1); v++) {
				double want = 0.0;
				for (uint64_t a = g.offset[v]; a < g.offset[v + 1]; a++) {
					const uint32_t t = g.target[a];
					want += (t >= begin && t < end) || t < phase_begin || t >= phase_end;
				}
				assert_true(sum[v - gather_first(&p, w)] == want);
			}
		}
		/* and only those of the phase are taken anew */
		memset(x + N, 0, N * sizeof *x);
		gather_copy_ghosts(&p, phase, x, GATHER_DOUBLES);
		for (uint32_t k = 0; k < p.phase_ghosts[p.phases]; k++) {
			const uint32_t id = p.ghost[k];
			assert_true(k == 0 || p.ghost[k - 1] < id);
			assert_true(x[N + k] == (id >= phase_begin && id < phase_end));
		}
		memset(x + N, 0, N * sizeof *x);
	}
	gather_release(&p);
	graph_release(&g);
	free(x);
}

/* All pairs of arrays of two layouts. */
static void assert_same_layout(const struct gather *a, const struct gather *b)
{
	const struct gather_share *end = gather_end(a);

	assert_int_equal(a->windows, b->windows);
	assert_memory_equal(a->origin, b->origin, a->windows * sizeof *a->origin);
	assert_int_equal(gather_values(a), gather_values(b));
	assert_memory_equal(a->ghost, b->ghost, (gather_values(a) - a->nodes) * sizeof *a->ghost);
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
	struct gather p, q;

	(void)state;
	mixed_graph(&g, N, &r);
	for (unsigned k = 0; k < 2; k++) {
		struct gather_plan plan = {4, 2, 1, k ? GATHER_IN : GATHER_OUT, NULL, NULL, NULL};
		memset(seen, 0, N);
		gather_build(&p, &g, &plan);
		plan.threads = 7;
		gather_build(&q, &g, &plan);
		assert_same_layout(&p, &q);
		for (uint32_t w = 0; w < p.windows; w++)
			for (uint32_t i = p.share[2 * w].near_row; i < p.share[2 * w + 2].near_row; i++)
				assert_false(seen[gather_first(&p, w) + p.near_row[i]]++);
		assert_null(memchr(seen, 0, N));
		gather_release(&p);
		gather_release(&q);
	}
	graph_release(&g);
	free(seen);
}

/* The rows of the transpose are laid out alike, whether or not it was made. */
static void in_rows_are_those_of_the_transpose(void **state)
{
	struct rng r = {4};
	struct graph g, t;
	struct gather p, q;

	(void)state;
	mixed_graph(&g, 100000, &r);
	graph_transpose(&g, &t, 1);
	gather_build(&p, &g, &(struct gather_plan){1, 1, 3, GATHER_IN, NULL, NULL, NULL});
	gather_build(&q, &t, &(struct gather_plan){1, 1, 1, GATHER_OUT, NULL, NULL, NULL});
	assert_same_layout(&p, &q);
	gather_release(&p);
	gather_release(&q);
	graph_release(&g);
	graph_release(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_are_those_of_the_rows),
		cmocka_unit_test(blocks_of_a_phase_are_read_as_they_were),
		cmocka_unit_test(threads_change_nothing_and_each_row_stands_once),
		cmocka_unit_test(in_rows_are_those_of_the_transpose),
	};

	return cmocka_run_group_tests_name("gather", tests, NULL, NULL);
}
