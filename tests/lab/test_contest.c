/* Methods against graphs: draws that are kept, families, effects, and the verdict on a claim. */
#include "tests/test.h"

#include "lab/study/contest.h"

#include <math.h>

#define METHODS 3
#define GRAPHS  12
#define DRAWS   8
#define NODES   1000

static const double at[] = {0.1, 0.45};
static const char *const names[] = {"good", "near", "bad"};
static const size_t places[] = {0, 1, 2};
static const char *const families[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "k"};

/* Comparisons that never ran: on graph g method m finds base[m] and a little that hangs on the draw; the
 * first `cut` draws end before the judged point. */
struct made {
	struct compare compare[GRAPHS];
	struct contest_entry of[GRAPHS][METHODS];
	struct trial trial[GRAPHS][METHODS * DRAWS];
	struct throughput_point point[GRAPHS][METHODS * DRAWS][2];
	uint64_t drawn[DRAWS];
	struct contest_graph graph[GRAPHS];
	struct contest contest;
};

static void make(struct made *x, const double *base, uint32_t cut)
{
	*x = (struct made){.contest = {.graph = x->graph,
				   .graphs = GRAPHS,
				   .method = names,
				   .methods = METHODS,
				   .at = 1,
				   .judge = MEASURE_DISCOVERABLE,
				   .smallest_effect = 0.01,
				   .draws = CONTEST_DROP_SHORT}};
	for (uint32_t d = 0; d < DRAWS; d++)
		x->drawn[d] = d;
	for (size_t g = 0; g < GRAPHS; g++) {
		x->compare[g] = (struct compare){.n_policies = METHODS,
			.draws = DRAWS,
			.at = at,
			.n_at = 2,
			.nodes = NODES,
			.trials = x->trial[g],
			.drawn = x->drawn};
		for (size_t m = 0; m < METHODS; m++)
			for (uint32_t d = 0; d < DRAWS; d++) {
				struct throughput_point *p = x->point[g][m * DRAWS + d];
				p[1].discoverable = base[m] + 0.001 * (double)((d + m + g) % 3);
				p[1].strict = p[1].discoverable / 2;
				x->trial[g][m * DRAWS + d] =
					(struct trial){.draw = d + 1, .points = p, .crawled = d < cut ? 449 : 450};
			}
		for (size_t m = 0; m < METHODS; m++)
			x->of[g][m] = (struct contest_entry){&x->compare[g], places[m]};
		x->graph[g] = (struct contest_graph){.name = "g", .family = families[g], .entry = x->of[g]};
	}
}

static const char *verdict(const struct contest *c, size_t method, size_t other)
{
	const struct contest_claim claim = {.method = method, .other = &other, .others = 1};
	struct contest_across a;

	contest_across_make(c, &a);
	const char *word = contest_verdict(c, &a, &claim);
	contest_across_release(&a);
	return word;
}

static void draws_that_end_too_early_are_left_out(void **state)
{
	static const double base[] = {0.8, 0.79, 0.5};
	struct made x;

	(void)state;
	make(&x, base, 3);
	assert_int_equal(contest_kept(&x.contest, 0), DRAWS - 3);
	assert_false(contest_keeps(&x.contest, 0, 2));
	x.contest.draws = CONTEST_ALL_DRAWS;
	assert_int_equal(contest_kept(&x.contest, 0), DRAWS);
	make(&x, base, DRAWS);
	assert_int_equal(contest_kept(&x.contest, 0), 0);
	assert_true(isnan(contest_mean(&x.contest, 0, 0, MEASURE_DISCOVERABLE, 1).mean));
	double *value;
	const char **family;
	assert_int_equal(contest_rows(&x.contest, &value, &family), 0);
	free(value);
	free(family);
}

