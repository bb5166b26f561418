#include "tests/test.h"

#include "crawler/budget.h"
#include "crawler/traps.h"

static struct traps *made(const char *limits)
{
	char text[256], *next = text, *one;
	struct opt_set set;
	struct err_note why;

	snprintf(text, sizeof text, "%s", limits);
	opt_init(&set, traps_options, "traps");
	while ((one = strsep(&next, " ")))
		if (*one && opt_give(&set, one, &why))
			fail_msg("%s", why.text);
	struct traps *t = traps_new(&set, 2026);
	opt_release(&set);
	return t;
}

/* The URL with each '#' in it replaced by n. */
static struct url at(const char *pattern, int n)
{
	struct url u = URL_EMPTY;
	struct buf text = BUF_EMPTY;

	for (; *pattern; pattern++)
		if (*pattern == '#')
			buf_format(&text, "%d", n);
		else
			buf_add(&text, pattern, 1);
	assert_int_equal(url_parse(&u, text.at, text.used, NULL), URL_OK);
	buf_release(&text);
	return u;
}

/* Finds a URL as a crawl does: judged, then known. */
static enum refusal find(struct traps *t, const char *pattern, int n)
{
	struct url u = at(pattern, n);
	enum refusal r = traps_judge(t, &u);

	traps_seen(t, &u, r);
	url_release(&u);
	return r;
}

static enum refusal closed(const struct traps *t, const char *pattern, int n)
{
	struct url u = at(pattern, n);
	enum refusal r = traps_closed(t, &u);

	url_release(&u);
	return r;
}

/* A page of these marks that links to so many pages, of which one is new: `next` (with 100,000 n for
 * '#'), unless that is NULL. */
static int read_page(struct traps *t, const char *pattern, int n, const struct page_marks *marks,
	size_t links, const char *next)
{
	struct url u = at(pattern, n), to = at(next ? next : pattern, 100000 * n + n);

	traps_seen(t, &u, REFUSAL_NONE);
	int copy = traps_crawled(t, &u, marks, links);
	if (links && next && traps_ask(t))
		traps_led(t, &to);
	traps_read(t);
	url_release(&u);
	url_release(&to);
	return copy;
}

static int crawl(struct traps *t, const char *pattern, int n, uint64_t content, uint64_t simhash,
	size_t links)
{
	const struct page_marks marks = {{content, 0}, 0, simhash};

	return read_page(t, pattern, n, &marks, links, pattern);
}

/* A page with bytes of its own that says what others of its gist do. */
static void say(struct traps *t, const char *pattern, int n, uint64_t gist, const char *next)
{
	static uint64_t bytes = 1000000;
	const struct page_marks marks = {{++bytes, 0}, gist, 0};

	read_page(t, pattern, n, &marks, 1, next);
}

static void a_url_alone_tells_some_traps(void **state)
{
	struct traps *t = made("depth=6 past=5");
	(void)state;

	assert_int_equal(find(t, "http://a.test/a/a/a/#", 1), REFUSAL_NONE);
	assert_int_equal(find(t, "http://a.test/a/a/a/a/#", 1), REFUSAL_REPEATS);
	assert_int_equal(find(t, "http://a.test/1/2/3/4/5/6/#", 1), REFUSAL_REPEATS);
	assert_int_equal(find(t, "http://a.test/cal/#/01", 2031), REFUSAL_NONE);
	assert_int_equal(find(t, "http://a.test/cal/#/01", 2032), REFUSAL_CALENDAR);
	assert_int_equal(find(t, "http://a.test/cal/#/01", 2020), REFUSAL_CALENDAR);
	assert_int_equal(find(t, "http://a.test/cal/#/01", 2021), REFUSAL_NONE);
	traps_free(t);
}

