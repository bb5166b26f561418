#include "tests/parser/numbered_url.h"

#include "scope/scope.h"
#include "traps/traps.h"

static struct traps *made(const char *limits)
{
	char text[256], *next = text, *one;
	struct opt_set set;
	struct err_note why;

	snprintf(text, sizeof text, "%s", limits);
	opt_init(&set, traps_options, "traps");
	while ((one = strsep(&next, " ")))
		if (*one && traps_give(&set, one, &why))
			fail_msg("%s", why.text);
	struct traps *t = traps_new(&set, 2026);
	opt_release(&set);
	return t;
}

static const struct traps_world nowhere = {NULL, NULL, NULL, NULL};

/* Finds a URL as that of page `id`. */
static enum outcome find_as(struct traps *t, uint32_t id, const char *pattern, int n)
{
	struct url u = numbered_url(pattern, n);
	const struct url_traits traits = url_traits(&u);
	const enum outcome r = traps_judge(t, &traits);

	if (!r)
		traps_apply(t, &nowhere,
			&(struct traps_fact){.kind = TRAPS_FOUND, .id = id, .target = TRAPS_NO_PAGE, .traits = &traits});
	url_release(&u);
	return r;
}

static enum outcome find(struct traps *t, const char *pattern, int n)
{
	return find_as(t, 0, pattern, n);
}

/* Returns what is done with page 1, of this URL, at its first turn. */
static enum traps_action turn_of(struct traps *t, const char *pattern, int n)
{
	struct url u = numbered_url(pattern, n);
	const struct url_traits traits = url_traits(&u);
	const enum traps_action action = traps_turn(t, &nowhere, 1, &traits).action;

	url_release(&u);
	return action;
}

static void no_url_is_refused_by_its_look(void **state)
{
	struct traps *t = made("depth=6");
	(void)state;

	assert_int_equal(turn_of(t, "http://a.test/a/a/a/#", 1), TRAPS_FETCH);
	assert_int_equal(turn_of(t, "http://a.test/a/a/a/a/#", 1), TRAPS_DEFER);
	assert_int_equal(turn_of(t, "http://a.test/1/2/3/4/5/#", 1), TRAPS_FETCH);
	assert_int_equal(turn_of(t, "http://a.test/1/2/3/4/5/6/#", 1), TRAPS_DEFER);
	assert_int_equal(turn_of(t, "http://a.test/cal/#/01", 2031), TRAPS_FETCH);
	assert_int_equal(turn_of(t, "http://a.test/cal/#/01", 2032), TRAPS_DEFER);
	assert_int_equal(turn_of(t, "http://a.test/cal/#/01", 1850), TRAPS_DEFER);
	assert_int_equal(find(t, "http://a.test/1/2/3/4/5/6/#", 1), OUTCOME_NONE);
	assert_int_equal(find(t, "http://a.test/cal/#/01", 2032), OUTCOME_NONE);
	traps_free(t);
}

static void sites_of_long_ago_are_no_calendars(void **state)
{
	static const char *const urls[] = {"http://a.test/2015/03/hello-world/", "http://a.test/blog/1998/12/x.html",
		"http://a.test/news.php?date=1985-05-06", "http://a.test/archive/2008-09.html", "http://a.test/a?year=2001",
		"http://a.test/calendar?month=5&year=2009", "http://a.test/wp/2011/02/a.html", "http://a.test/2031/05/"};
	struct traps *t = made("");
	(void)state;

	for (size_t i = 0; i < sizeof urls / sizeof *urls; i++)
		assert_int_equal(turn_of(t, urls[i], 0), TRAPS_FETCH);
	traps_free(t);
}

static void a_date_of_long_ago_defers_a_url(void **state)
{
	struct traps *t = made("past=5"), *off = made("past=0");
	(void)state;

	assert_int_equal(turn_of(t, "http://a.test/cal/#/01", 2021), TRAPS_FETCH);
	assert_int_equal(turn_of(t, "http://a.test/cal/#/01", 2020), TRAPS_DEFER);
	assert_int_equal(turn_of(t, "http://a.test/cal/#/01", 2031), TRAPS_FETCH);
	assert_int_equal(turn_of(off, "http://a.test/cal/#/01", 1900), TRAPS_FETCH);
	/* a page of the folder whose content is new frees it */
	struct url u = numbered_url("http://a.test/cal/#/01", 1914);
	const struct url_traits traits = url_traits(&u);
	traps_apply(t, &nowhere,
		&(struct traps_fact){.kind = TRAPS_CRAWLED, .id = 2, .traits = &traits, .marks = {{7, 7}, 7, 0}, .first_new = 3});
	url_release(&u);
	assert_int_equal(turn_of(t, "http://a.test/cal/#/01", 1900), TRAPS_FETCH);
	assert_int_equal(turn_of(t, "http://a.test/other/#/01", 1900), TRAPS_DEFER);
	traps_free(t);
	traps_free(off);
}