static void graphs_of_a_family_are_one_row(void **state)
{
	static const double base[] = {0.8, 0.79, 0.5};
	struct contest_across a;
	struct made x;

	(void)state;
	make(&x, base, 0);
	contest_across_make(&x.contest, &a);
	assert_int_equal(a.rows, GRAPHS - 1);
	assert_string_equal(a.family[10], "k");
	const double mean = (contest_mean(&x.contest, 10, 1, MEASURE_DISCOVERABLE, 1).mean +
				    contest_mean(&x.contest, 11, 1, MEASURE_DISCOVERABLE, 1).mean) /
		2;
	assert_true(fabs(a.value[10 * METHODS + 1] - mean) < 1e-15);
	assert_true(contest_share(&a, 0, METHODS, 2) == 1 && contest_share(&a, 2, METHODS, 0) == 0);
	contest_across_release(&a);
}

static void a_claim_holds_is_contradicted_or_is_not_shown(void **state)
{
	static const double apart[] = {0.8, 0.7, 0.5}, near[] = {0.8, 0.799, 0.5};
	struct made x;

	(void)state;
	make(&x, apart, 0);
	assert_string_equal(verdict(&x.contest, 0, 2), "holds");
	assert_string_equal(verdict(&x.contest, 2, 0), "contradicted");
	x.contest.smallest_effect = 0.4; /* a sure difference that does not matter */
	assert_string_equal(verdict(&x.contest, 0, 2), "not shown");
	x.contest.smallest_effect = 0.01;
	x.contest.graphs = 1; /* one graph shows nothing of others */
	assert_string_equal(verdict(&x.contest, 0, 2), "not shown");
	make(&x, near, 0);
	assert_string_equal(verdict(&x.contest, 0, 1), "not shown");
}

/* Eleven independent graphs on which the first method is a little better each time: one planned comparison shows it, and so do six;
 * the picture of all pairs of many methods would not. */
static void claims_are_corrected_for_the_comparisons_that_were_planned(void **state)
{
	static const double base[] = {0.8, 0.785, 0.8};
	static const size_t near = 1, bad = 2;
	const struct contest_claim claims[] = {{.method = 0, .other = &near, .others = 1},
		{.method = 0, .other = &bad, .others = 1}, {.method = 1, .other = &bad, .others = 1, .is_finding = 1},
		{.method = 1, .other = &(const size_t){0}, .others = 1}};
	struct contest_across a;
	struct made x;

	(void)state;
	make(&x, base, 0);
	x.contest.claim = claims;
	x.contest.claims = 4;
	contest_across_make(&x.contest, &a);
	struct contest_planned *test = contest_planned(&x.contest, &a, &claims[0]);
	assert_int_equal(test->comparisons, 2); /* the fourth claim is the same test, the third has its own */
	assert_true(fabs(test->p - 2 / pow(2, 11)) < 1e-12 && fabs(test->corrected - 2 * test->p) < 1e-12);
	assert_true(test->share > 0.99 && fabs(test->difference - 0.015) < 0.001);
	free(test);
	test = contest_planned(&x.contest, &a, &claims[2]);
	assert_int_equal(test->comparisons, 1);
	free(test);
	assert_string_equal(contest_verdict(&x.contest, &a, &claims[0]), "holds");
	assert_string_equal(contest_verdict(&x.contest, &a, &claims[1]), "not shown");
	assert_string_equal(contest_verdict(&x.contest, &a, &claims[3]), "contradicted");
	contest_across_release(&a);
	x.contest.graphs = 5; /* no test of five graphs shows anything, in either direction */
	contest_across_make(&x.contest, &a);
	assert_string_equal(contest_verdict(&x.contest, &a, &claims[0]), "not shown");
	assert_string_equal(contest_verdict(&x.contest, &a, &claims[3]), "not shown");
	contest_across_release(&a);
}

