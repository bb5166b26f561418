/* Visiting pages again: the division of a budget, and the schedule, on simulated pages whose true rates are known. */
#include "tests/test.h"

#include "base/mem.h"
#include "refresh/allocation.h"
#include "refresh/rates.h"
#include "refresh/schedule.h"
#include "tests/lab/poisson.h"

#include <math.h>

/* --- the division of a budget */

/* The freshness of pages of known rates that are visited every days[i] days. */
static double value_of(const struct allocation_page *p, const double *visits, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		const double rate = known_rate(p[i].known);
		sum += visits[i] > 0 ? p[i].importance * visits[i] / rate * -expm1(-rate / visits[i]) : 0;
	}
	return sum;
}

#define SURE 1e9 /* days: as good as a known rate */

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
			p[i] = (struct allocation_page){exp(draw_normal(&r)), {SURE * exp(2 * draw_normal(&r)), SURE}, 0};
		const double price = allocation_price(p, 20, budget, 1);
		for (size_t i = 0; i < 20; i++)
			sum += visits[i] = 1 / allocation_days(&p[i], price);
		assert_true(fabs(sum - budget) < 2 * ALLOCATION_ERROR * budget);
		const double best = value_of(p, visits, 20);
		for (int k = 0; k < 200; k++) {
			const size_t from = rng_below(&r, 20), to = rng_below(&r, 20);
			const double some = visits[from] * rng_unit(&r);
			visits[from] -= some;
			visits[to] += some;
			assert_true(value_of(p, visits, 20) <= best * (1 + 1e-6));
			visits[to] -= some;
			visits[from] += some;
		}
	}
}

static void a_page_that_changes_too_often_gets_no_visit_unless_that_is_uncertain(void **state)
{
	struct allocation_page p[] = {{1, {0.1 * SURE, SURE}, 0}, {1, {1000 * SURE, SURE}, 0}, {1, {0.2 * SURE, SURE}, 0}};
	double price = allocation_price(p, 3, 1, 1);

	(void)state;
	assert_true(isinf(allocation_days(&p[1], price)));
	assert_true(allocation_days(&p[0], price) < 10 && allocation_days(&p[2], price) < 10);
	p[1].known = (struct known){0.5, 0.0005};
	price = allocation_price(p, 3, 1, 1);
	assert_true(isfinite(allocation_days(&p[1], price)));
}

/* The mean over the rates that a page may have, by numerical integration. */
static void the_worth_of_a_visit_is_the_mean_over_what_the_rate_may_be(void **state)
{
	static const struct known known[] = {{0.4, 3}, {1, 10}, {2.5, 0.5}, {40, 80}};

	(void)state;
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		for (double days = 0.1; days < 200; days *= 3) {
			const struct allocation_page p = {2, known[i], 0};
			double worth = 0, all = 0;
			for (double l = -60; l < 8; l += 0.005) { /* the logarithm of the rate */
				const double r = exp(l), x = r * days, is = exp(known[i].changes * l - known[i].days * r);
				all += is;
				worth += is * 2 * (x < 1e-5 ? x * days / 2 : (1 - exp(-x) * (1 + x)) / r);
			}
			const double by_formula = allocation_worth(&p, days);
			assert_true(fabs(by_formula - worth / all) < 1e-3 * by_formula);
			assert_true(fabs(allocation_days(&p, by_formula) - days) < 1e-2 * days);
		}
}

/* --- the schedule, in a simulated world */

#define PAGES 600
#define HOSTS 60

/* A web and how it is refreshed. */
struct trial {
	uint64_t seed;
	double median; /* of the hosts' changes a day */
	double visits; /* a page and day */
	int is_dated;  /* pages have a Last-Modified */
};

struct world {
	struct rng rng;
	double rate[PAGES], importance[PAGES];
	double visited[PAGES], next_change[PAGES]; /* days */
	double fresh, all;                         /* importance times days */
};