static void sites_of_long_ago_are_no_calendars(void **state)
{
	static const char *const urls[] = {"http://a.test/2015/03/hello-world/",
		"http://a.test/blog/1998/12/x.html", "http://a.test/news.php?date=1985-05-06",
		"http://a.test/archive/2008-09.html", "http://a.test/a?year=2001",
		"http://a.test/calendar?month=5&year=2009", "http://a.test/wp/2011/02/a.html",
		"http://a.test/2031/05/"};
	struct traps *t = made("");
	(void)state;

	for (size_t i = 0; i < sizeof urls / sizeof *urls; i++)
		assert_int_equal(find(t, urls[i], 0), REFUSAL_NONE);
	assert_int_equal(find(t, "http://a.test/cal/#/01", 2032), REFUSAL_CALENDAR);
	assert_int_equal(find(t, "http://a.test/cal/#/01", 1960), REFUSAL_CALENDAR);
	traps_free(t);
}

static void limits_of_zero_are_off(void **state)
{
	struct traps *t = made(
		"repeats=0 depth=0 years=0 past=0 queries=0 hosts=0 copies=0 alike=0 mirror=0");
	(void)state;

	assert_int_equal(find(t, "http://a.test/a/a/a/a/a/a/a/a/cal/#/01", 9999), REFUSAL_NONE);
	for (int i = 0; i < 200; i++) {
		assert_int_equal(find(t, "http://h#.a.test/x?y=#", i), REFUSAL_NONE);
		assert_int_equal(crawl(t, "http://a.test/p?s=#", i, 7, 7, 1), 0);
		assert_int_equal(crawl(t, "http://b.test/p?s=#", i, 7, 7, 1), 0);
	}
	assert_int_equal(traps_are_found(t), 0);
	traps_free(t);
}

static void a_path_has_so_many_queries_and_a_domain_so_many_hosts(void **state)
{
	struct traps *t = made("queries=10 hosts=5");
	(void)state;

	for (int i = 0; i < 20; i++) {
		assert_int_equal(
			find(t, "http://a.test/p?s=#", i), i < 10 ? REFUSAL_NONE : REFUSAL_QUERIES);
		assert_int_equal(
			find(t, "http://h#.farm.test/", i), i < 5 ? REFUSAL_NONE : REFUSAL_HOSTS);
	}
	assert_int_equal(find(t, "http://a.test/p", 0), REFUSAL_NONE);
	assert_int_equal(find(t, "http://a.test/q?s=#", 0), REFUSAL_NONE);
	assert_int_equal(find(t, "http://h#.farm.test/more", 4), REFUSAL_NONE);
	traps_free(t);
}

static void copies_in_a_row_close_their_shape_and_no_other(void **state)
{
	struct traps *t = made("alike=8 copies=0");
	(void)state;

	for (int i = 0; i < 7; i++)
		crawl(t, "http://a.test/p?sid=#", i, 5, 0, 3);
	crawl(t, "http://a.test/p?sid=#", 100, 6, 0, 3); /* a new page: begin again */
	for (int i = 7; i < 14; i++)
		crawl(t, "http://a.test/p?sid=#", i, 5, 0, 3);
	assert_int_equal(traps_are_found(t), 0);
	crawl(t, "http://a.test/p?sid=#", 14, 5, 0, 0); /* without links: it leads nowhere */
	assert_int_equal(traps_are_found(t), 0);
	crawl(t, "http://a.test/p?sid=#", 15, 5, 0, 3);
	assert_int_equal(closed(t, "http://a.test/p?sid=#", 16), REFUSAL_ALIKE);
	assert_int_equal(find(t, "http://a.test/p?sid=#", 17), REFUSAL_ALIKE);
	assert_int_equal(closed(t, "http://a.test/q?sid=#", 16), REFUSAL_NONE);
	assert_int_equal(closed(t, "http://a.test/p", 0), REFUSAL_NONE);
	traps_free(t);
}

static void copies_that_lead_nowhere_new_close_nothing(void **state)
{
	struct traps *t = made("alike=8 copies=0");
	(void)state;

	for (int i = 0; i < 50; i++)
		say(t, "http://a.test/photo/#", i, 5, NULL);
	assert_int_equal(traps_are_found(t), 0);
	/* and those that lead to pages of another shape, which say something */
	for (int i = 0; i < 50; i++) {
		say(t, "http://a.test/archive?page=#", i, 6, "http://a.test/posts/#");
		say(t, "http://a.test/posts/#", i, 100 + (uint64_t)i, NULL);
	}
	assert_int_equal(traps_are_found(t), 0);
	/* a chain whose pages say something each, now and then the same */
	for (int i = 0; i < 50; i++)
		say(t, "http://a.test/comic/#", i, i % 5 ? 7 : 500 + (uint64_t)i,
			"http://a.test/comic/#");
	assert_int_equal(traps_are_found(t), 0);
	traps_free(t);
}

