#include "monitor/metrics.h"
#include "policies/policies.h"
#include "tests/test.h"

#include <string.h>

static void labels_are_escaped(void **state)
{
	static const struct {
		const char *value, *label;
	} rows[] = {{"opic", "opic"}, {"", ""}, {"a\"b", "a\\\"b"}, {"a\\b", "a\\\\b"}, {"a\nb", "a\\nb"}, {"\x1b[0m\r", "?[0m?"},
		{"\xff\xc3\xa4", "?\xc3\xa4"}};
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct buf b = BUF_EMPTY;
		metrics_label(&b, rows[i].value);
		buf_text(&b, "");
		assert_string_equal(b.at ? b.at : "", rows[i].label);
		buf_release(&b);
	}
}

static int has(struct metrics *m, const char *line)
{
	struct buf b = BUF_EMPTY;

	metrics_text(m, &b);
	const char *at = strstr(b.at, line);
	const int found = at && (at == b.at || at[-1] == '\n') && at[strlen(line)] == '\n';
	buf_release(&b);
	return found;
}

/* a sitting: each kind of end, with and without a request */
static const struct result events[] = {
	{.state = PAGE_CRAWLED, .outcome = OUTCOME_CRAWLED, .status = 200, .bytes = 100, .started = 1000, .ended = 1005},
	{.state = PAGE_CRAWLED, .outcome = OUTCOME_CRAWLED, .bytes = 20, .started = 1000, .ended = 1006},
	{.state = PAGE_FAILED, .outcome = OUTCOME_TIMEOUT, .started = 0, .ended = 90000},
	{.state = PAGE_REFUSED, .outcome = OUTCOME_BUDGET},
	{.state = PAGE_QUEUED, .outcome = OUTCOME_ADDRESS},
	{.state = PAGE_QUEUED, .outcome = OUTCOME_ROBOTS_WAIT, .bytes = 3, .started = 1, .ended = 9},
	{.state = PAGE_QUEUED, .outcome = OUTCOME_CONNECT, .started = 1, .ended = 9},
};

/* of the metrics after these events */
static const char *const lines[] = {"lycosa_responses_total{code=\"200\"} 1", "lycosa_pages_total{state=\"crawled\"} 2",
	"lycosa_pages_total{state=\"failed\"} 1", "lycosa_pages_total{state=\"refused\"} 1",
	"lycosa_pages_total{state=\"retry\"} 1", "lycosa_pages_total{state=\"redirected\"} 0",
	"lycosa_fetch_errors_total{kind=\"timeout\"} 1", "lycosa_fetch_errors_total{kind=\"budget\"} 1",
	"lycosa_received_bytes_total 123", "lycosa_fetch_errors_total{kind=\"robots\"} 0",
	"lycosa_fetch_duration_seconds_bucket{le=\"0.005\"} 1", "lycosa_fetch_duration_seconds_bucket{le=\"0.01\"} 3",
	"lycosa_fetch_duration_seconds_bucket{le=\"60\"} 3", "lycosa_fetch_duration_seconds_bucket{le=\"+Inf\"} 4",
	"lycosa_fetch_duration_seconds_count 4", "lycosa_fetch_duration_seconds_sum 90.019", "lycosa_queue_pages 1",
	"lycosa_hosts{state=\"ready\"} 1", "lycosa_hosts{state=\"waiting\"} 0", "lycosa_hosts{state=\"silent\"} 0",
	"lycosa_hosts{state=\"given_up\"} 0"};

static void events_are_counted(void **state)
{
	static const struct source_ops always_answered = {.name = "none"};
	const struct source source = {&always_answered};
	static const struct opt_set none;
	const struct frontier_settings settings = {.policy = &policy_bfs, .opts = &none, .batch = 10, .per_host = 1};
	struct metrics *m = metrics_new();
	const struct observer o = metrics_observer(m);
	struct frontier *f;
	const uint32_t seed = 0;
	(void)state;

	assert_true(has(m, "lycosa_pages_total{state=\"crawled\"} 0")); /* before there is a crawl */
	assert_int_equal(frontier_new(&f, &settings, &(struct frontier_world){0}, NULL), 0);
	frontier_seed(f, &seed, 1);
	metrics_of(m, f, &source);
	for (size_t i = 0; i < sizeof events / sizeof *events; i++)
		assert_int_equal(o.event(o.ctx, &events[i], NULL), 0);
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		if (!has(m, lines[i]))
			fail_msg("no line '%s'", lines[i]);
	frontier_free(f);
	metrics_free(m);
}

