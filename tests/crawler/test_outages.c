/* crawler/knowledge/outages.c: what counts as an outage, how long hosts back off, and when they are given up. */
#include "crawler/knowledge/outages.h"
#include "base/rng.h"
#include "tests/test.h"

#define GIVE_UP 60000

/* A host that has an address of its own, at port 80; at port 443; at an address with others. */
#define AT(n)               ((struct endpoint){.host = (n), .address = 100 + (n), .port = 80})
#define AT_443(n)           ((struct endpoint){.host = (n), .address = 100 + (n), .port = 443})
#define BESIDE(n, address_) ((struct endpoint){.host = (n), .address = (address_), .port = 80})

/* A page that comes back: what became of it, and until when its host is left alone. */
static struct result end(struct outages *o, struct endpoint endpoint, enum outage_subject subject, struct result r)
{
	outages_judge(o, endpoint, subject, &r);
	return r;
}

static void answered(struct outages *o, struct endpoint endpoint, uint32_t page, int64_t now)
{
	(void)end(o, endpoint, OUTAGE_OF_PAGE,
		(struct result){.id = page,
			.outcome = OUTCOME_CRAWLED,
			.state = PAGE_CRAWLED,
			.status = 200,
			.started = now,
			.ended = now});
}

/* A request that had no connection. Returns whether the host is at fault, with the end of its back-off. */
static int failed(struct outages *o, struct endpoint endpoint, enum outcome outcome, int64_t started, int64_t ended, int64_t *until)
{
	const struct result r = end(o, endpoint, OUTAGE_OF_PAGE,
		(struct result){.id = 9, .outcome = outcome, .state = PAGE_FAILED, .started = started, .ended = ended});

	*until = r.host_pause;
	return r.outcome == OUTCOME_UNREACHABLE;
}

/* A page that failed because of an earlier request. */
static int failed_before(struct outages *o, struct endpoint endpoint, int64_t now, int64_t *until)
{
	const struct result r = end(o, endpoint, OUTAGE_OF_EARLIER,
		(struct result){.id = 9, .outcome = OUTCOME_CONNECT, .state = PAGE_FAILED, .started = now, .ended = now});

	*until = r.host_pause;
	return r.outcome == OUTCOME_UNREACHABLE;
}

/* A page that is answered with an error status, the last time that it may be tried. */
static struct result error(struct outages *o, struct endpoint endpoint, uint32_t page, uint16_t status, int64_t now)
{
	return end(o, endpoint, OUTAGE_OF_PAGE,
		(struct result){.id = page,
			.outcome = OUTCOME_STATUS,
			.state = PAGE_FAILED,
			.status = status,
			.started = now,
			.ended = now});
}

static int backs_off(struct outages *o, struct endpoint endpoint, int64_t now, int64_t *until)
{
	return outages_backs_off(o, endpoint, 9, now, until);
}

static void a_host_that_never_answered_is_the_fetchers_affair(void **state)
{
	struct outages *o = outages_new(GIVE_UP);
	int64_t until = 0;

	(void)state;
	for (int i = 0; i < 50; i++)
		assert_int_equal(failed(o, AT(7), OUTCOME_CONNECT, i, i, &until), 0);
	assert_int_equal(outages_room(o, 16, 0, 100), 16);
	outages_free(o);
}

static void a_known_host_backs_off_twice_as_long_after_each_failure(void **state)
{
	static const int64_t backoff[] = {1000, 2000, 4000, 8000, 16000, 30000, 30000};
	struct outages *o = outages_new(INT64_MAX);
	int64_t now = 5000, until = 0;

	(void)state;
	answered(o, AT(3), 9, now);
	for (size_t i = 0; i < sizeof backoff / sizeof *backoff; i++) {
		assert_int_equal(failed(o, AT(3), OUTCOME_CONNECT, now, now, &until), 1);
		assert_int_equal(until - now, backoff[i]);
		now = until;
	}
	answered(o, AT(3), 9, now);
	assert_int_equal(failed(o, AT(3), OUTCOME_DNS, now, now, &until), 1);
	assert_int_equal(until - now, backoff[0]);
	outages_free(o);
}

static void requests_of_one_round_are_one_failure(void **state)
{
	struct outages *o = outages_new(GIVE_UP);
	int64_t first = 0, until = 0;

	(void)state;
	answered(o, AT(0), 9, 0);
	assert_int_equal(failed(o, AT(0), OUTCOME_CONNECT, 10, 20, &first), 1);
	for (int i = 0; i < 8; i++) {
		assert_int_equal(failed(o, AT(0), OUTCOME_CONNECT, 15, 25 + i, &until), 1);
		assert_int_equal(until, first);
	}
	outages_free(o);
}