static void pages_that_say_the_same_and_lead_to_their_like_are_closed(void **state)
{
	struct traps *t = made("alike=8 copies=0");
	(void)state;

	for (int i = 0; i < 9; i++) {
		assert_int_equal(closed(t, "http://a.test/week/#", 77), REFUSAL_NONE);
		say(t, "http://a.test/week/#", i, 5, "http://a.test/week/#");
		say(t, "http://b.test/week/#", i, 50 + (uint64_t)i, "http://b.test/week/#");
	}
	assert_int_equal(closed(t, "http://a.test/week/#", 77), REFUSAL_ALIKE);
	assert_int_equal(closed(t, "http://b.test/week/#", 77), REFUSAL_NONE);
	struct url left = at("http://b.test/week/#", 9);
	traps_recall(t, &left);
	assert_int_equal(closed(t, "http://b.test/week/#", 77), REFUSAL_ALIKE);
	assert_int_equal(closed(t, "http://b.test/month/#", 77), REFUSAL_NONE);
	url_release(&left);
	traps_free(t);
	/* two shapes that lead to each other, and a redirect between them */
	t = made("alike=8 copies=0");
	for (int i = 0; i < 40; i++) {
		say(t, "http://a.test/odd/#", i, 5, "http://a.test/even/#");
		say(t, "http://a.test/even/#", i, 5, "http://a.test/odd/#");
	}
	assert_int_equal(closed(t, "http://a.test/odd/#", 77), REFUSAL_ALIKE);
	traps_free(t);
	t = made("alike=8 copies=0");
	for (int i = 0; i < 40; i++) {
		struct url from = at("http://a.test/r/#", i), to = at("http://a.test/s/#", i);
		traps_redirected(t, &from, &to);
		say(t, "http://a.test/s/#", i, 5, "http://a.test/r/#");
		url_release(&from);
		url_release(&to);
	}
	assert_int_equal(closed(t, "http://a.test/s/#", 77), REFUSAL_ALIKE);
	traps_free(t);
}

static void names_without_numbers_close_their_folder_late_and_segments_that_echo(void **state)
{
	struct traps *t = made("alike=8 copies=0 repeats=0 depth=0");
	char name[64], next[64];
	(void)state;

	for (int i = 0; i < 33; i++) {
		assert_int_equal(closed(t, "http://a.test/lost/x", 0), REFUSAL_NONE);
		snprintf(name, sizeof name, "http://a.test/lost/%c%c", 'a' + i % 26, 'a' + i / 26);
		snprintf(next, sizeof next, "http://a.test/lost/n%c%c", 'a' + i % 26, 'a' + i / 26);
		say(t, name, 0, 5, next);
	}
	assert_int_equal(closed(t, "http://a.test/lost/x", 0), REFUSAL_ALIKE);
	assert_int_equal(closed(t, "http://a.test/lost", 0), REFUSAL_NONE);
	assert_int_equal(closed(t, "http://a.test/found/x", 0), REFUSAL_NONE);
	traps_free(t);
	t = made("alike=8 copies=0 repeats=0 depth=0");
	for (int i = 0; i < 20; i++) {
		struct buf text = BUF_EMPTY;
		buf_text(&text, "http://a.test/cal");
		for (int bit = 16; bit; bit /= 2)
			buf_text(&text, i & bit ? "/next" : "/prev");
		snprintf(next, sizeof next, "%s/next", text.at);
		say(t, text.at, 0, 5, next);
		buf_release(&text);
	}
	assert_int_equal(closed(t, "http://a.test/cal/prev/next/next", 0), REFUSAL_ALIKE);
	assert_int_equal(closed(t, "http://a.test/cal/next", 0), REFUSAL_NONE);
	traps_free(t);
}

