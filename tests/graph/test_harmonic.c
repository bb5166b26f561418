#include "tests/test.h"

#include "tests/graph/shapes.h"
#include "graph/kernels/generate.h"
#include "graph/kernels/harmonic.h"

#include <math.h>

static void run(const struct graph *g, uint32_t registers, unsigned threads, uint64_t hash_seed, double *score, struct harmonic *h)
{
	struct graph reverse;

	*h = (struct harmonic){.registers = registers, .threads = threads, .hash_seed = hash_seed};
	graph_transpose(g, &reverse, 1);
	harmonic_run(h, &reverse, score);
	graph_release(&reverse);
}

static void measure(const struct graph *g, uint32_t registers, uint32_t runs, struct distances *d)
{
	struct harmonic h = {.registers = registers, .threads = 1 + runs % 3, .hash_seed = 1};
	struct graph reverse;

	graph_transpose(g, &reverse, 1);
	harmonic_distances(&h, runs, &reverse, d);
	assert_int_equal(d->runs, registers ? runs : 1);
	graph_release(&reverse);
}

static double harmonic_number(uint32_t n)
{
	double sum = 0.0;

	for (uint32_t i = 1; i <= n; i++)
		sum += 1.0 / i;
	return sum;
}

static void exact_scores_have_their_closed_forms(void **state)
{
	enum { N = 300 };
	static double score[N];
	struct harmonic h;
	struct graph g;

	(void)state;
	shape_clique(&g, N);
	run(&g, HARMONIC_EXACT, 2, 0, score, &h);
	for (uint32_t v = 0; v < N; v++)
		assert_true(fabs(score[v] - (N - 1)) < 1e-9);
	assert_int_equal(h.steps, 1);
	assert_true(h.error == 0.0);
	graph_release(&g);
	shape_cycle(&g, N);
	run(&g, HARMONIC_EXACT, 1, 0, score, &h);
	for (uint32_t v = 0; v < N; v++)
		assert_true(fabs(score[v] - harmonic_number(N - 1)) < 1e-9);
	assert_int_equal(h.steps, N - 1);
	graph_release(&g);
	shape_path(&g, N);
	run(&g, HARMONIC_EXACT, 3, 0, score, &h);
	for (uint32_t v = 0; v < N; v++)
		assert_true(fabs(score[v] - harmonic_number(v)) < 1e-9);
	graph_release(&g);
}

/* Ten graphs of different shapes. */
static void make(struct graph *g, uint32_t i)
{
	struct generate how = GENERATE_DEFAULT;

	if (i == 0) {
		shape_clique(g, 120);
	} else if (i == 1) {
		shape_cycle(g, 500);
	} else if (i == 2) {
		shape_path(g, 400);
	} else {
		how.nodes = 150 * i;
		how.arcs_per_node = i % 3 ? 2.0 * i : 1.5;
		how.rng_seed = i;
		generate(&how, g);
	}
}

/* Returns the root of the mean square of the relative errors over the nodes that are reached. */
static double error_of(const double *estimated, const double *exact, uint32_t n)
{
	double square = 0.0;
	uint32_t counted = 0;

	for (uint32_t v = 0; v < n; v++) {
		if (exact[v] == 0.0) {
			assert_true(estimated[v] == 0.0);
			continue;
		}
		square += (estimated[v] / exact[v] - 1.0) * (estimated[v] / exact[v] - 1.0);
		counted++;
	}
	return counted ? sqrt(square / counted) : 0.0;
}

static void estimates_are_within_the_stated_error_on_ten_graphs(void **state)
{
	enum { SEEDS = 3 };
	static double exact[3000], estimated[3000];

	(void)state;
	for (uint32_t registers = 64; registers <= 256; registers *= 4) {
		double all = 0.0;
		struct harmonic h;
		for (uint32_t i = 0; i < 10; i++) {
			struct graph g;
			make(&g, i);
			run(&g, HARMONIC_EXACT, 1, 0, exact, &h);
			for (uint64_t seed = 1; seed <= SEEDS; seed++) {
				run(&g, registers, 1, seed, estimated, &h);
				const double error = error_of(estimated, exact, g.nodes);
				if (error > 3.0 * h.error)
					fail_msg("graph %u, %u registers: an error of %.3f, and %.3f is stated", i, registers,
						error, h.error);
				all += error * error;
			}
			graph_release(&g);
		}
		assert_true(sqrt(all / (10 * SEEDS)) <= h.error);
	}
}