static void make_world(struct world *w, const struct trial *t)
{
	double pace[HOSTS], sum = 0;

	*w = (struct world){.rng = {t->seed}};
	for (size_t h = 0; h < HOSTS; h++)
		pace[h] = t->median * exp(draw_normal(&w->rng));
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

static struct schedule *make_schedule(struct world *w, const struct trial *t, enum schedule_how how)
{
	struct schedule *s;

	schedule_new(&s, &(struct schedule_settings){.how = how, .visits = t->visits * PAGES, .prior = RATES_PRIOR});
	for (uint32_t i = 0; i < PAGES; i++) {
		struct schedule_page page = {.host = i % HOSTS, .importance = w->importance[i]};
		if (t->is_dated) /* of the copy that was crawled */
			changes_dated(&page.changes, draw_wait(&w->rng, w->rate[i]));
		schedule_add(s, i, &page);
	}
	return s;
}

#define DAYS 60

/* Returns the freshness under a schedule in the second half of DAYS. */
static double freshness(const struct trial *t, enum schedule_how how)
{
	struct world *w = mem_new(1, sizeof *w);
	const double a_day = t->visits * PAGES;
	uint32_t id;

	make_world(w, t);
	struct schedule *s = make_schedule(w, t, how);
	for (double n = 0; n < a_day * DAYS; n++) {
		const int64_t now = (int64_t)(n / a_day * SCHEDULE_DAY);
		if (!schedule_next(s, now, at_once, NULL, &id))
			continue;
		const double changed = look(w, id, (double)now / SCHEDULE_DAY, DAYS / 2);
		schedule_out(s, id);
		schedule_visited(s, id, now, changed > 0 ? SCHEDULE_CHANGED : SCHEDULE_SAME,
			t->is_dated ? (int64_t)(changed * SCHEDULE_DAY) : 0);
	}
	for (uint32_t i = 0; i < PAGES; i++)
		look(w, i, DAYS, DAYS / 2);
	const double share = w->fresh / w->all;
	schedule_free(s);
	free(w);
	return share;
}

/* The x > 0 where 1 - exp(-x) (1 + x) is y. */
static double interval_of(double y)
{
	double low = 0, high = 60;

	for (int i = 0; i < 40; i++) {
		const double x = (low + high) / 2;
		if (1 - exp(-x) * (1 + x) < y)
			low = x;
		else
			high = x;
	}
	return low;
}

/* The freshness of the best regular visits (Cho and Garcia-Molina 2003), by the true rates, which no crawler knows. */
static double optimum(const struct trial *t)
{
	struct world *w = mem_new(1, sizeof *w);
	double low = log(1e-9), high = log(1e9), fresh = 0;

	make_world(w, t);
	for (int k = 0; k < 40; k++) {
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
		if (visits > t->visits * PAGES)
			low = log(price);
		else
			high = log(price);
	}
	free(w);
	return fresh / PAGES;
}

/* The least share of the optimum that the schedule must reach, with and without a Last-Modified. doc/refresh.md says why it is less
 * where visits are much rarer than changes. */
static void the_schedule_is_near_the_optimum_and_above_the_simple_ones(void **state)
{
	static const struct {
		double median, visits, dated, undated;
	} cases[] = {
		{0.1, 0.05, 0.95, 0.90},
		{0.1, 0.2, 0.95, 0.95},
		{0.5, 0.05, 0.90, 0.75},
		{0.5, 0.2, 0.95, 0.93},
		{0.5, 1, 0.95, 0.95},
		{3, 0.05, 0.80, 0.50},
		{3, 0.2, 0.90, 0.75},
		{3, 1, 0.95, 0.95},
	};

	(void)state;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		struct trial t = {101, cases[k].median, cases[k].visits, 0};
		const double best = optimum(&t);
		for (; t.is_dated < 2; t.is_dated++) {
			const double ours = freshness(&t, SCHEDULE_OPTIMAL) / best;
			const double uniform = freshness(&t, SCHEDULE_UNIFORM) / best;
			const double by_rate = freshness(&t, SCHEDULE_PROPORTIONAL) / best;
			print_message(
				"# %g changes, %g visits%s: optimum %.4f; of it the schedule %.3f, uniform %.3f, proportional %.3f\n",
				t.median, t.visits, t.is_dated ? ", dated" : "", best, ours, uniform, by_rate);
			assert_true(ours > uniform && ours > by_rate);
			assert_true(ours > (t.is_dated ? cases[k].dated : cases[k].undated));
		}
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
			&(struct schedule_page){.host = i % 3, .importance = 1 + i % 10, .last = -86400000 * (int64_t)(i % 13)});
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

/* However many visits there are to give away, two of a page are so far apart. */
static void a_page_is_not_visited_again_before_the_least_time_has_passed(void **state)
{
	enum { HOUR = 3600000 };
	static const enum schedule_how hows[] = {SCHEDULE_UNIFORM, SCHEDULE_PROPORTIONAL, SCHEDULE_OPTIMAL};

	(void)state;
	for (size_t i = 0; i < sizeof hows / sizeof *hows; i++) {
		struct schedule *s;
		uint32_t id;
		schedule_new(&s, &(struct schedule_settings){.how = hows[i], .visits = 1e6, .prior = 0.1, .least = HOUR});
		for (uint32_t page = 0; page < 2; page++)
			schedule_add(s, page, &(struct schedule_page){.importance = 1});
		assert_false(schedule_next(s, 0, at_once, NULL, &id));
		assert_int_equal(schedule_time(s, 0), HOUR);
		assert_false(schedule_next(s, HOUR - 1, at_once, NULL, &id));
		assert_true(schedule_next(s, HOUR, at_once, NULL, &id));
		schedule_out(s, id);
		schedule_visited(s, id, HOUR + 5, SCHEDULE_CHANGED, 0);
		assert_true(schedule_next(s, HOUR + 10, at_once, NULL, &id)); /* the other page */
		schedule_out(s, id);
		schedule_visited(s, id, HOUR + 10, SCHEDULE_CHANGED, 0);
		assert_false(schedule_next(s, 2 * HOUR + 4, at_once, NULL, &id));
		assert_true(schedule_next(s, 2 * HOUR + 5, at_once, NULL, &id));
		schedule_free(s);
	}
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
		schedule_add(s, i, &(struct schedule_page){.host = i % 2, .importance = i % 2 ? 9 : 1, .last = -1000});
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

enum { CLAIMED = 40, NOW = 10000 }; /* days */
#define DAYS_MS(n) ((int64_t)(n)*86400000)

/* Makes a schedule of page 0, a sitemap, and the pages 1 to CLAIMED of host 0, and of as many of host 1; all were visited at NOW -
 * 10. The sitemap is visited, which claims a change of page i at dated(i) for each page of host 0, and of page CLAIMED + 1 of host
 * 1. The pages of host 1 are so many times as important as those of host 0. */
static struct schedule *claims_beside(double importance, enum schedule_course course, int64_t (*dated)(uint32_t id))
{
	struct schedule *s;
	struct claim claim[CLAIMED + 1];
	uint32_t id;

	schedule_new(&s,
		&(struct schedule_settings){.how = SCHEDULE_UNIFORM, .course = course, .visits = 2 * CLAIMED / 4.0, .prior = 0.1});
	for (uint32_t i = 0; i <= 2 * CLAIMED; i++)
		schedule_add(s, i,
			&(struct schedule_page){.host = i > CLAIMED,
				.importance = i > CLAIMED ? importance : 1,
				.last = DAYS_MS(NOW - 10),
				.is_sitemap = !i});
	for (uint32_t i = 1; i <= CLAIMED + 1; i++)
		claim[i - 1] = (struct claim){i, (uint32_t)(dated(i) / 1000)};
	assert_true(schedule_next(s, DAYS_MS(NOW), at_once, NULL, &id));
	assert_int_equal(id, 0);
	schedule_out(s, id);
	schedule_claims(s, 0, claim, CLAIMED + 1, DAYS_MS(NOW));
	schedule_visited(s, id, DAYS_MS(NOW), SCHEDULE_SAME, 0);
	return s;
}

static struct schedule *claims_of(enum schedule_course course, int64_t (*dated)(uint32_t id))
{
	return claims_beside(1, course, dated);
}

/* Returns the page that is next, whose visit finds it changed or the same. */
static uint32_t visit_next(struct schedule *s, int64_t now, enum schedule_found found)
{
	uint32_t id;

	assert_true(schedule_next(s, now, at_once, NULL, &id));
	schedule_out(s, id);
	schedule_visited(s, id, now, found, 0);
	return id;
}

/* Every fourth page has changed since its last visit. */
static int64_t dated_truly(uint32_t id)
{
	return id % 4 == 3 ? DAYS_MS(NOW - 5) + id : DAYS_MS(NOW - 20 - (int64_t)id);
}

static void claimed_changes_are_visited_first_and_unchanged_pages_last(void **state)
{
	struct schedule *s = claims_of(SCHEDULE_ROUND, dated_truly);
	unsigned others = 0, samples = 0;

	(void)state;
	for (int i = 0; i < CLAIMED / 4; i++)
		assert_int_equal(visit_next(s, DAYS_MS(NOW), SCHEDULE_CHANGED) % 4, 3);
	for (int i = 0; others < CLAIMED; i++) { /* host 1 claims nothing, and no other host claims anything of its pages */
		const uint32_t id = visit_next(s, DAYS_MS(NOW), SCHEDULE_SAME);
		others += id > CLAIMED;
		samples += id <= CLAIMED;
	}
	assert_true(samples < CLAIMED / 4);
	/* later, and never dropped */
	for (unsigned i = samples; i < CLAIMED - CLAIMED / 4; i++)
		assert_in_range(visit_next(s, DAYS_MS(NOW), SCHEDULE_SAME), 1, CLAIMED);
	assert_true(schedule_is_over(s));
	schedule_free(s);
}

static void visits_for_ever_are_put_off_by_claims_for_some_time(void **state)
{
	struct schedule *s = claims_of(SCHEDULE_FOR_EVER, dated_truly);
	int64_t first[2 * CLAIMED + 1] = {0};
	unsigned late = 0;
	uint32_t id;

	(void)state;
	for (int64_t hour = 0; hour < 24 * 60; hour++) {
		const int64_t now = DAYS_MS(NOW) + hour * 3600000;
		while (schedule_next(s, now, at_once, NULL, &id)) {
			first[id] = first[id] ? first[id] : hour + 1;
			schedule_out(s, id);
			schedule_visited(s, id, now, id <= CLAIMED && id % 4 == 3 ? SCHEDULE_CHANGED : SCHEDULE_SAME, 0);
		}
	}
	for (id = 1; id <= 2 * CLAIMED; id++) {
		assert_true(first[id]);
		late += id <= CLAIMED && id % 4 != 3 && first[id] > 24;
		if (id > CLAIMED || id % 4 == 3)
			assert_int_equal(first[id], 1);
	}
	assert_true(late > CLAIMED / 2);
	schedule_free(s);
}

static int64_t dated_alike(uint32_t id)
{
	return id == 7 ? DAYS_MS(NOW - 1) : DAYS_MS(NOW - 30) + id * 1000;
}

static int64_t dated_ahead(uint32_t id)
{
	return DAYS_MS(NOW + 3 + (int64_t)id);
}

/* Counts the pages of host 0 among the next n. */
static unsigned of_host(struct schedule *s, unsigned n, enum schedule_found found)
{
	unsigned of = 0;

	while (n--)
		of += visit_next(s, DAYS_MS(NOW), found) <= CLAIMED;
	return of;
}

static void dates_that_tell_nothing_are_not_believed(void **state)
{
	static int64_t (*const dates[])(uint32_t) = {dated_alike, dated_ahead};

	(void)state;
	for (size_t i = 0; i < sizeof dates / sizeof *dates; i++) {
		struct schedule *s = claims_of(SCHEDULE_ROUND, dates[i]);
		assert_int_equal(of_host(s, CLAIMED, SCHEDULE_SAME), CLAIMED); /* of equal pages the one added first */
		assert_int_equal(of_host(s, CLAIMED, SCHEDULE_SAME), 0);
		schedule_free(s);
	}
}

static int64_t dated_long_ago(uint32_t id)
{
	return DAYS_MS(NOW - 20 - (int64_t)id);
}

static int64_t dated_lately(uint32_t id)
{
	return DAYS_MS(NOW - 5) + id * 3600000;
}

static void a_host_that_lies_is_not_believed_any_more(void **state)
{
	struct schedule *s = claims_of(SCHEDULE_ROUND, dated_long_ago);

	(void)state;
	/* a sample of what it claims is true */
	assert_in_range(of_host(s, CLAIMED, SCHEDULE_SAME), 1, CLAIMED / 4);
	schedule_free(s);
	/* a page of the sample has changed, so the other pages do not wait for those of host 1 */
	s = claims_of(SCHEDULE_ROUND, dated_long_ago);
	assert_int_equal(of_host(s, 1, SCHEDULE_CHANGED), 1);
	assert_int_equal(of_host(s, CLAIMED - 1, SCHEDULE_SAME), CLAIMED - 1);
	schedule_free(s);

	/* changes that there are not: after some visits in vain the pages of host 1, which are more important, come first */
	s = claims_beside(2, SCHEDULE_ROUND, dated_lately);
	assert_int_equal(of_host(s, SCHEDULE_FALSE_NEWS, SCHEDULE_SAME), SCHEDULE_FALSE_NEWS);
	assert_int_equal(of_host(s, CLAIMED, SCHEDULE_SAME), 0);
	assert_int_equal(of_host(s, CLAIMED - SCHEDULE_FALSE_NEWS, SCHEDULE_SAME), CLAIMED - SCHEDULE_FALSE_NEWS);
	assert_true(schedule_is_over(s));
	schedule_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_exchange_of_visits_between_two_pages_adds_freshness),
		cmocka_unit_test(a_page_that_changes_too_often_gets_no_visit_unless_that_is_uncertain),
		cmocka_unit_test(the_worth_of_a_visit_is_the_mean_over_what_the_rate_may_be),
		cmocka_unit_test(the_schedule_is_near_the_optimum_and_above_the_simple_ones),
		cmocka_unit_test(a_round_visits_each_page_once_the_worthiest_first),
		cmocka_unit_test(a_page_is_not_visited_again_before_the_least_time_has_passed),
		cmocka_unit_test(a_host_that_rests_keeps_no_other_waiting),
		cmocka_unit_test(claimed_changes_are_visited_first_and_unchanged_pages_last),
		cmocka_unit_test(visits_for_ever_are_put_off_by_claims_for_some_time),
		cmocka_unit_test(dates_that_tell_nothing_are_not_believed),
		cmocka_unit_test(a_host_that_lies_is_not_believed_any_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