static void the_network_is_gone_when_known_hosts_fail_in_a_row_and_back_at_the_first_answer(void **state)
{
	struct outages *o = outages_new(GIVE_UP);
	int64_t until = 0;

	(void)state;
	answered(o, AT(0), 9, 0);
	assert_int_equal(failed(o, AT(1), OUTCOME_CONNECT, 10, 10, &until), 0);
	assert_int_equal(failed(o, AT(0), OUTCOME_CONNECT, 11, 11, &until), 1);
	assert_int_equal(outages_room(o, 16, 3, 12), 16);
	/* the third: from now on a page of a host that never answered is not at fault either */
	assert_int_equal(failed(o, AT(2), OUTCOME_CONNECT, 12, 12, &until), 1);
	assert_int_equal(outages_room(o, 16, 0, 13), 0);
	assert_int_equal(outages_next_probe(o), 12 + OUTAGE_PROBE_MS);
	assert_int_equal(outages_room(o, 16, 0, 12 + OUTAGE_PROBE_MS), 1);
	assert_int_equal(outages_room(o, 16, 1, 12 + OUTAGE_PROBE_MS), 0);
	answered(o, AT(2), 9, 3000);
	assert_int_equal(outages_room(o, 16, 5, 3000), 16);
	assert_int_equal(outages_next_probe(o), INT64_MAX);
	outages_free(o);
}

static void answers_in_between_are_no_outage(void **state)
{
	struct outages *o = outages_new(GIVE_UP);
	int64_t until = 0;

	(void)state;
	answered(o, AT(0), 9, 0);
	answered(o, AT(1), 9, 0);
	for (int i = 1; i < 100; i++) {
		assert_int_equal(failed(o, AT(1), OUTCOME_CONNECT, i * 100, i * 100, &until), 1);
		answered(o, AT(0), 9, i * 100 + 50);
		assert_int_equal(outages_room(o, 16, 0, i * 100 + 60), 16);
	}
	outages_free(o);
}

static void dead_hosts_that_never_answered_are_no_outage_however_many(void **state)
{
	struct outages *o = outages_new(GIVE_UP);
	int64_t until = 0;

	(void)state;
	answered(o, AT(0), 9, 0);
	for (uint32_t i = 1; i < 100; i++)
		assert_int_equal(failed(o, AT(i), OUTCOME_DNS_LATER, i, i, &until), 0);
	assert_int_equal(outages_room(o, 16, 0, 101), 16);
	assert_int_equal(failed(o, AT(7), OUTCOME_NO_NETWORK, 102, 102, &until), 1);
	assert_int_equal(outages_room(o, 16, 0, 103), 0);
	outages_free(o);
}

static void silence_beyond_patience_is_given_up(void **state)
{
	struct outages *o = outages_new(GIVE_UP);
	int64_t now = 0, until = 0;

	(void)state;
	answered(o, AT(0), 9, 0);
	answered(o, AT(1), 9, 0);
	for (int i = 0; i < 20 && until < OUTAGE_FOR_GOOD; i++) {
		assert_int_equal(failed(o, AT(1), OUTCOME_CONNECT, now, now, &until), 1);
		answered(o, AT(0), 9, now + 1);
		assert_int_equal(outages_silent(o), until < OUTAGE_FOR_GOOD);
		if (until < OUTAGE_FOR_GOOD)
			now = until;
	}
	assert_true(until == OUTAGE_FOR_GOOD);
	assert_in_range(now, GIVE_UP, GIVE_UP + OUTAGE_LONGEST_BACKOFF);
	assert_int_equal(outages_given_up(o), 1);
	assert_false(outages_over(o));
	outages_free(o);
}

static void an_outage_beyond_patience_ends_the_sitting(void **state)
{
	struct outages *o = outages_new(GIVE_UP);
	int64_t now = 0, until = 0;

	(void)state;
	answered(o, AT(0), 9, 0);
	for (int i = 0; i < 1000 && !outages_over(o); i++) {
		assert_int_equal(failed(o, AT(0), OUTCOME_CONNECT, now, now, &until), 1);
		now = outages_next_probe(o) < INT64_MAX ? outages_next_probe(o) : until;
	}
	assert_true(outages_over(o));
	assert_in_range(now, GIVE_UP, GIVE_UP + OUTAGE_LONGEST_BACKOFF);
	assert_int_equal(outages_room(o, 16, 0, now), 0);
	outages_free(o);
}

