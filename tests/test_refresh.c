/* Visiting pages again: estimated rates of change, the division of a budget, and the schedule, on simulated pages whose true rates
 * are known. */
#include "tests/test.h"

#include "base/mem.h"
#include "base/rng.h"
#include "refresh/allocation.h"
#include "refresh/changes.h"
#include "refresh/schedule.h"

#include <math.h>

static double draw_normal(struct rng *r)
{
	return sqrt(-2 * log(1 - rng_unit(r))) * cos(6.283185307179586 * rng_unit(r));
}

static double draw_wait(struct rng *r, double rate)
{
	return -log(1 - rng_unit(r)) / rate;
}

/* --- rates */

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
	return changes_rate(&c, 1.5 * rate);
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
	const double rate = changes_rate(&c, 1);
	assert_true(
		rate > 0.95 && rate < 1.25); /* ln 3 is the likeliest: changed in 8 of 12 days */
}

static void without_visits_the_rate_is_the_prior(void **state)
{
	const struct changes c = {0};

	(void)state;
	assert_true(fabs(changes_rate(&c, 0.125) - 0.125) < 1e-9);
	assert_false(changes_are_known(&c));
}

static void a_page_that_always_and_one_that_never_changed_have_finite_rates(void **state)
{
	struct changes always = {0}, never = {0};

	(void)state;
	for (int i = 0; i < 100; i++) {
		changes_seen(&always, 1);
		changes_same(&never, 1);
	}
	assert_true(changes_rate(&always, 0.1) > 0.8 && changes_rate(&always, 0.1) < 100);
	assert_true(changes_rate(&never, 0.1) > 0 && changes_rate(&never, 0.1) < 0.01);
}

static void the_estimate_follows_a_page_whose_habits_change(void **state)
{
	struct changes c = {0};

	(void)state;
	for (int i = 0; i < 200; i++)
		changes_same(&c, 1);
	const double before = changes_rate(&c, 0.1);
	for (int i = 0; i < 200; i++)
		changes_seen(&c, 1);
	assert_true(changes_rate(&c, 0.1) > 100 * before);
}

/* --- the division of a budget */

static double value_of(const struct allocation_page *p, const double *visits, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += p[i].importance * visits[i] / (visits[i] + p[i].changes);
	return sum;
}

static void no_exchange_of_visits_between_two_pages_adds_freshness(void **state)
{
	struct allocation_page p[20];
	struct rng r = {9};
	double visits[20];

	(void)state;
	for (int round = 0; round < 50; round++) {
		const double budget = 0.1 + 40 * rng_unit(&r);
		double sum = 0;
		for (size_t i = 0; i < 20; i++)
			p[i] = (struct allocation_page){
				exp(draw_normal(&r)), exp(2 * draw_normal(&r))};
		const double price = allocation_price(p, 20, budget);
		for (size_t i = 0; i < 20; i++)
			sum += visits[i] = allocation_visits(&p[i], price);
		assert_true(fabs(sum - budget) < 1e-9 * budget);
		const double best = value_of(p, visits, 20);
		for (int k = 0; k < 200; k++) {
			const size_t from = rng_below(&r, 20), to = rng_below(&r, 20);
			const double some = visits[from] * rng_unit(&r);
			visits[from] -= some;
			visits[to] += some;
			assert_true(value_of(p, visits, 20) <= best * (1 + 1e-12));
			visits[to] -= some;
			visits[from] += some;
		}
	}
}

static void a_page_that_changes_too_often_gets_no_visit(void **state)
{
	struct allocation_page p[] = {{1, 0.1}, {1, 1000}, {1, 0.2}};
	const double price = allocation_price(p, 3, 1);

	(void)state;
	assert_true(p[2].changes > 999); /* the last one in value */
	assert_true(allocation_visits(&p[2], price) == 0);
	assert_true(allocation_visits(&p[0], price) > 0 && allocation_visits(&p[1], price) > 0);
}

/* --- the schedule, in a simulated world */

#define PAGES 1500
#define HOSTS 30

struct world {
	struct rng rng;
	double rate[PAGES], importance[PAGES];
	double visited[PAGES], next_change[PAGES]; /* days */
	double fresh, all;                         /* importance times days */
};