static void within_a_graph_few_draws_say_nothing(void **state)
{
	static const double base[] = {0.8, 0.7, 0.795};
	struct made x;

	(void)state;
	make(&x, base, 0);
	struct pair *pair = contest_pairs(&x.contest, 0);
	assert_int_equal(pair[0 * METHODS + 1].verdict, VERDICT_BETTER);
	assert_int_equal(pair[1 * METHODS + 0].verdict, VERDICT_WORSE);
	assert_true(fabs(pair[0 * METHODS + 1].difference.mean + pair[1 * METHODS + 0].difference.mean) < 1e-15);
	assert_int_equal(pair[0 * METHODS + 2].verdict, VERDICT_EQUAL); /* below the smallest effect */
	free(pair);
	make(&x, base, 3);
	pair = contest_pairs(&x.contest, 0);
	assert_int_equal(pair[0 * METHODS + 1].verdict, VERDICT_TOO_FEW);
	free(pair);
	make(&x, base, 0);
	memset(x.drawn, 0, sizeof x.drawn); /* the same seeds in every draw are one draw */
	pair = contest_pairs(&x.contest, 0);
	assert_int_equal(pair[0 * METHODS + 1].verdict, VERDICT_TOO_FEW);
	free(pair);
}

/* Method 2 takes the part of a yardstick of 0.9, in the entry behind the two others. */
static void the_gap_leads_from_the_best_of_the_others_to_the_yardstick(void **state)
{
	static const double base[] = {0.8, 0.7, 0.9};
	struct contest_gap gap;
	struct made x;

	(void)state;
	make(&x, base, 0);
	x.contest.methods = 2;
	x.contest.yardstick = &names[2];
	x.contest.yardsticks = 1;
	x.contest.challenger = 0;
	contest_gap(&x.contest, 0, &gap);
	assert_int_equal(gap.best, 1);
	assert_true(fabs(gap.difference.mean - 0.1) < 0.001);
	assert_true(fabs(gap.gap - 0.2) < 0.001 && fabs(gap.share - 0.5) < 0.01);
	assert_true(gap.p < 0.01 && gap.difference.low > 0.09 && gap.difference.high < 0.11);
	x.contest.challenger = 1; /* and so it is behind the best */
	contest_gap(&x.contest, 0, &gap);
	assert_int_equal(gap.best, 0);
	assert_true(gap.difference.mean < 0 && fabs(gap.share + 1) < 0.02);
	x.contest.least_gap = 0.15;
	contest_gap(&x.contest, 0, &gap);
	assert_true(isnan(gap.share));
	memset(x.drawn, 0, sizeof x.drawn); /* the same seeds in every draw are one draw */
	contest_gap(&x.contest, 0, &gap);
	assert_true(gap.p >= 1 && isnan(gap.difference.low));
}

static void a_gap_of_nothing_has_no_share_though_every_gap_counts(void **state)
{
	static const double base[] = {0.8, 0.7, 0.9};
	static const size_t yardstick_is_the_best[] = {0, 1, 1};
	struct contest_gap gap;
	struct made x;

	(void)state;
	make(&x, base, 0);
	for (size_t m = 0; m < METHODS; m++)
		x.of[0][m].place = yardstick_is_the_best[m];
	x.contest.methods = 2;
	x.contest.yardstick = &names[1];
	x.contest.yardsticks = 1;
	x.contest.challenger = 0;
	x.contest.least_gap = 0;
	contest_gap(&x.contest, 0, &gap);
	assert_int_equal(gap.best, 1);
	assert_true(gap.gap >= 0 && gap.gap <= 0);
	assert_true(isnan(gap.share));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(draws_that_end_too_early_are_left_out),
		cmocka_unit_test(graphs_of_a_family_are_one_row),
		cmocka_unit_test(a_claim_holds_is_contradicted_or_is_not_shown),
		cmocka_unit_test(claims_are_corrected_for_the_comparisons_that_were_planned),
		cmocka_unit_test(within_a_graph_few_draws_say_nothing),
		cmocka_unit_test(the_gap_leads_from_the_best_of_the_others_to_the_yardstick),
		cmocka_unit_test(a_gap_of_nothing_has_no_share_though_every_gap_counts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