static void the_time_of_an_outage_is_not_held_against_a_host(void **state)
{
	struct outages *o = outages_new(GIVE_UP);
	int64_t until = 0;

	(void)state;
	answered(o, AT(0), 9, 0);
	answered(o, AT(1), 9, 0);
	for (int i = 0; i < 4; i++)
		assert_int_equal(failed(o, AT(1), OUTCOME_CONNECT, i * 40000, i * 40000, &until), 1);
	answered(o, AT(0), 9, 200000);
	assert_int_equal(failed(o, AT(1), OUTCOME_CONNECT, 200001, 200001, &until), 1);
	assert_true(until < OUTAGE_FOR_GOOD);
	outages_free(o);
}

static void a_host_that_answers_at_one_port_is_not_known_at_another(void **state)
{
	struct outages *o = outages_new(GIVE_UP);
	int64_t until = 0;

	(void)state;
	answered(o, AT(4), 9, 0);
	for (int i = 0; i < 20; i++)
		assert_int_equal(failed(o, AT_443(4), OUTCOME_CONNECT, i, i, &until), 0);
	assert_int_equal(failed(o, AT(4), OUTCOME_CONNECT, 30, 30, &until), 1);
	outages_free(o);
}

static void an_address_backs_off_once_two_of_its_hosts_have_failed_in_a_row(void **state)
{
	struct outages *o = outages_new(GIVE_UP);
	int64_t until = 0;

	(void)state;
	for (uint32_t host = 0; host < 5; host++)
		answered(o, BESIDE(host, 9), 9, 0);
	answered(o, BESIDE(7, 8), 9, 0);
	assert_int_equal(failed(o, BESIDE(0, 9), OUTCOME_CONNECT, 10, 10, &until), 1);
	assert_int_equal(backs_off(o, BESIDE(1, 9), 11, &until), 0);
	assert_int_equal(failed(o, BESIDE(1, 9), OUTCOME_CONNECT, 20, 20, &until), 1);
	/* from now on none of them is asked, and one that never answered is not at fault either */
	for (uint32_t host = 0; host < 6; host++) {
		assert_int_equal(backs_off(o, BESIDE(host, 9), 21, &until), 1);
		assert_int_equal(until, 20 + OUTAGE_FIRST_BACKOFF);
	}
	assert_int_equal(failed(o, BESIDE(6, 9), OUTCOME_CONNECT, 15, 25, &until), 1);
	assert_int_equal(backs_off(o, BESIDE(7, 8), 21, &until), 0);
	answered(o, BESIDE(7, 8), 9, 30);
	/* twice as long after the next, and no more after an answer */
	assert_int_equal(backs_off(o, BESIDE(2, 9), 2000, &until), 0);
	assert_int_equal(failed(o, BESIDE(2, 9), OUTCOME_CONNECT, 2000, 2001, &until), 1);
	assert_int_equal(backs_off(o, BESIDE(3, 9), 2002, &until), 1);
	assert_int_equal(until, 2001 + 2 * OUTAGE_FIRST_BACKOFF);
	answered(o, BESIDE(4, 9), 9, 2003);
	assert_int_equal(backs_off(o, BESIDE(3, 9), 2004, &until), 0);
	outages_free(o);
}

static void names_that_are_not_resolved_say_nothing_of_an_address(void **state)
{
	struct outages *o = outages_new(GIVE_UP);
	int64_t until = 0;

	(void)state;
	answered(o, BESIDE(0, 9), 9, 0);
	for (int i = 1; i < 10; i++) {
		assert_int_equal(failed(o, BESIDE(0, 9), OUTCOME_DNS, i * 9999, i * 9999, &until), 1);
		answered(o, BESIDE(1, 8), 9, i * 9999 + 1);
	}
	assert_int_equal(backs_off(o, BESIDE(2, 9), 90000, &until), 0);
	outages_free(o);
}