static uint64_t two_silent(const struct source *source)
{
	(void)source;
	return 2;
}

static void a_host_given_up_and_silent_ones_are_not_counted_as_waiting(void **state)
{
	static const struct source_ops ops = {.name = "none", .silent_hosts = two_silent};
	static const struct frontier_host_news gives_up = {.delay = -1, .pause = FRONTIER_FOR_GOOD};
	static const struct opt_set none;
	const struct frontier_settings settings = {.policy = &policy_bfs, .opts = &none, .batch = 10, .per_host = 1};
	const struct source source = {&ops};
	struct metrics *m = metrics_new();
	const struct observer o = metrics_observer(m);
	struct frontier *f;
	uint32_t id = 0;
	(void)state;

	assert_int_equal(frontier_new(&f, &settings, &(struct frontier_world){0}, NULL), 0);
	frontier_seed(f, &id, 1);
	metrics_of(m, f, &source);
	assert_int_equal(frontier_take(f, 0, &id), 1);
	assert_int_equal(frontier_ended(f, id, &(struct frontier_end){.state = PAGE_QUEUED, .at = 1, .host = &gives_up}), 0);
	assert_int_equal(o.idle(o.ctx, NULL), 0);
	assert_true(has(m, "lycosa_hosts{state=\"ready\"} 0"));
	assert_true(has(m, "lycosa_hosts{state=\"waiting\"} 0"));
	assert_true(has(m, "lycosa_hosts{state=\"silent\"} 2"));
	assert_true(has(m, "lycosa_hosts{state=\"given_up\"} 1"));
	frontier_free(f);
	metrics_free(m);
}

/* Of a page that is refused when it is discovered no event tells. */
static void pages_refused_at_their_discovery_are_counted(void **state)
{
	static const struct source_ops always_answered = {.name = "none"};
	const struct source source = {&always_answered};
	static const struct opt_set none;
	const struct frontier_settings settings = {.policy = &policy_bfs, .opts = &none, .batch = 10, .per_host = 1};
	struct metrics *m = metrics_new();
	const struct observer o = metrics_observer(m);
	struct frontier *f;
	const uint32_t seeds[] = {0, 1};
	(void)state;

	assert_int_equal(frontier_new(&f, &settings, &(struct frontier_world){0}, NULL), 0);
	frontier_seed(f, seeds, 2);
	metrics_of(m, f, &source);
	assert_true(has(m, "lycosa_pages_total{state=\"refused\"} 0"));
	frontier_refuse(f, 1);
	assert_int_equal(o.idle(o.ctx, NULL), 0);
	assert_true(has(m, "lycosa_pages_total{state=\"refused\"} 1"));
	frontier_seed(f, &seeds[1], 1);
	assert_int_equal(o.idle(o.ctx, NULL), 0);
	assert_true(has(m, "lycosa_pages_total{state=\"refused\"} 1"));
	frontier_free(f);
	metrics_free(m);
}

/* The test of Prometheus' own grammar is tests/monitor/e2e_monitor.sh. */
static void every_sample_says_whose_it_is(void **state)
{
	struct metrics *m = metrics_new();
	struct buf b = BUF_EMPTY;

	(void)state;
	static const _Atomic uint64_t aside = 17;
	metrics_agent_of(m, "we\"b", 3, &aside);
	assert_true(has(m, "lycosa_put_aside_messages_total{crawl=\"we\\\"b\",agent=\"3\"} 17"));
	assert_true(has(m, "lycosa_seen_pages{crawl=\"we\\\"b\",agent=\"3\"} 0"));
	assert_true(has(m, "lycosa_hosts{crawl=\"we\\\"b\",agent=\"3\",state=\"ready\"} 0"));
	metrics_text(m, &b);
	for (const char *at = b.at; *at; at = strchr(at, '\n') + 1)
		assert_true(*at == '#' || strncmp(at + strcspn(at, "{"), "{crawl=\"we\\\"b\",agent=\"3\"", 24) == 0);
	buf_release(&b);
	metrics_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_sample_says_whose_it_is),
		cmocka_unit_test(labels_are_escaped),
		cmocka_unit_test(events_are_counted),
		cmocka_unit_test(pages_refused_at_their_discovery_are_counted),
		cmocka_unit_test(a_host_given_up_and_silent_ones_are_not_counted_as_waiting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