static void a_form_of_a_url_known_is_left_out(void **state)
{
	struct traps *t = made(""), *off = made("forms=0");
	(void)state;

	assert_int_equal(find(t, "http://a.test/p?a=1&b=2", 0), REFUSAL_NONE);
	assert_int_equal(find(t, "http://a.test/p?b=2&a=1", 0), REFUSAL_QUERIES);
	assert_int_equal(find(t, "http://a.test/p?b=2&a=3", 0), REFUSAL_NONE);
	assert_int_equal(find(t, "http://a.test/q?b=2&a=1", 0), REFUSAL_NONE);
	assert_int_equal(find(t, "http://a.test/x;jsessionid=A#", 1), REFUSAL_NONE);
	assert_int_equal(find(t, "http://a.test/x;jsessionid=A#", 2), REFUSAL_QUERIES);
	assert_int_equal(find(t, "http://a.test/y;jsessionid=A#", 2), REFUSAL_NONE);
	assert_int_equal(find(t, "http://a.test/(S(a#))/z", 1), REFUSAL_NONE);
	assert_int_equal(find(t, "http://a.test/(S(b#))/z", 1), REFUSAL_QUERIES);
	assert_int_equal(find(t, "http://a.test/p?id=#", 1), REFUSAL_NONE);
	assert_int_equal(find(t, "http://a.test/p?id=#", 2), REFUSAL_NONE);
	assert_int_equal(find(off, "http://a.test/p?a=1&b=2", 0), REFUSAL_NONE);
	assert_int_equal(find(off, "http://a.test/p?b=2&a=1", 0), REFUSAL_NONE);
	traps_free(t);
	traps_free(off);
}

static void years_far_away_are_in_if_a_list_of_them_leads_there(void **state)
{
	struct traps *t = made("past=5");
	struct url index = at("http://a.test/archive", 0), month = at("http://a.test/1950/01/", 0);
	const struct page_marks marks = {{7, 0}, 0, 0};
	(void)state;

	assert_int_equal(find(t, "http://a.test/1950/02/", 0), REFUSAL_CALENDAR);
	traps_crawled(t, &index, &marks, 3);
	assert_int_equal(find(t, "http://a.test/1950/01/", 0), REFUSAL_NONE);
	traps_read(t);
	traps_crawled(t, &month, &marks, 3);
	assert_int_equal(find(t, "http://a.test/1950/02/", 0), REFUSAL_CALENDAR);
	assert_int_equal(find(t, "http://a.test/1950/01/essay", 0), REFUSAL_NONE);
	traps_read(t);
	assert_int_equal(find(t, "http://a.test/1950/02/", 0), REFUSAL_CALENDAR);
	url_release(&index);
	url_release(&month);
	traps_free(t);
}

static void near_copies_count_where_that_is_asked_for(void **state)
{
	struct traps *plain = made("alike=8"), *near = made("alike=8 alike-bits=4");
	(void)state;

	assert_false(traps_wants_simhash(plain));
	assert_true(traps_wants_simhash(near));
	for (int i = 0; i < 9; i++) {
		uint64_t simhash = 0xf0f0f0f0f0f0f0f0u ^ 1ull << i; /* two bits apart */
		crawl(plain, "http://a.test/p?sid=#", i, 50 + (uint64_t)i, simhash, 1);
		crawl(near, "http://a.test/p?sid=#", i, 50 + (uint64_t)i, simhash, 1);
	}
	assert_int_equal(closed(plain, "http://a.test/p?sid=#", 99), REFUSAL_NONE);
	assert_int_equal(closed(near, "http://a.test/p?sid=#", 99), REFUSAL_ALIKE);
	traps_free(plain);
	traps_free(near);
}

static void copies_beyond_the_first_few_lead_nowhere_new(void **state)
{
	struct traps *t = made("copies=3");
	(void)state;

	for (int i = 0; i < 10; i++) {
		char url[64];
		snprintf(url, sizeof url, "http://a.test/%c", 'a' + i);
		assert_int_equal(crawl(t, url, 0, 5, 0, 2), i >= 3);
		snprintf(url, sizeof url, "http://b.test/%c", 'a' + i);
		assert_int_equal(crawl(t, url, 0, 5, 0, 2), i >= 2); /* counted a host */
		assert_int_equal(crawl(t, "http://c.test/#", i, 100 + (uint64_t)i, 0, 2), 0);
	}
	assert_int_equal(crawl(t, "http://a.test/leaf", 0, 5, 0, 0), 0);
	assert_int_equal(crawl(t, "http://a.test/unknown", 0, 0, 0, 2), 0);
	traps_free(t);
}