static void an_address_beyond_patience_is_given_up_with_all_its_hosts(void **state)
{
	struct outages *o = outages_new(GIVE_UP);
	int64_t now = 0, until = 0;

	(void)state;
	for (uint32_t host = 0; host < 100; host++)
		answered(o, BESIDE(host, 9), 9, 0);
	answered(o, BESIDE(100, 8), 9, 0);
	/* a different host each time: none of them fails three times */
	for (uint32_t host = 0; host < 50 && now < 2 * GIVE_UP; host++) {
		failed(o, BESIDE(host, 9), OUTCOME_CONNECT, now, now, &until);
		answered(o, BESIDE(100, 8), 9, now + 1);
		if (backs_off(o, BESIDE(99, 9), now + 2, &until) && until == OUTAGE_FOR_GOOD)
			break;
		now = until > now ? until : now + 2;
	}
	assert_in_range(now, GIVE_UP, GIVE_UP + OUTAGE_LONGEST_BACKOFF);
	assert_int_equal(backs_off(o, BESIDE(98, 9), now + 3, &until), 1);
	assert_true(until == OUTAGE_FOR_GOOD);
	assert_int_equal(outages_given_up(o), 2);
	assert_int_equal(backs_off(o, BESIDE(100, 8), now + 3, &until), 0);
	outages_free(o);
}

static void a_page_that_alone_fails_is_at_fault_itself(void **state)
{
	static const uint16_t statuses[] = {503, 429, 504, 500, 0};
	struct outages *o = outages_new(OUTAGE_GIVE_UP_MS);

	(void)state;
	for (uint32_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
		const int64_t now = 1000000 * i;
		answered(o, AT(1), 100, now);
		if (statuses[i]) {
			(void)error(o, AT(1), i, statuses[i], now + 1);
		} else {
			(void)end(o, AT(1), OUTAGE_OF_PAGE,
				(struct result){.id = i, .outcome = OUTCOME_TIMEOUT, .state = PAGE_QUEUED, .ended = now + 1});
		}
		answered(o, AT(1), 101, now + 3000);
		/* its host has served another page since: whatever comes then is the page's, and the host is asked on */
		const struct result r = error(o, AT(1), i, statuses[i] ? statuses[i] : 503, now + 4000);
		assert_int_equal(r.state, PAGE_FAILED);
		assert_int_equal(r.host_pause, 0);
		assert_int_equal(outages_silent(o), 0);
	}
	outages_free(o);
}

/* A chain has one page at a time, so that no other page can tell whether the host is well. */
static void the_only_page_of_a_host_outlives_a_short_illness(void **state)
{
	struct outages *o = outages_new(OUTAGE_GIVE_UP_MS);
	int64_t now = 5000;
	int errors = 0;

	(void)state;
	answered(o, AT(1), 6, now);
	for (struct result r = {.state = PAGE_QUEUED}; r.state == PAGE_QUEUED; errors++) {
		r = error(o, AT(1), 7, 503, now);
		assert_true(r.state == PAGE_QUEUED || now >= 5000 + OUTAGE_DOUBT_MS);
		now = r.not_before;
	}
	assert_in_range(errors, 9, 10);
	assert_int_equal(outages_silent(o), 0);
	/* with a weak sign, and as it was before: at once */
	answered(o, AT(1), 8, now);
	assert_int_equal(error(o, AT(1), 9, 500, now + 1).state, PAGE_FAILED);
	outages_free(o);
}

static void pages_that_fail_one_after_another_are_the_hosts_fault(void **state)
{
	static const int64_t backoff[] = {1000, 2000, 4000, 8000, 16000, 30000, 30000};
	struct outages *o = outages_new(OUTAGE_GIVE_UP_MS);
	const int64_t from = 5000;
	int64_t now = from;
	struct result r = {.host_pause = 0};

	(void)state;
	answered(o, AT(3), 100, now);
	for (uint32_t i = 0; i < 100 && r.host_pause < OUTAGE_FOR_GOOD; i++) {
		r = error(o, AT(3), i % 4, 503, now);
		assert_int_equal(r.state, PAGE_QUEUED);
		assert_int_equal(r.outcome, OUTCOME_BUSY);
		if (r.host_pause < OUTAGE_FOR_GOOD) {
			assert_int_equal(r.host_pause - now, backoff[i < 6 ? i : 6]);
			assert_true(r.not_before >= r.host_pause + OUTAGE_FIRST_BACKOFF);
			now = r.host_pause;
		}
		assert_int_equal(outages_silent(o), i > 0 && r.host_pause < OUTAGE_FOR_GOOD);
	}
	/* and it is given up as a silent host is */
	assert_in_range(now - from, OUTAGE_GIVE_UP_MS, OUTAGE_GIVE_UP_MS + OUTAGE_LONGEST_BACKOFF);
	assert_int_equal(outages_given_up(o), 1);
	assert_int_equal(backs_off(o, AT(3), now, &now), 1);
	assert_true(now == OUTAGE_FOR_GOOD);
	outages_free(o);
}