static void limits_of_zero_are_off(void **state)
{
	struct traps *t = made("repeats=0 depth=0 years=0 past=0 queries=0 hosts=0 duplicates=0 mirror=0");
	(void)state;

	assert_int_equal(find(t, "http://a.test/a/a/a/a/a/a/a/a/cal/#/01", 9999), OUTCOME_NONE);
	for (int i = 0; i < 200; i++)
		assert_int_equal(find(t, "http://h#.a.test/x?y=#", i), OUTCOME_NONE);
	assert_int_equal(traps_wants(t), TRAPS_WANT_FINGERPRINTS); /* session ids */
	traps_free(t);
}

static void a_domain_has_so_many_hosts(void **state)
{
	struct traps *t = made("queries=10 hosts=5");
	(void)state;

	for (int i = 0; i < 20; i++) {
		assert_int_equal(find(t, "http://a.test/p?s=#", i), OUTCOME_NONE); /* learnt */
		assert_int_equal(find(t, "http://h#.farm.test/", i), i < 5 ? OUTCOME_NONE : OUTCOME_HOSTS);
	}
	assert_int_equal(find(t, "http://h#.farm.test/more", 4), OUTCOME_NONE);
	traps_free(t);
}

static void a_url_that_differs_from_another_in_a_session_id_or_the_order_of_parameters_is_deferred(void **state)
{
	static const struct {
		const char *first, *second;
		enum traps_action action;
	} rows[] = {{"http://a.test/p?a=1&b=2", "http://a.test/p?b=2&a=1", TRAPS_DEFER},
		{"http://a.test/p?a=1&b=2", "http://a.test/p?b=2&a=3", TRAPS_FETCH},
		{"http://a.test/p?a=1&b=2", "http://a.test/q?b=2&a=1", TRAPS_FETCH},
		{"http://a.test/x;jsessionid=A1", "http://a.test/x;jsessionid=A2", TRAPS_DEFER},
		{"http://a.test/x;jsessionid=A1", "http://a.test/y;jsessionid=A2", TRAPS_FETCH},
		{"http://a.test/(S(a1))/z", "http://a.test/(S(b1))/z", TRAPS_DEFER},
		{"http://a.test/p?id=1", "http://a.test/p?id=2", TRAPS_FETCH}};
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct traps *t = made(""), *off = made("forms=0"); /* the earlier name of session-ids */
		assert_int_equal(find_as(t, 0, rows[i].first, 0), OUTCOME_NONE);
		assert_int_equal(find_as(off, 0, rows[i].first, 0), OUTCOME_NONE);
		assert_int_equal(find_as(t, 1, rows[i].second, 0), OUTCOME_NONE);
		assert_int_equal(find_as(off, 1, rows[i].second, 0), OUTCOME_NONE);
		assert_int_equal(turn_of(t, rows[i].second, 0), rows[i].action);
		assert_int_equal(turn_of(off, rows[i].second, 0), TRAPS_FETCH);
		traps_free(t);
		traps_free(off);
	}
}

static void budgets_count_what_was_asked_for(void **state)
{
	struct scope *s;
	struct url a = numbered_url("http://a.x.test/#", 1), c = numbered_url("http://c.x.test/#", 1),
		   other = numbered_url("http://y.test/#", 1);
	const struct url_traits of_a = url_traits(&a), of_c = url_traits(&c), of_other = url_traits(&other);
	(void)state;

	assert_int_equal(scope_new(&s, &(struct scope_settings){.max_per_host = 2, .max_per_domain = 3}, NULL), 0);
	assert_true(scope_has_budgets(s));
	assert_true(scope_has_room(s, &of_a));
	scope_take(s, &of_a);
	scope_take(s, &of_a);
	assert_false(scope_has_room(s, &of_a));
	assert_true(scope_has_room(s, &of_c));
	scope_take(s, &of_c);
	assert_false(scope_has_room(s, &of_c)); /* the domain has had three */
	assert_true(scope_has_room(s, &of_other));
	scope_give_back(s, &of_a);
	assert_true(scope_has_room(s, &of_a) && scope_has_room(s, &of_c));
	scope_give_back(s, &of_other);
	assert_true(scope_has_room(s, &of_other));
	scope_free(s);
	assert_int_equal(scope_new(&s, &(struct scope_settings){.span_hosts = 1}, NULL), 0);
	scope_take(s, &of_a);
	assert_true(scope_has_room(s, &of_a));
	assert_false(scope_has_budgets(s));
	scope_free(s);
	url_release(&a);
	url_release(&c);
	url_release(&other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_url_is_refused_by_its_look),
		cmocka_unit_test(sites_of_long_ago_are_no_calendars),
		cmocka_unit_test(a_date_of_long_ago_defers_a_url),
		cmocka_unit_test(limits_of_zero_are_off),
		cmocka_unit_test(a_domain_has_so_many_hosts),
		cmocka_unit_test(a_url_that_differs_from_another_in_a_session_id_or_the_order_of_parameters_is_deferred),
		cmocka_unit_test(budgets_count_what_was_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
