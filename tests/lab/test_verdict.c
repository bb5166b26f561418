/* Which policy is said to be better: how often that is wrong, and what is said. */
#include "tests/test.h"

#include "base/mem.h"
#include "base/rng.h"
#include "lab/study/summary.h"
#include "policies/policies.h"

#include <math.h>

static const struct policy *const some[] = {&policy_bfs, &policy_ieca, &policy_opic, &policy_fica, &policy_backlink,
	&policy_random};

#define MOST_DRAWS 30

/* A comparison of so many policies, all areas 0. */
static void make(struct compare *c, size_t n_policies, uint32_t draws)
{
	*c = (struct compare){.policies = some, .n_policies = n_policies, .draws = draws};
	c->trials = mem_zero(n_policies * draws, sizeof *c->trials);
}

/* Two policies with these areas: the verdict on the first. */
static enum verdict judge(const double *first, const double *second, uint32_t draws, char *sentence)
{
	struct buf text = BUF_EMPTY;
	struct compare c;
	size_t order[2];

	make(&c, 2, draws);
	for (uint32_t i = 0; i < draws; i++) {
		c.trials[i].auc = first[i];
		c.trials[draws + i].auc = second[i];
	}
	struct pair *pairs = verdict_pairs(&c), pair = pairs[1], back = pairs[2];
	enum verdict v = pair.verdict;
	assert_true(pair.policy == 0 && pair.other == 1 && back.policy == 1 && back.other == 0);
	assert_true(pair.difference.mean == -back.difference.mean);
	assert_true(draws < 2 || pair.difference.low == -back.difference.high);
	assert_true(v == VERDICT_BETTER      ? back.verdict == VERDICT_WORSE
			: v == VERDICT_WORSE ? back.verdict == VERDICT_BETTER
					     : back.verdict == v);
	assert_int_equal(pairs[0].verdict, VERDICT_EQUAL);
	summary_order(&c, order);
	assert_int_equal(order[0], pair.difference.mean < 0);
	verdict_sentence(&c, &pair, &text);
	strcpy(sentence, text.at);
	buf_release(&text);
	free(pairs);
	free(c.trials);
	return v;
}

static void verdicts_need_draws_that_agree(void **state)
{
	static const double low[] = {.50, .51, .52, .53, .54, .55, .56, .57}, high[] = {.52, .53, .54, .55, .56, .57, .58, .59},
			    mixed[] = {.49, .52, .51, .54, .525, .545, .55, .575},
			    /* all above, but for the interval one is too far out */
		outlier[] = {.501, .512, .523, .534, .545, .95, .567, .578};
	char said[256];

	(void)state;
	assert_int_equal(judge(high, low, 6, said), VERDICT_BETTER);
	assert_string_equal(said, "bfs beats ieca by 0.0200 [0.0200, 0.0200]");
	assert_int_equal(judge(low, high, 8, said), VERDICT_WORSE);
	assert_string_equal(said, "ieca beats bfs by 0.0200 [0.0200, 0.0200]");
	assert_int_equal(judge(low, mixed, 8, said), VERDICT_EQUAL);
	assert_memory_equal(said, "bfs and ieca cannot be told apart: ", 35);
	assert_null(strstr(said, "Holm")); /* one pair needs no correction */
	assert_int_equal(judge(low, low, 8, said), VERDICT_EQUAL);
	assert_int_equal(judge(low, outlier, 8, said), VERDICT_EQUAL);
	assert_int_equal(judge(high, low, 5, said), VERDICT_TOO_FEW);
	assert_string_equal(said,
		"bfs and ieca are 0.0200 apart, not separable at 5 draws (6 or "
		"more are needed)");
	assert_int_equal(judge(low, high, 1, said), VERDICT_TOO_FEW);
	assert_non_null(strstr(said, "not separable at 1 draw ("));
}

/* p is 0.031, and 0.094 for three pairs. */
static void a_difference_that_only_the_correction_hides_is_told_so(void **state)
{
	static const double more[] = {.01, .02, .03, .04, .05, .06, -.001};
	struct buf text = BUF_EMPTY;
	struct compare c;

	(void)state;
	make(&c, 3, 7);
	for (int d = 0; d < 7; d++) {
		c.trials[d].auc = 0.5 + more[d];
		c.trials[7 + d].auc = 0.5;
		c.trials[14 + d].auc = 0.5 - 0.1 * more[d];
	}
	struct pair *pairs = verdict_pairs(&c);
	assert_int_equal(pairs[1].verdict, VERDICT_EQUAL);
	assert_true(pairs[1].p < 0.05 && pairs[1].corrected > 0.05 && pairs[1].comparisons == 3 && pairs[1].draws == 7);
	assert_true(pairs[1].share > 6.0 / 7 - 1e-9 && pairs[1].share < 6.0 / 7 + 1e-9);
	assert_true(pairs[3].share > 1.0 / 7 - 1e-9 && pairs[3].share < 1.0 / 7 + 1e-9);
	verdict_sentence(&c, &pairs[1], &text);
	assert_non_null(strstr(text.at, "] (not after Holm over 3 pairs)"));
	buf_release(&text);
	free(pairs);
	free(c.trials);
}