static void make_world(struct world *w, uint64_t seed)
{
	double pace[HOSTS], sum = 0;

	*w = (struct world){.rng = {seed}};
	for (size_t h = 0; h < HOSTS; h++)
		pace[h] = 0.5 * exp(draw_normal(&w->rng));
	for (size_t i = 0; i < PAGES; i++) {
		w->rate[i] = pace[i % HOSTS] * exp(0.5 * draw_normal(&w->rng));
		w->importance[i] = pow(1 - rng_unit(&w->rng), -0.5);
		sum += w->importance[i];
	}
	for (size_t i = 0; i < PAGES; i++) {
		w->importance[i] *= PAGES / sum;
		w->next_change[i] = draw_wait(&w->rng, w->rate[i]);
	}
}

static int64_t at_once(void *ctx, uint32_t id)
{
	(void)ctx, (void)id;
	return 0;
}

/* Visits page i at a time. Returns the time of its last change, or 0 if it has not changed since the last visit. */
static double look(struct world *w, uint32_t i, double now, double from)
{
	const double change = w->next_change[i];
	double last = 0;

	if (now > from) {
		const double begin = w->visited[i] > from ? w->visited[i] : from;
		const double fresh = fmin(change, now) - begin;
		w->fresh += fresh > 0 ? w->importance[i] * fresh : 0;
		w->all += w->importance[i] * (now - begin);
	}
	while (w->next_change[i] <= now) {
		last = w->next_change[i];
		w->next_change[i] += draw_wait(&w->rng, w->rate[i]);
	}
	w->visited[i] = now;
	return last;
}

/* Returns the freshness under a schedule in the second half of so many days. */
static double freshness(
	uint64_t seed, enum schedule_how how, double budget, double days, int is_dated)
{
	struct world *w = mem_new(1, sizeof *w);
	struct schedule *s;
	uint32_t id;

	make_world(w, seed);
	schedule_new(&s, &(struct schedule_settings){.how = how, .visits = budget, .prior = 0.2});
	for (uint32_t i = 0; i < PAGES; i++)
		schedule_add(s, i,
			&(struct schedule_page){.host = i % HOSTS, .importance = w->importance[i]});
	for (double n = 0; n < budget * days; n++) {
		const int64_t now = (int64_t)(n / budget * SCHEDULE_DAY);
		if (!schedule_next(s, now, at_once, NULL, &id))
			continue;
		const double changed = look(w, id, (double)now / SCHEDULE_DAY, days / 2);
		schedule_out(s, id);
		schedule_visited(s, id, now, changed > 0 ? SCHEDULE_CHANGED : SCHEDULE_SAME,
			is_dated ? (int64_t)(changed * SCHEDULE_DAY) : 0);
	}
	for (uint32_t i = 0; i < PAGES; i++)
		look(w, i, days, days / 2);
	const double share = w->fresh / w->all;
	schedule_free(s);
	free(w);
	return share;
}

/* The x > 0 where 1 - exp(-x) (1 + x) is y. */
static double interval_of(double y)
{
	double low = 0, high = 60;

	for (int i = 0; i < 60; i++) {
		const double x = (low + high) / 2;
		if (1 - exp(-x) * (1 + x) < y)
			low = x;
		else
			high = x;
	}
	return low;
}

/* The freshness of the best regular visits (Cho and Garcia-Molina 2003), by the true rates, which no crawler knows. */
static double optimum(uint64_t seed, double budget)
{
	struct world *w = mem_new(1, sizeof *w);
	double low = log(1e-9), high = log(1e9), fresh = 0;

	make_world(w, seed);
	for (int k = 0; k < 60; k++) {
		const double price = exp((low + high) / 2);
		double visits = 0;
		fresh = 0;
		for (size_t i = 0; i < PAGES; i++) {
			const double y = price * w->rate[i] / w->importance[i];
			if (y >= 1)
				continue;
			const double x = interval_of(y);
			visits += w->rate[i] / x;
			fresh += w->importance[i] * -expm1(-x) / x;
		}
		if (visits > budget)
			low = log(price);
		else
			high = log(price);
	}
	free(w);
	return fresh / PAGES;
}

