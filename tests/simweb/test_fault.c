#include "tests/test.h"

#include "simweb/fault.h"

static void faults_are_read_strictly(void **state)
{
	static const struct {
		const char *text, *why;
	} bad[] = {
		{"405=0.1", "no fault '405'; the nearest is '404'"},
		{"slwo=0.1", "no fault 'slwo'; the nearest is 'slow'"},
		{"sed=1", "no fault 'sed'; the nearest is 'seed'"},
		{"slow", "fault 'slow' is not of the form name=share"},
		{"404=0.1,", "fault '' is not of the form name=share"},
		{"404=1.1", "fault '404' takes a share of the pages from 0 to 1, not '1.1'"},
		{"404=nan", "fault '404' takes a share of the pages from 0 to 1, not 'nan'"},
		{"404=", "fault '404' takes a share of the pages from 0 to 1, not ''"},
		{"404=0.1:5s", "fault '404' takes no time, but ':5s' was given"},
		{"slow=1:fast", "fault 'slow': 'fast' is no time up to 1h"},
		{"slow=1:2h", "fault 'slow': '2h' is no time up to 1h"},
		{"seed=-1", "the seed of faults is a whole number, not '-1'"},
		{"404=0.5,drop=0.6",
			"faults of 1.1 of the pages; those that exclude each other (404, 500, 503, busy, "
			"redirect, truncate, drop, and the transient ones) go up to 1 together"},
	};
	static const char *const good[] = {"", "404=0.01", "503=0.02:5s,slow=0.05:150ms,seed=7",
		("404=0.1,500=0.2,503=0.3:1s,redirect=0.1,truncate=0.1,drop=0.2,slow=1:200ms,"
		 "gzip=1")};
	struct fault_settings f;
	struct err_note why;
	struct buf text = BUF_EMPTY;

	(void)state;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		assert_int_equal(fault_parse(&f, bad[i].text, &why), ERR_USAGE);
		assert_string_equal(why.text, bad[i].why);
	}
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		assert_int_equal(fault_parse(&f, good[i], &why), 0);
		buf_clear(&text);
		buf_end(&text);
		fault_describe(&f, &text);
		assert_string_equal(text.at, good[i]);
	}
	assert_int_equal(fault_parse(&f, NULL, &why), 0);
	assert_int_equal(fault_parse(&f, "slow=1,503=0.5:1500ms", &why), 0);
	assert_int_equal(f.slow_ms, 200);
	assert_int_equal(f.retry_after, 2);
	buf_release(&text);
}

static void faults_hit_their_share_of_the_pages(void **state)
{
	enum { N = 100000 };
	struct fault_settings f, other;
	unsigned seen[FAULTS] = {0}, same = 0, both = 0;

	(void)state;
	assert_int_equal(fault_parse(&f, "404=.1,503=.2,drop=.3,slow=.25,gzip=.5", NULL), 0);
	assert_int_equal(fault_parse(&other, "404=.1,503=.2,drop=.3,slow=.25,seed=2", NULL), 0);
	for (uint32_t u = 0; u < N; u++) {
		enum fault a = fault_answer(&f, u);
		int slow = fault_extra(&f, u, FAULT_SLOW), gzip = fault_extra(&f, u, FAULT_GZIP);
		assert_int_equal(a, fault_answer(&f, u));
		seen[a]++;
		seen[FAULT_SLOW] += (unsigned)slow;
		seen[FAULT_GZIP] += (unsigned)gzip;
		both += slow && gzip && a == FAULT_DROP;
		same += a == FAULT_DROP && fault_answer(&other, u) == FAULT_DROP;
	}
	static const double want[FAULTS] =
		{[FAULT_NONE] = .4, [FAULT_404] = .1, [FAULT_503] = .2, [FAULT_DROP] = .3, [FAULT_SLOW] = .25, [FAULT_GZIP] = .5};
	for (int i = 0; i < FAULTS; i++)
		assert_true(abs((int)seen[i] - (int)(want[i] * N)) < N / 100);
	/* independent of each other, and of the seed */
	assert_true(abs((int)both - (int)(.3 * .25 * .5 * N)) < N / 100);
	assert_true(abs((int)same - (int)(.3 * .3 * N)) < N / 100);
}

static void transient_faults_pass(void **state)
{
	enum { N = 20000 };
	static const enum fault looks[FAULTS] = {[FAULT_TRANSIENT_500] = FAULT_500,
		[FAULT_TRANSIENT_TRUNCATE] = FAULT_TRUNCATE,
		[FAULT_TRANSIENT_DROP] = FAULT_DROP};
	struct fault_settings f;
	unsigned seen[FAULTS] = {0}, twice = 0, transient = 0;

	(void)state;
	assert_int_equal(fault_parse(&f, "drop=.1,503=.1,transient-500=.1,transient-truncate=.1,transient-drop=.1", NULL), 0);
	assert_true(fault_passes(&f));
	for (uint32_t u = 0; u < N; u++) {
		const enum fault fault = fault_answer(&f, u), first = fault_now(&f, u, 0);
		seen[fault]++;
		assert_int_equal(first, looks[fault] ? looks[fault] : fault);
		assert_int_equal(fault_now(&f, u, FAULT_MAX_PASSING), fault == FAULT_DROP ? FAULT_DROP : FAULT_NONE);
		assert_int_equal(fault_now(&f, u, 200), fault_now(&f, u, FAULT_MAX_PASSING));
		transient += looks[fault] != FAULT_NONE;
		twice += looks[fault] && fault_now(&f, u, 1) == first;
	}
	for (int i = FAULT_TRANSIENT_500; i <= FAULT_TRANSIENT_DROP; i++)
		assert_true(abs((int)seen[i] - N / 10) < N / 100);
	assert_true(abs((int)twice * 2 - (int)transient) < N / 50);
	assert_int_equal(fault_parse(&f, "404=.1,drop=.1", NULL), 0);
	assert_false(fault_passes(&f));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(faults_are_read_strictly),
		cmocka_unit_test(faults_hit_their_share_of_the_pages),
		cmocka_unit_test(transient_faults_pass),
	};

	return cmocka_run_group_tests_name("fault", tests, NULL, NULL);
}
