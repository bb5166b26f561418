#include "base/clock.h"
#include "base/log.h"
#include "base/progress.h"
#include "tests/test.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void a_line_tells_what_is_done_and_left(void **state)
{
	static const struct {
		uint64_t total, first, done;
		int64_t ms;
		double share;
		const char *note, *line;
	} rows[] = {
		{0, 0, 0, 0, 0, NULL, "0 pages, 0.0/s"},
		{0, 0, 50, 10000, 0, NULL, "50 pages, 5.0/s"},
		{200, 0, 50, 5000, 0, "x", "50 of 200 (25%) pages, 10/s, 15 s left, x"},
		/* what an earlier sitting did is no part of the rate */
		{1200, 1000, 1100, 10000, 0, NULL, "1100 of 1200 (92%) pages, 10/s, 10 s left"},
		/* more than there should be: no share, no time left */
		{10, 0, 11, 1000, 0, NULL, "11 pages, 11/s"},
		/* time or bytes alone, and whichever comes first */
		{0, 0, 10, 30000, 0.25, NULL, "10 pages, 0.3/s, 1 min 30 s left"},
		{100, 0, 10, 10000, 0.5, NULL, "10 of 100 (10%) pages, 1.0/s, 10 s left"},
		{20, 0, 10, 10000, 0.1, NULL, "10 of 20 (50%) pages, 1.0/s, 10 s left"},
		{0, 0, 10, 3600000, 0.5, NULL, "10 pages, 0.0/s, 1 h 00 min left"},
		{0, 0, 10, 3600000, 0.02, NULL, "10 pages, 0.0/s, 2 d 01 h left"},
		/* hostile notes are text */
		{0, 0, 0, 0, 0, "\x1b[2J\n\xff", "0 pages, 0.0/s, ?[2J??"},
	};
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct progress p;
		char line[200];
		progress_init(&p, PROGRESS_LOG, "pages", rows[i].total);
		p.first = rows[i].first;
		progress_share(&p, rows[i].share);
		progress_line(&p, rows[i].done, p.started + rows[i].ms, rows[i].note, line, sizeof line);
		assert_string_equal(line, rows[i].line);
	}
}

static void a_bar_shows_the_limit_that_is_nearest(void **state)
{
	static const struct {
		uint64_t total, done;
		double share;
		const char *bar;
	} rows[] = {{0, 50, 0, ""}, {100, 0, 0, ""}, {100, 50, 0, "[########........] "}, {100, 100, 0, "[################] "},
		{100, 1, 0, "[................] "}, {100, 25, 0.5, "[########........] "}, {0, 7, 0.25, "[####............] "},
		{100, 75, 0.5, "[############....] "}, {100, 150, 0, ""}};
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct progress p;
		char bar[PROGRESS_BAR_WIDTH + 4];
		progress_init(&p, PROGRESS_NONE, "pages", rows[i].total);
		progress_share(&p, rows[i].share);
		progress_bar(&p, rows[i].done, bar);
		assert_string_equal(bar, rows[i].bar);
	}
}

static void a_share_stays_between_nothing_and_all(void **state)
{
	struct progress p;
	(void)state;

	progress_init(&p, PROGRESS_NONE, "pages", 0);
	progress_share(&p, 3);
	assert_true(p.share == 1);
	progress_share(&p, -1);
	assert_true(p.share == 0);
	assert_false(progress_due(&p));
}

static void a_line_is_cut_between_characters(void **state)
{
	static const struct {
		const char *line;
		size_t columns;
		const char *cut;
	} rows[] = {{"abc", 5, "abc"}, {"abc", 3, "abc"}, {"abc", 2, "ab"}, {"abc", 0, ""}, {"a\xc3\xa4z", 2, "a\xc3\xa4"},
		{"\xe2\x82\xac\xe2\x82\xac", 1, "\xe2\x82\xac"}, {"", 4, ""}};
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char line[16];
		strcpy(line, rows[i].line);
		progress_fit(line, rows[i].columns);
		assert_string_equal(line, rows[i].cut);
	}
}

