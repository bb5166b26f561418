/* The programs of the user that get pages: their processes, the command of --exec, and the score command. */
#include "tests/test.h"

#include "base/clock.h"
#include "base/input.h"
#include "base/num.h"
#include "fetch/page_command.h"
#include "fetch/scorer.h"
#include "fetch/user_command.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>

#define PATIENCE 60000 /* ms until a test that waits for what does not come fails */
#define ROOM     64

/* --- processes */

/* All that the command writes until it closes its stdout. */
static const char *heard(struct user_command *c)
{
	static char text[4096];
	size_t n = 0;
	struct pollfd from = {.fd = c->from, .events = POLLIN};

	for (;;) {
		assert_int_equal(poll(&from, 1, PATIENCE), 1);
		const ssize_t got = read(c->from, text + n, sizeof text - 1 - n);
		assert_true(got >= 0);
		if (!got)
			break;
		n += (size_t)got;
	}
	text[n] = 0;
	return text;
}

static void opened(struct user_command *c, const char *command)
{
	struct err_note why;

	assert_int_equal(user_command_open(c, "program", command, &why), 0);
	assert_int_equal(user_command_start(c, NULL, &why), 0);
}

static int status_of(struct user_command *c)
{
	int status;

	assert_int_equal(user_command_wait(c, -1, clock_ms() + PATIENCE, &status), 1);
	return status;
}

static void a_command_gets_its_stdin_and_answers_on_its_stdout(void **state)
{
	struct user_command c;
	char how[USER_COMMAND_HOW] = "as before";
	(void)state;

	opened(&c, "read a; echo \"<$a>\"; read b; echo \"<$b>\"; exit 3");
	for (int again = 0; again < 2; again++) {
		assert_true(c.to >= 0 && c.from >= 0 && c.runs);
		assert_int_equal(write(c.to, "one\ntwo\n", 8), 8);
		assert_string_equal(heard(&c), "<one>\n<two>\n");
		user_command_tell(status_of(&c), how);
		assert_string_equal(how, "has ended with status 3");
		assert_false(c.runs);
		assert_int_equal(c.to, -1);
		assert_int_equal(c.from, -1);
		/* none runs, so there is nothing to stop, and it can be started again */
		user_command_stop(&c, how);
		assert_string_equal(how, "has ended with status 3");
		assert_int_equal(user_command_start(&c, NULL, NULL), 0);
	}
	user_command_close(&c);
	assert_int_equal(c.control, -1);
}

static void how_a_command_has_ended_is_told(void **state)
{
	static const struct {
		const char *command, *how;
	} rows[] = {
		{"exit 0", "has ended with status 0"},
		{"exit 42", "has ended with status 42"},
		{"kill -TERM $$", "was ended by signal 15"},
		{"kill -INT $$", "was ended by signal 2"},
		{"kill -PIPE $$", "was ended by signal 13"},
		{"/nonexistent/program", "has ended with status 127"},
	};
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (int is_stopped = 0; is_stopped < 2; is_stopped++) {
			struct user_command c;
			char how[USER_COMMAND_HOW] = "";
			opened(&c, rows[i].command);
			(void)heard(&c);
			if (is_stopped)
				user_command_stop(&c, how);
			else
				user_command_tell(status_of(&c), how);
			assert_string_equal(how, rows[i].how);
			user_command_close(&c);
		}
}

