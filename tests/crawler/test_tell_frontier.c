/* The end of a flight: what a live crawl tells its frontier, and what a resume tells it from the log. */
#include "tests/test.h"

#include "crawler/crawl.h"
#include "crawler/observers/record.h"
#include "policies/policies.h"

#define NOW   1000000
#define DELAY 1000

enum way { LIVE, FROM_THE_LOG };

static const struct policy *leader = &policy_bfs;

static uint32_t host_of(void *ctx, uint32_t id)
{
	(void)ctx;
	(void)id;
	return 0;
}

static int defers(void *ctx, uint32_t id)
{
	(void)ctx;
	return id == 3;
}

/* A frontier with the seeds 0 and 1. */
static struct frontier *make(enum way way, int64_t delay)
{
	const struct frontier_world w = {.host = host_of, .defers = defers};
	const struct frontier_settings s = {.policy = leader, .batch = 1, .delay_ms = delay, .per_host = 4};
	const uint32_t seeds[] = {0, 1};
	struct frontier *f;

	assert_int_equal(frontier_new(&f, &s, &w, NULL), 0);
	if (way == FROM_THE_LOG)
		frontier_restore_begin(f);
	assert_int_equal(frontier_seed(f, seeds, 2), 2);
	return f;
}

static void take(struct frontier *f, enum way way, uint32_t want)
{
	uint32_t id = want;

	if (way == FROM_THE_LOG)
		frontier_retake(f, want);
	else
		assert_int_equal(frontier_take(f, NOW, &id), 1);
	assert_int_equal(id, want);
}

/* The frontier after page 0 has ended. */
static struct frontier *ended(enum way way, const struct result *e)
{
	struct frontier *f = make(way, DELAY);

	take(f, way, 0);
	assert_int_equal(tell_frontier(f, e), 0);
	if (way == FROM_THE_LOG)
		frontier_restore_end(f);
	return f;
}

static void assert_same(const struct result *live, const struct result *logged)
{
	struct frontier *a = ended(LIVE, live), *b = ended(FROM_THE_LOG, logged);
	struct frontier_counts x, y;
	uint32_t first = 9, same = 9;

	frontier_count(a, &x);
	frontier_count(b, &y);
	assert_memory_equal(&x, &y, sizeof x);
	assert_int_equal(frontier_state(b, 0), live->state);
	/* whether the host rests, and which page is next when it has rested */
	const int takes = frontier_take(a, NOW, &first);
	if (takes != frontier_take(b, NOW, &same))
		fail_msg("after '%s' the host may %sbe asked at once, and after its log not so", outcome_word(live->outcome),
			takes ? "" : "not ");
	if (!takes)
		assert_int_equal(frontier_take(a, NOW + DELAY, &first), frontier_take(b, NOW + DELAY, &same));
	assert_int_equal(first, same);
	frontier_free(a);
	frontier_free(b);
}

static void a_request_that_took_no_time_begins_a_rest_all_the_same(void **state)
{
	const int64_t end = NOW + 5 * DELAY; /* the rest that began with the request is over */
	static const struct result ends[] = {{.outcome = OUTCOME_CRAWLED, .state = PAGE_CRAWLED},
		{.outcome = OUTCOME_STATUS, .state = PAGE_FAILED},
		{.outcome = OUTCOME_TIMEOUT, .state = PAGE_QUEUED, .not_before = INT64_MAX}};

	(void)state;
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
		struct frontier *f = make(LIVE, DELAY);
		struct result e = ends[i];
		uint32_t id;
		e.started = e.ended = end;
		e.host_delay = -1;
		take(f, LIVE, 0);
		assert_int_equal(tell_frontier(f, &e), 0);
		assert_false(frontier_take(f, end, &id));
		assert_false(frontier_take(f, end + DELAY - 1, &id));
		assert_true(frontier_take(f, end + DELAY, &id));
		assert_int_equal(id, 1);
		frontier_free(f);
	}
}

