/* A machine that slept: the monotonic clock stood still, the wall's went on. What is written down afterwards
 * has the time that it was. */
#include "tests/crawler/net_bench.h"

#include "base/input.h"
#include "crawler/observers/page_log.h"
#include "crawler/observers/record.h"

#include <dlfcn.h>
#include <jansson.h>

#define SLEPT_S 10800

static time_t slept; /* s */

/* In place of the C library's, for all of the program. */
int clock_gettime(clockid_t which, struct timespec *t)
{
	static int (*real)(clockid_t, struct timespec *);

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "clock_gettime");
	const int failed = real(which, t);
	if (which == CLOCK_REALTIME)
		t->tv_sec += slept;
	return failed;
}

struct written {
	struct bench bench;
	struct recorder recorder;
	struct page_log *log;
	struct observer observers[2];
};

/* Asks for a page until its robots.txt is there, and has what became of it written down. Returns the wall's
 * time before. */
static int64_t write_page(struct written *w, uint32_t id)
{
	const struct source_ops *ops = w->bench.source->ops;
	const int64_t before = clock_wall_ms();
	struct result e;
	struct err_note why;

	do {
		ops->submit(w->bench.source, &id, 1);
		reap(&w->bench, &e);
		for (size_t i = 0; i < 2; i++)
			assert_int_equal(w->observers[i].event(w->observers[i].ctx, &e, &why), 0);
		ops->release(w->bench.source);
	} while (outcome_has(e.outcome, TRAIT_WAITS));
	return before;
}

/* Its time in the store is between `before` and now. */
static void check_store(struct written *w, uint32_t id, int64_t before)
{
	struct result result;

	assert_int_equal(store_result(w->bench.store, id, &result), 1);
	/* a millisecond is lost where two clocks are rounded */
	assert_in_range(result.ended, before - 2, clock_wall_ms() + 2);
}

/* "2026-11-21T04:38:07.123Z" as ms, but for their thousandths. */
static int64_t time_of(const json_t *line, const char *name)
{
	struct tm tm = {0};

	assert_non_null(strptime(json_string_value(json_object_get(line, name)), "%Y-%m-%dT%H:%M:%S", &tm));
	return (int64_t)timegm(&tm) * 1000;
}

static void times_are_those_of_the_wall_after_the_machine_slept(void **state)
{
	static const struct web_row rows[] = {{"/a", .body = "a"}, {"/b", .body = "b"},
		{"/later", .status = 503, .headers = "Retry-After: 600\r\n"}};
	struct written w;
	struct err_note why;
	struct log_entry entry, retry = {0};
	char path[160], *text, *rest;
	size_t n;
	(void)state;

	bench_open(&w.bench, rows, 3);
	snprintf(path, sizeof path, "%s.log", w.bench.dir);
	assert_int_equal(page_log_open(&w.log, path, 0, &why), 0);
	page_log_of(w.log, w.bench.store, NULL, NULL);
	recorder_init(&w.recorder, w.bench.store, NULL, NULL, 0);
	w.observers[0] = page_log_observer(w.log);
	w.observers[1] = recorder_observer(&w.recorder);
	const uint32_t a = seed_path(&w.bench, "/a"), b = seed_path(&w.bench, "/b"), later = seed_path(&w.bench, "/later");
	check_store(&w, a, write_page(&w, a));
	slept = SLEPT_S;
	const int64_t woke = write_page(&w, b);
	check_store(&w, b, woke);
	check_store(&w, later, write_page(&w, later));
	assert_int_equal(page_log_close(w.log, &why), 0);

	/* when it may be asked again */
	struct store_log_cursor *c = store_log_start(w.bench.store);
	while (store_log_next(c, &entry, &why) == 1)
		if (entry.kind == LOG_REQUEUED && entry.id == later)
			retry = entry;
	store_log_stop(c);
	assert_in_range(retry.time, woke + 599000, clock_wall_ms() + 601000);

	assert_int_equal(input_all(path, 1u << 20, &text, &n, &why), 0);
	int lines = 0;
	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest), lines++) {
		json_t *o = json_loads(line, 0, NULL);
		const int64_t is = time_of(o, "time"), to = clock_wall_ms();
		if (lines > 0)
			assert_in_range(is, woke - 1000, to);
		else
			assert_in_range(is, to - SLEPT_S * 1000 - 60000, to - SLEPT_S * 1000);
		if (json_object_get(o, "not_before"))
			assert_in_range(time_of(o, "not_before"), woke + 598000, to + 601000);
		json_decref(o);
	}
	assert_int_equal(lines, 3);
	free(text);
	slept = 0;
	bench_close(&w.bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_those_of_the_wall_after_the_machine_slept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
