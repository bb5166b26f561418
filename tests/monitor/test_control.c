#include "base/clock.h"
#include "cli/verbs.h"
#include "monitor/inbox.h"
#include "monitor/monitor.h"
#include "tests/test.h"

#include <pthread.h>
#include <string.h>

/* --- the inbox */

struct errand {
	struct ask ask;
	struct inbox *inbox;
	int number, reply, err;
	int64_t patience;
	pthread_t thread;
};

static void *go(void *arg)
{
	struct errand *e = arg;

	e->err = inbox_ask(e->inbox, &e->ask, e->patience, NULL);
	return NULL;
}

static void start(struct errand *e, struct inbox *in, int number, int64_t patience)
{
	*e = (struct errand){.inbox = in, .number = number, .patience = patience};
	assert_int_equal(pthread_create(&e->thread, NULL, go, e), 0);
}

static void square(void *ctx, struct ask *ask)
{
	struct errand *e = (struct errand *)(void *)ask;

	e->reply = e->number * e->number;
	++*(int *)ctx;
}

static void every_ask_of_many_threads_is_answered_once(void **state)
{
	struct errand errand[20];
	struct inbox *in = inbox_new();
	int answered = 0;
	(void)state;

	inbox_open(in);
	for (int i = 0; i < 20; i++)
		start(&errand[i], in, i, 60000);
	while (answered < 20)
		inbox_answer(in, square, &answered);
	for (int i = 0; i < 20; i++) {
		pthread_join(errand[i].thread, NULL);
		assert_int_equal(errand[i].err, 0);
		assert_int_equal(errand[i].reply, i * i);
	}
	inbox_answer(in, square, &answered);
	assert_int_equal(answered, 20);
	inbox_free(in);
}

static void an_ask_that_nobody_answers_fails_and_is_withdrawn(void **state)
{
	struct errand e;
	struct inbox *in = inbox_new();
	int answered = 0;
	(void)state;

	start(&e, in, 1, 60000); /* closed */
	pthread_join(e.thread, NULL);
	assert_int_equal(e.err, ERR_BUSY);
	inbox_open(in);
	start(&e, in, 1, 1);
	pthread_join(e.thread, NULL);
	assert_int_equal(e.err, ERR_BUSY);
	inbox_answer(in, square, &answered);
	assert_int_equal(answered, 0);
	inbox_free(in);
}

static void closing_the_inbox_ends_the_wait(void **state)
{
	struct errand e;
	struct inbox *in = inbox_new();
	(void)state;

	inbox_open(in);
	start(&e, in, 1, INT32_MAX);
	inbox_close(in);
	pthread_join(e.thread, NULL);
	assert_int_equal(e.err, ERR_BUSY);
	inbox_free(in);
}

static void an_inbox_says_whether_the_crawl_is_to_come_or_over(void **state)
{
	struct err_note why;
	struct ask ask;
	struct inbox *in = inbox_new();
	(void)state;

	assert_int_equal(inbox_ask(in, &ask, 1, &why), ERR_BUSY);
	assert_non_null(strstr(why.text, "has not begun yet"));
	inbox_open(in);
	inbox_close(in);
	assert_int_equal(inbox_ask(in, &ask, 1, &why), ERR_BUSY);
	assert_non_null(strstr(why.text, "has ended"));
	inbox_free(in);
}

/* --- who may ask */

static void only_names_of_this_machine_are_own_hosts(void **state)
{
	static const struct {
		const char *host;
		int is_own;
	} rows[] = {{"localhost", 1}, {"localhost:8080", 1}, {"LOCALHOST:1", 1}, {"127.0.0.1", 1}, {"127.0.0.1:4711", 1},
		{"[::1]:4711", 1}, {"[::1]", 1}, {NULL, 0}, {"", 0}, {"evil.test", 0}, {"localhost.evil.test", 0},
		{"127.0.0.1.evil.test", 0}, {"127.0.0.1:99999", 0}, {"127.0.0.1:80x", 0}, {"127.0.0.1:", 0}, {"localhost:80:80", 0},
		{"127.0.0.12", 1}, {"127.0.0.12:80", 1}, {"127.0.0.1234567890123", 0}, {"128.0.0.1", 0}, {"127.1", 0}, {"::1", 0},
		{"user@localhost", 0}};
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (monitor_is_own_host(rows[i].host) != rows[i].is_own)
			fail_msg("%s", rows[i].host ? rows[i].host : "(none)");
}