/* Of how many nodes, over all seeds, the exact score is within so many errors of the mean of some runs. */
static double share_within(const struct graph *g, const double *exact, uint32_t runs, double errors)
{
	enum { SEEDS = 24 };
	static double score[3000], error[3000];
	uint32_t within = 0, all = 0;
	struct graph reverse;

	graph_transpose(g, &reverse, 1);
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct rng mixed = {seed};
		struct harmonic h = {.registers = 32, .threads = 1, .hash_seed = rng_next(&mixed)};
		harmonic_scores(&h, runs, &reverse, score, error);
		assert_true(fabs(h.error - 1.06 / sqrt(32.0 * runs)) < 1e-12);
		for (uint32_t v = 0; v < g->nodes; v++) {
			within += fabs(score[v] - exact[v]) <= errors * error[v];
			all++;
		}
	}
	graph_release(&reverse);
	return (double)within / all;
}

static void exact_scores_are_within_the_stated_intervals_as_often_as_stated(void **state)
{
	static const struct {
		uint32_t runs;
		double errors;
	} of[] = {{1, 1.96}, {5, 2.776}}; /* 95% of the normal distribution, and of Student's t with 4 degrees of freedom */
	static double exact[3000];

	(void)state;
	for (size_t j = 0; j < 2; j++) {
		double all = 0.0;
		for (uint32_t i = 0; i < 10; i++) {
			struct harmonic h;
			struct graph g;
			make(&g, i);
			run(&g, HARMONIC_EXACT, 1, 0, exact, &h);
			const double share = share_within(&g, exact, of[j].runs, of[j].errors);
			print_message("graph %u, %u runs: %.3f within\n", i, of[j].runs, share);
			assert_true(share >= 0.8); /* of 24 seeds, as nodes have their errors in common */
			all += share / 10;
			graph_release(&g);
		}
		print_message("%u runs: %.3f\n", of[j].runs, all);
		assert_true(all >= 0.94 && all < 0.999);
	}
}

static void exact_scores_have_no_error_and_a_single_node_none(void **state)
{
	struct harmonic h = {.registers = HARMONIC_EXACT, .threads = 1};
	double score[9], error[9] = {[4] = 1.0};
	struct graph g;

	(void)state;
	shape_cycle(&g, 9); /* its transpose has the same scores */
	harmonic_scores(&h, 5, &g, score, error);
	for (uint32_t v = 0; v < 9; v++)
		assert_true(error[v] == 0.0 && fabs(score[v] - harmonic_number(8)) < 1e-9);
	graph_release(&g);
	shape_path(&g, 1);
	h = (struct harmonic){.registers = 16, .threads = 1};
	harmonic_scores(&h, 3, &g, score, error);
	assert_true(score[0] == 0.0 && error[0] == 0.0);
	graph_release(&g);
}

static void threads_do_not_change_a_score(void **state)
{
	static double one[2700], three[2700];
	struct harmonic h, other;
	struct graph g;

	(void)state;
	make(&g, 9);
	for (uint32_t registers = 0; registers <= 64; registers += 64) {
		run(&g, registers, 1, 5, one, &h);
		run(&g, registers, 3, 5, three, &other);
		assert_int_equal(h.steps, other.steps);
		assert_memory_equal(one, three, g.nodes * sizeof *one);
	}
	graph_release(&g);
	assert_int_equal(harmonic_registers(&(struct graph){.nodes = 1000, .arcs = 10000}), HARMONIC_EXACT);
	assert_int_equal(harmonic_registers(&(struct graph){.nodes = 1000000, .arcs = 10000}), HARMONIC_REGISTERS);
}

static void assert_near(double value, double expected)
{
	if (isnan(expected) ? !isnan(value) : !(fabs(value - expected) <= 1e-9 * (1.0 + fabs(expected))))
		fail_msg("%.12g, and %.12g is right", value, expected);
}

