/* Estimated rates of change, of pages and of hosts, on pages whose true rates are known. */
#include "tests/test.h"

#include "refresh/changes.h"
#include "refresh/rates.h"
#include "tests/lab/poisson.h"

#include <math.h>

/* --- the rate of a page */

/* Visits a page n times, at irregular times, and returns the estimate of its rate. */
static double visit(struct rng *r, double rate, int n, int is_dated)
{
	struct changes c = {0};

	for (int i = 0; i < n; i++) {
		const double days = (0.2 + 2 * rng_unit(r)) / rate;
		const double since = draw_wait(r, rate); /* the last change, back from the visit */
		if (since > days)
			changes_same(&c, days);
		else if (is_dated)
			changes_dated(&c, since);
		else
			changes_seen(&c, days);
	}
	return changes_rate(&c, (struct known){1, 1 / (1.5 * rate)});
}

static void a_rate_is_estimated_from_irregular_visits(void **state)
{
	static const double rates[] = {0.01, 0.3, 1, 24};
	struct rng r = {5};

	(void)state;
	for (size_t k = 0; k < sizeof rates / sizeof *rates; k++)
		for (int is_dated = 0; is_dated < 2; is_dated++) {
			double sum = 0;
			for (int i = 0; i < 400; i++)
				sum += log(visit(&r, rates[k], 40, is_dated) / rates[k]);
			assert_true(fabs(sum / 400) < 0.06);
		}
}

/* The share of visits with a change would tell the rate too low. */
static void several_changes_between_two_visits_are_accounted_for(void **state)
{
	struct changes c = {0};

	(void)state;
	for (int i = 0; i < 8; i++) {
		changes_seen(&c, 1);
		if (i % 2)
			changes_same(&c, 1);
	}
	const double rate = changes_rate(&c, (struct known){1, 1});
	assert_true(rate > 0.95 && rate < 1.25); /* ln 3 is the likeliest: changed in 8 of 12 days */
}

static void without_visits_the_rate_is_the_prior(void **state)
{
	const struct changes c = {0};

	(void)state;
	assert_true(fabs(changes_rate(&c, (struct known){1, 8}) - 0.125) < 1e-9);
	assert_false(changes_are_known(&c));
}

/* once in ten days, with the weight of one change */
static const struct known slow = {1, 10};

static void a_page_that_always_and_one_that_never_changed_have_finite_rates(void **state)
{
	struct changes always = {0}, never = {0};

	(void)state;
	for (int i = 0; i < 100; i++) {
		changes_seen(&always, 1);
		changes_same(&never, 1);
	}
	assert_true(changes_rate(&always, slow) > 0.8 && changes_rate(&always, slow) < 100);
	assert_true(changes_rate(&never, slow) > 0 && changes_rate(&never, slow) < 0.01);
}

static void the_estimate_follows_a_page_whose_habits_change(void **state)
{
	struct changes c = {0};

	(void)state;
	for (int i = 0; i < 200; i++)
		changes_same(&c, 1);
	const double before = changes_rate(&c, slow);
	for (int i = 0; i < 200; i++)
		changes_seen(&c, 1);
	assert_true(changes_rate(&c, slow) > 100 * before);
}

/* The likelihood of all visits has its slope and curvature by the logarithm of the rate from what changes_told() says. */
static void what_visits_have_told_has_the_likelihood_of_the_visits(void **state)
{
	static const double rates[] = {0.001, 0.2, 1, 7};
	struct changes c = {0};

	(void)state;
	changes_same(&c, 3);
	changes_seen(&c, 0.5);
	changes_seen(&c, 4);
	changes_dated(&c, 1);
	for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
		const struct known k = changes_told(&c, rates[i]);
		double l[3], told[3];
		for (int j = 0; j < 3; j++) {
			const double r = rates[i] * exp(1e-3 * (j - 1));
			l[j] = log(-expm1(-0.5 * r)) + log(-expm1(-4 * r)) + log(r) - 4 * r;
			told[j] = k.changes * log(r) - k.days * r;
		}
		const double slope = (l[2] - l[0]) / 2e-3, curvature = (l[2] - 2 * l[1] + l[0]) / 1e-6;
		assert_true(fabs((told[2] - told[0]) / 2e-3 - slope) < 1e-5 * (1 + fabs(slope)));
		assert_true(fabs((told[2] - 2 * told[1] + told[0]) / 1e-6 - curvature) < 1e-3 * (1 + fabs(curvature)));
	}
}