static struct store *store_of_pages(uint32_t n)
{
	struct err_note why;
	struct store *s;
	uint32_t id;

	if (store_open(&s, scratch(), STORE_WRITE, &why))
		fail_msg("%s", why.text);
	for (uint32_t i = 0; i < n; i++) {
		char url[40];
		struct store_page page = {.url = url};
		page.url_length = (size_t)snprintf(url, sizeof url, "http://h/%u", i);
		assert_int_equal(store_host(s, "h", 1, &page.host, &why), 0);
		assert_int_equal(store_add(s, &page, &id, &why), 0);
	}
	return s;
}

static void every_end_lands_from_the_log_as_it_did_live(void **state)
{
	struct store *s = store_of_pages(3);
	struct store_log_cursor *c = store_log_start(s);
	struct recorder r;
	struct err_note why;
	unsigned pairs = 0;

	(void)state;
	recorder_init(&r, s, NULL, NULL, 0);
	const struct observer o = recorder_observer(&r);
	for (unsigned outcome = 0; outcome < OUTCOMES; outcome++)
		for (unsigned after = 0; after < PAGE_STATES; after++) {
			struct result logged,
				e = {.outcome = (enum outcome)outcome,
					.state = (enum page_state)after,
					.target = after == PAGE_REDIRECTED ? 2 : STORE_NO_PAGE,
					.not_before = NOW,
					.started = NOW,
					.ended = NOW,
					.host_delay = -1};
			struct log_entry entry;
			if (!outcome_may_leave(outcome, e.state) || e.state == PAGE_UNSEEN)
				continue;
			assert_int_equal(o.event(o.ctx, &e, &why), 0);
			assert_int_equal(store_log_next(c, &entry, &why), 1);
			assert_int_equal(recorder_event_of(&entry, NOW, &logged), 1);
			assert_same(&e, &logged);
			pairs++;
		}
	assert_true(pairs > 40);
	store_log_stop(c);
	store_drop(s);
}

static void an_entry_that_ends_no_flight_is_no_event(void **state)
{
	struct result e;
	unsigned events = 0;

	(void)state;
	for (unsigned kind = 0; kind < LOG_KINDS + 3; kind++) {
		const struct log_entry entry = {.kind = (enum log_kind)kind};
		events += (unsigned)recorder_event_of(&entry, NOW, &e);
	}
	assert_int_equal(events, 5);
	assert_false(recorder_event_of(&(struct log_entry){.kind = LOG_SITTING}, NOW, &e));
	assert_false(recorder_event_of(&(struct log_entry){.kind = LOG_TAKE}, NOW, &e));
}

static void a_clock_that_was_ahead_keeps_no_page_from_its_turn_for_long(void **state)
{
	const struct log_entry entry = {.kind = LOG_REQUEUED, .time = INT64_MAX};
	struct result e;

	(void)state;
	assert_int_equal(recorder_event_of(&entry, NOW, &e), 1);
	assert_true(e.not_before > NOW && e.not_before < NOW + (int64_t)365 * 86400 * 1000);
}

static unsigned misses;

static void count_miss(const struct policy_call *c, uint32_t u)
{
	(void)c;
	misses += u == 0;
}