static void a_command_that_goes_on_is_killed_with_all_that_it_has_started(void **state)
{
	struct user_command c;
	char how[USER_COMMAND_HOW] = "", line[32] = "";
	int status = -7, held[2];
	(void)state;

	/* the pipe is held open by the command and by the process that it has started, and by nobody else */
	assert_int_equal(pipe2(held, O_CLOEXEC), 0);
	assert_int_equal(user_command_open(&c, "program", "sleep 1000 & echo up; sleep 1000", NULL), 0);
	assert_int_equal(user_command_start(&c, NULL, NULL), 0);
	struct pollfd from = {.fd = c.from, .events = POLLIN};
	assert_int_equal(poll(&from, 1, PATIENCE), 1);
	assert_int_equal(read(c.from, line, sizeof line), 3);
	const int kept = dup(c.from);
	/* neither the time that is over nor a descriptor that can be read ends it */
	assert_int_equal(user_command_wait(&c, -1, clock_ms(), &status), 0);
	assert_int_equal(write(held[1], "x", 1), 1);
	assert_int_equal(user_command_wait(&c, held[0], clock_ms() + PATIENCE, &status), 0);
	assert_true(c.runs);
	user_command_stop(&c, how);
	assert_string_equal(how, "was ended by signal 9");
	assert_false(c.runs);
	from.fd = kept;
	assert_int_equal(poll(&from, 1, PATIENCE), 1);
	assert_int_equal(read(kept, line, sizeof line), 0);
	close(kept);
	close(held[0]);
	close(held[1]);
	user_command_close(&c);
}

static void what_a_command_leaves_behind_is_killed_when_it_has_ended(void **state)
{
	struct user_command c;
	char line[32];
	(void)state;

	opened(&c, "sleep 1000 & exit 5");
	const int kept = dup(c.from);
	struct pollfd from = {.fd = kept, .events = POLLIN};
	assert_int_equal(status_of(&c), 5 << 8);
	assert_int_equal(poll(&from, 1, PATIENCE), 1);
	assert_int_equal(read(kept, line, sizeof line), 0);
	close(kept);
	user_command_close(&c);
}

static void a_command_has_no_other_descriptors(void **state)
{
	const int first = open("/dev/null", O_RDONLY), open_here = fcntl(first, F_DUPFD, 200);
	struct user_command c;
	(void)state;

	opened(&c, "for fd in /proc/$$/fd/*; do echo ${fd##*/}; done");
	/* the shell itself may have moved one out of the way */
	assert_memory_equal(heard(&c), "0\n1\n2\n", 6);
	char text[16];
	snprintf(text, sizeof text, "\n%d\n", open_here);
	user_command_close(&c);
	opened(&c, "for fd in /proc/$$/fd/*; do echo ${fd##*/}; done");
	assert_null(strstr(heard(&c), text));
	user_command_close(&c);
	close(open_here);
	close(first);
}

static void arguments_that_are_too_long_are_refused(void **state)
{
	static char text[17 << 10];
	const char *const long_one[] = {text, "", ""};
	struct user_command c;
	struct err_note why = {""};
	(void)state;

	assert_int_equal(user_command_open(&c, "program", "[ ${#1} = 16381 ] && [ -z \"$2$3\" ]", NULL), 0);
	memset(text, 'a', (16 << 10) - 2);
	assert_int_equal(user_command_run(&c, long_one, &why), ERR_OTHER);
	assert_string_equal(why.text, "cannot start the program: its arguments are too long");
	text[(16 << 10) - 3] = 0;
	assert_int_equal(user_command_run(&c, long_one, &why), 0);
	assert_int_equal(c.from, -1);
	assert_int_equal(status_of(&c), 0);
	user_command_close(&c);
}

/* --- pages */

/* A crawled page that is freed by one call. */
static struct fetch_page *page(uint32_t id, const char *url, const char *body, size_t n, const char *line)
{
	const size_t url_n = strlen(url) + 1;
	struct fetch_page *p = calloc(1, sizeof *p + url_n + n + strlen(line) + 1);
	char *text = (char *)(p + 1);

	p->result.id = id;
	p->result.state = PAGE_CRAWLED;
	p->result.outcome = OUTCOME_CRAWLED;
	p->result.status = (uint16_t)(200 + id);
	p->n = 3;
	strcpy(p->about.type, id % 2 ? "" : "text/html");
	if (body) {
		memcpy(text, url, url_n);
		memcpy(text + url_n, body, n);
		p->shown = text;
		p->shown_n = url_n + n;
	}
	p->line_n = strlen(line);
	p->line = strcpy(text + url_n + n, line);
	return p;
}

static struct fetch_page *came(struct channel *outbox)
{
	void *item;