static void distances_have_their_closed_forms(void **state)
{
	enum { N = 100 };
	const double n = N, harmonic = harmonic_number(N - 1);
	struct shape star = {0};
	struct distances d;
	struct graph g;

	(void)state;
	shape_cycle(&g, N);
	measure(&g, HARMONIC_EXACT, 1, &d);
	assert_int_equal(d.steps, N - 1);
	for (uint32_t t = 0; t < N; t++)
		assert_true(d.value[DISTANCE_PAIRS + t] == n * (t + 1) && d.error[DISTANCE_PAIRS + t] == 0.0);
	assert_near(d.value[DISTANCE_REACHABLE], 1.0);
	assert_near(d.value[DISTANCE_AVERAGE], n / 2);
	assert_near(d.value[DISTANCE_SPID], n * (n - 2) / 12 / (n / 2)); /* the lengths are 1 to n - 1, equally often */
	assert_near(d.value[DISTANCE_EFFECTIVE], 0.9 * n - 1);
	assert_near(d.value[DISTANCE_HARMONIC], (n - 1) / harmonic);
	assert_true(d.error[DISTANCE_AVERAGE] == 0.0);
	harmonic_distances_release(&d);
	graph_release(&g);

	shape_path(&g, N); /* of n - t pairs the distance is t */
	measure(&g, HARMONIC_EXACT, 1, &d);
	for (uint32_t t = 0; t < N; t++)
		assert_true(d.value[DISTANCE_PAIRS + t] == n * (t + 1) - t * (t + 1.0) / 2);
	assert_near(d.value[DISTANCE_REACHABLE], 0.5);
	assert_near(d.value[DISTANCE_AVERAGE], (n + 1) / 3);
	assert_near(d.value[DISTANCE_HARMONIC], n * (n - 1) / (n * harmonic - (n - 1)));
	harmonic_distances_release(&d);
	graph_release(&g);

	for (uint32_t v = 1; v < N; v++) {
		shape_add(&star, 0, v);
		shape_add(&star, v, 0);
	}
	shape_end(&star, N, &g);
	measure(&g, HARMONIC_EXACT, 1, &d);
	assert_int_equal(d.steps, 2);
	assert_true(d.value[DISTANCE_PAIRS + 1] == n + 2 * (n - 1) && d.value[DISTANCE_PAIRS + 2] == n * n);
	assert_near(d.value[DISTANCE_AVERAGE], 2 - 2 / n);
	assert_near(d.value[DISTANCE_EFFECTIVE], 1 + (0.9 * n * n - 3 * n + 2) / (n * n - 3 * n + 2));
	harmonic_distances_release(&d);
	graph_release(&g);
}

/* The distances of all pairs by Floyd and Warshall, and the figures from the list of them. */
static void assert_as_by_all_pairs(const struct graph *g)
{
	const uint32_t n = g->nodes;
	uint32_t *far = mem_new((size_t)n * n, sizeof *far), *count = mem_zero((size_t)n + 1, sizeof *count);
	double paths = 0.0, sum = 0.0, inverse = 0.0, spread = 0.0, within = 0.0, before = 0.0;
	struct distances d;
	uint32_t t = 0;

	for (size_t i = 0; i < (size_t)n * n; i++)
		far[i] = i / n == i % n ? 0 : n;
	for (uint32_t u = 0; u < n; u++)
		for (uint32_t i = 0; i < graph_outdegree(g, u); i++)
			if (graph_row(g, u)[i] != u)
				far[u * n + graph_row(g, u)[i]] = 1;
	for (uint32_t k = 0; k < n; k++)
		for (size_t i = 0; i < (size_t)n * n; i++)
			if (far[i / n * n + k] + far[k * n + i % n] < far[i])
				far[i] = far[i / n * n + k] + far[k * n + i % n];
	for (size_t i = 0; i < (size_t)n * n; i++) {
		count[far[i]]++;
		paths += far[i] && far[i] < n;
		sum += far[i] < n ? far[i] : 0;
		inverse += far[i] && far[i] < n ? 1.0 / far[i] : 0.0;
	}
	for (size_t i = 0; i < (size_t)n * n; i++)
		spread += far[i] && far[i] < n ? (far[i] - sum / paths) * (far[i] - sum / paths) : 0.0;
	measure(g, HARMONIC_EXACT, 1, &d);
	for (double all = 0.0; t <= d.steps; t++)
		assert_true(d.value[DISTANCE_PAIRS + t] == (all += count[t]));
	assert_true(d.value[DISTANCE_PAIRS + d.steps] == paths + n);
	assert_near(d.value[DISTANCE_REACHABLE], n > 1 ? paths / ((double)n * (n - 1)) : NAN);
	assert_near(d.value[DISTANCE_AVERAGE], sum / paths);
	assert_near(d.value[DISTANCE_SPID], spread / sum);
	assert_near(d.value[DISTANCE_HARMONIC], paths > 0 ? (double)n * (n - 1) / inverse : NAN);
	for (t = 0; (within = before + count[t]) < 0.9 * (paths + n); t++)
		before = within;
	assert_near(d.value[DISTANCE_EFFECTIVE], t ? t - 1 + (0.9 * (paths + n) - before) / count[t] : 0.0);
	harmonic_distances_release(&d);
	free(far);
	free(count);
}