static void a_mirror_is_closed_once_most_of_it_is_the_other_host_s(void **state)
{
	struct traps *t = made("mirror=10"), *part = made("mirror=10");
	(void)state;

	for (int i = 0; i < 30; i++)
		crawl(t, "http://a.test/p#", i, 100 + (uint64_t)i, 0, 1);
	for (int i = 0; i < 10; i++) {
		assert_int_equal(closed(t, "http://b.test/x", 0), REFUSAL_NONE);
		crawl(t, "http://b.test/p#", i, 100 + (uint64_t)i, 0, 1);
	}
	assert_int_equal(closed(t, "http://b.test/x", 0), REFUSAL_MIRROR);
	assert_int_equal(closed(t, "http://a.test/x", 0), REFUSAL_NONE);
	assert_int_equal(find(t, "http://b.test/y", 0), REFUSAL_MIRROR);
	/* one that has a site of its own beside what it shares is none */
	for (int i = 0; i < 30; i++) {
		crawl(part, "http://a.test/p#", i, 100 + (uint64_t)i, 0, 1);
		crawl(part, "http://b.test/own#", i, 900 + (uint64_t)i, 0, 1);
	}
	for (int i = 0; i < 12; i++)
		crawl(part, "http://b.test/p#", i, 100 + (uint64_t)i, 0, 1);
	assert_int_equal(closed(part, "http://b.test/x", 0), REFUSAL_NONE);
	traps_free(t);
	traps_free(part);
}

static void budgets_count_what_was_asked_for(void **state)
{
	struct budget b;
	struct url a = at("http://a.x.test/#", 1), c = at("http://c.x.test/#", 1),
		   other = at("http://y.test/#", 1);
	(void)state;

	budget_init(&b, 2, 3);
	assert_true(budget_has(&b, &a));
	budget_take(&b, &a);
	budget_take(&b, &a);
	assert_false(budget_has(&b, &a));
	assert_true(budget_has(&b, &c));
	budget_take(&b, &c);
	assert_false(budget_has(&b, &c)); /* the domain has had three */
	assert_true(budget_has(&b, &other));
	budget_give_back(&b, &a);
	assert_true(budget_has(&b, &a) && budget_has(&b, &c));
	budget_give_back(&b, &other);
	assert_true(budget_has(&b, &other));
	budget_release(&b);
	budget_init(&b, 0, 0);
	budget_take(&b, &a);
	assert_true(budget_has(&b, &a));
	assert_int_equal(b.hosts.used + b.domains.used, 0);
	budget_release(&b);
	url_release(&a);
	url_release(&c);
	url_release(&other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_url_alone_tells_some_traps),
		cmocka_unit_test(sites_of_long_ago_are_no_calendars),
		cmocka_unit_test(limits_of_zero_are_off),
		cmocka_unit_test(a_path_has_so_many_queries_and_a_domain_so_many_hosts),
		cmocka_unit_test(copies_in_a_row_close_their_shape_and_no_other),
		cmocka_unit_test(copies_that_lead_nowhere_new_close_nothing),
		cmocka_unit_test(pages_that_say_the_same_and_lead_to_their_like_are_closed),
		cmocka_unit_test(
			names_without_numbers_close_their_folder_late_and_segments_that_echo),
		cmocka_unit_test(a_form_of_a_url_known_is_left_out),
		cmocka_unit_test(years_far_away_are_in_if_a_list_of_them_leads_there),
		cmocka_unit_test(near_copies_count_where_that_is_asked_for),
		cmocka_unit_test(copies_beyond_the_first_few_lead_nowhere_new),
		cmocka_unit_test(a_mirror_is_closed_once_most_of_it_is_the_other_host_s),
		cmocka_unit_test(budgets_count_what_was_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