	assert_int_equal(channel_wait(outbox, &item, clock_ms() + PATIENCE), 1);
	return item;
}

/* The next page, which is given back to be crawled later. */
static void comes_back(struct channel *outbox, uint32_t id)
{
	struct fetch_page *p = came(outbox);

	assert_int_equal(p->result.id, id);
	assert_int_equal(p->result.state, PAGE_QUEUED);
	assert_int_equal(p->result.outcome, OUTCOME_ABORTED);
	assert_int_equal(p->n, 0);
	fetch_page_free(p);
}

/* --- the command of --exec */

struct running {
	struct page_service *r;
	struct channel outbox;
	struct body_memory memory;
};

static void begin_running(struct running *t, const char *command, int64_t timeout)
{
	*t = (struct running){.memory = {.most = 10 << 20}};
	channel_init(&t->outbox, ROOM);
	assert_int_equal(runner_new(&t->r, command, timeout, NULL), 0);
	assert_int_equal(runner_begin(t->r, NULL, &t->outbox, &t->memory, ROOM, NULL), 0);
	assert_int_equal(page_service_failed(t->r, NULL), 0);
}

static void end_running(struct running *t)
{
	void *item;

	page_service_end(t->r);
	while (channel_take(&t->outbox, &item))
		fetch_page_free(item);
	page_service_free(t->r);
	channel_release(&t->outbox);
}

static void comes_crawled(struct running *t, uint32_t id)
{
	struct fetch_page *p = came(&t->outbox);

	assert_int_equal(p->result.id, id);
	assert_int_equal(p->result.state, PAGE_CRAWLED);
	assert_int_equal(p->n, 3);
	fetch_page_free(p);
}

/* The content of a file below a folder. */
static char *content_of(const char *dir, const char *name, size_t *n)
{
	char path[96], *text;

	snprintf(path, sizeof path, "%s/%s", dir, name);
	assert_int_equal(input_all(path, 1 << 20, &text, n, NULL), 0);
	return text;
}

static void a_command_gets_each_page_with_its_url_status_and_type(void **state)
{
	enum { LARGE = 300000 }; /* more than a pipe holds */
	static const char *const urls[] = {"http://a.test/", "http://a.test/?a b$(touch x)'\"`;", "http://a.test/large"};
	char command[400], dir[64], *large = malloc(LARGE), want[400];
	struct running t;
	size_t n;
	(void)state;

	strcpy(dir, scratch());
	snprintf(command, sizeof command,
		"{ printf '%%s|%%s|%%s|%%s|' \"$#\" \"$1\" \"$2\" \"$3\"; tee %s/body$2 | wc -c; } >>%s/got", dir, dir);
	begin_running(&t, command, 0);
	for (size_t i = 0; i < LARGE; i++)
		large[i] = (char)(i * i >> 3);
	runner_pass(t.r, page(0, urls[0], "", 0, ""), NULL, &t.outbox);
	runner_pass(t.r, page(1, urls[1], "body\n", 5, ""), NULL, &t.outbox);
	runner_pass(t.r, page(2, urls[2], large, LARGE, ""), NULL, &t.outbox);
	for (uint32_t id = 0; id < 3; id++)
		comes_crawled(&t, id);
	/* a page without a body has no command */
	runner_pass(t.r, page(3, urls[0], NULL, 0, ""), NULL, &t.outbox);
	comes_crawled(&t, 3);
	assert_int_equal(page_service_failed(t.r, NULL), 0);
	end_running(&t);
	assert_int_equal(t.memory.used, 0);
	assert_int_equal(t.memory.held, 0);
	char *got = content_of(dir, "got", &n), *body = content_of(dir, "body201", &n);
	snprintf(want, sizeof want, "3|%s|200|text/html|0\n3|%s|201||5\n3|%s|202|text/html|%d\n", urls[0], urls[1], urls[2], LARGE);
	assert_string_equal(got, want);
	assert_string_equal(body, "body\n");
	free(body);
	body = content_of(dir, "body202", &n);
	assert_int_equal(n, LARGE);
	assert_memory_equal(body, large, LARGE);
	free(got);
	free(body);
	free(large);
}