static void a_policy_hears_of_a_failed_attempt_and_not_of_a_wait(void **state)
{
	static const struct {
		enum outcome outcome;
		enum page_state after;
		unsigned misses;
	} table[] = {{OUTCOME_TIMEOUT, PAGE_QUEUED, 1}, {OUTCOME_STATUS, PAGE_QUEUED, 1}, {OUTCOME_STATUS, PAGE_FAILED, 1},
		{OUTCOME_ROBOTS, PAGE_REFUSED, 1}, {OUTCOME_ADDRESS, PAGE_QUEUED, 0}, {OUTCOME_ROBOTS_WAIT, PAGE_QUEUED, 0},
		{OUTCOME_SITEMAPS, PAGE_QUEUED, 0}, {OUTCOME_ABORTED, PAGE_QUEUED, 0}, {OUTCOME_REDIRECTED, PAGE_REDIRECTED, 0},
		{OUTCOME_CRAWLED, PAGE_CRAWLED, 0}};
	struct policy counting = policy_bfs;

	(void)state;
	counting.missed = count_miss;
	leader = &counting;
	for (size_t i = 0; i < 2 * sizeof table / sizeof *table; i++) {
		const enum way way = i % 2 ? FROM_THE_LOG : LIVE;
		const struct result e = {.outcome = table[i / 2].outcome,
			.state = table[i / 2].after,
			.target = 2,
			.not_before = NOW,
			.started = NOW,
			.ended = NOW,
			.host_delay = -1};
		misses = 0;
		frontier_free(ended(way, &e));
		if (misses != table[i / 2].misses)
			fail_msg("after '%s' the policy heard %u times of a miss", outcome_word(e.outcome), misses);
	}
	leader = &policy_bfs;
}

static uint32_t redirected_to, redirects;

static void count_redirect(const struct policy_call *c, uint32_t u, uint32_t target)
{
	assert_int_equal(c->view->state[u], PAGE_REDIRECTED);
	assert_true(c->page[u].key == c->page[target].key);
	redirected_to = target;
	redirects++;
}

static void a_policy_hears_of_a_redirect_once_live_and_from_the_log(void **state)
{
	struct policy counting = policy_bfs;

	(void)state;
	counting.redirected = count_redirect;
	leader = &counting;
	for (enum way way = LIVE; way <= FROM_THE_LOG; way++) {
		const struct result e = {.outcome = OUTCOME_REDIRECTED,
			.state = PAGE_REDIRECTED,
			.target = 2,
			.not_before = NOW,
			.started = NOW,
			.ended = NOW,
			.host_delay = -1};
		redirects = 0;
		frontier_free(ended(way, &e));
		assert_int_equal(redirects, 1);
		assert_int_equal(redirected_to, 2);
	}
	leader = &policy_bfs;
}

static void a_page_in_flight_that_another_frees_comes_back_as_any_other(void **state)
{
	uint32_t target = 3;

	(void)state;
	for (enum way way = LIVE; way <= FROM_THE_LOG; way++) {
		struct frontier *f = make(way, 0);
		struct result e = {.outcome = OUTCOME_CRAWLED, .state = PAGE_CRAWLED, .links = &target, .n = 1, .host_delay = -1};
		const struct places_freed freed = {.deferred = {.id = &target, .n = 1}};

		take(f, way, 0);
		assert_int_equal(tell_frontier(f, &e), 0);
		take(f, way, 1);
		take(f, way, target);
		assert_true(frontier_is_deferred(f, target));
		e = (struct result){.id = 1, .outcome = OUTCOME_CRAWLED, .state = PAGE_CRAWLED, .freed = &freed, .host_delay = -1};
		assert_int_equal(tell_frontier(f, &e), 0);
		e = (struct result){.id = target, .outcome = OUTCOME_STATUS, .state = PAGE_QUEUED, .host_delay = -1};
		assert_int_equal(tell_frontier(f, &e), 0);
		assert_int_equal(frontier_state(f, target), PAGE_QUEUED);
		assert_false(frontier_is_deferred(f, target));
		frontier_free(f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_request_that_took_no_time_begins_a_rest_all_the_same),
		cmocka_unit_test(every_end_lands_from_the_log_as_it_did_live),
		cmocka_unit_test(an_entry_that_ends_no_flight_is_no_event),
		cmocka_unit_test(a_clock_that_was_ahead_keeps_no_page_from_its_turn_for_long),
		cmocka_unit_test(a_policy_hears_of_a_failed_attempt_and_not_of_a_wait),
		cmocka_unit_test(a_policy_hears_of_a_redirect_once_live_and_from_the_log),
		cmocka_unit_test(a_page_in_flight_that_another_frees_comes_back_as_any_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