static void weak_signs_make_a_host_ill_when_three_pages_have_them_in_a_row(void **state)
{
	struct outages *o = outages_new(OUTAGE_GIVE_UP_MS);

	(void)state;
	answered(o, AT(3), 100, 0);
	for (uint32_t page = 0; page < 5; page++)
		assert_int_equal(error(o, AT(3), page, 500, 10 + page).state, page < 2 ? PAGE_FAILED : PAGE_QUEUED);
	assert_int_equal(outages_silent(o), 1);
	answered(o, AT(3), 101, 100);
	assert_int_equal(outages_silent(o), 0);
	outages_free(o);
}

/* The same page again, another host, another port and an answer between do not add up. */
static void a_host_is_ill_by_its_own_fresh_pages_alone(void **state)
{
	struct outages *o = outages_new(OUTAGE_GIVE_UP_MS);

	(void)state;
	answered(o, AT(1), 100, 0);
	(void)error(o, AT(1), 1, 503, 10);
	(void)error(o, AT(1), 1, 503, 3000);
	(void)error(o, AT_443(1), 2, 503, 3001);
	(void)error(o, AT(2), 3, 503, 3002);
	assert_int_equal(outages_silent(o), 0);
	answered(o, AT(1), 101, 4000);
	(void)error(o, AT(1), 4, 503, 5000);
	assert_int_equal(outages_silent(o), 0);
	(void)error(o, AT(1), 5, 503, 7000);
	assert_int_equal(outages_silent(o), 1);
	outages_free(o);
}

/* A site half of whose pages are out of order for ever, in every order: each of them fails, and the host is not given up. */
static void pages_that_are_out_of_order_for_ever_fail_although_they_are_many(void **state)
{
	enum { PAGES = 60 };
	struct rng rng = {7};

	(void)state;
	for (int share = 1; share < 10; share += 2) {
		struct outages *o = outages_new(OUTAGE_GIVE_UP_MS);
		int left = PAGES, asks = 0, tries[PAGES] = {0};
		int64_t now = 0, due[PAGES] = {0};
		uint8_t is_bad[PAGES], is_done[PAGES] = {0};
		for (int i = 0; i < PAGES; i++)
			is_bad[i] = (int)rng_below(&rng, 10) < share;
		is_bad[0] = 0;
		while (left && asks < 20 * PAGES) {
			int page = -1;
			for (int i = 0; i < PAGES; i++)
				if (!is_done[i] && (page < 0 || due[i] < due[page]))
					page = i;
			now = due[page] > now ? due[page] : now + 100;
			asks++;
			struct result r = {.id = (uint32_t)page, .outcome = OUTCOME_CRAWLED, .state = PAGE_CRAWLED, .status = 200};
			if (is_bad[page])
				r = (struct result){.id = (uint32_t)page,
					.outcome = OUTCOME_STATUS,
					.state = tries[page] < 2 ? PAGE_QUEUED : PAGE_FAILED,
					.status = 503};
			r.started = r.ended = now;
			outages_judge(o, AT(1), OUTAGE_OF_PAGE, &r);
			tries[page] += outcome_has(r.outcome, TRAIT_TRY);
			is_done[page] = r.state != PAGE_QUEUED;
			left -= is_done[page];
			due[page] = r.not_before;
			now = r.host_pause > now ? r.host_pause : now;
		}
		assert_int_equal(left, 0);
		assert_int_equal(outages_given_up(o), 0);
		assert_true(now < 1800000);
		outages_free(o);
	}
}

static void a_robots_txt_that_fails_makes_its_host_ill_from_the_first_request(void **state)
{
	struct outages *o = outages_new(OUTAGE_GIVE_UP_MS);
	struct result r = {.id = 1, .outcome = OUTCOME_ROBOTS_WAIT, .state = PAGE_QUEUED, .status = 503, .host_pause = 500};
	struct result refused = {.id = 1, .outcome = OUTCOME_ROBOTS_UNAVAILABLE, .state = PAGE_REFUSED, .status = 503, .ended = 10};

	(void)state;
	r = end(o, AT(1), OUTAGE_OF_ROBOTS, r);
	assert_int_equal(r.host_pause, OUTAGE_FIRST_BACKOFF);
	refused = end(o, AT(1), OUTAGE_OF_EARLIER, refused);
	assert_int_equal(refused.state, PAGE_QUEUED);
	assert_int_equal(refused.outcome, OUTCOME_BUSY);
	/* an answer ends it; 500 is an answer that says that there is none to be had */
	r = end(o, AT(1), OUTAGE_OF_ROBOTS, (struct result){.id = 1, .outcome = OUTCOME_ROBOTS_WAIT, .status = 404, .ended = 2000});
	assert_int_equal(outages_silent(o), 0);
	r = end(o, AT(1), OUTAGE_OF_ROBOTS, (struct result){.id = 1, .outcome = OUTCOME_ROBOTS_WAIT, .status = 500, .ended = 3000});
	assert_int_equal(outages_silent(o), 0);
	outages_free(o);
}