static void a_command_that_cannot_be_run_gives_all_pages_back(void **state)
{
	struct running t;
	struct err_note why = {""};
	(void)state;

	begin_running(&t, "/nonexistent/program", 0);
	for (uint32_t id = 0; id < 3; id++)
		runner_pass(t.r, page(id, "http://a.test/", "body", 4, ""), NULL, &t.outbox);
	for (uint32_t id = 0; id < 3; id++)
		comes_back(&t.outbox, id);
	assert_int_equal(page_service_failed(t.r, &why), ERR_OTHER);
	assert_non_null(strstr(why.text, "has ended with status 127 at the first page"));
	end_running(&t);
	assert_int_equal(t.memory.used, 0);
}

static void a_command_that_fails_leaves_its_page_crawled(void **state)
{
	static const char *const commands[] = {"exit 3", "kill -KILL $$", "[ \"$2\" = 200 ] || exit 127", "exec <&-; sleep 0"};
	(void)state;

	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
		struct running t;
		begin_running(&t, commands[i], PATIENCE);
		for (uint32_t id = 0; id < 3; id++) {
			runner_pass(t.r, page(id, "http://a.test/", "body", 4, ""), NULL, &t.outbox);
			comes_crawled(&t, id);
		}
		assert_int_equal(page_service_failed(t.r, NULL), 0);
		end_running(&t);
	}
}

static void a_command_that_takes_too_long_is_ended(void **state)
{
	enum { LARGE = 1 << 20 };
	char *large = calloc(LARGE, 1);
	struct running t;
	(void)state;

	/* whether it reads its page or not */
	begin_running(&t, "[ \"$2\" = 201 ] || cat >/dev/null; sleep 1000", 30);
	for (uint32_t id = 0; id < 2; id++)
		runner_pass(t.r, page(id, "http://a.test/", large, LARGE, ""), NULL, &t.outbox);
	for (uint32_t id = 0; id < 2; id++)
		comes_crawled(&t, id);
	assert_int_equal(page_service_failed(t.r, NULL), 0);
	end_running(&t);
	free(large);
}

static void an_abort_ends_the_command_and_gives_all_pages_back(void **state)
{
	char command[128], path[96];
	struct running t;
	(void)state;

	snprintf(path, sizeof path, "%s/up", scratch());
	snprintf(command, sizeof command, "echo >%s; sleep 1000", path);
	begin_running(&t, command, 0);
	runner_pass(t.r, page(0, "http://a.test/", "body", 4, ""), NULL, &t.outbox);
	runner_pass(t.r, page(1, "http://a.test/", "body", 4, ""), NULL, &t.outbox);
	for (int64_t end = clock_ms() + PATIENCE; access(path, F_OK) != 0; poll(NULL, 0, 1))
		assert_true(clock_ms() < end);
	page_service_abort(t.r);
	comes_back(&t.outbox, 0);
	comes_back(&t.outbox, 1);
	runner_pass(t.r, page(2, "http://a.test/", "body", 4, ""), NULL, &t.outbox);
	comes_back(&t.outbox, 2);
	assert_int_equal(page_service_failed(t.r, NULL), 0);
	end_running(&t);
	/* none is no runner */
	page_service_abort(NULL);
	page_service_end(NULL);
	page_service_free(NULL);
	assert_int_equal(page_service_failed(NULL, NULL), 0);
}

/* --- the score command */

struct scoring {
	struct page_service *s;
	struct channel outbox;
	uint32_t passed;
};

static void begin_scoring(struct scoring *t, const char *command, int64_t timeout)
{
	*t = (struct scoring){.passed = 0};
	channel_init(&t->outbox, ROOM);
	assert_int_equal(scorer_new(&t->s, command, timeout, NULL), 0);
	assert_int_equal(scorer_begin(t->s, &t->outbox, ROOM, NULL), 0);
}

static void pass(struct scoring *t, const char *line)
{
	scorer_pass(t->s, page(t->passed++, "http://a.test/", NULL, 0, line), &t->outbox);
}