/* The seeds of a file are the same in every draw, which tells no more than one. */
static void draws_that_are_all_the_same_are_one(void **state)
{
	uint64_t drawn[8] = {7, 7, 7, 7, 7, 7, 7, 7};
	struct compare c;

	(void)state;
	make(&c, 2, 8);
	for (int i = 0; i < 8; i++)
		c.trials[i].auc = 0.5;
	c.drawn = drawn;
	struct pair *pairs = verdict_pairs(&c);
	assert_int_equal(pairs[1].verdict, VERDICT_TOO_FEW);
	assert_true(isnan(pairs[1].p) && isnan(pairs[1].corrected));
	free(pairs);
	drawn[5] = 8;
	pairs = verdict_pairs(&c);
	assert_int_equal(pairs[1].verdict, VERDICT_BETTER);
	free(pairs);
	free(c.trials);
}

/* --- how often a verdict is wrong */

static double draw_normal(struct rng *rng)
{
	return sqrt(-2 * log(1 - rng_unit(rng))) * cos(2 * M_PI * rng_unit(rng));
}

static double draw_laplace(struct rng *rng)
{
	return log(1 - rng_unit(rng)) - log(1 - rng_unit(rng));
}

static double draw_cauchy(struct rng *rng)
{
	return tan(M_PI * (rng_unit(rng) - 0.5));
}

/* Of mean 0, but not symmetric: what no test of so few draws can be exact for. */
static double draw_skewed(struct rng *rng)
{
	return -log(1 - rng_unit(rng)) - 1;
}

/* Of 1,000 comparisons in which no policy is better than another, those with a false verdict. A
 * draw of the seeds is good or bad for all; the last policy is bfs, plus what was drawn. */
static int false_alarms(double (*draw)(struct rng *), size_t n_policies, uint32_t draws, struct rng *rng)
{
	struct compare c;
	int wrong = 0;

	make(&c, n_policies, draws);
	for (int round = 0; round < 1000; round++) {
		for (uint32_t d = 0; d < draws; d++) {
			double luck = rng_unit(rng);
			for (size_t p = 0; p < n_policies; p++)
				c.trials[p * draws + d].auc = luck + (p ? 0.01 * draw(rng) : 0);
		}
		struct pair *pairs = verdict_pairs(&c);
		int said = 0;
		for (size_t i = 0; i < n_policies * n_policies; i++)
			said |= pairs[i].verdict == VERDICT_BETTER;
		wrong += said;
		free(pairs);
	}
	free(c.trials);
	return wrong;
}

static void verdicts_are_wrong_no_more_often_than_they_say(void **state)
{
	/* 67: what 0.05 gives in one simulation of a hundred */
	static const struct {
		const char *name;
		double (*draw)(struct rng *);
		int most;
	} laws[] = {{"normal", draw_normal, 67}, {"laplace", draw_laplace, 67}, {"cauchy", draw_cauchy, 67},
		{"skewed", draw_skewed, 160}};
	static const uint32_t draws[] = {3, 5, 10, 20, 30};
	static const size_t many[] = {2, 6};
	struct rng rng = {2026};

	(void)state;
	for (size_t p = 0; p < 2; p++)
		for (size_t l = 0; l < sizeof laws / sizeof *laws; l++)
			for (size_t n = 0; n < sizeof draws / sizeof *draws; n++) {
				int wrong = false_alarms(laws[l].draw, many[p], draws[n], &rng);
				print_message("# %zu policies, %s, %u draws: %d\n", many[p], laws[l].name, draws[n], wrong);
				if (wrong > laws[l].most || (draws[n] <= 5 && wrong))
					fail_msg("%zu policies, %s, %u draws: %d of 1,000 wrong", many[p], laws[l].name, draws[n],
						wrong);
			}
}

/* What is there is found: a difference of one standard deviation, by 30 draws. */
static void verdicts_find_what_is_there(void **state)
{
	struct rng rng = {7};
	struct compare c;
	int found = 0;

	(void)state;
	make(&c, 2, MOST_DRAWS);
	for (int round = 0; round < 100; round++) {
		for (uint32_t d = 0; d < MOST_DRAWS; d++)
			c.trials[d].auc = 1 + draw_normal(&rng);
		struct pair *pairs = verdict_pairs(&c);
		found += pairs[1].verdict == VERDICT_BETTER;
		free(pairs);
	}
	free(c.trials);
	assert_in_range(found, 98, 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(verdicts_need_draws_that_agree),
		cmocka_unit_test(a_difference_that_only_the_correction_hides_is_told_so),
		cmocka_unit_test(draws_that_are_all_the_same_are_one),
		cmocka_unit_test(verdicts_are_wrong_no_more_often_than_they_say),
		cmocka_unit_test(verdicts_find_what_is_there),
	};

	return cmocka_run_group_tests_name("verdict", tests, NULL, NULL);
}