/* What three ticks in a row write to stderr. */
static size_t drawn(enum progress_mode mode, int64_t ago, char *text, size_t size)
{
	int ends[2], old = dup(STDERR_FILENO);
	struct progress p;

	assert_int_equal(pipe(ends), 0);
	fflush(stderr);
	dup2(ends[1], STDERR_FILENO);
	progress_init(&p, mode, "pages", 0);
	p.drawn -= ago;
	for (int i = 0; i < 3; i++)
		progress_tick(&p, 7, "a note");
	progress_done(&p);
	progress_done(&p);
	fflush(stderr);
	dup2(old, STDERR_FILENO);
	close(old);
	close(ends[1]);
	const ssize_t n = read(ends[0], text, size - 1);
	close(ends[0]);
	text[n > 0 ? n : 0] = 0;
	return (size_t)n;
}

static void a_line_is_drawn_now_and_then(void **state)
{
	char text[500];
	(void)state;

	setenv("COLUMNS", "20", 1);
	assert_int_equal(drawn(PROGRESS_NONE, 100000, text, sizeof text), 0);
	assert_int_equal(drawn(PROGRESS_LOG, 9000, text, sizeof text), 0);
	drawn(PROGRESS_LOG, 10000, text, sizeof text);
	assert_int_equal(strncmp(text, "lycosa: 7 pages, ", 17), 0);
	assert_non_null(strstr(text, "/s, a note\n"));
	assert_null(strstr(text + 10, "lycosa"));
	/* on a terminal, here one of 20 columns, cleared in the end, once */
	drawn(PROGRESS_BAR, 200, text, sizeof text);
	assert_int_equal(strncmp(text, "\r\033[K7 pages, ", 13), 0);
	assert_int_equal(strlen(text), 4 + 19 + 4);
	assert_string_equal(text + 23, "\r\033[K");
	unsetenv("COLUMNS");
}

/* A message that comes while the line stands takes its place: nothing of the line stays before it. */
static void a_message_clears_the_line_first(void **state)
{
	int ends[2], old = dup(STDERR_FILENO);
	struct progress p;
	char text[500];
	(void)state;

	assert_int_equal(pipe(ends), 0);
	fflush(stderr);
	dup2(ends[1], STDERR_FILENO);
	progress_init(&p, PROGRESS_BAR, "pages", 0);
	p.drawn -= 1000;
	progress_tick(&p, 7, NULL);
	log_error("one");
	log_error("two");
	p.drawn -= 1000;
	progress_tick(&p, 8, NULL);
	progress_done(&p);
	log_error("three");
	fflush(stderr);
	dup2(old, STDERR_FILENO);
	close(old);
	close(ends[1]);
	const ssize_t n = read(ends[0], text, sizeof text - 1);
	close(ends[0]);
	text[n > 0 ? n : 0] = 0;
	assert_non_null(strstr(text, "/s\r\033[Klycosa: one\nlycosa: two\n\r\033[K8 pages"));
	assert_non_null(strstr(text, "\r\033[Klycosa: three\n"));
	assert_null(strstr(text, "\r\033[K\r\033[Klycosa: three"));
}

static void a_line_redraws_itself_where_the_terminal_can(void **state)
{
	static const struct {
		const char *term; /* NULL: unset */
		enum progress_mode mode;
	} rows[] = {{"xterm", PROGRESS_BAR}, {"dumb", PROGRESS_LOG}, {NULL, PROGRESS_LOG}};
	char *before = getenv("TERM") ? strdup(getenv("TERM")) : NULL;
	int old = dup(STDERR_FILENO), master = posix_openpt(O_RDWR | O_NOCTTY);
	struct progress p;
	(void)state;

	if (master < 0 || grantpt(master) || unlockpt(master))
		skip_because("no pseudo-terminal");
	const int terminal = open(ptsname(master), O_RDWR | O_NOCTTY);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		rows[i].term ? setenv("TERM", rows[i].term, 1) : unsetenv("TERM");
		dup2(terminal, STDERR_FILENO);
		progress_init(&p, PROGRESS_AUTO, "pages", 0);
		dup2(old, STDERR_FILENO);
		assert_int_equal(p.mode, rows[i].mode);
	}
	before ? setenv("TERM", before, 1) : unsetenv("TERM");
	free(before);
	close(old);
	close(terminal);
	close(master);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_line_tells_what_is_done_and_left),
		cmocka_unit_test(a_bar_shows_the_limit_that_is_nearest),
		cmocka_unit_test(a_share_stays_between_nothing_and_all),
		cmocka_unit_test(a_line_is_cut_between_characters),
		cmocka_unit_test(a_line_is_drawn_now_and_then),
		cmocka_unit_test(a_message_clears_the_line_first),
		cmocka_unit_test(a_line_redraws_itself_where_the_terminal_can),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
