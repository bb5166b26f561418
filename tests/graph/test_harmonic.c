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

static void threads_do_not_change_a_score(void **state)
{
	static double one[2700], three[2700];
	struct harmonic h;
	struct graph g;

	(void)state;
	make(&g, 9);
	for (uint32_t registers = 0; registers <= 64; registers += 64) {
		run(&g, registers, 1, 5, one, &h);
		run(&g, registers, 3, 5, three, &h);
		assert_memory_equal(one, three, g.nodes * sizeof *one);
	}
	graph_release(&g);
	assert_int_equal(harmonic_registers(&(struct graph){.nodes = 1000, .arcs = 10000}), HARMONIC_EXACT);
	assert_int_equal(harmonic_registers(&(struct graph){.nodes = 1000000, .arcs = 10000}), HARMONIC_REGISTERS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(exact_scores_have_their_closed_forms),
		cmocka_unit_test(estimates_are_within_the_stated_error_on_ten_graphs),
		cmocka_unit_test(threads_do_not_change_a_score),
	};

	return cmocka_run_group_tests_name("harmonic", tests, NULL, NULL);
}