static void an_origin_is_own_under_the_same_host_only(void **state)
{
	static const struct {
		const char *origin, *host;
		int is_own;
	} rows[] = {{NULL, "localhost:1", 1}, {"http://localhost:1", "localhost:1", 1}, {"HTTP://LOCALHOST:1", "localhost:1", 1},
		{"http://localhost:2", "localhost:1", 0}, {"https://localhost:1", "localhost:1", 0},
		{"http://evil.test", "localhost:1", 0}, {"null", "localhost:1", 0}, {"", "localhost:1", 0}, {"http://", NULL, 0},
		{"http://localhost:1.evil.test", "localhost:1", 0}};
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (monitor_is_own_origin(rows[i].origin, rows[i].host) != rows[i].is_own)
			fail_msg("row %zu", i);
}

static void only_the_whole_token_is_the_token(void **state)
{
	static const struct {
		const char *header;
		int has;
	} rows[] = {{"Bearer 0123456789abcdef", 1}, {"bearer 0123456789abcdef", 1}, {NULL, 0}, {"", 0}, {"Bearer ", 0},
		{"Bearer 0123456789abcde", 0}, {"Bearer 0123456789abcdeff", 0}, {"Bearer 0123456789abcdeF", 0},
		{"Basic 0123456789abcdef", 0}, {"0123456789abcdef", 0}, {"Bearer  0123456789abcdef", 0}};
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		if (monitor_has_token(rows[i].header, "0123456789abcdef") != rows[i].has)
			fail_msg("row %zu", i);
}

static void a_place_is_a_port_or_an_address_with_a_port(void **state)
{
	static const struct {
		const char *at;
		int err; /* ERR_FILE: an address that this machine does not have */
	} rows[] = {{"0", 0}, {"127.0.0.1:0", 0}, {"127.9.9.9:0", 0}, {"192.0.2.1:1", ERR_FILE}, {"[2001:db8::1]:1", ERR_FILE},
		{"", ERR_USAGE}, {":", ERR_USAGE}, {"x", ERR_USAGE}, {"65536", ERR_USAGE}, {"-1", ERR_USAGE}, {"80x", ERR_USAGE},
		{"localhost:80", ERR_USAGE}, {"127.0.0.1", ERR_USAGE}, {"127.0.0.1:", ERR_USAGE}, {"[::1:1", ERR_USAGE},
		{"300.0.0.1:1", ERR_USAGE}};
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct err_note why = {""};
		struct monitor *m;
		const int err = monitor_new(&m, &(struct monitor_settings){.flag = "--monitor", .at = rows[i].at}, &why);
		if (err != rows[i].err)
			fail_msg("'%s': %d %s", rows[i].at, err, why.text);
		monitor_free(m);
	}
}

/* --- the verbs */

static size_t needed(const struct control_verb *v)
{
	size_t n = 0;

	for (size_t i = 0; i < CONTROL_ARGUMENTS && v->argument[i].name; i++)
		n += v->argument[i].need != CONTROL_OPTIONAL;
	return n;
}

static void every_verb_of_the_interface_is_a_verb_of_ctl(void **state)
{
	const struct verb *ctl = verb_named(&lycosa, "ctl", NULL);
	size_t n = 0;
	(void)state;

	assert_non_null(ctl);
	for (const struct control_verb *v = control_verbs; v->name; v++, n++) {
		const struct verb *same = verb_named(ctl, v->name, NULL);
		if (!same)
			fail_msg("ctl has no %s", v->name);
		assert_string_equal(same->summary, v->summary);
		size_t least, most;
		verb_operands(same, &least, &most);
		assert_int_equal(least, needed(v));
		for (size_t i = 0; i < CONTROL_ARGUMENTS && v->argument[i].name; i++) {
			size_t row = 0;
			const struct flag *flag;
			while ((flag = flags_row(same->flags, row, NULL)) && strcmp(flag->name, v->argument[i].name) != 0)
				row++;
			assert_true(flag || v->argument[i].need != CONTROL_OPTIONAL);
		}
	}
	for (size_t i = 0; ctl->verbs[i]; i++)
		n--;
	assert_int_equal(n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_ask_of_many_threads_is_answered_once),
		cmocka_unit_test(an_ask_that_nobody_answers_fails_and_is_withdrawn),
		cmocka_unit_test(closing_the_inbox_ends_the_wait),
		cmocka_unit_test(an_inbox_says_whether_the_crawl_is_to_come_or_over),
		cmocka_unit_test(only_names_of_this_machine_are_own_hosts),
		cmocka_unit_test(an_origin_is_own_under_the_same_host_only),
		cmocka_unit_test(only_the_whole_token_is_the_token),
		cmocka_unit_test(a_place_is_a_port_or_an_address_with_a_port),
		cmocka_unit_test(every_verb_of_the_interface_is_a_verb_of_ctl),
	};

	return cmocka_run_group_tests_name("control", tests, NULL, NULL);
}