static void end_scoring(struct scoring *t)
{
	void *item;

	page_service_end(t->s);
	while (channel_take(&t->outbox, &item))
		fetch_page_free(item);
	page_service_free(t->s);
	channel_release(&t->outbox);
}

/* The next page: with this score, or with none where it is below 0. */
static void is_scored(struct scoring *t, uint32_t id, double score)
{
	struct fetch_page *p = came(&t->outbox);

	assert_int_equal(p->result.id, id);
	assert_int_equal(p->result.state, PAGE_CRAWLED);
	if (p->result.is_scored != (score >= 0) || (p->result.is_scored && (p->result.score < score || p->result.score > score)))
		fail_msg("page %u: %d, %g", id, p->result.is_scored, p->result.score);
	fetch_page_free(p);
}

/* cat answers what it is shown. */
static void an_answer_is_a_score_or_says_that_there_is_none(void **state)
{
	static const struct {
		const char *line;
		double score;
	} rows[] = {{"0.5\n", 0.5}, {"0\n", 0}, {"1\n", 1}, {" \t7.25 \t\r\n", 7.25}, {"1e3\n", 1000}, {"-\n", -1}, {"\n", -1},
		{" \n", -1}, {"nan\n", -1}, {"NaN\n", -1}, {"-nan\n", -1}, {"inf\n", -1}, {"-inf\n", -1}, {"null\n", -1},
		{"-0.5\n", -1}, {"1e300\n", -1}, {"0.125\n", 0.125}};
	const uint32_t n = sizeof rows / sizeof *rows;
	struct scoring t;
	(void)state;

	begin_scoring(&t, "cat", PATIENCE);
	for (uint32_t i = 0; i < n; i++)
		pass(&t, rows[i].line);
	for (uint32_t i = 0; i < n; i++)
		is_scored(&t, i, rows[i].score);
	/* a page without a line is not shown */
	pass(&t, "");
	is_scored(&t, n, -1);
	assert_int_equal(page_service_failed(t.s, NULL), 0);
	end_scoring(&t);
}

static void a_command_that_ends_is_started_again(void **state)
{
	struct scoring t;
	(void)state;

	begin_scoring(&t, "read -r line; echo \"$line\"", PATIENCE);
	for (int i = 0; i < 5; i++)
		pass(&t, "3\n");
	for (uint32_t i = 0; i < 5; i++)
		is_scored(&t, i, 3);
	assert_int_equal(page_service_failed(t.s, NULL), 0);
	end_scoring(&t);
}

static void a_page_that_the_command_ends_at_twice_has_no_score(void **state)
{
	static const char *const lines[] = {"1\n", "bad\n", "bad\n", "2\n", "bad\n", "3\n", "no\n", "4\n"};
	static const double scores[] = {1, -1, -1, 2, -1, 3, -1, 4};
	struct scoring t;
	struct err_note why = {""};
	(void)state;

	begin_scoring(&t, "while read -r l; do [ \"$l\" = bad ] && exit 4; echo \"$l\"; done", PATIENCE);
	for (int i = 0; i < 8; i++)
		pass(&t, lines[i]);
	for (uint32_t i = 0; i < 8; i++)
		is_scored(&t, i, scores[i]);
	assert_int_equal(page_service_failed(t.s, NULL), 0);
	/* at three in a row it fails, and the pages behind come back */
	for (int i = 0; i < 4; i++)
		pass(&t, "bad\n");
	is_scored(&t, 8, -1);
	is_scored(&t, 9, -1);
	comes_back(&t.outbox, 10);
	comes_back(&t.outbox, 11);
	assert_int_equal(page_service_failed(t.s, &why), ERR_OTHER);
	assert_non_null(strstr(why.text, "has ended with status 4, at three pages in a row"));
	pass(&t, "1\n");
	comes_back(&t.outbox, 12);
	end_scoring(&t);
}