/* --- what hosts tell */

#define TOLD 1200

/* Draws a gamma number of a whole shape with the mean 1. */
static double draw_gamma(struct rng *r, int shape)
{
	double sum = 0;

	for (int i = 0; i < shape; i++)
		sum += draw_wait(r, shape);
	return sum;
}

/* Learns from pages of hosts whose rates have the median 0.5 and a deviation of 1; `alike` is the shape of the pages' rates, and 0
 * that all pages of a host are the same. */
static struct rates learn(int alike, uint32_t hosts)
{
	static struct known told[TOLD];
	struct rng rng = {3};
	struct rates r;
	double pace[TOLD];

	for (uint32_t h = 0; h < hosts; h++)
		pace[h] = 0.5 * exp(draw_normal(&rng));
	for (uint32_t i = 0; i < TOLD; i++) {
		const double rate = pace[i % hosts] * (alike ? draw_gamma(&rng, alike) : 1);
		told[i] = (struct known){0, 10};
		for (double t = draw_wait(&rng, rate); t < told[i].days; t += draw_wait(&rng, rate))
			told[i].changes++;
	}
	rates_init(&r, RATES_PRIOR);
	for (int round = 0; round < 60; round++) {
		for (uint32_t i = 0; i < TOLD; i++)
			rates_count(&r, i % hosts, told[i]);
		rates_update(&r);
	}
	return r;
}

static void how_alike_hosts_and_their_pages_are_is_learnt(void **state)
{
	static const int alike[] = {1, 3, 0};

	(void)state;
	for (size_t i = 0; i < sizeof alike / sizeof *alike; i++) {
		struct rates r = learn(alike[i], 200);
		print_message("# alike %d: median %.3f, hosts %.2f, pages %.2f\n", alike[i], exp(r.median), r.hosts_alike,
			r.pages_alike);
		assert_true(exp(r.median) > 0.4 && exp(r.median) < 0.6);
		assert_true(r.hosts_alike > 0.7 && r.hosts_alike < 1.4);
		if (alike[i])
			assert_true(r.pages_alike > 0.7 * alike[i] && r.pages_alike < 1.4 * alike[i]);
		else
			assert_true(r.pages_alike > 10);
		rates_release(&r);
	}
}

/* If each host has one page, what the host is known for is what the page has told, which must not count twice. */
static void what_a_page_has_told_does_not_count_as_what_others_tell(void **state)
{
	const struct known told = {30, 10};
	struct rates r = learn(2, TOLD);

	(void)state;
	rates_count(&r, 0, told);
	rates_update(&r);
	const struct known before = rates_prior(&r, 0, told), of_new = rates_prior(&r, TOLD, (struct known){0, 0});
	assert_true(known_rate(before) > 0.3 * known_rate(of_new) && known_rate(before) < 3 * known_rate(of_new));
	assert_true(before.changes < 1.5 * of_new.changes);
	rates_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_rate_is_estimated_from_irregular_visits),
		cmocka_unit_test(several_changes_between_two_visits_are_accounted_for),
		cmocka_unit_test(without_visits_the_rate_is_the_prior),
		cmocka_unit_test(a_page_that_always_and_one_that_never_changed_have_finite_rates),
		cmocka_unit_test(the_estimate_follows_a_page_whose_habits_change),
		cmocka_unit_test(what_visits_have_told_has_the_likelihood_of_the_visits),
		cmocka_unit_test(how_alike_hosts_and_their_pages_are_is_learnt),
		cmocka_unit_test(what_a_page_has_told_does_not_count_as_what_others_tell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