static void a_host_is_left_alone_as_long_as_the_answer_says(void **state)
{
	struct outages *o = outages_new(OUTAGE_GIVE_UP_MS);
	int64_t until;

	(void)state;
	answered(o, AT(1), 100, 0);
	(void)error(o, AT(1), 1, 503, 0);
	(void)end(o, AT(1), OUTAGE_OF_PAGE,
		(struct result){.id = 2,
			.outcome = OUTCOME_STATUS,
			.state = PAGE_QUEUED,
			.status = 503,
			.ended = 1000,
			.host_pause = 600000});
	assert_int_equal(backs_off(o, AT(1), 599999, &until), 1);
	assert_int_equal(until, 600000);
	assert_int_equal(backs_off(o, AT(1), 600000, &until), 0);
	outages_free(o);
}

static void an_ill_host_is_asked_for_one_page_at_a_time(void **state)
{
	struct outages *o = outages_new(OUTAGE_GIVE_UP_MS);
	int64_t until;

	(void)state;
	answered(o, AT(1), 100, 0);
	for (uint32_t page = 0; page < 3; page++)
		(void)error(o, AT(1), page, 503, 0);
	assert_int_equal(outages_backs_off(o, AT(1), 7, 60000, &until), 0);
	assert_int_equal(outages_backs_off(o, AT(1), 8, 60000, &until), 1);
	assert_int_equal(outages_backs_off(o, AT(2), 9, 60000, &until), 0);
	outages_unasked(o, AT(1), 7);
	assert_int_equal(outages_backs_off(o, AT(1), 8, 60001, &until), 0);
	/* whatever comes of the probe, the next one may begin */
	(void)end(o, AT(1), OUTAGE_OF_PAGE,
		(struct result){.id = 8, .outcome = OUTCOME_ABORTED, .state = PAGE_QUEUED, .ended = 60002});
	assert_int_equal(outages_backs_off(o, AT(1), 9, 60003, &until), 0);
	answered(o, AT(1), 9, 60004);
	for (uint32_t page = 10; page < 20; page++)
		assert_int_equal(outages_backs_off(o, AT(1), page, 60005, &until), 0);
	outages_free(o);
}

static void a_host_that_accepts_and_stays_silent_is_given_up(void **state)
{
	struct outages *o = outages_new(GIVE_UP);
	int64_t now = 0;
	struct result r = {.host_pause = 0};

	(void)state;
	answered(o, AT(1), 100, now);
	answered(o, AT(2), 200, now);
	for (uint32_t page = 0; page < 30 && r.host_pause < OUTAGE_FOR_GOOD; page++) {
		r = end(o, AT(1), OUTAGE_OF_PAGE,
			(struct result){.id = page,
				.outcome = OUTCOME_TIMEOUT,
				.state = page ? PAGE_FAILED : PAGE_QUEUED,
				.started = now,
				.ended = now + 5000});
		assert_int_equal(r.state, PAGE_QUEUED);
		answered(o, AT(2), 200 + page, now + 5001);
		if (r.host_pause < OUTAGE_FOR_GOOD)
			now = r.host_pause;
	}
	assert_true(r.host_pause == OUTAGE_FOR_GOOD);
	assert_in_range(now, GIVE_UP - 5000, GIVE_UP + OUTAGE_LONGEST_BACKOFF);
	outages_free(o);
}