static void the_schedule_is_near_the_optimum_and_above_the_simple_ones(void **state)
{
	static const double budgets[] = {0.2 * PAGES, PAGES};

	(void)state;
	for (size_t k = 0; k < 2; k++)
		for (int is_dated = 0; is_dated < 2; is_dated++) {
			const double days = is_dated ? 30 : 60;
			const double best = optimum(3, budgets[k]);
			const double ours =
				freshness(3, SCHEDULE_OPTIMAL, budgets[k], days, is_dated);
			const double uniform =
				freshness(3, SCHEDULE_UNIFORM, budgets[k], days, is_dated);
			const double by_rate =
				freshness(3, SCHEDULE_PROPORTIONAL, budgets[k], days, is_dated);
			print_message(
				"# %.1f visits a page and day%s: optimum %.4f, schedule %.4f, uniform %.4f, proportional %.4f\n",
				budgets[k] / PAGES, is_dated ? ", dated changes" : "", best, ours,
				uniform, by_rate);
			assert_true(ours > uniform && ours > by_rate);
			assert_true(ours > 0.95 * best);
			assert_true(ours < 1.02 * best);
		}
}

static void a_round_visits_each_page_once_the_worthiest_first(void **state)
{
	struct schedule *s;
	uint32_t id, n = 0;
	double before = INFINITY;

	(void)state;
	schedule_new(&s, &(struct schedule_settings){.course = SCHEDULE_ROUND, .prior = 0.1});
	for (uint32_t i = 0; i < 100; i++)
		schedule_add(s, i * 7,
			&(struct schedule_page){.host = i % 3,
				.importance = 1 + i % 10,
				.last = -86400000 * (int64_t)(i % 13)});
	for (; schedule_next(s, 1000, at_once, NULL, &id); n++) {
		const double worth = schedule_worth(s, id, 1000);
		assert_true(worth <= before * (1 + 1e-6));
		before = worth;
		schedule_out(s, id);
		schedule_visited(s, id, 1000, n % 2 ? SCHEDULE_SAME : SCHEDULE_FAILED, 0);
	}
	assert_int_equal(n, 100);
	assert_true(schedule_is_over(s));
	schedule_free(s);
}

/* Host 1 rests. */
static int64_t one_rests(void *ctx, uint32_t id)
{
	return id % 2 ? *(const int64_t *)ctx : 0;
}

static void a_host_that_rests_keeps_no_other_waiting(void **state)
{
	struct schedule *s;
	int64_t until = 5000;
	uint32_t id;

	(void)state;
	schedule_new(&s, &(struct schedule_settings){.course = SCHEDULE_ROUND, .prior = 0.1});
	for (uint32_t i = 0; i < 4; i++)
		schedule_add(s, i,
			&(struct schedule_page){
				.host = i % 2, .importance = i % 2 ? 9 : 1, .last = -1000});
	for (int i = 0; i < 2; i++) {
		assert_true(schedule_next(s, 0, one_rests, &until, &id));
		assert_int_equal(id % 2, 0);
		schedule_out(s, id);
		schedule_visited(s, id, 0, SCHEDULE_SAME, 0);
	}
	assert_false(schedule_next(s, 0, one_rests, &until, &id));
	assert_int_equal(schedule_time(s, 0), 5000);
	until = 0;
	assert_true(schedule_next(s, 5000, one_rests, &until, &id));
	assert_int_equal(id, 1);
	schedule_out(s, id);
	schedule_put_back(s, id, 9000);
	assert_true(schedule_next(s, 5000, one_rests, &until, &id));
	assert_int_equal(id, 3);
	/* a host that is given up is not waited for */
	until = SCHEDULE_NEVER;
	assert_false(schedule_next(s, 6000, one_rests, &until, &id));
	assert_false(schedule_is_over(s)); /* page 1 is still to come back */
	assert_false(schedule_next(s, 9000, one_rests, &until, &id));
	assert_true(schedule_is_over(s));
	schedule_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_rate_is_estimated_from_irregular_visits),
		cmocka_unit_test(several_changes_between_two_visits_are_accounted_for),
		cmocka_unit_test(without_visits_the_rate_is_the_prior),
		cmocka_unit_test(a_page_that_always_and_one_that_never_changed_have_finite_rates),
		cmocka_unit_test(the_estimate_follows_a_page_whose_habits_change),
		cmocka_unit_test(no_exchange_of_visits_between_two_pages_adds_freshness),
		cmocka_unit_test(a_page_that_changes_too_often_gets_no_visit),
		cmocka_unit_test(the_schedule_is_near_the_optimum_and_above_the_simple_ones),
		cmocka_unit_test(a_round_visits_each_page_once_the_worthiest_first),
		cmocka_unit_test(a_host_that_rests_keeps_no_other_waiting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