static void a_command_that_is_wrong_at_the_first_page_fails(void **state)
{
	static const struct {
		const char *command, *why;
		int64_t timeout;
	} rows[] = {
		{"exit 3", "has ended with status 3, at the first page", PATIENCE},
		{"/nonexistent/program", "has ended with status 127, at the first page", PATIENCE},
		{"read l; echo high", "answers 'high', which is no score, at the first page", PATIENCE},
		{"read l; cat >/dev/null", "has not answered in time, at the first page", 30},
		{"read l; head -c 9000 /dev/zero | tr '\\0' 1; cat >/dev/null", "answers a line without an end, at the first page",
			PATIENCE},
	};
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct scoring t;
		struct err_note why = {""};
		begin_scoring(&t, rows[i].command, rows[i].timeout);
		pass(&t, "1\n");
		pass(&t, "2\n");
		comes_back(&t.outbox, 0);
		comes_back(&t.outbox, 1);
		assert_int_equal(page_service_failed(t.s, &why), ERR_OTHER);
		if (!strstr(why.text, rows[i].why))
			fail_msg("%s: %s", rows[i].command, why.text);
		end_scoring(&t);
	}
}

static void lines_longer_than_a_pipe_are_shown_whole(void **state)
{
	enum { LONG = 200000 };
	char *line = malloc(LONG + 2);
	struct scoring t;
	(void)state;

	memset(line, 'x', LONG);
	strcpy(line + LONG, "\n");
	begin_scoring(&t, "while read -r l; do echo ${#l}; done", PATIENCE);
	pass(&t, line);
	pass(&t, "abc\n");
	is_scored(&t, 0, LONG);
	is_scored(&t, 1, 3);
	end_scoring(&t);
	free(line);
}

static void an_abort_gives_the_pages_back_that_have_no_score(void **state)
{
	struct scoring t;
	(void)state;

	begin_scoring(&t, "read l; echo 1; cat >/dev/null", PATIENCE);
	for (int i = 0; i < 3; i++)
		pass(&t, "1\n");
	is_scored(&t, 0, 1);
	page_service_abort(t.s);
	comes_back(&t.outbox, 1);
	comes_back(&t.outbox, 2);
	assert_int_equal(page_service_failed(t.s, NULL), 0);
	end_scoring(&t);
	/* what is never answered is freed at the end */
	begin_scoring(&t, "cat >/dev/null", PATIENCE);
	pass(&t, "1\n");
	end_scoring(&t);
	page_service_abort(NULL);
	page_service_end(NULL);
	page_service_free(NULL);
	assert_int_equal(page_service_failed(NULL, NULL), 0);
}

static int no_signals(void **state)
{
	(void)state;
	signal(SIGPIPE, SIG_IGN); /* as the program does */
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_command_gets_its_stdin_and_answers_on_its_stdout),
		cmocka_unit_test(how_a_command_has_ended_is_told),
		cmocka_unit_test(a_command_that_goes_on_is_killed_with_all_that_it_has_started),
		cmocka_unit_test(what_a_command_leaves_behind_is_killed_when_it_has_ended),
		cmocka_unit_test(a_command_has_no_other_descriptors),
		cmocka_unit_test(arguments_that_are_too_long_are_refused),
		cmocka_unit_test(a_command_gets_each_page_with_its_url_status_and_type),
		cmocka_unit_test(a_command_that_cannot_be_run_gives_all_pages_back),
		cmocka_unit_test(a_command_that_fails_leaves_its_page_crawled),
		cmocka_unit_test(a_command_that_takes_too_long_is_ended),
		cmocka_unit_test(an_abort_ends_the_command_and_gives_all_pages_back),
		cmocka_unit_test(an_answer_is_a_score_or_says_that_there_is_none),
		cmocka_unit_test(a_command_that_ends_is_started_again),
		cmocka_unit_test(a_page_that_the_command_ends_at_twice_has_no_score),
		cmocka_unit_test(a_command_that_is_wrong_at_the_first_page_fails),
		cmocka_unit_test(lines_longer_than_a_pipe_are_shown_whole),
		cmocka_unit_test(an_abort_gives_the_pages_back_that_have_no_score),
	};

	return cmocka_run_group_tests_name("commands", tests, no_signals, NULL);
}