/* A host that answers every other request with 503: no page is lost, however the turns fall. */
static void a_flapping_host_loses_no_page(void **state)
{
	enum { PAGES = 300 };
	struct outages *o = outages_new(OUTAGE_GIVE_UP_MS);
	struct rng rng = {3};
	int64_t now = 0;
	int lost = 0;

	(void)state;
	answered(o, AT(1), 1000, 0);
	for (uint32_t page = 0; page < PAGES; page++) {
		struct result r = {.state = PAGE_QUEUED};
		for (int tries = 0; r.state == PAGE_QUEUED; tries += outcome_has(r.outcome, TRAIT_TRY)) {
			const int is_served = rng_below(&rng, 2) == 0;
			r = (struct result){.id = page,
				.outcome = is_served ? OUTCOME_CRAWLED : OUTCOME_STATUS,
				.state = is_served  ? PAGE_CRAWLED
					: tries < 2 ? PAGE_QUEUED
						    : PAGE_FAILED,
				.status = is_served ? 200 : 503,
				.started = now,
				.ended = now};
			outages_judge(o, AT(1), OUTAGE_OF_PAGE, &r);
			now = r.not_before > now ? r.not_before : now + 1000;
			if (rng_below(&rng, 2)) /* another page comes between */
				answered(o, AT(1), 1000 + page, now);
		}
		lost += r.state == PAGE_FAILED;
	}
	assert_int_equal(lost, 0);
	outages_free(o);
}

static void a_busy_host_is_no_outage_of_the_network(void **state)
{
	struct outages *o = outages_new(GIVE_UP);
	int64_t until = 0;

	(void)state;
	answered(o, AT(0), 9, 0);
	for (int i = 0; i < OUTAGE_FAILURES; i++)
		failed(o, AT(0), OUTCOME_CONNECT, 10, 10, &until);
	assert_int_equal(outages_room(o, 16, 0, 20), 0);
	(void)error(o, AT(1), 5, 503, 1000);
	assert_int_equal(outages_room(o, 16, 0, 1000), 16);
	assert_int_equal(outages_silent(o), 1); /* host 0 alone */
	outages_free(o);
}

static void a_probe_asks_also_where_an_address_backs_off(void **state)
{
	struct outages *o = outages_new(GIVE_UP);
	int64_t until = 0;

	(void)state;
	answered(o, BESIDE(0, 9), 9, 0);
	for (int i = 0; i < OUTAGE_FAILURES; i++)
		failed(o, BESIDE(0, 9), OUTCOME_CONNECT, i * 40000, i * 40000, &until);
	assert_int_equal(outages_room(o, 16, 0, 90000), 1);
	assert_int_equal(backs_off(o, BESIDE(1, 9), 80001, &until), 0);
	outages_free(o);
}

static void what_an_earlier_request_told_is_not_counted_again(void **state)
{
	struct outages *o = outages_new(GIVE_UP);
	int64_t until = 0, rested = 0;

	(void)state;
	answered(o, AT(1), 9, 0);
	assert_int_equal(failed_before(o, AT(1), 10, &until), 0);
	assert_int_equal(failed(o, AT(1), OUTCOME_ROBOTS_CONNECT, 20, 20, &rested), 1);
	for (int i = 0; i < 50; i++) {
		assert_int_equal(failed_before(o, AT(1), 21 + i, &until), 1);
		assert_int_equal(until, rested);
	}
	assert_int_equal(outages_room(o, 16, 0, 100), 16);
	assert_int_equal(outages_silent(o), 1);
	answered(o, AT(1), 9, 200);
	assert_int_equal(outages_silent(o), 0);
	assert_int_equal(failed_before(o, AT(1), 201, &until), 0);
	outages_free(o);
}

/* A host that is dead from the first was asked while the network was gone: that excused it then, and not for ever. */
static void an_outage_of_the_network_excuses_a_dead_host_no_longer_than_it_lasts(void **state)
{
	struct outages *o = outages_new(GIVE_UP);
	int64_t until = 0;

	(void)state;
	answered(o, AT(1), 9, 0);
	for (int i = 0; i < OUTAGE_FAILURES; i++)
		assert_int_equal(failed(o, AT(1), OUTCOME_DNS, 10 + i, 10 + i, &until), 1);
	assert_int_equal(failed(o, AT(2), OUTCOME_ROBOTS_DNS, 2000, 2000, &until), 1);
	assert_int_equal(failed_before(o, AT(2), 2001, &until), 1);
	answered(o, AT(1), 9, 3000);
	assert_int_equal(failed(o, AT(2), OUTCOME_ROBOTS_DNS, 4000, 4000, &until), 0);
	assert_int_equal(failed_before(o, AT(2), 4001, &until), 0);
	outages_free(o);
}