static void distances_are_those_of_all_pairs_of_random_graphs(void **state)
{
	struct rng random = {11};

	(void)state;
	for (uint32_t i = 0; i < 60; i++) { /* the first without an arc, the second one node with a link to itself */
		const uint32_t nodes = i < 2 ? i + 1 : 2 + (uint32_t)rng_below(&random, 60);
		const uint64_t arcs = i < 2 ? i : rng_below(&random, 3 * nodes);
		struct shape a = {0};
		struct graph g;
		for (uint64_t j = 0; j < arcs; j++) {
			const uint32_t u = (uint32_t)rng_below(&random, nodes);
			shape_add(&a, u, j % 7 && i > 1 ? (uint32_t)rng_below(&random, nodes) : u);
		}
		shape_end(&a, nodes, &g);
		assert_as_by_all_pairs(&g);
		graph_release(&g);
	}
}

static void estimated_distances_are_within_the_stated_error_on_ten_graphs(void **state)
{
	enum { RUNS = 6 };
	uint32_t outside = 0, figures = 0;

	(void)state;
	for (uint32_t i = 0; i < 10; i++) {
		struct distances exact, d, one;
		struct graph g;
		make(&g, i);
		measure(&g, HARMONIC_EXACT, 1, &exact);
		measure(&g, 64, RUNS, &d);
		measure(&g, 64, 1, &one);
		assert_true(d.steps <= exact.steps); /* a node may change no counter that is left to reach */
		for (uint32_t t = 0; t <= exact.steps; t++) {
			const double pairs = d.value[DISTANCE_PAIRS + (t < d.steps ? t : d.steps)];
			if (fabs(pairs / exact.value[DISTANCE_PAIRS + t] - 1.0) > 3.0 * 1.06 / sqrt(64.0 * RUNS))
				fail_msg("graph %u: %g pairs within %u links, and %g are right", i, pairs, t,
					exact.value[DISTANCE_PAIRS + t]);
		}
		for (int j = 0; j < DISTANCE_PAIRS; j++) {
			assert_true(d.error[j] >= 0.0 && isnan(one.error[j]));
			outside +=
				fabs(d.value[j] - exact.value[j]) > 2.6 * d.error[j]; /* 5% of Student's t, 5 degrees of freedom */
			figures++;
		}
		harmonic_distances_release(&exact);
		harmonic_distances_release(&d);
		harmonic_distances_release(&one);
		graph_release(&g);
	}
	print_message("%u of %u figures are outside of their intervals\n", outside, figures);
	assert_true(outside <= figures / 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exact_scores_have_their_closed_forms),
		cmocka_unit_test(distances_have_their_closed_forms),
		cmocka_unit_test(distances_are_those_of_all_pairs_of_random_graphs),
		cmocka_unit_test(estimated_distances_are_within_the_stated_error_on_ten_graphs),
		cmocka_unit_test(estimates_are_within_the_stated_error_on_ten_graphs),
		cmocka_unit_test(exact_scores_are_within_the_stated_intervals_as_often_as_stated),
		cmocka_unit_test(exact_scores_have_no_error_and_a_single_node_none),
		cmocka_unit_test(threads_do_not_change_a_score),
	};

	return cmocka_run_group_tests_name("harmonic", tests, NULL, NULL);
}