static void a_later_sitting_leaves_an_ill_host_alone_as_long(void **state)
{
	struct outages *o = outages_new(OUTAGE_GIVE_UP_MS), *later = outages_new(OUTAGE_GIVE_UP_MS);
	struct buf text = BUF_EMPTY;
	int64_t until;

	(void)state;
	answered(o, AT(1), 100, 0);
	answered(o, AT(2), 100, 0);
	assert_int_equal(outages_write(o, &text), 0);
	(void)error(o, AT(1), 1, 503, 1000);
	(void)end(o, AT(1), OUTAGE_OF_PAGE,
		(struct result){.id = 2,
			.outcome = OUTCOME_STATUS,
			.state = PAGE_QUEUED,
			.status = 503,
			.ended = 2000,
			.host_pause = 600000});
	assert_true(outages_has_changed(o));
	assert_int_equal(outages_write(o, &text), 1);
	assert_false(outages_has_changed(o));
	outages_read(later, text.at, 100, 5000);
	assert_int_equal(outages_silent(later), 1);
	assert_int_equal(backs_off(later, AT(1), 599999, &until), 1);
	assert_int_equal(until, 600000);
	assert_int_equal(backs_off(later, AT_443(1), 5000, &until), 0);
	assert_int_equal(error(later, AT(1), 3, 503, 600000).state, PAGE_QUEUED);
	answered(later, AT(1), 4, 700000);
	assert_true(outages_has_changed(later));
	buf_clear(&text);
	assert_int_equal(outages_write(later, &text), 0);
	outages_free(later);
	/* a year later the illness is as old as it was */
	later = outages_new(OUTAGE_GIVE_UP_MS);
	buf_clear(&text);
	(void)outages_write(o, &text);
	outages_read(later, text.at, 100, 31536000000);
	for (int64_t i = 0; i < 3; i++)
		assert_true(error(later, AT(1), 5, 503, 31536000000 + i * 40000).host_pause < OUTAGE_FOR_GOOD);
	/* what is no such text is left aside */
	outages_read(later, "99999999999999999 1 1 5 6\n3 x", 100, 0);
	outages_read(later, "", 100, 0);
	outages_read(later, NULL, 100, 0);
	assert_int_equal(outages_silent(later), 1);
	outages_free(later);
	outages_free(o);
	buf_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_host_that_never_answered_is_the_fetchers_affair),
		cmocka_unit_test(an_outage_of_the_network_excuses_a_dead_host_no_longer_than_it_lasts),
		cmocka_unit_test(a_known_host_backs_off_twice_as_long_after_each_failure),
		cmocka_unit_test(requests_of_one_round_are_one_failure),
		cmocka_unit_test(the_network_is_gone_when_known_hosts_fail_in_a_row_and_back_at_the_first_answer),
		cmocka_unit_test(answers_in_between_are_no_outage),
		cmocka_unit_test(dead_hosts_that_never_answered_are_no_outage_however_many),
		cmocka_unit_test(silence_beyond_patience_is_given_up),
		cmocka_unit_test(an_outage_beyond_patience_ends_the_sitting),
		cmocka_unit_test(the_time_of_an_outage_is_not_held_against_a_host),
		cmocka_unit_test(a_host_that_answers_at_one_port_is_not_known_at_another),
		cmocka_unit_test(an_address_backs_off_once_two_of_its_hosts_have_failed_in_a_row),
		cmocka_unit_test(names_that_are_not_resolved_say_nothing_of_an_address),
		cmocka_unit_test(an_address_beyond_patience_is_given_up_with_all_its_hosts),
		cmocka_unit_test(what_an_earlier_request_told_is_not_counted_again),
		cmocka_unit_test(a_page_that_alone_fails_is_at_fault_itself),
		cmocka_unit_test(the_only_page_of_a_host_outlives_a_short_illness),
		cmocka_unit_test(pages_that_fail_one_after_another_are_the_hosts_fault),
		cmocka_unit_test(weak_signs_make_a_host_ill_when_three_pages_have_them_in_a_row),
		cmocka_unit_test(a_host_is_ill_by_its_own_fresh_pages_alone),
		cmocka_unit_test(pages_that_are_out_of_order_for_ever_fail_although_they_are_many),
		cmocka_unit_test(a_robots_txt_that_fails_makes_its_host_ill_from_the_first_request),
		cmocka_unit_test(a_host_is_left_alone_as_long_as_the_answer_says),
		cmocka_unit_test(an_ill_host_is_asked_for_one_page_at_a_time),
		cmocka_unit_test(a_host_that_accepts_and_stays_silent_is_given_up),
		cmocka_unit_test(a_flapping_host_loses_no_page),
		cmocka_unit_test(a_later_sitting_leaves_an_ill_host_alone_as_long),
		cmocka_unit_test(a_busy_host_is_no_outage_of_the_network),
		cmocka_unit_test(a_probe_asks_also_where_an_address_backs_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
